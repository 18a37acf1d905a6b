"""The rulesets, their rulebooks and options, and the forms for a new table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Literal, TypedDict, cast

from litestar import Controller, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Response

from rubicon.rulebook.german import german_title, in_german
from rubicon.rulebook.rulebook import RulebookChapter, rulebook_chapters
from rubicon.rules.board.board import Board
from rubicon.rules.options.kinds import Value
from rubicon.rules.options.registry import OPTIONS, OptionForm, option_forms
from rubicon.rules.ruleset.file import preset_options
from rubicon.rules.ruleset.ruleset import (
    DEFAULT_BOARD,
    CheckedOptions,
    Ruleset,
    check_options,
    preset_names,
)
from rubicon.table.lobby.table_request import check_preset, check_size, own_names
from rubicon.table.settings_form import SettingChoice, settings_table
from rubicon.web.api.boards import check_board
from rubicon.web.api.bodies import CheckOptions, Language
from rubicon.web.http import static_files
from rubicon.web.http.auth import CurrentServer
from rubicon.web.http.errors import AnyRequest

# What clients get of a ruleset, and of options that they want to combine.


class RulesetView(TypedDict):
    """A ruleset; `players` is the minimum and the maximum, `description` one line.

    `label` is its title in a word or two.
    """

    name: str
    title: str
    label: str
    description: str
    version: int
    players: list[int]


class OptionValueView(TypedDict):
    """An option's value as text, with the default of all rulesets and the ruleset's own value."""

    name: str
    value: str
    default: str
    preset: str


class RulesetDetailView(TypedDict):
    """A ruleset with the value of every option, and its rulebook on the board."""

    name: str
    title: str
    label: str
    description: str
    version: int
    players: list[int]
    sources: list[str]
    board: str
    options: list[OptionValueView]
    rulebook: list[RulebookChapter]


class OptionsProblemView(TypedDict):
    """Why options are impossible, and the options that it is about."""

    code: str
    message: str
    suggestion: str
    options: list[str]


class CheckedOptionsView(TypedDict):
    """Whether options can be played, and what results.

    `options` has every value, those that come along with the given ones included; `differences`
    are the options that make the result out of the ruleset, as `POST /tables` takes them. With a
    problem `players`, `differences` and `rulebook` are empty.
    """

    possible: bool
    problems: list[OptionsProblemView]
    players: list[int]
    options: list[OptionValueView]
    differences: dict[str, str]
    rulebook: list[RulebookChapter]


# The routes: rulesets, rulebooks, a check of options that a host wants to change.


class RulesetsController(Controller):
    """The rulesets that a table can be opened with."""

    path = "/api/v1/rulesets"
    opt = {static_files.COMPRESSED_ONCE: True}  # noqa: RUF012
    tags = ("catalog",)

    @get("/", summary="List the rulesets")
    async def listed(self) -> list[RulesetView]:
        """Name, title, number of players, and a description in one line."""
        return [_ruleset(Ruleset.load(name)) for name in preset_names()]

    @get(
        "/{name:str}",
        summary="Get a ruleset",
        responses=static_files.NOT_MODIFIED,
        sync_to_thread=True,
    )
    def show(
        self,
        name: FromPath[str],
        request: AnyRequest,
        board: FromQuery[str] = DEFAULT_BOARD,
        language: FromQuery[Language] = "en",
    ) -> Response[RulesetDetailView]:
        """The value of every option, and the rulebook: chapters of sentences with their sources.

        Title, description and rulebook are in the given language; labels stay English.
        """
        check_preset(name)
        check_board(board)
        return detail_of(name, board, language).response(request, static_files.REVALIDATE)

    @post("/check", summary="Check options", status_code=200, sync_to_thread=True)
    def check(self, data: JSONBody[CheckOptions]) -> CheckedOptionsView:
        """Says which options cannot be combined, which values result, and how the game is played
        then. Options that are impossible are an answer, not an error; nothing is stored."""
        check_preset(data.ruleset)
        check_board(data.board)
        check_size(data.options)
        checked = check_options(data.ruleset, data.options, Board.load(data.board))
        return _checked_view(data, checked)


@lru_cache(maxsize=64)
def detail_of(name: str, board: str, language: Language) -> static_files.CachedJson:
    """A ruleset on a board, with its rulebook in a language."""
    return static_files.CachedJson.of(ruleset_detail(Ruleset.load(name, board=board), language))


def ruleset_detail(ruleset: Ruleset, language: Language = "en") -> RulesetDetailView:
    """A ruleset with its rulebook."""
    shown = _ruleset(ruleset)
    if language == "de":
        title, line = german_title(ruleset.preset, shown["title"], shown["description"])
        shown = {**shown, "title": title, "description": line}
    return {
        **shown,
        "sources": list(ruleset.sources),
        "board": ruleset.board.id,
        "options": option_values(ruleset.preset, ruleset.options),
        "rulebook": rulebook_in(language, ruleset),
    }


def rulebook_in(language: Language, ruleset: Ruleset) -> list[RulebookChapter]:
    """The rulebook in a language."""
    chapters = rulebook_chapters(ruleset)
    return in_german(chapters, ruleset.board) if language == "de" else chapters


def option_values(preset: str, options: Mapping[str, Value]) -> list[OptionValueView]:
    """Every option with its value, its default, and its value in a preset."""
    base = preset_options(preset)
    return [
        {
            "name": name,
            "value": option.text(options[name]),
            "default": option.text(option.default),
            "preset": option.text(base[name]),
        }
        for name, option in OPTIONS.items()
    ]


def _ruleset(ruleset: Ruleset) -> RulesetView:
    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "label": ruleset.label,
        "description": ruleset.description,
        "version": ruleset.version,
        "players": _players(ruleset),
    }


def _players(ruleset: Ruleset) -> list[int]:
    return [int(ruleset.rules.players_min), int(ruleset.rules.players_max)]


def _checked_view(asked: CheckOptions, checked: CheckedOptions) -> CheckedOptionsView:
    ruleset = checked.ruleset
    return {
        "possible": ruleset is not None,
        "problems": [
            {
                "code": problem.code,
                "message": problem.message,
                "suggestion": problem.suggestion,
                "options": list(problem.options),
            }
            for problem in checked.problems
        ],
        "players": [] if ruleset is None else _players(ruleset),
        "options": option_values(asked.ruleset, checked.options),
        "differences": {} if ruleset is None else dict(ruleset.differences),
        "rulebook": rulebook_in(asked.language, ruleset) if ruleset and asked.rulebook else [],
    }


# Forms for a new table: the options of the rules, the settings of the table, the bots.


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
