"""Staff's decisions at the command line: rulings on a stored thread, decisions on its findings (S35, X15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from referee.app import plugins
from referee.app.addresses import bare_address
from referee.app.config import Config
from referee.app.errors import UsageError
from referee.app.known import threads_of
from referee.app.output import plain
from referee.model.battle import Ruling

if TYPE_CHECKING:
    from referee.store.decisions import Decision, StoredRuling
    from referee.store.findings import StoredFinding
    from referee.store.store import Store
    from referee.store.threads import StoredThread

#: The fates that a ruling may give.
FATES = ("alive", "unconscious", "dead")

#: As few signs of a finding's fingerprint as may stand for it.
SHORTEST = 4


def _number(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise UsageError(f"--effect {name}: {value!r} is no whole number") from None


def _word(name: str, value: str) -> str:
    return value


def _fate(name: str, value: str) -> str:
    if value.casefold() not in FATES:
        raise UsageError(f"--effect {name}: {value!r} is none of {', '.join(FATES)}")
    return value.casefold()


#: What a ruling may do (X15), with the reader of its value; `set.POOL=N` sets a pool.
_EFFECTS: Mapping[str, Callable[[str, str], Any]] = {
    "hit_chance": _number,
    "bonus_damage": _number,
    "void_roll": _word,
    "suspend": _word,
    "fate": _fate,
}


def effect_of(words: Iterable[str]) -> dict[str, Any]:
    """The effect of `name=value` words, as a transcript's `effect`. Raises UsageError."""
    effect: dict[str, Any] = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        first, dot, pool = name.partition(".")
        if not equals or not value:
            raise UsageError(f"--effect {word!r}: write it as NAME=VALUE, for example hit_chance=-10 or set.hp=40")
        if first == "set" and dot and pool:
            effect.setdefault("set", {})[pool] = _number(name, value)
        elif name in effect:
            raise UsageError(f"--effect {name}: given twice")
        elif name in _EFFECTS:
            effect[name] = _EFFECTS[name](name, value)
        else:
            near = get_close_matches(name, _EFFECTS, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_EFFECTS)}, set.POOL"
            raise UsageError(f"--effect {name}: unknown effect; {hint}")
    return effect


def stored_thread(store: Store, url: str) -> StoredThread:
    """The stored thread of an address; UsageError where there is none."""
    found = threads_of(store, url)
    if not found:
        raise UsageError(f"{bare_address(url)} is not stored; `referee audit` fetches it")
    return found[0]


def add_ruling(config: Config, store: Store, url: str, ruling: Ruling) -> int:
    """Store a ruling on a thread and give its number.

    Raises UsageError for a thread or post that is not stored and for a rule that the board's ruleset lacks.
    """
    thread = stored_thread(store, url)
    order = store.threads.order(thread.id)
    for option, post in (("--post", ruling.post), ("--until", ruling.until)):
        if post is not None and post not in order:
            raise UsageError(f"{option}: there is no post {post!r} in {url}; reports and `referee read` show the ids")
    if ruling.until is not None and order.index(ruling.until) < order.index(ruling.post):
        raise UsageError(f"--until: post {ruling.until} stands before post {ruling.post}")
    settings = config.boards.get(thread.board)
    if settings is not None and settings.ruleset is not None and "suspend" in ruling.effect:
        rules = [rule.id for rule in plugins.ruleset(settings.ruleset).rules]
        if str(ruling.effect["suspend"]).removeprefix(f"{settings.ruleset}/") not in rules:
            raise UsageError(f"--effect suspend: {settings.ruleset} has no rule {ruling.effect['suspend']!r}")
    return store.decisions.add_ruling(thread.id, ruling)


def withdraw_ruling(store: Store, number: int, by: str | None, reason: str | None) -> None:
    """Withdraw a ruling; UsageError where none of that number is in force."""
    if not store.decisions.withdraw_ruling(number, by=by, reason=reason):
        raise UsageError(f"there is no ruling {number} in force; `referee ruling list` shows them")


def decide(store: Store, begun: str, disposition: str, by: str | None, reason: str | None) -> StoredFinding:
    """Note a decision on the finding whose fingerprint begins so. Raises UsageError for none or several."""
    wanted = begun.strip().casefold()
    if len(wanted) < SHORTEST:
        raise UsageError(f"{begun!r}: give at least {SHORTEST} signs of the finding's id, as reports show it")
    found = [finding for finding in store.findings.all() if finding.fingerprint.startswith(wanted)]
    if len(found) != 1:
        which = "no finding has" if not found else f"{len(found)} findings have"
        raise UsageError(f"{begun!r}: {which} an id that begins so")
    store.decisions.decide(found[0].thread, found[0].fingerprint, disposition, by=by, reason=reason)
    return found[0]


def decision_lines(store: Store, url: str | None, *, withdrawn: bool = False, staff: bool = False) -> Iterator[str]:
    """Each thread's rulings and decisions as lines; totals that a ruling sets are shown to staff only."""
    threads = store.threads.all(None) if url is None else [stored_thread(store, url)]
    for thread in threads:
        lines = [_ruling_line(one, staff) for one in store.decisions.rulings(thread.id, withdrawn=withdrawn)]
        names = {finding.fingerprint: finding for finding in store.findings.all(thread.id, gone=True)}
        log = store.decisions.log(thread.id)
        shown = log if withdrawn else list({one.fingerprint: one for one in log}.values())
        lines += [_decision_line(one, names.get(one.fingerprint)) for one in shown]
        if lines:
            yield plain(thread.url)
            yield from (f"  {line}" for line in lines)


def _ruling_line(stored: StoredRuling, staff: bool) -> str:
    """A ruling on one line. Times are UTC."""
    ruling = stored.ruling
    scope = f"post {ruling.post}" + (f" to {ruling.until}" if ruling.until else "")
    scope += f", {ruling.character}" if ruling.character else ""
    end = ""
    if stored.withdrawn_at:
        end = f"; withdrawn {_signed(stored.withdrawn_by, stored.withdrawn_reason)}, {stored.withdrawn_at:%Y-%m-%d}"
    words = ", ".join(_effect_words(ruling.effect, staff))
    signed = f"{_signed(ruling.by, ruling.reason)}, {stored.given_at:%Y-%m-%d}{end}"
    return plain(f"ruling {stored.id}: {scope}: {words} ({signed})")


def _effect_words(effect: Mapping[str, Any], staff: bool) -> Iterator[str]:
    for name, value in effect.items():
        if isinstance(value, Mapping):
            yield from (f"{name}.{pool}" + (f"={n}" if staff else " (total not shown)") for pool, n in value.items())
        else:
            yield f"{name}={value}"


def _decision_line(decision: Decision, finding: StoredFinding | None) -> str:
    """A decision on one line; says so where the finding is gone or has changed since."""
    what = f"{finding.code} at post {finding.post}" if finding else "a finding that is no longer kept"
    now = ""
    if finding is not None and finding.gone_at is not None:
        now = "; the finding is gone since"
    elif finding is not None and finding.disposition != decision.disposition:
        now = f"; now {finding.disposition}"
    return plain(
        f"{decision.disposition} {decision.fingerprint}: {what} ({_signed(decision.by, decision.reason)}, "
        f"{decision.at:%Y-%m-%d}{now})"
    )


def _signed(by: str | None, reason: str | None) -> str:
    """Who decided and why, as far as it was said."""
    return f"by {by or 'staff'}" + (f": {reason}" if reason else "")
