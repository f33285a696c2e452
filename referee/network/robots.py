"""robots.txt: read once a day for each host, kept in the memory, obeyed.

Where it can't be read we do as RFC 9309 and the big crawlers do: a client error (404, 410, also
401 and 403) means that there are no rules; a server error, 429 or no answer means stay away for
now, unless an older copy is known, which then counts up to 30 days. Only its first 500 KiB count.
A redirect that we do not follow counts as no rules.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

from referee.network.answer import Answer
from referee.network.errors import (
    BadRedirect,
    NetworkError,
    NotConfigured,
    RobotsForbids,
    TooSlow,
    Unreachable,
)
from referee.network.memory import Memory
from referee.network.settings import Site
from referee.ports.bot_checks import is_bot_check

#: The name by which a robots.txt may speak of us.
AGENT = "referee"
DAY = 24 * 3600.0
LONGEST_STALE = 30 * DAY
#: After a failure the host's robots.txt is left alone for so many seconds.
PATIENCE = 600.0
MOST_BYTES = 500 * 1024
#: A longer Crawl-delay than this (seconds) is not obeyed in full.
LONGEST_DELAY = 60.0


@dataclass(slots=True)
class _Host:
    """What this process knows of one host's robots.txt."""

    lock: threading.Lock
    text: str | None = None
    rules: Protego | None = None
    failed: float | None = None
    reason: str = ""


class Robots:
    """The robots.txt files of all sites. `fetch(url, site)` gives the answer for its address."""

    def __init__(
        self,
        memory: Memory,
        fetch: Callable[[str, Site], Answer],
        say: Callable[[str], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._memory = memory
        self._fetch = fetch
        self._say = say
        self._clock = clock
        self._lock = threading.Lock()
        self._hosts: dict[str, _Host] = {}

    def check(self, url: str, site: Site) -> float:
        """The Crawl-delay in seconds (0 where none) for a page that may be asked.

        Raises RobotsForbids, or Unreachable while nobody can say whether it may.
        """
        place = urlsplit(url)
        with self._lock:
            host = self._hosts.setdefault(place.netloc, _Host(threading.Lock()))
        with host.lock:
            rules = self._rules(f"{place.scheme}://{place.netloc}/robots.txt", place.netloc, site, host)
        if rules is None:
            return 0.0
        if not rules.can_fetch(url, AGENT):
            raise RobotsForbids(url, "the site's robots.txt asks us to stay away from this page")
        return min(max(float(rules.crawl_delay(AGENT) or 0.0), 0.0), LONGEST_DELAY)

    def _rules(self, url: str, name: str, site: Site, host: _Host) -> Protego | None:
        text = self._text(url, name, site, host)
        if text != host.text:
            host.text, host.rules = text, Protego.parse(text) if text.strip() else None
        return host.rules

    def _text(self, url: str, name: str, site: Site, host: _Host) -> str:
        kept = self._memory.robots(name)
        now = self._clock()
        if kept is not None and now - kept[1] < DAY:
            return kept[0]
        if host.failed is None or now - host.failed >= PATIENCE:
            try:
                text = self._asked(url, site)
            except (Unreachable, TooSlow) as error:
                host.failed, host.reason = now, error.reason
                self._say(f"{name}: robots.txt could not be read ({error.reason})")
            else:
                host.failed = None
                self._memory.keep_robots(name, text)
                return text
        if kept is not None and now - kept[1] < LONGEST_STALE:
            return kept[0]
        raise Unreachable(url, f"robots.txt could not be read ({host.reason}), so the site is left alone for now")

    def _asked(self, url: str, site: Site) -> str:
        try:
            answer = self._fetch(url, site)
        except (BadRedirect, NotConfigured) as error:
            self._say(f"{error.url}: {error.reason}; taken as no robots.txt")
            return ""
        if answer.status == 200:
            return answer.body[:MOST_BYTES].decode("utf-8", "replace")
        if 400 <= answer.status < 500:
            return ""
        raise _unusable(answer)


def _unusable(answer: Answer) -> NetworkError:
    check = " with a bot check" if is_bot_check(answer.headers, answer.body) else ""
    return Unreachable(answer.url, f"answered {answer.status}{check}")
