"""The two read-only records beside a position: the rules in force and the board as tables.

Both are made once for a ruleset (`Ruleset.rules`, `Ruleset.tables`) and never change.
"""

from enum import IntEnum
from typing import Annotated

import numpy as np

from rubicon.engine.records.layout import CellArray, Grid, RecordLayout, record_dtype
from rubicon.engine.records.position import CARDS, MISSIONS, OBJECTIVES, REWARDS, SEATS, TERRITORIES

NEIGHBOURS = 24  # the most borders one territory may have
CONTINENTS = 32
NO_NEIGHBOUR = 255  # behind the last border of a territory


class Design(IntEnum):
    INFANTRY = 0
    CAVALRY = 1
    ARTILLERY = 2
    WILD = 3


class MissionKind(IntEnum):
    CONTINENTS = 0  # two continents; a third of one's choice where `mission_third` is 1
    TERRITORIES = 1  # `mission_count` territories with `mission_minimum` armies each
    DESTROY = 2  # the colour `mission_colour`


class ObjectiveKind(IntEnum):
    CITIES = 0  # control `objective_count` cities
    CONTINENT = 1  # control `objective_continent`
    CITIES_IN_TURN = 2
    ENEMY_CAPITALS = 3
    CONTINENTS = 4  # control `objective_count` whole continents
    TERRITORIES_IN_TURN = 5
    CONTINENT_IN_TURN = 6
    TERRITORIES = 7


class RewardKind(IntEnum):
    AIRFIELD = 0
    ADDITIONAL_MANOEUVRE = 1
    STARTING_MANOEUVRE = 2
    GUARANTEED_CARD = 3
    ATTACK_DIE = 4
    DEFENCE_DIE = 5
    TWO_TROOPS = 6


class BoardTables(RecordLayout):
    """The board as the kernel reads it, with the cards and missions that the ruleset gives it.

    What serves as an index most often is unsigned: with a signed one, every compiled look-up asks
    first whether it counts from the end.
    """

    territories: Annotated[int, np.int16]
    continents: Annotated[int, np.int16]
    degree: Annotated[CellArray, np.uint16, (TERRITORIES,)]
    most_borders: Annotated[int, np.int16]  # the largest degree
    neighbour: Annotated[Grid, np.uint16, (TERRITORIES, NEIGHBOURS)]  # or NO_NEIGHBOUR
    adjacent: Annotated[Grid, np.int8, (TERRITORIES, TERRITORIES)]  # 0 or 1
    continent: Annotated[CellArray, np.uint8, (TERRITORIES,)]
    # the territories of a continent lie from its first to its last; others may lie between them
    continent_first: Annotated[CellArray, np.int16, (CONTINENTS,)]
    continent_last: Annotated[CellArray, np.int16, (CONTINENTS,)]
    continent_size: Annotated[CellArray, np.int16, (CONTINENTS,)]
    continent_bonus: Annotated[CellArray, np.int16, (CONTINENTS,)]
    cards: Annotated[int, np.int16]  # territory cards and wild cards
    design: Annotated[CellArray, np.int8, (CARDS,)]  # Design
    stars: Annotated[CellArray, np.int8, (CARDS,)]
    mission_in_deck: Annotated[CellArray, np.int8, (MISSIONS,)]  # 0 or 1
    mission_kind: Annotated[CellArray, np.int8, (MISSIONS,)]  # MissionKind
    mission_first: Annotated[CellArray, np.int8, (MISSIONS,)]  # continents
    mission_second: Annotated[CellArray, np.int8, (MISSIONS,)]
    mission_third: Annotated[CellArray, np.int8, (MISSIONS,)]
    mission_colour: Annotated[CellArray, np.int8, (MISSIONS,)]  # index into `board.COLOURS`
    mission_count: Annotated[CellArray, np.int16, (MISSIONS,)]
    mission_minimum: Annotated[CellArray, np.int16, (MISSIONS,)]
    mission_fallback_count: Annotated[int, np.int16]  # 24 on the world board
    objective_in_pool: Annotated[CellArray, np.int8, (OBJECTIVES,)]
    objective_kind: Annotated[CellArray, np.int8, (OBJECTIVES,)]  # ObjectiveKind
    objective_major: Annotated[CellArray, np.int8, (OBJECTIVES,)]  # 0 minor, 1 major
    objective_count: Annotated[CellArray, np.int16, (OBJECTIVES,)]
    objective_continent: Annotated[CellArray, np.int8, (OBJECTIVES,)]


