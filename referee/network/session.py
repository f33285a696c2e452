"""The session: answers wishes with pages, one polite request after the other."""

from __future__ import annotations

import http.client
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import requests
import urllib3
from requests import PreparedRequest, Response
from requests.cookies import RequestsCookieJar

from referee.network import answer as answers
from referee.network.answer import Answer
from referee.network.body import error_body, read_body
from referee.network.errors import BadRedirect, Broken, PrivateAddress, TooSlow, Unreachable
from referee.network.guard import ForbiddenAddress, GuardedAdapter
from referee.network.memory import InProcessMemory, Memory, PageKeeper, Remembered
from referee.network.retry import PASSING, pause
from referee.network.robots import MOST_BYTES, Robots
from referee.network.settings import Settings, Site, user_agent
from referee.network.urls import Sites
from referee.network.watch import watching
from referee.ports.boards import Page, Wish
from referee.ports.bot_checks import is_bot_check

#: Statuses whose body nobody reads.
_BODILESS = answers.REDIRECTS | {204, 304}


class _Trip:
    """One call of `get` on its way through redirects.

    Cookies live as long as the trip: some boards set one and redirect to the same address; nothing
    of it is carried over to other pages, we are nobody's session.
    """

    def __init__(self, accept: str | None, *, fresh: bool, robots: bool = False) -> None:
        self.accept = accept
        self.fresh = fresh
        self.robots = robots
        self.jar = RequestsCookieJar()
        self.seen: set[tuple[str, str]] = set()
        self.hops = 0

    def step(self, url: str, limit: int) -> None:
        """Note a further hop; raises BadRedirect for a loop or one too many."""
        state = (url, repr(sorted((c.name, c.value or "") for c in self.jar)))
        if state in self.seen:
            raise BadRedirect(url, "redirects in a circle")
        if self.hops > limit:
            raise BadRedirect(url, f"more than {limit} redirects")
        self.seen.add(state)
        self.hops += 1


