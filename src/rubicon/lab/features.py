"""How the features of an observation are computed, from what a seat may see and nothing else."""

import math
from typing import Annotated

import numpy as np

from rubicon.engine import records
from rubicon.engine.attack import in_truce
from rubicon.engine.cards import next_set_value, stars_value, trade_forced
from rubicon.engine.codes import AttackDiceCap, CardVisibility, DefendDiceCap, SetCounter, SetValues
from rubicon.engine.observe import observe
from rubicon.engine.ownership import broken_continents
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined
from rubicon.engine.turn import territory_award
from rubicon.engine.victory import seat_of_colour
from rubicon.lab.feature_names import (
    CONTINENT_FEATURES,
    GAME_FEATURES,
    SEAT_FEATURES,
    TERRITORY_FEATURES,
    ContinentFeature,
    Floats,
    GameFeature,
    SeatFeature,
    TerritoryFeature,
)
from rubicon.lab.stepping import FloatCells, Games, Whole
from rubicon.odds.battle import win_table
from rubicon.odds.rule import DiceRule
from rubicon.rules.ruleset.ruleset import Ruleset

# What features are computed with: exact odds, logarithms, sums over a position.

MOST = 64  # armies a side in the table of exact odds
LOGARITHMS = 256  # numbers of armies whose logarithm is in a table


class FeatureTables(records.RecordLayout):
    """What is computed once for a ruleset, and sums over the position that is looked at."""

    chances: Annotated[records.Grid, np.float32, (MOST + 1, MOST + 1)]  # to capture, by armies
    logarithms: Annotated[FloatCells, np.float32, (LOGARITHMS,)]
    armies: Annotated[FloatCells, np.float32, (records.SEATS + 1,)]  # seen on the board, by owner
    # territories by continent and owner + 1
    share: Annotated[records.Grid, np.int16, (records.CONTINENTS, records.SEATS + 2)]
    total: Annotated[float, np.float32]  # armies seen on the board


FEATURE_TABLES = records.record_dtype(FeatureTables)


@inlined
def logarithm(tables: FeatureTables, number: int) -> float:
    """ln(1 + number) / 5, and 0 for what is hidden."""
    if number < 0:
        return 0.0
    if number < LOGARITHMS:
        return tables.logarithms[number]
    return math.log(1.0 + number) / 5.0


