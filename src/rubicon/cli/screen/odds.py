"""The chances that the screen shows: of an attack under a stop, from what the seat may see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rubicon.engine.records.position import NONE, Position
from rubicon.errors import RubiconError
from rubicon.odds.battle import Battle, battle
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import Stop
from rubicon.rules.game.game import Game

REMEMBERED = 4096  # battles
MOST_SHOWN = 400  # armies of one side: a larger battle takes longer than a key may


@dataclass(frozen=True, slots=True)
class StopChoice:
    """A stop of an attack: its name on the screen, its words in an order, what it means."""

    name: str
    words: str
    stop: Stop

    def with_armies(self, attack: int) -> StopChoice:
        """The stop for so many attacking armies: few of them leave fewer behind."""
        left = min(self.stop.left, attack - 1)
        if left == self.stop.left or left < 1:
            return self
        return StopChoice(self.name, f"UNTIL LEFT {left}", Stop(left=left))


STOPS = (
    StopChoice("once", "UNTIL ROUNDS 1", Stop(rounds=1)),
    StopChoice("3 left", "UNTIL LEFT 3", Stop(left=3)),
    StopChoice("≥60%", "UNTIL ODDS < 60%", Stop(odds=0.6)),
    StopChoice("end", "UNTIL WON", Stop()),
)
USUAL_STOP = 1


def battle_at(
    game: Game, view: Position, source: int, target: int, stop: Stop, *, placed: int = 0
) -> Battle[float] | None:
    """The battle between two territories; None where armies are hidden or too many.

    `placed` armies are not there yet, but will defend.
    """
    attack, defend = int(view.armies[source]), int(view.armies[target]) + placed
    if not (2 <= attack <= MOST_SHOWN and 1 <= defend <= MOST_SHOWN):
        return None
    if NONE in (int(view.owner[source]), int(view.owner[target])):
        return None
    try:
        return _battle(attack, defend, DiceRule.between(game.ruleset, view, source, target), stop)
    except RubiconError:
        return None


@lru_cache(maxsize=REMEMBERED)
def _battle(attack: int, defend: int, rule: DiceRule, stop: Stop) -> Battle[float]:
    return battle(attack, defend, rule, stop)


def chance_at(game: Game, view: Position, source: int, target: int, choice: StopChoice) -> float:
    """The chance to take a territory; 0 where it is not known."""
    stop = choice.with_armies(int(view.armies[source])).stop
    found = battle_at(game, view, source, target, stop)
    return found.win if found is not None else 0.0


def threat_to(game: Game, view: Position, source: int, target: int, *, placed: int = 0) -> float:
    """The chance that a neighbour takes a territory if it attacks to the end."""
    found = battle_at(game, view, source, target, STOPS[-1].stop, placed=placed)
    return found.win if found is not None else 0.0
