"""Why a page could not be had. The words are for the operator: one line, no traceback."""

from __future__ import annotations

#: Addresses come from posts: longer ones are cut where they are shown.
LONGEST_SHOWN = 300


class NetworkError(Exception):
    """A page could not be had. `url`: the address asked at that moment; `reason`: why, in words."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(url, reason)
        self.url = url
        self.reason = reason

    def __str__(self) -> str:
        return f"{shown(self.url)}: {self.reason}"


class NotConfigured(NetworkError):
    """The address belongs to no configured site (or is no http address at all): it was not asked."""


class PrivateAddress(NetworkError):
    """The host resolves to an address that is not public, and the site does not allow that."""


class RobotsForbids(NetworkError):
    """The site's robots.txt asks us to stay away from this page."""


class Unreachable(NetworkError):
    """No usable answer: connection failed, timed out or broke off, or the server kept failing."""


class TooLarge(NetworkError):
    """The body is larger than the cap, after decompression."""


class TooSlow(NetworkError):
    """The answer was not complete within the total time."""


class BadRedirect(NetworkError):
    """A redirect that is not followed: loop, too many, other scheme, or an unconfigured site."""


class Broken(Exception):
    """One try failed in passing; `again` is False where another try would give the same."""

    def __init__(self, reason: str, *, again: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again


def shown(url: str) -> str:
    """An address fit for a terminal: printable characters only, cut when long."""
    clean = "".join(c if c.isprintable() else "?" for c in url[:LONGEST_SHOWN])
    return clean + ("..." if len(url) > LONGEST_SHOWN else "")
