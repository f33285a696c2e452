"""The text of a transcript file: read with a bound, parsed as YAML or JSON, lines found again for errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from referee.app.errors import InputError

#: A larger file is no transcript.
LARGEST_FILE = 20 * 1024 * 1024

#: A mapping of JSON; one of YAML may begin with a bracket too, but its keys are seldom in quotes.
_JSON = re.compile(r"\s*+\{\s*+[\"}]")

_ALIAS = re.compile(r"[*&][A-Za-z0-9_-]")
#: What stands in front of an anchor or alias of YAML, besides blanks and the start of the text.
_BEFORE_ALIAS = frozenset("[,{:-")
_MERGE = "tag:yaml.org,2002:merge"
#: What a value of YAML counts for besides its letters, where the size of unfolded aliases is reckoned.
_NODE = 20
#: How saved pages are called, and how they begin.
_PAGES = frozenset({".html", ".htm", ".mht", ".mhtml", ".webarchive"})
_MARKUP = re.compile(r"\s{0,99}<(?:!--|(?:!doctype|html|head)\b)", re.IGNORECASE)


def text_of_transcript(path: Path) -> str:
    """The text of a file; InputError where it can't be read, is too large, or is no text.

    Not more than the bound is read, whatever size the system tells: a device or a pipe has none.
    """
    if re.match(r"https?:/", str(path), re.IGNORECASE):
        address = str(path).replace(":/", "://", 1)  # as it was written: a path has no double slash
        raise InputError(f"{address}: an address; `referee audit` takes those, a transcript was expected")
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    if len(raw) > LARGEST_FILE:
        raise InputError(f"{path}: larger than {LARGEST_FILE // 2**20} MiB, a transcript was expected")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
    if "\x00" in text[:4096]:
        raise InputError(f"{path}: not a text file")
    if path.suffix.lower() in _PAGES or _MARKUP.match(text[:4096]):
        raise InputError(f"{path}: a saved page; `referee audit` takes those, a transcript was expected")
    return text


def parsed(path: Path, text: str) -> Any:
    """The data of a YAML or JSON text. Keys that are there twice are refused, and aliases that blow up."""
    if _JSON.match(text):
        try:
            return json.loads(text, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: invalid JSON: {str(error)[:200]}") from None
    return _parsed_yaml(path, text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; ValueError where a key is there twice, since one of the two would be lost."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise ValueError(f"the key {twice[:80]!r} is there twice")
    return found


def _parsed_yaml(path: Path, text: str) -> Any:
    import yaml

    strict, placed, plain = _loaders()
    try:
        if _may_hold_alias(text) and any(isinstance(e, yaml.AliasEvent) for e in yaml.parse(text, Loader=plain)):
            _refuse_blown_up(path, yaml.compose(text, Loader=plain))
        try:
            return yaml.load(text, Loader=strict)  # noqa: S506 - a safe loader, only the C one where there is one
        except (ValueError, OverflowError):
            return yaml.load(text, Loader=placed)  # noqa: S506 - as above
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark, place = getattr(error, "problem_mark", None), getattr(error, "position", None)
        line = mark.line + 1 if mark else text.count("\n", 0, place) + 1 if isinstance(place, int) else None
        where = f" line {line}:" if line else ""
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise InputError(f"{path}:{where} invalid YAML: {' '.join(str(what)[:200].split())}") from None


def _may_hold_alias(text: str) -> bool:
    """Whether something in a text looks like an anchor or alias; asking the parser costs as much as reading it."""
    before = (text[found.start() - 1 : found.start()] for found in _ALIAS.finditer(text))
    return any(not sign or sign.isspace() or sign in _BEFORE_ALIAS for sign in before)


def _refuse_blown_up(path: Path, root: Any) -> None:
    """Refuse aliases that stand inside what they name, or that unfold to more than a whole file may hold."""
    sizes: dict[int, int] = {}
    written = 0

    def unfolded(node: Any) -> int:
        nonlocal written
        known = sizes.get(id(node))
        if known is not None:
            if known < 0:
                line = node.start_mark.line + 1
                raise InputError(f"{path}: line {line}: a YAML alias stands inside what it names")
            return known
        sizes[id(node)] = -1
        own = _NODE + (len(node.value) if isinstance(node.value, str) else 0)
        inner = () if isinstance(node.value, str) else node.value
        parts = [part for entry in inner for part in (entry if isinstance(entry, tuple) else (entry,))]
        written += own
        sizes[id(node)] = size = own + sum(map(unfolded, parts))
        return size

    if root is not None and unfolded(root) - written > LARGEST_FILE:
        raise InputError(f"{path}: its YAML aliases unfold to more than {LARGEST_FILE // 2**20} MiB")


@cache
def _loaders() -> tuple[Any, Any, Any]:
    """Loaders of YAML: a strict one, one that also tells where a scalar can't be read, and the library's own."""
    import yaml

    plain: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Strict(plain):  # type: ignore[misc]
        """A safe loader that refuses twin keys. Keys that `<<` brings give way to the mapping's own."""

        def __init__(self, stream: Any) -> None:
            super().__init__(stream)
            self.merged: set[int] = set()

        def flatten_mapping(self, node: Any) -> None:
            given, pairs = node.value, list(node.value)
            super().flatten_mapping(node)
            if node.value is not given or len(given) != len(pairs):
                self.merged.add(id(node))
                own = [key for key, _ in pairs if key.tag != _MERGE]
                if len({str(key.value) for key in own}) != len(own):
                    raise _told_twice(own)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            found = super().construct_mapping(node, deep=deep)
            if len(found) != len(node.value) and id(node) not in self.merged:
                raise _told_twice([key for key, _ in node.value])
            return found

    class Placed(Strict):
        """Slower: each value is guarded, so that the error names the line of the value."""

        def construct_object(self, node: Any, deep: bool = False) -> Any:
            try:
                return super().construct_object(node, deep=deep)
            except (ValueError, OverflowError) as error:
                raise yaml.constructor.ConstructorError(problem=str(error), problem_mark=node.start_mark) from None

    def timestamp(loader: Any, node: Any) -> Any:
        """A time; what looks like one and is none stays text, so that the error can name its key."""
        try:
            return loader.construct_yaml_timestamp(node)
        except (ValueError, OverflowError):
            return node.value

    Strict.add_constructor("tag:yaml.org,2002:timestamp", timestamp)
    return Strict, Placed, plain


