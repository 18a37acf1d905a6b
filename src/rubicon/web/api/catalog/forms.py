"""Forms for a new table: the options of the rules, the settings of the table, the bots."""

from __future__ import annotations

from dataclasses import asdict
from typing import Literal, TypedDict, cast

from litestar import Controller, get

from rubicon.rules.options.form import OptionForm, option_forms
from rubicon.table.lobby.table_request import own_names
from rubicon.table.settings_form import SettingChoice, settings_table
from rubicon.web.http.parameters import CurrentServer


class ClockDefaults(TypedDict):
    """The default of a setting for each kind of clock, as text."""

    none: str
    live: str
    days: str


class SettingView(TypedDict):
    """A setting of a table, as a form shows it.

    `values` describes its values in words. A `choice` has `choices`, a `number` a range from
    `low` to `high`; `seconds` is true where it is a time. `default` is that without a clock.
    """

    name: str
    label: str
    values: str
    default: str
    meaning: str
    type: Literal["choice", "flag", "number", "text"]
    choices: list[SettingChoice]
    low: int | None
    high: int | None
    seconds: bool
    defaults: ClockDefaults


class FormsController(Controller):
    """What a form for a new table is made from."""

    path = "/api/v1"
    tags = ("catalog",)

    @get("/options", summary="List the options of the rules")
    async def options(self) -> list[OptionForm]:
        """What a form needs: label, type, values, default, conditions, help and sources of each
        option. Options of one `group` follow each other."""
        return list(option_forms())

    @get("/settings", summary="List the settings of a table")
    async def settings(self, server: CurrentServer) -> list[SettingView]:
        """What a form needs, with the defaults for each kind of clock; only values that are
        possible on this server."""
        rows = settings_table(dice_server=server.dice_server is not None)
        return [cast(SettingView, {**asdict(row), "choices": list(row.choices)}) for row in rows]

    @get("/bots", summary="List the bots")
    async def bots(self, server: CurrentServer) -> list[str]:
        """Their names. Wherever a bot is named, `strongest` means the first of them."""
        return own_names(server.lobby.server_bots)
