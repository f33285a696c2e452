"""Gathering over real HTTP into a real database: revisions, deletions, trouble, the archive."""

import importlib
import sys
from pathlib import Path

import pytest
from sqlalchemy import select

sys.path.insert(0, str(Path(__file__).parent))
toy = importlib.import_module("toy_forum")

from referee.app.gather import ArchiveFetcher, BoardChoice, GatherOptions, Stopped, gather  # noqa: E402
from referee.app.incidents import (  # noqa: E402
    LoginWall,
    PluginCrashed,
    ThreadMissing,
    UnknownEngine,
    Unreached,
    incident_lines,
)
from referee.app.judge import jumps  # noqa: E402
from referee.ports.boards import Board, ReadOptions  # noqa: E402
from referee.store import open_store  # noqa: E402
from referee.store.tables import fetches  # noqa: E402

CHOICE = BoardChoice("toy")


@pytest.fixture
def forum():
    with toy.Server(toy.Forum()) as forum:
        forum.fill("1", 25)
        yield forum


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    with toy.empty_database(request.param, tmp_path) as place, open_store(place) as store:
        yield store


def again(forum, store, choice=CHOICE, **options):
    return gather(forum.url(), choice, toy.session_for(forum.base), [toy.TOY], store, GatherOptions(**options))


def texts(post):
    return [revision.blocks[0].text for revision in post.revisions]


def test_without_a_store(forum):
    done = gather(forum.url(), CHOICE, toy.session_for(forum.base), [toy.TOY])
    assert (len(done.read.posts), done.read.complete, done.asked, done.trouble) == (25, True, 3, None)


def test_the_first_page_tells_the_engine_without_another_request(forum, store):
    other = Board("other", "the word otherboard", lambda page: 0, toy.read_page, toy.canonical, toy.read_thread)
    done = gather(forum.url(), CHOICE, toy.session_for(forum.base), [other, toy.TOY], store)
    assert done.read.engine == "toy"
    assert forum.pages == ["/t/1", "/t/1?page=2", "/t/1?page=3"]


def test_unknown_engine_names_the_marks_and_the_key(forum, store):
    forum.instead["/t/1"] = "<html>something else</html>"
    done = again(forum, store)
    assert isinstance(done.trouble, UnknownEngine) and done.trouble.status == 3
    assert "the word toyboard" in str(done.trouble) and "boards.toy.engine" in str(done.trouble)
    assert [i.kind for i in store.incidents.all()] == ["engine"]
    assert store.archive.newest_of(forum.url()).page.body == b"<html>something else</html>"


def test_configured_engine_wins(forum, store):
    blind = Board("blind", "nothing", lambda page: 0, toy.read_page, toy.canonical, toy.read_thread)
    done = gather(forum.url(), BoardChoice("toy", "blind"), toy.session_for(forum.base), [toy.TOY, blind], store)
    assert done.trouble is None and len(done.read.posts) == 25
    assert store.archive.newest_of(forum.url()).reader.scraper == "blind"
    wrong = gather(forum.url(), BoardChoice("toy", "phpbx"), toy.session_for(forum.base), [toy.TOY], store)
    assert isinstance(wrong.trouble, UnknownEngine) and "toy" in str(wrong.trouble)


def test_an_edit_is_a_revision_and_nothing_else_is(forum, store):
    first = again(forum, store)
    assert len(first.saved.new) == 25
    forum.signature = "another signature"
    second = again(forum, store)
    assert not second.changed, "avatars, visits, session ids and signatures are no edits"
    forum.threads["1"][3].text = "[Damage: 99]"
    third = again(forum, store)
    assert third.saved.edited == ("4",)
    assert texts(third.read.posts[3]) == ["[Damage: 3] (http://dice.test/r/3)", "[Damage: 99]"]
    seen = [revision.seen for revision in third.read.posts[3].revisions]
    assert seen[0] < seen[1] and seen[0].utcoffset().total_seconds() == 0


def test_an_edit_notice_alone_is_a_revision(forum, store):
    again(forum, store)
    forum.threads["1"][3].edited = "2026-03-05T10:00:00"
    done = again(forum, store)
    assert done.saved.edited == ("4",) and done.read.posts[3].edited.at.day == 5
    assert not again(forum, store).changed


def test_a_post_between_two_others_that_is_gone_is_deleted_and_may_return(forum, store):
    again(forum, store)
    removed = forum.threads["1"].pop(11)
    done = again(forum, store)
    assert done.saved.deleted == ("12",)
    post = done.read.posts[11]
    assert post.id == "12" and post.deleted is not None and post.blocks[0].text.startswith("[Damage: 11]")
    assert not again(forum, store).changed, "told once"
    forum.threads["1"].insert(11, removed)
    back = again(forum, store)
    assert back.saved.returned == ("12",) and back.read.posts[11].deleted is None


