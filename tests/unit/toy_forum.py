"""An invented forum for the tests of store, gather and cycle: a real HTTP server on loopback, and its board reader.

Also a script: `python toy_forum.py run DATA_DIR URL...` makes one pass, `watch DATA_DIR URL...` stays.
"""

from __future__ import annotations

import html
import os
import re
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from sqlalchemy import create_engine, text

from referee.model.battle import Edit, Post, Revision
from referee.model.text import Block, Mark
from referee.network import Session, Settings, Site
from referee.ports.boards import Board, Page, Reading, ReadOptions, ThreadPage, ThreadRead, Wish

START = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)


@dataclass
class ToyPost:
    id: int
    text: str
    author: str = "Ren"
    edited: str = ""
    deleted: bool = False


@dataclass
class Forum:
    """Threads of posts, and what goes wrong. `before(path)` may change things while pages are served.

    `numbered`: each post has its number in the thread, and no page counts them all.
    """

    threads: dict[str, list[ToyPost]] = field(default_factory=dict)
    page_size: int = 10
    asked: list[str] = field(default_factory=list)
    status: dict[str, int] = field(default_factory=dict)
    instead: dict[str, str] = field(default_factory=dict)
    stated: int | None = None
    numbered: bool = False
    before: Callable[[str], object] = lambda path: None
    delay: float = 0.0
    base: str = ""
    signature: str = "my signature"
    robots: str = "User-agent: *\nAllow: /\n"

    def fill(self, thread: str, count: int, first: int = 1) -> None:
        self.threads[thread] = [ToyPost(first + n, f"[Damage: {n}] (http://dice.test/r/{n})") for n in range(count)]

    def url(self, thread: str = "1") -> str:
        return f"{self.base}/t/{thread}"

    @property
    def pages(self) -> list[str]:
        return [path for path in self.asked if path != "/robots.txt"]

    def page(self, path: str) -> tuple[int, str]:
        found = re.match(r"/t/(\w+)(?:\?page=(\d+))?", path)
        if not found or found[1] not in self.threads:
            return 404, "<html><p>toyboard: no such thread</p></html>"
        posts, number = self.threads[found[1]], int(found[2] or 1)
        shown = posts[(number - 1) * self.page_size : number * self.page_size]
        more = number * self.page_size < len(posts)
        count = len(posts) if self.stated is None else self.stated
        visits = len(self.asked)
        link = f'<a rel="next" href="/t/{found[1]}?page={number + 1}">next</a>' if more else ""
        said = "" if self.numbered else f"<b>{count} posts</b>"
        body = "".join(self.article(post, visits, posts.index(post) + 1) for post in shown)
        return 200, f"<html><p>toyboard 1.0, visit {visits}</p><h1>Bridge</h1>{said}{body}{link}</html>"

    def article(self, post: ToyPost, visits: int, place: int) -> str:
        at = START + timedelta(hours=post.id)
        avatar = f'<img src="/avatar/{visits}.png">'
        gone = "deleted" if post.deleted else ""
        text = "" if post.deleted else html.escape(post.text)
        number = f"<i>#{place}</i>" if self.numbered else ""
        return (
            f'<article id="p{post.id}" author="{html.escape(post.author)}" at="{at:%Y-%m-%dT%H:%M:%S}" '
            f'edited="{post.edited}" state="{gone}">{number}{avatar}<pre>{text}</pre>'
            f"<small>{self.signature}</small><a href='/t/1?sid={visits:032x}'>link</a></article>"
        )


class Server:
    """Serves a forum on loopback; a context manager."""

    def __init__(self, forum: Forum) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                forum.asked.append(self.path)
                forum.before(self.path)
                time.sleep(forum.delay if self.path != "/robots.txt" else 0)
                status, body = (200, forum.robots) if self.path == "/robots.txt" else forum.page(self.path)
                status, body = forum.status.get(self.path, status), forum.instead.get(self.path, body)
                sent = body.encode("utf-8", "surrogatepass")
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.forum = forum
        forum.base = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> Forum:
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self.forum

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def session_for(forum_base: str, memory: object = None, retries: int = 0) -> Session:
    site = Site(host=urlsplit(forum_base).netloc, allow_private=True, pace=0)
    return Session(Settings(contact="staff@example.org", sites=(site,), retries=retries), memory)  # type: ignore[arg-type]


_ARTICLE = re.compile(
    r'<article id="p(\d+)" author="([^"]*)" at="([^"]*)" edited="([^"]*)" state="([^"]*)">'
    r"(?:<i>#(\d+)</i>)?.*?<pre>(.*?)</pre><small>(.*?)</small><a href='([^']*)'>",
    re.DOTALL,
)


