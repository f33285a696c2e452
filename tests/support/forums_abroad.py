"""Thread pages of SMF, MyBB and FluxBB in other languages, made in the tests' own words from what `boards.md` says.

What a language changes: months, the words around names and dates, the order of a date's parts.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MONTH = 11


@dataclass(frozen=True)
class Tongue:
    """The words of a language: its eleventh month, today, yesterday, and patterns of captions and notices."""

    november: str
    today: str
    yesterday: str
    quoted: str
    wrote: str
    edited: str
    by: str
    reply: str = "No."


TONGUES = {
    "en": Tongue("November", "Today at ", "Yesterday at ", "Quote from: {n} on {d}", "{n} Wrote:", "Changed", "by"),
    "de": Tongue("November", "Heute um ", "Gestern um ", "Zitat von: {n} am {d}", "{n} schrieb:", "Geändert", "von"),
    "fr": Tongue("Novembre", "Aujourd'hui à ", "Hier à ", "Citation de: {n} le {d}", "{n} a écrit :", "Changé", "par"),
    "es": Tongue("Noviembre", "Hoy a las ", "Ayer a las ", "Cita de: {n} en {d}", "{n} escribió:", "Cambiado", "por"),
    "it": Tongue(
        "Novembre", "Oggi alle ", "Ieri alle ", "Citazione di: {n} il {d}", "{n} ha scritto:", "Cambiato", "di"
    ),
    "pl": Tongue("Listopad", "Dzisiaj o ", "Wczoraj o ", "Cytat: {n} w {d}", "{n} napisał(a):", "Zmiana", "przez"),
    "ru": Tongue("Ноября", "Сегодня в ", "Вчера в ", "Цитата: {n} от {d}", "{n} писал(а):", "Изменено", "от"),
    "cs": Tongue("Listopad", "Dnes v ", "Včera v ", "Citace: {n} kdy {d}", "{n} napsal(a):", "Změna", "od"),
    "tr": Tongue("Kasım", "Bugün, ", "Dün, ", "Alıntı yapılan: {n} - {d}", "{n} yazdı:", "Değişti", "Gönderen:"),
    "ja": Tongue("11月", "今日 ", "昨日 ", "引用: {n} {d}", "{n}さんの発言:", "変更", "by"),
}


@dataclass(frozen=True)
class Said:
    """A post: its number in the thread, author and id, time, who is quoted, who edited it."""

    number: int
    author: str
    user: int | None
    at: datetime
    quoted: str | None = None
    editor: str | None = None

    @property
    def id(self) -> int:
        """The post's id on the board."""
        return 41 + 3 * self.number

    @property
    def edited_at(self) -> datetime:
        """When it was edited, if it was."""
        return self.at + timedelta(minutes=90)


THREAD = (
    Said(1, "Ren Aoki", 2, datetime(2026, 11, 2, 7, 30, 5, tzinfo=UTC)),
    Said(2, "Bram 7", 3, datetime(2026, 11, 12, 18, 20, 3, tzinfo=UTC), "Ren Aoki", "Bram 7"),
    Said(3, "Passing <Tarn>", None, datetime(2026, 11, 13, 0, 5, 9, tzinfo=UTC), "Bram 7"),
    Said(4, "Żółw", 5, datetime(2026, 11, 29, 9, 59, 59, tzinfo=UTC), None, "Mod 12"),
    Said(5, "Ren Aoki", 2, datetime(2026, 11, 30, 6, 1, 0, tzinfo=UTC), "Żółw", "Ren Aoki"),
)


def shown(at: datetime, tongue: Tongue, order: str, *, strong: bool = False) -> str:
    """A date as SMF shows it: `order` M, D (month or day first in words), N (in figures with dots), I."""
    days, clock = (NOW.date() - at.date()).days, f"{at:%H:%M:%S}"
    if days < 2:
        word = (tongue.today, tongue.yesterday)[days]
        return (
            f"<strong>{word.split(' ')[0].rstrip(',')}</strong>{word[len(word.split(' ')[0]) :]}" if strong else word
        ) + clock
    month = tongue.november
    day = {"M": f"{month} {at.day:02}, {at.year}", "D": f"{at.day:02} {month} {at.year}", "N": f"{at:%d.%m.%Y}"}
    if order in day and month == "11月":
        return f"{at.year}年{month}{at.day}日 {clock}"
    return f"{day.get(order, f'{at:%Y-%m-%d}')}, {clock}"


def smf(version: str, tongue: Tongue, order: str) -> str:
    """A page of SMF 2.0 or 2.1 with the whole thread."""
    make = _smf_21 if version == "2.1" else _smf_20
    posts = "".join(make(said, tongue, order) for said in THREAD)
    return f"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>Duel</title>
