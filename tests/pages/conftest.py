"""Captured pages of real forum software with their truth, and a second, independent reading of typed posts."""

from __future__ import annotations

import importlib
import json
import os
import re
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path

import pytest

from referee.ports.boards import Page

SHARED = Path(os.environ.get("REFEREE_SHARED", Path(__file__).parents[3] / "shared")) / "pages"
ENGINES = {
    "phpbb-3.3.10": "phpbb",
    "smf-2.1.4": "smf",
    "mybb-1.8.37": "mybb",
    "fluxbb-1.5.11": "fluxbb",
    "flaskbb-2.2.0": "flaskbb",
    "nodebb-4.9.2": "nodebb",
}


def board_of(engine):
    return importlib.import_module(f"scrapers.boards.{engine}").BOARD


@cache
def manifest(folder):
    return json.loads((SHARED / folder / "manifest.json").read_text(encoding="utf-8"))


def load(folder, file):
    """A capture as the page that a board would have received."""
    path = SHARED / folder / file
    status, headers = 200, {}
    lines = Path(f"{path}.headers").read_text(encoding="utf-8").splitlines()
    status = int(lines[0].split()[1])
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip()] = value.strip()
    url = Path(f"{path}.url").read_text(encoding="utf-8").strip()
    return Page(url, path.read_bytes(), status, headers, parsedate_to_datetime(headers["Date"]))


def thread_captures():
    """Every captured page of every thread, for every viewer and variant."""
    for folder in ENGINES:
        for thread, truth in manifest(folder)["threads"].items():
            pages = truth["pages"]
            variants = pages.items() if isinstance(pages, dict) else [(file.split("/")[0], [file]) for file in pages]
            for variant, files in variants:
                for file in files:
                    yield folder, thread, variant, file


def whole_threads():
    """Every thread of which all pages were captured for one viewer."""
    for folder in ENGINES:
        for thread, truth in manifest(folder)["threads"].items():
            pages = truth["pages"]
            variants = pages.items() if isinstance(pages, dict) else [(file.split("/")[0], [file]) for file in pages]
            variants = list(variants)
            most = max(len(files) for _, files in variants)
            for variant, files in variants:
                if len(files) == most:
                    yield folder, thread, variant, tuple(files)


def pytest_generate_tests(metafunc):
    names = set(metafunc.fixturenames)
    if not names & {"thread_capture", "whole_thread", "folder"}:
        return
    if not SHARED.is_dir():
        mark = [] if os.environ.get("CI") else [pytest.mark.skip(reason=f"no shared pages at {SHARED}")]
        name = (names & {"thread_capture", "whole_thread", "folder"}).pop()
        metafunc.parametrize(name, [pytest.param(None, marks=mark, id="no-shared-pages")])
    elif "thread_capture" in names:
        found = list(thread_captures())
        metafunc.parametrize("thread_capture", found, ids=[f"{f[0]}-{f[3]}" for f in found])
    elif "whole_thread" in names:
        found = [item for item in whole_threads()]
        metafunc.parametrize("whole_thread", found, ids=[f"{f[0]}-{f[1]}-{f[2]}" for f in found])
    else:
        metafunc.parametrize("folder", list(ENGINES))


@pytest.fixture(autouse=True)
def _needs_pages(request):
    """Under CI a missing directory of pages is a failure, not a skip."""
    spec = getattr(request.node, "callspec", None)
    if spec and any(
        name in spec.params and spec.params[name] is None for name in ("thread_capture", "whole_thread", "folder")
    ):
        pytest.fail(f"no shared pages at {SHARED}")


@pytest.fixture
def shared_pages():
    """Where the captures are; a test that needs them is skipped without, and fails under CI."""
    if SHARED.is_dir():
        return SHARED
    if os.environ.get("CI"):
        pytest.fail(f"no shared pages at {SHARED}")
    pytest.skip(f"no shared pages at {SHARED}")


