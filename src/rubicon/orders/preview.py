"""What orders may come to: exact odds of the whole plan, from what the seat may see.

The orders are carried out by the engine itself on every position that they can lead to, equal
positions taken together; nothing is rolled. Where that would be too many positions, a sample of
runs is drawn, and the interval stated.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count
from math import sqrt
from typing import Any

import numpy as np

from rubicon.odds.fight import outlook
from rubicon.odds.kernel import SHIFT
from rubicon.odds.rule import DiceRule
from rubicon.orders.battle_rolls import battle_rolls
from rubicon.orders.carrying import Carrying, Decision, Spoils, Standstill
from rubicon.orders.imagining import imagined
from rubicon.orders.move import Note
from rubicon.orders.order import AttackOrder
from rubicon.orders.plan import Progress, Step
from rubicon.orders.sheet import Sheet
from rubicon.rules.actions import DefendWith
from rubicon.rules.game import Game
from rubicon.rules.position import DRAWN, Chance, Phase, Seat, copy_position
from rubicon.rules.procedures.cards import card_earned
from rubicon.rules.procedures.play import apply, settle

MOST_STATES = 10_000
RUNS = 500
SURE = 1.959963984540054  # standard deviations on either side of 95 of 100


@dataclass(frozen=True, slots=True)
class Estimate:
    """A chance; where it was sampled, with the interval that holds it 95 times of 100 (Wilson)."""

    chance: float
    low: float
    high: float

    def __str__(self) -> str:
        if self.low == self.high:
            return _percent(self.chance)
        return f"about {_percent(self.chance)} ({_percent(self.low)} to {_percent(self.high)})"


@dataclass(frozen=True, slots=True)
class Prospect:
    """A territory that the orders name: the chance to hold it at the end, and its armies then."""

    territory: str
    held: Estimate
    armies: float  # on average, where it is held


@dataclass(frozen=True, slots=True)
class Preview:
    """What may become of orders.

    `runs` is None where everything is exact. Losses are averages, in armies. `lines` has, by the
    number of an order that attacks, the chance that its whole path is held at the end.
    """

    runs: int | None
    lines: tuple[tuple[int, Estimate], ...]
    prospects: tuple[Prospect, ...]
    lost: float
    destroyed: float
    card: Estimate
    eliminated: tuple[tuple[str, Estimate], ...]
    won: Estimate
    notes: tuple[tuple[Note, Estimate], ...]
    pauses: tuple[tuple[str, Estimate], ...]
    assumptions: tuple[str, ...]


@dataclass
class Tally:
    """What the branches come to, each by its weight."""

    lost: float = 0.0
    destroyed: float = 0.0
    notes: dict[Note, float] = field(default_factory=lambda: defaultdict(float))
    pauses: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    endings: list[tuple[Any, float]] = field(default_factory=list)
    assumptions: set[str] = field(default_factory=set)


class TooManyStatesError(Exception):
    """An exact answer would take too long."""


def preview(
    sheet: Sheet,
    game: Game,
    colour: str,
    *,
    spoils: Spoils = Spoils.PAUSE,
    most_states: int = MOST_STATES,
    runs: int = RUNS,
) -> Preview:
    """The odds of orders from where a game stands, seen by one seat; nothing is rolled.

    A defender who is asked gives the answer that is worst for the attack; cards that nobody has
    seen are passed over, and said so. At most `most_states` positions are followed exactly.
    """
    foresight = Foresight(sheet, game, colour, spoils)
    try:
        tally, drawn = foresight.explore(most_states), None
    except TooManyStatesError:
        tally, drawn = foresight.sample(runs), runs
    return _summary(foresight, tally, drawn)


class Foresight:
    """Orders, and the position from which they are followed."""

    def __init__(self, sheet: Sheet, game: Game, colour: str, spoils: Spoils) -> None:
        seen = Game.from_position(game.ruleset, game.view(colour), names=game.names)
        self.carrying = Carrying(sheet, seen, colour, spoils=spoils)
        self.sight = self.carrying.sight
        self.start = imagined(self.sight, seen.position)

    def explore(self, most_states: int) -> Tally:
        """Follow every branch, equal states once, earlier ones first."""
        tally = Tally()
        waiting: dict[tuple[Progress, bytes], list[Any]] = {}
        order: list[tuple[Any, int, tuple[Progress, bytes]]] = []
        ticket = count()

        def reach(progress: Progress, position: Any, weight: float) -> None:
            key = (progress, position.tobytes())
            if key in waiting:
                waiting[key][1] += weight
                return
            waiting[key] = [position, weight]
            total = int(position.armies.sum())
            rank = (progress.at, progress.part, -total)
            heapq.heappush(order, (rank, next(ticket), key))

        reach(Progress(), self.start, 1.0)
        states = 0
        while order:
            _, _, key = heapq.heappop(order)
            position, weight = waiting.pop(key)
            states += 1
            if states > most_states:
                raise TooManyStatesError
            for branch in self._branches(tally, key[0], position, weight):
                reach(*branch)
        return tally

    def sample(self, runs: int) -> Tally:
        """Follow so many branches drawn at random, always the same ones."""
        tally = Tally()
        rng = np.random.default_rng(1)
        for _ in range(runs):
            progress, position = Progress(), self.start
            while True:
                branches = self._branches(tally, progress, position, 1.0 / runs, rng)
                if not branches:
                    break
                progress, position, _ = branches[0]
        return tally

    def _branches(
        self,
        tally: Tally,
        progress: Progress,
        position: Any,
        weight: float,
        rng: np.random.Generator | None = None,
    ) -> list[tuple[Progress, Any, float]]:
        """What one step leads to: nothing at an end, which is written into the tally."""
        if position.chance == Chance.BATTLE:
            return self._rolled(tally, progress, position, weight, rng)
        if position.chance != Chance.NONE:
            after = self._settled(position, 0)
            if self.sight.acts(after) and after.round_number == self.carrying.round:
                tally.assumptions.add("What is drawn is not foreseen; the orders go on without it.")
            return [(progress, after, weight)]
        if position.phase == Phase.DEFEND and not self.sight.acts(position):
            tally.assumptions.add("Defenders roll the dice that serve them best.")
            return [(progress, self._defended(position), weight)]
        decision = self.carrying.decide(position, progress)
        self._note(tally, decision, weight)
        if decision.action is None:
            tally.endings.append((position, weight))
            return []
        after = copy_position(position)
        code = self.sight.code(decision.action)
        apply(after, self.sight.rules, self.sight.tables, code)
        return [(decision.progress, after, weight)]

    def _rolled(
        self,
        tally: Tally,
        progress: Progress,
        position: Any,
        weight: float,
        rng: np.random.Generator | None,
    ) -> list[tuple[Progress, Any, float]]:
        rolls = battle_rolls(self.sight.game.ruleset, position)
        if rng is not None:
            at = int(rng.choice(len(rolls), p=[chance for _, chance in rolls]))
            rolls = ((rolls[at][0], 1.0),)
        own, all_ = self.sight.own_armies(position), int(position.armies.sum())
        branches = []
        for outcome, chance in rolls:
            after = self._settled(position, outcome)
            lost = own - self.sight.own_armies(after)
            tally.lost += weight * chance * lost
            tally.destroyed += weight * chance * (all_ - int(after.armies.sum()) - lost)
            branches.append((progress, after, weight * chance))
        return branches

    def _settled(self, position: Any, outcome: int) -> Any:
        after = copy_position(position)
        settle(after, self.sight.rules, self.sight.tables, outcome)
        return after

    def _defended(self, position: Any) -> Any:
        """The answer to an attack that is worst for it."""
        source, target = int(position.attack_source), int(position.attack_target)
        rule = DiceRule.between(
            self.sight.game.ruleset,
            position,
            source,
            target,
            attack_dice=int(position.attack_dice),
            defend_dice="best",
        )
        armies = int(position.armies[source]), int(position.armies[target])
        reply = int(outlook(*armies, rule).plan[armies]) % SHIFT
        after = copy_position(position)
        code = self.sight.code(DefendWith(reply))
        apply(after, self.sight.rules, self.sight.tables, code)
        return after

    def _note(self, tally: Tally, decision: Decision, weight: float) -> None:
        for note in dict.fromkeys(decision.notes):
            tally.notes[note] += weight
        if decision.standstill is Standstill.PAUSED:
            tally.pauses[decision.reason] += weight


def _summary(foresight: Foresight, tally: Tally, runs: int | None) -> Preview:
    sight, endings = foresight.sight, tally.endings

    def estimate(chance: float) -> Estimate:
        return _interval(chance, runs)

    def share(holds: Any) -> Estimate:
        return estimate(sum(weight for position, weight in endings if holds(position)))

    steps = [step for step in foresight.carrying.plan if isinstance(step, Step)]
    attacks = [(step.line, step.order) for step in steps if isinstance(step.order, AttackOrder)]
    lines = tuple(
        (line, share(lambda p, path=order.path: all(sight.holds(p, t) for t in path)))
        for line, order in attacks
    )
    named = dict.fromkeys(name for _, order in attacks for name in order.path)
    others = [c for c in sight.game.colours if c != sight.colour]
    fallen = ((c, share(lambda p, c=c: _is_out(foresight, p, c))) for c in others)
    return Preview(
        runs,
        lines,
        tuple(_prospect(foresight, name, endings, estimate) for name in named),
        tally.lost,
        tally.destroyed,
        share(lambda p: _earned(foresight, p)),
        tuple((colour, chance) for colour, chance in fallen if chance.chance > 0),
        share(lambda p: p.phase == Phase.OVER and p.winner == sight.seat != DRAWN),
        tuple((note, estimate(weight)) for note, weight in sorted(tally.notes.items(), key=_line)),
        tuple((reason, estimate(weight)) for reason, weight in tally.pauses.items()),
        tuple(sorted(tally.assumptions)),
    )


def _line(item: tuple[Note, float]) -> int:
    return item[0].line


def _is_out(foresight: Foresight, position: Any, colour: str) -> bool:
    seat = foresight.sight.game.seat(colour)
    playing = foresight.start.status[seat] == Seat.PLAYING
    return bool(playing and position.status[seat] == Seat.ELIMINATED)


def _earned(foresight: Foresight, position: Any) -> bool:
    """Whether this turn brings a card; at an end behind the turn, whether it has brought one."""
    sight = foresight.sight
    if position.turn == sight.seat and position.round_number == foresight.carrying.round:
        return bool(card_earned(position, sight.rules))
    return bool(position.hand[sight.seat] > foresight.start.hand[sight.seat])


def _prospect(
    foresight: Foresight, name: str, endings: list[tuple[Any, float]], estimate: Any
) -> Prospect:
    sight = foresight.sight
    held = [(p, weight) for p, weight in endings if sight.holds(p, name)]
    chance = sum(weight for _, weight in held)
    armies = sum(sight.armies(p, name) * weight for p, weight in held)
    return Prospect(name, estimate(chance), armies / chance if chance else 0.0)


def _interval(chance: float, runs: int | None) -> Estimate:
    """Exact, or Wilson's interval of a share of so many runs."""
    chance = min(1.0, max(0.0, chance))
    if runs is None:
        return Estimate(chance, chance, chance)
    spread = SURE * sqrt(chance * (1 - chance) / runs + SURE**2 / (4 * runs**2))
    centre = chance + SURE**2 / (2 * runs)
    scale = 1 + SURE**2 / runs
    return Estimate(
        chance, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
    )


def _percent(chance: float) -> str:
    """A chance in percent; never 0 or 100 where it is not quite so."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    if 1 - chance < 1e-12:
        return "100%"
    return f"{min(max(100 * chance, 0.1), 99.9):.1f}%"
