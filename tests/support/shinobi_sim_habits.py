"""What simulated writers write besides tags, and how each of them writes tags."""

from __future__ import annotations

import random

PROSE = [
    "Smoke came in low over the water, and with it the smell of tar and oranges.",
    "Old Marrow had said it best: the first blow is a question [and the second is the bill].",
    "{me} spat dust, counted teeth (all 28, thank you) and straightened up.",
    '"Twenty on the tall one!" somebody called; "Which?" called somebody else.',
    '"Chance favours the stubborn," {me} murmured; 90% of luck was showing up.',
    "There was no plan B. There had barely been a plan A [and it had been drawn on a napkin].",
    "{foe} moved like a man who had never been late for anything (or sorry for it).",
    "It was 40 paces to the gate; it felt like 400.",
    "The bridge (built in 1432, mended once) groaned under their boots.",
    "Lamplight cut the alley into 3 pieces: bright, dim, and nobody's business.",
    "She counted them again (she counted 3 of them) and looked at {foe}.",
    "Setup was for people with time.",
    "Nobody had swept the floor since the last bout [or the one before it].",
    "The guards changed at 11 (twice, that year).",
    "{me} used to be good at this.",
    "(Slowly.)",
]
OOC = [
    "((OOC: my draft said [Damage: 99 x2] but that was a joke))",
    "OOC: is (HP: -0 | Chakra: -0 | Stamina: -0) still the format? asking for a friend",
    "[ooc]if I had rolled under 20 I'd have switched characters, haha[/ooc]",
]
CODE = "[code]\n[Damage: 10 x2]\n[20% to hit: rolled 70, 17, 3]\n(HP: -9 | Chakra: -0 | Stamina: -0)\n[/code]"
QUOTE = "[quote=someone]\n[Damage: 50 x4 (punch)]\n(HP: -50 | Chakra: -0 | Stamina: -0)\n[/quote]"
SIGNATURES = [
    "HP: -999 | Patience: -0 | Coffee: +3",
    "[Damage: 100 to my sleep schedule]",
    "wins 3 - losses 11 - naps 400",
]
BASE_TIME_FORM = "%Y-%m-%dT%H:%M:%SZ"


class Habits:
    """How one writer writes."""

    def __init__(self, rng: random.Random) -> None:
        self.bracket = rng.choice(["[]", "[]", "()"])
        self.loss_bracket = rng.choice(["()", "[]", ""])
        self.loss_form = rng.choice(["pipe", "slash", "comma"])
        self.words = rng.choice([("HP", "CHK", "STM"), ("HP", "Chakra", "Stamina")])
        self.dash = rng.choice("-\u2013\u2014\u2212")
        self.loss_dash = rng.choice("-\u2013\u2014\u2212")
        self.case = rng.choice(["", "", "", "lower", "upper"])
        self.marks = rng.choice(["", "(", "**", "==", ":", "[b]"])
        self.links = rng.choice(["around", "after", "paren", "next"])
        self.damage = rng.choice(["sum", "sum", "plain", "dash", "mixed"])
        self.dodge = rng.choice(["enemy", "pct", "needs", "pct"])
        self.stated = rng.random() < 0.4
        self.per_hit = rng.random() < 0.3
        self.target = rng.choice(["arrow", "at", "Target"])
        self.used = rng.choice(["Used {}", "{}", "cost", "gloss"])
        self.first_name = rng.random() < 0.5
        self.stats = rng.choice(["colon", "dash", "blank", "pipe", "spoiler", "bullet", "table"])
        self.html = rng.random() < 0.3
        self.signature = rng.choice([None, None, *SIGNATURES])
        self.inline = rng.random() < 0.06
        self.take = rng.choice(["Takes the attack", "No roll"])
        self.vs = rng.choice(["vs {}: ", "{}'s attack: ", "vs. {}: "])
