"""Faults planted into a finished honest battle: dice records, edits, deletions, unread tags, strangers, corrections.

A planter changes the transcript and gives (code, post, expected values or None), or None where the
battle has no place for it.
"""

from __future__ import annotations

import copy
import random
import re
from datetime import datetime, timedelta

from tests.support.enolaptia_sim import Sim
from tests.support.enolaptia_sim_edits import corrected_in_time, corrected_late, edited_claims, edited_in_time
from tests.support.enolaptia_sim_text import Die, to_html

UNREAD = [
    "[Damage: 1d6 = ?]",
    "[Damage: lots x?]",
    "[Action: ??? -> ???: 1d20 = ?]",
    "[Run: 1d6 = ?]",
    "[Potion: ??? on ???, +? HP]",
    "[Trap: ?]",
    "[Used Something Odd]",
]


def _at(stamp: str) -> datetime:
    return datetime.fromisoformat(stamp)


def _text(post: dict) -> str:
    return "html" if "html" in post else "text"


def _linked(transcript: dict) -> list[tuple[dict, Die]]:
    """Every die that has a link, with its post."""
    found = []
    for post in transcript["posts"]:
        for line in post.get("_structure", ()):
            found += [(post, part) for part in line.parts if isinstance(part, Die) and part.link]
    return found


def _pick(rng: random.Random, transcript: dict) -> tuple[dict, Die] | None:
    found = _linked(transcript)
    return rng.choice(found) if found else None


