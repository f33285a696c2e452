"""What rulesets are given: sheets by player, and what is kept with them."""

from __future__ import annotations

from referee.model.battle import Character
from referee.ports.rules import Sheets

CAST = (Character("Ren Hara", "ren"), Character("Fen Hag", "REN"), Character("yuna"))


def test_characters_of_an_account_in_any_case() -> None:
    sheets = Sheets(CAST, {})
    assert [c.name for c in sheets.of_player("Ren")] == ["Ren Hara", "Fen Hag"]
    assert [c.name for c in sheets.of_player("YUNA")] == ["yuna"]
    assert sheets.of_player("nobody") == ()


def test_what_is_worked_out_of_sheets_is_made_once_for_each_of_them() -> None:
    made: list[int] = []

    def names(sheets: Sheets) -> list[str]:
        made.append(len(sheets.characters))
        return [c.name for c in sheets.characters]

    one, other = Sheets(CAST, {}), Sheets(CAST[:1], {})
    assert one.once(names) is one.once(names)
    assert other.once(names) == ["Ren Hara"]
    assert made == [3, 1]
    assert one == Sheets(CAST, {}), "what is kept is no part of the value"
