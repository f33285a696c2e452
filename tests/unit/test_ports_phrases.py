"""Phrases found at a place of a text: whole words, any case, the longest first."""

from __future__ import annotations

import pytest

from referee.model.glyphs import straighten
from referee.ports.phrases import Phrases
from referee.ports.reading import Names, squeeze

PHRASES = Phrases(squeeze(form) for form in ("Golem", "Golem 1", "Golem 12", "O'Brien", "Long  Spear", "Élan", "x-2"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("golem 1: 3", [("golem 1", 7), ("golem", 5)]),
        ("GOLEM  12", [("golem 12", 9), ("golem", 5)]),
        ("Golem 123", [("golem", 5)]),
        ("golems", []),
        ("golem_1", []),
        ("o'brien's", [("o'brien", 7)]),
        ("long    spear", [("long spear", 13)]),
        ("longspear", []),
        ("élan.", [("élan", 4)]),
        ("X-2 x", [("x-2", 3)]),
        ("X-22", []),
        ("", []),
        (" golem", []),
    ],
)
def test_phrases_at_the_start(text: str, found: list[tuple[str, int]]) -> None:
    assert list(PHRASES.at(text, 0)) == found


def test_a_phrase_ends_before_the_end_that_is_asked_for() -> None:
    assert list(PHRASES.at("golem 12", 0, 7)) == [("golem 1", 7), ("golem", 5)]
    assert list(PHRASES.at("golem 12", 0, 4)) == []
    assert list(PHRASES.at("the golem", 4)) == [("golem", 9)]


def test_forms_of_names() -> None:
    named = [("Ren Hara", ["Red"]), ("Fen Hag", []), ("Fen Rat", [])]
    assert Names(named).forms == {"ren hara", "red", "ren", "fen hag", "fen rat"}
    full = Names(named, first_words=False)
    assert full.forms == {"ren hara", "red", "fen hag", "fen rat"} and full.find("Ren") is None


def test_names_without_their_accents() -> None:
    """Many keyboards have none; two names that differ by nothing else are told apart by them."""
    names = Names([("\u00c9lodie d'Aubign\u00e9", ["Zo\u00eb"]), ("Bj\u00f6rn", []), ("Bjorn", [])])
    assert names.find("Elodie") == names.find("ELODIE D'AUBIGNE'S") == names.find("zoe") == "\u00c9lodie d'Aubign\u00e9"
    assert (names.find("Bjorn"), names.find("Bj\u00f6rn")) == ("Bjorn", "Bj\u00f6rn")
    both = Names([("Ren\u00e9", []), ("Ren\u00e8", [])])
    assert (both.find("Rene"), both.find("Ren\u00e9")) == (None, "Ren\u00e9")


@pytest.mark.parametrize(
    "name", ["\u0401\u043b\u043a\u0430", "\u0392\u03b5\u03bd\u03b7", "\u0412\u0435\u0442\u0435\u0440"]
)
def test_names_of_other_alphabets_in_any_case(name: str) -> None:
    """Some of their capitals look Latin, and count as such; their small letters then do so too."""
    names = Names([(name, [])])
    assert names.find(name.upper()) == names.find(name.lower()) == name
    assert next(Phrases(names.forms).at(straighten(name.upper()), 0), None) is not None


def test_an_empty_alias_is_nobody() -> None:
    names = Names([("Ren Hara", ["", "  "])])
    assert names.forms == {"ren hara", "ren"}
    assert names.find("") is None and names.exact(" ") is None
