"""The archive's retention: what is old and replaced goes, what anything rests on stays."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from referee.app.retention import kept_for, prune_step
from referee.model.battle import RollRecord
from referee.ports.boards import Page, Wish
from referee.store.archive import mark_basis
from referee.store.tables import bodies, fetches, readings
from tests.support.stored import GUEST, NOW, post, save

WISH = Wish("http://b.test/t/1")
OLD = datetime.now(UTC) - timedelta(days=500)
LIMIT = datetime.now(UTC) - timedelta(days=400)


def keep(store, words, wish=WISH, status=200):
    return store.archive.keep(wish, Page(wish.url, words.encode(), status), GUEST)


def age(store, *numbers, when=OLD):
    """Make archived pages old; all of them without numbers."""
    query = update(fetches).values(received_at=when)
    with store.database.writing() as connection:
        connection.execute(query.where(fetches.c.id.in_(numbers)) if numbers else query)


def there(store):
    with store.database.reading() as connection:
        pages = connection.execute(fetches.select().order_by(fetches.c.id)).all()
        kept = {row.sha256 for row in connection.execute(bodies.select())}
    assert kept == {row.body for row in pages}
    return [row.id for row in pages]


def test_replaced_pages_go_and_the_newest_stays(store):
    numbers = [keep(store, f"page {n % 3}") for n in range(6)]
    age(store)
    assert store.archive.prunable(LIMIT).pages == 5
    done = store.archive.prune(LIMIT)
    assert (done.pages, there(store)) == (5, numbers[-1:])
    assert done.size > 0
    assert store.archive.newest(WISH).page.body == b"page 2"
    assert store.archive.prune(LIMIT).pages == 0


def test_young_pages_stay(store):
    numbers = [keep(store, f"page {n}") for n in range(3)]
    age(store, numbers[0])
    store.archive.prune(LIMIT)
    assert there(store) == numbers[1:]


def test_errors_go_and_never_stand_for_a_good_page(store):
    good, bad = keep(store, "good"), keep(store, "gone", status=404)
    age(store)
    store.archive.prune(LIMIT)
    assert there(store) == [good]
    assert bad != good


def test_what_a_revision_a_deletion_or_a_move_rests_on_stays(store):
    first = keep(store, "a")
    save(store, post(1, "a"), post(2, "b"), post(3, "c"), pages=(first,))
    nothing = keep(store, "a again")
    save(store, post(1, "a"), post(2, "b"), post(3, "c"), pages=(nothing,))
    edit = keep(store, "a2")
    save(store, post(1, "a2"), post(2, "b"), post(3, "c"), pages=(edit,))
    gone = keep(store, "a2, no b")
    save(store, post(1, "a2"), post(3, "c"), deleted=frozenset("2"), pages=(gone,))
    moved = keep(store, "c only")
    save(store, post(3, "c"), moved=frozenset("1"), pages=(moved,))
    newest = keep(store, "c only, once more")
    save(store, post(3, "c"), pages=(newest,))
    age(store)
    assert store.archive.prune(LIMIT).pages == 1
    assert there(store) == [first, edit, gone, moved, newest]


def test_what_a_roll_rests_on_stays(store):
    """The first sight of a record, each change of it, each change of whether it is there."""
    link = "http://dice.test/r/1"

    def look(status, *values):
        number = keep(store, f"{status} {values}", Wish(link))
        store.rolls.keep(RollRecord(link, status, values=values), page=number)
        return number

    numbers = [look("found", 70), look("found", 70), look("missing"), look("missing"), look("found", 70)]
    numbers += [look("found", 71), look("found", 71), look("found", 71)]
    age(store)
    store.archive.prune(LIMIT)
    kept = [numbers[place] for place in (0, 2, 4, 5, 7)]
    assert there(store) == kept


def test_a_reading_under_way_keeps_its_pages(store):
    store.archive.begin_reading("b", WISH.url)
    keep(store, "one")
    keep(store, "two")
    assert store.archive.prune(datetime.now(UTC) + timedelta(days=1)).pages == 0
    store.archive.end_reading("b", WISH.url)
    assert store.archive.prune(datetime.now(UTC) + timedelta(days=1)).pages == 1


def test_the_other_viewer_and_the_other_form_are_pages_of_their_own(store):
    keep(store, "html")
    keep(store, "json", Wish(WISH.url, "application/json"))
    age(store)
    assert store.archive.prune(LIMIT).pages == 0


def test_many_pages_go_in_steps_that_can_be_bounded(store):
    for n in range(450):
        keep(store, str(n))
    age(store)
    assert store.archive.prune(LIMIT, most=200).pages == 200
    assert store.archive.prune(LIMIT).pages == 249
    store.archive.compact()
    assert len(there(store)) == 1


def test_no_more_pages_go_than_were_asked_for(store):
    for n in range(5):
        keep(store, str(n))
    age(store)
    assert store.archive.prune(LIMIT, most=3).pages == 3
    assert len(there(store)) == 2


def test_a_reading_that_was_never_finished_keeps_nothing_for_good(store):
    """Its thread was taken off the list: without this, no page of any board would be pruned again."""
    since = store.archive.begin_reading("b", "http://b.test/t/9")
    keep(store, "one")
    keep(store, "two")
    age(store, when=since - timedelta(days=410))
    with store.database.writing() as connection:
        connection.execute(update(readings).values(since=since - timedelta(days=420)))
    assert store.archive.prune(LIMIT).pages == 1


def test_what_rests_on_a_page_from_before_such_notes_is_not_known(store):
    number = keep(store, "one")
    with store.database.writing() as connection:
        connection.execute(update(fetches).values(basis=None))
        assert mark_basis(connection, [number]) == ()
    store.archive.let_go([number])
    keep(store, "two")
    age(store)
    assert store.archive.prune(LIMIT).pages == 0


def test_only_new_proof_is_given(store):
    first, second = keep(store, "one"), keep(store, "two", Wish("http://b.test/t/1?page=2"))
    assert save(store, post(1, "a"), pages=(first,)).proof == (first,)
    assert save(store, post(1, "a"), post(2, "b"), pages=(first, second)).proof == (second,)


def test_nothing_is_pruned_without_being_asked_for(store):
    keep(store, "one")
    keep(store, "two")
    age(store)
    assert prune_step(store, None) is None
    assert len(there(store)) == 2
    assert prune_step(store, "400 days") == "1 old pages were pruned, 0.0 MB"
    assert prune_step(store, "400 days") is None


@pytest.mark.parametrize(
    ("text", "days"),
    [("400 days", 400), ("1 day", 1), ("60d", 60), ("8 weeks", 56), ("18 months", 540), ("2 Years", 730)],
)
def test_times_to_keep(text, days):
    assert kept_for(text) == timedelta(days=days)


@pytest.mark.parametrize("text", ["", "400", "0 days", "-3 days", "forever", "1 second", "99999 years", "3 days ago"])
def test_times_that_are_none(text):
    with pytest.raises(ValueError, match="400 days"):
        kept_for(text)


def test_now_is_not_used_up(store):
    """Findings and posts are never touched."""
    save(store, post(1, "a"), now=NOW)
    thread = store.threads.all()[0].id
    store.archive.prune(datetime.now(UTC) + timedelta(days=9))
    assert [one.id for one in store.threads.posts(thread)] == ["1"]
