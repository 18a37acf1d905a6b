"""The chance of every seat to win at any moment of a game, by the value model."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine import records
from rubicon.engine.apply import apply, settle
from rubicon.engine.attack import most_attack_dice
from rubicon.engine.chance import GENERATOR, POWERS, Generator, next_bits
from rubicon.engine.codes import DEFENCE_BITS, ActionKind, LimitWinner, encode, kind_of
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.engine.victory import armies_of
from rubicon.players.characters import PROPOSERS
from rubicon.players.memory import MEMORY, Memory
from rubicon.players.planner.features import FEATURES, set_worth
from rubicon.players.planner.search import forget, imagine, play_on
from rubicon.players.planner.value import LEARNED, win_chances
from rubicon.players.scripted.battle_odds import armies_left, chance_of, defence_rolls
from rubicon.players.scripted.turn import attack_from, sets_rise, traits_choice

# What a limit of rounds changes in the chances of the value model, which knows of no limit.
#
# At the limit most territories win. So the nearer it is, the more a seat's territories
# count in addition to what the model says, and the more the turns that it still has:
#
#     chance ~ model ** trust * exp(weight * (share of the board + TURN * turns left))
#
# Both `trust` and `weight` follow from the full rounds that come after this one; the weight is
# less where a set of cards brings so many armies that one turn turns the board over. The numbers
# were fitted to who won 2,622 games with a limit of 6 to 30 rounds, between scripted bots:
# `classic`, `secret-mission`, `capital` and `revised`, three to six seats, with an earlier value
# model. `benchmarks/review.py --limit` measures what they bring.

Values = npt.NDArray[Any]
TERRITORIES = 33.0  # the weight of the whole board in the last round, in natural logarithms of odds
TURN = 0.073  # the share of the board that a turn is worth
NEARER = 0.35  # how fast the weight falls with each round to come
# How fast the weight falls with the next set's armies, in parts of a seat's mean armies.
SWINGS = 4.0
DOUBT = 0.57  # the part of the model's judgement that does not count in the last round
FADING = 0.039  # how fast the doubt falls with each round to come
LEAST = 1.0e-9  # chance: its logarithm must be finite


@compiled
def set_share(position: Position, rules: Rules, board: BoardTables) -> float:
    """The armies of the next set of cards, in parts of the mean armies of a seat that plays."""
    armies, playing = 0, 0
    for seat in range(position.seats):
        if position.status[seat] == records.Seat.PLAYING:
            armies += armies_of(position, board, seat)
            playing += 1
    return set_worth(position, rules, position.turn) * playing / max(1, armies)


@compiled
def heed_round_limit(position: Position, rules: Rules, board: BoardTables, chances: Values) -> None:
    """Change the model's chances at the beginning of a turn to those under the round limit.

    A game that is drawn at its limit is left to the model.
    """
    if rules.game_round_limit == 0 or rules.game_limit_winner != LimitWinner.TERRITORIES:
        return
    if position.phase == records.Phase.OVER:
        return
    rounds = max(0, rules.game_round_limit - position.round_number)
    weight = TERRITORIES / (1.0 + NEARER * rounds)
    weight /= 1.0 + SWINGS * set_share(position, rules, board)
    trust = 1.0 - DOUBT / (1.0 + FADING * rounds)
    at_turn = (position.turn - position.first) % position.seats
    highest = -1.0e9
    for seat in range(position.seats):
        if position.status[seat] == records.Seat.PLAYING:
            # Seats before the one at turn have had their turn of this round.
            comes = (seat - position.first) % position.seats >= at_turn
            held = position.territories[seat] / board.territories + TURN * int(comes)
            chances[seat] = trust * math.log(max(chances[seat], LEAST)) + weight * held
            highest = max(highest, chances[seat])
    total = 0.0
    for seat in range(position.seats):
        if position.status[seat] == records.Seat.PLAYING:
            chances[seat] = math.exp(chances[seat] - highest)
            total += chances[seat]
    for seat in range(records.SEATS):
        chances[seat] /= total


# The chance of every seat to win at any moment of a game, by the value model.
#
# The model knows the beginnings of turns. Within a turn a position is judged by the beginning of
# the next turn, as if the seat attacked no more: it places its armies, moves once and ends its
# turn. In a battle it fights on to the end of that battle, where that is better than to stop.

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
    if position.phase == records.Phase.OVER and (
        position.winner < 0 or position.winner >= position.seats
    ):
        playing = 0.0
        for seat in range(position.seats):
            playing += int(position.status[seat] == records.Seat.PLAYING)
        for seat in range(records.SEATS):
            plays = seat < position.seats and position.status[seat] == records.Seat.PLAYING
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
        if position.phase == records.Phase.OVER or position.chance == records.Chance.BATTLE:
            return
        if position.turn != turn or position.round_number != round_number:
            return
        if position.chance != 0:
            settle(position, rules, board, 0)  # a card: the model counts them only
            continue
        acting = first_to_act(position)
        if position.phase == records.Phase.ATTACK:
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
    if source == target or before.phase != records.Phase.ATTACK or before.chance != 0:
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
    ends = np.zeros((2, records.SEATS))
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
        for other in range(records.SEATS):
            chances[other] = chance * ends[0, other] + (1.0 - chance) * ends[1, other]
    games[0] = games[3]


@compiled
def capture(games: Values, rules: Rules, board: BoardTables, source: int, target: int) -> None:
    """Capture a territory that one army defends in `games[0]`."""
    position = games[0]
    apply(position, rules, board, attack_from(position, rules, source, target))
    if position.phase == records.Phase.DEFEND and position.chance == 0:
        apply(position, rules, board, encode(ActionKind.DEFEND, 0, 0, 0, 1))
    if position.chance == records.Chance.BATTLE:
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
    judged = np.zeros(records.SEATS)
    for seat in range(records.SEATS):
        chances[seat] = 0.0
    for place in range(count):
        games[0] = games[2]
        settle(position, rules, board, codes[place])
        judge_battle(games, rules, board, source, target, memory, rng, rows, judged)
        total += weights[place]
        for seat in range(records.SEATS):
            chances[seat] += weights[place] * judged[seat]
    for seat in range(records.SEATS):
        chances[seat] /= max(1.0, total)


@compiled
def judge_moments(
    moments: Values, rules: Rules, board: BoardTables, battles: Values, chances: Values
) -> None:
    """Judge positions of a game, each alone; `chances` has a row of six for each.

    `battles` has for each the territory from which it is attacked and the one attacked, as source *
    256 + target; 0 without a battle; -1 where a turn begins, which the model judges as it is.
    """
    games = np.zeros(4, records.POSITION)
    memories = np.zeros(1, MEMORY)
    generators = np.zeros(1, GENERATOR)
    generators[0].first = 1
    rows = np.zeros((records.SEATS, FEATURES))
    for number in range(len(moments)):
        if battles[number] < 0 or moments[number].phase == records.Phase.OVER:
            model_chances(moments[number], rules, board, rows, chances[number])
            continue
        games[2] = moments[number]
        if games[2].chance == 0 and games[2].phase == records.Phase.DEFEND:
            forget(memories[0], PROPOSERS[int(sets_rise(rules)), 0])
            seat = first_to_act(games[2])
            action = traits_choice(games[2], rules, board, seat, memories[0], generators[0])
            apply(games[2], rules, board, action)
        here = memories[0], generators[0], rows, chances[number]
        if games[2].chance == records.Chance.BATTLE:
            judge_roll(games, rules, board, *here)
        else:
            games[0] = games[2]
            source, target = battles[number] // 256, battles[number] % 256
            judge_battle(games, rules, board, source, target, *here)


# What the planner would have done, and what comes of other actions: the same dice for all.


@compiled
def propose(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    rng: Generator,
    proposers: Values,
    minds: Values,
    actions: Values,
) -> None:
    """What each of the proposers would do next, and what it has in mind then."""
    for number in range(len(proposers)):
        forget(minds[number], proposers[number])
        actions[number] = traits_choice(view, rules, board, seat, minds[number], rng)


@compiled
def play_alternatives(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    rng: Generator,
    proposers: Values,
    minds: Values,
    actions: Values,
    found: Values,
) -> None:
    """Play each action on until the seat's next turn begins; `found[action, sample]`: its chance.

    Every sample has its own dice and its own hidden cards, the same for all actions. The mind that
    belongs to an action goes on with the turn; opponents are usual ones.
    """
    games = np.zeros(2, records.POSITION)  # the position played on, and the one imagined
    memories = np.zeros(records.SEATS + 1, MEMORY)
    dice = np.zeros(2, GENERATOR)
    rows = np.zeros((records.SEATS, FEATURES))
    chances = np.zeros(records.SEATS)
    for played in range(found.shape[1]):
        dice[0].first = next_bits(rng)
        dice[0].second = next_bits(rng)
        games[1] = view
        imagine(games[1], rules, board, seat, dice[0])
        for number in range(len(actions)):
            games[0] = games[1]
            dice[1] = dice[0]
            for other in range(records.SEATS):
                forget(memories[other], proposers[0])
            memories[records.SEATS] = minds[number]
            apply(games[0], rules, board, actions[number])
            play_on(games[0], rules, board, seat, memories, dice[1], 1, proposers[0])
            model_chances(games[0], rules, board, rows, chances)
            found[number, played] = chances[seat]
