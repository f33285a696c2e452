"""Edits, deletions, strangers, corrections, rulings: what the engine says of any system's posts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.model.battle import Ruling
from referee.model.text import Block
from tests.support.mini import judged, minutes, post

ANSWER = post("p2", "bo", 10, "[HP 9]")


def found(*posts: object, **more: object) -> list[tuple[str, str]]:
    return [(f.code, f.post) for f in judged(*posts, **more)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("edited", "codes"),
    [(5, []), (20, [("post/edited-claims", "p1")])],
)
def test_edit_before_and_after_the_opponents_post(edited: int, codes: list[tuple[str, str]]) -> None:
    assert found(post("p1", "ada", 0, "[HP 20]", "[HP 22]", edited=edited), ANSWER) == codes


def test_edited_claims_hold_new_and_old_value() -> None:
    (finding,) = judged(post("p1", "ada", 0, "[HP 20]", "[HP 22]", edited=20), ANSWER)
    assert (finding.claimed, finding.expected) == (22, [20])
    assert finding.evidence[0].quote == "[HP 22]"


@pytest.mark.parametrize(
    ("by", "codes"),
    [
        ("Ada", [("post/edited-claims", "p1")]),
        (None, [("post/edited-claims", "p1")]),
        ("moderator", [("post/unchecked", "p1")]),
    ],
)
def test_a_change_by_somebody_else_is_not_the_authors(by: str | None, codes: list[tuple[str, str]]) -> None:
    """Staff mend posts too; the board names who has edited last."""
    made = post("p1", "ada", 0, "[HP 20]", "[HP 22]", edited=20)
    assert made.edited is not None
    assert found(replace(made, edited=replace(made.edited, by=by)), ANSWER) == codes


def test_edit_of_prose_is_no_fault() -> None:
    assert found(post("p1", "ada", 0, "a [HP 20]", "quite another tale [HP 20]", edited=20), ANSWER) == []


def test_added_and_removed_claims_are_changes() -> None:
    assert found(post("p1", "ada", 0, "x", "[HP 20]", edited=20), ANSWER) == [("post/edited-claims", "p1")]
    assert found(post("p1", "ada", 0, "[HP 20]", "x", edited=20), ANSWER) == [("post/edited-claims", "p1")]


def test_a_claim_put_in_late_gives_no_second_finding() -> None:
    assert found(post("p1", "ada", 0, "[HP 13]"), ANSWER) == [("mini/hp", "p1")]
    assert found(post("p1", "ada", 0, "x", "[HP 13]", edited=20), ANSWER) == [("post/edited-claims", "p1")]


def test_a_silent_edit_counts_only_if_the_old_text_was_seen_after_the_answer() -> None:
    early = post("p1", "ada", 0, "[HP 20]", "[HP 22]")
    late = post("p1", "ada", 15, "[HP 20]", "[HP 22]")
    assert found(early, ANSWER) == []
    assert found(late, post("p2", "bo", 15.5, "[HP 9]")) == [("post/edited-claims", "p1")]


def test_posts_of_readers_do_not_make_an_edit_late() -> None:
    assert found(post("p1", "ada", 0, "[HP 20]", "[HP 22]", edited=20), post("y", "reader", 10, "wow")) == []


def test_the_judges_word_makes_an_edit_late() -> None:
    posts = (post("p1", "ada", 0, "[HP 20]", "[HP 22]", edited=20), post("j", "judge", 10, "go on"))
    assert found(*posts) == [("post/edited-claims", "p1")]


def test_chatter_that_is_gone_is_no_fault() -> None:
    gone = minutes(30)
    assert found(post("p1", "ada", 0, "wrong thread, sorry", deleted=gone), ANSWER) == [("post/unchecked", "p1")]
    assert found(post("p1", "ada", 0, "[HP 20]", "never mind", deleted=gone), ANSWER)[0] == ("post/deleted", "p1")


def test_a_post_that_is_gone_is_quoted_as_it_was_last_seen_to_claim() -> None:
    gone = post("p1", "ada", 0, "[HP 20] [HP 20] [HP 21]", "never mind", deleted=minutes(30))
    assert [e.quote for e in judged(gone, ANSWER)[0].evidence] == ["[HP 20]", "[HP 21]"]


def test_deleted_and_stranger_and_unread() -> None:
    assert found(post("p1", "ada", 0, "[HP 20]", deleted=minutes(30)), ANSWER) == [("post/deleted", "p1")]
    assert found(post("p1", "zoe", 0, "[HP 20]"), ANSWER) == [("post/unknown-character", "p1")]
    assert found(post("p1", "zoe", 0, "[Roll 5 lots]"), ANSWER) == [("post/unknown-character", "p1")]
    assert found(post("p1", "zoe", 0, "lovely fight"), ANSWER) == []
    assert found(post("p1", "ada", 0, "[Roll lots]"), ANSWER) == [("post/unread-tag", "p1")]


def test_correction_in_time_mends_the_slip() -> None:
    slip, mend = post("p1", "ada", 0, "[HP 13]"), post("p1b", "ada", 5, "Correction, sorry: [HP 14]")
    assert found(slip, ANSWER) == [("mini/hp", "p1")]
    assert found(slip, mend, ANSWER) == []
    assert found(slip, post("y", "reader", 3, "hm, 13?"), mend, ANSWER) == []


def test_correction_too_late_keeps_the_finding_and_raises_nothing() -> None:
    late = post("p3", "ada", 15, "Edit: [HP 14]")
    assert found(post("p1", "ada", 0, "[HP 13]"), ANSWER, late) == [("mini/hp", "p1")]
    assert found(post("p1", "ada", 0, "[HP 14]"), ANSWER, post("p3", "ada", 15, "Edit: [HP 13]")) == []


def test_rulings() -> None:
    slip = post("p1", "ada", 0, "[HP 13]")
    assert found(slip, ANSWER, rulings=(Ruling("p1", {"suspend": "M1"}),)) == []
    assert found(slip, ANSWER, rulings=(Ruling("p1", {"suspend": "mini/M1"}),)) == []
    assert found(slip, ANSWER, rulings=(Ruling("p2", {"suspend": "M1"}),)) == [
        ("mini/hp", "p1"),
        ("post/ruling-idle", "p2"),
    ]
    clash = (Ruling("p1", {"hit_chance": 5}), Ruling("p1", {"hit_chance": -5}))
    assert ("post/ruling-conflict", "p1") in found(ANSWER, post("p1", "ada", 0, "[HP 1]"), rulings=clash)


def test_fingerprint_is_of_the_place_and_not_of_values() -> None:
    (one,) = judged(post("p1", "ada", 0, "[HP 13]"))
    (two,) = judged(post("p1", "ada", 0, "[HP 13] and much more"), post("p2", "bo", 9, "x"))
    assert one.fingerprint == two.fingerprint
    assert one.facts == two.facts


def test_what_a_board_has_lost_of_a_post_may_be_a_claim() -> None:
    whole = post("p1", "ada", 0, "[Roll 1d20: 12]")
    lost = Block("attachment", "a mention has cut off its end", title="lost")
    cut = replace(whole, revisions=(replace(whole.revisions[0], blocks=(*whole.blocks, lost)),))
    (said,) = [finding.message for finding in judged(cut) if finding.code == "post/unread-tag"]
    assert "a mention has cut off its end" in said
    assert "post/unread-tag" not in dict(found(whole))
