"""The boards: what is on them, and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, TypedDict

from litestar import Controller, get
from litestar.params import FromPath
from litestar.response import Response

from rubicon.errors import NotFound
from rubicon.rules.board.board import Board, bundled_boards
from rubicon.rules.board.geometry import Geometry
from rubicon.table.lobby.table_request import choices
from rubicon.web.http import static_files
from rubicon.web.http.errors import AnyRequest
from rubicon.wording import nearest

# What clients get of a board.


class BoardView(TypedDict):
    """A board."""

    name: str
    title: str
    territories: int


class BoardTerritoryView(TypedDict):
    """A territory; its card has a design for each design table ("" is every table), and stars.

    `names` has its name in other languages by their codes, such as `de`.
    """

    id: str
    name: str
    names: dict[str, str]
    aliases: list[str]
    continent: str
    designs: dict[str, str]
    stars: int


class ContinentView(TypedDict):
    """A continent; `bonus` is the armies a turn for the owner of all of it.

    `names` has its name in other languages.
    """

    id: str
    name: str
    names: dict[str, str]
    aliases: list[str]
    bonus: int
    territories: list[str]


class BorderView(TypedDict):
    """Two territories that can attack each other; of a border that is `one_way`, only the first.

    `option` is the option that must be true for the border to exist; null if it always exists.
    """

    between: tuple[str, str]
    kind: Literal["land", "sea"]
    one_way: bool
    option: str | None


class BoardGoalView(TypedDict):
    """A mission or an objective; missions have no `rank`."""

    id: str
    text: str
    rank: Literal["minor", "major"] | None


class BoardDetailView(TypedDict):
    """A board. `cities` is how many territories become cities in the revised game.

    `geometry` is the address of its drawing, which may be cached for ever.
    """

    name: str
    title: str
    version: int
    source: str
    credit: str
    cities: int
    territories: list[BoardTerritoryView]
    continents: list[ContinentView]
    borders: list[BorderView]
    missions: list[BoardGoalView]
    objectives: list[BoardGoalView]
    geometry: str


PATH = "/api/v1/boards"


class BoardsController(Controller):
    """The boards that a table can be opened on."""

    path = PATH
    opt = {static_files.COMPRESSED_ONCE: True}  # noqa: RUF012
    tags = ("catalog",)

    @get("/", summary="List the boards")
    async def listed(self) -> list[BoardView]:
        """Name, title and number of territories."""
        return [_board(name) for name in bundled_boards()]

    @get(
        "/{name:str}",
        summary="Get a board",
        responses=static_files.NOT_MODIFIED,
        sync_to_thread=True,
    )
    def show(self, name: FromPath[str], request: AnyRequest) -> Response[BoardDetailView]:
        """Territories, continents, borders, cards and goals, and the address of its drawing."""
        check_board(name)
        return detail_of(name).response(request, static_files.REVALIDATE)

    @get(
        "/{name:str}/geometry",
        summary="Get the drawing of a board",
        responses=static_files.NOT_MODIFIED,
        sync_to_thread=True,
    )
    def geometry(self, name: FromPath[str], request: AnyRequest) -> Response[Geometry]:
        """Outlines, sea lanes, borders, and the places of badges and names, as SVG path data."""
        check_board(name)
        return geometry_of(name).response(request, static_files.REVALIDATE)

    @get(
        "/{name:str}/geometry/{digest:str}",
        summary="Get the drawing of a board, to be kept for ever",
        responses=static_files.NOT_MODIFIED,
        sync_to_thread=True,
    )
    def kept_geometry(
        self, name: FromPath[str], digest: FromPath[str], request: AnyRequest
    ) -> Response[Geometry]:
        """The same at an address that changes with it; the board has the address."""
        check_board(name)
        drawn = geometry_of(name)
        if digest != drawn.digest:
            message = f"The drawing of {name} has changed and is no longer at this address."
            hint = f"GET {PATH}/{name} has its address now."
            raise NotFound("geometry/unknown", message, hint)
        return drawn.response(request, static_files.KEPT_FOR_EVER)


def check_board(name: str) -> None:
    """RubiconError, `board/unknown-board`, for all but the name of a board of this server."""
    if name not in bundled_boards():
        hint = nearest(name, bundled_boards()) or choices(bundled_boards())
        raise NotFound("board/unknown-board", f"There is no board {name[:40]!r}.", hint)


# Boards come with the program: what is made of one never changes while the server runs.
@cache
def geometry_of(name: str) -> static_files.CachedJson:
    """The drawing of a board of this server."""
    return static_files.CachedJson.of(Board.load(name).geometry())


@cache
def detail_of(name: str) -> static_files.CachedJson:
    """A board of this server."""
    return static_files.CachedJson.of(board_detail(Board.load(name), geometry_of(name).digest))


def board_detail(board: Board, digest: str) -> BoardDetailView:
    """A board; `digest` is that of its drawing."""
    return {
        "name": board.id,
        "title": board.title,
        "version": board.version,
        "source": board.source,
        "credit": board.credit,
        "cities": board.cities,
        "territories": list(_territories(board)),
        "continents": list(_continents(board)),
        "borders": list(_borders(board)),
        "missions": [{"id": each.id, "text": each.text, "rank": None} for each in board.missions],
        "objectives": [
            {"id": each.id, "text": each.text, "rank": "major" if each.major else "minor"}
            for each in board.objectives
        ],
        "geometry": f"{PATH}/{board.id}/geometry/{digest}",
    }


def _board(name: str) -> BoardView:
    board = Board.load(name)
    return {"name": name, "title": board.title, "territories": len(board.territories)}


def _territories(board: Board) -> Iterator[BoardTerritoryView]:
    for territory in board.territories:
        yield {
            "id": territory.id,
            "name": territory.name,
            "names": dict(territory.names),
            "aliases": list(territory.aliases),
            "continent": board.continents[territory.continent].id,
            "designs": {table: design.name.lower() for table, design in territory.designs},
            "stars": territory.stars,
        }


def _continents(board: Board) -> Iterator[ContinentView]:
    for continent in board.continents:
        yield {
            "id": continent.id,
            "name": continent.name,
            "names": dict(continent.names),
            "aliases": list(continent.aliases),
            "bonus": continent.bonus,
            "territories": [board.territories[index].id for index in continent.territories],
        }


def _borders(board: Board) -> Iterator[BorderView]:
    lanes = {frozenset(lane["between"]) for lane in board.geometry()["lanes"]}
    options = {border.between: border.option for border in board.optional_borders}
    for border in (*board.borders, *board.one_way):
        start, end = (board.territories[index].id for index in border)
        yield {
            "between": (start, end),
            "kind": "sea" if frozenset((start, end)) in lanes else "land",
            "one_way": border in board.one_way,
            "option": options.get(border),
        }
