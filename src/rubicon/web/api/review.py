"""Finished games: any moment, the luck of the dice, and curves. All of it is costly work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Concatenate, ParamSpec, TypeVar

from litestar import Controller, get
from litestar.di import NamedDependency, Provide
from litestar.params import PathParameter, QueryParameter
from litestar.response import Response

from rubicon.server import game_reviews
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


@dataclass(frozen=True, slots=True)
class VisibleGame:
    """A game that the client may see, and for whom work on it is done."""

    id: str
    server: Server
    asker: str

    async def computed(
        self,
        function: Callable[Concatenate[str, str, Parameters], Result],
        *arguments: Parameters.args,
        **keywords: Parameters.kwargs,
    ) -> Result:
        """What the work process computes from the database."""
        url = self.server.store.url
        return await self.server.costly.in_process(
            self.asker, function, url, self.id, *arguments, **keywords
        )

    async def reviewed(self) -> ReadyReview | None:
        """The review by the value model; None while it is being made."""
        if not self.server.reviews.known(self.id):
            await self.computed(game_reviews.check_over)
        return self.server.reviews.ask(self.asker, self.id)


async def visible_game(
    me: CurrentAccount, game: GameId, server: CurrentServer, asker: Asker, invite: Invite = None
) -> VisibleGame:
    """The game of the path; refused to those who may not see it."""
    await view_of(me, game, server, invite)
    return VisibleGame(game, server, asker)


Visible = NamedDependency[VisibleGame]


class ReviewController(Controller):
    """A finished game, which has no secrets any more; `review/not-yet` before the end."""

    path = "/api/v1/games/{game:str}"
    tags = ("review",)
    dependencies = {"visible": Provide(visible_game)}  # noqa: RUF012

    @get("/moments", summary="List the moments of a finished game")
    async def moments(
        self,
        visible: Visible,
        after: After = -1,
        limit: Limit = MAX_MOMENTS,
    ) -> list[MomentView]:
        """Every decision and every outcome of chance behind a log index, in order; what was undone
        is left out."""
        found = await visible.computed(game_reviews.moments, after, limit)
        return [moment_view(moment) for moment in found]

    @get("/at/{index:int}", summary="Get the position of a finished game at a moment")
    async def at(
        self,
        visible: Visible,
        index: Index,
    ) -> MomentPositionView:
        """The position after the last moment up to this log index, with all hands open."""
        return moment_position_view(await visible.computed(game_reviews.position_at, index))

    @get("/luck", summary="Get the luck of a finished game")
    async def luck(
        self,
        visible: Visible,
    ) -> LuckView:
        """What the dice gave and took, per seat, compared with the average of the same dice."""
        return luck_view(await visible.computed(game_reviews.game_luck))

    @get("/rolls", summary="List the rolls of a finished game")
    async def rolls(
        self,
        visible: Visible,
        after: After = -1,
        limit: Limit = MAX_MOMENTS,
    ) -> list[BattleRollView]:
        """Every roll of a battle behind a log index, in order."""
        found = await visible.computed(game_reviews.roll_rows, after, limit)
        return [roll_view(row) for row in found]

    @get("/rolls.csv", summary="Download the rolls of a finished game", media_type="text/csv")
    async def rolls_csv(
        self,
        visible: Visible,
    ) -> Response[str]:
        """All of them as a table, whose first line names the columns."""
        table = await visible.computed(game_reviews.rolls_csv)
        name = f'attachment; filename="{visible.id}.csv"'
        return Response(table, media_type=CSV, headers={"content-disposition": name})

    @get("/turns", summary="List the turns of a finished game")
    async def turns(
        self,
        visible: Visible,
    ) -> list[TurnView]:
        """How every seat stood at the beginning of each turn: armies, territories, income."""
        found = await visible.computed(game_reviews.turns)
        return [turn_view(index, turn) for index, turn in found]

    @get("/key-moments", summary="List the key moments of a finished game")
    async def key_moments(
        self,
        visible: Visible,
    ) -> list[KeyMomentView]:
        """Eliminations, the continents that brought most armies, the battles with most losses, and
        the attacks with the most and the least luck, in order. Nothing is simulated."""
        found = await visible.computed(game_reviews.key_moments_of)
        return key_moment_views(*found)

    @get("/review", summary="Get the review of a finished game by the value model")
    async def review(
        self,
        visible: Visible,
    ) -> WinningReviewView:
        """Chances to win, what dice and decisions did, deciding moments. It takes seconds, and up
        to a minute on a busy server: the first request begins it; ask again until it is ready."""
        found = await visible.reviewed()
        return {"ready": found is not None, "review": None if found is None else found.form}

    @get("/chances", summary="List the winning chances of a finished game")
    async def chances(
        self,
        visible: Visible,
        after: After = -1,
        limit: Limit = MAX_MOMENTS,
    ) -> list[ChancesForm]:
        """The chance of every seat after each decision and each roll behind a log index, in order;
        `review/not-ready` until the review is ready."""
        found = await visible.reviewed()
        if found is None:
            message = "The review of this game is not ready yet."
            raise WebError("review/not-ready", message, "Ask again in a few seconds.")
        return found.chances_after(after, limit)
