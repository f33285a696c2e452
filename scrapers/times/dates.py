"""Dates as boards write them, in text: one cheap pattern after the other, in many languages.

Nothing here knows the present time or the zone; `clock` puts those to it. The languages are those in
which the boards' date words were seen; the rest is left to `dateparser` (by `clock`).
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Written(NamedTuple):
    """A date as it is written.

    `numbers`: the three figures of an all-figures date in the order written, with `separator`; else
    `year`, `month`, `day`. `days_ago`: 0 for today, 1 for yesterday. `seconds_ago`, `unit`: for `43
    minutes ago`. Time of day as hour, minute, second; None where it is not written.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    numbers: tuple[int, int, int] | None = None
    separator: str = ""
    days_ago: int | None = None
    seconds_ago: int | None = None
    unit: int = 1
    hour: int | None = None
    minute: int | None = None
    second: int | None = None


_MONTHS = (
    "january januar jänner janvier enero gennaio januari январь января leden janeiro stycznia ianuarie "
    "ιανουάριος ιανουαρίου ocak січень січня ledna",
    "february februar février fevrier febrero febbraio februari февраль февраля fevereiro lutego februarie "
    "φεβρουάριος φεβρουαρίου şubat лютий лютого únor února",
    "march märz maerz mars marzo maart март марта março marca martie μάρτιος μαρτίου mart березень березня "
    "březen března",
    "april avril abril aprile апрель апреля kwietnia aprilie απρίλιος απριλίου nisan квітень квітня duben dubna",
    "may mai mayo maggio mei мая maio maja μάιος μαΐου mayıs травень травня květen května",
    "june juni juin junio giugno июнь июня junho czerwca iunie ιούνιος ιουνίου haziran червень червня",
    "july juli juillet julio luglio июль июля julho lipca iulie ιούλιος ιουλίου temmuz липень липня",
    "august août aout agosto augustus август августа sierpnia αύγουστος αυγούστου ağustos серпень серпня srpen srpna",
    "september septembre septiembre settembre сентябрь сентября setembro września septembrie σεπτέμβριος "
    "σεπτεμβρίου eylül вересень вересня září",
    "october oktober octobre octubre ottobre октябрь октября outubro października octombrie οκτώβριος "
    "οκτωβρίου ekim жовтень жовтня říjen října",
    "november novembre noviembre ноябрь ноября novembro listopada noiembrie νοέμβριος νοεμβρίου kasım "
    "листопада листопад listopadu",
    "december dezember décembre decembre diciembre dicembre декабрь декабря dezembro grudnia decembrie "
    "δεκέμβριος δεκεμβρίου aralık грудень грудня prosinec prosince",
)


def _words(text: str) -> list[str]:
    """The words of a table's line, as dates are compared with them: small, and with a sigma of one kind only."""
    return text.casefold().split()


def _month_words() -> dict[str, int]:
    """Every month name and its beginnings of three letters or more, where they mean one month only."""
    words: dict[str, int] = {}
    twice = set()
    for number, names in enumerate(_MONTHS, start=1):
        for name in _words(names):
            for length in range(3, len(name) + 1):
                if words.setdefault(name[:length], number) != number:
                    twice.add(name[:length])
    for word in twice:
        del words[word]
    words.update(
        {"mar": 3, "mär": 3, "mrz": 3, "мар": 3, "май": 5, "maj": 5, "jun": 6, "июн": 6, "июл": 7, "jul": 7, "črc": 7}
    )
    words.update({"aug": 8, "авг": 8, "okt": 10, "oct": 10, "нояб": 11, "сент": 9, "sept": 9, "mai": 5, "ma": 5})
    return words


_MONTH = _month_words()
_TODAY = frozenset(
    _words(
        "today heute сегодня aujourd'hui aujourd’hui hoy oggi vandaag hoje dzisiaj dziś idag avui gaur dnes tänään "
        "σήμερα היום اليوم امروز ئەمڕۆ 今日 今天 오늘 astăzi azi danas данас днес bugün сьогодні сёння täna"
        " šiandien šodien danes 本日"
    )
)
_YESTERDAY = frozenset(
    _words(
        "yesterday gestern вчера hier ayer ieri gisteren ontem wczoraj igår ahir atzo včera eilen χθες χτες אתמול أمس "
        "دیروز دوێنێ 昨日 昨天 어제 juče jučer јуче dün вчора ўчора eile vakar"
    )
)
#: Scandinavian words of two parts, as they stand between blanks.
_TWO_WORDS = {" i dag ": 0, " í dag ": 0, " i går ": 1, " í gær ": 1}
#: Halves of the day in other letters than a and p: behind a time, in East Asia before it.
_HALVES = dict.fromkeys(_words("πμ π.μ ص öö 上午 午前 오전"), "a") | dict.fromkeys(
    _words("μμ μ.μ م ös 下午 午後 오후"), "p"
)

