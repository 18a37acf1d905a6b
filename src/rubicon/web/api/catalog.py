"""The catalog: rulesets, boards, options, table settings and bots to choose from; exact odds."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Controller, get
from litestar.params import FromQuery, QueryParameter

from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule
from rubicon.rules.board.board import Board, bundled_boards
from rubicon.rules.options.form import OptionForm, option_forms
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from rubicon.table.lobby.table_request import check_preset
from rubicon.table.settings import settings_table
from rubicon.web.api.responses import (
    BattleOddsView,
    BoardView,
    RulesetView,
    SettingView,
)
from rubicon.web.http.parameters import CurrentServer

MAX_ARMIES = 300
Armies = Annotated[int, QueryParameter(ge=1, le=MAX_ARMIES)]


class CatalogController(Controller):
    """What a table can be opened with."""

    path = "/api/v1"
    tags = ("catalog",)

    @get("/rulesets", summary="List the rulesets")
    async def rulesets(self) -> list[RulesetView]:
        """Name, title and number of players. `rubicon rules NAME` prints the rulebook of one."""
        return [_ruleset(name) for name in preset_names()]

    @get("/boards", summary="List the boards")
    async def boards(self) -> list[BoardView]:
        """Name, title and number of territories."""
        return [_board(name) for name in bundled_boards()]

    @get("/options", summary="List the options of the rules")
    async def options(self) -> list[OptionForm]:
        """What a form needs: type, values, default, conditions, help and sources of each option."""
        return list(option_forms())

    @get("/settings", summary="List the settings of a table")
    async def settings(self, server: CurrentServer) -> list[SettingView]:
        """Name, values, default and meaning; only values that are possible on this server."""
        return [
            {"name": row.name, "values": row.values, "default": row.default, "meaning": row.meaning}
            for row in settings_table(dice_server=server.dice_server is not None)
        ]

    @get("/bots", summary="List the bots")
    async def bots(self, server: CurrentServer) -> list[str]:
        """Their names."""
        return list(server.lobby.server_bots)

    @get("/odds", summary="Compute the exact odds of a battle")
    async def odds(
        self, attack: Armies, defend: Armies, ruleset: FromQuery[str] = "classic"
    ) -> BattleOddsView:
        """`attack` counts all armies on the attacking territory, including the one that stays."""
        check_preset(ruleset)

        def compute() -> BattleOddsView:
            result = battle(attack, defend, DiceRule.of(ruleset))
            return {
                "attack": attack,
                "defend": defend,
                "win": float(result.win),
                "expected_attack_losses": float(result.expected_attack_losses),
                "expected_defend_losses": float(result.expected_defend_losses),
            }

        return await asyncio.to_thread(compute)


def _board(name: str) -> BoardView:
    board = Board.load(name)
    return {"name": name, "title": board.title, "territories": len(board.territories)}


def _ruleset(name: str) -> RulesetView:
    ruleset = Ruleset.load(name)
    rules = ruleset.rules
    return {
        "name": name,
        "title": ruleset.title,
        "version": ruleset.version,
        "players": [int(rules.players_min), int(rules.players_max)],
    }
