"""What the store keeps on real databases: threads, rolls, findings, rulings, incidents.

PostgreSQL runs where REFEREE_POSTGRES_URL names a database that may be written to.
"""

import importlib
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.model.battle import Edit, Post, Revision, RollRecord, Ruling
from referee.model.text import Block, Mark
from referee.ports.boards import ThreadRead
from referee.store import open_store
from referee.store.saving import ThreadSave
from tests.support.stored import NOW, finding, post, save

sys.path.insert(0, str(Path(__file__).parent))
toy = importlib.import_module("toy_forum")


# Threads


def test_posts_come_back_as_they_were_read(store):
    blocks = (
        Block(
            "own",
            "[Damage: 3] \u202e \U0001f3b2 a\x00b \ud800",
            marks=(Mark(0, 4, "http://d.test/1"), Mark(5, 6, dice="1d6"), Mark(6, 7, dice="1d6", typed=True)),
        ),
        Block("quote", "q", "Ren", "12"),
        Block("spoiler", "s", title="stats"),
        Block("signature", "sig"),
    )
    edit = Edit(NOW, "Mod", 2, "typo")
    full = Post("x-1", "Ren", (Revision(blocks),), NOW, "minute", "text", edit, None, 7, "u4", "http://b.test/#7")
    bare = Post("x-2", "", (Revision(()),), precision="unknown")
    thread = save(store, full, bare).thread
    one, two = store.threads.posts(thread)
    assert one == Post(
        "x-1", "Ren", (Revision(blocks, NOW),), NOW, "minute", "text", edit, None, 7, "u4", "http://b.test/#7"
    )
    assert two == Post("x-2", "", (Revision((), NOW),), precision="unknown")


def test_a_thread_is_found_by_its_addresses(store):
    thread = save(store, post(1, "a")).thread
    for asked in ("http://b.test/t/1", "http://b.test/t/1?x=1"):
        assert store.threads.find("b", asked).id == thread
    assert store.threads.find("c", "http://b.test/t/1") is None
    assert store.threads.find("b", "http://b.test/t/2") is None


def test_an_address_that_leads_to_another_thread_now(store):
    first = save(store, post(1, "a")).thread
    other = ThreadRead("http://b.test/t/2", "thread", (post(1, "z"),), "2", None, "toy", complete=True)
    second = store.threads.save(ThreadSave("b", "http://b.test/t/1?x=1", other, "toy/1", NOW)).thread
    assert second != first and store.threads.find("b", "http://b.test/t/1?x=1").id == second
    assert store.threads.posts(first)[0].blocks[0].text == "a"


def test_a_text_that_goes_back_and_forth_has_each_revision(store):
    for hour, words in enumerate(["a", "b", "a", "a"]):
        thread = save(store, post(1, words), now=NOW + timedelta(hours=hour)).thread
    (found,) = store.threads.posts(thread)
    assert [(r.blocks[0].text, r.seen.hour) for r in found.revisions] == [("a", 12), ("b", 13), ("a", 14)]


def test_better_times_win_and_relative_ones_do_not_wander(store):
    def at(minutes, precision, origin):
        moment = NOW + timedelta(minutes=minutes)
        thread = save(store, Post("1", "Ren", (Revision((Block("own", "a"),)),), moment, precision, origin)).thread
        return round((store.threads.posts(thread)[0].at - NOW) / timedelta(minutes=1))

    assert at(0, "minute", "relative") == 0
    assert at(1, "minute", "relative") == 0
    assert at(2, "second", "attribute") == 2
    assert at(5, "minute", "text") == 2
    assert at(62, "second", "attribute") == 62, "the board's zone was put right"


def test_a_known_author_is_not_lost_by_a_page_without_names(store):
    known = post(1, "a", author_id="7")
    thread = save(store, known).thread
    save(store, replace(known, author="", author_id=None))
    save(store, replace(known, author_id=None))
    (stored,) = store.threads.as_read(thread).posts
    assert (stored.author, stored.author_id) == ("Ren", "7")
    save(store, replace(known, author="Ren Aoki", author_id="8"))
    (stored,) = store.threads.as_read(thread).posts
    assert (stored.author, stored.author_id) == ("Ren Aoki", "8")


