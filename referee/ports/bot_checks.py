"""Bot checks: pages that a guard before a board answers with, in place of the board's own.

They are told by what only such a page holds. Guards put scripts of their own into ordinary pages of the
boards behind them, a board's own error pages included: those are no marks.
"""

from __future__ import annotations

from collections.abc import Mapping

#: In headers: name -> the value of a page that asks for a proof.
_HEADERS = {"cf-mitigated": "challenge", "x-amzn-waf-action": "challenge"}
_MARKS = (
    b"_cf_chl_opt",
    b"cf-browser-verification",
    b'id="challenge-form"',
    b"/.well-known/ddos-guard/",
    b"check.ddos-guard.net",
    b"sucuri_cloudproxy_js",
    b"/.within.website/x/cmd/anubis/",
    b"geo.captcha-delivery.com",
    b"slowAES.decrypt(",
)
#: Where the check itself comes from; what comes from the folder of scripts there stands in every page of a board.
_CLOUDFLARE, _EVERYWHERE, _LONGEST_PATH = b"/cdn-cgi/challenge-platform/", b"scripts/", 80
#: The check of a guard that puts a link to the same address into ordinary pages: a frame, or nothing else on the page.
_INCAPSULA, _INCAPSULA_FRAME = (
    b"_Incapsula_Resource",
    (b"_Incapsula_Resource?SWUDNSAI", b"_Incapsula_Resource?CWUDNSAI"),
)
_BARE_PAGE = 2_000


def is_bot_check(headers: Mapping[str, str], body: bytes) -> bool:
    """Whether this answer is a bot check. `headers`: in whatever case. To be asked of pages without posts only."""
    if any(_HEADERS.get(name.lower()) == value.strip().lower() for name, value in headers.items()):
        return True
    if any(mark in body for mark in _MARKS) or any(mark in body for mark in _INCAPSULA_FRAME):
        return True
    return _runs_check(body) or (len(body) < _BARE_PAGE and _INCAPSULA in body)


def _runs_check(body: bytes) -> bool:
    """Whether a page loads more from Cloudflare's checks than what every page of a guarded board does."""
    place = body.find(_CLOUDFLARE)
    while place >= 0:
        place += len(_CLOUDFLARE)
        path = body[place : place + _LONGEST_PATH].partition(b'"')[0].partition(b"'")[0]
        if _EVERYWHERE not in path:
            return True
        place = body.find(_CLOUDFLARE, place)
    return False
