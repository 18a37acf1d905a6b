"""The shape of the review of a finished game in JSON: moments, luck, rolls, curves."""

from __future__ import annotations

from typing import Literal, TypedDict

from rubicon.server.reviews.review_work import WinningReviewForm
from rubicon.web.api.game_views.position_bodies import PositionView


class MomentView(TypedDict):
    """A decision, or an outcome of chance: its log index, its time, whose turn it was, who moved.

    `kind` is that of the action (`attack`, `place`, …) or of the event (`rolled`, `drew`, …).
    """

    index: int
    at: int
    round: int
    turn: str | None
    mover: str | None
    kind: str
    text: str


class MomentPositionView(TypedDict):
    """The position after a moment, with everything open; the moment is null at the beginning."""

    moment: MomentView | None
    position: PositionView


class SeatLuckView(TypedDict):
    """The luck of a seat in armies: what its dice cost the others and itself, and on average.

    `balance` is how many armies it is above the average, `deviation` the standard deviation of
    that, `percentile` (0 to 100) how many of 100 players with the same dice would be less lucky.
    `faces` is how often each face from 1 to 6 fell.
    """

    colour: str
    rolls: int
    lost: int
    expected_lost: float
    destroyed: int
    expected_destroyed: float
    balance: float
    deviation: float
    percentile: float
    faces: list[int]


class LuckView(TypedDict):
    """The luck of every seat; all faces, chi squared (5 degrees of freedom) and its chance.

    `chance` is that of fair dice to deviate at least so much.
    """

    seats: list[SeatLuckView]
    faces: list[int]
    chi_squared: float
    chance: float


class BattleRollView(TypedDict):
    """One roll of a battle: the dice as they fell, the losses, and the average ones."""

    index: int
    round: int
    attacker: str
    defender: str
    source: str
    target: str
    attack_dice: list[int]
    defence_dice: list[int]
    winners: list[str]
    attacker_lost: int
    defender_lost: int
    expected_attacker_lost: float
    expected_defender_lost: float


class SeatStrengthView(TypedDict):
    """How a seat stood: territories, armies on the board, and the income of its next turn."""

    territories: int
    armies: int
    income: int


class TurnView(TypedDict):
    """The beginning of a turn, by its log index, and how every seat stood then, by colour.

    The last one is the end of the game.
    """

    index: int
    number: int
    round: int
    seat: str
    seats: dict[str, SeatStrengthView]


class KeyBattleView(TypedDict):
    """All rolls of one territory against another; `luck` is armies above the average.

    `taken`: the target fell.
    """

    source: str
    target: str
    rolls: int
    attacker_lost: int
    defender_lost: int
    luck: float
    taken: bool


class KeyContinentView(TypedDict):
    """A continent that was held for so many turns of its owner, and the armies that it brought."""

    continent: str
    turns: int
    armies: int


class KeyMomentView(TypedDict):
    """A moment that a reader looks for first, after the decision or the roll at a log index.

    `seat` acted: it eliminated `other`, attacked it, or resigned or won a continent (then `other`
    is null).
    Of a continent that was lost, `seat` lost it in a turn of `other`. A battle has the `luckiest`
    or `unluckiest` attack of the game as its kind, or else is one of the `battle`s with the most
    losses.
    """

    index: int
    round: int
    kind: Literal[
        "elimination",
        "resignation",
        "continent_won",
        "continent_lost",
        "battle",
        "luckiest",
        "unluckiest",
    ]
    seat: str
    other: str | None
    battle: KeyBattleView | None
    continent: KeyContinentView | None


class WinningReviewView(TypedDict):
    """The review by the value model; null until it is `ready`. Indices are those of the log.

    All chances are 0 to 1. `start` and the curve's indices may be 0, the beginning.
    """

    ready: bool
    review: WinningReviewForm | None
