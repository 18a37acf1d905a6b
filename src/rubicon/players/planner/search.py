"""The planner's decision: several characters' next actions, each played on to the next own
turn.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine import records
from rubicon.engine.apply import apply, settle
from rubicon.engine.chance import GENERATOR, Generator, below, next_bits, sample
from rubicon.engine.codes import ActionKind, CardVisibility, a_of, encode
from rubicon.engine.ownership import first_to_act
from rubicon.engine.placement import refuse_claim
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined
from rubicon.players.characters import Thinking, Traits
from rubicon.players.evaluation import own_neighbours
from rubicon.players.memory import MEMORY, Memory
from rubicon.players.planner.features import FEATURES
from rubicon.players.planner.value import Weights, win_chances
from rubicon.players.scripted.turn import attack_from, goes_on, places_neutral, traits_choice

# A position that a seat may well be in: its view, with what is hidden drawn at random.
#
# What is hidden is never read, not even as hidden: a view with anything in its place leads to the
# same position.


@compiled
def imagine(
    position: Position, rules: Rules, board: BoardTables, seat: int, rng: Generator
) -> None:
    """Fill in what is hidden from `seat` in a copy of its view; the rest stays as it is.

    Hands keep their sizes. Defenders are expected to roll most dice.
    """
    if rules.cards_visibility != CardVisibility.PUBLIC:
        deal_hidden_cards(position, board, seat, rng)
    for other in range(position.seats):
        if other != seat:
            position.standing_all[other] = records.Standing.MAXIMUM
    for t in range(board.territories):
        if position.owner[t] != seat and position.owner[t] != records.NEUTRAL:
            position.standing[t] = records.Standing.NONE
    if position.order_target >= 0 and position.owner[position.order_target] != seat:
        position.order_standing = records.Standing.NONE
    if rules.missions_in_play != 0:
        draw_hidden_missions(position, board, seat, rng)


@inlined
def is_hidden(place: int, seat: int) -> bool:
    """Whether a card lies where the seat does not see it."""
    return place < 0 or (place <= records.CardPlace.PILE and place != seat)


@compiled
def deal_hidden_cards(position: Position, board: BoardTables, seat: int, rng: Generator) -> None:
    """Deal the cards that may be in other hands or in the pile."""
    due = [0, 0, 0, 0, 0, 0]
    hidden, wanted = 0, 0
    for card in range(board.cards):
        hidden += int(is_hidden(position.card[card], seat))
    for other in range(position.seats):
        if other != seat and position.status[other] == records.Seat.PLAYING:
            due[other] = int(position.hand[other])
            wanted += due[other]
    # Card by card with what is left of both, so that every deal is equally likely.
    for card in range(board.cards):
        if not is_hidden(position.card[card], seat):
            continue
        number = below(rng, hidden)
        hidden -= 1
        position.card[card] = records.CardPlace.PILE
        if number >= wanted:
            continue
        wanted -= 1
        for other in range(position.seats):
            if number < due[other]:
                position.card[card] = other
                due[other] -= 1
                break
            number -= due[other]


@compiled
def draw_hidden_missions(position: Position, board: BoardTables, seat: int, rng: Generator) -> None:
    """Give every other seat one of the missions that no one else has."""
    for other in range(position.seats):
        if other != seat:
            position.mission[other] = records.NONE
            position.mission_fallback[other] = 0
    for other in range(position.seats):
        if other == seat or position.status[other] != records.Seat.PLAYING:
            continue
        start = below(rng, records.MISSIONS)
        for step in range(records.MISSIONS):
            mission = (start + step) % records.MISSIONS
            if board.mission_in_deck[mission] != 0 and not is_held(position, mission):
                position.mission[other] = mission
                break


@compiled
def is_held(position: Position, mission: int) -> bool:
    """Whether a seat has the mission."""
    held = 0
    for other in range(position.seats):
        held += int(position.mission[other] == mission)
    return held > 0


# Proposals played on: to the next own turn, with the same dice for all, in a race.
#
# Each is played on by the character that made it, and by usual opponents, until the seat would
# move again; the value model judges what is then on the board (Tesauro and Galperin 1997:
# rollouts; with a value at their end).

Values = npt.NDArray[Any]
MOST_STEPS = 4000  # decisions and rolls of one rollout


@compiled
def compare(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    minds: Values,
    actions: Values,
    rng: Generator,
    variants: Values,
    thinking: Thinking,
    weights: Weights,
) -> int:
    """The number of the proposal with the best mean outcome.

    All meet the same dice, hidden cards and opponents. A proposal that clearly trails the best one
    is dropped (a race: Maron and Moore 1994), until those left agree or the samples are used up.
    """
    games = np.zeros(2, records.POSITION)  # the position played on, and the one imagined
    memories = np.zeros(records.SEATS + 1, MEMORY)
    dice = np.zeros(2, GENERATOR)
    rows = np.zeros((records.SEATS, FEATURES))
    chances = np.zeros(records.SEATS)
    usual = np.zeros(records.SEATS, np.int64)
    count = len(actions)
    samples, rounds = thinking.samples, thinking.rounds
    if view.phase in (records.Phase.CLAIM, records.Phase.PLACE):
        samples, rounds = thinking.setup_samples, thinking.setup_rounds
    found = np.zeros((count, samples))
    kept = np.ones(count, np.int8)
    check_at = thinking.first_check
    spent, played = 0, 0
    while played < samples and spent < thinking.budget:
        dice[0].first = next_bits(rng)
        dice[0].second = next_bits(rng)
        games[1] = view
        imagine(games[1], rules, board, seat, dice[0])
        for other in range(records.SEATS):
            usual[other] = below(dice[0], thinking.pool)
        for number in range(count):
            if kept[number] == 0:
                continue
            games[0] = games[1]
            dice[1] = dice[0]
            for other in range(records.SEATS):
                forget(memories[other], variants[usual[other]])
            memories[records.SEATS] = minds[number]
            apply(games[0], rules, board, actions[number])
            play_on(games[0], rules, board, seat, memories, dice[1], rounds, variants[0])
            win_chances(games[0], rules, board, weights, rows, chances)
            found[number, played] = chances[seat]
            spent += 1
        played += 1
        if played == check_at:
            check_at *= 2
            if drop_those_behind(found, played, kept, actions, thinking.doubt):
                break
    return leader_of(found, played, kept)


@compiled
def leader_of(found: Values, played: int, kept: Values) -> int:
    """The proposal with the highest mean of those kept."""
    best, highest = 0, -1.0
    for number in range(len(kept)):
        if kept[number] != 0:
            total = 0.0
            for i in range(played):
                total += found[number, i]
            if total > highest:
                best, highest = number, total
    return best


@compiled
def drop_those_behind(
    found: Values, played: int, kept: Values, actions: Values, doubt: float
) -> bool:
    """Drop what trails the leader by enough standard errors; whether those left agree."""
    best = leader_of(found, played, kept)
    agreed = True
    for number in range(len(kept)):
        if kept[number] == 0 or number == best:
            continue
        mean, square = 0.0, 0.0
        for i in range(played):
            behind = found[best, i] - found[number, i]
            mean += behind / played
            square += behind * behind / played
        if mean * mean * played >= doubt * doubt * (square - mean * mean):
            kept[number] = 0
        else:
            agreed = agreed and actions[number] == actions[best]
    return agreed


@compiled
def forget(memory: Memory, traits: Traits) -> None:
    """A memory with these traits that knows nothing."""
    memory.traits = traits
    memory.planned = 0
    memory.victim = 0
    memory.stacked = 0
    memory.round_number = 0
    for other in range(records.SEATS):
        memory.taken[other] = 0


@compiled
def play_on(
    position: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memories: Values,
    dice: Generator,
    rounds: int,
    later: Traits,
) -> None:
    """Play until so many own turns have begun, the seat is out, or the game is over.

    With `rounds` of 0, play until the first turn of the game begins.

    `memories` has one for each opponent, and the seat's own after them; from its next turn on the
    seat plays with the traits `later`. The scripted characters read only what their seat may see,
    so they are shown the whole position.
    """
    away = False
    for _ in range(MOST_STEPS):
        if position.phase == records.Phase.OVER or position.status[seat] != records.Seat.PLAYING:
            return
        if position.chance != 0:
            settle(position, rules, board, int(sample(position, dice)))
            continue
        if rounds == 0 and position.phase == records.Phase.REINFORCE:
            return
        if position.turn != seat:
            away = True
        elif away and position.phase in (records.Phase.REINFORCE, records.Phase.TRADE):
            rounds -= 1
            if rounds <= 0:
                return
            away = False
            memories[records.SEATS].traits = later
        acting = first_to_act(position)
        mind = records.SEATS if acting == seat else acting
        action = traits_choice(position, rules, board, acting, memories[mind], dice)
        apply(position, rules, board, action)


# The claims and starting armies that the planner plays on in its mind.

MOST_TO_TRY = 1 + max(
    records.CONTINENTS, records.TERRITORIES
)  # the usual one, and one for each of these


@compiled
def claims_to_try(
    view: Position, rules: Rules, board: BoardTables, seat: int, usual: int, actions: Values
) -> int:
    """Fill `actions`, shape (MOST_TO_TRY,), and return how many there are.

    The usual claim, and for each continent the free territory with most own neighbours.
    """
    actions[0] = usual
    if rules.setup_capitals != 0 and view.capital[seat] == records.NONE:
        return 1
    count = 1
    for c in range(board.continents):
        most, where = -1, records.NONE
        for t in range(board.territories):
            if board.continent[t] != c or refuse_claim(view, rules, board, t, False) != 0:
                continue
            near = own_neighbours(view, board, seat, t)
            if near > most:
                most, where = near, t
        if where != records.NONE:
            action = encode(ActionKind.CLAIM, where, 0, 0, 0)
            if action != usual:
                actions[count] = action
                count += 1
    return count


@compiled
def stacks_to_try(
    view: Position, board: BoardTables, seat: int, usual: int, actions: Values
) -> int:
    """Fill `actions`, shape (MOST_TO_TRY,), and return how many there are.

    The usual place of a starting army, and each own territory next to another seat's.
    """
    actions[0] = usual
    count = 1
    for t in range(board.territories):
        if view.owner[t] == seat and is_beside_another(view, board, seat, t):
            actions[count] = encode(ActionKind.PLACE, t, 0, 0, 1)
            count += 1
    return count


@inlined
def is_beside_another(view: Position, board: BoardTables, seat: int, t: int) -> bool:
    """Whether a territory of a seat has a neighbour that another seat holds."""
    found = False
    for i in range(board.degree[t]):
        foe = view.owner[board.neighbour[t, i]]
        found = found or (foe != seat and foe != records.NEUTRAL)  # noqa: PLR1714  compiled code
    return found


# The planner's decision: several characters' next actions, each played on to the next own turn.
#
# The characters propose; where they agree, nothing is searched. Otherwise each proposal is played
# on, and the action with the best mean outcome is taken. In the set-up the board proposes: a
# claim in each continent, a stack on each border.


@compiled
def planner_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
    variants: Values,
    thinking: Thinking,
    weights: Weights,
) -> int:
    """The action of the planner.

    `variants` are the traits of the characters that propose, the usual one first.
    """
    phase = view.phase
    if phase == records.Phase.CLAIM or (
        phase == records.Phase.PLACE and not places_neutral(view, rules)
    ):
        return set_up(view, rules, board, seat, memory, rng, variants, thinking, weights)
    if phase == records.Phase.ATTACK and goes_on(view, rules, seat, memory):
        return attack_from(view, rules, memory.source, memory.target)
    searched = phase in (
        records.Phase.REINFORCE,
        records.Phase.TRADE,
        records.Phase.CONTINENTS,
        records.Phase.ATTACK,
        records.Phase.OCCUPY,
        records.Phase.FORTIFY,
    )
    if not searched or view.round_number < 1:
        memory.traits = variants[0]
        return traits_choice(view, rules, board, seat, memory, rng)
    minds = np.zeros(len(variants), MEMORY)
    actions = np.zeros(len(variants), np.int64)
    agreed = True
    for number in range(len(variants)):
        minds[number] = memory
        minds[number].traits = variants[number]
        actions[number] = traits_choice(view, rules, board, seat, minds[number], rng)
        agreed = agreed and actions[number] == actions[0]
    best = 0
    if not agreed:
        best = compare(view, rules, board, seat, minds, actions, rng, variants, thinking, weights)
    memory_of(memory, minds[best])
    return int(actions[best])


@compiled
def set_up(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
    variants: Values,
    thinking: Thinking,
    weights: Weights,
) -> int:
    """The claim or starting army after which the seat is best when its own first turn begins.

    A starting army counts as if the seat's next ones followed it: one more or less says little, a
    whole stack does. Each is searched for anew, so it need not become one.
    """
    memory.traits = variants[0]
    usual = traits_choice(view, rules, board, seat, memory, rng)
    found = np.zeros(MOST_TO_TRY, np.int64)
    if view.phase == records.Phase.CLAIM:
        count = claims_to_try(view, rules, board, seat, usual, found)
    else:
        count = stacks_to_try(view, board, seat, usual, found)
    if count == 1:
        return usual
    actions = found[:count]
    minds = np.zeros(count, MEMORY)
    for number in range(count):
        minds[number] = memory
        if number > 0 and view.phase == records.Phase.PLACE:
            minds[number].stacked = 1 + a_of(actions[number])
    best = compare(view, rules, board, seat, minds, actions, rng, variants, thinking, weights)
    return int(actions[best])


@compiled
def memory_of(memory: Memory, mind: Memory) -> None:
    """Take over what the proposal that was chosen remembers."""
    memory.traits = mind.traits
    memory.needed = mind.needed
    memory.wanted[:] = mind.wanted
    memory.owner[:] = mind.owner
    memory.taken[:] = mind.taken
    memory.source = mind.source
    memory.target = mind.target
    memory.planned = mind.planned
    memory.kept = mind.kept
    memory.victim = mind.victim
    memory.round_number = mind.round_number
    # Only the reason that a bot gives reads these two.
    memory.work.best_score = mind.work.best_score
    memory.work.best_chance = mind.work.best_chance
