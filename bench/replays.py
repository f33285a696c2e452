"""How many posts a second are read and replayed, for every rule system.

    python -m bench.replays [SYSTEM ...] [--battles N]

Made battles come from the simulators of the tests (honest ones, several habits of writing), the handed
samples from the shared folder; both are short battles, so the set-up of each one counts. One long battle
is many made posts in one thread (`bench.__main__`).
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench import SHARED
from referee.app import plugins
from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle, sheets_of
from referee.engine.timeline import read_posts
from referee.model.battle import Battle
from referee.ports.rules import Ruleset

ROUNDS = 15


def made(system: str, number: int) -> Iterator[dict[str, Any]]:
    """Transcripts of made honest battles."""
    if system == "shinobi":
        from tests.support.shinobi_sim import play
        from tests.support.shinobi_sim_text import transcript

        yield from (transcript(play(seed)) for seed in range(number))
    elif system == "d20_arena":
        from tests.support.d20_arena_sim import Sim
        from tests.support.d20_arena_sim_render import render

        yield from (render(Sim(seed).play()) for seed in range(number))
    elif system == "angel_dolls":
        from tests.support.angel_dolls_sim_fight import fight
        from tests.support.angel_dolls_sim_text import Writer

        yield from (Writer(fight(seed), seed).transcript() for seed in range(number))
    elif system == "enolaptia":
        from tests.support.enolaptia_sim_faults import battle

        yield from (found[0] for found in map(battle, range(number)) if found)


def loaded(system: str, number: int) -> tuple[list[Battle], list[Battle]]:
    """The made and the handed battles of a system, through files as users' transcripts go."""
    known = dict.fromkeys(plugins.names("rulesets"))
    ours = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battle.json"
        for data in made(system, number):
            path.write_text(json.dumps(data), "utf-8")
            ours.append(load_transcript(path, known))
    handed = [load_transcript(path, known) for path in sorted(SHARED.glob(f"cases/{system}/*.yaml"))]
    return ours, handed


def least(works: list[Callable[[], object]]) -> float:
    """The processor time of all works together, each the least of some rounds, in seconds.

    Rounds go over all works, so what else runs on the machine meets one round of each and not all of one.
    """
    times = [float("inf")] * len(works)
    gc.collect()
    gc.disable()  # As the commands do.
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            re.purge()  # Patterns made of a battle's names are new with every battle.
            began = time.process_time()
            work()
            times[place] = min(times[place], time.process_time() - began)
    gc.enable()
    return sum(times)


def measure(system: str, what: str, battles: list[Battle]) -> None:
    """Print posts a second: reading alone, replay alone, both."""
    ruleset = plugins.ruleset(system)
    posts = sum(len(battle.posts) for battle in battles)
    if not posts:
        return
    reading = least([partial(_read, battle, ruleset) for battle in battles])
    whole = least([partial(judge_battle, battle, ruleset) for battle in battles])
    print(
        f"{system:<12} {what:<8} {len(battles):>4} battles {posts:>6} posts: reading {posts / reading:>7,.0f}/s, "
        f"replay alone {posts / (whole - reading):>7,.0f}/s (goal 20,000), both {posts / whole:>7,.0f}/s (goal 3,000)"
    )


def _read(battle: Battle, ruleset: Ruleset) -> None:
    read_posts(battle, ruleset, sheets_of(battle, ruleset))


def main(arguments: list[str] | None = None) -> None:
    """Print the speeds of the named systems, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("system", nargs="*", default=["shinobi", "d20_arena", "angel_dolls", "enolaptia"])
    parser.add_argument("--battles", type=int, default=60)
    asked = parser.parse_args(arguments)
    for system in asked.system:
        ours, handed = loaded(system, asked.battles)
        measure(system, "made", ours)
        measure(system, "handed", handed)


if __name__ == "__main__":
    main()