def test_first_and_last_posts_are_never_called_deleted(forum, store):
    again(forum, store)
    del forum.threads["1"][-2:], forum.threads["1"][0]
    done = again(forum, store)
    assert not done.saved.deleted and [post.id for post in done.read.posts] == [str(n) for n in range(1, 26)]
    # With a later post on the other side of them, they are provably gone.
    forum.threads["1"].append(toy.ToyPost(40, "later"))
    later = again(forum, store)
    assert later.saved.deleted == ("24", "25") and later.read.posts[-1].id == "40"


def test_a_contradicting_count_proves_no_deletion(forum, store):
    again(forum, store)
    forum.threads["1"].pop(11)
    forum.stated = 25
    done = again(forum, store)
    assert not done.saved.deleted and not done.read.complete
    assert [i.kind for i in store.incidents.all()] == ["count"]
    forum.stated = None
    assert again(forum, store).saved.deleted == ("12",)
    assert not store.incidents.all()


def test_a_post_that_slips_to_a_page_already_read_is_not_deleted(forum, store):
    again(forum, store)
    forum.asked.clear()

    def remove_while_reading(path):
        if path == "/t/1?page=2" and len(forum.threads["1"]) == 25:
            forum.threads["1"].pop(0)

    forum.before = remove_while_reading
    done = again(forum, store)
    # Post 11 was on page 2 and is on page 1 now, which had been read.
    assert not done.saved.deleted and len(forum.pages) == 6
    assert all(post.deleted is None for post in done.read.posts)


def test_turned_order_is_drift_and_proves_nothing(forum, store):
    again(forum, store)
    forum.threads["1"].reverse()
    forum.threads["1"].pop(11)
    done = again(forum, store)
    assert not done.saved.deleted
    assert [i.kind for i in store.incidents.all()] == ["drift"]
    assert [post.id for post in done.read.posts] == [str(n) for n in range(1, 26)]


def test_a_tombstone_is_a_deletion_and_keeps_the_text(forum, store):
    again(forum, store)
    forum.threads["1"][24].deleted = True
    done = again(forum, store)
    assert done.saved.deleted == ("25",) and not done.saved.edited
    assert texts(done.read.posts[24]) == ["[Damage: 24] (http://dice.test/r/24)"]


@pytest.mark.parametrize(
    ("status", "body", "error", "kind"),
    [
        (200, "<html>toyboard please log in</html>", LoginWall, "login"),
        (404, "<html>toyboard gone</html>", ThreadMissing, "missing"),
        (503, "busy", Unreached, "unreachable"),
        (200, "<html>toyboard with another skin</html>", None, "page"),
    ],
)
def test_a_thread_out_of_reach_keeps_what_was_stored(forum, store, status, body, error, kind):
    again(forum, store)
    forum.status["/t/1"], forum.instead["/t/1"] = status, body
    for _ in range(2):
        done = again(forum, store)
        assert len(done.read.posts) == 25 and done.trouble.status == 3 and done.trouble.kind == kind
        assert error is None or isinstance(done.trouble, error)
    (incident,) = store.incidents.all()
    assert (incident.kind, incident.count, incident.subject) == (kind, 2, forum.url())
    assert "2x since" in next(incident_lines(store))
    forum.status.clear()
    forum.instead.clear()
    assert again(forum, store).trouble is None and not store.incidents.all()
    assert len(store.incidents.all(closed=True)) == 1


def test_a_page_that_fails_later_leaves_a_part_and_no_deletion(forum, store):
    again(forum, store)
    forum.threads["1"][3].text = "changed"
    del forum.threads["1"][5]
    forum.status["/t/1?page=2"] = 503
    done = again(forum, store, fresh=True)
    assert done.saved.edited == ("4",) and not done.saved.deleted
    assert done.trouble.kind == "unreachable" and len(done.read.posts) == 25
    assert forum.pages[-1] == "/t/1?page=2", "nothing more is asked of a board that fails"


def test_a_crashing_reader_is_an_incident(forum, store):
    done = again(forum, store, BoardChoice("toy", options=ReadOptions(selectors={"crash": "1"})))
    assert isinstance(done.trouble, PluginCrashed) and "the reader is broken" in str(done.trouble)
    assert [i.kind for i in store.incidents.all()] == ["plugin"]
    assert store.archive.newest_of(forum.url()) is not None, "the page is archived before it is read"


def test_pages_are_archived_raw_before_reading(forum, store):
    again(forum, store)
    fetch = store.archive.newest_of(forum.url() + "?page=3")
    assert fetch.page.status == 200 and b"<article" in fetch.page.body
    assert fetch.page.header("content-type") == "text/html; charset=utf-8"
    assert (fetch.reader.scraper, fetch.reader.viewer) == ("toy", "guest")


def test_reading_again_from_the_archive_needs_no_network(forum, store):
    again(forum, store)
    forum.asked.clear()
    done = gather(forum.url(), CHOICE, ArchiveFetcher(store), [toy.TOY])
    assert len(done.read.posts) == 25 and not forum.asked
    missing = gather(forum.url("9"), CHOICE, ArchiveFetcher(store), [toy.TOY])
    assert missing.trouble is not None and "archive" in str(missing.trouble)


