"""The review of a game as plain data, for JSON. All chances are 0 to 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict

import numpy.typing as npt

from rubicon.players.review.decisions import Judgement
from rubicon.players.review.game_review import DecidingMoment, SeatAccount, WinningReview
from rubicon.players.review.reason import Reason
from rubicon.rules.game import Game

DIGITS = 4
NEARLY = 1 - 10**-DIGITS  # no battle is certain, and rounding shall not say so
Numbers = npt.NDArray[Any]
Index = Callable[[int], int]  # what stands for an entry of the history; -1 is the beginning


class ReasonForm(TypedDict):
    """What a plan aims at: a territory or a continent by id, a seat, and the plan's chance.

    `seat` is the victim of `eliminates`, the holder of the continent of `breaks_continent`, or the
    owner of the territory of `takes`. The chance is null where nothing is risked.
    """

    kind: Literal[
        "wins", "eliminates", "takes_continent", "breaks_continent", "takes", "guards", "trades",
        "moves", "defends", "stops",
    ]  # fmt: skip
    territory: str | None
    continent: str | None
    seat: str | None
    chance: float | None


class BetterPlanForm(TypedDict):
    """A better action, why, the chance of a win with what was done, and with the better action.

    `reason` is null where the action speaks for itself. `error` is the standard error of the
    difference.
    """

    action: str
    reason: ReasonForm | None
    chance: float
    better_chance: float
    error: float


class ReviewedBattleForm(TypedDict):
    """All rolls of one territory against another; `odds` is the chance of success at its start."""

    source: str
    target: str
    rolls: int
    taken: bool
    odds: float


class DecidingMomentForm(TypedDict):
    """A decision, a battle or a resignation that moved the chance of a seat by `weight`.

    `start` is where it began, `index` where it ended. `action` is what `seat` did first. `better`
    is null where nothing was clearly better, `battle` where the decision counts, not the dice.
    """

    start: int
    index: int
    round: int
    seat: str
    action: str
    weight: float
    before: dict[str, float]
    after: dict[str, float]
    battle: ReviewedBattleForm | None
    better: BetterPlanForm | None


class SeatAccountForm(TypedDict):
    """How a seat came from everyone's chance to its own at the end, and how it played.

    `end` is `fair + setup + dice + own + others`: the set-up, all dice of the game, and the rest,
    in its own turns and in those of others. `given_away` is the sum over its turns of what the
    worst decision lost, in so many turns as `mistakes` says. `rolls_a_turn`, `captures_a_turn` and
    `cards` are averages over its turns; `continents_broken` are those of others.
    """

    colour: str
    fair: float
    setup: float
    dice: float
    own: float
    others: float
    end: float
    given_away: float
    mistakes: int
    turns: int
    rolls_a_turn: float
    captures_a_turn: float
    cards: float
    continents_broken: int
    eliminations: int


class ChancesForm(TypedDict):
    """The chance of each colour after a decision or a roll."""

    index: int
    chances: dict[str, float]


class WinningReviewForm(TypedDict):
    """The review of a game: its seats in the order of play, deciding moments, the curve.

    `curve` has the beginning of each turn, and the end.
    """

    seats: list[SeatAccountForm]
    moments: list[DecidingMomentForm]
    curve: list[ChancesForm]


def review_form(game: Game, review: WinningReview, index: Index) -> WinningReviewForm:
    """A review; `index` says what stands for each entry of the history."""
    turns = [turn.first for turn in review.curve.turns]
    marks = [*turns, len(game.history)]
    return {
        "seats": [
            _seat_form(colour, account)
            for colour, account in zip(game.colours, review.seats, strict=True)
        ],
        "moments": [_moment_form(game, one, index) for one in review.moments],
        "curve": [_chances_at(game, review, mark, index) for mark in marks],
    }


def chances_form(game: Game, review: WinningReview, index: Index) -> list[ChancesForm]:
    """The chances after every entry of the history."""
    entries = range(1, len(game.history) + 1)
    return [_chances_at(game, review, entry, index) for entry in entries]


def _chances_at(game: Game, review: WinningReview, entry: int, index: Index) -> ChancesForm:
    return chances_at(game.colours, review.curve.chances[entry], index(entry - 1))


def chances_at(colours: Sequence[str], chances: Numbers, index: int) -> ChancesForm:
    """The chances of all colours, in their order, at an index."""
    rounded = [round(chance, DIGITS) for chance in chances.tolist()]
    return {"index": index, "chances": dict(zip(colours, rounded, strict=True))}


def _seat_form(colour: str, account: SeatAccount) -> SeatAccountForm:
    style = account.style
    return {
        "colour": colour,
        "fair": round(account.fair, DIGITS),
        "setup": round(account.setup, DIGITS),
        "dice": round(account.dice, DIGITS),
        "own": round(account.own, DIGITS),
        "others": round(account.others, DIGITS),
        "end": round(account.end, DIGITS),
        "given_away": round(account.given_away, DIGITS),
        "mistakes": account.mistakes,
        "turns": style.turns,
        "rolls_a_turn": round(style.rolls_a_turn, 2),
        "captures_a_turn": round(style.captures_a_turn, 2),
        "cards": round(style.cards, 2),
        "continents_broken": style.continents_broken,
        "eliminations": style.eliminations,
    }


def _moment_form(game: Game, one: DecidingMoment, index: Index) -> DecidingMomentForm:
    battle = one.battle
    return {
        "start": index(one.first - 1),
        "index": index(one.last),
        "round": one.round,
        "seat": game.colours[one.seat],
        "action": str(game.history[one.first]),
        "weight": round(one.weight, DIGITS),
        "before": _by_colour(game, one.before),
        "after": _by_colour(game, one.after),
        "battle": None
        if battle is None
        else {
            "source": battle.source,
            "target": battle.target,
            "rolls": battle.rolls,
            "taken": battle.taken,
            "odds": min(round(battle.odds, DIGITS), NEARLY),
        },
        "better": None if one.judgement is None else _better_form(one.judgement),
    }


def _better_form(judgement: Judgement) -> BetterPlanForm | None:
    if judgement.better is None:
        return None
    return {
        "action": str(judgement.better),
        "reason": None if judgement.reason is None else reason_form(judgement.reason),
        "chance": round(judgement.chance, DIGITS),
        "better_chance": round(judgement.better_chance, DIGITS),
        "error": round(judgement.error, DIGITS),
    }


def reason_form(reason: Reason) -> ReasonForm:
    """A reason; ids stand for territories and continents."""
    return {
        "kind": reason.kind,
        "territory": reason.territory,
        "continent": reason.continent,
        "seat": reason.seat,
        "chance": None if reason.chance is None else round(reason.chance, DIGITS),
    }


def _by_colour(game: Game, chances: tuple[float, ...]) -> dict[str, float]:
    rounded = [round(chance, DIGITS) for chance in chances]
    return dict(zip(game.colours, rounded, strict=True))
