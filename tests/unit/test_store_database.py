"""The store on real databases: opening, migrations, the archive, memory shared by processes.

PostgreSQL runs where REFEREE_POSTGRES_URL names a database that may be written to.
"""

import hashlib
import importlib
import json
import os
import sqlite3
import subprocess
import sys
import threading
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, text

from referee.ports.boards import Page, Wish
from referee.store import NewerDatabase, StoreError, open_store
from referee.store.database import _MIGRATIONS, HEAD, Database, _as_url, _engine, _make_folder
from referee.store.tables import metadata
from referee.store.upgrade import known_versions, upgrade
from tests.support.stored import GUEST, NOW, post, save

sys.path.insert(0, str(Path(__file__).parent))
toy = importlib.import_module("toy_forum")


# Opening


def test_opening_creates_everything_and_again_changes_nothing(place):
    with open_store(place) as store:
        thread = save(store, post(1, "a")).thread
        with store.database.reading() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": False})
            assert compare_metadata(context, metadata) == []
            assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == HEAD
    with open_store(place) as store:
        assert len(store.threads.posts(thread)) == 1


def test_the_newest_migration_is_the_one_we_say():
    assert max(known_versions(_MIGRATIONS)) == HEAD


def test_a_database_of_the_first_version_is_brought_up_to_date(place):
    """Made by the first migration, with data: what it holds stays; a finding's first sight is when it became news."""
    if _as_url(place).get_backend_name() == "sqlite":
        _make_folder(_as_url(place))
    database = Database(_engine(_as_url(place)))
    with database.writing() as connection:
        upgrade(connection, _MIGRATIONS, "0001")
        _first_version_rows(connection)
    database.close()
    with open_store(place) as store:
        found = store.threads.find("b", "http://f.example/t/1")
        assert [(post.id, post.blocks[0].text) for post in store.threads.posts(found.id)] == [("1", "hello")]
        assert [(f.fingerprint, f.changed_at) for f in store.findings.all(found.id)] == [("a", NOW)]
        # What rested on the pages of that time is not known: they are kept.
        assert store.archive.prune(datetime.now(UTC)).pages == 0
        assert store.archive.get(1).page.body == b"page"
        with store.database.reading() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def _first_version_rows(connection):
    """A thread with a post, a finding and two archived pages, in the columns of the first version."""
    rows = MetaData()
    rows.reflect(connection, only=["bodies", "fetches", "threads", "addresses", "posts", "revisions", "findings"])
    tables, old = rows.tables, NOW.replace(tzinfo=None) if connection.dialect.name == "sqlite" else NOW
    packed = zlib.compress(json.dumps([["own", "hello", None, None, None, []]]).encode())
    seen = {"first_seen": old, "last_seen": old}
    digest = hashlib.sha256(b"page").hexdigest()
    fetch = {"asked": "u", "url": "u", "accept": "", "status": 200, "headers": zlib.compress(b"{}"), "viewer": "guest"}
    thread = {"id": 1, "board": "b", "url": "http://f.example/t/1", "engine": "toy", "reader": "r", "unchanged": 0}
    post_row = {"id": 1, "thread": 1, "post": "1", "place": 0, "author": "Ren", "precision": "minute", "text_hash": "h"}
    revision = {"post": 1, "ordinal": 0, "seen": old, "text_hash": "h", "reader": "r", "blocks": packed}
    found = {"thread": 1, "fingerprint": "a", "facts": "f", "code": "dice/values", "severity": "error", "post": "1"}
    for table, row in (
        ("bodies", {"sha256": digest, "size": 4, "packed": zlib.compress(b"page")}),
        ("fetches", {**fetch, "id": 1, "received_at": old, "scraper": "toy", "scraper_version": "0", "body": digest}),
        ("fetches", {**fetch, "id": 2, "received_at": old, "scraper": "toy", "scraper_version": "0", "body": digest}),
        ("threads", {**thread, **seen, "changed_at": old}),
        ("addresses", {"board": "b", "asked": "http://f.example/t/1", "thread": 1}),
        ("posts", {**post_row, **seen, "origin": "text", "edited": False}),
        ("revisions", revision),
        ("findings", {**found, **seen, "payload": zlib.compress(b"{}"), "disposition": "open"}),
    ):
        connection.execute(tables[table].insert(), row)


def test_a_newer_database_is_left_alone(place):
    with open_store(place) as store, store.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    with pytest.raises(NewerDatabase, match=r"newer referee.*0999.*update referee"):
        open_store(place)


def test_sqlite_is_set_up_for_several_processes(tmp_path):
    with open_store(tmp_path / "a.db") as store, store.database.reading() as connection:
        values = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "busy_timeout", "synchronous")
        ]
    assert values == ["wal", 1, 30000, 2]


def test_files_that_are_no_database_of_ours(tmp_path):
    (tmp_path / "text.db").write_text("this is no database at all" * 100)
    with pytest.raises(StoreError, match=r"text\.db: is not a database"):
        open_store(tmp_path / "text.db")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE threads (x)")
    with pytest.raises(StoreError, match="another program"):
        open_store(tmp_path / "other.db")
    with pytest.raises(StoreError, match="not supported"):
        open_store("mysql://localhost/x")
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot make the folder"):
        open_store(tmp_path / "file" / "a.db")


