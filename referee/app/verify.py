"""Verifying rolls: each dice link's page is fetched once and read by the service that it belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.model.battle import RollRecord
from referee.network import NetworkError, Session, TooSlow, Unreachable
from referee.ports.boards import Page, Wish
from referee.ports.dice import DiceService

#: After so many failures of one service in a row its other links are not tried in this call.
PATIENCE = 3
#: If at least so many links of a service are all missing, its configuration is more likely wrong.
SUSPICIOUS = 3


@dataclass(frozen=True, slots=True)
class Verified:
    """What became of the dice links of a thread.

    `rolls`: link -> record, with status found, missing or unreachable; links of no service are not
    in it. `hosts`: hosts of all given services. `problems`: lines for the operator. `pages`: each
    received page with the link that it answers, for the archive.
    """

    rolls: Mapping[str, RollRecord]
    hosts: frozenset[str]
    problems: tuple[str, ...]
    pages: tuple[tuple[str, Page], ...]


@dataclass(slots=True)
class _Round:
    """One call of `verify` under way. `failures`: per service, how often in a row it failed."""

    session: Session
    failures: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    answers: dict[str, Page | None] = field(default_factory=dict)
    pages: list[tuple[str, Page]] = field(default_factory=list)

    def record(self, link: str, service: DiceService) -> RollRecord:
        """The record behind a link; every trouble gives status unreachable and a problem line."""
        try:
            page = self._page(link, service)
            if page is not None:
                return replace(service.reads(link, page), link=link, earlier=())
        except ValueError as error:
            self.problems[f"{service.name}: {_line(error)}"] += 1
        except Exception as error:  # a plug-in's own fault must not stop the others
            self.problems[f"{service.name}: the plug-in failed ({type(error).__name__}: {_line(error)})"] += 1
        return RollRecord(link, status="unreachable")

    def _page(self, link: str, service: DiceService) -> Page | None:
        """A link's page, asked for once however many spellings of the link there are."""
        wish = service.asks(link)
        if wish.url not in self.answers:
            self.answers[wish.url] = self._fetched(service, wish)
        page = self.answers[wish.url]
        if page is not None:
            self.pages.append((link, page))
        return page

    def _fetched(self, service: DiceService, wish: Wish) -> Page | None:
        if self.failures[service.name] >= PATIENCE:
            self.problems[f"{service.name}: not tried again after {PATIENCE} failures in a row"] += 1
            return None
        try:
            page = self.session.get(wish)
        except (Unreachable, TooSlow) as error:
            self.failures[service.name] += 1
            self.problems[f"{service.name}: {error.reason}"] += 1
            return None
        except NetworkError as error:
            self.problems[f"{service.name}: {error.reason}"] += 1
            return None
        self.failures[service.name] = 0
        return page


def verify(
    links: Iterable[str],
    services: Sequence[DiceService],
    session: Session,
    known: Mapping[str, tuple[RollRecord, ...]],
) -> Verified:
    """The records behind dice links.

    `known`: what each link showed when it was seen before, oldest first; it goes into `earlier`
    (G3). A link that no service claims is neither fetched nor in the result (G9).
    """
    going = _Round(session)
    rolls: dict[str, RollRecord] = {}
    owners: dict[str, str] = {}
    for link in dict.fromkeys(links):
        service = _owner(link, services, going.problems)
        if service is not None:
            owners[link] = service.name
            rolls[link] = replace(going.record(link, service), earlier=_snapshots(known.get(link, ())))
    for name in dict.fromkeys(owners.values()):
        mine = [rolls[link] for link, owner in owners.items() if owner == name]
        if len(mine) >= SUSPICIOUS and all(record.status == "missing" for record in mine):
            going.problems[f"{name}: all {len(mine)} rolls are missing there; is its configuration right?"] += 1
    hosts = frozenset(host for service in services for host in service.hosts)
    return Verified(rolls, hosts, _lines(going.problems), tuple(going.pages))


def joined(rolls: Mapping[str, RollRecord], services: Sequence[DiceService]) -> dict[str, RollRecord]:
    """The records with one `link` for all links that lead to the same page, the first of them.

    Otherwise `.../roll/101` and `.../roll/101#again` would pass for two rolls, and a roll that is
    used twice would not show (`dice/reused`). Keys stay the links as posted.
    """
    first: dict[str, str] = {}
    found = {}
    for link, record in rolls.items():
        service = _owner(link, services, Counter())
        page = service.asks(link).url if service is not None else link
        found[link] = replace(record, link=first.setdefault(page, link))
    return found


def _owner(link: str, services: Sequence[DiceService], problems: Counter[str]) -> DiceService | None:
    for service in services:
        try:
            if service.matches(link):
                return service
        except Exception as error:  # as above
            problems[f"{service.name}: the plug-in failed on a link ({type(error).__name__})"] += 1
    return None


def _snapshots(seen: tuple[RollRecord, ...]) -> tuple[RollRecord, ...]:
    """Earlier sightings that showed a record, each kept once, without sightings of their own."""
    found = (replace(record, earlier=()) for record in seen if record.status == "found")
    return tuple(dict.fromkeys(found))


def _line(error: Exception) -> str:
    text = " ".join(str(error)[:400].split())
    return "".join(c if c.isprintable() else "?" for c in text)[:200]


def _lines(problems: Counter[str]) -> tuple[str, ...]:
    """Each problem once, with the number of links that it concerns."""
    return tuple(text if count == 1 else f"{text} ({count} links)" for text, count in problems.items())
