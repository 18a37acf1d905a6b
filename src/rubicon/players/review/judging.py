"""The chance of every seat to win at any moment of a game, by the value model.

The model knows the beginnings of turns. Within a turn a position is judged by the beginning of the
next turn, as if the seat attacked no more: it places its armies, moves once and ends its turn. In
a battle it fights on to the end of that battle, where that is better than to stop.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.apply import apply, settle
from rubicon.engine.ownership import first_to_act
from rubicon.engine.phases.attack import most_attack_dice
from rubicon.engine.records.action_codes import DEFENCE_BITS, ActionKind, encode, kind_of
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import POSITION, SEATS, Chance, Phase, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import GENERATOR, POWERS, Generator
from rubicon.players.memory import MEMORY, Memory
from rubicon.players.planner.features import FEATURES
from rubicon.players.planner.proposers import PROPOSERS
from rubicon.players.planner.rollouts import forget
from rubicon.players.planner.value import win_chances
from rubicon.players.planner.weights import LEARNED
from rubicon.players.review.round_limit import heed_round_limit
from rubicon.players.scripted.battle_odds import armies_left, chance_of, defence_rolls
from rubicon.players.scripted.cards import sets_rise
from rubicon.players.scripted.turn import attack_from, traits_choice

Values = npt.NDArray[Any]
MOST_STEPS = 400  # decisions of one turn
MOST_RESULTS = 64  # of one roll: what both sides lose
FACES = 6
KILLS = 0.85  # defending armies that an attacking one costs, where the attack fails
SURE = 0.9995  # a chance from which a failure is not judged


@compiled
def model_chances(
    position: Position, rules: Rules, board: BoardTables, rows: Values, chances: Values
) -> None:
    """The chances by the model and the round limit; a game without a winner is shared."""
    if position.phase == Phase.OVER and (position.winner < 0 or position.winner >= position.seats):
        playing = 0.0
        for seat in range(position.seats):
            playing += int(position.status[seat] == Seat.PLAYING)
        for seat in range(SEATS):
            plays = seat < position.seats and position.status[seat] == Seat.PLAYING
            chances[seat] = int(plays) / max(1.0, playing)
        return
    win_chances(position, rules, board, LEARNED[0], rows, chances)
    heed_round_limit(position, rules, board, chances)


@compiled
def end_turn_quietly(
    position: Position, rules: Rules, board: BoardTables, memory: Memory, rng: Generator
) -> None:
    """Play until the next turn begins, a roll is pending, or the game is over; without attacks."""
    turn, round_number = position.turn, position.round_number
    for _ in range(MOST_STEPS):
        if position.phase == Phase.OVER or position.chance == Chance.BATTLE:
            return
        if position.turn != turn or position.round_number != round_number:
            return
        if position.chance != 0:
            settle(position, rules, board, 0)  # a card: the model counts them only
            continue
        acting = first_to_act(position)
        if position.phase == Phase.ATTACK:
            apply(position, rules, board, encode(ActionKind.END_ATTACK, 0, 0, 0, 0))
            continue
        action = traits_choice(position, rules, board, acting, memory, rng)
        if kind_of(action) == ActionKind.ATTACK:
            action = encode(ActionKind.END_ATTACK, 0, 0, 0, 0)
        apply(position, rules, board, action)


@compiled
def arrangements(code: int, dice: int) -> int:
    """How many orders of some dice are the same roll; 0 for all of these orders but one."""
    orders, last, same = 1, FACES, 0
    for number in range(1, dice + 1):
        face = code % FACES
        code //= FACES
        if face > last:
            return 0
        same = same + 1 if face == last else 1
        orders = orders * number // same
        last = face
    return orders


@compiled
def judge_quietly(
    games: Values,
    rules: Rules,
    board: BoardTables,
    memory: Memory,
    rng: Generator,
    rows: Values,
    chances: Values,
) -> None:
    """The chances in `games[0]`, with the turn ended quietly in `games[1]`; no roll is pending."""
    position = games[1]
    games[1] = games[0]
    forget(memory, PROPOSERS[int(sets_rise(rules)), 0])
    end_turn_quietly(position, rules, board, memory, rng)
    model_chances(position, rules, board, rows, chances)


@compiled
def judge_battle(
    games: Values,
    rules: Rules,
    board: BoardTables,
    source: int,
    target: int,
    memory: Memory,
    rng: Generator,
    rows: Values,
    chances: Values,
) -> None:
    """The chances in `games[0]`, where a battle is fought on if that is better than to stop.

    What is left of it on average stands for all its ends: one where it succeeds, one where it
    fails. `games[1]` and `games[3]` are room. Where no battle is under way, the turn ends quietly.
    """
    judge_quietly(games, rules, board, memory, rng, rows, chances)
    before = games[0]
    if source == target or before.phase != Phase.ATTACK or before.chance != 0:
        return
    seat = before.turn
    if before.owner[source] != seat or before.owner[target] == seat:
        return
    armies, defenders = before.armies[source] - 1, before.armies[target]
    if armies < 1 or most_attack_dice(before, rules, source) < 1:
        return
    table = defence_rolls(rules, before.owner[target])
    chance = chance_of(table, armies, defenders)
    if chance <= 1.0 - SURE:
        return
    left = int(0.5 + armies_left(table, armies, defenders) / chance)
    games[3] = games[0]
    ends = np.zeros((2, SEATS))
    before.armies[source] = 1 + max(1, left)
    before.armies[target] = 1
    capture(games, rules, board, source, target)
    judge_quietly(games, rules, board, memory, rng, rows, ends[0])
    if chance < SURE:
        games[0] = games[3]
        before.armies[source] = 1
        before.armies[target] = max(1, defenders - int(KILLS * armies))
        judge_quietly(games, rules, board, memory, rng, rows, ends[1])
    else:
        chance = 1.0
    if chance * ends[0, seat] + (1.0 - chance) * ends[1, seat] > chances[seat]:
        for other in range(SEATS):
            chances[other] = chance * ends[0, other] + (1.0 - chance) * ends[1, other]
    games[0] = games[3]


@compiled
def capture(games: Values, rules: Rules, board: BoardTables, source: int, target: int) -> None:
    """Capture a territory that one army defends in `games[0]`."""
    position = games[0]
    apply(position, rules, board, attack_from(position, rules, source, target))
    if position.phase == Phase.DEFEND and position.chance == 0:
        apply(position, rules, board, encode(ActionKind.DEFEND, 0, 0, 0, 1))
    if position.chance == Chance.BATTLE:
        best = POWERS[position.attack_dice + position.attack_extra] - 1
        settle(position, rules, board, best << DEFENCE_BITS)


@compiled
def judge_roll(
    games: Values,
    rules: Rules,
    board: BoardTables,
    memory: Memory,
    rng: Generator,
    rows: Values,
    chances: Values,
) -> None:
    """The mean chances over all results of the roll that is pending in `games[2]`.

    All other places of `games` are room. Results in which both sides lose the same are judged once.
    """
    before = games[2]
    found = np.zeros((MOST_RESULTS, 2), np.int64)  # armies left on both sides
    weights = np.zeros(MOST_RESULTS)
    codes = np.zeros(MOST_RESULTS, np.int64)
    count = 0
    attack, defence = before.attack_dice, before.defence_dice
    alike = before.attack_extra + before.defence_extra == 0  # bonus dice are told apart
    attacks = POWERS[attack + before.attack_extra]
    defences = POWERS[defence + before.defence_extra]
    source, target = before.attack_source, before.attack_target
    position = games[0]
    for one in range(attacks):
        weight = arrangements(one, attack) if alike else 1
        if weight == 0:
            continue
        for other in range(defences):
            ways = weight * (arrangements(other, defence) if alike else 1)
            if ways == 0:
                continue
            code = (one << DEFENCE_BITS) | other
            games[0] = games[2]
            settle(position, rules, board, code)
            place = 0
            while place < count and (
                found[place, 0] != position.armies[source]
                or found[place, 1] != position.armies[target]
            ):
                place += 1
            if place == MOST_RESULTS:
                place -= 1
            elif place == count:
                count += 1
                found[place, 0] = position.armies[source]
                found[place, 1] = position.armies[target]
                codes[place] = code
            weights[place] += ways
    total = 0.0
    judged = np.zeros(SEATS)
    for seat in range(SEATS):
        chances[seat] = 0.0
    for place in range(count):
        games[0] = games[2]
        settle(position, rules, board, codes[place])
        judge_battle(games, rules, board, source, target, memory, rng, rows, judged)
        total += weights[place]
        for seat in range(SEATS):
            chances[seat] += weights[place] * judged[seat]
    for seat in range(SEATS):
        chances[seat] /= max(1.0, total)


@compiled
def judge_moments(
    moments: Values, rules: Rules, board: BoardTables, battles: Values, chances: Values
) -> None:
    """Judge positions of a game, each alone; `chances` has a row of six for each.

    `battles` has for each the territory from which it is attacked and the one attacked, as source *
    256 + target; 0 without a battle; -1 where a turn begins, which the model judges as it is.
    """
    games = np.zeros(4, POSITION)
    memories = np.zeros(1, MEMORY)
    generators = np.zeros(1, GENERATOR)
    generators[0].first = 1
    rows = np.zeros((SEATS, FEATURES))
    for number in range(len(moments)):
        if battles[number] < 0 or moments[number].phase == Phase.OVER:
            model_chances(moments[number], rules, board, rows, chances[number])
            continue
        games[2] = moments[number]
        if games[2].chance == 0 and games[2].phase == Phase.DEFEND:
            forget(memories[0], PROPOSERS[int(sets_rise(rules)), 0])
            seat = first_to_act(games[2])
            action = traits_choice(games[2], rules, board, seat, memories[0], generators[0])
            apply(games[2], rules, board, action)
        here = memories[0], generators[0], rows, chances[number]
        if games[2].chance == Chance.BATTLE:
            judge_roll(games, rules, board, *here)
        else:
            games[0] = games[2]
            source, target = battles[number] // 256, battles[number] % 256
            judge_battle(games, rules, board, source, target, *here)