def test_a_newer_reader_makes_no_edits_but_finds_real_ones(forum, store):
    again(forum, store)
    forum.threads["1"][7].text = "silently edited"
    shouting = BoardChoice("toy", options=ReadOptions(selectors={"upper": "1"}))
    done = again(forum, store, shouting)
    assert done.saved.edited == ("8",)
    assert texts(done.read.posts[0]) == ["[DAMAGE: 0] (HTTP://DICE.TEST/R/0)"]
    assert texts(done.read.posts[7]) == ["[DAMAGE: 7] (HTTP://DICE.TEST/R/7)", "SILENTLY EDITED"]


def test_the_last_page_is_enough_while_nothing_changes(forum, store):
    again(forum, store)
    forum.asked.clear()
    done = again(forum, store, whole=False)
    assert not done.whole and not done.changed and forum.pages == ["/t/1?page=3"]
    forum.threads["1"] += [toy.ToyPost(n, f"more {n}") for n in range(26, 45)]
    forum.asked.clear()
    done = again(forum, store, whole=False)
    assert len(done.saved.new) == 19 and forum.pages == [f"/t/1?page={n}" for n in (3, 4, 5)]
    assert [post.id for post in done.read.posts] == [str(n) for n in range(1, 45)]
    forum.asked.clear()
    again(forum, store, whole=False)
    assert forum.pages == ["/t/1?page=5"]


def test_a_last_page_that_does_not_fit_has_all_pages_read(forum, store):
    again(forum, store)
    forum.threads["1"].pop(2)
    done = again(forum, store, whole=False)
    assert done.whole and done.saved.deleted == ("3",)


@pytest.mark.parametrize("gone", [2, 23])
def test_numbers_that_have_moved_up_have_all_pages_read(forum, store, gone):
    """A board without a count shows on its last page that a post before it is gone: by the numbers on the others."""
    forum.numbered = True
    again(forum, store)
    forum.asked.clear()
    assert again(forum, store, whole=False).whole is False
    forum.threads["1"].pop(gone)
    done = again(forum, store, whole=False)
    assert done.whole and done.saved.deleted == (str(gone + 1),)
    forum.asked.clear()
    assert again(forum, store, whole=False).whole is False and len(forum.pages) == 1


def test_posts_that_are_gone_have_no_number(forum, store):
    """The numbers behind it move up: beside its old one, posts before it would seem to be missing."""
    forum.numbered = True
    again(forum, store)
    del forum.threads["1"][14], forum.threads["1"][11]
    read = again(forum, store).read
    assert [post.number for post in read.posts] == [*range(1, 12), None, 12, 13, None, *range(14, 24)]
    assert list(jumps(read.posts)) == []


def test_a_last_page_without_names_has_all_pages_read_and_loses_none(forum, store):
    before = again(forum, store).read.posts
    for shown in forum.threads["1"]:
        shown.author = ""
    done = again(forum, store, whole=False)
    assert done.whole and not done.read.complete and "a post without an author" in done.read.problems
    assert [post.author for post in done.read.posts] == [post.author for post in before]


def test_a_thread_of_one_page_needs_no_second_reading_to_prove_a_deletion(forum, store):
    forum.fill("1", 8)
    again(forum, store)
    forum.threads["1"].pop(2)
    forum.asked.clear()
    assert again(forum, store, whole=False).saved.deleted == ("3",) and len(forum.pages) == 2


def test_stopping_leaves_the_pages_and_the_next_reading_goes_on(forum, store):
    with pytest.raises(Stopped):
        again(forum, store, stop=lambda: len(forum.pages) >= 2)
    assert forum.pages == ["/t/1", "/t/1?page=2"] and store.threads.find("toy", forum.url()) is None
    done = again(forum, store)
    assert len(done.read.posts) == 25 and forum.pages[2:] == ["/t/1?page=3"]
    forum.asked.clear()
    again(forum, store)
    assert len(forum.pages) == 3, "a reading that was finished is not gone on with"


def test_two_addresses_of_one_thread_are_one_thread(forum, store):
    first = again(forum, store)
    second = gather(forum.url() + "?page=1", CHOICE, toy.session_for(forum.base), [toy.TOY], store)
    assert first.thread == second.thread and len(second.read.posts) == 25


def test_hostile_text_is_stored_as_far_as_it_can_be(forum, store):
    forum.threads["1"] = [
        toy.ToyPost(1, "a\x00b \u202e " + "[" * 10_000, author="nul\x00"),
        toy.ToyPost(2, "x" * 10**6),
    ]
    done = again(forum, store)
    assert len(done.read.posts) == 2 and done.read.posts[0].blocks[0].text.startswith("a\x00b")
    assert not again(forum, store).changed


def test_a_reading_gone_on_with_keeps_the_proof_of_its_first_part(forum, store):
    """Both readings share the first page: what the first one stored rests on it."""
    forum.status["/t/1?page=2"] = 503
    assert len(again(forum, store).read.posts) == 10
    forum.status.clear()
    assert again(forum, store).saved.new == tuple(str(n) for n in range(11, 26))
    with store.database.reading() as connection:
        shared = connection.execute(select(fetches.c.basis).where(fetches.c.asked == forum.url())).scalars().all()
    assert True in shared
