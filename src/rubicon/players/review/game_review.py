"""The review of a finished game: the curve, gains and losses, styles, key moments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from rubicon.engine.records import NONE, Chance, Position
from rubicon.errors import RubiconError
from rubicon.players.review.curve import Curve, Progress, Stopped, curve_of
from rubicon.players.review.decisions import CHOOSING, SMALL, Decisions, Judgement, judged_decisions
from rubicon.players.review.reason import sole_owner
from rubicon.players.scripted.battle_odds import chance_of, defence_rolls
from rubicon.rules.actions import Attack, Resign
from rubicon.rules.game import Game

# How each seat played: how often it attacked and captured, what it held and broke.


@dataclass(frozen=True, slots=True)
class PlayingStyle:
    """Averages over a seat's own turns, and counts over the game.

    `cards` is the mean hand at the beginning of its turns. `continents_broken` are captures within
    a continent that another seat held whole.
    """

    turns: int
    rolls_a_turn: float
    captures_a_turn: float
    cards: float
    continents_broken: int
    eliminations: int


def styles(game: Game, curve: Curve) -> list[PlayingStyle]:
    """The style of each seat."""
    turns = np.zeros(game.size)
    hands = np.zeros(game.size)
    for turn in curve.turns:
        turns[turn.seat] += 1
        hands[turn.seat] += int(game.positions[turn.first].hand[turn.seat])
    rolls, captures, broken, out = (np.zeros(game.size) for _ in range(4))
    positions = (*game.positions, game.position)
    for before, after in pairwise(positions):
        if before.chance != Chance.BATTLE:
            continue
        seat, target = int(before.turn), int(before.attack_target)
        rolls[seat] += 1
        if int(after.armies[target]) == 0 or int(after.owner[target]) == seat:
            captures[seat] += 1
            broken[seat] += breaks_continent(game, before, target)
            out[seat] += int(before.territories[int(before.owner[target])]) == 1
    each = np.maximum(1, turns)
    return [
        PlayingStyle(
            turns=int(turns[seat]),
            rolls_a_turn=float(rolls[seat] / each[seat]),
            captures_a_turn=float(captures[seat] / each[seat]),
            cards=float(hands[seat] / each[seat]),
            continents_broken=int(broken[seat]),
            eliminations=int(out[seat]),
        )
        for seat in range(game.size)
    ]


def breaks_continent(game: Game, before: Position, target: int) -> bool:
    """Whether the capture of a territory takes a continent from the seat that holds it whole."""
    number = int(game.tables.continent[target])
    if number == NONE:
        return False
    continent = game.ruleset.board.continents[number]
    return continent.bonus > 0 and sole_owner(before, continent.territories) is not None


# The moments that decided a game: bad decisions, battles in which dice did most, resignations.

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


# The review itself.

CURVE_SHARE = 0.1  # of the work


@dataclass(frozen=True, slots=True)
class SeatAccount:
    """How a seat came from everyone's chance to its own at the end; all are chances, 0 to 1.

    `end` is `fair + setup + dice + own + others`. `setup` is what the set-up brought. `dice` is
    what all rolls of the game did: what came of them less the mean of what could have come. `own`
    and `others` are the rest, in its own turns and in those of others. `given_away` is the sum over
    its turns of what the worst decision of the turn lost against a clearly better one: chances that
    come back can be given away again. `mistakes` is the number of these turns.
    """

    fair: float
    setup: float
    dice: float
    own: float
    others: float
    end: float
    given_away: float
    mistakes: int
    style: PlayingStyle


@dataclass(frozen=True, slots=True)
class WinningReview:
    """The review of a game; `seats` in the order of play."""

    curve: Curve
    seats: tuple[SeatAccount, ...]
    moments: tuple[DecidingMoment, ...]
    judged: tuple[Judgement, ...]


def review_of(
    game: Game, progress: Progress = lambda share: None, stopped: Stopped | None = None
) -> WinningReview:
    """The review of a finished game, the same each time. RubiconError `review/not-yet`.

    `stopped` says how a game ended that no rule has ended. `progress` is called often, at least
    every second; an exception that it raises ends the work.
    """
    if stopped is None:
        check_over(game)
    curve = curve_of(game, lambda share: progress(CURVE_SHARE * share), stopped)
    decisions = Decisions(game)
    rest = 1.0 - CURVE_SHARE
    judged = judged_decisions(decisions, lambda share: progress(CURVE_SHARE + rest * share))
    moments = deciding_moments(game, curve, decisions, judged)
    progress(1.0)
    found = tuple(judged[entry] for entry in sorted(judged))
    return WinningReview(curve, _accounts(game, curve, found), moments, found)


def check_over(game: Game) -> None:
    """RubiconError `review/not-yet` for a game that is not over."""
    if not game.over:
        raise RubiconError(
            "review/not-yet",
            "The game is not over, so it is too early to say what decided it.",
            "Play it to its end first: rubicon play --resume FILE.",
        )


def _accounts(game: Game, curve: Curve, judged: tuple[Judgement, ...]) -> tuple[SeatAccount, ...]:
    fair = 1.0 / game.size
    worst = worst_losses(game, judged)
    style = styles(game, curve)
    made = []
    for seat in range(game.size):
        end = float(curve.chances[-1, seat])
        begun = float(curve.turns[0].before[seat]) if curve.turns else end
        rest = {True: 0.0, False: 0.0}  # in own turns, in others' turns
        for turn in curve.turns:
            dice = float(curve.dice[turn.first : turn.last, seat].sum())
            rest[turn.seat == seat] += float(turn.after[seat] - turn.before[seat]) - dice
        lost = [loss for (_, one), loss in worst.items() if one == seat]
        made.append(
            SeatAccount(
                fair=fair,
                setup=begun - fair,
                dice=float(curve.dice[:, seat].sum()),
                own=rest[True],
                others=rest[False],
                end=end,
                given_away=sum(lost),
                mistakes=len(lost),
                style=style[seat],
            )
        )
    return tuple(made)


def worst_losses(game: Game, judged: tuple[Judgement, ...]) -> dict[tuple[int, int], float]:
    """By round and seat, the largest loss of a decision, where there is one."""
    worst: dict[tuple[int, int], float] = {}
    for one in judged:
        if one.loss > 0.0:
            turn = int(game.positions[one.entry].round_number), one.seat
            worst[turn] = max(worst.get(turn, 0.0), one.loss)
    return worst
