"""The sample board's pages, in the structure of phpBB 3.3 with its prosilver style."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files

import jinja2
from markupsafe import Markup

from referee.demo.content import SampleBoard, SamplePost, SampleThread
from referee.demo.markup import body_html


@dataclass(frozen=True, slots=True)
class View:
    """What a page needs to know: the board, the time of its clock, and where the dice log is."""

    board: SampleBoard
    now: datetime
    roll_url: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post as the page shows it."""

    id: str
    author: str
    author_id: int
    at: datetime
    body: Markup
    signature: Markup | None
    edit_by: str | None = None
    edit_at: datetime | None = None
    edit_count: int = 0
    edit_reason: str = ""


def board_date(moment: datetime) -> str:
    """A date as the board writes it in words, whatever the locale: `Mon Mar 03, 2025 6:05 pm`."""
    day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[moment.weekday()]
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    clock = f"{(moment.hour + 11) % 12 + 1}:{moment.minute:02d} {'am' if moment.hour < 12 else 'pm'}"
    return f"{day} {months[moment.month - 1]} {moment.day:02d}, {moment.year} {clock}"


def posts_now(view: View, thread: SampleThread) -> list[SamplePost]:
    """The posts that the board shows at the time of its clock, in thread order."""
    return [post for post in thread.posts if post.there(view.now)]


def index_page(view: View) -> str:
    """The board's index: one line per thread."""
    counts = [(thread, len(posts_now(view, thread))) for thread in view.board.threads]
    return _render("index.html", view, threads=counts)


def thread_page(view: View, thread: SampleThread, start: int) -> str:
    """One page of a thread; an offset beyond the end gives the last page, as phpBB does."""
    size = view.board.posts_per_page
    posts = posts_now(view, thread)
    pages = max(1, -(-len(posts) // size))
    page = min(max(0, start) // size, pages - 1)
    shown = [_shown(view, thread, post) for post in posts[page * size : (page + 1) * size]]
    return _render(
        "viewtopic.html", view, thread=thread, posts=shown, count=len(posts), page=page, pages=pages, size=size
    )


def message_page(view: View, message: str) -> str:
    """The board's own words in the place of a page: `The requested topic does not exist.`"""
    return _render("message.html", view, message=message)


def start_of(view: View, thread: SampleThread, post_id: str) -> int | None:
    """The offset of the page that holds a post, None where the thread does not show it."""
    ids = [post.id for post in posts_now(view, thread)]
    return ids.index(post_id) if post_id in ids else None


def _shown(view: View, thread: SampleThread, post: SamplePost) -> ShownPost:
    signature = thread.signatures.get(post.author)
    edit = post.edit_by(view.now)
    return ShownPost(
        id=post.id,
        author=post.author,
        author_id=view.board.accounts[post.author],
        at=post.at,
        body=body_html(post.text_at(view.now), view.roll_url, _cite(view, thread)),
        signature=None if signature is None else body_html(signature, view.roll_url, _cite(view, thread)),
        edit_by=post.author if edit else None,
        edit_at=edit.at if edit else None,
        edit_count=edit.count if edit else 0,
        edit_reason=edit.reason if edit else "",
    )


def _cite(view: View, thread: SampleThread) -> Callable[[str, str], Markup]:
    """The line above a quote: author, arrow to the quoted post, its date."""
    dates = {post.id: board_date(post.at) for post in thread.posts}

    def line(author: str, post: str) -> Markup:
        return Markup(
            '<cite><a href="./memberlist.php?mode=viewprofile&amp;u={}">{}</a> wrote: '
            '<a href="./viewtopic.php?p={post}#p{post}" data-post-id="{post}">\u2191</a>'
            '<span class="responsive-hide">{}</span></cite>'
        ).format(view.board.accounts[author], author, dates.get(post, ""), post=post)

    return line


def _render(name: str, view: View, **values: object) -> str:
    return _templates().get_template(name).render(board=view.board, style=_style(), **values)


@functools.cache
def _templates() -> jinja2.Environment:
    pages = jinja2.Environment(
        loader=jinja2.PackageLoader("referee.demo", "data"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    pages.filters["board_date"] = board_date
    return pages


@functools.cache
def _style() -> Markup:
    return Markup(files("referee.demo").joinpath("data/board.css").read_text("utf-8"))  # noqa: S704 - our own file


def all_rolls(board: SampleBoard) -> Iterator[tuple[str, dict[str, object]]]:
    """The dice log: id -> the record as the log answers it."""
    for thread in board.threads:
        for roll in thread.rolls:
            time = roll.time.isoformat().replace("+00:00", "Z")
            record: dict[str, object] = {"dice": roll.dice, "results": list(roll.results), "time": time}
            yield roll.id, record | {"roller": roll.roller, "reason": roll.reason}
