"""Exact odds: of a battle that the client describes, and of the battles of a running game."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Response

from rubicon.odds.outlook import outlooks
from rubicon.odds.rule import DiceRule
from rubicon.orders.preview.targets import MOST_ARMIES, TargetOdds, target_odds
from rubicon.rules.game.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, parse_override
from rubicon.table.lobby.table_request import check_preset
from rubicon.web.api.access import player_of
from rubicon.web.api.catalog.cached_json import FOR_A_DAY, NOT_MODIFIED, AnyRequest, CachedJson
from rubicon.web.api.catalog.odds_responses import (
    BattleOddsView,
    GameOddsView,
    TargetOddsView,
    stop_view,
)
from rubicon.web.api.requests import AskOdds
from rubicon.web.api.views import current_snapshot
from rubicon.web.http.app_files import COMPRESSED_ONCE
from rubicon.web.http.errors import WebError
from rubicon.web.http.parameters import Asker, CurrentAccount, CurrentServer, GameId

MOST_PATH = 12  # territories
Armies = Annotated[int, QueryParameter(ge=1, le=MOST_ARMIES)]
Defenders = Annotated[list[int], QueryParameter(min_items=1, max_items=MOST_PATH)]
Overrides = Annotated[list[str] | None, QueryParameter(max_items=20)]
Dice = Annotated[int | None, QueryParameter(ge=1, le=3)]


class OddsController(Controller):
    """Exact odds; nothing is rolled."""

    path = "/api/v1"
    opt = {COMPRESSED_ONCE: True}  # noqa: RUF012

    @get(
        "/odds",
        summary="Compute the exact odds of a battle",
        tags=["catalog"],
        responses=NOT_MODIFIED,
        sync_to_thread=True,
    )
    def odds(
        self,
        request: AnyRequest,
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
        found = CachedJson.of(battle_odds(attack, tuple(defend), rule))
        return found.response(request, FOR_A_DAY)

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
        return await asyncio.to_thread(game_odds, snapshot.game(), seat, data)


def battle_odds(attack: int, defend: tuple[int, ...], rule: DiceRule) -> BattleOddsView:
    """The odds of a battle, or of an attack along a path, under every stop rule."""
    stops = [stop_view(outlook) for outlook in outlooks(attack, defend, rule)]
    return {
        "attack": attack,
        "defend": sum(defend),
        "path": list(defend),
        "win": stops[0]["taken"],
        "expected_attack_losses": stops[0]["expected_attack_losses"],
        "expected_defend_losses": stops[0]["expected_defend_losses"],
        "stops": stops,
    }


def game_odds(game: Game, seat: str, asked: AskOdds) -> GameOddsView:
    """The odds of a seat's attacks from one territory."""
    board = game.ruleset.board
    source = board.index(asked.source)
    found = target_odds(game, seat, asked.source, asked.stop, armies=asked.armies)
    standing = asked.armies or int(game.view(seat).armies[source])
    if asked.target is None:
        targets = [_target(game, odds, 0) for odds in found]
    else:
        wanted = board.index(asked.target)
        targets = [_target(game, odds, standing) for odds in found if odds.target == wanted]
        if not targets:
            message = f"{_name(game, wanted)} is no target of {_name(game, source)}."
            hint = "Without a target the answer has all of them."
            raise WebError("odds/no-target", message, hint)
    return {"source": board.territories[source].id, "targets": targets}


def _name(game: Game, territory: int) -> str:
    return game.ruleset.board.territories[territory].name


def _target(game: Game, odds: TargetOdds, standing: int) -> TargetOddsView:
    """One target; with the odds of every stop of an attack with `standing` armies, if any."""
    every = outlooks(standing, (odds.armies,), odds.rule) if standing and odds.outlook else ()
    return {
        "target": game.territories[odds.target],
        "armies": odds.armies,
        "odds": None if odds.outlook is None else stop_view(odds.outlook),
        "stops": [stop_view(outlook) for outlook in every],
    }
