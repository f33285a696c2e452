"""A person who knows the rulebook can follow the working of any finding with a pencil.

Every finding of all cases and battles is read: the sums in its working are worked out again, its words
hold nothing of the program, and what the rules give is the last thing that the working comes to.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from referee.app import plugins
from referee.model.report import Finding
from referee.ports.sayings import all_of, brief, chain, counted, decimal, one_of
from tests.support.samples import ROOT, SHARED, judge_file

CASES = sorted(
    [*ROOT.glob("tests/cases/*/*.yaml"), *ROOT.glob("tests/battles/*/*.yaml"), *SHARED.glob("cases/*/*.yaml")]
)
SYSTEMS = ("shinobi", "d20_arena", "angel_dolls", "enolaptia")

NUMBER = r"\(?-?\d+(?:\.\d+)?\)?"
SUM = re.compile(rf"(?<![\d.)\w])(?P<left>{NUMBER}(?: [-+x/] {NUMBER})+) = (?P<right>-?\d+(?:\.\d+)?)(?![\d.]*[\d\w])")
DO = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
#: Words of the program, not of the game.
MACHINE = re.compile(r"\bNone\b|\bTrue\b|\bFalse\b|frozenset|Fraction|<|\bobject at\b|\b[a-z]+_[a-z_]+\b|\{|\}")
#: Codes of which the working, not the message alone, must come to what the rules give.
SUMS = (
    *("loss-hp", "loss-chakra", "loss-stamina", "damage-sum", "damage-modifier", "hit-chance", "total", "defense"),
    *("damage", "hp", "bind-level", "escape", "stat", "affinity", "exp", "encounter", "allocation"),
)
#: A finding about something that is not there has nothing to quote.
WITHOUT_QUOTE = ("shinobi/loss-missing", "shinobi/stats-missing", "post/unchecked", "post/ruling-idle")


def found_in(path: Path) -> tuple[Finding, ...]:
    return judge_file(path).findings


def own_lines(finding: Finding) -> Iterator[str]:
    """The lines of a working without the words of posts that stand in them."""
    for line in finding.trace:
        for words in (line.text, *([line.staff] if line.staff is not None else [])):
            for one in sorted(finding.evidence, key=lambda e: -len(e.quote)):
                words = words.replace(brief(one.quote), "").replace(one.quote, "")
            words = re.sub(r"^p\d+: .*: (?=\d)", "", words)
            yield re.sub(r"\[[^\]]*\]|\u201c[^\u201d]*\u201d", "", words)


def worked_out(left: str) -> Fraction:
    """A sum with products before sums and brackets first, as a pencil does it."""
    return _value(ast.parse(left.replace(" x ", " * "), mode="eval").body)


def _value(node: ast.expr) -> Fraction:
    if isinstance(node, ast.BinOp):
        return DO[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand)
    assert isinstance(node, ast.Constant)
    return Fraction(str(node.value))


def check(finding: Finding) -> None:
    """Fail where a finding can't be followed."""
    place = f"{finding.code} at {finding.post}: "
    lines = list(own_lines(finding))
    for line in lines:
        for one in SUM.finditer(line):
            if one["left"].count("(") != one["left"].count(")"):
                continue  # Several readings stand in the bracket.
            right = worked_out(one["left"])
            assert abs(right - Fraction(one["right"])) < Fraction(1, 1000), place + line
    for words in (re.sub(r"[\[({\u201c].*", "", finding.message), *lines):
        if finding.code.split("/")[0] in SYSTEMS:
            assert MACHINE.search(re.sub(r"http\S+", "", words)) is None, place + words
    assert finding.message, place
    if finding.severity != "notice" and finding.code not in WITHOUT_QUOTE:
        gone = finding.code == "post/edited-claims" and not finding.evidence
        assert finding.evidence or gone, place + "no quote"
    name = finding.code.split("/")[1]
    if name in SUMS and finding.code.split("/")[0] in SYSTEMS and isinstance(finding.expected, list):
        text = " ".join(line.text for line in finding.trace)
        missing = [v for v in finding.expected[:8] if not re.search(rf"(?<!\d){re.escape(str(v))}(?!\d)", text)]
        assert finding.trace and (missing == [] or missing == [0]), place + f"{missing} not in {text}"


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_findings_can_be_followed_with_a_pencil(path: Path) -> None:
    for finding in found_in(path):
        check(finding)


@pytest.mark.parametrize("name", SYSTEMS)
def test_rules_and_codes_are_told_in_words_of_the_game(name: str) -> None:
    ruleset = plugins.ruleset(name)
    known = {rule.id for rule in ruleset.rules}
    for rule in ruleset.rules:
        words = f"{rule.summary} {rule.detail}"
        assert not re.search(r"`[a-z_]+`|\bNone where\b|\(?(?:NS|ND|NA|NE|X)\d|^Whether|Reports", words), rule.id
        assert rule.summary[-1] in ".!" or rule.summary.endswith("..."), rule.id
        assert rule.cites, rule.id
    for code in ruleset.codes:
        assert code.rules, code.code
        assert set(code.rules) <= known, code.code
        assert code.example, code.code
        assert code.remedy, code.code


