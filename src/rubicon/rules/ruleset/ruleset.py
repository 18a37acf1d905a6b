"""A ruleset: chosen options on a board, and the records that the engine plays by.

>>> email = Ruleset.load("email")
>>> email.option_text("continent.timing")
'snapshot_end_of_own_turn'
>>> Ruleset.load("classic", {"cards.forced": "none"})
Ruleset.load('classic', {'cards.forced': 'none'})

`docs/options.md` lists the options, `docs/rulesets.md` says how to write a ruleset.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, final

import numpy as np
import numpy.typing as npt

from rubicon.engine.codes import Deck
from rubicon.engine.records import (
    BOARD_TABLES,
    CARDS,
    NO_NEIGHBOUR,
    RULES,
    BoardTables,
    Design,
    MissionKind,
    RewardKind,
    Rules,
)
from rubicon.errors import RubiconError, WrongType, is_path
from rubicon.rules.board.board import COLOURS, Board, board_name
from rubicon.rules.board.format import DESIGN_NAMES, MOST_STARS
from rubicon.rules.options.kinds import Value
from rubicon.rules.options.option import Chosen, Conflict, Use
from rubicon.rules.options.registry import OPTIONS, conflicts, with_implied
from rubicon.rules.ruleset.file import (
    DEFAULT_PRESET,
    PRESETS,
    RulesetError,
    RulesetFile,
    RulesetProblem,
    chain,
    is_file_name,
    option_problem,
    preset_options,
    read_options,
    resolved,
    unknown_option,
)
from rubicon.wording import one_of, quoted

# A board with the cards and missions of a ruleset, as arrays for the engine.


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


# The two records that the engine reads, from the options in force.

MINOR_REWARDS = (
    RewardKind.AIRFIELD,
    RewardKind.ADDITIONAL_MANOEUVRE,
    RewardKind.STARTING_MANOEUVRE,
    RewardKind.GUARANTEED_CARD,
)
MAJOR_REWARDS = (RewardKind.ATTACK_DIE, RewardKind.AIRFIELD, RewardKind.DEFENCE_DIE)
FOURTH_MAJOR = {"r08": RewardKind.TWO_TROOPS, "seed_only": RewardKind.AIRFIELD}


def _reward_kinds(chosen: Chosen) -> list[int]:
    return [*MINOR_REWARDS, *MAJOR_REWARDS, FOURTH_MAJOR[chosen.text("rewards.major_pool")]]


# Fields of `Rules` that are not the value of one option.
DERIVED: Mapping[str, Callable[[Chosen], Any]] = {
    "setup_cities": lambda chosen: chosen.cities,
    "missions_in_play": lambda chosen: chosen.has_missions,
    "objectives_in_play": lambda chosen: chosen.objectives_in_play,
    "reward_kind": _reward_kinds,
}
TABLES = {
    "setup.armies": 0,  # the number that the first cell stands for
    "setup.starting_cards": 1,
}


def rules_record(chosen: Chosen) -> Rules:
    """The record `Rules` of these options, read-only."""
    records = np.zeros(1, RULES)
    record = records[0]
    for option in OPTIONS.values():
        if option.name in TABLES:
            _fill(record[option.field], chosen.counts(option.name), TABLES[option.name])
        elif option.use is Use.RULES and option.field not in DERIVED:
            record[option.field] = engine_number(chosen, option.name)
    for name, value in DERIVED.items():
        record[name] = value(chosen)
    only: Rules = _read_only(records)
    return only


def _fill(cells: Any, counts: Mapping[int, int], first: int) -> None:
    for key, value in counts.items():
        cells[key - first] = value


def tables_record(chosen: Chosen) -> BoardTables:
    """The record `BoardTables` of the board under these options, read-only.

    Raises what `board_tables` raises for names that are not on the board.
    """
    custom_designs = chosen.has("cards.design_table", "custom")
    stars = {name: int(number) for name, number in chosen.words("stars.custom").items()}
    made = board_tables(
        chosen.board,
        east_africa_middle_east=chosen.has("map.east_africa_middle_east", "true"),
        deck=Deck(engine_number(chosen, "cards.deck")),
        wilds=engine_number(chosen, "cards.wilds"),
        designs=chosen.words("cards.custom_designs") if custom_designs else None,
        design_table=chosen.text("cards.design_table"),
        stars=stars if chosen.has("stars.table", "custom") else None,
        missions_deck=chosen.missions,
        objective_pool=chosen.objectives,
        objective_class=chosen.words("objectives.class_table"),
    )
    records = np.zeros(1, BOARD_TABLES)
    records[0] = made
    only: BoardTables = _read_only(records)
    return only


def engine_number(chosen: Chosen, name: str) -> int:
    """The engine's number for an option's value: of a choice, the place of the word."""
    return OPTIONS[name].kind.number(chosen.options[name])


def _read_only(records: npt.NDArray[Any]) -> Any:
    """The only record of an array, made read-only."""
    # A preset is made once and shared by all who load it, so no game may write into its record.
    records.flags.writeable = False
    return records[0]


DEFAULT_BOARD = "world"


class Origin(NamedTuple):
    """Where a ruleset comes from: the header of its file, and the preset that it extends."""

    name: str
    version: int
    title: str
    label: str
    description: str
    sources: tuple[str, ...]
    preset: str


@final
@dataclass(frozen=True, repr=False, eq=False)
class Ruleset:
    """The rules of a game, as one value.

    `options` has every option in Python form; `rules` and `tables` are the engine's records
    (`engine.records`), read-only. Rulesets with equal options on equal boards are equal,
    whatever their names. `Ruleset.load(preset, differences, board=board)` makes an equal one.
    """

    origin: Origin
    board: Board
    options: Mapping[str, Value]
    rules: Rules = field(init=False)  # np.record
    tables: BoardTables = field(init=False)  # np.record

    def __post_init__(self) -> None:
        chosen = Chosen(self.options, self.board)
        found = list(conflicts(chosen))
        if found:
            raise RulesetError(self.name, [_impossible(chosen, conflict) for conflict in found])
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        object.__setattr__(self, "rules", rules_record(chosen))
        object.__setattr__(self, "tables", tables_record(chosen))

    @staticmethod
    def load(
        preset: str | os.PathLike[str] = DEFAULT_PRESET,
        options: Mapping[str, object] | None = None,
        *,
        board: str | os.PathLike[str] | Board | None = None,
    ) -> "Ruleset":
        """A preset, or the ruleset in a file (`my.toml`), with other values for some options.

        Values may be in Python form or text; values that they imply come along (see
        `docs/options.md`). `board` is a board, its name or its file; without it the file's own.
        Raises RubiconError (`ruleset/unknown-preset`, `ruleset/cycle`, `ruleset/not-a-name`,
        `ruleset/not-options`, and errors of the board) and RulesetError with all problems at
        once: `ruleset/unknown-option`, `ruleset/bad-value`, `ruleset/impossible` and others.
        """
        if not is_path(preset):
            raise WrongType("ruleset/not-a-name", preset, "the name of a ruleset", _HOW_TO_LOAD)
        if not options and board is None and not is_file_name(preset):
            return _preset(str(preset))
        files = chain(preset)
        origin = _origin(files)
        stated = _read(origin.name, options or {})
        base = resolved(files) if is_file_name(preset) else preset_options(str(preset))
        chosen = with_implied(base, stated)
        own_boards = [file.board for file in files if file.board]
        wanted = board if board is not None else [DEFAULT_BOARD, *own_boards][-1]
        return Ruleset(origin, wanted if isinstance(wanted, Board) else Board.load(wanted), chosen)

    def with_options(self, options: Mapping[str, object]) -> "Ruleset":
        """This ruleset with other values for some options; raises the errors of `load`."""
        stated = _read(self.name, options)
        return Ruleset(self.origin, self.board, with_implied(self.options, stated))

    def called(self, name: str, version: int) -> "Ruleset":
        """This ruleset under another name and version; the two are equal."""
        origin = Origin(
            name=name,
            version=version,
            title=name,
            label="",
            description="",
            sources=(),
            preset=self.preset,
        )
        return Ruleset(origin, self.board, self.options)

    @property
    def own_name(self) -> tuple[str, int] | None:
        """Its name and version; None where they are those of its preset."""
        own = self.name, self.version
        return None if own == (self.preset, Ruleset.load(self.preset).version) else own

    @property
    def name(self) -> str:
        """The name of the preset, or of the file."""
        return self.origin.name

    @property
    def version(self) -> int:
        """A whole number that grows when the ruleset plays differently."""
        return self.origin.version

    @property
    def title(self) -> str:
        """The name for people."""
        return self.origin.title

    @property
    def label(self) -> str:
        """A word or two for a list of rulesets: the title where the file has no label."""
        return self.origin.label or self.title

    @property
    def description(self) -> str:
        """A sentence or two about the game."""
        return self.origin.description

    @property
    def sources(self) -> tuple[str, ...]:
        """The documents that the ruleset follows."""
        return self.origin.sources

    @property
    def preset(self) -> str:
        """The name of the preset that the ruleset is, or extends."""
        return self.origin.preset

    @property
    def differences(self) -> Mapping[str, str]:
        """The options that make this ruleset out of its preset, as text.

        Options that differ, and options that would be implied by these and are not.
        """
        return _differences(preset_options(self.preset), self.options)

    def option_text(self, name: str) -> str:
        """The text of an option's value; raises RubiconError, `ruleset/unknown-option`."""
        if name not in OPTIONS:
            raise RubiconError(*unknown_option(name))
        return OPTIONS[name].text(self.options[name])

    @property
    def chosen(self) -> Chosen:
        """The options with the board, as conditions and sentences read them."""
        return Chosen(self.options, self.board)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        return self.options == other.options and self.board == other.board

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.board.id, *(option.text(self.options[name]) for name, option in _ALL)))

    def __repr__(self) -> str:
        parts = [repr(self.preset)]
        if self.differences:
            parts.append(repr(dict(self.differences)))
        board = board_name(self.board)
        if board != DEFAULT_BOARD:
            parts.append(f"board={board!r}")
        return f"Ruleset.load({', '.join(parts)})"

    def __reduce__(self) -> tuple[Callable[..., "Ruleset"], tuple[Any, ...]]:
        texts = {name: option.text(self.options[name]) for name, option in _ALL}
        return _restored, (self.origin, self.board, texts)