def _told_twice(keys: list[Any]) -> Exception:
    import yaml

    twin = _twin(keys)
    words = f"the key {str(twin.value)[:80]!r} is there twice"
    return yaml.constructor.ConstructorError(problem=words, problem_mark=twin.start_mark)


def _twin(keys: list[Any]) -> Any:
    """The first key of a mapping that was there before."""
    seen: set[str] = set()
    for key in keys:
        if str(key.value) in seen:
            return key
        seen.add(str(key.value))
    return keys[-1]


def line_at(text: str, place: Iterable[str | int]) -> str:
    """` line N:` of a place in the data (keys and numbers), as near as it can be told; "" for JSON on one line.

    Only called to explain an error, so the text is read a second time.
    """
    import yaml

    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return ""
    if node is None or node.start_mark.line == node.end_mark.line:
        return ""
    for part in place:
        inner = _inside(node, part)
        if inner is None:
            break
        node = inner
    return f" line {node.start_mark.line + 1}:"


def key_at(place: Iterable[str | int]) -> str:
    """A place in the data as error lines name it: `posts[3].rolls[0].at`."""
    key = ""
    for part in place:
        key += f"[{part}]" if isinstance(part, int) else (f".{part}" if key else str(part))
    return key


def _inside(node: Any, part: str | int) -> Any:
    """The node below a key or number; None where there is none."""
    if isinstance(node.value, str):
        return None
    if isinstance(part, int) and node.id == "sequence":
        return node.value[part] if part < len(node.value) else None
    pairs = node.value if node.id == "mapping" else []
    return next((value for key, value in pairs if key.value == str(part)), None)
