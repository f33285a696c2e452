"""Addresses: the one spelling in which they are compared, and which configured site they belong to."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit

import requests

from referee.network.errors import BadRedirect, NotConfigured
from referee.network.settings import Site

LONGEST_URL = 4000
_PORTS = {"http": 80, "https": 443}


def normal(url: str) -> str:
    """An http address as it will be asked: quoted, host in ASCII and lower case, no fragment.

    Raises ValueError with the reason where it is none. The connection is made from this very
    spelling, so that no two parsers can disagree about the host.
    """
    if len(url) > LONGEST_URL:
        raise ValueError("the address is too long")
    if not url.lower().startswith(("http://", "https://")):
        raise ValueError("only http and https addresses are asked")
    try:
        made = requests.Request("GET", url).prepare().url or ""
        parts = urlsplit(made)
        port = parts.port
    except (requests.RequestException, ValueError) as error:
        raise ValueError("the address can't be read") from error
    if parts.username is not None or parts.password is not None:
        raise ValueError("the address carries a user name")
    host = parts.hostname or ""
    if not host or not host.isascii() or not parts.path.startswith("/"):
        raise ValueError("the address can't be read")
    place = f"[{host}]" if ":" in host else host
    if port is not None and port != _PORTS[parts.scheme]:
        place = f"{place}:{port}"
    return parts._replace(netloc=place, fragment="").geturl()


class Sites:
    """The configured sites, found by address."""

    def __init__(self, sites: Iterable[Site]) -> None:
        self._by_place: dict[str, Site] = {}
        for site in sites:
            for place in _places(site.host):
                self._by_place[place] = _together(self._by_place.get(place), site)

    def of(self, url: str) -> Site | None:
        """The site of an address in its normal spelling."""
        parts = urlsplit(url)
        return self._by_place.get(f"{parts.scheme}://{parts.netloc}")

    def asked(self, url: str) -> tuple[str, Site]:
        """The normal spelling of an address and its site; raises NotConfigured."""
        try:
            spelled = normal(url)
        except ValueError as error:
            raise NotConfigured(url, str(error)) from error
        site = self.of(spelled)
        if site is None:
            raise NotConfigured(spelled, f"{urlsplit(spelled).netloc} is no configured site")
        return spelled, site

    def redirected(self, url: str, location: str) -> tuple[str, Site]:
        """Where a redirect leads, checked like any address; raises BadRedirect."""
        try:
            spelled = normal(urljoin(url, _decoded(location).strip()))
        except ValueError as error:
            raise BadRedirect(url, f"redirects to {location[:200]!r}: {error}") from error
        site = self.of(spelled)
        if site is None:
            place = urlsplit(spelled).netloc
            raise BadRedirect(url, f"redirects to {place}, which is no configured site")
        return spelled, site


def _together(known: Site | None, site: Site) -> Site:
    """One site for a host that is configured twice (a board and a dice service of one server)."""
    if known is None:
        return site
    return Site(known.host, known.allow_private or site.allow_private, max(known.pace, site.pace))


def _places(host: str) -> list[str]:
    """`scheme://host[:port]` of a site's host. A port named counts for both schemes."""
    places = []
    for scheme in ("http", "https"):
        try:
            parts = urlsplit(normal(f"{scheme}://{host.strip()}/"))
        except ValueError as error:
            raise ValueError(f"{host!r} is no host name: {error}") from error
        if parts.path != "/" or parts.query:
            raise ValueError(f"{host!r} is no host name")
        places.append(f"{parts.scheme}://{parts.netloc}")
    return places


def _decoded(location: str) -> str:
    """A Location header with its bytes read as UTF-8 where they are that (headers arrive as Latin-1)."""
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location