def _post(page: Page, match: re.Match[str]) -> Post:
    number, author, at, edited, state, place, text, signature, link = match.groups()
    words = html.unescape(text)
    blocks = [Block("own", words, marks=(Mark(0, 1, url=urljoin(page.url, link)),))] if words else []
    moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
    notice = Edit(at=datetime.fromisoformat(edited).replace(tzinfo=UTC), by=author) if edited else None
    return Post(
        number,
        html.unescape(author),
        (Revision((*blocks, Block("signature", signature))),),
        at=moment,
        origin="attribute",
        edited=notice,
        deleted=datetime(2026, 4, 1, tzinfo=UTC) if state else None,
        number=int(place) if place else None,
        permalink=f"{page.url}#p{number}",
    )


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    shown = page.body.decode("utf-8", "replace")
    if options.selectors.get("crash"):
        raise ValueError("the reader is broken")
    if "please log in" in shown:
        return ThreadPage("login")
    if page.status == 404:
        return ThreadPage("missing")
    posts = tuple(_post(page, match) for match in _ARTICLE.finditer(shown))
    if options.selectors.get("upper"):
        posts = tuple(_shouting(post) for post in posts)
    if "toyboard" not in shown or not posts:
        return ThreadPage("unknown")
    following = re.search(r'<a rel="next" href="([^"]*)"', shown)
    stated = re.search(r"<b>(\d+) posts</b>", shown)
    return ThreadPage(
        "thread",
        posts,
        thread_id=urlsplit(page.url).path.rsplit("/", 1)[-1],
        url=canonical(page.url),
        title="Bridge",
        engine="toy",
        next_url=urljoin(page.url, following[1]) if following else None,
        posts_stated=int(stated[1]) if stated else None,
    )


def _shouting(post: Post) -> Post:
    blocks = tuple(Block(b.kind, b.text.upper(), marks=b.marks) for b in post.blocks)
    return Post(post.id, post.author, (Revision(blocks),), post.at, origin="attribute", edited=post.edited)


def canonical(url: str) -> str:
    return url.split("?")[0].split("#")[0]


def read_thread(url: str, first: Page | None, options: ReadOptions) -> Reading:
    page = first if first is not None else (yield Wish(url))
    read = read_page(page, options)
    if read.kind != "thread":
        return ThreadRead(url, read.kind)
    posts, problems, stated = list(read.posts), [], read.posts_stated
    while read.next_url:
        page = yield Wish(read.next_url)
        read = read_page(page, options)
        if read.kind != "thread":
            problems.append(f"{page.url}: page is {read.kind}")
            break
        posts.extend(read.posts)
        stated = read.posts_stated
    return ThreadRead(
        canonical(url),
        "thread",
        tuple({post.id: post for post in posts}.values()),
        thread_id=urlsplit(url).path.rsplit("/", 1)[-1],
        title="Bridge",
        engine="toy",
        posts_stated=stated,
        complete=not problems,
        problems=tuple(problems),
    )


def marks(page: Page) -> int:
    return 90 if b"toyboard" in page.body else 0


TOY = Board("toy", "the word toyboard", marks, read_page, canonical, read_thread)


@contextmanager
def empty_database(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty database: a file, or a schema of its own in REFEREE_POSTGRES_URL."""
    if kind == "sqlite":
        yield str(folder / "referee.db")
        return
    server = os.environ.get("REFEREE_POSTGRES_URL")
    if not server:
        if os.environ.get("CI"):
            pytest.fail("REFEREE_POSTGRES_URL is not set: under CI, PostgreSQL must be there")
        pytest.skip("REFEREE_POSTGRES_URL is not set: PostgreSQL not tested")
    schema = f"t{uuid.uuid4().hex[:12]}"
    engine = create_engine(server.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    yield f"{server}?options=-csearch_path%3D{schema}"
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@dataclass
class BoardSettings:
    """The attributes of the configuration's board that a pass uses."""

    url: str
    threads: list[str]
    forums: list[str] = field(default_factory=list)
    forum_pages: int = 2
    ignore: list[str] = field(default_factory=list)
    engine: str | None = None
    ruleset: str | None = "shinobi"
    profile: str | None = None
    timezone: str = "UTC"
    judges: list[str] = field(default_factory=list)
    allow_private: bool = True
    pace: float = 0.0
    selectors: dict[str, str] = field(default_factory=dict)


@dataclass
class Settings_:
    """The attributes of the configuration that a pass uses."""

    data_dir: Path
    boards: dict[str, BoardSettings]
    database: str | None = None
    contact: str = "staff@example.org"
    schedule: str | None = None
    every: str | None = None


def config_for(folder: Path, *urls: str, **more: object) -> Settings_:
    base = "{0.scheme}://{0.netloc}/".format(urlsplit(urls[0]))
    return Settings_(folder, {"toy": BoardSettings(base, list(urls), **more)})  # type: ignore[arg-type]


def main(action: str, folder: str, *urls: str) -> int:
    """One pass, or a watch, in a process of its own; each thread's number of posts is printed when judged."""
    from referee.app.cycle import CycleOptions, run_cycle
    from referee.app.schedule import watch
    from referee.store import open_store

    config = config_for(Path(folder), *urls)
    config.every = "1s"

    def once(stop: Callable[[], bool]) -> int:
        with open_store(Path(folder) / "referee.db") as store:
            session = session_for(urls[0], store.memory)
            result = run_cycle(
                config,
                store,
                session,
                [TOY],
                lambda work: print("judged", len(work.read().posts), flush=True),
                lambda event: print(event.kind, event.text, flush=True),
                CycleOptions(stop=stop),
            )
        return result.status

    if action == "watch":
        watch(config, once, lambda line: print(line, flush=True))
        return 0
    spent = time.process_time()
    status = once(lambda: False)
    print("seconds", time.process_time() - spent, flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
