"""Which links belong to a dice service: its `url_pattern`, the hosts in it, the page to ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any
from urllib.parse import quote, urlsplit

LONGEST_LINK = 2000
LONGEST_ID = 200
#: The keys that every kind of service has.
KEYS = ("kind", "url_pattern", "hosts", "ask", "missing", "timezone", "allow_private", "pace")

_SCHEME = re.compile(r"\^?(?:https\?|https|http|\(\?:https\?\)|\(\?:https\|http\)|\(\?:http\|https\)):(?://|\\/\\/)")
_WWW = re.compile(r"\(\?:www\\?\.\)\?")
_HOST = re.compile(r"((?:[A-Za-z0-9_.:-]|\\[.:-]){1,250})(?:/|\\/)")


@dataclass(frozen=True, slots=True)
class Links:
    """The links of one service: pattern with group `id`, template of the page to ask, hosts."""

    pattern: re.Pattern[str]
    ask: str | None
    hosts: frozenset[str]

    def id_of(self, link: str) -> str | None:
        """The roll that a link names, None if it is no link of this service.

        The whole link must fit (but for a fragment and a last slash), so that one record does not
        hide behind many spellings.
        """
        spelled = spelling(link)
        if spelled is None:
            return None
        found = self.pattern.fullmatch(spelled) or self.pattern.fullmatch(spelled.rstrip("/"))
        if found is None:
            return None
        roll = found.group("id")
        return roll if roll and len(roll) <= LONGEST_ID else None

    def page_of(self, link: str) -> str:
        """The address of the page that shows a link's roll; ValueError for a link of others."""
        roll = self.id_of(link)
        if roll is None:
            raise ValueError("the link is none of this service's rolls")
        if self.ask is None:
            return spelling(link) or link
        return self.ask.replace("{id}", quote(roll, safe=""))


def spelling(link: str) -> str | None:
    """A link with scheme and host in lower case and without its fragment; None for no web link."""
    if not 0 < len(link) <= LONGEST_LINK or not link.isprintable() or " " in link:
        return None
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
        return None
    return parts._replace(netloc=parts.netloc.lower(), fragment="").geturl()


def check_keys(config: Mapping[str, Any], more: Iterable[str] = ()) -> None:
    """Raise ValueError for a key that no dice service has, with a suggestion; `more`: this kind's own."""
    allowed = [*KEYS, *more]
    for key in config:
        if key not in allowed:
            near = get_close_matches(key, allowed, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(allowed)}"
            raise ValueError(f"{key}: no such key{hint}")


def links_of(config: Mapping[str, Any], pattern: str | None = None) -> Links:
    """The links that a service's configuration describes, `pattern` where it gives none.

    Raises ValueError naming the key that is wrong.
    """
    wanted = config.get("url_pattern") or pattern
    if not isinstance(wanted, str) or not wanted:
        raise ValueError("url_pattern: a regular expression with a group named id is needed")
    try:
        compiled = re.compile(wanted)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"url_pattern: {error}") from error
    if "id" not in compiled.groupindex:
        raise ValueError("url_pattern: it needs a group (?P<id>...) for the roll's number")
    template = config.get("ask")
    if template is not None and not _is_template(template):
        raise ValueError("ask: an http address with {id} in its path is needed")
    hosts = _hosts(config.get("hosts"), wanted)
    if template is not None:
        hosts |= {urlsplit(template).netloc.lower()}
    return Links(compiled, template, frozenset(hosts))


def _is_template(template: Any) -> bool:
    if not isinstance(template, str) or spelling(template) is None:
        return False
    return "{id}" in template and "{id}" not in urlsplit(template).netloc


def _hosts(given: Any, pattern: str) -> set[str]:
    if given is not None:
        named = [given] if isinstance(given, str) else list(given)
        if not named or not all(isinstance(host, str) and re.fullmatch(r"[\w.:\[\]-]{1,250}", host) for host in named):
            raise ValueError("hosts: a list of host names, with port where the address has one")
        return {host.lower() for host in named}
    host = host_in(pattern)
    if not host:
        raise ValueError("hosts: the host can't be told from url_pattern, so it must be named here")
    return host


def host_in(pattern: str) -> set[str]:
    """The host names at the beginning of an address pattern, as far as they are plain text."""
    scheme = _SCHEME.match(pattern)
    if scheme is None:
        return set()
    www = _WWW.match(pattern, scheme.end())
    found = _HOST.match(pattern, www.end() if www else scheme.end())
    if found is None:
        return set()
    host = found.group(1).replace("\\", "").lower()
    return {host, f"www.{host}"} if www else {host}
