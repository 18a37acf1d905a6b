"""Order texts: explained, previewed and completed, without any effect on the game."""

from __future__ import annotations

from functools import partial

from litestar import Controller, post
from litestar.params import JSONBody

from rubicon.server.costly_answers import preview_orders
from rubicon.server.seat_game import SeatGame
from rubicon.web.api.access import player_of
from rubicon.web.api.game_views.orders import completions_view, explanation_view, preview_view
from rubicon.web.api.game_views.orders_bodies import CompletionsView, ExplanationView, PreviewView
from rubicon.web.api.requests import CompleteOrders, TextBody
from rubicon.web.api.views import current_snapshot
from rubicon.web.http.auth import require_account
from rubicon.web.http.parameters import CurrentAccount, CurrentServer, GameId


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
