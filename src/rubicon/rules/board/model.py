"""The parts of a board, and the error that lists what is wrong with a board file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rubicon.engine.records.position import NONE
from rubicon.engine.records.tables import Design, MissionKind, ObjectiveKind
from rubicon.errors import RubiconError

COLOURS = ("red", "blue", "green", "yellow", "grey", "black")
OPTIONS = ("map.east_africa_middle_east",)  # the options that may switch a border off

MOST_SHOWN = 100  # problems in one message; `BoardError.problems` has all of them

Border: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Territory:
    """A territory; `neighbours` are the territories that it can attack if every option is on."""

    id: str
    name: str
    names: tuple[tuple[str, str], ...]  # (language, name), for languages beside English
    aliases: tuple[str, ...]
    continent: int
    neighbours: tuple[int, ...]
    designs: tuple[tuple[str, Design], ...]  # (design table, design); "" is every table
    stars: int

    def design(self, table: str) -> Design | None:
        """The design of its card in a design table; None if the board has no such table."""
        designs = dict(self.designs)
        return designs.get(table, designs.get(""))


@dataclass(frozen=True, slots=True)
class Continent:
    """A continent; `bonus` is the armies a turn for the owner of all of it (S001-36)."""

    id: str
    name: str
    names: tuple[tuple[str, str], ...]  # (language, name), for languages beside English
    aliases: tuple[str, ...]
    bonus: int
    territories: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OptionalBorder:
    """A border that exists only while an option is true (rulebook 1.1)."""

    option: str
    between: Border


@dataclass(frozen=True, slots=True)
class Mission:
    """A secret mission (rulebook 4.2); only the kind DESTROY has a `colour`."""

    id: str
    text: str
    kind: MissionKind
    continents: tuple[int, ...] = ()
    third: bool = False
    count: int = 0
    minimum: int = 0
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Objective:
    """An objective of the revised game (rulebook 5.1); `continent` is NONE where it names none."""

    id: str
    text: str
    kind: ObjectiveKind
    major: bool
    count: int = 0
    continent: int = NONE


@dataclass(frozen=True, slots=True)
class BoardParts:
    """The contents of a board file. Indices follow the order of the file."""

    id: str
    name: str
    names: tuple[tuple[str, str], ...]  # (language, name)
    title: str
    version: int
    source: str
    credit: str
    cities: int
    mission_fallback: int
    continents: tuple[Continent, ...]
    territories: tuple[Territory, ...]
    borders: tuple[Border, ...]  # (lower, higher), ascending, optional ones included
    one_way: tuple[Border, ...]  # (from, to)
    optional_borders: tuple[OptionalBorder, ...]
    missions: tuple[Mission, ...]
    objectives: tuple[Objective, ...]
    geometry_file: str
    path: Path | None = field(default=None, compare=False)


class BoardProblem(NamedTuple):
    """One thing that is wrong with a board file; lines count from 1."""

    line: int
    code: str
    message: str


class BoardError(RubiconError):
    """A board file with errors; `problems` lists all of them by line."""

    def __init__(self, source: str, problems: tuple[BoardProblem, ...]) -> None:
        self.source = source
        self.problems = problems
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        shown = [f"\n  line {line}: {text} [{code}]" for line, code, text in problems[:MOST_SHOWN]]
        rest = len(problems) - len(shown)
        found = "".join(shown) + (f"\n  and {rest} more" if rest else "")
        super().__init__("board/invalid", f"{source}: {count} found in this board.{found}")
