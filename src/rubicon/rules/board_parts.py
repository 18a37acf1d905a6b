"""The nouns of a board, and the error that lists what is wrong with one."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rubicon.rules.errors import RubiconError
from rubicon.rules.position import NONE
from rubicon.rules.tables import Design, MissionKind, ObjectiveKind

COLOURS = ("red", "blue", "green", "yellow", "grey", "black")
OPTIONS = ("map.east_africa_middle_east",)  # the options that may switch a border off

MOST_SHOWN = 100  # problems in the message of one error; `problems` has them all

Border: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Territory:
    """A territory; `neighbours` are those that it may attack, with every option on."""

    id: str
    name: str
    aliases: tuple[str, ...]
    continent: int
    neighbours: tuple[int, ...]
    designs: tuple[tuple[str, Design], ...]  # (design table, design); "" is every table
    stars: int

    def design(self, table: str) -> Design | None:
        """The design of its card in a design table, None where the board has no such table."""
        designs = dict(self.designs)
        return designs.get(table, designs.get(""))


@dataclass(frozen=True, slots=True)
class Continent:
    """A continent and what a turn brings to the one owner of all of it (S001-36)."""

    id: str
    name: str
    aliases: tuple[str, ...]
    bonus: int
    territories: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OptionalBorder:
    """A border that is there only while an option is true (rulebook 1.1)."""

    option: str
    between: Border


@dataclass(frozen=True, slots=True)
class Mission:
    """A secret mission (rulebook 4.2); `colour` is "" unless its kind is DESTROY."""

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
    """An objective of the revised game (rulebook 5.1); -1 where no continent is named."""

    id: str
    text: str
    kind: ObjectiveKind
    major: bool
    count: int = 0
    continent: int = NONE


@dataclass(frozen=True, slots=True)
class BoardParts:
    """Everything that a board file says. Indices follow the order of the file."""

    id: str
    name: str
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


class Problem(NamedTuple):
    """One thing that is wrong with a board file; lines count from 1."""

    line: int
    code: str
    message: str


class BoardError(RubiconError):
    """A board file that cannot be played, with everything that is wrong with it, by line."""

    def __init__(self, source: str, problems: tuple[Problem, ...]) -> None:
        self.source = source
        self.problems = problems
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        shown = [f"\n  line {line}: {text} [{code}]" for line, code, text in problems[:MOST_SHOWN]]
        rest = len(problems) - len(shown)
        found = "".join(shown) + (f"\n  and {rest} more" if rest else "")
        super().__init__("board/invalid", f"{source}: {count} found in this board.{found}")


def quoted(value: object, most: int = 60) -> str:
    """What was given, a text in quotes, short enough for a message."""
    try:
        text = repr(value[:most] if isinstance(value, str) else value)
    except ValueError:  # Python writes out no number of more than 4,300 digits
        return "something very long"
    return text if len(text) <= most + 4 else text[:most] + "..."


def quoted_path(path: Path) -> str:
    """A path in quotes, whole unless it is absurdly long."""
    return quoted(str(path), 300)


def one_of(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