def test_a_relative_edit_time_is_no_new_edit_each_time(store):
    def seen(minutes, origin, count=None):
        edit = Edit(NOW + timedelta(minutes=minutes), "Ren", count)
        return save(store, Post("1", "Ren", (Revision((Block("own", "a"),)),), NOW, "minute", origin, edit)).edited

    assert not seen(0, "relative") and not seen(3, "relative")
    save(store, post(2, "b"))
    assert not seen(60, "relative") and not seen(60, "relative")
    assert seen(60, "attribute", 1) and not seen(90, "attribute", 1) and seen(90, "attribute", 2)


def test_a_newer_reader_changes_texts_in_place_unless_the_board_says_edited(store):
    save(store, post(1, "a"), post(2, "b"))
    done = save(store, post(1, "A"), post(2, "B", edited=Edit(NOW, "Ren", 1)), reader="toy/2")
    assert done.edited == ("2",)
    one, two = store.threads.posts(done.thread)
    assert [len(one.revisions), len(two.revisions)] == [1, 2] and one.blocks[0].text == "A"
    assert save(store, post(1, "changed"), post(2, "B", edited=Edit(NOW, "Ren", 1)), reader="toy/2").edited == ("1",)


def test_the_key_changes_with_what_it_stands_for(store):
    thread = save(store, post(1, "a"), post(2, "b"), post(3, "c")).thread
    keys = [store.threads.key(thread)]

    def changed():
        keys.append(store.threads.key(thread))
        return keys[-1] != keys[-2]

    save(store, post(1, "a"), post(2, "b"), post(3, "c"), now=NOW + timedelta(hours=1))
    assert not changed(), "another reading of the same"
    save(store, post(1, "a"), post(2, "bb"), post(3, "c"))
    assert changed()
    save(store, post(1, "a"), post(3, "c"), deleted=frozenset({"2"}))
    assert changed()
    link = "http://d.test/1"
    for record in (RollRecord(link, "missing"), RollRecord(link, values=(3,)), RollRecord(link, values=(4,))):
        store.rolls.keep(record, thread=thread)
        assert changed()
        store.rolls.keep(record, thread=thread)
        assert not changed()
    number = store.decisions.add_ruling(thread, Ruling("1", {"x": 1}))
    assert changed()
    store.decisions.withdraw_ruling(number)
    assert changed() and keys[-1] == keys[-3]
    assert store.threads.key(thread, ["2"]) != keys[-1]


def test_numbers_that_no_column_takes_do_no_harm(store):
    huge = replace(post(1, "a", edited=Edit(count=10**12)), number=10**30)
    thread = save(store, huge, Post("y" * 5000, "Ren", (Revision(()),), datetime.max.replace(tzinfo=UTC))).thread
    one, two = store.threads.posts(thread)
    assert one.number is None and one.edited.count is None and len(two.id) < 1200
    assert not save(store, huge, Post("y" * 5000, "Ren", (Revision(()),), datetime.max.replace(tzinfo=UTC))).changed


# Rolls


def test_a_roll_keeps_what_it_showed(store):
    link = "http://d.test/1"
    first = RollRecord(link, "found", NOW, "Ren", "1d100", (70,), "dodge")
    second = RollRecord(link, "found", NOW, "Ren", "1d100", (7,), "dodge")
    assert store.rolls.get(link) is None
    store.rolls.keep(first)
    store.rolls.keep(first)
    assert store.rolls.get(link) == first
    store.rolls.keep(RollRecord(link, "unreachable"))
    assert store.rolls.get(link) == first, "what is known stays known while the service is away"
    store.rolls.keep(second)
    assert store.rolls.get(link) == RollRecord(link, "found", NOW, "Ren", "1d100", (7,), "dodge", (first,))
    store.rolls.keep(RollRecord(link, "missing"))
    assert store.rolls.get(link) == RollRecord(link, "missing", earlier=(first, second))
    assert [status for _, status in store.rolls.statuses(link)] == ["found", "unreachable", "found", "missing"]


def test_rolls_of_a_thread(store):
    thread = save(store, post(1, "a")).thread
    for n, status in enumerate(["found", "unreachable", "missing"]):
        store.rolls.keep(RollRecord(f"http://d.test/{n}", status), thread=thread)
    store.rolls.keep(RollRecord("http://d.test/9", "unreachable"))
    assert list(store.rolls.of_thread(thread)) == [f"http://d.test/{n}" for n in range(3)]
    assert store.rolls.pending(thread) == ("http://d.test/1",)
    store.rolls.keep(RollRecord("http://d.test/1", "found", values=(2,)), thread=thread)
    assert store.rolls.pending(thread) == ()


