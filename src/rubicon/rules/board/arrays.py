"""A board with the cards and missions of a ruleset, as arrays for the engine."""

from collections.abc import Iterable, Mapping

import numpy as np

from rubicon.engine.records.choices import Deck
from rubicon.engine.records.position import CARDS
from rubicon.engine.records.tables import (
    BOARD_TABLES,
    NO_NEIGHBOUR,
    BoardTables,
    Design,
    MissionKind,
)
from rubicon.errors import RubiconError
from rubicon.rules.board.board import COLOURS, Board
from rubicon.rules.board.schema import DESIGN_NAMES, MOST_STARS
from rubicon.wording import one_of, quoted


def board_tables(
    board: Board,
    *,
    east_africa_middle_east: bool,
    deck: Deck,
    wilds: int,
    designs: Mapping[str, str] | None,
    design_table: str,
    stars: Mapping[str, int] | None,
    missions_deck: tuple[str, ...],
    objective_pool: tuple[str, ...],
    objective_class: Mapping[str, str],
) -> BoardTables:
    """The record `BoardTables` of a board: territories and missions in the order of the file.

    `designs` and `stars` give every territory's card, by any of its names; None takes the
    board's own, the designs from `design_table`. Wild cards follow the territory cards of
    a deck WITH_WILDS; other decks have none. `objective_class` overrides the board's classes.
    Unused cells are 0, in `neighbour` NO_NEIGHBOUR. Raises RubiconError: `board/unknown-...` for a
    territory, design table, design, mission, objective or class; `board/missing-design`,
    `board/missing-stars`, `board/bad-stars`, `board/bad-wilds`.
    """
    record: BoardTables = np.zeros(1, BOARD_TABLES)[0]
    _fill_borders(record, board, east_africa_middle_east)
    _fill_continents(record, board)
    _fill_cards(record, board, _designs(board, designs, design_table), _stars(board, stars))
    _fill_wilds(record, board, wilds if deck is Deck.WITH_WILDS else 0)
    _fill_missions(record, board, missions_deck)
    _fill_objectives(record, board, objective_pool, objective_class)
    return record


def _fill_borders(record: BoardTables, board: Board, east_africa_middle_east: bool) -> None:
    record.territories = len(board.territories)
    borders = board.borders_under(east_africa_middle_east=east_africa_middle_east)
    for low, high in borders:
        record.adjacent[low, high] = record.adjacent[high, low] = 1
    for start, end in board.one_way:
        record.adjacent[start, end] = 1
    neighbour = np.asarray(record.neighbour)  # the same memory
    neighbour[:] = NO_NEIGHBOUR
    for index, row in enumerate(np.asarray(record.adjacent)):
        borders_of = np.flatnonzero(row)
        record.degree[index] = len(borders_of)
        neighbour[index, : len(borders_of)] = borders_of
    record.most_borders = record.degree.max()


def _fill_continents(record: BoardTables, board: Board) -> None:
    record.continents = len(board.continents)
    for index, territory in enumerate(board.territories):
        record.continent[index] = territory.continent
    for index, continent in enumerate(board.continents):
        record.continent_first[index] = min(continent.territories)
        record.continent_last[index] = max(continent.territories)
        record.continent_size[index] = len(continent.territories)
        record.continent_bonus[index] = continent.bonus


def _fill_cards(record: BoardTables, board: Board, designs: list[Design], stars: list[int]) -> None:
    record.design[: len(designs)] = designs
    record.stars[: len(stars)] = stars
    record.cards = len(board.territories)


def _fill_wilds(record: BoardTables, board: Board, wilds: int) -> None:
    cards = len(board.territories) + wilds
    if wilds < 0 or cards > CARDS:
        message = f"{wilds} wild cards cannot be added to the deck of {board.name}."
        most = CARDS - len(board.territories)
        raise RubiconError("board/bad-wilds", message, f"Choose 0 to {most}.")
    record.design[len(board.territories) : cards] = Design.WILD
    record.cards = cards


