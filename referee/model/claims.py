"""What a reader finds in a post: claims with their places, and what it could not read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.model.records import filled_directly
from referee.model.text import Anchor

Value = int | float | str | None | list[int] | list[str] | list[float]


@filled_directly
@dataclass(frozen=True, slots=True)
class WrittenRoll:
    """Dice as a post writes them.

    `values`: the dice in the order of writing, empty where the post writes none (G14). `anchors`:
    the links or in-post rolls that stand for them (G7, G8). `expression`: as written, if it is.
    """

    values: tuple[int, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    expression: str | None = None


@filled_directly
@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a post states or does.

    `kind` is the ruleset's word for it (dodge, loss, damage ...). `quote`: the words as posted;
    `span`: their place in the script's text. `values`: numbers and names, shown in the report and
    compared between revisions (G20) - names, actions and numbers only, never prose. `data`: the
    ruleset's own typed record of it. `heading`: it puts the post in order and states nothing of the battle
    (`Turn 3`), so nobody is told when it comes or goes in an edit.
    """

    kind: str
    quote: str
    span: tuple[int, int] = (0, 0)
    values: Mapping[str, Value] = field(default_factory=dict)
    data: object = None
    heading: bool = False


@filled_directly
@dataclass(frozen=True, slots=True)
class Unread:
    """Tag-like text that could not be read (G19): never an error, never dropped.

    `hides`: it may hold any other claim of the post (a quote without an end).
    """

    quote: str
    span: tuple[int, int] = (0, 0)
    reason: str = "could not be read"
    hides: bool = False


@filled_directly
@dataclass(frozen=True, slots=True)
class Reading:
    """All that a reader found in one revision of a post, in order of place.

    `chatter`: no tag, roll, stat block or other statement of the system in it (G26, X1).
    `notes`: things that are no claim but that the ruleset's replay wants to know (phase marks ...).
    """

    claims: tuple[Claim, ...] = ()
    unread: tuple[Unread, ...] = ()
    notes: object = None

    @property
    def chatter(self) -> bool:
        """Whether the post says nothing of the system: no turn (G26)."""
        return not self.claims and not self.unread
