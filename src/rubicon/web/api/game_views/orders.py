"""Order texts as JSON: what they mean, what may come of them, what may be written next."""

from __future__ import annotations

from rubicon.orders.completion import candidates
from rubicon.orders.explain.orders import explain, explain_each
from rubicon.orders.order_text import OrderText
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.forecast import Estimate, LegForecast, Preview, TerritoryForecast
from rubicon.rules.board.board import Board
from rubicon.server.costly_answers import OrdersPreview
from rubicon.server.server import Server
from rubicon.table.game.request_warnings import warnings_of
from rubicon.web.api.game_views.orders_bodies import (
    CompletionsView,
    ContinentForecastView,
    EstimateView,
    ExplainedOrderView,
    ExplanationView,
    PlannedAttackView,
    PreviewView,
    TerritoryForecastView,
)


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
