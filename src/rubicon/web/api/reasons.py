"""Why the bots of a game decided as they did, for those who watch bots alone."""

from __future__ import annotations

from typing import TypedDict

from litestar import Controller, get

from rubicon.server.bot_runner import ReasonForm
from rubicon.table.errors import TableError
from rubicon.web.api.access import view_of
from rubicon.web.api.views import visible_snapshot
from rubicon.web.http.parameters import Asker, CurrentAccount, CurrentServer, GameId, Invite


class BotReasonView(TypedDict):
    """The seat of a bot, the decision that it made, and why: as data, and in a few words."""

    seat: str
    decision: int
    reason: ReasonForm
    why: str


class ReasonsController(Controller):
    """Reasons of bots."""

    path = "/api/v1/games/{game:str}/reasons"
    tags = ("games",)

    @get("/", summary="List why bots decided as they did")
    async def reasons(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
    ) -> list[BotReasonView]:
        """The last decisions of the bots, the oldest first. Only where no person plays, or the game
        is over: a reason tells plans, and perhaps hidden cards (`reasons/people-play`)."""
        seat = await view_of(me, game, server, invite)
        snapshot = await visible_snapshot(server, game, seat, asker)
        if snapshot.voters and snapshot.ending is None:
            message = "People play in this game: the plans of the bots are theirs until the end."
            raise TableError("reasons/people-play", message, "Ask when the game is over.")
        return [
            {
                "seat": each.seat,
                "decision": each.decision,
                "reason": each.reason,
                "why": each.why,
            }
            for each in server.bots.reasons(game)
        ]