#: A bare a or p counts only right behind the time: `11:41 por X` is no afternoon.
_TIME = re.compile(
    r"(?<![\d.:])(\d{1,2})([:.h])(\d{2})(?:[:.](\d{2}))?(?!\d|\.(?!\W*$))"
    r"(?:[\s\u00a0\u202f]{0,2}([ap])(?:\.\s?)?m\b\.?|([ap])\b)?",
    re.IGNORECASE,
)
#: The usual forms, whole: `2026-11-12 18:20:03`, `Thu Nov 12, 2026, 6:20 pm`, `11-12-2026, 06:20 PM`.
_USUAL = re.compile(
    r"(?:(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
    r"|(?:[^\W\d_]{3,9},? )?(?P<name>[^\W\d_]{3,12}) (?P<of>\d{1,2}), (?P<in>\d{4})"
    r"|(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)(?P<last>\d{4}))"
    r",? (?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?::(?P<sec>\d\d))?(?: (?P<half>[AaPp])[Mm])?"
)
_ISO = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_EAST = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_FIGURES = re.compile(r"(?<![\d.])(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}(?!\d)|\d{2}(?![\d:]))")
#: Figures with nothing between them, `20261112`, or blanks, `12 11 2026`.
_BARE = re.compile(r"\d{8}|\d \d{1,2} \d")
_RUN = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?!\d)")
_APART = re.compile(r"(?<![\d:.])(\d{1,2})( )(\d{1,2}) (\d{4})(?!\d)")
_DAY_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:\.|st|nd|rd|th|er)?\s+(?:de\s+|of\s+)?([^\W\d_]{3,12})\.?,?(?:\s+(?:de\s+)?(\d{4}))?"
)
_MONTH_DAY = re.compile(r"([^\W\d_]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?!\d|[:.]\d)(?:,?\s+(\d{4})(?!\d|:))?")
_AGO = re.compile(
    r"(?:\b(?:vor|hace|il y a|há|fa)\s+)?"
    r"(?:(\d{1,4})|\b(?:an?|one|eine[rm]?|un[ao]?|less than a|weniger als eine[rm]?)\b)?\s*"
    r"\b(sec|seg|min|hour|hr|day|week|sek|std|stund|tag|woche|сек|мин|час|дн|день|дня|нед|heure|hora|jour|día|dia"
    r"|or[ae]\b|giorn|settiman|godzin|dni|dzień|tydz|tygod|uur|uren|dag|weken|хв|годин|тиж)[^\W\d_]*"
    r"(?:\s+(ago|назад|temu|fa|geleden|тому))?",
    re.IGNORECASE,
)
_UNITS = {
    1: ("sec", "seg", "sek", "сек"),
    60: ("min", "мин", "хв"),
    3600: (*("hour", "hr", "std", "stund", "час", "heure", "hora", "ora", "ore", "godzin", "uur", "uren", "годин"),),
    86400: ("day", "tag", "дн", "день", "дня", "jour", "día", "dia", "giorn", "dni", "dzień", "dag"),
    604800: ("week", "woche", "нед", "settiman", "tydz", "tygod", "weken", "тиж"),
}
_BEFORE_AGO = re.compile(r"^\W{0,3}(?:vor|hace|il y a|há|fa)\b", re.IGNORECASE)
_JUST_NOW = re.compile(
    r"^\W{0,3}(?:just now|right now|less than a minute ago|vor weniger als einer minute|gerade eben"
    r"|только что|менее минуты назад)",
    re.IGNORECASE,
)


def read_date(text: str) -> Written | None:
    """What a date text says, None where nothing of a date is found in its first 120 characters."""
    text = " ".join(text[:120].split())
    if not text:
        return None
    usual = _USUAL.fullmatch(text)
    written = _usual(usual) if usual else None
    if written is not None:
        return written
    ago = _ago(text) if ":" not in text else None
    if ago is not None:
        return ago
    day, rest = _in_figures(text)
    hour, minute, second, rest = _time_of_day(rest)
    day = day or _day(rest)
    if day is None:
        return None
    return Written(*day, hour=hour, minute=minute, second=second)


