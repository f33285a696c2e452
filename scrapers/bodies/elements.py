"""What the elements of a post body mean, by tag name and class: data, looked up once per kind of tag.

Classes are those of the boards' own templates and of their common add-ons; an element that is not
listed is plain formatting, and its text stays with its surroundings.

The meanings: inline (nothing), line (on its own line), break, rule, cell, link, image, skip (content
is no text of the post), void (has neither content nor end), caption and cite (words about its
block), codebox (frame with a caption around code), pre, code, quote, spoiler, spoiler body,
hidden (content that is shown at a click), signature, ooc, attachment, struck (words taken back), roll (one
die or several in a marked span), widget (an add-on's whole roll), label (words in it that the poster has typed),
rolling (a frame that looks like a roll and is of no add-on that is known), preview (what a linked page says of itself).
"""

from __future__ import annotations

from functools import lru_cache

from scrapers.patterns import Pattern


def words_of(text: str) -> list[str]:
    """The words of a table's line."""
    return text.split()


_BY_NAME = {
    "br": "break",
    "img": "image",
    "a": "link",
    "blockquote": "quote",
    "pre": "pre",
    "code": "code",
    "details": "spoiler",
    "summary": "caption",
    "cite": "cite",
    "td": "cell",
    "th": "cell",
    **dict.fromkeys(words_of("s strike del"), "struck"),
    **dict.fromkeys(
        words_of(
            "p div ul ol li dl dt dd table thead tbody tfoot tr h1 h2 h3 h4 h5 h6 center section article header "
            "footer figure figcaption address fieldset legend main nav aside form caption menu dir body"
        ),
        "line",
    ),
    **dict.fromkeys(words_of("input wbr link meta base col area embed source track param keygen frame"), "void"),
    "hr": "rule",
    **dict.fromkeys(
        words_of(
            "script style noscript template iframe xmp noembed noframes plaintext textarea select button object "
            "audio video canvas svg math title head datalist"
        ),
        "skip",
    ),
}

#: Classes of the add-ons whose rolls are known.
WIDGETS = words_of("rpg_dice_roll dicebox dice_container dice-results random-results dice-roll")
_BY_CLASS = {
    "quotebox": "quote",
    "quotecontent": "quote",
    "bbc_quote": "quote",
    "quotetitle": "caption",
    "quoteheader": "caption",
    "quote-header": "caption",
    "quote_header": "caption",
    "quotefooter": "skip",
    "codeheader": "skip",
    "codetitle": "skip",
    "codecontent": "code",
    "codebox": "codebox",
    "codeblock": "codebox",
    "code-block": "codebox",
    "postsignature": "signature",
    "post-signature": "signature",
    "signature": "signature",
    "sig-content": "signature",
    "postedit": "skip",
    "post_edit": "skip",
    "edited_post": "skip",
    "lastedit": "skip",
    "lastedited": "skip",
    "ooc": "ooc",
    "attachbox": "attachment",
    "inline-attachment": "attachment",
    "attachtitle": "skip",
    "attachcontent": "attachment",
    "attachments": "attachment",
    **dict.fromkeys(WIDGETS, "widget"),
    **dict.fromkeys(words_of("rpg_dice_label dice-label"), "label"),
    "panel-collapse": "hidden",
    "link-preview": "preview",
    **dict.fromkeys(
        [
            "spoiler",
            "bbc_spoiler",
            "spoilerbox",
            "spoiler_wrap",
            "spoiler-wrap",
            "sp-wrap",
            "bbcodespoiler",
            "spoiler-container",
            "ns-spoiler",
        ],
        "spoiler",
    ),
    **dict.fromkeys(
        [
            "spoiler_content",
            "spoilerbody",
            "spoiler-content",
            "spoiler_body",
            "spoiler-body",
            "sp-body",
            "spoilercontent",
            "ns-spoiler-content",
        ],
        "spoiler body",
    ),
    **dict.fromkeys(
        words_of(
            "spoiler_title spoilertitle spoiler-title spoilerheader spoiler_header spoiler-header sp-head "
            "spoiler_head spoilerhead ns-spoiler-control"
        ),
        "caption",
    ),
}

#: Classes of rollers that are not listed: staff may have made them, and a poster may fill them with his own words.
_ROLLING = Pattern(
    r"(?:^| )(?:[a-z]{1,20}[_-])?(?:dice|roll|die)[_-]?"
    r"(?:roll(?:ed)?|results?|box|rolls|block|container|wrap(?:per)?)(?:$| )"
)


#: Content that a reader sees at a click only: spoilers that staff made out of plain elements.
_HIDDEN = Pattern(r' style="(?:[^"]{0,200};)? ?display: ?none')


def look_up(tag: str) -> tuple[str, str]:
    """Name and meaning of a start tag, given without its brackets."""
    # What is kept must not grow with what a page puts into its tags (pictures as data: addresses).
    return _known(tag) if len(tag) < 200 else _meaning(tag)


def _meaning(tag: str) -> tuple[str, str]:
    """Name and meaning of a start tag."""
    name = tag.split(" ", 1)[0]
    what = _BY_NAME.get(name, "inline")
    if what in ("skip", "void", "break", "image", "link"):
        return name, what
    at = tag.find(' class="')
    classes = tag[at + 8 : tag.find('"', at + 8)].lower().split() if at >= 0 else []
    if name == "span" and "data-dice" in tag and "roll" in classes:
        return name, "roll"
    if name == "span" and "line-through" in tag:
        return name, "struck"
    if 'component="post/signature"' in tag:
        return name, "signature"
    if (
        name in ("div", "span")
        and not any(word in _BY_CLASS for word in classes)
        and _ROLLING.search(" ".join(classes))
    ):
        return name, "widget" if "vaultbb" in tag else "rolling"
    if what == "line" and "display:" in tag and _HIDDEN.search(tag) and not any(word in _BY_CLASS for word in classes):
        return name, "hidden"
    marked = next((_BY_CLASS[word] for word in classes if word in _BY_CLASS), what)
    return name, what if marked == "code" and what == "pre" else marked


_known = lru_cache(maxsize=1024)(_meaning)