def values(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None:
        return None
    post, die = picked
    shown = rng.choice([n for n in range(1, 7) if n != die.value])
    if rng.random() < 0.5:
        transcript["rolls"][die.link]["values"] = [shown]
        return "dice/values", post["id"], [shown]
    key, link = _text(post), re.escape(die.link)
    patterns = [
        rf"{die.value}( \[url={link}\]roll)",
        rf'{die.value}( <a href="{link}">roll)',
        rf'{die.value}( \(<a href="{link}">)',
        rf"{die.value}( \({link}\))",
        rf"(\[url={link}\]){die.value}",
        rf'(<a href="{link}">){die.value}(?=</a>)',
    ]
    before = post[key]
    for pattern in patterns:
        post[key] = re.sub(pattern, lambda m: f"{shown}{m[1]}" if m[0][0].isdigit() else f"{m[1]}{shown}", post[key])
    return ("dice/values", post["id"], [die.value]) if post[key] != before else None


def expression(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None:
        return None
    transcript["rolls"][picked[1].link]["expression"] = rng.choice(["1d20", "1d12", "1d100"])
    return "dice/expression", picked[0]["id"], None


def not_found(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None:
        return None
    del transcript["rolls"][picked[1].link]
    transcript["rolls"]["http://dice.example/r/1"] = {"at": transcript["posts"][0]["at"], "by": "x", "values": [1]}
    return "dice/not-found", picked[0]["id"], None


def unreachable(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None:
        return None
    transcript["rolls"][picked[1].link] = {"unreachable": True}
    return "dice/unreachable", picked[0]["id"], None


def unknown_service(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None:
        return None
    post, die = picked
    link = f"http://rolls.elsewhere.example/{die.link.rsplit('/', 1)[1]}"
    post[_text(post)] = re.sub(re.escape(die.link) + r"(?!\d)", link, post[_text(post)])
    del transcript["rolls"][die.link]
    transcript["rolls"]["http://dice.example/r/1"] = {"at": transcript["posts"][0]["at"], "by": "x", "values": [1]}
    return "dice/unknown-service", post["id"], None


def no_link(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None:
        return None
    post, die = picked
    key, link = _text(post), re.escape(die.link)
    patterns = [
        rf" \[url={link}\]roll\[/url\]",
        rf' <a href="{link}">roll</a>',
        rf" \(<a href=\"{link}\">{link}</a>\)",
        rf" \({link}\)",
    ]
    before = post[key]
    for pattern in patterns:
        post[key] = re.sub(pattern, "", post[key])
    post[key] = re.sub(rf"\[url={link}\](\d)\[/url\]", r"\1", post[key])
    post[key] = re.sub(rf'<a href="{link}">(\d)</a>', r"\1", post[key])
    line = next(line for line in post["_structure"] if die in line.parts)
    del transcript["rolls"][die.link]
    transcript["rolls"]["http://dice.example/r/1"] = {"at": transcript["posts"][0]["at"], "by": "x", "values": [1]}
    alone = sum(isinstance(part, Die) for part in line.parts) == 1
    return ("dice/no-link", post["id"], None) if post[key] != before and alone else None


def reused(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    found = _linked(transcript)
    pairs = [(a, b) for i, a in enumerate(found) for b in found[i + 1 :] if a[1].value == b[1].value]
    pairs = [(a, b) for a, b in pairs if a[0] is not b[0] and a[0]["author"] == b[0]["author"]]
    if not pairs:
        return None
    (_, old), (post, die) = rng.choice(pairs)
    post[_text(post)] = re.sub(re.escape(die.link) + r"(?!\d)", old.link, post[_text(post)])
    del transcript["rolls"][die.link]
    return "dice/reused", post["id"], None


def roller(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None:
        return None
    transcript["rolls"][picked[1].link]["by"] = "Ysolde of Table Four"
    return "dice/roller", picked[0]["id"], None


def _previous(transcript: dict, post: dict) -> dict | None:
    place = transcript["posts"].index(post)
    own = [p for p in transcript["posts"][:place] if p["author"] == post["author"] and p.get("_lines")]
    return own[-1] if own else None


def too_early(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None or _previous(transcript, picked[0]) is None:
        return None
    before = _at(_previous(transcript, picked[0])["at"]) - timedelta(minutes=rng.randint(1, 600))
    transcript["rolls"][picked[1].link]["at"] = before.isoformat()
    return "dice/too-early", picked[0]["id"], None


def too_late(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None:
        return None
    after = _at(picked[0]["at"]) + timedelta(minutes=rng.randint(1, 600))
    transcript["rolls"][picked[1].link]["at"] = after.isoformat()
    return "dice/too-late", picked[0]["id"], None


def fished(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    found = [
        (p, d) for p, d in _linked(transcript) if transcript["rolls"][d.link].get("label") and _previous(transcript, p)
    ]
    if not found:
        return None
    post, die = rng.choice(found)
    record = dict(transcript["rolls"][die.link], link="http://dice.example/r/77", values=[rng.randint(1, 6)])
    since, until = _at(_previous(transcript, post)["at"]), _at(post["at"])
    record["at"] = (since + (until - since) / 2).isoformat()
    transcript["siblings"].append(record)
    return "dice/fished", post["id"], None


def altered(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _pick(rng, transcript)
    if picked is None:
        return None
    record = transcript["rolls"][picked[1].link]
    seen = {k: v for k, v in record.items() if k in ("at", "by", "expression", "values")}
    seen["values"] = [rng.choice([n for n in range(1, 7) if n != picked[1].value])]
    record["earlier"] = [dict(seen, seen=record["at"])]
    return "dice/altered", picked[0]["id"], None


def deleted(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    post = rng.choice([p for p in transcript["posts"] if p.get("_lines")])
    post["deleted"] = (_at(transcript["posts"][-1]["at"]) + timedelta(days=1)).isoformat()
    return "post/deleted", post["id"], None


def unread_tag(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    post = rng.choice([p for p in transcript["posts"] if p.get("_lines")])
    tag = rng.choice(UNREAD)
    key = _text(post)
    added = to_html("\n" + tag + "\n") if key == "html" else "\n" + tag + "\n"
    head, line, rest = post[key].partition("\n____________________")
    post[key] = head + added + line + rest
    return "post/unread-tag", post["id"], None


def stranger(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    place = rng.randint(1, len(transcript["posts"]))
    after = transcript["posts"][place - 1]
    name = transcript["characters"][0]["name"]
    text = f"Let me help.\n\n{name} attacks Rat 1: rolled [roll=1d6]4[/roll], 5\n"
    if transcript["battle"].get("kind") or rng.random() < 0.5:
        text = f"Look:\n\nHP: {name} 3/9\n"
    elif transcript["battle"]["map"] != "Sunken Fen":
        text = text.replace("Rat 1", "Bat 1")
    post = {"id": "q1", "author": "stranger", "at": (_at(after["at"]) + timedelta(minutes=5)).isoformat(), "text": text}
    transcript["posts"].insert(place, post)
    return "post/unknown-character", "q1", None


HONEST = {"corrected in time": corrected_in_time, "edited in time": edited_in_time}
PLANTERS = {
    "dice/values": values,
    "dice/expression": expression,
    "dice/not-found": not_found,
    "dice/unreachable": unreachable,
    "dice/unknown-service": unknown_service,
    "dice/no-link": no_link,
    "dice/reused": reused,
    "dice/roller": roller,
    "dice/too-early": too_early,
    "dice/too-late": too_late,
    "dice/fished": fished,
    "dice/altered": altered,
    "post/edited-claims": edited_claims,
    "post/deleted": deleted,
    "post/unread-tag": unread_tag,
    "post/unknown-character": stranger,
    "corrected late": corrected_late,
}
#: Faults that the simulator plants while it plays.
PLAYED = tuple(
    f"enolaptia/{name}"
    for name in [
        "encounter",
        "party-size",
        "order",
        "moves",
        "run",
        "allocation",
        "damage",
        "potion",
        "teleport",
        "drop",
        "exp",
        "hp",
        "acts-while-down",
    ]
)


def battle(seed: int, fault: str | None = None) -> tuple[dict, tuple | None] | None:
    """A battle and what is planted in it; None where this seed has no place for the fault."""
    rng = random.Random(seed)
    sim = Sim(rng, fault if fault in PLAYED else None)
    transcript = sim.run()
    planted = sim.expected
    if fault in PLANTERS or fault in HONEST:
        transcript = copy.deepcopy(transcript)
        planted = {**PLANTERS, **HONEST}[fault](rng, sim, transcript)
        if planted is None:
            return None
        planted = planted if planted[0] else None
    elif fault is not None and planted is None:
        return None
    for post in transcript["posts"]:
        for key in [key for key in post if key.startswith("_")]:
            del post[key]
    return transcript, planted
