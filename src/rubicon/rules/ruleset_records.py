"""The two records that the kernel reads, from the options in force."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rubicon.rules.board_tables import board_tables
from rubicon.rules.choices import Deck
from rubicon.rules.impossible import Chosen
from rubicon.rules.option import Use
from rubicon.rules.options import OPTIONS
from rubicon.rules.tables import BOARD_TABLES, RULES, RewardKind

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


# Fields of `Rules` that are no option’s value.
DERIVED: Mapping[str, Callable[[Chosen], Any]] = {
    "setup_cities": lambda chosen: chosen.cities,
    "missions_in_play": lambda chosen: not chosen.has("missions.deck", "none"),
    "objectives_in_play": lambda chosen: chosen.objectives_in_play,
    "reward_kind": _reward_kinds,
}
TABLES = {
    "setup.armies": 0,  # the number that the first cell stands for
    "setup.starting_cards": 1,
}


def rules_record(chosen: Chosen) -> np.record:
    """The record `Rules` of these options, read-only."""
    records = np.zeros(1, RULES)
    record = records[0]
    for option in OPTIONS.values():
        if option.name in TABLES:
            _fill(record[option.field], chosen.counts(option.name), TABLES[option.name])
        elif option.use is Use.RULES and option.field not in DERIVED:
            record[option.field] = chosen.number(option.name)
    for field, value in DERIVED.items():
        record[field] = value(chosen)
    return _read_only(records)


def _fill(cells: Any, counts: Mapping[int, int], first: int) -> None:
    for key, value in counts.items():
        cells[key - first] = value


def tables_record(chosen: Chosen) -> np.record:
    """The record `BoardTables` of the board under these options, read-only.

    Raises what `board_tables` raises for names that the board does not know.
    """
    custom_designs = chosen.has("cards.design_table", "custom")
    stars = {name: int(number) for name, number in chosen.words("stars.custom").items()}
    made = board_tables(
        chosen.board,
        east_africa_middle_east=chosen.has("map.east_africa_middle_east", "true"),
        deck=Deck(chosen.number("cards.deck")),
        wilds=chosen.number("cards.wilds"),
        designs=chosen.words("cards.custom_designs") if custom_designs else None,
        design_table=chosen.text("cards.design_table"),
        stars=stars if chosen.has("stars.table", "custom") else None,
        missions_deck=chosen.missions,
        objective_pool=chosen.objectives,
        objective_class=chosen.words("objectives.class_table"),
    )
    records = np.zeros(1, BOARD_TABLES)
    records[0] = made
    return _read_only(records)


def _read_only(records: Any) -> np.record:
    """Presets are shared by everybody who loads them."""
    records.flags.writeable = False
    only: np.record = records[0]
    return only
