"""What the operator decides about the network: sites, limits, who is to be asked about our visits."""

from __future__ import annotations

from dataclasses import dataclass

from referee import __version__

#: The longest contact that goes into the User-Agent.
LONGEST_CONTACT = 200


@dataclass(frozen=True, slots=True)
class Site:
    """A configured board or dice service; nothing else is ever asked.

    `host`: `host[:port]` as in its address; without a port the usual ones of http and https are
    meant. `allow_private`: the host may resolve to a private or loopback address. `pace`: seconds
    between two requests.
    """

    host: str
    allow_private: bool = False
    pace: float = 2.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Sites and limits. Times are seconds, `max_bytes` counts the body after decompression.

    `total_timeout` bounds one request from its start to the last byte, however slowly they drip.
    `retries`: further tries after the first that failed in passing.
    """

    contact: str | None
    sites: tuple[Site, ...]
    connect_timeout: float = 10.0
    read_timeout: float = 20.0
    total_timeout: float = 60.0
    max_bytes: int = 5 * 1024 * 1024
    max_redirects: int = 5
    retries: int = 3
    respect_robots: bool = True


def user_agent(contact: str | None) -> str:
    """The honest name under which we ask: `referee/1.0 (+staff@example.org)`."""
    kept = "".join(c for c in contact or "" if c.isascii() and c.isprintable() and c not in "()")
    said = kept.strip()[:LONGEST_CONTACT]
    return f"referee/{__version__} (+{said})" if said else f"referee/{__version__}"