_ALL = tuple(OPTIONS.items())
_HOW_TO_LOAD = 'Write Ruleset.load("classic"), or Ruleset.load("my.toml").'


def check_ruleset(given: object) -> None:
    """WrongType, `ruleset/not-one`, for all but a Ruleset."""
    if not isinstance(given, Ruleset):
        raise WrongType("ruleset/not-one", given, "a ruleset", _HOW_TO_LOAD)


def preset_names() -> tuple[str, ...]:
    """The names of the presets."""
    return PRESETS


def presets() -> Mapping[str, Ruleset]:
    """The presets by name, on the world board."""
    return MappingProxyType({name: _preset(name) for name in PRESETS})


def parse_override(text: str) -> tuple[str, str]:
    """Name and value of `cards.forced=none`; raises RubiconError, `ruleset/bad-override`."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        message = f"{quoted(text)} does not set an option."
        raise RubiconError("ruleset/bad-override", message, _how_to_set(text.strip()))
    return name.strip(), value.strip()


def _how_to_set(name: str) -> str:
    """How to write a value for this option."""
    if name not in OPTIONS:
        return "Write OPTION=VALUE, as in cards.forced=none."
    return f"Write {name}=VALUE; it can be {OPTIONS[name].kind.allowed()}."


@cache
def _preset(name: str) -> Ruleset:
    files = chain(name)
    return Ruleset(_origin(files), Board.load(DEFAULT_BOARD), preset_options(name))


def _origin(files: tuple[RulesetFile, ...]) -> Origin:
    """The header of the last file; the preset is the last that comes with Rubicon."""
    last = files[-1]
    preset = [file.name for file in files if file.bundled][-1]
    return Origin(
        name=last.name,
        version=last.version,
        title=last.title,
        label=last.label,
        description=last.description,
        sources=last.sources,
        preset=preset,
    )


def _read(source: str, options: Mapping[str, object]) -> dict[str, Value]:
    if not isinstance(options, Mapping):
        suggestion = 'Write {"cards.forced": "none"}.'
        raise WrongType("ruleset/not-options", options, "a dict of options", suggestion)
    stated, wrong = read_options(options)
    if wrong:
        raise RulesetError(source, wrong)
    return stated


def _impossible(chosen: Chosen, conflict: Conflict) -> RulesetProblem:
    message = f"{conflict.given(chosen)}: {conflict.explained(chosen)}"
    return RulesetProblem("ruleset/impossible", message)


def _differences(base: Mapping[str, Value], options: Mapping[str, Value]) -> Mapping[str, str]:
    stated = {name: value for name, value in options.items() if value != base[name]}
    while True:
        made = with_implied(base, stated)
        moved = {name: options[name] for name in OPTIONS if made[name] != options[name]}
        if not moved:
            in_order = [name for name in OPTIONS if name in stated]
            return MappingProxyType({n: OPTIONS[n].text(stated[n]) for n in in_order})
        stated.update(moved)


def _restored(origin: Origin, board: Board, texts: Mapping[str, str]) -> Ruleset:
    return Ruleset(origin, board, {name: OPTIONS[name].read(text) for name, text in texts.items()})


# Whether options can be combined: every problem with the options that it is about.


class OptionsProblem(NamedTuple):
    """One problem: its code, what is wrong, what to do (or ""), and the options involved."""

    code: str
    message: str
    suggestion: str
    options: tuple[str, ...]


class CheckedOptions(NamedTuple):
    """The result of a check: every option's value in Python form, and all problems.

    `ruleset` is None where there is a problem. Options that cannot be read keep the values that
    they have without being named.
    """

    options: Mapping[str, Value]
    problems: tuple[OptionsProblem, ...]
    ruleset: Ruleset | None


def check_options(preset: str, given: Mapping[str, object], board: Board) -> CheckedOptions:
    """A preset with other values for some options, on a board; impossible values are no error.

    Raises RubiconError, `ruleset/unknown-preset`.
    """
    found: list[OptionsProblem] = []
    stated: dict[str, Value] = {}
    for name, value in given.items():
        problem = option_problem(name, value)
        if problem is None:
            stated[name] = OPTIONS[name].read(value)
        else:
            found.append(OptionsProblem(*problem, (name,)))
    options = with_implied(preset_options(preset), stated)
    chosen = Chosen(options, board)
    for conflict in conflicts(chosen):
        message = f"{conflict.given(chosen)}: {conflict.explained(chosen)}"
        found.append(OptionsProblem("ruleset/impossible", message, "", conflict.options))
    if found:
        return CheckedOptions(options, tuple(found), None)
    try:
        return CheckedOptions(options, (), Ruleset.load(preset, given, board=board))
    except RubiconError as error:  # a name that the board does not have
        problem_of = OptionsProblem(error.code, error.message, error.suggestion, ())
        return CheckedOptions(options, (problem_of,), None)
