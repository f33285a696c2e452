"""Edits and corrections of finished battles: late ones are faults, those in time are none."""

from __future__ import annotations

import random
import re
from datetime import datetime, timedelta

from tests.support.enolaptia_sim import Sim
from tests.support.enolaptia_sim_text import to_html


def _at(stamp: str) -> datetime:
    return datetime.fromisoformat(stamp)


def _text(post: dict) -> str:
    return "html" if "html" in post else "text"


def _later_by_another(transcript: dict, post: dict) -> dict | None:
    place = transcript["posts"].index(post)
    players = {c["player"] for c in transcript["characters"]}
    later = [p for p in transcript["posts"][place + 1 :] if p["author"] in players and p["author"] != post["author"]]
    return later[0] if later else None


_NUMBER = re.compile(r"(\d+)(?=(?:/\d+)?[^\d]{0,12}$)")


def edited_claims(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    found = [(p, line) for p in transcript["posts"] for line in p.get("_lines", ()) if _changeable(line)]
    found = [(p, line) for p, line in found if _later_by_another(transcript, p)]
    if not found:
        return None
    post, line = rng.choice(found)
    key = _text(post)
    shown = line if key == "text" else to_html(line).replace("\0", "<").replace("\1", ">")
    number = _NUMBER.search(shown)
    if number is None or post[key].count(shown) != 1:
        return None
    wrong = str(int(number.group()) + rng.choice([1, 2, 7]))
    changed = shown[: number.start()] + wrong + shown[number.end() :]
    later = _later_by_another(transcript, post)
    old = post[key]
    post[key] = old.replace(shown, changed)
    post["revisions"] = [{"seen": (_at(post["at"]) + timedelta(seconds=30)).isoformat(), key: old}]
    post["edited"] = (_at(later["at"]) + timedelta(minutes=9)).isoformat()
    return "post/edited-claims", post["id"], [int(number.group())]


def _changeable(line: str) -> bool:
    plain = re.sub(r"\[/?url[^\]]*\]|\(http[^)]*\)", "", line).upper()
    if plain.rstrip().endswith(("MISS", "FAILED", "ESCAPED", "CANNOT RUN", "(DEAD)")):
        return False
    return bool(_LAST_NUMBER.search(line)) and any(word in plain for word in _WORDS)


_LAST_NUMBER = re.compile(r"(?:[,:=]|AT|at) \d+$|\d+/\d+$")
_WORDS = ("ROLLED", "DAMAGE 1D6", "AT ", "EXP", "HP", "SPELL", "SPECIAL", "SKILL", "/")


def _slip(rng: random.Random, transcript: dict, late: bool) -> tuple[dict, str, str] | None:
    """A post with a number that ends a line of its last kind, the line, and the line with a slip in that number."""
    found = []
    for place, post in enumerate(transcript["posts"]):
        lines = post.get("_lines", ())
        following = transcript["posts"][place + 1] if place + 1 < len(transcript["posts"]) else None
        by_another = following is not None and following["author"] != post["author"] and "_lines" in following
        last: dict[tuple, str] = {}
        for line in lines:
            last[(_kind(line), line.upper().split(" ATTACKS")[0].split(":")[0])] = line
        usable = [line for line in last.values() if _changeable(line) and post.get("text", "").count(line) == 1]
        if not late or by_another:
            found += [(post, line) for line in usable]
    if not found:
        return None
    post, line = rng.choice(found)
    number = _first_number(line)
    slip = line[: number.start()] + str(int(number.group()) + 3) + line[number.end() :]
    return post, line, slip


def _first_number(line: str) -> re.Match:
    if _kind(line) == "hp":
        return re.search(r"\d+(?=/)", line)
    return _NUMBER.search(line)


def _kind(line: str) -> str:
    plain = line.upper()
    if plain.startswith("HP"):
        return "hp"
    if plain.startswith("EXP"):
        return "exp"
    for word, kind in (("POTION", "potion"), ("SPELL", "spell"), ("SPECIAL", "special"), ("SKILL", "skill")):
        if f": {word} " in plain:
            return kind
    return "attack" if "ATTACK" in plain or ": MOVE " in plain else "stand"


_CODES = {"hp": "hp", "stand": "hp", "exp": "exp"}


def _correction(rng: random.Random, transcript: dict, post: dict, line: str, after: dict) -> None:
    place = transcript["posts"].index(after) + 1
    at = (_at(after["at"]) + timedelta(seconds=20)).isoformat()
    word = rng.choice(["Edit:", "edit:", "Correction:", "Correction, sorry:"])
    if _kind(line) == "hp" and rng.random() < 0.5:
        line = line.split(",")[0]
    if rng.random() < 0.5:
        line = re.sub(r"\[roll=1d6\](\d)\[/roll\]|\[url=[^\]]*\](\d)\[/url\]", lambda m: m[1] or m[2], line)
        line = re.sub(r" \[url=[^\]]*\]roll\[/url\]| \(http[^)]*\)", "", line)
    text = f"{word} {line}\n"
    transcript["posts"].insert(place, {"id": "c1", "author": post["author"], "at": at, "text": text})


def corrected_in_time(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    """An honest battle: the slip is put right before anybody else posts."""
    picked = _slip(rng, transcript, late=False)
    if picked is None:
        return None
    post, line, slip = picked
    post["text"] = post["text"].replace(line, slip)
    _correction(rng, transcript, post, line, post)
    return "", "", None


def corrected_late(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    picked = _slip(rng, transcript, late=True)
    if picked is None:
        return None
    post, line, slip = picked
    post["text"] = post["text"].replace(line, slip)
    after = transcript["posts"][transcript["posts"].index(post) + 1]
    _correction(rng, transcript, post, line, after)
    code = f"enolaptia/{_CODES.get(_kind(line), 'damage')}"
    value = [int(_first_number(line).group())]
    return code, post["id"], None if code == "enolaptia/damage" else value


def edited_in_time(rng: random.Random, sim: Sim, transcript: dict) -> tuple | None:
    """An honest battle: a number is put right by an edit before anybody else posts."""
    picked = _slip(rng, transcript, late=False)
    if picked is None:
        return None
    post, line, slip = picked
    seen = (_at(post["at"]) + timedelta(seconds=10)).isoformat()
    post["revisions"] = [{"seen": seen, "text": post["text"].replace(line, slip)}]
    post["edited"] = (_at(post["at"]) + timedelta(seconds=40)).isoformat()
    return "", "", None