@inlined
def chance(tables: FeatureTables, attackers: int, defenders: int) -> float:
    """The exact chance that so many armies capture a territory; more than the table are scaled."""
    attackers, defenders = int(attackers), int(defenders)
    larger = max(attackers, defenders)
    if larger > MOST:
        attackers = max(attackers * MOST // larger, min(attackers, 1))
        defenders = max(defenders * MOST // larger, min(defenders, 1))
    return tables.chances[max(attackers, 0), max(defenders, 0)]


@inlined
def relative(view: Position, seat: int, other: int) -> int:
    """The number of a seat counted from the one that looks."""
    return other - seat if other >= seat else other - seat + view.seats


@compiled
def sum_up(view: Position, board: BoardTables, tables: FeatureTables) -> None:
    """Add up what is seen of armies and continents."""
    for owner in range(records.SEATS + 1):
        tables.armies[owner] = 0.0
    for continent in range(board.continents):
        for owner in range(records.SEATS + 2):
            tables.share[continent, owner] = 0
    total = 0
    for t in range(board.territories):
        armies, owner = max(int(view.armies[t]), 0), int(view.owner[t])
        total += armies
        if owner >= 0:
            tables.armies[owner] += armies
        tables.share[board.continent[t], owner + 1] += 1
    tables.total = max(total, 1)


def feature_tables(ruleset: Ruleset) -> FeatureTables:
    """The tables for the features of a ruleset."""
    tables: FeatureTables = np.zeros(1, FEATURE_TABLES)[0]
    np.asarray(tables.chances)[:] = win_table(DiceRule(ruleset), MOST).chances
    np.asarray(tables.logarithms)[:] = np.log1p(np.arange(LOGARITHMS)) / 5
    return tables


MOST_ARMIES = 2**31 - 1


@compiled
def territory_features(
    view: Position, board: BoardTables, tables: FeatureTables, seat: int, row: Floats, start: int
) -> None:
    """The features of all territories."""
    for t in range(board.territories):
        at = start + t * TERRITORY_FEATURES
        owner, armies, continent = view.owner[t], view.armies[t], board.continent[t]
        if owner == records.NEUTRAL:
            row[at + TerritoryFeature.NEUTRAL] = 1.0
        elif owner < 0:
            row[at + TerritoryFeature.NOBODY] = 1.0
        else:
            row[at + relative(view, seat, int(owner))] = 1.0
        row[at + TerritoryFeature.ARMIES] = logarithm(tables, armies)
        row[at + TerritoryFeature.ARMIES_SHARE] = max(armies, 0) / tables.total
        row[at + TerritoryFeature.HIDDEN] = int(armies < 0)
        threat, reach, foreign, weakest = 0, 0, 0, MOST_ARMIES
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            holder = view.owner[other]
            if holder == owner or holder < 0:
                continue
            foreign += 1
            weakest = min(weakest, max(view.armies[other], 1))
            if holder != records.NEUTRAL:
                threat = max(threat, view.armies[other])
            if holder == seat:
                reach = max(reach, view.armies[other])
        row[at + TerritoryFeature.THREAT] = logarithm(tables, threat)
        row[at + TerritoryFeature.REACH] = logarithm(tables, reach)
        if armies > 0:
            row[at + TerritoryFeature.THREAT_CHANCE] = chance(tables, threat, armies)
            row[at + TerritoryFeature.REACH_CHANCE] = chance(tables, reach, armies)
            if foreign > 0 and owner != records.NEUTRAL:
                row[at + TerritoryFeature.ATTACK_CHANCE] = chance(tables, armies, weakest)
        row[at + TerritoryFeature.FOREIGN_NEIGHBOURS] = foreign / max(board.degree[t], 1)
        held = tables.share[continent, owner + 1] if owner >= 0 else 0
        row[at + TerritoryFeature.CONTINENT_SHARE] = held / board.continent_size[continent]
        row[at + TerritoryFeature.CONTINENT_BONUS] = board.continent_bonus[continent] / 10.0
        row[at + TerritoryFeature.CARD] = int(view.card[t] == seat)
        row[at + TerritoryFeature.CITY] = view.city[t]
        row[at + TerritoryFeature.CAPTURED] = view.captured[t]


@compiled
def mark(row: Floats, start: int, t: int, feature: int) -> None:
    """Set a feature of one territory, if there is such a territory."""
    if t >= 0:
        row[start + int(t) * TERRITORY_FEATURES + feature] = 1.0


@compiled
def landmark_features(view: Position, seat: int, row: Floats, start: int) -> None:
    """Capitals, airfields and the attack that is under way."""
    for other in range(view.seats):
        own = TerritoryFeature.CAPITAL if other == seat else TerritoryFeature.FOREIGN_CAPITAL
        mark(row, start, view.capital[other], own)
    for token in range(records.REWARDS):
        mark(row, start, view.airfield[token], TerritoryFeature.AIRFIELD)
    mark(row, start, view.attack_source, TerritoryFeature.ATTACK_SOURCE)
    mark(row, start, view.attack_target, TerritoryFeature.ATTACK_TARGET)


@compiled
def continent_features(
    view: Position, board: BoardTables, tables: FeatureTables, seat: int, row: Floats, start: int
) -> None:
    """The features of all continents, apart from what missions and objectives say."""
    for continent in range(board.continents):
        at = start + continent * CONTINENT_FEATURES
        size = board.continent_size[continent]
        for other in range(view.seats):
            held = tables.share[continent, other + 1] / size
            row[at + relative(view, seat, other)] = held
        neutral = tables.share[continent, records.NEUTRAL + 1] / size
        row[at + ContinentFeature.NEUTRAL_SHARE] = neutral
        row[at + ContinentFeature.BONUS] = board.continent_bonus[continent] / 10.0
        row[at + ContinentFeature.SIZE] = size / board.territories


@compiled
def seat_features(
    view: Position,
    rules: Rules,
    board: BoardTables,
    tables: FeatureTables,
    seat: int,
    row: Floats,
) -> None:
    """The features of all seats."""
    for other in range(view.seats):
        at = GAME_FEATURES + relative(view, seat, other) * SEAT_FEATURES
        playing = int(view.status[other] == records.Seat.PLAYING)
        row[at + SeatFeature.PRESENT] = 1.0
        row[at + SeatFeature.PLAYING] = playing
        row[at + SeatFeature.TURN] = int(view.turn == other) & int(view.first != records.NONE)
        row[at + SeatFeature.TERRITORIES] = view.territories[other] / board.territories
        row[at + SeatFeature.ARMIES] = logarithm(tables, int(tables.armies[other]))
        row[at + SeatFeature.ARMIES_SHARE] = tables.armies[other] / tables.total
        row[at + SeatFeature.CARDS] = view.hand[other] / 10.0
        row[at + SeatFeature.UNPLACED] = logarithm(tables, view.unplaced[other])
        broken, bonus = broken_continents(view, board, other), 0
        for continent in range(board.continents):
            if (broken >> continent) & 1 == 0:
                bonus += int(board.continent_bonus[continent])
        row[at + SeatFeature.CONTINENTS] = bonus / 10.0
        if playing != 0:
            row[at + SeatFeature.AWARD] = territory_award(view, rules, board, other) / 10.0
        row[at + SeatFeature.SETS] = view.sets_by_seat[other] / 5.0
        row[at + SeatFeature.SEALED] = view.sealed[other]
    if rules.objectives_in_play != 0:
        for objective in range(records.OBJECTIVES):
            count_owned(view, seat, view.objective[objective], SeatFeature.OBJECTIVES, row)
        for token in range(records.REWARDS):
            count_owned(view, seat, view.reward[token], SeatFeature.REWARDS, row)


@compiled
def count_owned(view: Position, seat: int, owner: int, feature: int, row: Floats) -> None:
    """Count a quarter for the seat that owns something."""
    if 0 <= owner < view.seats:
        row[GAME_FEATURES + relative(view, seat, int(owner)) * SEAT_FEATURES + feature] += 0.25


@compiled
def mission_features(
    view: Position, rules: Rules, board: BoardTables, seat: int, row: Floats, start: int
) -> None:
    """What the seat's own mission, and the objectives that lie face up, ask for."""
    if rules.objectives_in_play != 0:
        for objective in range(records.OBJECTIVES):
            of_continent = board.objective_kind[objective] == records.ObjectiveKind.CONTINENT
            if of_continent and view.objective[objective] == records.ObjectivePlace.FACE_UP:
                at = start + int(board.objective_continent[objective]) * CONTINENT_FEATURES
                row[at + ContinentFeature.OBJECTIVE] = 1.0
    mission = view.mission[seat]
    if rules.missions_in_play == 0 or mission == records.NONE:
        return
    kind = board.mission_kind[mission]
    if kind == records.MissionKind.TERRITORIES or view.mission_fallback[seat] != 0:
        row[GameFeature.MISSION_TERRITORIES] = 1.0
    elif kind == records.MissionKind.DESTROY:
        row[GameFeature.MISSION_DESTROY] = 1.0
        target = int(seat_of_colour(view, board.mission_colour[mission]))
        if 0 <= target < view.seats:
            at = GAME_FEATURES + relative(view, seat, target) * SEAT_FEATURES
            row[at + SeatFeature.MISSION_TARGET] = 1.0
    else:
        row[GameFeature.MISSION_CONTINENTS] = 1.0
        for continent in (board.mission_first[mission], board.mission_second[mission]):
            row[start + int(continent) * CONTINENT_FEATURES + ContinentFeature.MISSION] = 1.0


@compiled
def hand_features(view: Position, rules: Rules, board: BoardTables, seat: int, row: Floats) -> None:
    """The cards of the seat, and what a trade would bring."""
    stars, offered = 0, 0
    for card in range(board.cards):
        if view.card[card] == seat:
            row[GameFeature.HAND_INFANTRY + int(board.design[card])] += 0.2
            stars += int(board.stars[card])
        elif view.card[card] == records.CardPlace.OFFERED:
            offered += int(board.stars[card])
    row[GameFeature.HAND_STARS] = stars / 10.0
    row[GameFeature.PILE] = view.pile / max(board.cards, 1)
    if rules.cards_values == SetValues.STARS:
        row[GameFeature.NEXT_SET] = math.log(1.0 + max(stars_value(offered), 0)) / 5.0
    else:
        row[GameFeature.NEXT_SET] = math.log(1.0 + next_set_value(view, rules, seat)) / 5.0
    if view.turn == seat and view.phase in (records.Phase.REINFORCE, records.Phase.TRADE):
        row[GameFeature.TRADE_FORCED] = int(trade_forced(view, rules, board))


@compiled
def game_features(
    view: Position, rules: Rules, tables: FeatureTables, seat: int, row: Floats
) -> None:
    """The turn and the step that is under way."""
    row[GameFeature.PHASE + view.phase] = 1.0
    row[GameFeature.PLAYERS] = view.seats / 6.0
    playing = 0
    for other in range(view.seats):
        playing += int(view.status[other] == records.Seat.PLAYING)
    row[GameFeature.PLAYING] = playing / 6.0
    if view.first != records.NONE:
        row[GameFeature.PLACE] = relative(view, view.first, seat) / view.seats
    row[GameFeature.ROUND] = logarithm(tables, view.round_number)
    if rules.game_round_limit > 0:
        left = rules.game_round_limit - view.round_number
        row[GameFeature.ROUNDS_LEFT] = max(left, 0) / 20.0
    row[GameFeature.SETS] = logarithm(tables, view.sets)
    if view.phase == records.Phase.OCCUPY:
        row[GameFeature.OCCUPY_LOWEST] = logarithm(tables, view.occupy_minimum)
        most = view.armies[view.attack_source] - 1
        row[GameFeature.OCCUPY_HIGHEST] = logarithm(tables, most)
    row[GameFeature.ATTACK_DICE] = max(view.attack_dice, 0) / 3.0
    row[GameFeature.DEFENCE_DICE] = max(view.defence_dice, 0) / 3.0
    row[GameFeature.MOVES_LEFT] = min(max(view.moves_left, 0), 8) / 4.0
    row[GameFeature.CONQUERED] = view.conquered
    row[GameFeature.OWN_LEFT] = view.own_left / 2.0
    row[GameFeature.NEUTRAL_LEFT] = view.neutral_left / 2.0
    row[GameFeature.IN_TRUCE] = int(in_truce(view, rules))


@compiled
def ruleset_features(rules: Rules, tables: FeatureTables, row: Floats) -> None:
    """The options that change how to play most."""
    row[GameFeature.SET_VALUES + rules.cards_values] = 1.0
    row[GameFeature.OWN_COUNTER] = int(rules.cards_counter == SetCounter.PER_PLAYER)
    row[GameFeature.FORCED_TRADE + rules.cards_forced] = 1.0
    row[GameFeature.ELIMINATION_TRADE + rules.elim_trade] = 1.0
    row[GameFeature.CARDS_PUBLIC] = int(rules.cards_visibility == CardVisibility.PUBLIC)
    row[GameFeature.CARD_BONUS] = rules.cards_territory_bonus / 4.0
    row[GameFeature.GOAL + rules.victory_goal] = 1.0
    row[GameFeature.FORTIFY_REACH + rules.fortify_reach] = 1.0
    row[GameFeature.FORTIFY_COUNT] = min(rules.fortify_count, 8) / 4.0
    row[GameFeature.CONTINENT_TIMING + rules.continent_timing] = 1.0
    row[GameFeature.ARMY_CAP] = logarithm(tables, rules.army_cap)
    row[GameFeature.TWO_DICE_ALWAYS] = int(rules.defend_dice_cap == DefendDiceCap.TWO_ALWAYS)
    row[GameFeature.GUARDED_DICE] = int(rules.attack_dice_cap == AttackDiceCap.ARMIES_GUARDED)


@compiled
def features(
    view: Position,
    rules: Rules,
    board: BoardTables,
    tables: FeatureTables,
    seat: int,
    row: Floats,
) -> None:
    """Write the observation of a seat into `row`; `view` is what `observe` leaves it."""
    continents = GAME_FEATURES + records.SEATS * SEAT_FEATURES
    territories = continents + board.continents * CONTINENT_FEATURES
    row[:] = 0.0
    sum_up(view, board, tables)
    game_features(view, rules, tables, seat, row)
    ruleset_features(rules, tables, row)
    hand_features(view, rules, board, seat, row)
    seat_features(view, rules, board, tables, seat, row)
    continent_features(view, board, tables, seat, row, continents)
    territory_features(view, board, tables, seat, row, territories)
    landmark_features(view, seat, row, territories)
    mission_features(view, rules, board, seat, row, continents)


# Observations of many games: the features of what one seat of each may see.


@records.unlocked
def observe_games(
    games: Games,
    seats: Whole,
    rules: Rules,
    board: BoardTables,
    tables: FeatureTables,
    observations: Floats,
) -> None:
    """Write what a seat of each game sees into its row; zeros where the seat is none."""
    room = len(games) - 1
    for number in range(len(seats)):
        seat = seats[number]
        if seat < 0:
            observations[number, :] = 0.0
            continue
        games[room] = games[number]
        observe(games[number], rules, board, seat, games[room])
        features(games[room], rules, board, tables, seat, observations[number])