def test_two_processes_may_open_an_empty_database_at_once(place):
    code = "import sys; from referee.store import open_store; open_store(sys.argv[1]).close()"
    started = [subprocess.Popen([sys.executable, "-c", code, place], stderr=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate(timeout=60)[1] for process in started] == [b"", b"", b""]


def test_importing_the_app_does_not_load_sqlalchemy():
    code = (
        "import referee.app.cycle, referee.app.schedule, referee.app.gather, referee.store, sys;"
        "print([m for m in ('sqlalchemy', 'alembic', 'apscheduler', 'requests') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_a_password_is_not_shown():
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://user:secret@127.0.0.1:1/none?connect_timeout=2")
    assert "secret" not in str(caught.value) and "127.0.0.1" in str(caught.value)


def test_a_full_file_system_stores_nothing_half(tmp_path):
    """A tiny file system in memory, really full."""
    small = tmp_path / "small"
    small.mkdir()
    if (
        os.geteuid()
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", small], check=False).returncode
    ):
        pytest.skip("only root may mount a small file system")
    try:
        with open_store(small / "referee.db") as store:
            kept = 0
            with pytest.raises(StoreError, match="the disk is full"):
                for n in range(100):
                    store.archive.keep(Wish(f"http://b.test/{n}"), Page("", os.urandom(100_000)), GUEST)
                    kept += 1
            assert kept > 3
            bodies = [store.archive.newest_of(f"http://b.test/{n}") for n in range(kept)]
            assert all(fetch is not None and len(fetch.page.body) == 100_000 for fetch in bodies)
            assert store.archive.newest_of(f"http://b.test/{kept}") is None
    finally:
        subprocess.run(["umount", small], check=True)


# The archive and the memory


def test_the_archive_keeps_pages_as_they_came(store):
    wish = Wish("http://b.test/1", "application/json")
    page = Page("http://b.test/one", b"\x00\xffraw", 200, {"ETag": '"1"', "X": "\udcff\x00"}, NOW)
    store.archive.keep(wish, page, GUEST)
    fetch = store.archive.newest(wish)
    assert (fetch.page, fetch.wish, fetch.reader) == (page, wish, GUEST)
    assert store.archive.newest(Wish("http://b.test/1")) is None, "another media type is another page"
    assert store.archive.newest(wish, viewer="staff") is None
    store.archive.keep(wish, Page("http://b.test/one", b"error", 500), GUEST)
    assert store.archive.newest(wish).page == page, "an error page is kept but is no good answer"
    assert len(store.archive.history(wish)) == 2


def test_the_same_bytes_are_kept_once(store):
    for n in range(5):
        store.archive.keep(Wish(f"http://b.test/{n}"), Page("u", b"same"), GUEST)
    with store.database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM bodies")).scalar() == 1
        assert connection.execute(text("SELECT count(*) FROM fetches")).scalar() == 5


def test_damaged_bytes_are_noticed(store):
    store.archive.keep(Wish("http://b.test/1"), Page("u", b"one"), GUEST)
    store.archive.keep(Wish("http://b.test/2"), Page("u", b"two"), GUEST)
    with store.database.writing() as connection:
        packed = "SELECT packed FROM bodies b JOIN fetches f ON f.body = b.sha256 WHERE f.asked = 'http://b.test/2'"
        connection.execute(text(f"UPDATE bodies SET packed = ({packed})"))
    with pytest.raises(StoreError, match="damaged"):
        store.archive.newest_of("http://b.test/1")


def test_validators(store):
    assert store.memory.validators("http://b.test/1") is None
    store.archive.keep(Wish("http://b.test/1"), Page("http://b.test/1", b"x", headers={"ETag": '"1"'}), GUEST)
    assert store.memory.validators("http://b.test/1") == ('"1"', None, b"x", {"ETag": '"1"'})
    store.archive.keep(Wish("http://b.test/2"), Page("http://b.test/3", b"x", headers={"ETag": '"1"'}), GUEST)
    assert store.memory.validators("http://b.test/2") is None
    store.archive.keep(Wish("http://b.test/1"), Page("http://b.test/1", b"x"), GUEST)
    assert store.memory.validators("http://b.test/1") is None


def test_robots(store):
    assert store.memory.robots("b.test") is None
    store.memory.slot("b.test", 1)
    assert store.memory.robots("b.test") is None
    store.memory.keep_robots("b.test", "User-agent: *")
    words, at = store.memory.robots("b.test")
    assert words == "User-agent: *" and abs(at - datetime.now(UTC).timestamp()) < 5
    store.memory.keep_robots("c.test", "")
    assert store.memory.robots("c.test")[0] == ""


def test_turns_at_a_host_are_shared_by_threads_and_processes(place):
    code = (
        "import sys; from referee.store import open_store\n"
        "with open_store(sys.argv[1]) as store: print(*(store.memory.slot('b.test', 1000) for _ in range(5)))"
    )
    waits = []
    with open_store(place) as store:
        began = datetime.now(UTC).timestamp()
        started = [
            subprocess.Popen([sys.executable, "-c", code, place], stdout=subprocess.PIPE, text=True) for _ in range(2)
        ]
        threads = [
            threading.Thread(target=lambda: waits.extend(store.memory.slot("b.test", 1000) for _ in range(5)))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for process in started:
            waits += [float(wait) for wait in process.communicate(timeout=60)[0].split()]
        took = datetime.now(UTC).timestamp() - began
        assert store.memory.slot("c.test", 1000) == 0, "another host has its own turns"
    assert len(waits) == 20
    # Each turn lies 1000 s after the one before, whoever took it.
    assert sorted(round((wait + took / 2) / 1000) for wait in waits) == list(range(20))


def test_a_clock_that_was_set_back_does_not_stop_a_host_for_ever(store):
    store.memory.slot("b.test", 2)
    with store.database.writing() as connection:
        connection.execute(text("UPDATE hosts SET next_at = next_at + 10000000"))
    assert store.memory.slot("b.test", 2) == 0
