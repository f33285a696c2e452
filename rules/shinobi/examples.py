"""Commented example tables and sheet that `referee init` writes."""

from __future__ import annotations

EXAMPLE_TABLES = """\
# What your board knows beyond the rulebook. A table given here replaces the shipped one of that name.
# [tables.shinobi.techniques."Ember Volley"]
# phase = "main"                 # response | setup | main
# kind = "ninjutsu"              # which stats serve it: see modifiers
# hits = 4
# damage = 12                    # base damage of each hit
# cost = { chakra = 12 }
# [tables.shinobi.techniques."Kawarimi no Jutsu"]
# aliases = ["Body Substitute Technique"]
# phase = "response"
# cost = { chakra = 10 }
# negates = 1
# skips_main = true
# [tables.shinobi.techniques."Glass Eye"]
# phase = "setup"
# bloodline = true
# cost = { chakra = 3 }
# upkeep = { chakra = 4 }
# [tables.shinobi.skills."Killing Calm"]
# passive = true
# critical_range = 2
# [tables.shinobi.weapons.katana]
# size = "medium"                # small | medium | large
# damage = 14
# [tables.shinobi.modifiers.genjutsu]
# offense = "Genjutsu"
# defense = "Concentration"
# [tables.shinobi.readings]      # where the rulebook is silent every reading is accepted; pin one here
# critical = "either"            # either | down | up: half a point of a critical
# modifier = "any"               # any | exact | down | up: a modifier that is no multiple of 4
# hit_chance = "either"          # either | down | up: the chance by the formula below
# status = "either"              # either | down | up: damage under a status effect

# [tables.shinobi.hit_chance]    # without it only the cap and consistency are checked
# base = 50
# attacker = "Accuracy"
# target = "Evasion"
# divisor = 4
# min = 5
"""

EXAMPLE_SHEET = """\
# [[character]]
# board = "bridge"
# name = "Ren Aoki"
# player = "ren"                 # account that posts for the character
# side = "a"
# rank = "Gennin"                # Gennin | Chuunin | Jounin | Sennin
# skills = ["Killing Calm"]      # passive skills
# regen = { chakra = 3 }         # per own post, never above the total
# stats = { Taijutsu = 90, Ninjutsu = 300, Defense = 100, Speed = 120 }
# secret = { hp = 100, chakra = 80, stamina = 90 }   # totals: never shown outside staff reports
# start = { hp = 90 }            # where they differ from the totals
"""
