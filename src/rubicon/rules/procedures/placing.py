"""Claims, starting armies, headquarters, and the first turn (rulebook 3.1)."""

from rubicon.rules.choices import (
    ContinentTiming,
    FirstPlayer,
    Goal,
    HqReveal,
    Placing,
    TurnOne,
)
from rubicon.rules.layout import compiled
from rubicon.rules.position import (
    NEUTRAL,
    NONE,
    SEATS,
    CardPlace,
    Chance,
    Phase,
    Position,
    Seat,
)
from rubicon.rules.procedures.cards import draw, owe_card
from rubicon.rules.procedures.holdings import (
    add_armies,
    change_owner,
    continent_award,
    left_of,
    next_playing,
    owe,
    owe_nothing,
)
from rubicon.rules.procedures.reinforce import begin_turn
from rubicon.rules.procedures.victory import mission_test
from rubicon.rules.refusals import Refusal
from rubicon.rules.tables import BoardTables, Rules

TURN_ONE_ROLL = -1  # `dealt` while the roll for turn 1 is owed


@compiled
def unowned(game: Position, board: BoardTables) -> int:
    held = 0
    for owner in range(SEATS + 1):
        held += game.territories[owner]
    return board.territories - held


@compiled
def nth_unowned(game: Position, board: BoardTables, number: int) -> int:
    for t in range(board.territories):
        if game.owner[t] == NONE:
            if number == 0:
                return t
            number -= 1
    return NONE


@compiled
def owe_first_player(game: Position, rules: Rules) -> None:
    """A die a seat, or a pick among the seats (A-04)."""
    game.phase = Phase.FIRST_PLAYER
    if rules.setup_first_player == FirstPlayer.DIE_ROLL:
        for seat in range(game.seats):
            game.chance_seats[seat] = int(game.status[seat] == Seat.PLAYING)
        owe(game, Chance.DICE, 0)
    else:
        owe(game, Chance.FIRST_SEAT, game.seats)


@compiled
def refuse_claim(game: Position, rules: Rules, board: BoardTables, t: int, capital: bool) -> int:
    """Whether the acting seat may put an army, and its capital, on an empty territory."""
    if game.phase != Phase.CLAIM:
        return Refusal.WRONG_PHASE
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    if game.owner[t] != NONE:
        return Refusal.CLAIM_TAKEN
    founded = rules.setup_capitals == 0 or game.capital[game.turn] != NONE
    if capital and founded:
        return Refusal.CAPITAL_ALREADY if rules.setup_capitals != 0 else Refusal.WRONG_PHASE
    if not capital and not founded:
        return Refusal.CAPITAL_FIRST
    if capital and rules.revised_capital_on_city == 0 and game.city[t] != 0:
        return Refusal.CAPITAL_ON_CITY
    return Refusal.LEGAL


@compiled
def claim(game: Position, rules: Rules, board: BoardTables, t: int) -> None:
    seat = game.turn
    change_owner(game, t, seat)
    game.armies[t] = 1
    game.unplaced[seat] -= 1
    go_on_claiming(game, rules, board, seat)


@compiled
def next_with_armies(game: Position, seat: int) -> int:
    """The next seat to the left that has starting armies left (A-82); NONE if nobody has."""
    candidate = seat
    for _ in range(game.seats):
        candidate = left_of(game, candidate)
        if game.status[candidate] == Seat.PLAYING and game.unplaced[candidate] > 0:
            return candidate
    return NONE


