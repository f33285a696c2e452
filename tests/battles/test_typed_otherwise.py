"""Battles typed in another way that boards show alike, or that means the same: the same findings."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.samples import ROOT, SHARED, judge_file

#: Markup and addresses, whose signs stay as they are.
_MARKUP = re.compile(r"(\[/?[a-z]+(?:=[^\]]*)?\]|https?://\S+)")
_QUOTED = "[quote={author}]{text}[/quote]\n"

Rewrite = Callable[[str], str]


def signs(change: Rewrite) -> Rewrite:
    """A change of everything but markup and addresses."""
    return lambda text: "".join(part if _MARKUP.fullmatch(part) else change(part) for part in _MARKUP.split(text))


def lines(change: Rewrite) -> Rewrite:
    """A change of every line that is not empty."""
    return lambda text: "\n".join(change(line) if line.strip() else line for line in text.split("\n"))


def replaced(old: str, new: str) -> Rewrite:
    """Some words in the place of others, markup left alone."""
    return signs(lambda text: text.replace(old, new))


WAYS: dict[str, Rewrite] = {
    "breaks of Windows": lambda text: text.replace("\n", "\r\n"),
    "an empty line between any two": lambda text: "\n\n".join(line for line in text.split("\n") if line.strip()),
    "empty lines around": lambda text: f"\n\n\n{text}\n\n\n",
    "indented": lines(lambda line: "  " + line),
    "blanks at the ends of lines": lines(lambda line: line + " "),
    "two blanks for one": replaced(" ", "  "),
    "blanks that do not break": replaced(" ", "\u00a0"),
    "signs without width": replaced(": ", ":\u200b "),
    "blanks before colons": replaced(": ", " : "),
    "blanks inside brackets": lambda text: re.sub(r"\[(?!/|\*|[a-z]+[=\]])([^\[\]\n]*)\]", r"[ \1 ]", text),
    "bold": lines(lambda line: f"[b]{line}[/b]"),
    "coloured": lambda text: f"[color=#aa2200][size=90]{text}[/size][/color]",
    "in the middle": lambda text: f"[center]{text}[/center]",
    "an aside below": lambda text: text.rstrip("\n") + "\n\n((OOC: good luck, I have 3 exams on the 12th))",
    "rules between paragraphs": lambda text: text.replace("\n\n", "\n[hr][/hr]\n"),
    "curly apostrophes": replaced("'", "\u2019"),
    "true minus signs": signs(lambda text: re.sub(r"(?<![\w-])-(?=\d)", "\u2212", text)),
    "dashes": signs(lambda text: re.sub(r"(?<![\w-])-(?=\d)", "\u2013", text)),
    "crosses": signs(lambda text: re.sub(r"\bx(?=\d)", "\u00d7", text)),
    "another word for a roll": lambda text: re.sub(r"(\[url=[^\]]+\])roll(\[/url\])", r"\1link\2", text),
}
#: Signs at the beginning of lines and blank lines mean something in these.
EXCEPT = {
    "live-numbers-around": {"blanks before colons"},
}
#: Posts in HTML say in their markup what these ways type.
BATTLES = sorted(
    path
    for path in (*SHARED.glob("cases/*/*.yaml"), *(ROOT / "tests" / "battles").glob("*/*.yaml"))
    if "html:" not in path.read_text("utf-8")
)
#: Each battle is typed in so many of the ways; which, its name decides.
TRIED = 4


def ways_for(path: Path) -> list[str]:
    """Some of the ways, others for each battle, always the same for one."""
    first = zlib.crc32(path.name.encode())
    names = list(WAYS)
    chosen = {names[(first + 7 * number) % len(names)] for number in range(TRIED)}
    return sorted(chosen - EXCEPT.get(path.stem, set()))


def transcript_of(path: Path) -> dict[str, Any]:
    """A battle's transcript as data, without what its file expects."""
    data: dict[str, Any] = yaml.load(path.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    data.pop("expect", None)
    return data


def findings_of(data: dict[str, Any], folder: Path) -> list[tuple[object, ...]]:
    """What is found in a transcript, workings and words left out."""
    path = folder / "battle.json"
    path.write_text(json.dumps(data, default=str), "utf-8")
    found = judge_file(path).findings
    return [(f.code, f.post, f.character, repr(f.claimed), repr(f.expected)) for f in found]


@pytest.mark.parametrize("path", BATTLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_other_ways_of_typing_change_nothing(path: Path, tmp_path: Path) -> None:
    data = transcript_of(path)
    before = findings_of(data, tmp_path)
    for way in ways_for(path):
        typed = json.loads(json.dumps(data, default=str))
        for post in typed["posts"]:
            for text in (post, *post.get("revisions", ())):
                text["text"] = WAYS[way](text["text"])
        assert findings_of(typed, tmp_path) == before, way


def test_quotes_of_the_post_before_change_nothing(tmp_path: Path) -> None:
    for path in BATTLES:
        data = transcript_of(path)
        posts = data["posts"]
        if any("quote" in post["text"] or post.get("revisions") for post in posts):
            continue
        before = findings_of(data, tmp_path)
        for post, earlier in reversed(list(zip(posts[1:], posts, strict=False))):
            post["text"] = _QUOTED.format(**earlier) + post["text"]
        assert findings_of(data, tmp_path) == before, path.stem
