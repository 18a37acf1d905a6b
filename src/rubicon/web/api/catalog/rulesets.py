"""The rulesets, their rulebooks, and a check of options that somebody wants to change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from litestar import Controller, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Response

from rubicon.rulebook.german import german_title, in_german
from rubicon.rulebook.structure import RulebookChapter, rulebook_chapters
from rubicon.rules.board.board import Board
from rubicon.rules.options.kinds import Value
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.check import CheckedOptions, check_options
from rubicon.rules.ruleset.file import preset_options
from rubicon.rules.ruleset.ruleset import DEFAULT_BOARD, Ruleset, preset_names
from rubicon.table.lobby.table_request import check_preset, check_size
from rubicon.web.api.catalog.boards import check_board
from rubicon.web.api.catalog.cached_json import NOT_MODIFIED, REVALIDATE, AnyRequest, CachedJson
from rubicon.web.api.catalog.ruleset_responses import (
    CheckedOptionsView,
    OptionValueView,
    RulesetDetailView,
    RulesetView,
)
from rubicon.web.api.requests import CheckOptions, Language
from rubicon.web.http.app_files import COMPRESSED_ONCE


class RulesetsController(Controller):
    """The rulesets that a table can be opened with."""

    path = "/api/v1/rulesets"
    opt = {COMPRESSED_ONCE: True}  # noqa: RUF012
    tags = ("catalog",)

    @get("/", summary="List the rulesets")
    async def listed(self) -> list[RulesetView]:
        """Name, title, number of players, and a description in one line."""
        return [_ruleset(Ruleset.load(name)) for name in preset_names()]

    @get("/{name:str}", summary="Get a ruleset", responses=NOT_MODIFIED, sync_to_thread=True)
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
        return detail_of(name, board, language).response(request, REVALIDATE)

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
def detail_of(name: str, board: str, language: Language) -> CachedJson:
    """A ruleset on a board, with its rulebook in a language."""
    return CachedJson.of(ruleset_detail(Ruleset.load(name, board=board), language))


def ruleset_detail(ruleset: Ruleset, language: Language = "en") -> RulesetDetailView:
    """A ruleset with its rulebook."""
    told = _ruleset(ruleset)
    if language == "de":
        title, line = german_title(ruleset.preset, told["title"], told["description"])
        told = {**told, "title": title, "description": line}
    return {
        **told,
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
