"""Captions of quotes: who is quoted, and which post the caption links.

Boards write the caption in their language (`X wrote:`, `Quote from: X on DATE`); known words around
the name are taken off, an unknown wording is kept whole rather than guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scrapers.bodies.layout import LINK, LINK_END
from scrapers.patterns import Pattern

_POST = Pattern(r"(?:[?&;/](?:p|pid|msg)=?|[.,]msg|/post/|/posts/|#p(?:id)?|#msg|#post)(\d{1,18})")
_PROFILE = Pattern(r"mode=viewprofile|action[=,]profile|/user/|/uid/\d|profile\.php|[?;&]u=\d")
_AHEAD = (
    *("Quote from:", "Quote from ", "Zitat von:", "Zitat von ", "Цитата:", "Citation de:", "Citar de:", "Quote:"),
    *(
        "Cytat:",
        "Cytat z:",
        "Cita de:",
        "Citazione di:",
        "Citaat van:",
        "Citação de:",
        "Citat från:",
        "Alıntı yapılan:",
        "引用:",
        "Citace:",
        "Цитата з:",
    ),
    *("Originally Posted by ", "Originally posted by "),
)
#: `wrote` as boards translate it. Unknown words leave the caption as it is, with its colon.
_WROTE = (
    r"hat geschrieben|wrote|schrieb|said|sagte|a écrit|a dit|escribió|dijo|ha escrito|ha detto"
    r"|(?:на)?писал(?:\(а\)|а|и)?|пишет|ha scritto|schreef"
    r"|napisał(?:\(a\)|/a|a)?|pisze|napsal(?:\(a\)|a)?|napísal(?:\(a\)|a)?|napisa(?:o|la|l)|написао|escreveu|disse|skrev"
    r"|kirjoitti|έγραψε|כתב|skrifaði|さんの発言|さんが書きました|씀|님이 썼습니다|نووسی|نوشته است|a scris"
    r"|说|說|寫道|写道|yazdı|söyledi|nickli kullanıcıdan alıntı|пише|написав(?:\(ла\)|ла)?|ha escrit|írta|rašė|напиша"
)
_BEHIND = Pattern(
    rf"(?:^|\s+)(?:(?:{_WROTE})(?:\s+(?:on|am|at|in)\b.{{0,100}})?\s*[:：].{{0,200}}|كتب)$",
    re.IGNORECASE | re.DOTALL,
)
_QUOTE = (
    "quote zitat цитата цитировать citation code cytat cita citar citazione citação citaat citat citát sitat alıntı "
    "idézet lainaus παράθεση اقتباس ציטוט 引用 인용"
)
_NOBODY = frozenset(_QUOTE.split()) | {""}
#: The words between a name and a date. Without one a name on the page tells where the name ends.
_DATED = Pattern(
    r"\s+(?:on|am|от|le|el|il|op|en|em|w|v|dnia|kdy|dne|skrivet|den|pe|la|від|-|–)\s+(?=\S{0,40}.{0,20}\d).{1,80}$",
    re.DOTALL,
)
_STAMP = Pattern(r"^\([^()]{4,60}\)\s*")
#: `QUOTE (Mori @ Mar 1 2021, 04:11 PM)`, and a link behind the name.
_AT = Pattern(r"^\w{1,20}\s?\(([^()@]{1,80}?)\s?@[^()]{1,80}\)$")
_VIEW = Pattern(r"\s+View [Pp]ost$")


def is_profile(url: str) -> bool:
    """Whether a link leads to a member's profile."""
    return _PROFILE.search(url) is not None


def says_wrote(words: str) -> bool:
    """Whether words end like a caption in a language that is known: `X wrote:`."""
    return _BEHIND.search(words) is not None


def post_in_links(links: Iterable[str]) -> str | None:
    """The post id in the first link that names a post."""
    for link in links:
        found = _POST.search(link)
        if found:
            return found[1]
    return None


def caption_author(words: str) -> str | None:
    """The name in a quote's caption; None where there is nothing but a word for `quote`."""
    words = _VIEW.sub("", _STAMP.sub("", words.strip()[:400]))
    if "@" in words and (named := _AT.match(words)):
        return named[1]
    dated = False
    for ahead in _AHEAD:
        if words.startswith(ahead):
            words = _DATED.sub("", words[len(ahead) :])
            dated = any(sign.isdigit() for sign in words)
            break
    words = _BEHIND.sub("", words).strip()
    bare = words.rstrip(":：").strip('"“”„« »\u00a0')
    if bare.casefold() in _NOBODY:
        return None
    # The colon stays behind words that may be more than a name: `by_known_name` takes it off.
    return bare + ":" if (dated or words.endswith((":", "："))) and " " in bare else bare


def by_known_name(author: str, names: Iterable[str]) -> str:
    """The author of a caption whose words are unknown, `NAME has put down:`: the longest known name at its beginning.

    Without one all of it stays, so that nobody is named who did not write.
    """
    if not author.endswith(":"):
        return author
    words = author.rstrip(":")
    known = [name for name in names if name and words.startswith(name) and not words[len(name) :][:1].isalnum()]
    return max(known, key=len, default=words)


_SLUG = Pattern(r"[\W_]+")


def by_slug(author: str, names: Iterable[str]) -> str:
    """The author of a caption that mentions somebody, `@ren-aoki`: the known name that is written so in addresses."""
    if not author.startswith("@"):
        return author
    slug = _SLUG.sub("-", author[1:].casefold()).strip("-")
    return next((name for name in names if name and _SLUG.sub("-", name.casefold()).strip("-") == slug), author[1:])


def who(raw: str, urls: Sequence[str | None]) -> tuple[str | None, str | None]:
    """Author and post of a caption: its text with its links marked, and their addresses.

    A link to a profile holds nothing but the name, in whatever language the rest is.
    """
    if LINK not in raw:
        return caption_author(" ".join(raw.split())), None
    author = post = None
    for text, url in zip(raw.split(LINK)[1:], urls, strict=False):
        if url is None:
            continue
        if post is None and (found := _POST.search(url)):
            post = found[1]
        elif author is None and _PROFILE.search(url):
            author = " ".join(text.partition(LINK_END)[0].split()) or None
    return author or caption_author(" ".join(raw.replace(LINK, "").replace(LINK_END, "").split())), post


def first_line_author(text: str) -> str | None:
    """The name in a quote that was typed with its caption: `X wrote:` alone on the first line."""
    first = text.split("\n", 1)[0]
    if len(first) < 100 and first.endswith(":"):
        found = _BEHIND.search(first)
        if found and found.start():
            return first[: found.start()].strip().lstrip("@") or None
    return None
