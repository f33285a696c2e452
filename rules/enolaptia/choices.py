"""Readings chosen where the rulebook and the rules page are silent: what a referee should know of this judge."""

CHOICES: tuple[tuple[str, str], ...] = (
    ("damage rounding", "A third or a half of AT may be rounded down or up (E8)."),
    ("written amount", "HP follow the amount that the post writes, if it is one of the admissible ones."),
    ("kinds of a mixed row", "A party holds every kind of its row and no other, each in any number (E1)."),
    ("one tie roll for several", "One roll may settle a tie between a creature and several characters (E3)."),
    (
        "order of moves",
        "A move behind somebody listed later is a fault, once in a turn, unless both are of one side and Speed (E3).",
    ),
    ("missing in the order", "Who is left out of an order, and who is listed though fallen, is not reported (E3)."),
    ("turns without order", "Moves are counted from order line to order line, never without one (E4)."),
    ("dead boss", "With the boss dead and others alive a run may succeed on 5 or 6 or be barred (E5)."),
    ("numbers of the absent", "Where a number points at somebody who may be out, whoever is named is accepted (E7)."),
    ("potion for the fallen", "A potion on a party member at 0 HP is no fault; 0 and the healed HP stay open (E10)."),
    ("gain of a potion", "The full gain or what the maximum leaves room for; any other gain is `potion` (E10)."),
    ("drop not rolled", "A creature killed without a drop roll is no fault; it may come in a later post (E12)."),
    ("items of the fallen", "An item of a fallen member counts if it is written, and need not be (E12)."),
    ("move roll of a creature", "A move that the creature's roll does not give is `moves` (E6)."),
    ("maximum", "A maximum that differs from the sheet's is a notice; the HP in front of it are judged."),
    ("example map book", "The example book counts only under the profile `example`; no board's battle meets it."),
    ("corrections with new rolls", "A roll that only a correction links to is not held against the post's time."),
    (
        "tie listed otherwise",
        "Where list and words of a tie differ, the fault is a winner who moves behind; in a duel the list.",
    ),
    (
        "sums shown",
        "A sum that does not give its own result is `damage`, also where the result is right; another AT, or "
        "other dice than the table's, beside a right amount are a notice (E8, E9).",
    ),
    ("names of no table", "A creature or item that no table names is a notice, not `encounter` or `drop` (E1, E12)."),
    (
        "kind without a number",
        "`Rat` is the only rat left; where several stand the move is not judged, and HP it touches are open.",
    ),
    (
        "abilities that heal",
        "One without damage in the tables, on the own side or on nobody, may heal; it counts as written (E9).",
    ),
    ("unread lines", "What an unread line may have changed is open: HP after a move, a turn's order, the EXP left."),
    ("drops outside their heading", "A roll of a living creature without the heading `Drops` is a notice, not `drop`."),
    ("listed after leaving", "Who has left and is listed or acts again is told and counts as in the battle (NE7)."),
    ("changed allocation", "Other numbers in the same battle are told and count from there on (E7)."),
    ("no move roll", "A move without its roll of a creature that has a list of moves is told, once a kind (E6)."),
    ("second move", "After its finding a second move in a turn may count or not (E4)."),
    ("HP at the head", "In front of a post's moves HP may be those before them or those that they leave (NE4)."),
    ("HP below 0", "A number below 0 stands for 0 if it is what the blow leaves without stopping at 0 (E14)."),
    ("rolls told in words", "Named, and what they may have changed is open: HP of all until stated again, the order."),
    (
        "claims in a spoiler or behind `>`",
        "No claims (G16); named. Behind `>` everything in that post stays open; in a spoiler what a move, order or "
        "encounter there may have changed; EXP and drops leave nothing open.",
    ),
)
