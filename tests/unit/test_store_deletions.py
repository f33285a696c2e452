"""The rule for posts that are gone, over all kinds of threads."""

from hypothesis import given
from hypothesis import strategies as st

from referee.store.deletions import gone, in_order, merged

IDS = st.lists(st.integers(1, 60).map(str), unique=True, max_size=25)


@given(IDS, st.data())
def test_only_posts_between_two_that_are_there_are_gone(stored, data):
    read = [post for post in stored if data.draw(st.booleans())]
    missing = gone(stored, read)
    for index, post in enumerate(stored):
        between = any(p in read for p in stored[:index]) and any(p in read for p in stored[index + 1 :])
        assert (post in missing) == (post not in read and between)


@given(IDS, IDS)
def test_merging_keeps_everything_once_and_the_stored_order(stored, read):
    order = merged(stored, read)
    assert sorted(order) == sorted({*stored, *read})
    assert [post for post in order if post in stored] == stored


@given(IDS.map(lambda ids: sorted(ids, key=int)), st.data())
def test_merging_threads_in_order_gives_a_thread_in_order(posts, data):
    stored = [post for post in posts if data.draw(st.booleans())]
    read = [post for post in posts if post not in stored or data.draw(st.booleans())]
    order = merged(stored, read)
    assert in_order(order, read)
    if len(stored) == 0 or set(stored) <= set(read):
        assert list(order) == posts


@given(IDS, st.permutations([str(n) for n in range(1, 8)]))
def test_drift_is_another_order_or_a_post_twice(stored, turned):
    assert in_order(stored, stored)
    ordered = sorted(turned, key=int)
    assert in_order(ordered, turned) == (list(turned) == ordered)
    assert not in_order(stored, ["1", "1"])


def test_a_post_written_after_the_last_one_vanished_follows_it():
    assert merged(["1", "2", "3"], ["1", "2", "4"]) == ("1", "2", "3", "4")
    assert merged(["1", "2", "9"], ["1", "2", "4"]) == ("1", "2", "4", "9")
    assert merged(["a", "b"], ["a", "c"]) == ("a", "b", "c")
    assert merged([], ["1", "2"]) == ("1", "2")
