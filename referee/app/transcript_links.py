"""Links of a transcript's posts that are written otherwise than its records: the same address all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from referee.model.battle import RollRecord

_PORTS = {"http": 80, "https": 443}


def known_as_written(rolls: Mapping[str, RollRecord], links: Iterable[str]) -> dict[str, RollRecord]:
    """The records by their links, and by what posts write for those: `https` for `http`, a slash at the end ...

    Without this an honest roll would be one that the dice service does not have (`dice/not-found`).
    """
    found = dict(rolls)
    unknown = [link for link in links if link not in rolls]
    if unknown and rolls:
        alike = {link: _plain(link) for link in rolls}
        number = Counter(alike.values())
        known = {plain: link for link, plain in alike.items() if number[plain] == 1}
        found |= {link: rolls[known[plain]] for link in unknown if (plain := _plain(link)) in known}
    return found


def _plain(link: str) -> tuple[str, str, str]:
    """Host, path and query of a link, without what makes no other address of it."""
    try:
        parts = urlsplit(link.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return link, "", ""
    if port not in (None, _PORTS.get(parts.scheme.lower())):
        host = f"{host}:{port}"
    return host, parts.path.rstrip("/"), parts.query