def _designs(board: Board, custom: Mapping[str, str] | None, table: str) -> list[Design]:
    if custom is None:
        own = [territory.design(table) for territory in board.territories]
        known = [design for design in own if design is not None]
        if len(known) < len(own):
            raise _unknown_design_table(board, table)
        return known
    given = {board.index(name): _design(design) for name, design in custom.items()}
    _check_complete(board, given, "design")
    return [given[index] for index in range(len(board.territories))]


def _unknown_design_table(board: Board, table: str) -> RubiconError:
    known = sorted({name for territory in board.territories for name, _ in territory.designs})
    message = f"{board.name} has no card designs {quoted(table)}."
    return RubiconError("board/unknown-design-table", message, f"There is {one_of(known)}.")


def _design(given: str) -> Design:
    if given not in DESIGN_NAMES:
        message = f"{quoted(given)} is not the design of a territory card."
        raise RubiconError("board/unknown-design", message, f"Write {one_of(DESIGN_NAMES)}.")
    return Design[given.upper()]


def _stars(board: Board, custom: Mapping[str, int] | None) -> list[int]:
    if custom is None:
        return [territory.stars for territory in board.territories]
    given = {board.index(name): stars for name, stars in custom.items()}
    for name, stars in custom.items():
        if not 1 <= stars <= MOST_STARS:
            message = f"A card cannot have {stars} stars, as that of {quoted(name)} should."
            raise RubiconError("board/bad-stars", message, f"Give it 1 to {MOST_STARS}.")
    _check_complete(board, given, "stars")
    return [given[index] for index in range(len(board.territories))]


def _check_complete(board: Board, given: Mapping[int, object], what: str) -> None:
    missing = [t.name for index, t in enumerate(board.territories) if index not in given]
    if missing:
        message = f"The list of {what} does not name {', '.join(missing)}."
        raise RubiconError(f"board/missing-{what}", message, "Name every territory.")


def _fill_missions(record: BoardTables, board: Board, deck: tuple[str, ...]) -> None:
    record.mission_fallback_count = board.mission_fallback
    for index in _chosen(board, "mission", [mission.id for mission in board.missions], deck):
        record.mission_in_deck[index] = 1
    for index, mission in enumerate(board.missions):
        record.mission_kind[index] = mission.kind
        record.mission_third[index] = mission.third
        record.mission_count[index] = mission.count
        record.mission_minimum[index] = mission.minimum
        if mission.kind is MissionKind.CONTINENTS:
            record.mission_first[index], record.mission_second[index] = mission.continents
        if mission.kind is MissionKind.DESTROY:
            record.mission_colour[index] = COLOURS.index(mission.colour)


def _fill_objectives(
    record: BoardTables, board: Board, pool: tuple[str, ...], classes: Mapping[str, str]
) -> None:
    ids = [objective.id for objective in board.objectives]
    for index in _chosen(board, "objective", ids, pool):
        record.objective_in_pool[index] = 1
    for index, objective in enumerate(board.objectives):
        record.objective_kind[index] = objective.kind
        record.objective_major[index] = objective.major
        record.objective_count[index] = objective.count
        record.objective_continent[index] = max(0, objective.continent)
    for index in _chosen(board, "objective", ids, classes):
        record.objective_major[index] = _major(classes[ids[index]])


def _chosen(board: Board, what: str, ids: list[str], wanted: Iterable[str]) -> list[int]:
    unknown = [name for name in wanted if name not in ids]
    if unknown:
        message = f"{board.name} has no {what} {quoted(unknown[0])}."
        known = f"It has {', '.join(ids)}." if ids else f"It has no {what}s at all."
        raise RubiconError(f"board/unknown-{what}", message, known)
    return [ids.index(name) for name in wanted]


def _major(given: str) -> bool:
    if given not in ("minor", "major"):
        message = f"{quoted(given)} is not the class of an objective."
        raise RubiconError("board/unknown-class", message, "Write minor or major.")
    return given == "major"
