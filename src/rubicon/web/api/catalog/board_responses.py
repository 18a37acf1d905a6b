"""What clients get of a board."""

from __future__ import annotations

from typing import Literal, TypedDict


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
