"""Addresses of board pages: absolute, without session ids, with only the parts that name the page."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote_plus, urljoin, urlsplit, urlunsplit

from scrapers.patterns import Pattern

# phpBB `sid`, SMF `PHPSESSID`, vBulletin `s`: in a query with & or ; between its parts.
_SESSION = Pattern(r"(?<=[?&;])(?:(?:amp;)?(?:PHPSESSID|sid|s)=[0-9A-Za-z,-]{8,128}(?:&amp;|[&;]|(?=#)|$))+")
_EMPTY_QUERY = Pattern(r"[?&;]+(?=#|$)")


def without_session(url: str) -> str:
    """The address without session ids."""
    if "sid=" not in url and "SESSID=" not in url and "s=" not in url:
        return url
    cut = _SESSION.sub("", url)
    return _EMPTY_QUERY.sub("", cut) if cut != url else url


def absolute(base: str, link: str | None) -> str | None:
    """A link of a page as an absolute http(s) address without session id, None where it is none."""
    if not link:
        return None
    link = link.strip()
    directory = _directory(base)
    if link.startswith(("http://", "https://")):
        joined = link
    elif directory and link.startswith("./") and ".." not in link:
        joined = directory + link[2:]
    elif directory and link[:1].isalpha() and ":" not in link and ".." not in link:
        joined = directory + link
    elif directory and _from_root(link):
        joined = split(base).root + link
    else:
        try:
            joined = urljoin(base, link)
        except ValueError:
            return None
    return without_session(joined) if joined[:4].lower() == "http" else None


def _from_root(link: str) -> bool:
    """Whether a link is a plain path from the board's root, which needs no more than the host before it."""
    return (
        link.startswith("/")
        and not link.startswith("//")
        and "/." not in link
        and "?#" not in link
        and ";" not in link
        and link[-1] not in "?#"
        and link.isprintable()
    )


@lru_cache(maxsize=64)
def _directory(url: str) -> str | None:
    """The address of a page's directory, None for a page outside the web."""
    plain = url.split("?", 1)[0].split("#", 1)[0]
    return plain.rsplit("/", 1)[0] + "/" if plain.startswith(("http://", "https://")) and plain.count("/") > 2 else None


def query(url: str) -> dict[str, str]:
    """The parts of an address's query, separated by & or ; (SMF), the first of each name."""
    found: dict[str, str] = {}
    for part in split(url).query.replace("&amp;", "&").replace(";", "&").split("&"):
        name, _, value = part.partition("=")
        if name and name not in found:
            found[name] = unquote_plus(value)
    return found


def at_home(page_url: str, named: str | None) -> str | None:
    """An address that a page names for itself, at the host where the page was served.

    Boards build it of a setting, which is not always changed when the board moves, or stands behind another server.
    """
    if named is None or not split(page_url).host:
        return named
    parts = split(named)
    return split(page_url).root + parts.path + (f"?{parts.query}" if parts.query else "")


class Address(NamedTuple):
    """The parts of an address; `root` is scheme and host."""

    host: str
    path: str
    query: str
    root: str


@lru_cache(maxsize=64)
def split(url: str) -> Address:
    """The parts of an address; an impossible one has none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    return Address(parts.netloc, parts.path, parts.query, urlunsplit((parts.scheme, parts.netloc, "", "", "")))


def with_query(url: str, parts: dict[str, str | None]) -> str:
    """The address with nothing but the given query parts (those that are not None), without fragment."""
    try:
        split_url = urlsplit(url)
    except ValueError:
        return url
    text = "&".join(f"{name}={quote(value, safe='.,-_~')}" for name, value in parts.items() if value is not None)
    return urlunsplit((split_url.scheme, split_url.netloc, split_url.path, text, ""))
