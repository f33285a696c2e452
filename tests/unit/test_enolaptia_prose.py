"""Prose with the words, names and numbers of Enolaptia in it: nothing of it is read, and nothing is said of it."""

from __future__ import annotations

import pytest

from referee.app.plugins import body_reader
from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.ports.rules import Sheets
from rules.enolaptia import RULESET
from tests.support.enolaptia_sim_book import ABILITIES, CREATURES, MAPS

CHARACTERS = (
    Character("Mira", "mira", "party", data={"stats": {"HP": 40, "AT": 14, "Speed": 12}}),
    Character("Tobin", "tobin", "party", data={"stats": {"HP": 35, "AT": 11, "Speed": 10}}),
)
SHEETS = Sheets(CHARACTERS, {"maps": MAPS, "creatures": CREATURES, **ABILITIES})
ORDER = "Order: Mira (12), Tobin (10), Marsh Rat (9)"
BITE = "Rat 1 attacks Mira; damage 1d6 = 5: 6"

LINES = """
Mira attacks Rat 1 with everything she has, and then some.
Mira attacks Rat 1 as if it owed her 20 coins.
Mira attacks the rat again.
Mira attacks Rat 1.
Mira attacks Rat 1!
Mira hits Rat 1 hard.
Mira hits Rat 1 for all 9 lives.
Mira swings at Rat 1 and rolled over twice on landing.
Mira rolled 3 times through the mud and came up spitting.
Mira rolled a cigarette.
Rat 1 attacks!
Rat 1 attacks first, as always; 2 steps, 1 snarl.
Rat 1 attacks Mira from behind the barrel.
Rat 1 attacks the barrel, d6 or no d6.
Rat 1 was 5 feet long and half as wide.
Rat 1 had 2 friends left.
Rat 1: small, wet, 3-legged.
Rat 1: dead, by the look of it.
Rat 1 is dead.
Rat 1 (dead) lay in the reeds.
Rat 1 takes 3 steps and falls.
Rat 1 takes 7 damage to its dignity.
Rat 1 takes a hit and keeps coming.
Rat 1 runs for it.
Rat 1 drops a stone.
Rat 1, 3/4 drowned, kept swimming.
Mira takes 4 steps.
Mira takes 9 coins' worth of damage to her boots.
Mira takes a potion from her belt and thinks better of it.
Mira drinks deep: water, 2 cups.
Mira drinks to Tobin.
Mira used a potion once, in 1432.
Mira uses the Small Potion as a paperweight.
Mira uses her head.
Mira gives Tobin the Small Potion? No. Not yet.
Mira hands Tobin a Small Potion and winks; neither drinks it.
Mira heals slowly; 10 days, last time.
Mira casts Ember on the campfire later, for tea.
Mira casts a long shadow.
Mira casts about for a stone, finds 3.
Mira spells it out: 2 against 1 is no fair fight.
Mira: "Run!"
Mira: run, Tobin, run!
Mira: Run? Never.
Mira: normal day, normal attack of nerves.
Mira: attack is the best defence, they say.
Mira: potion? what potion?
Mira: special thanks to the cook.
Mira: skill issue.
Mira: 40 winks would do.
Mira: "Order! Order!" (2 times)
Mira runs.
Mira runs toward Rat 1.
Mira tries to run, slips, and rolled 6 feet downhill.
Mira escaped the tax collector twice.
Mira escapes notice.
Mira cannot run in these boots.
Mira waits.
Mira passes the salt.
Mira misses home.
Mira misses the step and hits the rail, hard.
Mira kills time. 2 minutes, 3.
Mira kills Rat 1, or so the song will say.
Mira guards the rear.
Mira defends Tobin's honour for 5 minutes.
Mira dodges.
Mira joins hands with Tobin.
Mira -> Rat 1 -> Tobin: a triangle of bad tempers.
Mira looks left -> right -> left.
Mira and Tobin attack the bread; 12 days old, it wins.
Mira's attack was a thing of beauty: 3 steps, 1 cut.
Mira's HP was never good, her mother said.
Mira's turn to cook.
Mira 3, Rat 1 0.
Mira 3, Tobin 2, said the tally on the wall.
Mira (31 next spring) sighed.
Mira has 3 arrows left.
Mira has 40 reasons to go home.
Mira is at 12 o'clock, Rat 1 at 3.
Mira is down to 2 clean socks.
Mira is down.
Mira is hit.
Mira is hit by a smell.
Mira went 3 for 4.
Mira loses 2 buttons.
Mira loses 5 minutes to laughter.
Mira gains 3 pounds just looking at the bread.
Mira gains ground: 10 paces, 12.
Mira needs 6 hours of sleep.
Mira on Rat 1: "Ugly. 6/10."
Run! shouted Tobin; nobody did.
Run: the sign said it in 3 languages.
Run: a verb.
Run for 20 paces, rest for 10.
Potion of the house: 4 coins.
Potions everywhere, 12 of them, all cracked.
Potion seller wanted, inquire within (3rd door).
Order: two ales, one soup.
Order 66 was not on the menu.
Order was restored by 11.
Encounters of the third kind: 1 so far.
Drops: of rain, 1d6 million.
Drops of rain fell on Rat 1.
Drops fell. 3, 4, 5.
EXP: experience is what you get when you don't get what you want.
Exp is a currency like any other, 3 to the coin.
HP: sauce, 3 bottles.
HP sauce went everywhere.
HP: full of herself, thought Tobin about Mira.
Hit points? 2 of them: nose and chin.
Turn left at the mill, then turn 3 times around.
Turn 3 corners and you're there.
Battle turn or no, it was 4 in the morning.
Round 2, the barman said, and poured.
Tie: blue, with 6 dots.
Duel: that was the tavern's name.
Spar and mast and 20 fathoms of rope.
Miss! cried the crowd of 2 frogs.
miss, 3 times
strong attack of hiccups, 6 minutes
weak tea, 2 cups
normal attack of nerves
Damage: 3 chairs, 1 lamp.
Damage was done; 1d6 chairs at least.
damage 9/3 = 3 chairs each
The d6 rolled off the table: 6, said nobody.
1d6 = bad luck, someone had scrawled.
1d6 rats would be funny; Rat 1 was not.
2d6 of this and I'm out, thought Mira.
(6/6, would fight again)
[Mira looks at Rat 1; Rat 1 looks at Mira]
[Mira attacks, badly, 2 times]
[Run, Tobin, run]
[Scene 3: the fen]
[the potion was empty, x2]
(Rat 1 attacks the bucket)
(Mira: "ow", 3 times)
(Mira 31, Tobin 22, said the chalk)
[Mira: sighs 3 times]
(turn 2, people!)
(1d6, and it was a 6, of course)
"Mira attacks Rat 1: rolled a 4," the bard sang, "or was it 5?"
"HP: low," said Tobin. "Spirits: 3/10."
"Rat 1: 0/18," muttered the bookkeeper.
"Potion: Small Potion on Mira!" yelled the crowd; Mira shook her head.
The rat hit the wall and 2 teeth came loose.
The Marsh Rat lowered its head; 5 breaths passed.
Marsh Rat tracks, 3 sets, led into the reeds.
Marsh Rat after Marsh Rat, they came.
Marsh Rat: 2 parts teeth, 1 part smell.
Marsh Rat x3, the ranger had said.
Marsh Rats attack in packs of 3, as every child knows.
Marsh Rat attacks happen twice a week here.
Marsh Rat drops the bone.
Marsh Rat 1 was the ugliest.
Small Potion: best before spring.
Small Potion bottles, 3 of them, clinked.
Ember on Rat 1, whispered the wind, 2d6 of leaves.
Ember is a spell for winter.
Ember: a spell for winter, 3 syllables.
Teleport, they called it; 4 drunk mages and a hole.
[Teleport is a myth, Mira wrote]
Party stone: a pebble, 3 ounces.
Party of 4, table by the window.
Special of the day: eel, 3 coins.
Skill beats luck 5 times in 9.
Attack, rest, attack: 3 beats.
Attack: a word with 6 letters.
Attack on Rat 1: 2 pages in the report.
Loot: 1 boot.
Level 3 of the cellar was flooded.
Move 1: pawn to 4.
Move, Mira, move! 3 seconds!
Speed 12, said the sign at the mill.
AT 14 knots the ferry shook.
AT: 9 in the morning.
3-4 = trouble
1-3: soup, 4-6: bread, said the cook.
Correction: Mira was not afraid.
Edit: that's the last 3 lines, said the poet.
Mira, Tobin: two fools, 1 idea.
Mira + Tobin = trouble.
Mira = trouble x 2.
Mira: 5
Mira - 12 summers in the fen - spat.
Mira; Rat 1; a puddle between them, 3 feet wide.
- Mira waits, 3 breaths.
* Rat 1 hisses *
-> Rat 1 moves closer
+10 to anyone who can say that twice.
-3 for effort, Mira.
0/10, would not recommend.
4 coins -> 2 coins -> 0 coins.
Mira (tired), Tobin (2 minutes from tired), Rat 1 (wet).
Mira attacks: a blur, 3 cuts, none deep enough to count.
Mira attacks: nothing.
Mira attacks Tobin's cooking: 2 stars.
Mira strikes Rat 1 2 times across the snout, in her dreams.
Mira stabs Rat 1, 5 inches deep.
Mira kicks Rat 1 - thud - and hops away.
Mira shoots Rat 1 a look, 9 on a scale of 10.
Mira casts Ember on Rat 1, twice for luck.
Mira casts Ember and 3 rats run.
Mira: Ember, 2 times!
Mira uses Small Potion.
Mira used the Small Potion, 10 minutes ago.
Mira gives Tobin a Small Potion.
Mira gives Tobin the Small Potion, 2 left.
Mira hands Tobin her Small Potion!
Mira: Small Potion!
Mira: the Small Potion? 2 left.
Mira drinks the Small Potion in 3 gulps.
Mira quaffs a Small Potion, 10 drops at a time.
Mira: a Small Potion, 4 coins.
Mira unleashes Crescent Sweep!
Mira: Crescent Sweep on Rat 1? Not today, 3 of them.
Mira performs Crescent Sweep on 12 straw men.
Mira: skill and luck, 2 to 1.
First round: 3 ales. Mira paid.
First blood to Mira: 3 scratches.
Tobin was first, 3 steps ahead of Mira.
Who goes first? Mira rolled 2 dice and lost them.
First things first: Mira rolled up 2 sleeves.
Tie him up, Mira, 3 ropes.
The tie: 2 knots, said Tobin.
Ties bind; 3 of them.
tied 3 knots and rolled 4 sails, first to last
A tie! 2 to 2, cried Mira.
Tie game: 3 all.
Tie - 2 dots, 3 stripes.
New turn at the mill, 3 miles.
Another round, Mira! 3 ales.
Next round: Mira pays 3 coins.
Last turn, Mira had 3 arrows.
Second turn of the key, 3 clicks.
Third round - Tobin is down to 2 coins.
Fourth turn left, 2nd door.
Same order, Mira: 3 ales.
Same order? Mira had 3 ales.
Order as before? Mira doubted it, 2 times.
Order unchanged: 3 ales.
Order in the ranks! 3 steps back, Mira.
Order: Mira wants ale, Tobin wants soup.
Order: Mira first, then the world.
Order, Mira! Order - 3 times.
Turn 3: Mira looks left.
Round 1: Mira against the ladder, 3 rungs.
Turn 4 - Tobin sighs 2 times.
Turn 2: of the screw.
Encounter with 3 old friends: Mira rolled up his sleeve.
Encounter - 2 days late.
Encounters: Mira has had 3.
Encounter: Mira met a man with 2 hats.
Drops 2 arrows, Mira.
Drop it, Mira! 3, 2, 1.
Drops - 3 of them - fell.
Item 3: Mira rolled the rug.
Allocation of beds: Mira 1, Tobin 2.
Allocation: unknown, 3 of us.
Mira (12), aged. Tobin (9), ageing.
Mira (12), Tobin (10), and the dog (3).
Mira 5 -> 4, Tobin 2 -> 3 at darts.
Mira: 2 -> 3 days.
Mira 2 x 2 = 4.
Mira: 5 x 5 = 25, easy.
Mira: 2 + 2 = 4!
Mira tells Tobin: 2 + 2 = 4, or so they say.
Mira says Rat 1 is 1 + 1 = 2 rats, at least.
Mira loses 3 HP worth of pride.
Mira gains 5 HP of swagger.
Mira lost 40 HP-sized pieces of her mind.
-5 HP for style, Mira!
Mira heals 3 wounds.
Mira: the sign says it heals 3 wounds.
Mira has 3/4 of a loaf.
Mira is at 3/4 speed.
Mira, 3 of 5 teeth left.
Mira: 7 of 9.
Mira: 3/10, would not fight again.
Status of the fen: 3/10, Mira said.
Health: 3/4, says the doctor to Mira.
Standings: Mira 3, Tobin 2.
Hit points are 5/5 a myth, Mira thought.
State: 7/10 tired.
Current mood: 2/10, Mira.
HP 9/10 would buy again, Mira.
Experience points to 3 winters, Mira.
XP is 2 old for Mira.
EXP: 20 years of it.
Experience: 3 + 4 winters.
Mira rolled 2, 3 times over.
Mira rolled 5: five barrels.
Mira rolled 5 times.
Mira rolled 4; the barrels followed.
Mira shot Rat 1: 3 arrows, 2 hits.
Mira strikes Rat 1: 3 blows, 2 misses.
Mira bites the bullet: 3 times.
Rat 1 bites Mira: 2 teeth!
Rat 1 -> Mira: 3 steps.
Rat 1: 3 teeth.
Rat 1 2/3 asleep.
Rat 1: 1/2 asleep, snoring.
Rat 1 loses 3 hairs.
Mira's HP? 3 words: "low".
Mira had 12 HP once, in a dream.
Mira waits; damage 3 chairs.
Mira: damage: 3 chairs.
Mira takes 3 damage to her pride.
Mira takes the Small Potion, 3 coins worth.
Mira takes a Small Potion from the shelf.
Potion: one for the road.
Potion: none left.
Run: no.
Mira: potion of sorts, 2 sips.
Mira: run along now, 3 miles.
Mira: move over, 2 inches.
Mira: move 3 chairs.
Mira: attack? 2 against 1?
Mira: attack at dawn, 6 sharp.
Mira: spell it: 3 letters.
Mira: special delivery, 2 boxes.
Mira: casts? 2 of them, on her leg.
Mira joins: 3 cheers.
""".strip().splitlines()


@pytest.mark.parametrize("text", LINES)
def test_prose_says_nothing(text: str) -> None:
    """Neither alone nor between two lines of the game, which stay as they are."""
    found = RULESET.read(scripts_of(body_reader()(text, None)), "mira", SHEETS)
    assert found.chatter
    beside = f"{ORDER}\n{text}\n{BITE}"
    found = RULESET.read(scripts_of(body_reader()(beside, None)), "mira", SHEETS)
    assert [claim.quote for claim in found.claims] == [ORDER, BITE]
    assert found.unread == ()
