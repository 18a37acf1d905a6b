"""The review of a finished game: the curve, what each seat gained and lost, deciding moments."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.errors import RubiconError
from rubicon.players.review.curve import Curve, Progress, Stopped, curve_of
from rubicon.players.review.decisions import Decisions, Judgement, judged_decisions
from rubicon.players.review.moments import DecidingMoment, deciding_moments
from rubicon.players.review.style import PlayingStyle, styles
from rubicon.rules.game.game import Game

CURVE_SHARE = 0.1  # of the work


@dataclass(frozen=True, slots=True)
class SeatAccount:
    """How a seat came from everybody's chance to its own at the end; all are chances, 0 to 1.

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
            "The game is not over, so nobody knows yet what decided it.",
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
