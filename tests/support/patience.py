"""How much processor time a test may take: more on a slow or busy machine, and where lines are traced."""

from __future__ import annotations

import re
import sys
import time

#: What the fixed piece of work below takes on the machine for which the limits were written, in seconds.
_USUAL = 0.003
#: With coverage every line of ours is traced: that takes so many times as long.
_TRACED = 3
_WORDS = re.compile(r"(?:\w+[ ]?){1,4}[,.]")


def allowed(seconds: float) -> float:
    """The processor time in seconds that stands for so many on a usual machine that runs nothing else.

    What grows with the square of a text takes ten times its limit and more, so such a limit still finds it.
    """
    began = time.process_time()
    found = 0
    for number in range(6_000):
        found += len(str(number)) + (_WORDS.match("some words, and more") is not None)
    taken = time.process_time() - began
    assert found > 6_000
    return seconds * max(1.0, taken / _USUAL) * (_TRACED if sys.gettrace() is not None else 1)
