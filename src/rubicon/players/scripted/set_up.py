"""The scripted bots before the first turn: claims and starting armies."""

import numpy as np

from rubicon.engine.phases.placement import refuse_claim
from rubicon.engine.records.action_codes import ActionKind, encode
from rubicon.engine.records.choices import Placing
from rubicon.engine.records.layout import compiled, inlined
from rubicon.engine.records.position import NONE, Phase, Position
from rubicon.engine.records.tables import CONTINENTS, BoardTables, Rules
from rubicon.engine.sampling import Generator, below
from rubicon.players.evaluation import continent_value, own_neighbours
from rubicon.players.greedy_setup import CLAIM_NOISE, neutral_site
from rubicon.players.memory import Memory
from rubicon.players.scripted.placing import best_place, rate_places
from rubicon.players.scripted.survey import survey


@compiled
def claim_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
) -> int:
    """Claim where a continent is easy to hold and own territories are near, with a random part."""
    continents = np.zeros(CONTINENTS)
    continent_value(view, rules, board, seat, continents)
    foreign = np.zeros(CONTINENTS)
    for t in range(board.territories):
        if view.owner[t] != NONE and view.owner[t] != seat:
            foreign[board.continent[t]] += 1.0 / board.continent_size[board.continent[t]]
    near = 0.25 + 1.5 * memory.traits.connection
    capital = rules.setup_capitals != 0 and view.capital[seat] == NONE
    best, where = -1.0, 0
    for t in range(board.territories):
        if refuse_claim(view, rules, board, t, capital) == 0:
            c = board.continent[t]
            value = continents[c] * (1.0 - 0.7 * foreign[c])
            value += near * own_neighbours(view, board, seat, t)
            value += 0.002 * below(rng, CLAIM_NOISE)
            if value > best:
                best, where = value, t
    return encode(ActionKind.CAPITAL if capital else ActionKind.CLAIM, where, 0, 0, 0)


@inlined
def places_neutral(view: Position, rules: Rules) -> bool:
    """Whether the next starting army is a neutral one."""
    return rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL and view.own_left == 0


@compiled
def starting_armies(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """Starting armies where an army is worth most; by thirds where any number may be placed."""
    if view.phase == Phase.SEALED and view.unplaced[seat] == 0:
        return encode(ActionKind.SEAL, seat, 0, 0, 0)
    if view.phase == Phase.PLACE:
        if places_neutral(view, rules):
            return encode(ActionKind.PLACE, neutral_site(view, board, seat), 0, 0, 1)
        if memory.stacked != 0:
            return encode(ActionKind.PLACE, memory.stacked - 1, 0, 0, 1)
    survey(view, rules, board, seat, memory)
    rate_places(view, board, seat, memory)
    where = best_place(view, board, seat, memory)
    armies = (view.unplaced[seat] + 2) // 3 if view.phase == Phase.SEALED else 1
    return encode(ActionKind.PLACE, where, 0, 0, armies)
