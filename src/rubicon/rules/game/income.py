"""The armies that a seat gets at the start of its turn, item by item."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from rubicon.engine.phases.reinforce import award, territory_award
from rubicon.engine.records.position import Position, copy_position
from rubicon.engine.rewards import wake_rewards
from rubicon.rules.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Income:
    """The armies of one turn. `cities` are those that the territories alone would not give.

    Where a minimum for the whole turn applies, `territories` holds what fills it up.
    """

    territories: int
    cities: int
    continents: int
    capitals: int
    rewards: int

    @property
    def total(self) -> int:
        """All armies of the turn."""
        return self.territories + self.cities + self.continents + self.capitals + self.rewards


def income(ruleset: Ruleset, position: Position, seat: int) -> Income:
    """The armies that a seat would get if its turn began now (S001-32 to S001-36).

    `position` may be a seat's view: what is hidden in it does not count for the armies.
    """
    trial = copy_position(position)
    if ruleset.rules.objectives_in_play:
        wake_rewards(trial, seat)  # rewards of the last turn begin with this one
    award(trial, ruleset.rules, ruleset.tables, seat)
    cities = _for_cities(ruleset, trial, seat)
    return Income(
        territories=int(trial.award_territories) - cities,
        cities=cities,
        continents=int(trial.award_continents),
        capitals=int(trial.award_capitals),
        rewards=int(trial.award_rewards),
    )


def _for_cities(ruleset: Ruleset, position: Position, seat: int) -> int:
    """The armies that the seat's cities add to those for its territories."""
    if not ruleset.rules.setup_cities:
        return 0
    without = copy(ruleset.rules)
    without.setup_cities = 0
    counted = territory_award(position, ruleset.rules, ruleset.tables, seat)
    return int(counted - territory_award(position, without, ruleset.tables, seat))
