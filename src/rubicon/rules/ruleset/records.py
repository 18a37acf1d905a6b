"""The two records that the engine reads, from the options in force."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.choices import Deck
from rubicon.engine.records.tables import BOARD_TABLES, RULES, BoardTables, RewardKind, Rules
from rubicon.rules.board.arrays import board_tables
from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.option import Use
from rubicon.rules.options.registry import OPTIONS

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
    for field, value in DERIVED.items():
        record[field] = value(chosen)
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
