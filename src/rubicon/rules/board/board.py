"""The board: territories, borders, continents, cards, missions, read from a TOML file.

    >>> world = Board.load("world")
    >>> world.territories[world.index("kam")].name
    'Kamchatka'

`docs/boards.md` says how to write one.
"""

import os
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import final

from rubicon.errors import NotFound, RubiconError, WrongType, is_path
from rubicon.rules.board.format import (
    COLOURS,
    BoardError,
    BoardNames,
    BoardParts,
    BoardProblem,
    Border,
    Continent,
    Mission,
    Objective,
    OptionalBorder,
    Territory,
    compact,
)
from rubicon.rules.board.geometry import Geometry, island_geometry, read_geometry
from rubicon.rules.board.loader import parse, read_text
from rubicon.wording import one_of, quoted, quoted_path

__all__ = [
    "COLOURS",
    "Board",
    "BoardError",
    "BoardProblem",
    "Border",
    "Continent",
    "Mission",
    "Objective",
    "OptionalBorder",
    "Territory",
    "bundled_boards",
]

_FOLDER = Path(__file__).with_name("boards")


@final
@dataclass(frozen=True, slots=True, repr=False)
class Board(BoardParts):
    """A board; territories, continents and missions have their index in the file as number."""

    territory_ids: frozenset[str] = field(init=False, compare=False)
    _territory_names: BoardNames = field(init=False, compare=False)
    _continent_names: BoardNames = field(init=False, compare=False)

    def __post_init__(self) -> None:
        ids = frozenset(territory.id for territory in self.territories)
        # A frozen dataclass sets its derived fields this way.
        object.__setattr__(self, "territory_ids", ids)
        object.__setattr__(self, "_territory_names", _names(self.territories))
        object.__setattr__(self, "_continent_names", _names(self.continents))

    def __repr__(self) -> str:
        return f"<Board {self.id} {self.version}: {len(self.territories)} territories>"

    @staticmethod
    def load(name_or_path: str | os.PathLike[str]) -> "Board":
        """The bundled board of this name, or the board in this file.

        A text with a slash or ending in `.toml` is a file. Raises RubiconError
        (`board/unknown-board`, `not-a-name`, `not-found`, `unreadable`, `too-large`, `not-text`)
        and BoardError, which lists everything that is wrong with the file.
        """
        if not is_path(name_or_path):
            suggestion = f"There is {one_of(list(bundled_boards()))}, or a file."
            raise WrongType("board/not-a-name", name_or_path, "the name of a board", suggestion)
        name = os.fspath(name_or_path)
        if name in bundled_boards():
            return _bundled(name)
        if isinstance(name_or_path, str) and not ("/" in name or name.endswith(".toml")):
            known = one_of(list(bundled_boards()))
            message = f"There is no board {quoted(name)}."
            raise NotFound("board/unknown-board", message, f"There is {known}, or a file.")
        path = Path(name)
        return _made(parse(read_text(path), quoted_path(path), path))

    @staticmethod
    def parse(text: str) -> "Board":
        """The board that a TOML text describes; raises BoardError."""
        return _made(parse(text))

    def index(self, name: str) -> int:
        """The index of the territory that an id, a name, an alias or the beginning of one means.

        Case, accents and separators do not matter, and each word may be shortened: `e aus`. A name
        in another language counts where the text means none of the board's own.
        Raises RubiconError, `board/unknown-territory` or `board/ambiguous-territory`.
        """
        labels = [territory.name for territory in self.territories]
        return _index(self, "territory", self._territory_names, labels, name)

    def continent_index(self, name: str) -> int:
        """The index of a continent, found as `index` finds a territory.

        Raises RubiconError, `board/unknown-continent` or `board/ambiguous-continent`.
        """
        labels = [continent.name for continent in self.continents]
        return _index(self, "continent", self._continent_names, labels, name)

    def borders_under(self, *, east_africa_middle_east: bool = True) -> tuple[Border, ...]:
        """The borders that exist under these options, as pairs of indices (lower, higher)."""
        options = {"map.east_africa_middle_east": east_africa_middle_east}
        off = {border.between for border in self.optional_borders if not options[border.option]}
        return tuple(border for border in self.borders if border not in off)

    def geometry(self) -> Geometry:
        """The drawing of the board, read from its file at every call.

        A board without a file gets a drawing of islands, made from its borders. Raises
        RubiconError (`board/bad-geometry`) if the file is missing or draws another board.
        """
        if self.path is None or not self.geometry_file:
            return island_geometry(self)
        return read_geometry(self, self.path.with_name(self.geometry_file))


@cache
def bundled_boards() -> tuple[str, ...]:
    """The names of the boards that come with Rubicon; the folder is listed once."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def _bundled(name: str) -> Board:
    path = _FOLDER / f"{name}.toml"
    return _made(parse(read_text(path), name, path))


def _made(parts: BoardParts) -> Board:
    return Board(**{part.name: getattr(parts, part.name) for part in fields(parts)})


def _names(things: tuple[Territory, ...] | tuple[Continent, ...]) -> BoardNames:
    return BoardNames(
        [(thing.id, thing.name, *thing.aliases) for thing in things],
        [[name for _, name in thing.names] for thing in things],
    )


def _index(board: Board, what: str, names: BoardNames, labels: list[str], text: str) -> int:
    found = names.find(text)
    if len(found) == 1:
        return next(iter(found))
    if found:
        meant = one_of([_spelt(labels[index], found[index]) for index in sorted(found)])
        message = f"{quoted(text)} may mean {meant}."
        raise RubiconError(f"board/ambiguous-{what}", message, "Type more of the name.")
    near = [labels[index] for index in names.nearest(text)]
    message = f"{board.name} has no {what} {quoted(text)}."
    suggestion = f"Did you mean {one_of(near)}?" if near else ""
    raise RubiconError(f"board/unknown-{what}", message, suggestion)


def _spelt(label: str, met: str) -> str:
    return label if compact(label) == compact(met) else f"{label} ({met})"


def board_name(board: Board) -> str:
    """The name under which `Board.load` finds a board again: an id, or a file."""
    bundled = board.id in bundled_boards() and Board.load(board.id) == board
    return board.id if bundled else str(board.path or board.id)
