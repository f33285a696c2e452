"""Edit notices in words, of any board and language: when, by whom, how often, why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime

from referee.model.battle import Edit
from scrapers.times.dates import read_date
from scrapers.times.moments import Times

_COUNT = re.compile(r"(\d{1,5})[\s-]{0,2}(?:times?|mal|fois|veces|vez|раз|volte|keer)", re.IGNORECASE)
_BY = re.compile(
    r"(?:^|\s)(?:by|von|par|por|от|door|da|przez|av|af|od|від|di|โดย|gönderen:?)\s+(.{1,80}?)\s*[).»\]]*\s*$",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?:^|[\s.(\u00a0])(?:Edit reason|Reason|Grund|Причина|Raison|Motivo|Reden)\s*:\s*", re.IGNORECASE
)

_COLON = re.compile("[:：]")
_IN_BRACKETS = re.compile(r"(.{0,300})\(([^()]{3,80})\)\W*$")
#: `Last edited by` of FluxBB, PunBB and their translations.
_EDITED = (
    *("last edited by", "edited by", "beitrag geändert von", "zuletzt bearbeitet von", "изменено", "отредактировано"),
    *(
        "ultima modifica di",
        "dernière modification par",
        "dernière édition de",
        "última edição por",
        "ultima edición por",
    ),
    *("última edició per", "upravil", "sidst redigeret af", "viimeksi muokkasi", "τελευταία επεξεργασία από"),
    *("נערך לאחרונה על ידי", "síðast breytt af", "編集者", "고친이", "sist redigert av", "آخرین ویرایش توسط"),
    *("ostatnio edytowany przez", "ultima modificare de", "posledǌa promena", "последња промена", "最近编辑记录"),
    *("senast ändrad av", "最近編輯記錄", "son düzenleyen", "остання редакція", "آخر تعديل بـ", "laatst bewerkt door"),
    "دوایین دەستکاری لەلایەن",
)

#: Words of the longest dates, `Thursday 12 November 2026 at 6:20 pm`.
_MOST_OF_A_DATE = 12


def without_label(text: str) -> str:
    """A notice without the words before its first colon; a colon behind a figure is one of a time of day."""
    colon = _COLON.search(text)
    return text[colon.end() :] if colon and not any(sign.isdigit() for sign in text[: colon.start()]) else text


def edit_notice(text: str, clock: Times, by: str | None = None, reason: str | None = None) -> Edit | None:
    """The edit that a notice tells of, None for an empty notice.

    `by` and `reason` are what the notice's own elements say, where it has such elements.
    """
    text = " ".join(text.replace("\u00a0", " ").split())
    if not text:
        return None
    cut = _REASON.search(text)
    if cut:
        reason = reason or text[cut.end() :].strip(" .)»") or None
        text = text[: cut.start()]
    if by:
        text = _without_name(text, by)
    else:
        named = _BY.search(text)
        if named:
            by = named[1].strip(" .,«»)") or None
            text = text[: named.start()]
    count = _COUNT.search(text)
    if count:
        text = text[: count.start()]
    return Edit(at=edited_at(text, clock), by=by, count=int(count[1]) if count else None, reason=reason)


def bracketed_notice(text: str, clock: Times, names: Callable[[], Iterable[str]]) -> Edit | None:
    """The edit of a notice that ends with its date in brackets, `Last edited by NAME (DATE)`, in any language.

    PunBB 1.4 puts all of it in brackets: `(edited by NAME DATE)`.
    `names`: the names on the page, of which one stands at an end of the words that are left.
    """
    text = " ".join(text.split())
    if text[:1] == "(" and text[-1:] == ")":
        head, date = _split_date(text[1:-1])
        return Edit(at=edited_at(date, clock), by=_editor(head, names))
    match = _IN_BRACKETS.match(text)
    if match is None:
        return edit_notice(text, clock)
    return Edit(at=edited_at(match[2], clock), by=_editor(match[1].strip(), names))


def _split_date(text: str) -> tuple[str, str]:
    """The words before a date that ends a text, and the date: the fewest last words that tell all of it."""
    parts = text.split(" ")
    date = read_date(text)
    for place in range(len(parts) - 1, max(len(parts) - _MOST_OF_A_DATE, 0), -1):
        tail = " ".join(parts[place:])
        if date is not None and read_date(tail) == date:
            return " ".join(parts[:place]).rstrip(" ,:"), tail
    return "", text


def _editor(text: str, names: Callable[[], Iterable[str]]) -> str | None:
    """Who is named in `Last edited by NAME`; None where neither the words nor the name are known."""
    lower = text.lower()
    for words in _EDITED:
        rest = text[len(words) :]
        if lower.startswith(words) and not rest[:1].isalnum() and rest.strip(" :"):
            return rest.strip(" :")
    fitting = [name for name in names() if name and _at_an_end(name, text)]
    if fitting:
        return max(fitting, key=len)
    named = _BY.search(text)
    return named[1].strip(" .,«»)") or None if named else None


def _at_an_end(name: str, text: str) -> bool:
    """Whether a name stands alone at the end or the beginning of words."""
    if text.endswith(name):
        return not text[: -len(name)][-1:].isalnum()
    return text.startswith(name) and not text[len(name) :][:1].isalnum()


def edited_at(text: str, clock: Times) -> datetime | None:
    """When a post was edited; None where not even the hour is known: an edit has no precision to say so."""
    moment = clock.read(text)
    return None if moment.precision == "day" else moment.at


def _without_name(text: str, name: str) -> str:
    """A notice without its editor: the name may be a figure of the date, so it is cut where notices have it."""
    bare = text.rstrip(" .)»]*")
    if bare.endswith(name):
        return bare[: -len(name)]
    return text.replace(name, " ", 1)
