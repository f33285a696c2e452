"""Posts, threads and findings as tests store them."""

from datetime import UTC, datetime

from referee.model.battle import Post, Revision
from referee.model.text import Block
from referee.ports.boards import ThreadRead
from referee.store.archive import Reader
from referee.store.findings import FindingRow
from referee.store.saving import ThreadSave

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
GUEST = Reader("toy", "1")


def post(number, words, **more):
    return Post(str(number), "Ren", (Revision((Block("own", words),)),), NOW, origin="attribute", **more)


def save(store, *posts, now=NOW, reader="toy/1", whole=True, complete=True, **more):
    read = ThreadRead("http://b.test/t/1", "thread", posts, "1", "Bridge", "toy", complete=complete)
    return store.threads.save(ThreadSave("b", "http://b.test/t/1?x=1", read, reader, now, whole, **more))


def finding(name, facts="f", severity="error"):
    return FindingRow(name, facts, "shinobi/loss-hp", severity, "3", "Ren", {"message": "m\x00"})
