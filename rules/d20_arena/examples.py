"""Commented examples for `referee init`, and the readings chosen where the rulebook is silent."""

from __future__ import annotations

EXAMPLE_TABLES = """\
# Abilities of players and enemies. type: damage, bind, heal, self, aid or reaction.
[tables.d20_arena.abilities."Volt Lash"]
type = "damage"
range = "ranged"            # or "melee"
to_hit = 4                  # an enemy's bonus is its ATK instead
damage = "2d6+3"
kind = "lightning"          # optional: met by `resistances` instead of RES
# cooldown = 2              # used on own turn t: again from turn t+3
# uses = 1                  # used up by hits only
# special = true            # not before own turn 3

[tables.d20_arena.abilities."Chain Cast"]
type = "bind"
range = "ranged"
to_hit = 4
levels = 1                  # or dice, "1d2"
part = "legs"               # arms, legs, torso, head
# save = 11                 # the target's 1d20 of 11 or more resists

[tables.d20_arena.bind_levels.legs]
1 = {name = "hobbled", defense = -1}
2 = {name = "fettered", defense = -2}

[tables.d20_arena.bind_levels.arms]
2 = {name = "pinned", help = -1}        # taken off the roll when helping others

# [tables.d20_arena.traps]              # only in arenas with traps
# moving = 7                            # sprung if 1d20 is at most the number of the stance
# standing = 3
# damage = 3
# stops = true                          # a sprung trap takes the action

# [tables.d20_arena]
# bind_max = 4                          # levels never rise above it (8: they spill over)
# [tables.d20_arena.escape]             # instead of the classic bands
# 1 = {8 = 1}                           # level: {lowest roll: levels lost}
# 2 = {10 = 1, 18 = 2}
"""

EXAMPLE_SHEET = """\
[[character]]
name = "Hana"
player = "hana7"                        # the account that posts for her
side = "players"                        # or "enemies": the GM's account plays all of them
stats = {HP = 30, DEF = 14, RES = 1}    # enemies have ATK too
abilities = ["Volt Lash", "Chain Cast"]
# binds = {legs = 2}                    # levels at the start
# resistances = {fire = 3}              # by kind, instead of RES
"""

CHOICES: tuple[tuple[str, str], ...] = (
    (
        "stance before the first post",
        "A fighter that has not posted yet is moving; Defense with and without +2 is accepted.",
    ),
    ("post without action", "A turn in which nothing was done on the move: Defense with and without +2 is accepted."),
    ("healing oneself", "It may count as aid or as a self skill: Defense with and without +2 is accepted."),
    (
        "unlisted bind level",
        "A level that `bind_levels` does not list has no penalty, or that of the level below it: both are accepted.",
    ),
    ("arms above 8", "Levels above 8 on the arms are lost."),
    ("unwritten spill-over", "Levels that spill over count whether the post writes it or not."),
    ("struggle beside an action", "The limit named is one: an action or a struggle."),
    ("cooldown of enemies", "An enemy's own turns are the GM posts in which it acts."),
    ("unwritten saving throw", "Where a saving throw is due and none is written, both results are accepted."),
    (
        "free attack",
        "It is due in the next GM post that holds an action; not if one of the two may be at 0 HP by then.",
    ),
    (
        "what was not allowed",
        "After a Special skill too early, a use too many, a cooldown, a stance or a struggle that was not allowed, "
        "later posts may go on with its effect or without it.",
    ),
    (
        "open result",
        "A tag with a question mark for its result is unread; beside the whole announced action it changes nothing, "
        "in its place the next statement of HP counts.",
    ),
    (
        "HP in a spoiler",
        "HP of a named fighter there are no claim; where they differ a notice says so, and later posts may go on with "
        "either.",
    ),
    (
        "late edits",
        "Where claims were put in or taken out after another's post, later posts may go on with them or without them.",
    ),
)
