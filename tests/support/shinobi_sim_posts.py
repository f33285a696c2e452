"""What happens to simulated posts besides turns: chatter, corrections, double posts, harmless edits."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from tests.support.shinobi_sim_data import (
    Fight,
    SimPost,
)


class Polishing:
    """Posts that are no turns, and halves of turns."""

    rng: random.Random
    fight: Fight
    plan: str | None

    def polish(self) -> None:
        """Posts that are no turns: chatter, corrections; double posts; edits that are no fault."""
        rng = self.rng
        extra: list[SimPost] = []
        for index, post in enumerate(self.fight.posts):
            chance = rng.random()
            if chance < 0.05 and not self.plan:
                extra.append(self.first_half(post) or post)
                if extra[-1] is not post:
                    extra.append(post)
            else:
                extra.append(post)
            following = self.fight.posts[index + 1].at if index + 1 < len(self.fight.posts) else None
            if 0.05 < chance < 0.1 and not self.plan:
                self.corrected(post, extra)
            elif 0.1 < chance < 0.16:
                self.edited(post, following)
            if rng.random() < 0.05:
                late = extra[-1].at + timedelta(seconds=rng.randrange(20, 100))
                who = rng.choice(["mossback", "driftwood", post.author])
                text = rng.choice(
                    [
                        "Whoever wins owes me 3 coins :D",
                        "lol, I rolled a 3 at the other table too",
                        "((popcorn, please))",
                    ]
                )
                extra.append(SimPost(f"y{rng.randrange(1000)}{post.id}", who, "", late, chatter=text))
        self.fight.posts = extra

    def first_half(self, post: SimPost) -> SimPost | None:
        """The first half of a double post (G27): everything before the Main Phase, no Loss Tag."""
        early = [p for p in post.parts if p.phase != "main"]
        if not early or (len(early) == len(post.parts) and self.rng.random() < 0.5):
            return None
        rolled = [self.fight.rolls[u]["at"] for p in early for u in p.data.get("links", []) if u in self.fight.rolls]
        at = max([*rolled, post.at - timedelta(seconds=400)]) + timedelta(seconds=1)
        if at >= post.at:
            return None
        half = SimPost(f"{post.id}h", post.author, post.char, at, parts=early, stats=post.stats)
        half.facts = {**post.facts, "half": True}
        post.parts = [p for p in post.parts if p.phase == "main"]
        post.stats = False
        post.facts["second"] = True
        return half

    def corrected(self, post: SimPost, extra: list[SimPost]) -> None:
        """A slip in the Loss Tag that its author corrects in time (G25)."""
        rng = self.rng
        pool = rng.choice(["chakra", "stamina"])
        assert post.loss is not None
        true = dict(post.loss)
        if true[pool] >= 0:
            return
        missing = rng.randrange(1, -true[pool] + 1)
        post.loss = {**true, pool: true[pool] + missing}
        word = {"chakra": rng.choice(["CHK", "chakra"]), "stamina": rng.choice(["STM", "stamina"])}[pool]
        text = rng.choice(
            [
                f"Edit: forgot {missing} {word}",
                f"edit: forgot the {missing} {word}, sorry",
                f"Correction: forgot {missing} {word}.",
                "loss",
            ]
        )
        if text == "loss":
            signed = {k: f"{'+' if v > 0 else '-'}{abs(v)}" for k, v in true.items()}
            text = f"Correction: (HP: {signed['hp']} | CHK: {signed['chakra']} | STM: {signed['stamina']})"
        if rng.random() < 0.3:
            extra.append(
                SimPost(f"z{post.id}", "mossback", "", post.at + timedelta(seconds=60), chatter="what a night")
            )
        extra.append(
            SimPost(f"c{post.id}", post.author, "", post.at + timedelta(seconds=rng.randrange(70, 300)), chatter=text)
        )

    def edited(self, post: SimPost, following: datetime | None) -> None:
        """An edit that is no fault: before anybody else posted, or of prose alone."""
        rng = self.rng
        if rng.random() < 0.5:
            post.edited = post.at + timedelta(seconds=200)
            post.facts["old"] = (
                post.at + timedelta(seconds=30),
                lambda text: text.replace("HP", "HP").replace("-0", "-1"),
            )
        else:
            post.edited = (following or post.at) + timedelta(seconds=500)
            post.facts["old"] = (post.at + timedelta(seconds=30), lambda text: "A typo stood here.\n\n" + text)
