"""The configuration (`referee.toml`) and the private sheets (`sheets.toml`): read, checked, explained.

Every error names file, line and key; unknown keys come with a suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from referee.app.errors import UsageError
from referee.app.given import hint
from referee.app.retention import kept_for
from referee.app.wrong_values import what_is_wrong, wrong_kind
from referee.ports.boards import ReadOptions

if TYPE_CHECKING:
    from pydantic import ValidationError


#: The configuration that commands look for when no `--config` is given.
DEFAULT_NAME = "referee.toml"


@dataclass(frozen=True)
class BoardConfig:
    """One watched forum (`[boards.NAME]`). `pace`: seconds between two requests.

    `forums`: sections whose threads are all watched, found on the first `forum_pages` pages of their lists;
    `ignore`: threads in them that are left alone.
    """

    url: str
    engine: str | None = None
    ruleset: str | None = None
    profile: str | None = None
    timezone: str | None = None
    day_first: bool | None = None
    threads: list[str] = field(default_factory=list)
    forums: list[str] = field(default_factory=list)
    forum_pages: int = 2
    ignore: list[str] = field(default_factory=list)
    judges: list[str] = field(default_factory=list)
    battle: dict[str, Any] = field(default_factory=dict)
    allow_private: bool = False
    pace: float = 2.0
    selectors: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse values that no board can have."""
        _web_address("url", self.url)
        for key in ("threads", "forums", "ignore"):
            for address in getattr(self, key):
                _web_address(key, address)
        _within("forum_pages", self.forum_pages, 1, 100)
        _within("pace", self.pace, 0, 3600)
        if self.timezone is not None:
            _time_zone("timezone", self.timezone)

    @property
    def options(self) -> ReadOptions:
        """How to read its pages; without a `timezone`, pages that name no zone are read as UTC."""
        return ReadOptions(self.timezone or "UTC", self.day_first, dict(self.selectors))

    @property
    def host(self) -> str:
        """Host and port of the board, lower case."""
        return urlsplit(self.url).netloc.casefold()


@dataclass(frozen=True)
class DiceConfig:
    """One dice service (`[dice.NAME]`); `more` holds the keys that belong to its kind."""

    kind: str = "json"
    url_pattern: str | None = None
    fields: dict[str, str] = field(default_factory=dict)
    allow_private: bool = False
    pace: float = 1.0
    more: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a pattern that is none."""
        _within("pace", self.pace, 0, 3600)
        try:
            re.compile(self.url_pattern or "")
        except re.error as error:
            raise ValueError(f"url_pattern: not a regular expression: {error}") from None


@dataclass(frozen=True)
class Config:
    """The whole configuration. `source`: the file it came from, None for defaults."""

    contact: str | None = None
    data_dir: Path | None = None
    database: str | None = None
    sheets: Path | None = None
    schedule: str | None = None
    every: str | None = None
    jitter: int = 30
    keep_pages: str | None = None
    boards: dict[str, BoardConfig] = field(default_factory=dict)
    dice: dict[str, DiceConfig] = field(default_factory=dict)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    source: Path | None = None

    def __post_init__(self) -> None:
        """Refuse a jitter or a time to keep pages that is none."""
        _within("jitter", self.jitter, 0, 3600)
        if self.keep_pages is not None:
            try:
                kept_for(self.keep_pages)
            except ValueError as error:
                raise ValueError(f"keep_pages: {error}") from None

    def board_of(self, url: str) -> tuple[str, BoardConfig] | None:
        """The configured board that serves an address: same host, the longest matching path; the first of several."""
        return next(iter(self.boards_of(url).items()), None)

    def boards_of(self, url: str) -> dict[str, BoardConfig]:
        """All boards that may serve an address: several where each watches its own threads or sections of one forum."""
        host = urlsplit(url).netloc.casefold()
        path = urlsplit(url).path or "/"
        fitting = {
            name: board
            for name, board in self.boards.items()
            if board.host == host and path.startswith(urlsplit(board.url).path.rsplit("/", 1)[0])
        }
        listed = {name: board for name, board in fitting.items() if url in board.threads}
        longest = max((len(board.url) for board in fitting.values()), default=0)
        return listed or {name: board for name, board in fitting.items() if len(board.url) == longest}


def need_board(boards: Collection[str], name: str | None) -> None:
    """UsageError where the board that --board names is not among the configured ones; None is none that was named."""
    if name is not None and name not in boards:
        raise UsageError(f"--board: there is no board {name!r}; configured: {', '.join(boards) or 'none'}")


def _web_address(key: str, value: str) -> None:
    try:
        web_address(value)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def web_address(value: str) -> None:
    """ValueError with the reason where a text is no address that can be asked."""
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        raise ValueError(f"{value[:200]!r} is no address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise ValueError(f"expected an address that begins with http:// or https://, found {value[:200]!r}")
    if "@" in parts.netloc:
        raise ValueError("an address with a user name or a password is never asked")


def _time_zone(key: str, value: str) -> None:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(value)
    except (ValueError, OSError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        raise ValueError(f"{key}: no such time zone; expected such as UTC or Europe/Berlin") from None


def _within(key: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError(f"{key}: {value} is not between {low} and {high}")


def load_config(path: Path | None) -> Config:
    """The configuration from `path`, else from `referee.toml` here, else defaults.

    Raises UsageError: one line with file, line, key and what was expected.
    """
    if path is None:
        here = Path(DEFAULT_NAME)
        if not here.is_file():
            return _with_paths(Config(), Path())
        path = here
    text = text_of(path)
    data = read_toml(path, text)
    _check_unknown(path, text, data)
    return _with_paths(_validated(path, text, data), path.parent)


def _validated(path: Path, text: str, data: dict[str, Any]) -> Config:
    """The configuration of TOML data, types checked; pydantic is only imported for this."""
    from pydantic import TypeAdapter, ValidationError

    own = {item.name for item in fields(DiceConfig)} - {"more"}
    for section in _sections(data, "dice").values():
        if isinstance(section, dict):
            section["more"] = {key: section.pop(key) for key in list(section) if key not in own}
    try:
        return TypeAdapter(Config).validate_python({**data, "source": path})
    except ValidationError as error:
        raise UsageError(_explained(path, text, error)) from None


def _sections(data: dict[str, Any], key: str) -> dict[str, Any]:
    """The sections `[key.NAME]`; none where the key holds anything else, which the types tell then."""
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _with_paths(config: Config, base: Path) -> Config:
    """Relative paths count from the configuration file's folder."""
    data_dir = base / config.data_dir if config.data_dir else None
    sheets = base / config.sheets if config.sheets else None
    return replace(config, data_dir=data_dir, sheets=sheets)


