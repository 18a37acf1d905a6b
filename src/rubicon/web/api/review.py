"""Finished games: any moment, the luck of the dice, and curves. All of it is costly work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Concatenate, ParamSpec, TypeVar

from litestar import Controller, get
from litestar.params import PathParameter, QueryParameter
from litestar.response import Response

from rubicon.server import game_reviews
from rubicon.server.accounts.accounts import Account
from rubicon.server.reviews.review_work import ChancesForm, ReadyReview
from rubicon.server.server import Server
from rubicon.web.api.access import view_of
from rubicon.web.api.game_views.key_moments import key_moment_views
from rubicon.web.api.game_views.review import (
    luck_view,
    moment_position_view,
    moment_view,
    roll_view,
    turn_view,
)
from rubicon.web.api.game_views.review_bodies import (
    BattleRollView,
    KeyMomentView,
    LuckView,
    MomentPositionView,
    MomentView,
    TurnView,
    WinningReviewView,
)
from rubicon.web.api.requests import MAX_NUMBER
from rubicon.web.http.errors import WebError
from rubicon.web.http.parameters import Asker, CurrentAccount, CurrentServer, GameId, Invite

MAX_MOMENTS = 1000
CSV = "text/csv"  # the framework adds the charset
After = Annotated[int, QueryParameter(ge=-1, le=MAX_NUMBER)]
Limit = Annotated[int, QueryParameter(ge=1, le=MAX_MOMENTS)]
Index = Annotated[int, PathParameter(ge=0, le=MAX_NUMBER)]
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class ReviewController(Controller):
    """A finished game, which has no secrets any more; `review/not-yet` before the end."""

    path = "/api/v1/games/{game:str}"
    tags = ("review",)

    @get("/moments", summary="List the moments of a finished game")
    async def moments(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
        after: After = -1,
        limit: Limit = MAX_MOMENTS,
    ) -> list[MomentView]:
        """Every decision and every outcome of chance behind a log index, in order; what was undone
        is left out."""
        await view_of(me, game, server, invite)
        found = await _computed(server, asker, game_reviews.moments, game, after, limit)
        return [moment_view(moment) for moment in found]

    @get("/at/{index:int}", summary="Get the position of a finished game at a moment")
    async def at(
        self,
        me: CurrentAccount,
        game: GameId,
        index: Index,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
    ) -> MomentPositionView:
        """The position after the last moment up to this log index, with all hands open."""
        await view_of(me, game, server, invite)
        return moment_position_view(
            await _computed(server, asker, game_reviews.position_at, game, index)
        )

    @get("/luck", summary="Get the luck of a finished game")
    async def luck(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
    ) -> LuckView:
        """What the dice gave and took, per seat, compared with the average of the same dice."""
        await view_of(me, game, server, invite)
        return luck_view(await _computed(server, asker, game_reviews.game_luck, game))

    @get("/rolls", summary="List the rolls of a finished game")
    async def rolls(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
        after: After = -1,
        limit: Limit = MAX_MOMENTS,
    ) -> list[BattleRollView]:
        """Every roll of a battle behind a log index, in order."""
        await view_of(me, game, server, invite)
        found = await _computed(server, asker, game_reviews.roll_rows, game, after, limit)
        return [roll_view(row) for row in found]

    @get("/rolls.csv", summary="Download the rolls of a finished game", media_type="text/csv")
    async def rolls_csv(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
    ) -> Response[str]:
        """All of them as a table, whose first line names the columns."""
        await view_of(me, game, server, invite)
        table = await _computed(server, asker, game_reviews.rolls_csv, game)
        name = f'attachment; filename="{game}.csv"'
        return Response(table, media_type=CSV, headers={"content-disposition": name})

    @get("/turns", summary="List the turns of a finished game")
    async def turns(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
    ) -> list[TurnView]:
        """How every seat stood at the beginning of each turn: armies, territories, income."""
        await view_of(me, game, server, invite)
        found = await _computed(server, asker, game_reviews.turns, game)
        return [turn_view(index, turn) for index, turn in found]

    @get("/key-moments", summary="List the key moments of a finished game")
    async def key_moments(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
    ) -> list[KeyMomentView]:
        """Eliminations, the continents that brought most armies, the battles with most losses, and
        the attacks with the most and the least luck, in order. Nothing is simulated."""
        await view_of(me, game, server, invite)
        found = await _computed(server, asker, game_reviews.key_moments_of, game)
        return key_moment_views(*found)

    @get("/review", summary="Get the review of a finished game by the value model")
    async def review(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
    ) -> WinningReviewView:
        """Chances to win, what dice and decisions did, deciding moments. It takes seconds, and up
        to a minute on a busy server: the first request begins it; ask again until it is ready."""
        found = await _reviewed(me, game, server, asker, invite)
        return {"ready": found is not None, "review": None if found is None else found.form}

    @get("/chances", summary="List the winning chances of a finished game")
    async def chances(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
        after: After = -1,
        limit: Limit = MAX_MOMENTS,
    ) -> list[ChancesForm]:
        """The chance of every seat after each decision and each roll behind a log index, in order;
        `review/not-ready` until the review is ready."""
        found = await _reviewed(me, game, server, asker, invite)
        if found is None:
            message = "The review of this game is not ready yet."
            raise WebError("review/not-ready", message, "Ask again in a few seconds.")
        return found.chances_after(after, limit)


async def _reviewed(
    me: Account | None, game: str, server: Server, asker: str, invite: str | None
) -> ReadyReview | None:
    """The review by the value model; None while it is being made."""
    await view_of(me, game, server, invite)
    if not server.reviews.known(game):
        await _computed(server, asker, game_reviews.check_over, game)
    return server.reviews.ask(asker, game)


async def _computed(
    server: Server,
    asker: str,
    function: Callable[Concatenate[str, Parameters], Result],
    *arguments: Parameters.args,
    **keywords: Parameters.kwargs,
) -> Result:
    """What the work process computes from the database."""
    return await server.costly.in_process(asker, function, server.store.url, *arguments, **keywords)
