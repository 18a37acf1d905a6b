"""Exact odds: of a battle that the client describes, and of the battles of a running game."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Literal, TypeVar

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Response

from rubicon.odds.rule import DiceRule
from rubicon.orders.preview.targets import MOST_ARMIES
from rubicon.rules.ruleset.ruleset import Ruleset, parse_override
from rubicon.server.seat_game import SeatGame
from rubicon.server.server import Server
from rubicon.table.lobby.table_request import check_preset
from rubicon.web.api.access import player_of
from rubicon.web.api.catalog.cached_json import FOR_A_DAY, NOT_MODIFIED, AnyRequest, CachedJson
from rubicon.web.api.catalog.odds_answers import battle_odds, game_odds
from rubicon.web.api.catalog.odds_responses import BattleOddsView, GameOddsView
from rubicon.web.api.requests import AskOdds
from rubicon.web.api.views import current_snapshot
from rubicon.web.http.app_files import COMPRESSED_ONCE
from rubicon.web.http.errors import WebError
from rubicon.web.http.parameters import Asker, CurrentAccount, CurrentServer, GameId

MOST_PATH = 12  # territories
MOST_QUICK = 100  # armies of a battle that a thread computes; the work process has larger ones
Armies = Annotated[int, QueryParameter(ge=1, le=MOST_ARMIES)]
Defenders = Annotated[list[int], QueryParameter(min_items=1, max_items=MOST_PATH)]
Overrides = Annotated[list[str] | None, QueryParameter(max_items=20)]
Dice = Annotated[int | None, QueryParameter(ge=1, le=3)]
Result = TypeVar("Result")


class OddsController(Controller):
    """Exact odds; nothing is rolled."""

    path = "/api/v1"
    opt = {COMPRESSED_ONCE: True}  # noqa: RUF012

    @get(
        "/odds",
        summary="Compute the exact odds of a battle",
        tags=["catalog"],
        responses=NOT_MODIFIED,
    )
    async def odds(
        self,
        request: AnyRequest,
        server: CurrentServer,
        asker: Asker,
        attack: Armies,
        defend: Defenders,
        ruleset: FromQuery[str] = "classic",
        option: Overrides = None,
        dice: Dice = None,
        defend_dice: FromQuery[Literal["most", "best"]] = "most",
        neutral: FromQuery[bool] = False,
        attack_die: FromQuery[bool] = False,
        defence_die: FromQuery[bool] = False,
        attack_airfield: FromQuery[bool] = False,
        defence_airfield: FromQuery[bool] = False,
    ) -> Response[BattleOddsView]:
        """`attack` counts all armies on the attacking territory, including the one that stays.
        `defend` may be repeated: the territories of a path. The answer has the odds of every stop
        "until n left" at once. `option=NAME=VALUE` changes an option of the ruleset."""
        check_preset(ruleset)
        if any(armies > MOST_ARMIES for armies in defend) or sum(defend) > MOST_ARMIES:
            message = f"The odds of more than {MOST_ARMIES} defenders are not computed here."
            raise WebError("odds/too-large", message, "`rubicon odds` computes larger battles.")
        rule = DiceRule(
            Ruleset.load(ruleset, dict(map(parse_override, option or ()))),
            dice or "most",
            defend_dice,
            neutral=neutral,
            attack_die=attack_die,
            defence_die=defence_die,
            attack_airfield=attack_airfield,
            defence_airfield=defence_airfield,
        )
        path = tuple(defend)
        quick = len(path) == 1 and max(attack, *path) <= MOST_QUICK
        compute = partial(battle_odds, attack, path, rule)
        found = await _computed(server, asker, compute, quick=quick)
        return (await asyncio.to_thread(CachedJson.of, found)).response(request, FOR_A_DAY)

    @post(
        "/games/{game:str}/odds",
        summary="Compute the odds of my attacks",
        tags=["games"],
        status_code=200,
    )
    async def game_odds(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[AskOdds],
        server: CurrentServer,
        asker: Asker,
    ) -> GameOddsView:
        """The odds of one attack from a territory against each of its targets, with the dice,
        airfields and bonus dice of the position as I see it. Defenders who choose their dice are
        assumed to choose best."""
        seat = await player_of(me, game, server)
        snapshot = await current_snapshot(server, game, asker)
        seen = SeatGame.of(snapshot.game(), seat)
        compute = partial(game_odds, seen, data.source, data.stop, data.armies, data.target)
        armies = max(data.armies or 0, int(snapshot.game().view(seat).armies.max()))
        quick = data.target is None or armies <= MOST_QUICK
        return await _computed(server, asker, compute, quick=quick)


async def _computed(server: Server, asker: str, compute: partial[Result], *, quick: bool) -> Result:
    """What is computed, one request at a time for each asker; it must be a module's function."""
    if quick:
        return await server.costly.in_thread(asker, compute)
    return await server.costly.in_process(asker, compute)