@compiled
def go_on_claiming(game: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """The next claim, or the first placement when all is claimed (A-82)."""
    if unowned(game, board) == 0:
        begin_placing(game, rules, board, seat)
        return
    following = next_with_armies(game, seat)
    if following != NONE:
        game.turn = following
        return
    for t in range(board.territories):  # only where seats resigned while claiming
        if game.owner[t] == NONE:
            change_owner(game, t, NEUTRAL)
            game.armies[t] = 1
    begin_placing(game, rules, board, seat)


@compiled
def begin_placing(game: Position, rules: Rules, board: BoardTables, after: int) -> None:
    """The remaining starting armies: sealed and at once, or seat after seat (A-09)."""
    if rules.setup_place == Placing.ALL_AT_ONCE:
        game.phase = Phase.SEALED
        game.turn = game.first
        for seat in range(game.seats):
            game.sealed[seat] = int(game.unplaced[seat] == 0)
        go_on_sealing(game, rules, board)
    else:
        game.phase = Phase.PLACE
        go_on_placing(game, rules, board, after)


@compiled
def go_on_placing(game: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    following = next_with_armies(game, seat)
    if following == NONE:
        finish_placing(game, rules, board)
        return
    game.turn = following
    if rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL:
        game.own_left = min(2, game.unplaced[following])
        game.neutral_left = min(1, game.neutral_unplaced)


@compiled
def refuse_first_placement(
    game: Position, rules: Rules, board: BoardTables, t: int, armies: int
) -> int:
    """Whether the acting seat may put starting armies there (A-09)."""
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    if armies < 1:
        return Refusal.ZERO
    if rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL:
        return refuse_two_and_one(game, t, armies)
    if game.owner[t] != game.turn:
        return Refusal.NOT_YOUR_TERRITORY
    return Refusal.PLACE_ONE if armies > 1 else Refusal.LEGAL


@compiled
def refuse_two_and_one(game: Position, t: int, armies: int) -> int:
    """Two own armies first, then one neutral army (N40, A-09)."""
    if game.owner[t] == NEUTRAL:
        if game.own_left > 0:
            return Refusal.PLACE_OWN_FIRST
        return Refusal.PLACE_ONE if armies > game.neutral_left else Refusal.LEGAL
    if game.owner[t] != game.turn:
        return Refusal.NOT_YOUR_TERRITORY
    if game.own_left == 0:
        return Refusal.PLACE_NEUTRAL
    return Refusal.PLACE_TOO_MANY if armies > game.own_left else Refusal.LEGAL


@compiled
def place_first(game: Position, rules: Rules, board: BoardTables, t: int, armies: int) -> None:
    """Put starting armies down; when the move is complete the next seat places."""
    add_armies(game, rules, t, armies)
    if game.owner[t] == NEUTRAL:
        game.neutral_unplaced -= armies
        game.neutral_left -= armies
    else:
        game.unplaced[game.turn] -= armies
        if game.own_left > 0:
            game.own_left -= armies
    if game.own_left == 0 and game.neutral_left == 0:
        go_on_placing(game, rules, board, game.turn)


@compiled
def refuse_seal(game: Position, seat: int) -> int:
    if game.phase != Phase.SEALED:
        return Refusal.WRONG_PHASE
    if seat >= game.seats or game.status[seat] != Seat.PLAYING:
        return Refusal.NOT_PLAYING
    if game.sealed[seat] != 0:
        return Refusal.SEALED_ALREADY
    return Refusal.ARMIES_LEFT if game.unplaced[seat] > 0 else Refusal.LEGAL


@compiled
def go_on_sealing(game: Position, rules: Rules, board: BoardTables) -> None:
    """When the last placement is in, all are revealed together (A-07)."""
    for seat in range(game.seats):
        if game.status[seat] == Seat.PLAYING and game.sealed[seat] == 0:
            return
    for seat in range(game.seats):
        game.sealed[seat] = 0
    finish_placing(game, rules, board)


@compiled
def finish_placing(game: Position, rules: Rules, board: BoardTables) -> None:
    """All armies stand: headquarters are chosen, or the first cards dealt."""
    game.neutral_unplaced = 0
    if rules.victory_goal == Goal.HEADQUARTERS:
        game.phase = Phase.HEADQUARTERS
        game.turn = (game.first - 1) % game.seats
        go_on_choosing(game, rules, board)
    else:
        finish_setup(game, rules, board)


@compiled
def refuse_headquarters(game: Position, board: BoardTables, t: int) -> int:
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    return Refusal.LEGAL if game.owner[t] == game.turn else Refusal.NOT_YOUR_TERRITORY


@compiled
def go_on_choosing(game: Position, rules: Rules, board: BoardTables) -> None:
    """The next seat chooses its headquarters; after the last all are shown (A-66)."""
    for step in range(1, game.seats + 1):
        seat = (game.turn + step) % game.seats
        if game.status[seat] == Seat.PLAYING and game.capital[seat] == NONE:
            game.turn = seat
            return
    for seat in range(game.seats):
        remove_headquarters_card(game, seat)
    finish_setup(game, rules, board)


@compiled
def remove_headquarters_card(game: Position, seat: int) -> None:
    """The card of a headquarters leaves the deck and is no hand card (A-86)."""
    t = game.capital[seat]
    if t != NONE and game.card[t] == CardPlace.PILE:
        game.card[t] = CardPlace.REMOVED
        game.pile -= 1


@compiled
def choose_headquarters(game: Position, rules: Rules, board: BoardTables, t: int) -> None:
    game.capital[game.turn] = t
    if rules.hq_reveal == HqReveal.OPEN:
        remove_headquarters_card(game, game.turn)
    go_on_choosing(game, rules, board)


@compiled
def starting_card_seat(game: Position, rules: Rules) -> int:
    """Who receives the next starting card, by place in the order of play (S001-28, S001-29)."""
    before = 0
    for place in range(game.seats):
        before += rules.setup_starting_cards[place]
        if game.dealt < before:
            return (game.first + place) % game.seats
    return NONE


@compiled
def finish_setup(game: Position, rules: Rules, board: BoardTables) -> None:
    """The last cards and the roll for turn 1 where it is due; then the game begins (S002-07)."""
    while True:
        seat = starting_card_seat(game, rules)
        if seat == NONE:
            break
        if game.status[seat] == Seat.PLAYING:
            game.phase = Phase.DEAL
            if owe_card(game, rules, board, Chance.STARTING_CARD):
                return
        game.dealt += 1
    game.dealt = 0
    if rules.setup_turn1 == TurnOne.NEW_ROLL:
        game.dealt = TURN_ONE_ROLL
        owe_first_player(game, rules)
    else:
        begin_first_turn(game, rules, board)


@compiled
def settle_starting_card(game: Position, rules: Rules, board: BoardTables, number: int) -> None:
    draw(game, board, number, starting_card_seat(game, rules))
    game.dealt += 1
    owe_nothing(game)
    finish_setup(game, rules, board)


@compiled
def begin_first_turn(game: Position, rules: Rules, board: BoardTables) -> None:
    """Turn 1: snapshots of the set-up, and missions that are true from the start (A-90)."""
    game.round_number = 1
    if rules.continent_timing == ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
        for seat in range(game.seats):
            game.snapshot[seat] = continent_award(game, board, seat)
    seat = game.first
    if game.status[seat] != Seat.PLAYING:
        seat = next_playing(game, seat)
    begin_turn(game, rules, board, seat)
    mission_test(game, rules, board, seat)
