"""Orders explored roll by roll and position by position: the reference for the explorer."""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any

import pytest

from rubicon.engine.apply import apply, settle
from rubicon.engine.records import Chance, Phase, copy_position
from rubicon.odds.distribution import SHIFT, DicePolicy, solve
from rubicon.odds.rule import DiceRule
from rubicon.orders.execute.executor import OrderExecutor, Standstill
from rubicon.orders.execute.program import Note, Progress
from rubicon.orders.execute.turn import is_no_attack
from rubicon.orders.preview.battle_solver import battle_rolls
from rubicon.orders.preview.explorer import imagined
from rubicon.orders.preview.preview import Preview
from rubicon.orders.syntax import OrderText
from rubicon.rules.actions import DefendWith
from rubicon.rules.game import Game

TOLERANCE = 1e-12

Key = tuple[Progress, frozenset[Note], bytes]


@dataclass
class Plainly:
    """The results of orders, explored one position at a time."""

    lost: float = 0.0
    destroyed: float = 0.0
    notes: dict[Note, float] = field(default_factory=lambda: defaultdict(float))
    pauses: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    endings: list[tuple[Any, float]] = field(default_factory=list)

    def share(self, holds: Any) -> float:
        """The chance of the endings for which something holds."""
        return sum(chance for position, chance in self.endings if holds(position))


def plainly(order_text: OrderText, game: Game, colour: str) -> Plainly:
    """Explore every branch, equal positions once; every note counts once a run."""
    seen = Game.from_position(game.ruleset, game.view(colour), names=game.names)
    executor = OrderExecutor(order_text, seen, colour)
    seat_view, found = executor.seat_view, Plainly()
    waiting: dict[Key, list[Any]] = {}
    order: list[tuple[Any, int, Key]] = []
    ticket = count()

    def reach(progress: Progress, said: frozenset[Note], position: Any, chance: float) -> None:
        key = progress, said, position.tobytes()
        if key not in waiting:
            waiting[key] = [position, 0.0]
            rank = progress.at, progress.part, -int(position.armies.sum())
            heapq.heappush(order, (rank, next(ticket), key))
        waiting[key][1] += chance

    def taken(position: Any, act: Any, number: int) -> Any:
        after = copy_position(position)
        act(after, seat_view.rules, seat_view.tables, number)
        return after

    reach(Progress(), frozenset(), imagined(seat_view, seen.position), 1.0)
    while order:
        _, _, key = heapq.heappop(order)
        progress, said, _ = key
        position, chance = waiting.pop(key)
        if position.chance == Chance.BATTLE:
            own, both = seat_view.own_armies(position), int(position.armies.sum())
            for outcome, share in battle_rolls(seat_view.game.ruleset, position):
                after = taken(position, settle, outcome)
                lost = own - seat_view.own_armies(after)
                found.lost += chance * share * lost
                found.destroyed += chance * share * (both - int(after.armies.sum()) - lost)
                reach(progress, said, after, chance * share)
        elif position.chance != Chance.NONE:
            reach(progress, said, taken(position, settle, 0), chance)
        elif position.phase == Phase.DEFEND and not seat_view.acts(position):
            reply = DefendWith(_worst(seat_view.game.ruleset, position))
            reach(progress, said, taken(position, apply, seat_view.code(reply)), chance)
        else:
            decision = executor.decide(position, progress)
            notes = [note for note in decision.notes if not is_no_attack(note)]
            for note in dict.fromkeys(notes):
                found.notes[note] += 0.0 if note in said else chance
            if decision.standstill is Standstill.PAUSED:
                found.pauses[decision.reason] += chance
            if decision.action is None:
                found.endings.append((position, chance))
                continue
            after = taken(position, apply, seat_view.code(decision.action))
            reach(decision.progress, said.union(notes), after, chance)
    return found


def _worst(ruleset: Any, position: Any) -> int:
    source, target = int(position.attack_source), int(position.attack_target)
    dice = int(position.attack_dice)
    rule = DiceRule.between(ruleset, position, source, target, attack_dice=dice, defend_dice="best")
    armies = int(position.armies[source]), int(position.armies[target])
    return int(_policy(rule, *armies)[armies]) % SHIFT


@lru_cache(maxsize=512)
def _policy(rule: DiceRule, attack: int, defend: int) -> DicePolicy:
    return solve(attack, defend, rule).policy


def agree(seen: Preview, measure: Plainly, game: Game, colour: str) -> None:
    """Assert that a preview is exact and equals the reference."""

    def close(number: Any) -> Any:
        return pytest.approx(number, abs=TOLERANCE, rel=TOLERANCE)

    seat = game.seat(colour)
    number = {name: t for t, name in enumerate(game.territories)}
    assert seen.runs is None
    assert seen.lost == close(measure.lost)
    assert seen.destroyed == close(measure.destroyed)
    assert {n: c.chance for n, c in seen.notes} == close(dict(measure.notes))
    assert {n: c.chance for n, c in seen.pauses} == close(dict(measure.pauses))
    for prospect in seen.prospects:
        t = number[prospect.territory]
        held = measure.share(lambda p, t=t: p.owner[t] == seat)
        assert prospect.held.chance == close(held)
        armies = sum(c * p.armies[t] for p, c in measure.endings if p.owner[t] == seat)
        assert prospect.armies * held == close(float(armies))
    won = measure.share(lambda p: p.phase == Phase.OVER and p.winner == seat)
    assert seen.won.chance == close(won)
