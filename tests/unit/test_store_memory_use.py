"""A thread of 10,000 posts fits into 300 MB, fetched, stored and given back."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
toy = importlib.import_module("toy_forum")


def test_ten_thousand_posts(tmp_path):
    with toy.Server(toy.Forum(page_size=50)) as forum:
        forum.threads["1"] = [
            toy.ToyPost(n, f"[Damage: {n}] " + "prose and more prose. " * 60) for n in range(1, 10_001)
        ]
        code = (
            f"import re, sys; sys.path.insert(0, {str(HERE)!r}); import toy_forum;"
            "toy_forum.main('run', *sys.argv[1:]);"
            # Not ru_maxrss: that begins with the size of the process that started this one.
            "print('kilobytes', re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
        )
        command = [sys.executable, "-c", code, str(tmp_path), forum.url()]
        # A measured process: the line counter of a coverage run would be measured too.
        env = {key: value for key, value in os.environ.items() if not key.startswith(("COV_", "COVERAGE"))}
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
    assert "judged 10000" in done.stdout, done.stderr
    assert int(done.stdout.split("kilobytes ")[1]) < 300 * 1024, done.stdout