def test_a_thread_rests_on_the_rolls_that_it_still_uses(store):
    thread = save(store, post(1, "a")).thread
    for n in range(3):
        store.rolls.keep(RollRecord(f"http://d.test/{n}", "unreachable"), thread=thread, now=NOW + timedelta(hours=n))
    store.rolls.use(thread, ["http://d.test/2", "http://d.test/1", "http://d.test/never-seen"])
    assert list(store.rolls.of_thread(thread)) == ["http://d.test/1", "http://d.test/2"]
    assert store.rolls.oldest_look(thread) == NOW + timedelta(hours=1)
    assert store.rolls.pending(thread) == ("http://d.test/1", "http://d.test/2"), "using is not looking"
    store.rolls.use(thread, [])
    assert store.rolls.pending(thread) == () and store.rolls.oldest_look(thread) is None


def test_two_that_store_one_thread_at_once(place):
    with open_store(place) as store:
        done = []
        workers = [
            threading.Thread(target=lambda: done.append(save(store, *(post(n, "a") for n in range(50)))))
            for _ in range(4)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert sorted(len(saved.new) for saved in done) == [0, 0, 0, 50]
        assert len(store.threads.posts(done[0].thread)) == 50


# Findings, rulings, incidents


def test_findings_from_run_to_run(store):
    thread = save(store, post(1, "a")).thread
    first = store.findings.replace(thread, [finding("a"), finding("b"), finding("a")])
    assert first.new == ("a", "b")
    assert store.findings.replace(thread, [finding("a"), finding("b")]) == type(first)()
    assert store.decisions.decide(thread, "a", "dismissed", by="mod", reason="fog")
    assert not store.decisions.decide(thread, "z", "dismissed")
    assert [(d.fingerprint, d.disposition, d.by, d.reason) for d in store.decisions.log(thread)] == [
        ("a", "dismissed", "mod", "fog")
    ]
    assert store.findings.replace(thread, [finding("a")]).gone == ("b",)
    assert [f.fingerprint for f in store.findings.all(thread)] == ["a"]
    changes = store.findings.replace(thread, [finding("a", "other facts"), finding("b")])
    assert (changes.changed, changes.reopened, changes.returned, changes.new) == (("a",), ("a",), ("b",), ())
    assert [(f.disposition, f.payload["message"]) for f in store.findings.all()] == [("open", "m\x00")] * 2


def test_when_a_finding_last_became_news(store):
    thread = save(store, post(1, "a")).thread

    def after(hours, *found):
        store.findings.replace(thread, found, NOW + timedelta(hours=hours))
        return {f.fingerprint: (f.changed_at - NOW) // timedelta(hours=1) for f in store.findings.all(thread)}

    assert after(0, finding("a"), finding("b")) == {"a": 0, "b": 0}
    assert after(1, finding("a"), finding("b")) == {"a": 0, "b": 0}
    assert after(2, finding("a", "other facts")) == {"a": 2}
    assert after(3, finding("a", "other facts"), finding("b")) == {"a": 2, "b": 3}


def test_rulings(store):
    thread = save(store, post(1, "a")).thread
    ruling = Ruling("1", {"hit_chance": -10}, "Ren", None, "staff", "fog")
    number = store.decisions.add_ruling(thread, ruling)
    assert [stored.ruling for stored in store.decisions.rulings(thread)] == [ruling]
    assert store.decisions.withdraw_ruling(number) and not store.decisions.withdraw_ruling(number)
    assert not store.decisions.rulings(thread)
    assert store.decisions.rulings(thread, withdrawn=True)[0].withdrawn_at is not None


def test_incidents_are_opened_counted_closed_and_opened_anew(store):
    assert store.incidents.note("login", "b", "http://b.test/1", "asks for a login", NOW)
    assert not store.incidents.note("login", "b", "http://b.test/1", "still", NOW + timedelta(hours=1))
    store.incidents.note("login", "b", "http://b.test/2", "asks", NOW)
    newest, other = store.incidents.all()
    assert (newest.count, newest.message, newest.opened_at, newest.last_at.hour) == (2, "still", NOW, 13)
    assert (other.count, other.subject) == (1, "http://b.test/2")
    assert store.incidents.close("b", "http://b.test/1", "page") == 0
    assert store.incidents.close("b", "http://b.test/1") == 1
    assert [i.subject for i in store.incidents.all()] == ["http://b.test/2"]
    assert store.incidents.note("login", "b", "http://b.test/1", "again")
    assert [i.count for i in store.incidents.all(closed=True)] == [1, 2, 1]
    assert not store.incidents.all(board="c")
