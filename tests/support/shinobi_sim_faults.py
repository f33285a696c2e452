"""All planters: each spoils an honest fight in one plausible way and says what must be found."""

from __future__ import annotations

from tests.support import (
    shinobi_sim_dice_faults,
    shinobi_sim_post_faults,
    shinobi_sim_response_faults,
    shinobi_sim_turn_faults,
)
from tests.support.shinobi_sim_spots import Planter

_MODULES = (shinobi_sim_response_faults, shinobi_sim_turn_faults, shinobi_sim_dice_faults, shinobi_sim_post_faults)
PLANTERS: dict[str, Planter] = {
    name.removeprefix("plant_"): value
    for module in _MODULES
    for name, value in vars(module).items()
    if name.startswith("plant_")
}
#: Rules that are broken while the battle is played.
PLANS = (
    "response-techniques",
    "response-double",
    "out-of-turn",
    "acts-while-down",
    "main-skipped",
    "first-turn",
    "attack-limit",
    "cost-unaffordable",
)
