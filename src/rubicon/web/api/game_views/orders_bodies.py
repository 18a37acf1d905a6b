"""The shape of explanations, previews and completions of an order text in JSON."""

from __future__ import annotations

from typing import TypedDict

from rubicon.orders.errors import OrderProblem


class ExplainedOrderView(TypedDict):
    """An order: its number from 1, its place in the text, its exact spelling, and its sentences.

    `line` and `column` count from 1, `length` is a number of characters.
    """

    number: int
    line: int
    column: int
    length: int
    text: str
    explained: list[str]


class ExplanationView(TypedDict):
    """Orders as they were read, in plain words.

    `explained` is the whole text, `each` has every order on its own. `ignored` says why lines are
    not carried out, `warnings` has those that the parser passed over, with their places.
    """

    orders: str
    explained: list[str]
    each: list[ExplainedOrderView]
    ignored: list[str]
    warnings: list[OrderProblem]


class EstimateView(TypedDict):
    """A chance (0 to 1) with its 95 % interval; `low` and `high` equal it where it is exact."""

    chance: float
    low: float
    high: float


class OrderChanceView(TypedDict):
    """The chance that the seat owns the whole path of an attack at the end."""

    number: int
    chance: EstimateView


class BattleEndingView(TypedDict):
    """Attackers left before any move in, whether the territory was taken, and the chance."""

    armies: int
    taken: bool
    chance: float


class PlannedAttackView(TypedDict):
    """One attack of an order's path: the chance to come to it, and to take its target.

    `endings` add up to `reached`, most armies first.
    """

    number: int
    source: str
    target: str
    reached: EstimateView
    taken: EstimateView
    endings: list[BattleEndingView]


class TerritoryForecastView(TypedDict):
    """A territory that changes: the chance to own it at the end, and its average armies then."""

    territory: str
    held: EstimateView
    armies: float


class ContinentForecastView(TypedDict):
    """A continent that may be owned at the end, and the armies that it is worth."""

    continent: str
    armies: int
    chance: EstimateView


class SeatChanceView(TypedDict):
    """The chance that a seat is eliminated."""

    colour: str
    chance: EstimateView


class OrderNoteView(TypedDict):
    """Why an order would do nothing, or less than it says, and the chance of that."""

    number: int
    code: str
    message: str
    chance: EstimateView


class PauseView(TypedDict):
    """Why the orders would stop, and the chance of that."""

    reason: str
    chance: EstimateView


class PreviewView(TypedDict):
    """Orders as they were read, and their possible results; orders are named by their number.

    `lines` says the results in words; `ignored` lines of the text contain no order. `runs` is null
    where everything is exact. `lost` and `destroyed` are average numbers of armies. `attacks`
    leaves out battles that can only be explored roll by roll.
    """

    orders: str
    lines: list[str]
    ignored: list[str]
    runs: int | None
    paths: list[OrderChanceView]
    attacks: list[PlannedAttackView]
    territories: list[TerritoryForecastView]
    continents: list[ContinentForecastView]
    lost: float
    destroyed: float
    card: EstimateView
    eliminated: list[SeatChanceView]
    won: EstimateView
    notes: list[OrderNoteView]
    pauses: list[PauseView]
    assumptions: list[str]


class CandidateView(TypedDict):
    """A text for the characters from `start` to `stop`, counted from 0.

    `kind` is `verb`, `territory`, `card`, `objective` or `keyword`; `label` is its name for people.
    """

    text: str
    label: str
    kind: str
    start: int
    stop: int


class CompletionsView(TypedDict):
    """What may be written at a cursor, the likeliest first."""

    candidates: list[CandidateView]
