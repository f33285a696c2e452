"""Names that begin with an article: the article alone names nobody."""

from __future__ import annotations

import pytest

from referee.ports.telling import Telling
from referee.ports.topics import blow, blow_by, without_article
from rules.d20_arena.judging.topics import stance_of


def test_an_article_names_nobody() -> None:
    telling = Telling([], ["the Warden", "Hana"])
    assert not telling.names("The lamp swung and the trap fell.", "the Warden")
    assert telling.names("The Warden heals 5.", "the Warden")
    assert telling.names("Warden and all, they heal.", "the Warden")
    assert not telling.names("The golem heals.", "the Warden 2")
    assert telling.names("The wardens heal.", "the Warden 2")


@pytest.mark.parametrize(("name", "left"), [("the Warden", "Warden"), ("The Old One", "Old One"), ("Theo", "Theo")])
def test_only_an_article_is_left_out(name: str, left: str) -> None:
    assert without_article(name) == left
    assert without_article("the") == "the"


def test_stances_and_blows_are_told_of_the_name() -> None:
    assert stance_of("the Warden").search("The crowd stands still.") is None
    assert stance_of("the Warden").search("The Warden stands still.")
    assert blow_by("the Warden").search("The cold wind strikes her.") is None
    assert blow_by("the Warden").search("The Warden strikes her.")
    assert blow("the Warden").search("She smashes into the Warden.")
