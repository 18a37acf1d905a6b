"""Order texts: explained, previewed and completed, without any effect on the game."""

from __future__ import annotations

from functools import partial
from typing import TypedDict

from litestar import Controller, post
from litestar.params import JSONBody

from rubicon.orders.completion import candidates
from rubicon.orders.errors import OrderProblem
from rubicon.orders.explain import explain, explain_each
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.preview import Estimate, LegForecast, Preview, TerritoryForecast
from rubicon.orders.syntax import OrderText
from rubicon.rules.board.board import Board
from rubicon.server.server import Server
from rubicon.server.work import OrdersPreview, SeatGame, preview_orders
from rubicon.table.game.requests import warnings_of
from rubicon.web.api.bodies import CompleteOrders, TextBody
from rubicon.web.api.game_state import current_snapshot
from rubicon.web.http.auth import CurrentAccount, CurrentServer, GameId, player_of, require_account

# The shape of explanations, previews and completions of an order text in JSON.


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


# Order texts as JSON: what they mean, what may come of them, what may be written next.


def explanation_view(server: Server, game: str, text: str) -> ExplanationView:
    """Orders in plain words; OrdersError if they cannot be read."""
    state = server.table.snapshot(game).game()
    orders = read_orders(text, state.ruleset.board, state.colours)
    return {
        "orders": str(orders),
        "explained": list(explain(orders, state.ruleset)),
        "each": _each(orders, state.ruleset.board),
        "ignored": list(warnings_of(orders)),
        "warnings": list(orders.warnings),
    }


def _each(orders: OrderText, board: Board) -> list[ExplainedOrderView]:
    parts = zip(orders.orders, orders.order_places, explain_each(orders, board), strict=True)
    return [
        {
            "number": number,
            "line": line,
            "column": column,
            "length": length,
            "text": str(order),
            "explained": list(sentences),
        }
        for number, (order, (line, column, length), sentences) in enumerate(parts, 1)
    ]


def completions_view(
    server: Server, game: str, seat: str, text: str, cursor: int
) -> CompletionsView:
    """What may be written at a cursor."""
    found = candidates(text, cursor, server.table.snapshot(game).game(), seat)
    return {
        "candidates": [
            {
                "text": one.text,
                "label": one.label,
                "kind": one.kind,
                "start": one.start,
                "stop": one.stop,
            }
            for one in found
        ]
    }


def preview_view(found: OrdersPreview, board: Board) -> PreviewView:
    """The possible results of orders."""
    results = found.results
    return {
        "orders": found.orders,
        "lines": found.lines,
        "ignored": found.ignored,
        "runs": results.runs,
        "paths": [{"number": n, "chance": _estimate(chance)} for n, chance in results.lines],
        "attacks": [_attack(leg) for leg in results.legs],
        "territories": [_territory(one) for one in results.territories],
        "continents": _continents(results, board),
        "lost": results.lost,
        "destroyed": results.destroyed,
        "card": _estimate(results.card),
        "eliminated": [
            {"colour": colour, "chance": _estimate(chance)} for colour, chance in results.eliminated
        ],
        "won": _estimate(results.won),
        "notes": [
            {
                "number": note.line,
                "code": note.code,
                "message": note.message,
                "chance": _estimate(chance),
            }
            for note, chance in results.notes
        ],
        "pauses": [
            {"reason": reason, "chance": _estimate(chance)} for reason, chance in results.pauses
        ],
        "assumptions": list(results.assumptions),
    }


def _estimate(estimate: Estimate) -> EstimateView:
    return {"chance": estimate.chance, "low": estimate.low, "high": estimate.high}


def _attack(leg: LegForecast) -> PlannedAttackView:
    return {
        "number": leg.line,
        "source": leg.source,
        "target": leg.target,
        "reached": _estimate(leg.reached),
        "taken": _estimate(leg.taken),
        "endings": [
            {"armies": one.armies, "taken": one.taken, "chance": one.chance} for one in leg.endings
        ],
    }


def _territory(one: TerritoryForecast) -> TerritoryForecastView:
    return {"territory": one.territory, "held": _estimate(one.held), "armies": one.armies}


def _continents(results: Preview, board: Board) -> list[ContinentForecastView]:
    bonus = {continent.id: continent.bonus for continent in board.continents}
    return [
        {"continent": name, "armies": bonus[name], "chance": _estimate(chance)}
        for name, chance in results.continents
    ]


class OrdersController(Controller):
    """What orders mean and what may come of them."""

    path = "/api/v1/games/{game:str}/orders"
    tags = ("games",)

    @post("/explain", summary="Explain orders in plain words", status_code=200)
    async def explain(
        self, me: CurrentAccount, game: GameId, data: JSONBody[TextBody], server: CurrentServer
    ) -> ExplanationView:
        """Changes nothing. Unreadable orders come back corrected, in the error."""
        account = require_account(me)
        await player_of(me, game, server)
        explained = partial(explanation_view, server, game, data.text)
        return await server.costly.in_thread(account.id, explained)

    @post("/preview", summary="Preview the results of orders", status_code=200)
    async def preview(
        self, me: CurrentAccount, game: GameId, data: JSONBody[TextBody], server: CurrentServer
    ) -> PreviewView:
        """Computed from what the seat may see; rolls no dice."""
        account = require_account(me)
        seat = await player_of(me, game, server)
        snapshot = await current_snapshot(server, game, account.id)
        # The work process gets the view of the seat only: a preview can reveal nothing hidden.
        seen = SeatGame.of(snapshot.game(), seat)
        found = await server.costly.in_process(account.id, preview_orders, seen, data.text)
        return preview_view(found, snapshot.ruleset.board)

    @post("/complete", summary="Complete an order text at the cursor", status_code=200)
    async def complete(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[CompleteOrders],
        server: CurrentServer,
    ) -> CompletionsView:
        """What may be written next, the likeliest first, from what the seat may see."""
        account = require_account(me)
        seat = await player_of(me, game, server)
        completed = partial(completions_view, server, game, seat, data.text, data.cursor)
        return await server.costly.in_thread(account.id, completed)
