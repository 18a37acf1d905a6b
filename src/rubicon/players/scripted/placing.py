"""Where a scripted bot places its armies: for its plan, at its borders, or onto its stacks."""

import math

from rubicon.engine.records.action_codes import ActionKind, encode
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NEUTRAL, NONE, Phase, Position
from rubicon.engine.records.tables import BoardTables, MissionKind, Rules
from rubicon.players.memory import Memory
from rubicon.players.scripted.plans import best_plan
from rubicon.players.scripted.survey import NEVER


@compiled
def placement(view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory) -> int:
    """A capital in danger first; then what the best plan leaves over guards borders."""
    work = memory.work
    armies = view.unplaced[seat]
    thin = thin_territory(view, rules, board, seat)
    if thin != NONE:
        return encode(ActionKind.PLACE, thin, 0, 0, 1)
    place = view.capital[seat]
    if place != NONE and view.owner[place] == seat and work.closing == 0 and armies > 3:
        lacking = work.threat[place] + 1 - work.force[place]
        if lacking > 0:
            return encode(ActionKind.PLACE, place, 0, 0, min(lacking, armies // 2))
    planned = view.phase != Phase.CONTINENTS
    if planned and best_plan(view, rules, board, seat, memory, armies) > 0.0:
        memory.victim = work.best_victim + 1
        gate = weakest_gate(view, board, seat, memory)
        left = min(armies, int(work.best_left))
        if gate != NONE and left > 0:
            lacking = int(memory.traits.guard * work.threat[gate]) + 1 - work.force[gate]
            return encode(ActionKind.PLACE, gate, 0, 0, min(lacking, left))
        most = max(1, min(armies, math.ceil(work.best_placed)))
        return encode(ActionKind.PLACE, work.best_root, 0, 0, most)
    rate_places(view, board, seat, memory)
    return encode(ActionKind.PLACE, best_place(view, board, seat, memory), 0, 0, armies)


@compiled
def thin_territory(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """A territory that lacks armies for the seat's mission, once it has enough territories."""
    mission = view.mission[seat]
    if rules.missions_in_play == 0 or mission == NONE or view.mission_fallback[seat] != 0:
        return NONE
    if board.mission_kind[mission] != MissionKind.TERRITORIES:
        return NONE
    if view.territories[seat] < board.mission_count[mission]:
        return NONE
    for t in range(board.territories):
        if view.owner[t] == seat and view.armies[t] < board.mission_minimum[mission]:
            return t
    return NONE


@compiled
def weakest_gate(view: Position, board: BoardTables, seat: int, memory: Memory) -> int:
    """The border of an own continent that lacks most armies; NONE where none lacks any."""
    work = memory.work
    most, where = 0, NONE
    if work.closing != 0:
        return NONE
    for i in range(work.own_count):
        t = work.own_land[i]
        if work.holder[board.continent[t]] != seat:
            continue
        lacking = int(memory.traits.guard * work.threat[t]) + 1 - work.force[t]
        if work.threat[t] > 0 and lacking > most:
            most, where = lacking, t
    return where


@compiled
def rate_places(view: Position, board: BoardTables, seat: int, memory: Memory) -> None:
    """By own territory, what an army is worth there; negative away from all borders."""
    work = memory.work
    for i in range(work.own_count):
        t = work.own_land[i]
        work.worth[t] = worth_at(view, board, seat, memory, t)


@compiled
def worth_at(view: Position, board: BoardTables, seat: int, memory: Memory, t: int) -> float:
    """What an army is worth on an own territory; negative away from all borders."""
    work, traits = memory.work, memory.traits
    best, border = 0.0, 0.0
    for i in range(board.degree[t]):
        other = board.neighbour[t, i]
        if view.owner[other] == seat:
            continue
        border = max(border, 0.1 if view.owner[other] == NEUTRAL else 1.0)
        if work.cost[other] < NEVER:
            best = max(best, work.value[other] / work.cost[other])
    if border == 0.0:
        return -1.0
    worth = traits.stack * work.force[t] + traits.target * best
    if work.holder[board.continent[t]] == seat:
        worth += traits.gate * max(0, work.threat[t] + 1 - work.force[t])
    else:
        worth += work.part_worth[board.continent[t]]
    return (worth + 0.1) * border


@compiled
def best_place(view: Position, board: BoardTables, seat: int, memory: Memory) -> int:
    """The own territory where an army is worth most."""
    work = memory.work
    best, where = -2.0 * NEVER, NONE
    for i in range(work.own_count):
        t = work.own_land[i]
        if work.worth[t] > best:
            best, where = work.worth[t], t
    return where