class Rules(RecordLayout):
    """The options in force: option `a.b` is field `a_b`, a choice by its IntEnum value.

    A field is the one place where the engine defines an option; `rubicon.rules.options` declares
    everything else about it. A flag is 0 or 1.
    """

    # set-up
    players_min: Annotated[int, np.int16]
    players_max: Annotated[int, np.int16]
    setup_armies: Annotated[CellArray, np.int16, (SEATS + 1,)]  # by number of players
    setup_first_player: Annotated[int, np.int16]
    setup_claim: Annotated[int, np.int16]
    setup_place: Annotated[int, np.int16]
    setup_turn1: Annotated[int, np.int16]
    setup_cities: Annotated[int, np.int16]
    setup_capitals: Annotated[int, np.int16]
    setup_starting_cards: Annotated[CellArray, np.int16, (SEATS,)]  # by place in the order of play
    revised_capital_on_city: Annotated[int, np.int16]
    hq_reveal: Annotated[int, np.int16]
    hq_needed: Annotated[int, np.int16]
    # reinforcement
    reinforce_min: Annotated[int, np.int16]
    reinforce_min_scope: Annotated[int, np.int16]
    continent_timing: Annotated[int, np.int16]
    revised_rounding: Annotated[int, np.int16]
    army_cap: Annotated[int, np.int16]  # 0: none
    # cards
    cards_deck: Annotated[int, np.int16]
    cards_wilds: Annotated[int, np.int16]
    cards_two_wilds_ok: Annotated[int, np.int16]
    cards_values: Annotated[int, np.int16]
    cards_counter: Annotated[int, np.int16]
    cards_forced: Annotated[int, np.int16]
    cards_max_sets_per_start: Annotated[int, np.int16]  # 0: unlimited
    cards_territory_bonus: Annotated[int, np.int16]
    cards_territory_bonus_cap: Annotated[int, np.int16]
    cards_trigger: Annotated[int, np.int16]
    cards_draw_time: Annotated[int, np.int16]
    cards_empty: Annotated[int, np.int16]
    cards_visibility: Annotated[int, np.int16]
    elim_trade: Annotated[int, np.int16]
    stars_trades_per_draft: Annotated[int, np.int16]  # 0: unlimited
    # attack and occupation
    attack_dice_cap: Annotated[int, np.int16]
    attack_default: Annotated[int, np.int16]
    attack_truce: Annotated[int, np.int16]  # rounds without attacks on players; 0: none
    defend_dice_cap: Annotated[int, np.int16]
    defend_extra_die: Annotated[int, np.int16]
    defend_default: Annotated[int, np.int16]
    dice_announce: Annotated[int, np.int16]
    occupy_min: Annotated[int, np.int16]
    # fortification
    fortify_reach: Annotated[int, np.int16]
    fortify_count: Annotated[int, np.int16]
    # neutral armies and resignation
    rebels_setup: Annotated[int, np.int16]
    neutral_layout: Annotated[int, np.int16]
    neutral_armies: Annotated[int, np.int16]
    neutral_must_fall: Annotated[int, np.int16]
    neutral_dice: Annotated[int, np.int16]
    player_resign: Annotated[int, np.int16]
    # winning
    victory_goal: Annotated[int, np.int16]
    missions_in_play: Annotated[int, np.int16]  # derived: `missions.deck` is not none
    missions_killer: Annotated[int, np.int16]
    missions_check: Annotated[int, np.int16]
    missions_unused_colours: Annotated[int, np.int16]
    missions_own_colour: Annotated[int, np.int16]
    missions_reveal: Annotated[int, np.int16]
    game_round_limit: Annotated[int, np.int16]
    game_limit_winner: Annotated[int, np.int16]
    # objectives and rewards
    objectives_in_play: Annotated[int, np.int16]  # derived
    objectives_continent_turn: Annotated[int, np.int16]
    conquest_objectives: Annotated[int, np.int16]
    capital_dead_counts: Annotated[int, np.int16]
    revised_win: Annotated[int, np.int16]
    airfield_lost: Annotated[int, np.int16]
    bonus_die: Annotated[int, np.int16]
    reward_effective: Annotated[int, np.int16]
    guaranteed_max_one: Annotated[int, np.int16]
    reward_kind: Annotated[CellArray, np.int8, (REWARDS,)]  # of tokens 0 to 3 minor, 4 to 7 major


BOARD_TABLES = record_dtype(BoardTables)
RULES = record_dtype(Rules)
