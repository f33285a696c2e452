"""Readings chosen where the rulebook is silent, for the page of rules."""

from __future__ import annotations

CHOICES: tuple[tuple[str, str], ...] = (
    ("equal totals (D4, D11, D13)", "Either outcome is accepted."),
    (
        "affinities after a difference of 0 or less (D6)",
        "0, the affinities alone, or the difference with them; never below 0.",
    ),
    ("rounding of Full Defense and of halved stats (D9, D10)", "Up or down."),
    ("rounding of a third (D12)", "Up or down; the accessory is out for the damage written."),
    ("a weapon in attacks that do not name it (D7)", "With or without it; so too the defender's Strength in a test."),
    (
        "Agility penalty of a Shattering Blow while entangled (D15)",
        "It holds; only disarming and breaking free are spared.",
    ),
    ("first attack of a simultaneous strike (D10)", "Only the first attack of the first named hits automatically."),
    ("second fighter of a simultaneous strike who falls by the first blow (D10, D16)", "The own blow still counts."),
    (
        "rounds of a strangle hold (D14)",
        "Numbered as written, or by the judge's posts gone by; a round left out is no finding.",
    ),
    ("accessories on Strength and the strangle step (D14)", "With or without them; never with a weapon."),
    ("a break that does not shatter (D15)", "Whether it frees the doll is the judge's word."),
    (
        "holds after the holding or held weapon is lost, shattered or out of control (D14)",
        "Open until the judge says who is free: neither reading of a modifier is a finding.",
    ),
    (
        "which weapon an entangle of the weapon takes (D14)",
        "The only handheld one; with several, or none handheld, no use of a weapon is a finding.",
    ),
    ("penalties of a chain that a fall cut short (D8)", "Those of attacks not made any more may stand."),
    ("an entangle that hit and that no sentence begins (D14)", "Its modifier may be shown or not."),
    ("affinities that the damage holds without showing them (D6)", "Right as they are."),
    ("a hit without its damage line", "The next HP line of the doll struck is not checked, and the report says so."),
    (
        "doll stats on sheets without EXP (D18)",
        "Only single stats above two full parts are a notice; sums may have been bought.",
    ),
    ("penalties of one chain written as one number (D8)", "-30 for -10 and -20 on one attack is accepted."),
    (
        "stat, damage and outcome after a wrong number in the same attack",
        "The written and the right number both count.",
    ),
    ("checks below no heading", "Their sums are judged, their stats and modifiers not; a notice says so."),
    ("rolls told in words", "Named where the judge shows them; HP of all dolls are open until they are stated again."),
    ("claims in a spoiler or behind `>`", "No claims (G16); named, and everything in that post stays open."),
    (
        "two numbers behind a doll's name",
        "HP only if they fit, out of the sheet's maximum or with the word; else a notice.",
    ),
)