def text_of(path: Path) -> str:
    """The text of a file; UsageError in one line where it can't be read."""
    try:
        return path.read_text("utf-8-sig")  # editors on Windows put a mark before the text
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not a text file in UTF-8") from None


def read_toml(path: Path, text: str) -> dict[str, Any]:
    """The data of a TOML text; UsageError with file and line where it is not valid."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+)", str(error))
        where = f"{path}:{found.group(1)}" if found else str(path)
        raise UsageError(f"{where}: not valid TOML: {str(error).split(' (at')[0]}") from None


def _check_unknown(path: Path, text: str, data: dict[str, Any]) -> None:
    """Unknown keys of the configuration and its boards are errors with a suggestion."""
    _known_keys(path, text, data, (), Config)
    for name, board in _sections(data, "boards").items():
        if isinstance(board, dict):
            _known_keys(path, text, board, ("boards", name), BoardConfig)
    for name, service in _sections(data, "dice").items():
        own = [item.name for item in fields(DiceConfig)]
        if isinstance(service, dict):
            # What other keys there may be is the business of the service's kind.
            _known_keys(path, text, {key: service[key] for key in own if key in service}, ("dice", name), DiceConfig)


def _known_keys(
    path: Path, text: str, data: dict[str, Any], place: tuple[str, ...], model: type[Config | BoardConfig | DiceConfig]
) -> None:
    known = {item.name for item in fields(model)} - {"source"}
    for key, value in data.items():
        dotted, line = ".".join((*place, key)), line_of(text, (*place, key))
        if key not in known:
            raise UsageError(f"{path}:{line}: unknown key `{dotted}`{hint(key, known)}")
        if wrong := wrong_kind(key, value):
            raise UsageError(f"{path}:{line}: {dotted}: {wrong}")


def _explained(path: Path, text: str, error: ValidationError) -> str:
    problem = error.errors()[0]
    place = tuple(str(part) for part in problem["loc"])
    message = what_is_wrong(problem)
    key, _, rest = message.partition(": ")
    if rest and key.isidentifier():
        place, message = (*place, key), rest
    number = line_of(text, place)
    if problem["type"] == "missing":
        number = line_of(text, place[:-1])
    return f"{path}:{number}: {'.'.join(place)}: {message}"


def line_of(text: str, place: tuple[str, ...]) -> int:
    """The line (from 1) of a TOML key, found by its section heading and its name; 1 if not found.

    Of a key that does not stand there, the line of the section in which it would.
    """
    # A figure is a key (`enemies.1`), or a place in a list, which has no line of its own.
    listed = tuple(part for part in place if not part.isdigit())
    return _line_of(text, place) or _line_of(text, listed) or _line_near(text, ".".join(place[:-1]))


def _line_of(text: str, place: tuple[str, ...]) -> int | None:
    """The line of a key or heading, or of the inline table that holds it."""
    dotted = ".".join(place)
    for number, name, heading in _named_lines(text):
        if name == dotted or (name.startswith(f"{dotted}.") if heading else dotted.startswith(f"{name}.")):
            return number
    return None


def _line_near(text: str, section: str) -> int:
    """The line of a section's heading, else of its first key; 1 if there is none."""
    near = (number for number, name, heading in _named_lines(text) if section and section in (name, _parent(name)))
    return next(near, 1)


def _parent(name: str) -> str:
    return name.rpartition(".")[0]


def _named_lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Lines of TOML that name something: number, dotted name, whether it is a heading."""
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        heading = re.match(r"\[{1,2}\s*([^\]]+?)\s*\]{1,2}", stripped)
        if heading:
            section = re.sub(r"\s*\.\s*", ".", heading.group(1).replace('"', "").replace("'", ""))
            yield number, section, True
        elif "=" in stripped and not stripped.startswith("#"):
            key = stripped.split("=", 1)[0].strip().replace('"', "").replace("'", "")
            yield number, f"{section}.{key}" if section else key, False
