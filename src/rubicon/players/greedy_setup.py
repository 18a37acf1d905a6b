"""The greedy player before the first turn: claims, starting armies, capital and headquarters."""

import numpy as np

from rubicon.players.prospects import continent_pull, friends, pressure
from rubicon.rules.choices import Placing
from rubicon.rules.layout import compiled
from rubicon.rules.position import NEUTRAL, NONE, Phase, Position
from rubicon.rules.procedures.codes import Kind, encode
from rubicon.rules.procedures.placing import refuse_claim
from rubicon.rules.procedures.sampling import Generator, below
from rubicon.rules.tables import CONTINENTS, BoardTables, Rules

WHIM = 100  # thousandths of what a lone claim is worth


@compiled
def claim(view: Position, rules: Rules, board: BoardTables, seat: int, rng: Generator) -> int:
    """Claim where a continent is easy to hold and one's own are near; a little chance in it."""
    pull = np.zeros(CONTINENTS)
    continent_pull(view, rules, board, seat, pull)
    capital = rules.setup_capitals != 0 and view.capital[seat] == NONE
    best, where = -1.0, 0
    for t in range(board.territories):
        if refuse_claim(view, rules, board, t, capital) == 0:
            value = pull[board.continent[t]] + 0.3 * friends(view, board, seat, t)
            value += 0.002 * below(rng, WHIM)
            if value > best:
                best, where = value, t
    return encode(Kind.CAPITAL if capital else Kind.CLAIM, where, 0, 0, 0)


@compiled
def starting_post(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The own territory that most needs an army: a border of a promising continent."""
    pull = np.zeros(CONTINENTS)
    continent_pull(view, rules, board, seat, pull)
    best, where = -1.0, NONE
    for t in range(board.territories):
        if view.owner[t] != seat:
            continue
        around = pressure(view, board, seat, t)
        hope = pull[board.continent[t]]
        value = hope * hope * (around + 2.0 * int(around > 0)) / (view.armies[t] + 2)
        if value > best:
            best, where = value, t
    return where


@compiled
def neutral_post(view: Position, board: BoardTables, seat: int) -> int:
    """The neutral territory that is most in the opponent's way."""
    best, where = -1000, NONE
    for t in range(board.territories):
        if view.owner[t] != NEUTRAL:
            continue
        value = -3 * friends(view, board, seat, t)
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
            return encode(Kind.SEAL, seat, 0, 0, 0)
        where = starting_post(view, rules, board, seat)
        return encode(Kind.PLACE, where, 0, 0, (view.unplaced[seat] + 2) // 3)
    if rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL and view.own_left == 0:
        return encode(Kind.PLACE, neutral_post(view, board, seat), 0, 0, 1)
    return encode(Kind.PLACE, starting_post(view, rules, board, seat), 0, 0, 1)


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
    return encode(Kind.CAPITAL, where, 0, 0, 0)
