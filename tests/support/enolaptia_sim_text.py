"""How simulated players write: habits, prose with decoys, links, BBCode and HTML."""

from __future__ import annotations

import html
import random
from dataclasses import dataclass, field

PROSE = [
    "It was not a good plan, but it was short.",
    "The stones remembered other fights, 7 of them at least, and were not impressed.",
    "Old hands said it best: the first blow is a question [and the second is the bill].",
    "She counted them (she counted 3 of them) and sighed.",
    "90% of luck is showing up. The other 10% is (mostly) running away.",
    "A coin spun on the bar: heads, tails, heads. Turn after turn it came up 6.",
    "The bridge (built in 1432, mended once) groaned under their boots.",
    "He attacks the bread first, always; it was 12 days old.",
    "Snow had been promised for the 21st and came on the 19th, sideways.",
    "“Order!” cried the judge; nobody had any. “Potion of the house, 4 coins!”",
    "The clock stopped at 11:42. It had been stopping at 11:42 for years.",
    "The rest was up to the dark: 3/4 of it, at any rate.",
    "Run, said the sign; it had said so for 40 years.",
]
OOC = [
    "((OOC: my draft said [Damage: 99 x2] but that was a joke))",
    "OOC: is HP: Mira 3/40 still the format? asking for a friend",
    "[ooc]sorry, exams until the 14th! Run: 1d6 = 6, escaped[/ooc]",
    "((OOC: can we finish before the 30th?))",
]
SIGNATURES = [
    "HP: -999 | Patience: -0 | Coffee: +3",
    "[Damage: 100 to my sleep schedule]",
    "wins 3 - losses 11 - naps 400",
    "Rat 1: 0/18 (dead)",
]
SPECTATORS = ["Whoever wins owes me 3 coins :D", "((popcorn))", "Nice fight, 10/10!"]


@dataclass
class Die:
    """A die in a line, and what its record shall show."""

    value: int
    label: str
    bare: bool = False
    missing: bool = False
    unreachable: bool = False
    host: str = "dice.example"
    record: dict = field(default_factory=dict)
    link: str | None = None


@dataclass
class Line:
    """A line: words and dice in order."""

    parts: list
    kind: str = ""

    def words(self, habits: Habits, render) -> str:
        out = []
        for part in self.parts:
            out.append(render(part) if isinstance(part, Die) else habits.spell(part))
        return "".join(out)


@dataclass
class Habits:
    """How one player writes."""

    links: str
    bullet: str
    dash: str
    arrow: str
    case: str
    long_attack: bool
    full_names: bool
    heading: str
    hp_each_post: float
    quotes: float
    ooc: float
    signature: str | None
    by_account: bool

    @staticmethod
    def roll(rng: random.Random) -> Habits:
        return Habits(
            links=rng.choice(["after", "around", "bare", "inpost", "mixed"]),
            bullet=rng.choice(["", "", "", "- ", "* ", "• "]),
            dash=rng.choice(["-", "-", "–", "−"]),
            arrow=rng.choice(["->", "->", "→", "=>"]),
            case=rng.choice(["", "", "", "", "upper", "lower", "bold"]),
            long_attack=rng.random() < 0.5,
            full_names=rng.random() < 0.5,
            heading=rng.choice(["", "Turn {}", "Battle turn {}"]),
            hp_each_post=rng.choice([0.2, 0.6, 1.0]),
            quotes=rng.choice([0, 0.3]),
            ooc=rng.choice([0, 0.2]),
            signature=rng.choice([None, None, *SIGNATURES]),
            by_account=rng.random() < 0.5,
        )

    def spell(self, words: str) -> str:
        words = words.replace("->", self.arrow)
        if self.dash != "-":
            words = words.replace(" - ", f" {self.dash} ")
            for a in "12345":
                words = words.replace(f"{a}-", f"{a}{self.dash}")
        if self.case == "upper":
            return words.upper().replace(" X ", " x ")
        return words.lower() if self.case == "lower" else words


def body(rng: random.Random, habits: Habits, lines: list[str], quoted: str | None, extra: list[str]) -> str:
    """A post's BBCode: prose, quote, lines of the game, remarks, signature."""
    parts = []
    if rng.random() < habits.ooc:
        parts.append(rng.choice(OOC))
    if quoted and rng.random() < habits.quotes:
        parts.append(f"[quote=someone]\n{quoted}\n[/quote]")
    prose = " ".join(rng.sample(PROSE, rng.randint(1, 3)))
    parts.append(f"[i]{prose}[/i]" if rng.random() < 0.3 else prose)
    if lines:
        shown = [habits.bullet + line for line in lines]
        if habits.case == "bold":
            shown = [_bold_label(line) for line in shown]
        parts.append("\n".join(shown))
    parts += extra
    if rng.random() < habits.ooc:
        parts.append(rng.choice(OOC))
    text = "\n\n".join(parts)
    if habits.signature:
        text += "\n\n____________________\n" + habits.signature
    return text + "\n"


def _bold_label(line: str) -> str:
    head, sign, rest = line.partition(":")
    return f"[b]{head}:[/b]{rest}" if sign and not set(head) & set("[<=\0") else line


def to_html(text: str) -> str:
    """The same post as a board's HTML."""
    out = html.escape(text, quote=False)
    for tag, element in (("b", "strong"), ("i", "em")):
        out = out.replace(f"[{tag}]", f"<{element}>").replace(f"[/{tag}]", f"</{element}>")
    out = out.replace("[ooc]", '<div class="ooc">').replace("[/ooc]", "</div>")
    out = out.replace("[quote=someone]", "<blockquote><cite>someone wrote:</cite><div>")
    out = out.replace("[/quote]", "</div></blockquote>")
    return out.replace("\n", "<br>\n")
