"""Games of one challenger against copies of the strongest bot, which stays as it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.lab.training.fitting import Examples
from rubicon.lab.training.notes import QUICK, Noted, Notes, examples_of
from rubicon.players.level_play import EXPERT
from rubicon.players.planner.thinking import USUAL_THINKING
from rubicon.players.planner.weights import LEARNED
from rubicon.players.registry import NAMES
from rubicon.rules.ruleset.ruleset import Ruleset

Values = npt.NDArray[Any]
NOTED_ONE_IN = 1  # turns of training games


@dataclass(frozen=True, slots=True)
class Challenger:
    """Who sits among the strongest: a scripted bot, or a planner with its own model and traits.

    `bot` names the scripted bot; `traits` are changed in all proposers of a planner; `weights` is
    an array of one record.
    """

    name: str
    bot: str | None = None
    traits: Mapping[str, float] = field(default_factory=dict)
    weights: Values = field(default_factory=lambda: LEARNED)


class Challenge:
    """Plays games of a challenger against the strongest, one after another."""

    def __init__(self, ruleset: Ruleset, players: int, challenger: Challenger) -> None:
        self.players = players
        self.challenger = challenger
        self.notes = Notes(ruleset)
        self.usual = self.notes.proposers[0].copy()
        self.changed = self.usual.copy()
        for name, value in challenger.traits.items():
            self.changed[name] = value

    def play(self, seed: int, place: int, thinking: Values) -> Noted:
        """A game with the challenger at `place`."""
        notes = self.notes
        notes.weights[:] = LEARNED[0]
        notes.weights[place] = self.challenger.weights[0]
        notes.proposers[:] = self.usual
        notes.proposers[place] = self.changed
        notes.thinking[:] = thinking[0]
        policies = np.full(self.players, EXPERT, np.int64)
        if self.challenger.bot is not None:
            policies[place] = NAMES[self.challenger.bot]
        return notes.play(policies, seed, NOTED_ONE_IN)

    def block(self, seed: int) -> list[int]:
        """1 for each seat in which the challenger wins the game with this seed, else 0."""
        return [
            int(self.play(seed, place, USUAL_THINKING).winner == place)
            for place in range(self.players)
        ]

    def examples(self, games: range) -> Examples:
        """What is noted of training games, in which all think little; seeds are `games`."""
        return examples_of((game, self.play(game, game % self.players, QUICK)) for game in games)
