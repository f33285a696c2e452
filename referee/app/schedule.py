"""The resident form of the pass: runs it on the configured schedule until the process is told to stop."""

from __future__ import annotations

import logging
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Protocol

from referee.app.errors import UsageError

_PART = re.compile(r"(\d{1,6})\s{0,3}([smhd])\s{0,3}")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_DEFAULT_EVERY = "15m"

#: A start that was missed by up to this many seconds (a suspended machine) is made up for, once.
_GRACE = 3600


class Scheduled(Protocol):
    """What is needed of the configuration."""

    @property
    def schedule(self) -> str | None:
        """A cron line, such as `*/15 * * * *`, in local time."""
        ...

    @property
    def every(self) -> str | None:
        """An interval, such as `15m` or `1h 30m`."""
        ...


def interval(text: str) -> timedelta:
    """An interval such as `90s`, `15m`, `1h 30m`, `2d`. UsageError says what was expected."""
    wanted = text.strip().lower()[:100]
    parts = _PART.findall(wanted)
    seconds = sum(int(count) * _UNITS[unit] for count, unit in parts)
    if not _PART.sub("", wanted).strip() and 0 < seconds <= 366 * 86400:
        return timedelta(seconds=seconds)
    raise UsageError(f"every: {text!r} is no interval; expected such as 90s, 15m, 1h 30m, 2d")


def trigger_of(config: Scheduled, jitter: int = 0) -> Any:
    """The APScheduler trigger of a configuration: `schedule`, else `every`, else every 15 minutes.

    `jitter`: seconds by which starts are spread. Raises UsageError with the key that is wrong.
    """
    if config.schedule is not None and config.every is not None:
        raise UsageError("schedule, every: only one of the two")
    if config.schedule is not None:
        return _cron(config.schedule, jitter)
    from apscheduler.triggers.interval import IntervalTrigger

    length = interval(config.every or _DEFAULT_EVERY)
    return IntervalTrigger(seconds=int(length.total_seconds()), jitter=_bounded(jitter, length))


def watch(
    config: Scheduled,
    cycle: Callable[[Callable[[], bool]], object],
    on_event: Callable[[str], object],
    *,
    jitter: int = 0,
) -> None:
    """Run `cycle(stop)` now and then on schedule, until SIGTERM or SIGINT; returns when the last one has ended.

    `stop()` turns true on the signal: the pass finishes its current page. Passes never overlap, a
    pass that fails is told and does not end the watch. Call it from the main thread.
    """
    from apscheduler.schedulers.background import BackgroundScheduler

    # What the library would log, with tracebacks, the listener tells in a line.
    quiet = logging.getLogger("apscheduler")
    quiet.addHandler(logging.NullHandler())
    quiet.propagate = False
    stopping = threading.Event()
    scheduler = BackgroundScheduler()
    scheduler.add_listener(_listener(on_event), _LISTENED)
    scheduler.add_job(
        lambda: cycle(stopping.is_set),
        trigger_of(config, jitter),
        id="run",
        name="run",
        coalesce=True,
        max_instances=1,
        misfire_grace_time=_GRACE,
        next_run_time=datetime.now().astimezone(),
    )
    with _signals(stopping):
        scheduler.start()
        on_event("watching; stop with SIGTERM or Ctrl-C")
        while not stopping.wait(3600):
            pass
        on_event("stopping after the current page")
        scheduler.shutdown(wait=True)
        on_event("stopped")


@contextmanager
def _signals(stopping: threading.Event) -> Iterator[None]:
    """Have SIGTERM and SIGINT set the event; the former handlers come back afterwards."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    for number in before:
        signal.signal(number, lambda *_: stopping.set())
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# APScheduler's masks for missed, overlapping and failed runs.
_MISSED, _OVERLAP, _FAILED = 2**14, 2**16, 2**13
_LISTENED = _MISSED | _OVERLAP | _FAILED


def _listener(on_event: Callable[[str], object]) -> Callable[[Any], None]:
    """Tells of runs that did not go as planned."""

    def listen(event: Any) -> None:
        if event.code == _MISSED:
            on_event(f"missed the run of {event.scheduled_run_time:%Y-%m-%d %H:%M:%S}")
        elif event.code == _OVERLAP:
            on_event("the last run is still at work; this one is left out")
        else:
            on_event(f"a run failed: {' '.join(str(event.exception).split()) or type(event.exception).__name__}")

    return listen


def _bounded(jitter: int, length: timedelta) -> int | None:
    """A jitter that stays well inside the interval."""
    seconds = min(jitter, int(length.total_seconds()) // 4)
    return seconds if seconds > 0 else None


def _cron(line: str, jitter: int) -> Any:
    """A cron line as cron itself reads it.

    APScheduler counts weekdays from Monday and wants day of month *and* weekday to fit; cron counts
    from Sunday and takes either where both are given.
    """
    from apscheduler.triggers.combining import OrTrigger
    from apscheduler.triggers.cron import CronTrigger

    fields = line.split()
    if len(fields) != 5:
        raise UsageError(f"schedule: {line!r} has {len(fields)} fields; expected minute hour day month weekday")
    minute, hour, day, month, weekday = fields
    pairs = [(day, _weekdays(weekday))]
    if not day.startswith("*") and not weekday.startswith("*"):
        pairs = [(day, "*"), ("*", _weekdays(weekday))]
    try:
        triggers = [
            CronTrigger(
                minute=minute, hour=hour, day=one, month=month.lower(), day_of_week=other, jitter=jitter or None
            )
            for one, other in pairs
        ]
    except ValueError as error:
        raise UsageError(f"schedule: {line!r}: {error}") from None
    return triggers[0] if len(triggers) == 1 else OrTrigger(triggers)


def _weekdays(text: str) -> str:
    """A cron weekday field (0 or 7 is Sunday) by names; `*` stays."""
    if text == "*":
        return text
    days: set[int] = set()
    for part in text.lower().split(","):
        days |= _weekday_part(text, part)
    return ",".join(_DAYS[day] for day in sorted(days))


def _weekday_part(text: str, part: str) -> set[int]:
    """One part of a weekday field: a day, a range, a step."""
    span, _, step = part.partition("/")
    first, _, last = span.partition("-")
    try:
        start, end = (0, 6) if span == "*" else (_weekday(first), _weekday(last or first))
        every = int(step) if step else 1
    except ValueError:
        raise UsageError(f"schedule: {text!r} is no weekday field; expected such as 1-5 or mon,fri") from None
    if every < 1 or start > end:
        raise UsageError(f"schedule: {text!r} is no weekday field; expected such as 1-5 or mon,fri")
    if step and span != "*" and not last:
        end = 6
    return {day % 7 for day in range(start, end + 1, every)}


def _weekday(text: str) -> int:
    """A day by number or name; ValueError otherwise."""
    number = _DAYS.index(text) if text in _DAYS else int(text)
    if not 0 <= number <= 7:
        raise ValueError(text)
    return number
