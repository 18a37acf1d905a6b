"""What the house has: rulesets, options, boards, settings, bots; odds for anybody."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Controller, get
from litestar.params import Parameter

from rubicon.host.host import Host
from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule
from rubicon.rules.board import Board, bundled_boards
from rubicon.rules.options import OPTIONS
from rubicon.rules.ruleset import Ruleset, preset_names
from rubicon.table.lobby_wish import check_preset
from rubicon.table.settings import settings_table
from rubicon.web.answers import BoardTold, OddsTold, OptionTold, RulesetTold, SettingTold

MOST_ARMIES = 300
Armies = Annotated[int, Parameter(ge=1, le=MOST_ARMIES)]


class House(Controller):
    """What there is to choose from."""

    path = "/api/v1"
    tags = ("house",)

    @get("/rulesets", summary="The rulesets")
    async def rulesets(self) -> list[RulesetTold]:
        """Name, title, how few and how many play. What each says: `rubicon rules NAME`."""
        return [_ruleset(name) for name in preset_names()]

    @get("/boards", summary="The boards")
    async def boards(self) -> list[BoardTold]:
        """Name, title, how many territories."""
        return [_board(name) for name in bundled_boards()]

    @get("/options", summary="Every option of the rules")
    async def options(self) -> list[OptionTold]:
        """Name, meaning, the ids of the rules."""
        return [
            {"name": option.name, "meaning": option.meaning, "sources": list(option.sources)}
            for option in OPTIONS.values()
        ]

    @get("/settings", summary="Every setting of a table")
    async def settings(self) -> list[SettingTold]:
        """Name, values, default, meaning."""
        return [
            {"name": row.name, "values": row.values, "default": row.default, "meaning": row.meaning}
            for row in settings_table()
        ]

    @get("/bots", summary="The house bots")
    async def bots(self, host: Host) -> list[str]:
        """By name."""
        return list(host.lobby.house_bots)

    @get("/odds", summary="The exact odds of a battle")
    async def odds(self, attack: Armies, defend: Armies, ruleset: str = "classic") -> OddsTold:
        """`attack` are the armies on the attacking territory, the one that stays included."""

        check_preset(ruleset)

        def reckon() -> OddsTold:
            found = battle(attack, defend, DiceRule.of(ruleset))
            return {
                "attack": attack,
                "defend": defend,
                "win": float(found.win),
                "expected_attack_losses": float(found.expected_attack_losses),
                "expected_defend_losses": float(found.expected_defend_losses),
            }

        return await asyncio.to_thread(reckon)


def _board(name: str) -> BoardTold:
    board = Board.load(name)
    return {"name": name, "title": board.title, "territories": len(board.territories)}


def _ruleset(name: str) -> RulesetTold:
    ruleset = Ruleset.load(name)
    rules = ruleset.rules
    return {
        "name": name,
        "title": ruleset.title,
        "version": ruleset.version,
        "players": [int(rules.players_min), int(rules.players_max)],
    }
