"""The finding codes of the doll arena: meaning, rules, example, remedy."""

from __future__ import annotations

from referee.ports.rules import Code

_REDO = "Write the line again with the right number; in time a post that begins with `Edit:` is enough."

CODES: tuple[Code, ...] = (
    Code(
        "angel_dolls/total",
        "error",
        "A side's stat, modifiers and random number do not add up to the total that the post states.",
        ("D3",),
        "`Hit: 36 AGI + 15 = 61 vs 33 REF + 24 = 57 -> hit`: 36 + 15 is 51.",
        _REDO,
    ),
    Code(
        "angel_dolls/stat",
        "error",
        "A stat is not Deus + Angel + generator + usable equipment, or not raised or halved as the round asks for.",
        ("D1", "D7", "D9", "D10", "D13", "D14", "D16"),
        "`Hit: 35 AGI + ...` where Deus 3, Angel 23 and claws +10 make 36.",
        _REDO,
    ),
    Code(
        "angel_dolls/roll-range",
        "error",
        "The random number of a check is not within 1 to 50.",
        ("D3",),
        "`Hit: 36 AGI + 57 = 93 ...`.",
        "Roll 1d50 again and link it.",
    ),
    Code(
        "angel_dolls/outcome",
        "error",
        "Hit, miss or the result of a test is declared against the totals.",
        ("D4", "D10", "D11", "D13"),
        "`... = 51 vs ... = 57 -> hit`: 51 does not reach 57.",
        "State the outcome that the totals give.",
    ),
    Code(
        "angel_dolls/damage",
        "error",
        "A damage is not the difference of the totals, a third of it for a Disable, or not the strangle hold's step.",
        ("D5", "D6", "D12", "D13", "D14"),
        "`Damage: ... = 76 vs ... = 52 -> 14`: the difference is 24.",
        _REDO,
    ),
    Code(
        "angel_dolls/affinity",
        "error",
        "An affinity has the wrong sign or amount, or is added where it must be subtracted.",
        ("D2", "D6"),
        "`...; Dark +30 / +30 -> 35` where the defender's sheet says -30: 95.",
        _REDO,
    ),
    Code(
        "angel_dolls/chain",
        "error",
        "A penalty of a chain is missing or wrong: 10 for the second attack, 20 for the third, each on one attack.",
        ("D8",),
        "Two attacks in one post and no `Chain 2 (-10 to hit)`.",
        "Put each penalty on one attack of the chain, in its heading and its check line.",
    ),
    Code(
        "angel_dolls/penalty",
        "error",
        "The penalty or bonus of a manoeuvre or of being entangled is missing or wrong.",
        ("D11", "D12", "D14", "D15"),
        "`[Attack: Riget -> Sedrik, Disarm]` whose hit line lacks `- 10 (disarm)`.",
        "Show the modifier with its reason and add it.",
    ),
    Code(
        "angel_dolls/hp",
        "error",
        "HP of a doll or weapon is not the old HP less the damage.",
        ("D13", "D16"),
        "`HP: Sedrik 120 -> 97` after 33 damage: 87.",
        _REDO,
        told=True,
    ),
    Code(
        "angel_dolls/acts-while-down",
        "error",
        "A doll that has fallen to 0 HP acts.",
        ("D16",),
        "`[Attack: Sedrik -> Riget, kick]` after `HP: Sedrik 4 -> 0`.",
        "The attack does not count.",
    ),
    Code(
        "angel_dolls/weapon-out",
        "error",
        "A weapon or accessory is used that is disarmed, disabled, entangled, shattered or out of control.",
        ("D11", "D12", "D13", "D14", "D15"),
        "`[Attack: Sedrik -> Riget, long spear]` after `Sedrik loses the long spear.`",
        "Retrieve it first, or attack by other means.",
    ),
    Code(
        "angel_dolls/full-defense",
        "error",
        "A doll attacks in a round of Full Defense.",
        ("D9",),
        "`Sedrik: Full Defense: REF 33 -> 49` and `[Attack: Sedrik -> ...]` in one post.",
        "Choose one: the defence or the attack.",
    ),
    Code(
        "angel_dolls/sheet",
        "notice",
        "Stats of a sheet go beyond what creation gives; EXP may have bought them, so a person must look.",
        ("D18",),
        "A Deus with 90 points over the six stats.",
        "Give the EXP on the sheet (`exp`), or put the stats right.",
    ),
    Code(
        "angel_dolls/points",
        "warning",
        "Trainer Points outside 0 to 5.",
        ("D17",),
        "`Trainer Points: Riget 6, Sedrik 2`.",
        "Award 0 to 5 points.",
    ),
)