class Session:
    """Fetches pages of the configured sites. May be used by several threads."""

    def __init__(
        self,
        settings: Settings,
        memory: Memory | None = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        on_event: Callable[[str], None] | None = None,
    ) -> None:
        """A session; `on_event` is told in one line of every wait and retry.

        Raises ValueError where a site's host is no host name.
        """
        self._settings = settings
        self._memory: Memory = InProcessMemory() if memory is None else memory
        self._sleep = sleep
        self._say = on_event or (lambda line: None)
        self._sites = Sites(settings.sites)
        self._adapters = {allowed: GuardedAdapter(allowed) for allowed in (False, True)}
        self._robots = Robots(self._memory, self._fetch_robots, self._say)
        self._agent = user_agent(settings.contact)
        self._lock = threading.Lock()
        self._requests = 0

    @property
    def requests(self) -> int:
        """Requests made so far, those for robots.txt, redirects and retries included."""
        return self._requests

    def get(self, wish: Wish, *, fresh: bool = False) -> Page:
        """The page at the wish's address, after redirects, whatever its status below 500 (not 429); a bot check's too.

        `fresh` asks without conditions. A 304 gives the remembered body with status 200 and the
        header `x-referee-not-modified: 1`. Raises a subclass of NetworkError.
        """
        url, site = self._sites.asked(wish.url)
        trip = _Trip(wish.accept, fresh=fresh)
        answer, known = self._travel(url, site, trip)
        if answer.status == 304 and known is not None:
            return answers.remembered_page(answer.url, known, answers.utc_now())
        page = answers.page_of(answer, answers.utc_now())
        if page.status == 200 and isinstance(self._memory, PageKeeper):
            self._memory.keep_page(answer.url, page)
        return page

    def close(self) -> None:
        """Close all connections."""
        for adapter in self._adapters.values():
            adapter.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _travel(self, url: str, site: Site, trip: _Trip) -> tuple[Answer, Remembered | None]:
        """Follow redirects from `url` on; the last answer, and what was known of its address."""
        while True:
            trip.step(url, self._settings.max_redirects)
            delay = 0.0
            if self._settings.respect_robots and not trip.robots:
                delay = self._robots.check(url, site)
            conditional = not (trip.fresh or trip.robots)
            known = self._memory.validators(url) if conditional else None
            headers = self._headers(trip, answers.conditions(known, trip.accept))
            answer = self._tried(url, site, headers, trip, max(site.pace, delay))
            if answer.redirect is None:
                return answer, known
            url, site = self._sites.redirected(url, answer.redirect)

    def _headers(self, trip: _Trip, conditions: Mapping[str, str]) -> dict[str, str]:
        headers = {
            "User-Agent": self._agent,
            "Accept": trip.accept or "*/*",
            "Accept-Encoding": "gzip, deflate",
            **conditions,
        }
        if trip.fresh:
            headers["Cache-Control"] = "no-cache"
        return headers

    def _tried(self, url: str, site: Site, headers: Mapping[str, str], trip: _Trip, pace: float) -> Answer:
        """The answer to one address, with as many tries as the settings allow."""
        tries = 0
        while True:
            tries += 1
            self._wait(self._memory.slot(site.host.lower(), pace), f"{site.host}: the site's pace")
            status, told, again = None, None, True
            try:
                answer = self._once(url, site, headers, trip)
                if answer.status == 304 and "If-None-Match" not in headers and "If-Modified-Since" not in headers:
                    raise Broken("answered 304 although nothing was asked for by date")
                passing = answer.status >= 500 or answer.status in PASSING
                # A bot check does not pass: asking again would only look more like a bot.
                if not passing or is_bot_check(answer.headers, answer.body):
                    return answer
                status, told, reason = answer.status, answer.headers.get("retry-after"), f"answered {answer.status}"
            except Broken as error:
                reason, again = error.reason, error.again
            wait = pause(status, told, tries, self._settings.retries, answers.utc_now()) if again else None
            if wait is None:
                raise Unreachable(url, _gave_up(reason, told, tries))
            self._wait(wait, f"{urlsplit(url).netloc} {reason}, try {tries + 1}")

    def _wait(self, seconds: float, why: str) -> None:
        if seconds > 0:
            self._say(f"waiting {seconds:.1f} s ({why})")
            self._sleep(seconds)

    def _once(self, url: str, site: Site, headers: Mapping[str, str], trip: _Trip) -> Answer:
        """One request. Raises Broken where another try may help, else a NetworkError."""
        prepared = requests.Request("GET", url, headers=dict(headers), cookies=trip.jar).prepare()
        with self._lock:
            self._requests += 1
        with watching(self._settings.total_timeout) as watch:
            try:
                answer = self._received(prepared, url, site, trip)
            except ForbiddenAddress as error:
                raise PrivateAddress(url, str(error)) from error
            except (requests.RequestException, urllib3.exceptions.HTTPError, http.client.HTTPException, OSError) as e:
                if not watch.expired:
                    raise _broken(e) from e
            except Broken:
                if not watch.expired:
                    raise
            # A cut connection may look like a body's regular end, so the watch is asked in any case.
            if watch.expired:
                raise TooSlow(url, f"the answer took longer than {self._settings.total_timeout:g} s")
        return answer

    def _received(self, prepared: PreparedRequest, url: str, site: Site, trip: _Trip) -> Answer:
        limits = (self._settings.connect_timeout, self._settings.read_timeout)
        response = self._adapters[site.allow_private].send(prepared, stream=True, timeout=limits, verify=True)
        try:
            trip.jar.update(response.cookies)
            body = self._body(response, url, trip)
            return Answer(url, response.status_code, answers.headers_of(response.headers), body)
        finally:
            response.close()

    def _body(self, response: Response, url: str, trip: _Trip) -> bytes:
        """What an answer says; of an error the beginning, which tells a bot check from a fault."""
        if response.status_code in _BODILESS:
            return b""
        if response.status_code >= 500:
            return error_body(response, url)
        cap = MOST_BYTES if trip.robots else self._settings.max_bytes
        return read_body(response, url, cap, cut=trip.robots)

    def _fetch_robots(self, url: str, site: Site) -> Answer:
        trip = _Trip("text/plain, */*;q=0.1", fresh=False, robots=True)
        return self._travel(url, site, trip)[0]


def _gave_up(reason: str, told: str | None, tries: int) -> str:
    wait = f" (it asks to wait: {told[:60]})" if told else ""
    return f"{reason}{wait}, {tries} {'try' if tries == 1 else 'tries'}"


def _broken(error: Exception) -> Broken:
    """A broken connection in words, without the nesting of the libraries."""
    if isinstance(error, requests.Timeout | urllib3.exceptions.TimeoutError):
        return Broken("no answer in time")
    root: BaseException = error
    for _ in range(8):
        inner = root.__cause__ or root.__context__
        if inner is None:
            break
        root = inner
    words = " ".join(str(root).split())[:160] or type(root).__name__
    return Broken(f"connection failed ({words})", again=not isinstance(root, ssl.SSLCertVerificationError))
