"""The moments that decided a game: bad decisions, battles in which dice did most, resignations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rubicon.engine.records.position import Chance, Position
from rubicon.players.review.curve import Curve
from rubicon.players.review.decisions import CHOOSING, SMALL, Decisions, Judgement
from rubicon.players.scripted.battle_odds import chance_of, defence_rolls
from rubicon.rules.actions import Attack, Resign
from rubicon.rules.game.game import Game

MOMENTS = 5


@dataclass(frozen=True, slots=True)
class ReviewedBattle:
    """The rolls of one territory against another, one after the other.

    `odds` is the chance at its beginning that the target falls, with all armies but one.
    """

    source: str
    target: str
    rolls: int
    taken: bool
    odds: float


@dataclass(frozen=True, slots=True)
class DecidingMoment:
    """A decision, a battle or a resignation; `first` and `last` are the numbers of its entries.

    `seat` decided or attacked. `weight` is the chance that it moved for the seat concerned most.
    `before` and `after` are the chances of all seats. `judgement` compares the decision that it
    began with; None where the planner would have done the same.
    """

    first: int
    last: int
    round: int
    seat: int
    weight: float
    before: tuple[float, ...]
    after: tuple[float, ...]
    battle: ReviewedBattle | None
    judgement: Judgement | None


def deciding_moments(
    game: Game, curve: Curve, decisions: Decisions, judged: dict[int, Judgement]
) -> tuple[DecidingMoment, ...]:
    """The moments with the most weight, at most one a turn, in the order of the game."""
    found = [*_battles(game, curve), *_mistakes(game, curve, judged), *_resignations(game, curve)]
    found = [one for one in found if one.weight >= SMALL]
    found.sort(key=lambda one: (-one.weight, one.first))
    chosen: dict[tuple[int, int], DecidingMoment] = {}
    for one in found:
        if len(chosen) < MOMENTS:
            chosen.setdefault((one.round, one.seat), one)
    return tuple(
        replace(one, judgement=_judgement(decisions, judged, one.first))
        for one in sorted(chosen.values(), key=lambda one: one.first)
    )


def _judgement(decisions: Decisions, judged: dict[int, Judgement], entry: int) -> Judgement | None:
    """The decision compared with a better one, measured now if it was not."""
    if entry not in judged and entry in decisions.codes:
        screened = decisions.screen_one(entry, CHOOSING)
        if screened is not None:
            judged[entry] = decisions.measure(screened)
    return judged.get(entry)


def _mistakes(game: Game, curve: Curve, judged: dict[int, Judgement]) -> Iterator[DecidingMoment]:
    for one in judged.values():
        if one.loss > 0.0:
            yield _moment(game, curve, (one.entry, one.entry), one.seat, one.loss)


def _resignations(game: Game, curve: Curve) -> Iterator[DecidingMoment]:
    """What a resignation changes is what the seat gave up, or what the others got by it."""
    for entry, action in enumerate(game.history):
        if isinstance(action, Resign):
            seat = game.colours.index(action.seat)
            moved = np.abs(curve.chances[entry + 1] - curve.chances[entry])
            yield _moment(game, curve, (entry, entry), seat, float(moved.max()))


def _battles(game: Game, curve: Curve) -> Iterator[DecidingMoment]:
    """Every battle, from its first attack to its last roll."""
    positions = (*game.positions, game.position)
    rolls: list[int] = []
    known: tuple[int, ...] = ()
    for entry, before in enumerate(game.positions):
        if before.chance != Chance.BATTLE:
            continue
        key = _battle_key(before)
        if key != known and rolls:
            yield _battle(game, curve, rolls, positions)
            rolls = []
        known = key
        rolls.append(entry)
    if rolls:
        yield _battle(game, curve, rolls, positions)


def _battle_key(before: Position) -> tuple[int, ...]:
    return (
        int(before.round_number), int(before.turn),
        int(before.attack_source), int(before.attack_target),
    )  # fmt: skip


def _battle(
    game: Game, curve: Curve, rolls: Sequence[int], positions: Sequence[Position]
) -> DecidingMoment:
    before, after = positions[rolls[0]], positions[rolls[-1] + 1]
    source, target = int(before.attack_source), int(before.attack_target)
    first = rolls[0]
    while first > 0 and not _is_attack(game, first):
        first -= 1
    effect = curve.dice[rolls].sum(axis=0)
    table = defence_rolls(game.rules, int(before.owner[target]))
    battle = ReviewedBattle(
        source=game.territories[source],
        target=game.territories[target],
        rolls=len(rolls),
        taken=int(after.armies[target]) == 0 or int(after.owner[target]) == int(before.turn),
        odds=chance_of(table, int(before.armies[source]) - 1, int(before.armies[target])),
    )
    weight = float(np.abs(effect).max())
    span = first, rolls[-1]
    return replace(_moment(game, curve, span, int(before.turn), weight), battle=battle)


def _is_attack(game: Game, entry: int) -> bool:
    return isinstance(game.history[entry], Attack)


def _moment(
    game: Game, curve: Curve, span: tuple[int, int], seat: int, weight: float
) -> DecidingMoment:
    first, last = span
    return DecidingMoment(
        first=first,
        last=last,
        round=int(game.positions[first].round_number),
        seat=seat,
        weight=weight,
        before=tuple(curve.chances[first].tolist()),
        after=tuple(curve.chances[last + 1].tolist()),
        battle=None,
        judgement=None,
    )
