"""Orders followed roll by roll and position by position: the measure of every quicker way."""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any

import pytest

from rubicon.odds.fight import Plan, outlook
from rubicon.odds.kernel import SHIFT
from rubicon.odds.rule import DiceRule
from rubicon.orders.battle_rolls import battle_rolls
from rubicon.orders.carrying import Carrying, Spoils, Standstill
from rubicon.orders.imagining import imagined
from rubicon.orders.move import Note
from rubicon.orders.plan import Progress
from rubicon.orders.preview import Preview
from rubicon.orders.sheet import Sheet
from rubicon.rules.actions import DefendWith
from rubicon.rules.game import Game
from rubicon.rules.position import Chance, Phase, copy_position
from rubicon.rules.procedures.play import apply, settle

TOLERANCE = 1e-12

Key = tuple[Progress, frozenset[Note], bytes]


@dataclass
class Plainly:
    """What orders come to, followed plainly."""

    lost: float = 0.0
    destroyed: float = 0.0
    notes: dict[Note, float] = field(default_factory=lambda: defaultdict(float))
    pauses: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    endings: list[tuple[Any, float]] = field(default_factory=list)

    def share(self, holds: Any) -> float:
        """The chance of the endings for which something holds."""
        return sum(chance for position, chance in self.endings if holds(position))


def plainly(sheet: Sheet, game: Game, colour: str, spoils: Spoils) -> Plainly:
    """Follow every branch, equal positions once; every note is counted once a run."""
    seen = Game.from_position(game.ruleset, game.view(colour), names=game.names)
    carrying = Carrying(sheet, seen, colour, spoils=spoils)
    sight, found = carrying.sight, Plainly()
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
        act(after, sight.rules, sight.tables, number)
        return after

    reach(Progress(), frozenset(), imagined(sight, seen.position), 1.0)
    while order:
        _, _, key = heapq.heappop(order)
        progress, said, _ = key
        position, chance = waiting.pop(key)
        if position.chance == Chance.BATTLE:
            own, both = sight.own_armies(position), int(position.armies.sum())
            for outcome, share in battle_rolls(sight.game.ruleset, position):
                after = taken(position, settle, outcome)
                lost = own - sight.own_armies(after)
                found.lost += chance * share * lost
                found.destroyed += chance * share * (both - int(after.armies.sum()) - lost)
                reach(progress, said, after, chance * share)
        elif position.chance != Chance.NONE:
            reach(progress, said, taken(position, settle, 0), chance)
        elif position.phase == Phase.DEFEND and not sight.acts(position):
            reply = DefendWith(_worst(sight.game.ruleset, position))
            reach(progress, said, taken(position, apply, sight.code(reply)), chance)
        else:
            decision = carrying.decide(position, progress)
            for note in dict.fromkeys(decision.notes):
                found.notes[note] += 0.0 if note in said else chance
            if decision.standstill is Standstill.PAUSED:
                found.pauses[decision.reason] += chance
            if decision.action is None:
                found.endings.append((position, chance))
                continue
            after = taken(position, apply, sight.code(decision.action))
            reach(decision.progress, said.union(decision.notes), after, chance)
    return found


def _worst(ruleset: Any, position: Any) -> int:
    source, target = int(position.attack_source), int(position.attack_target)
    dice = int(position.attack_dice)
    rule = DiceRule.between(ruleset, position, source, target, attack_dice=dice, defend_dice="best")
    armies = int(position.armies[source]), int(position.armies[target])
    return int(_plan(rule, *armies)[armies]) % SHIFT


@lru_cache(maxsize=512)
def _plan(rule: DiceRule, attack: int, defend: int) -> Plan:
    return outlook(attack, defend, rule).plan


def agree(seen: Preview, measure: Plainly, game: Game, colour: str) -> None:
    """A preview is exact, and says what was measured plainly."""

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
