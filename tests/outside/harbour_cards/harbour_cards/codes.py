"""The findings of Harbour Cards."""

from referee.ports.rules import Code


def _code(name: str, meaning: str, rules: str, example: str, remedy: str) -> Code:
    return Code(f"harbour_cards/{name}", "error", meaning, tuple(rules.split()), example, remedy)


CODES = (
    _code("cards", "More than one card in a turn.", "H2", "Two [Plays: ...] in one post.", "Take one back."),
    _code("outcome", "Hit, miss or double said against the die.", "H5", "A 1 called a hit.", "Say what the die gives."),
    _code("damage", "The damage is not the card's less armour.", "H3 H4 H5", "6 - 2 = 5.", "Write the right sum."),
    _code("reload", "A card is played before it is loaded again.", "H7", "Broadside in two turns running.", "Wait."),
    _code("hull", "The hull written is not what the shots leave.", "H1 H6 H9", "Hull: 15/20 for 14.", "Correct it."),
    _code("sunk", "A sunk ship plays a card.", "H8", "Hull 0, then [Plays: ...].", "Take the card back."),
)
