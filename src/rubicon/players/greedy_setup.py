"""The greedy player before the first turn: claims, starting armies, capital and headquarters."""

import numpy as np

from rubicon.engine.phases.placement import refuse_claim
from rubicon.engine.records.action_codes import ActionKind, encode
from rubicon.engine.records.choices import Placing
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NEUTRAL, NONE, Phase, Position
from rubicon.engine.records.tables import CONTINENTS, BoardTables, Rules
from rubicon.engine.sampling import Generator, below
from rubicon.players.evaluation import continent_value, own_neighbours, pressure

CLAIM_NOISE = 100  # the range of the random part of a claim's value, in units of 0.002


@compiled
def claim(view: Position, rules: Rules, board: BoardTables, seat: int, rng: Generator) -> int:
    """Claim where a continent is easy to hold and own territories are near, with a random part."""
    continents = np.zeros(CONTINENTS)
    continent_value(view, rules, board, seat, continents)
    capital = rules.setup_capitals != 0 and view.capital[seat] == NONE
    best, where = -1.0, 0
    for t in range(board.territories):
        if refuse_claim(view, rules, board, t, capital) == 0:
            value = continents[board.continent[t]] + 0.3 * own_neighbours(view, board, seat, t)
            value += 0.002 * below(rng, CLAIM_NOISE)
            if value > best:
                best, where = value, t
    return encode(ActionKind.CAPITAL if capital else ActionKind.CLAIM, where, 0, 0, 0)


@compiled
def starting_site(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The own territory that most needs an army: a border of a promising continent."""
    continents = np.zeros(CONTINENTS)
    continent_value(view, rules, board, seat, continents)
    best, where = -1.0, NONE
    for t in range(board.territories):
        if view.owner[t] != seat:
            continue
        around = pressure(view, board, seat, t)
        promise = continents[board.continent[t]]
        value = promise * promise * (around + 2.0 * int(around > 0)) / (view.armies[t] + 2)
        if value > best:
            best, where = value, t
    return where


@compiled
def neutral_site(view: Position, board: BoardTables, seat: int) -> int:
    """The neutral territory that is most in the opponent's way."""
    best, where = -1000, NONE
    for t in range(board.territories):
        if view.owner[t] != NEUTRAL:
            continue
        value = -3 * own_neighbours(view, board, seat, t)
        for i in range(board.degree[t]):
            if view.owner[board.neighbour[t, i]] not in (seat, NEUTRAL):
                value += 2
        if value > best:
            best, where = value, t
    return where


@compiled
def starting_armies(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Place the armies of the set-up, by halves where any number may be placed at once."""
    if view.phase == Phase.SEALED:
        if view.unplaced[seat] == 0:
            return encode(ActionKind.SEAL, seat, 0, 0, 0)
        where = starting_site(view, rules, board, seat)
        return encode(ActionKind.PLACE, where, 0, 0, (view.unplaced[seat] + 2) // 3)
    if rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL and view.own_left == 0:
        return encode(ActionKind.PLACE, neutral_site(view, board, seat), 0, 0, 1)
    return encode(ActionKind.PLACE, starting_site(view, rules, board, seat), 0, 0, 1)


@compiled
def headquarters(view: Position, board: BoardTables, seat: int) -> int:
    """The best defended territory, friends around it counted and foes against it."""
    best, where = -10000, NONE
    for t in range(board.territories):
        if view.owner[t] != seat:
            continue
        value = 3 * view.armies[t] - pressure(view, board, seat, t)
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if view.owner[other] == seat:
                value += view.armies[other]
        if value > best:
            best, where = value, t
    return encode(ActionKind.CAPITAL, where, 0, 0, 0)