@pytest.mark.parametrize("name", SYSTEMS)
def test_findings_cite_rules_that_their_code_names(name: str) -> None:
    ruleset = plugins.ruleset(name)
    named = {code.code: set(code.rules) for code in ruleset.codes}
    for path in (path for path in CASES if path.parent.name == name):
        for finding in found_in(path):
            if finding.code in named:
                assert finding.rules, finding.code
                assert set(finding.rules) <= named[finding.code], (path.name, finding.code, finding.rules)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (one_of([13]), "13"),
        (one_of([11, 12, 13]), "11, 12 or 13"),
        (one_of(range(20)), "0 to 19 (20 readings)"),
        (all_of(["HP", "Chakra", "Stamina"]), "HP, Chakra and Stamina"),
        (decimal(Fraction(25, 2)), "12.5"),
        (decimal(Fraction(50, 3)), "16.667"),
        (decimal(7), "7"),
        (chain(14, [-3, 2]), "14 - 3 + 2"),
        (chain("3 + 5", [3]), "3 + 5 + 3"),
        (counted(1, "hit"), "1 hit"),
        (counted(0, "hit"), "0 hits"),
        (brief("a  b\nc"), "a b c"),
        (brief("x" * 500, 10), "x" * 10 + " \u2026"),
    ],
)
def test_numbers_are_said_as_people_write_them(said: str, words: str) -> None:
    assert said == words


#: Cases with the working that a person would write by hand, line by line.
BY_HAND = {
    ("shinobi/NS35-fazed-lowers-the-chance", "shinobi/hit-chance"): [
        "Accuracy of Kaito Mori: 60",
        "Evasion of Ren Aoki: 40",
        "50 + (60 - 40) / 4 - 10 (status effects of Kaito Mori); at least 5, at most 90: 45%",
    ],
    ("shinobi/S25-modifier-not-divided", "shinobi/damage-modifier"): [
        "Ninjutsu of Ren Aoki: 300",
        "Defense of Kaito Mori: 100",
        "modifier: (300 - 100) / 4 = 50",
        "split over 4 hits, rounded up: 50 / 4 = 12.5, so 13",
        "damage of a hit: base 20 + 13 = 33",
    ],
    ("shinobi/S26-long-form-wrong-bonus-hidden-in-the-sum", "shinobi/damage-modifier"): [
        "Accuracy of Ren Aoki: 82",
        "Dexterity of Kaito Mori: 42",
        "accuracy bonus: 82 / 4 = 20.5, rounded 20 or 21",
        "dexterity bonus: 42 / 4 = 10.5, rounded 10 or 11",
        "damage of a hit: base 8 + (20 or 21) - (10 or 11) = 17, 18 or 19",
    ],
    ("shinobi/S04-alternate-twice-in-a-row", "post/out-of-turn"): [
        "turns alternate; with more than two fighters in a fixed cycle, highest Speed first",
        "Speed: Ren Aoki 120, Kaito Mori 100",
        "turns before this post: Ren Aoki, Kaito Mori, Ren Aoki",
    ],
    ("d20_arena/A12-critical-binding-level-forgotten", "d20_arena/bind-level"): [
        "level before (legs): 0",
        "levels of the binding: 1",
        "critical hit: 1 more",
        "level after: 0 + 1 + 1 = 2",
    ],
    ("d20_arena/A4-plus-2-forgotten", "d20_arena/defense"): [
        "Defense on the sheet: 14",
        "leg level: 0",
        "last own turn moving, with nothing but struggles or self skills: +2: 14 + 2 = 16",
    ],
    ("d20_arena/A15-natural-20-spare-on-a-free-area", "d20_arena/escape"): [
        "the torso is at level 0 before this roll",
    ],
    ("angel_dolls/D12-not-a-third", "angel_dolls/damage"): [
        "50 - 30 = 20",
        "a disabling attack: 20 / 3 = 6.667, so 6 or 7",
    ],
    ("angel_dolls/D10-first-strike-can-not-miss", "angel_dolls/outcome"): [],
    ("enolaptia/E14-hp-wrong", "enolaptia/hp"): [
        "HP at the start: 40",
        "p2: Rat attacks Mira; damage 1d6 = 5: 5: 5 lost",
        "left: 40 - 5 = 35",
        "taken back in p3",
    ],
}


@pytest.mark.parametrize(("case", "code"), BY_HAND, ids=lambda name: name.replace("/", "-"))
def test_workings_are_those_of_a_person(case: str, code: str) -> None:
    found = next(f for f in found_in(ROOT / f"tests/cases/{case}.yaml") if f.code == code)
    assert [line.text for line in found.trace] == BY_HAND[case, code]


def test_a_loss_tells_of_an_attack_that_nobody_answered(tmp_path: Path) -> None:
    """Taken plainly, without a tag: it is in the sum, so it is in the working."""
    source = (ROOT / "tests/cases/shinobi/S07-not-answered.yaml").read_text("utf-8")
    changed = source.replace("(HP: -0 | CHK: -0 | STM: -0)", "(HP: -25 | CHK: -0 | STM: -0)")
    assert changed != source
    path = tmp_path / "case.yaml"
    path.write_text(changed, "utf-8")
    found = [f for f in found_in(path) if f.code == "shinobi/loss-hp" and f.post == "p4"]
    assert [f.expected for f in found] == [[-20]]
    assert any("stands without an answer: in full 20" in line.text for line in found[0].trace)


def test_what_was_left_of_a_secret_pool_is_for_staff_only() -> None:
    found = next(f for f in found_in(ROOT / "tests/cases/shinobi/S29-cannot-be-paid.yaml") if "unaffordable" in f.code)
    assert found.trace[0].text == "Chakra before this turn: as at the battle's start"
    assert found.trace[0].staff is not None
    assert re.search(r"\d+ of \d+", found.trace[0].staff)
    assert not any(re.search(r"\d+ of \d+", line.text) for line in found.trace)