def _usual(match: re.Match[str]) -> Written | None:
    """What a date of the usual forms says; None where its figures or words are none of a date's."""
    year, month, day, name, of, in_year, first, mark, second, last, hours, minutes, seconds, half = match.groups()
    hour = int(hours) if half is None else int(hours) % 12 + (12 if half in "pP" else 0)
    if hour > 23:
        return None
    minute, sec = int(minutes), int(seconds) if seconds else None
    # By place: a page has a date for each post, and names would cost more than the rest of this line.
    if first:
        numbers = int(first), int(second), int(last)
        return Written(None, None, None, numbers, mark, None, None, 1, hour, minute, sec)
    if year:
        return Written(int(year), int(month), int(day), None, "", None, None, 1, hour, minute, sec)
    number = _MONTH.get(name.casefold())
    if not number or not 1 <= int(of) <= 31:
        return None
    return Written(int(in_year), number, int(of), None, "", None, None, 1, hour, minute, sec)


def _ago(text: str) -> Written | None:
    """`43 minutes ago`, `vor 2 Stunden`, `just now`."""
    if _JUST_NOW.match(text):
        return Written(seconds_ago=0, unit=60)
    match = _AGO.search(text)
    if not match or not (match[3] or _BEFORE_AGO.match(text)):
        return None
    word = match[2].lower()
    unit = next(seconds for seconds, words in _UNITS.items() if word in words)
    return Written(seconds_ago=int(match[1] or 1) * unit, unit=unit)


def _time_of_day(text: str) -> tuple[int | None, int | None, int | None, str]:
    """Hour, minute, second and the text without them, where a date in figures has been taken out.

    A time with dots is looked at last: it may be a day and a month.
    """
    for match in sorted(_TIME.finditer(text), key=lambda found: found[2] == "."):
        hour, half = int(match[1]), _half(match, text)
        if half and hour <= 12:
            hour = hour % 12 + (12 if half == "p" else 0)
        if hour > 23 or int(match[3]) > 59:
            continue
        second = int(match[4]) if match[4] else None
        return hour, int(match[3]), second, text[: match.start()] + " " + text[match.end() :]
    return None, None, None, text


def _half(match: re.Match[str], text: str) -> str:
    """`a` or `p` for the half of the day that is written at a time, empty where none is."""
    letter = match[5] or match[6]
    if letter:
        return letter.lower()
    if text.isascii():
        return ""
    behind = text[match.end() :].casefold().split(None, 1)[:1]
    before = text[: match.start()].rstrip()[-2:]
    return _HALVES.get(behind[0].strip(".,)") if behind else "", "") or _HALVES.get(before, "")


Day = tuple[int | None, int | None, int | None, tuple[int, int, int] | None, str, int | None]


def _in_figures(text: str) -> tuple[Day | None, str]:
    """A day in figures, and the text without it. What may be a time, `01.28.33`, is none beside a day in words."""
    match = _ISO.search(text)
    if match:
        return _whole_day(match[1], match[3], match[4]), _cut(text, match)
    match = None if text.isascii() else _EAST.search(text)
    if match:
        return _whole_day(match[1], match[2], match[3]), _cut(text, match)
    match = _FIGURES.search(text)
    if match is None and _BARE.search(text) is None:
        return None, text
    match = match or _APART.search(text)
    if match and not (match[2] == "." and len(match[4]) == 2 and _named_day(_cut(text, match))):
        return (None, None, None, (int(match[1]), int(match[3]), int(match[4])), match[2], None), _cut(text, match)
    match = _RUN.search(text)
    return (_whole_day(match[1], match[2], match[3]), _cut(text, match)) if match else (None, text)


def _whole_day(year: str, month: str, day: str) -> Day:
    """A day with its year first."""
    return int(year), int(month), int(day), None, "", None


def _cut(text: str, match: re.Match[str]) -> str:
    """The text without what a pattern found."""
    return text[: match.start()] + " " + text[match.end() :]


def _day(text: str) -> Day | None:
    """Year, month and day in words, or how many days ago."""
    named = _named_day(text)
    if named:
        return named
    folded = " " + text.casefold().replace(",", " ") + " "
    for word in folded.split():
        ago = 0 if word in _TODAY else 1 if word in _YESTERDAY else None
        if ago is not None:
            return None, None, None, None, "", ago
    return next(((None, None, None, None, "", ago) for words, ago in _TWO_WORDS.items() if words in folded), None)


def _named_day(text: str) -> Day | None:
    """A day with its month in words, with or without its year."""
    folded = text.casefold()
    for pattern, day, month in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        for match in pattern.finditer(folded):
            number = _MONTH.get(match[month])
            if number and 1 <= int(match[day]) <= 31:
                return int(match[3]) if match[3] else None, number, int(match[day]), None, "", None
    return None