@pytest.fixture
def captures():
    """Gives the files of all captured pages of an engine's threads."""
    return lambda folder: [file for engine, _, _, file in thread_captures() if engine == folder]


@pytest.fixture
def capture():
    return load


@pytest.fixture
def truth():
    return manifest


@pytest.fixture
def board():
    return board_of


@pytest.fixture
def all_boards():
    return {engine: board_of(engine) for engine in ENGINES.values()}


@pytest.fixture
def as_typed():
    return typed


@pytest.fixture
def plain():
    return flat


# --- a second reading of what was typed, made for comparison only ---------------------------------

TAG = re.compile(
    r"(\[/?(?:quote|code|spoiler|list|li|\*|url|img|b|i|u|s|color|size|center|email)(?:[ =][^\]]*)?\])", re.IGNORECASE
)


def flat(text):
    """One line, straight quotation marks: what is the same on every board."""
    for curly, straight in (("“", '"'), ("”", '"'), ("’", "'"), ("‘", "'"), ("…", "...")):
        text = text.replace(curly, straight)
    return " ".join(text.split())


def typed(source, markdown):
    """(kind, flat text) of the blocks of a typed post."""
    pieces = markdown_pieces(source) if markdown else bbcode_pieces(source)
    joined = []
    for kind, text in pieces:
        if joined and joined[-1][0] == kind and kind == "own":
            joined[-1][1] += "\n" + text
        else:
            joined.append([kind, text])
    return [(kind, flat(text)) for kind, text in joined if flat(text)]


def bbcode_pieces(source):
    pieces, stack, code = [], [], False
    image = False
    for part in TAG.split(source):
        tag = TAG.fullmatch(part)
        name = re.match(r"\[(/?)(\w+|\*)", part) if tag else None
        low = name[2].lower() if name else ""
        if code:
            if low == "code" and name[1]:
                code = False
            else:
                pieces.append(("code", part)) if pieces[-1][1] == "\0" else pieces.append(("code+", part))
        elif low == "code":
            code = True
            pieces.append(("code", "\0"))
        elif low in ("quote", "spoiler"):
            stack.pop() if name[1] else stack.append(low)
            if not (name[1] and stack and "quote" in stack):
                pieces.append((stack[-1] if stack else "own", "\0"))
        elif low == "img":
            image = not name[1]
        elif low in ("*", "li", "list"):
            pieces.append((top(stack), "\n"))
        elif not tag and not image:
            pieces.append((top(stack), part))
    return merged(pieces)


def top(stack):
    return "quote" if "quote" in stack else "spoiler" if stack else "own"


def merged(pieces):
    """Pieces of one block together; \\0 begins a new block."""
    out = []
    for kind, text in pieces:
        kind = kind.rstrip("+")
        if out and out[-1][0] == kind and text != "\0":
            out[-1] = (kind, out[-1][1] + text)
        elif text == "\0":
            out.append((kind, ""))
        else:
            out.append((kind, text))
    return out


def markdown_pieces(source):
    pieces, fence = [], False
    for line in source.split("\n"):
        if line.startswith("```"):
            fence = not fence
            if fence:
                pieces.append(("code", "\0"))
            continue
        if fence:
            pieces.append(("code", line + "\n"))
        elif line.startswith(">"):
            if not pieces or pieces[-1][0] != "quote":
                pieces.append(("quote", "\0"))
            pieces.append(("quote", inline(re.sub(r"^(?:> ?)+", "", line)) + "\n"))
        else:
            pieces.append(("own", inline(re.sub(r"^\* ", "", line)) + "\n"))
    return merged(pieces)


def inline(line):
    line = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", line)
    line = re.sub(r"\[([^\]]*)\]\(http[^)]*\)", r"\1", line)
    line = re.sub(r"\*\*(.+?)\*\*", r"\1", line)
    line = re.sub(r"~~(.+?)~~", r"\1", line)
    return re.sub(r"(?<!\w)\*([^* ][^*]*)\*", r"\1", line)