<script>var smf_scripturl = "http://f.example/index.php";</script></head><body><div id="main_content_section">
<div id="display_head"><h2 class="display_title"><span id="top_subject">Duel</span></h2></div>
<div id="forumposts"><form id="quickModForm">{posts}</form></div></div></body></html>"""


def _smf_name(said: Said) -> str:
    name = html.escape(said.author)
    return f'<a href="?action=profile;u={said.user}" title="{name}">{name}</a>' if said.user else name


def _smf_notice(said: Said, tongue: Tongue, order: str, label: str) -> str:
    if said.editor is None:
        return ""
    when = shown(said.edited_at, tongue, order, strong=True)
    return f"{label}: {when} {tongue.by} {html.escape(said.editor)}"


def _smf_quote(said: Said, tongue: Tongue, order: str) -> str:
    """The caption of its quote."""
    return tongue.quoted.format(n=html.escape(said.quoted or ""), d=shown(said.at, tongue, order))


def _smf_21(said: Said, tongue: Tongue, order: str) -> str:
    place, when = said.id, shown(said.at, tongue, order, strong=True)
    reply = f"{tongue.reply} #{said.number - 1} - " if said.number > 1 else ""
    notice = _smf_notice(said, tongue, order, f'<span class="lastedit">{tongue.edited}</span>')
    quote = (
        f'<blockquote class="bbc_standard_quote"><cite><a href="?msg=41">{_smf_quote(said, tongue, order)}</a></cite>'
    )
    quote = f"{quote}[Damage: 99]</blockquote>" if said.quoted else ""
    return f"""<div class="windowbg" id="msg{place}"><div class="post_wrapper"><div class="poster"><h4>{_smf_name(said)}
</h4></div><div class="postarea"><div class="keyinfo"><div class="postinfo"><a href="?msg={place}" title="{reply}Duel"
class="smalltext">{when}</a><span class="smalltext modified" id="modified_{place}">{notice}</span></div></div>
<div class="post"><div class="inner" id="msg_{place}">{quote}Turn {said.number}.</div></div></div></div></div>"""


def _smf_20(said: Said, tongue: Tongue, order: str) -> str:
    place, when = said.id, shown(said.at, tongue, order, strong=True)
    reply = f"{tongue.reply} #{said.number - 1}" if said.number > 1 else ""
    notice = _smf_notice(said, tongue, order, tongue.edited)
    notice = f"&#171; <em>{notice}</em> &#187;" if notice else ""
    head = '<div class="quoteheader"><div class="topslice_quote"><a href="?topic=7.msg41#msg41">{}</a></div></div>'
    quote = (
        head.format(_smf_quote(said, tongue, order)) + "<blockquote>[Damage: 99]</blockquote>" if said.quoted else ""
    )
    return f"""<div class="windowbg"><a id="msg{place}"></a><div class="post_wrapper"><div class="poster">
<h4>{_smf_name(said)}</h4></div><div class="postarea"><div class="keyinfo"><h5 id="subject_{place}"><a
href="?topic=7.msg{place}#msg{place}">Duel</a></h5><div class="smalltext">&#171; <strong>{reply} :</strong> {when}
 &#187;</div></div><div class="post"><div class="inner" id="msg_{place}">{quote}Turn {said.number}.</div></div></div>
<div class="moderatorbar"><div class="smalltext modified" id="modified_{place}">{notice}</div></div></div></div>"""


def mybb(tongue: Tongue, order: str, notice: str) -> str:
    """A page of MyBB 1.8. `notice`: the pattern of edit notices, with `{d}` and `{n}`."""
    posts = "".join(_mybb_post(said, tongue, order, notice) for said in THREAD)
    clock = f"{NOW:%d.%m.%Y}, {NOW:%H:%M}"
    return f"""<!DOCTYPE html><html><head><title>Duel</title><script>var my_post_key = "x";</script></head><body>
<div id="content"><table><tr><td class="thead"><strong>Duel</strong></td></tr><tr><td id="posts_container">
<div id="posts">{posts}</div></td></tr></table></div>
<span id="current_time">Now: {clock}</span></body></html>"""


def _mybb_date(at: datetime, tongue: Tongue, order: str) -> str:
    days = (NOW.date() - at.date()).days
    day = f"{at.day} {tongue.november} {at.year}" if order == "D" else f"{at:%d.%m.%Y}"
    if days < 2:
        return f'<span title="{day}">{(tongue.today, tongue.yesterday)[days].split(" ")[0]}</span>, {at:%H:%M}'
    return f"{day}, {at:%H:%M}"


def _mybb_post(said: Said, tongue: Tongue, order: str, pattern: str) -> str:
    place, name = said.id, html.escape(said.author)
    link = f'<a href="member.php?action=profile&amp;uid={said.user}">{name}</a>' if said.user else name
    editor = f'<a href="member.php?action=profile&amp;uid=9">{html.escape(said.editor or "")}</a>'
    notice = pattern.format(d=_mybb_date(said.edited_at, tongue, order), n=editor) if said.editor else ""
    quote = ""
    if said.quoted:
        caption = tongue.wrote.format(n=html.escape(said.quoted))
        quote = f"""<blockquote class="mycode_quote"><cite><span> ({_mybb_date(said.at, tongue, order)})</span>{caption}
<a href="showthread.php?pid=41#pid41" class="quick_jump"></a></cite>[Damage: 99]</blockquote>"""
    return f"""<div class="post" id="post_{place}"><div class="post_author"><div class="author_information"><strong>
<span class="largetext">{link}</span></strong></div></div><div class="post_content"><div class="post_head"><strong><a
href="showthread.php?tid=7&amp;pid={place}#pid{place}">#{said.number}</a></strong><span class="post_date">
{_mybb_date(said.at, tongue, order)} <span class="post_edit" id="edited_by_{place}"><span class="edited_post">{notice}
</span></span></span></div><div class="post_body" id="pid_{place}">{quote}Turn {said.number}.</div></div></div>"""
