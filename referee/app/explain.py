"""Explaining codes and rules, on the terminal and as pages under docs/rules."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from referee.app import plugins
from referee.app.errors import UsageError
from referee.engine.codes import COMMON_CODES
from referee.ports.rules import Code, Rule, Ruleset


def explain(word: str) -> str:
    """What a finding code (`dice/reused`, `shinobi/loss-hp`) or rule id (`S11`, `d20_arena/A9`) means.

    Raises UsageError with near words where nothing is known by that name.
    """
    rulesets = _rulesets(word)
    for code, owner in _codes(rulesets):
        if word == code.code:
            return "\n".join(_code_lines(code, owner)) + "\n"
    found = [(rule, ruleset) for rule, ruleset in _rules(rulesets) if word in (rule.id, f"{ruleset.name}/{rule.id}")]
    if found:
        ruleset = found[0][1]
        return "\n".join(_rule_lines([rule for rule, owner in found if owner is ruleset], ruleset)) + "\n"
    known = [c.code for c, _ in _codes(rulesets)] + [r.id for r, _ in _rules(rulesets)]
    near = difflib.get_close_matches(word, known, 3, 0.5)
    hint = f"; near: {', '.join(near)}" if near else ""
    raise UsageError(f"nothing is called {word!r}{hint} (`referee explain --list` shows all)")


def all_words() -> list[str]:
    """One line for every code and rule that can be explained."""
    rulesets = [plugins.ruleset(name) for name in plugins.names("rulesets")]
    lines = [f"{code.code:<28} {code.severity:<8} {code.meaning}" for code, _ in _codes(rulesets)]
    lines += [f"{ruleset.name + '/' + rule.id:<28} {'rule':<8} {rule.summary}" for rule, ruleset in _rules(rulesets)]
    return lines


def _rulesets(word: str) -> list[Ruleset]:
    """The rule systems that a word may belong to: the one before its slash, else all."""
    names = plugins.names("rulesets")
    prefix = word.split("/")[0]
    return [plugins.ruleset(name) for name in ((prefix,) if prefix in names else names)]


def _codes(rulesets: list[Ruleset]) -> Iterator[tuple[Code, Ruleset | None]]:
    for code in COMMON_CODES:
        yield code, None
    for ruleset in rulesets:
        for code in ruleset.codes:
            yield code, ruleset


def _rules(rulesets: list[Ruleset]) -> Iterator[tuple[Rule, Ruleset]]:
    for ruleset in rulesets:
        for rule in ruleset.rules:
            yield rule, ruleset


def _code_lines(code: Code, owner: Ruleset | None) -> Iterator[str]:
    yield f"{code.code} ({code.severity})"
    yield f"  {code.meaning}"
    if code.example:
        yield f"  Example: {code.example}"
    if code.remedy:
        yield f"  To put it right: {code.remedy}"
    parts = by_id(owner.rules) if owner else {}
    for rule_id in code.rules:
        for rule in parts.get(rule_id, ()):
            yield f"  Rule {rule_id}: {rule.summary} ({rule.cites})"


def _rule_lines(parts: list[Rule], ruleset: Ruleset) -> Iterator[str]:
    """A rule with all its parts (one numbered rule may be computed by several functions)."""
    rule_id = parts[0].id
    yield f"{ruleset.name}/{rule_id}"
    for part in parts:
        yield f"  {part.summary} ({part.cites})"
        if part.detail:
            yield f"    {part.detail}"
    for code in ruleset.codes:
        if rule_id in code.rules:
            yield f"  Checked by {code.code} ({code.severity}): {code.meaning}"
            if code.example:
                yield f"    Example: {code.example}"


def by_id(rules: tuple[Rule, ...]) -> dict[str, list[Rule]]:
    """The rules' parts under their numbers, in the order of the numbers."""
    found: dict[str, list[Rule]] = {}
    for rule in sorted(rules, key=lambda rule: (rule.id[0], int(rule.id[1:]) if rule.id[1:].isdigit() else 0)):
        found.setdefault(rule.id, []).append(rule)
    return found


def ruleset_page(ruleset: Ruleset) -> str:
    """The page docs/rules/NAME.md: rules with citation, chosen readings, codes. Generated, never edited."""
    out = [f"# {ruleset.title}", "", f"Made from the docstrings and tables of `rules/{ruleset.name}`: `make docs`.", ""]
    out += ["## Rules", ""]
    for rule_id, parts in by_id(ruleset.rules).items():
        out += [f"### {rule_id}"]
        for part in parts:
            out += ["", f"{part.summary} *{part.cites}*"]
            out += ["", part.detail] if part.detail else []
        codes = [f"`{code.code}`" for code in ruleset.codes if rule_id in code.rules]
        out += ["", f"Checked by {', '.join(codes)}."] if codes else []
        out.append("")
    if ruleset.choices:
        out += ["## Where the rulebook is silent", "", "Each reading has a number and a key; a board can pin one.", ""]
        out += [f"{number}. `{key}`: {text}" for number, (key, text) in enumerate(ruleset.choices, 1)]
        out.append("")
    out += ["## Profiles", "", ", ".join(f"`{name}`" for name in ruleset.profiles), ""]
    out += ["## Findings", ""]
    for code in ruleset.codes:
        out += [f"### `{code.code}` ({code.severity})", "", code.meaning, ""]
        out += [f"Example: {code.example}", ""] if code.example else []
        out += [f"To put it right: {code.remedy}", ""] if code.remedy else []
    return "\n".join(out).rstrip() + "\n"
