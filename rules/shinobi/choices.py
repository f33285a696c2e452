"""Readings chosen where the rulebook is silent; each is accepted beside the others that are named."""

from __future__ import annotations

CHOICES: tuple[tuple[str, str], ...] = (
    ("critical-rounding", "Half a point of a critical may go up or down, hit by hit (S12). Pin: readings.critical."),
    (
        "modifier-rounding",
        "A modifier that is no multiple of 4 may be split exact, rounded down or up (S24). Pin: readings.modifier.",
    ),
    ("bonus-rounding", "In the long damage tag each bonus may be rounded down or up by itself (S26)."),
    (
        "concentration-weapons",
        "Whether Concentration widens the Critical Range of weapons is open: hit or critical (S13).",
    ),
    (
        "status-rounding",
        "Damage under a status effect's factor may be rounded down or up (2.02). Pin: readings.status.",
    ),
    (
        "exhaustion",
        "At 0 chakra or stamina within a post, acting on in it or not are both accepted (S33). Pin: exhaustion.",
    ),
    ("spar-at-zero", "At 0 HP in a spar, acting on or passing out is up to the players (S34)."),
    (
        "regeneration-order",
        "Regeneration at the end of Setup may come before or after costs of Setup, at the total (S30).",
    ),
    ("healing-at-total", "Healing near the total may be written in full or as really gained."),
    ("failed-cost", "An ability that can't be paid may show its cost, what was left, or nothing (S29)."),
    ("second-poison", "Damage over time that hits again in the Response of its last tick may start anew or not (S28)."),
    ("first-posts", "With two fighters who alternate, either may post first (S4)."),
    ("unanswered", "An attack without a tag counts as taken where the loss holds it (S7)."),
    (
        "setup-in-a-line",
        "An attack below a Setup action told in one line, or a heading such as `Attack:`, may stand in Main (S18).",
    ),
    ("several-attackers", "One dodge tag may roll for the hits of several attackers, in the order of attacks (S9)."),
    (
        "chance-rounding",
        "The chance to hit by a formula may be rounded down or up (S14). Pin: readings.hit_chance.",
    ),
    (
        "several-of-one-account",
        "A post of an account with several characters holds a turn of each whom a line, a label or its words name;"
        " whether all of them are due then is not judged (S4).",
    ),
    (
        "shared-hits",
        "The hits of one technique may be shared out among targets, a tag for each; it is paid once (S25).",
    ),
    (
        "healed-comrade",
        "Healing of somebody else may show in either Loss Tag: the one healed is not judged next (S28).",
    ),
)
