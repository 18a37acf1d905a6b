"""The set-up once the board is laid out: claims, first armies, headquarters, and turn 1."""

from rubicon.engine import codes, ownership, records
from rubicon.engine.cards import draw, wait_for_card
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.engine.turn import begin_turn
from rubicon.engine.victory import mission_test

TURN_ONE_ROLL = -1  # `dealt` while the roll for turn 1 is pending


@compiled
def unowned(position: Position, board: BoardTables) -> int:
    held = 0
    for owner in range(records.SEATS + 1):
        held += position.territories[owner]
    return board.territories - held


@compiled
def nth_unowned(position: Position, board: BoardTables, number: int) -> int:
    for t in range(board.territories):
        if position.owner[t] == records.NONE:
            if number == 0:
                return t
            number -= 1
    return records.NONE


@compiled
def wait_for_first_player(position: Position, rules: Rules) -> None:
    """A die a seat, or a pick among the seats (A-04)."""
    position.phase = records.Phase.FIRST_PLAYER
    if rules.setup_first_player == codes.FirstPlayer.DIE_ROLL:
        for seat in range(position.seats):
            position.chance_seats[seat] = int(position.status[seat] == records.Seat.PLAYING)
        ownership.set_pending(position, records.Chance.DICE, 0)
    else:
        ownership.set_pending(position, records.Chance.FIRST_SEAT, position.seats)


@compiled
def refuse_claim(
    position: Position, rules: Rules, board: BoardTables, t: int, capital: bool
) -> int:
    """Whether the acting seat may put an army, and its capital, on an empty territory."""
    if position.phase != records.Phase.CLAIM:
        return codes.Refusal.WRONG_PHASE
    if t >= board.territories:
        return codes.Refusal.UNKNOWN_TERRITORY
    if position.owner[t] != records.NONE:
        return codes.Refusal.CLAIM_TAKEN
    founded = rules.setup_capitals == 0 or position.capital[position.turn] != records.NONE
    if capital and founded:
        return (
            codes.Refusal.CAPITAL_ALREADY
            if rules.setup_capitals != 0
            else codes.Refusal.WRONG_PHASE
        )
    if not capital and not founded:
        return codes.Refusal.CAPITAL_FIRST
    if capital and rules.revised_capital_on_city == 0 and position.city[t] != 0:
        return codes.Refusal.CAPITAL_ON_CITY
    return codes.Refusal.LEGAL


@compiled
def claim(position: Position, rules: Rules, board: BoardTables, t: int) -> None:
    seat = position.turn
    ownership.change_owner(position, t, seat)
    position.armies[t] = 1
    position.unplaced[seat] -= 1
    go_on_claiming(position, rules, board, seat)


@compiled
def next_with_armies(position: Position, seat: int) -> int:
    """The next seat to the left that has starting armies left (A-82); NONE if none has."""
    candidate = seat
    for _ in range(position.seats):
        candidate = ownership.left_of(position, candidate)
        if position.status[candidate] == records.Seat.PLAYING and position.unplaced[candidate] > 0:
            return candidate
    return records.NONE


@compiled
def go_on_claiming(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """The next claim, or the first placement when all is claimed (A-82)."""
    if unowned(position, board) == 0:
        begin_placing(position, rules, board, seat)
        return
    following = next_with_armies(position, seat)
    if following != records.NONE:
        position.turn = following
        return
    for t in range(board.territories):  # only where seats resigned while claiming
        if position.owner[t] == records.NONE:
            ownership.change_owner(position, t, records.NEUTRAL)
            position.armies[t] = 1
    begin_placing(position, rules, board, seat)


@compiled
def begin_placing(position: Position, rules: Rules, board: BoardTables, after: int) -> None:
    """The remaining starting armies: sealed and at once, or seat after seat (A-09)."""
    if rules.setup_place == codes.Placing.ALL_AT_ONCE:
        position.phase = records.Phase.SEALED
        position.turn = position.first
        for seat in range(position.seats):
            position.sealed[seat] = int(position.unplaced[seat] == 0)
        go_on_sealing(position, rules, board)
    else:
        position.phase = records.Phase.PLACE
        go_on_placing(position, rules, board, after)


@compiled
def go_on_placing(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    following = next_with_armies(position, seat)
    if following == records.NONE:
        finish_placing(position, rules, board)
        return
    position.turn = following
    if rules.setup_place == codes.Placing.TWO_OWN_ONE_NEUTRAL:
        position.own_left = min(2, position.unplaced[following])
        position.neutral_left = min(1, position.neutral_unplaced)


@compiled
def refuse_first_placement(
    position: Position, rules: Rules, board: BoardTables, t: int, armies: int
) -> int:
    """Whether the acting seat may put starting armies there (A-09)."""
    if t >= board.territories:
        return codes.Refusal.UNKNOWN_TERRITORY
    if armies < 1:
        return codes.Refusal.ZERO
    if rules.setup_place == codes.Placing.TWO_OWN_ONE_NEUTRAL:
        return refuse_two_and_one(position, t, armies)
    if position.owner[t] != position.turn:
        return codes.Refusal.NOT_YOUR_TERRITORY
    return codes.Refusal.PLACE_ONE if armies > 1 else codes.Refusal.LEGAL


@compiled
def refuse_two_and_one(position: Position, t: int, armies: int) -> int:
    """Two own armies first, then one neutral army (N40, A-09)."""
    if position.owner[t] == records.NEUTRAL:
        if position.own_left > 0:
            return codes.Refusal.PLACE_OWN_FIRST
        return codes.Refusal.PLACE_ONE if armies > position.neutral_left else codes.Refusal.LEGAL
    if position.owner[t] != position.turn:
        return codes.Refusal.NOT_YOUR_TERRITORY
    if position.own_left == 0:
        return codes.Refusal.PLACE_NEUTRAL
    return codes.Refusal.PLACE_TOO_MANY if armies > position.own_left else codes.Refusal.LEGAL


@compiled
def place_first(position: Position, rules: Rules, board: BoardTables, t: int, armies: int) -> None:
    """Put starting armies down; when the move is complete the next seat places."""
    ownership.add_armies(position, rules, t, armies)
    if position.owner[t] == records.NEUTRAL:
        position.neutral_unplaced -= armies
        position.neutral_left -= armies
    else:
        position.unplaced[position.turn] -= armies
        if position.own_left > 0:
            position.own_left -= armies
    if position.own_left == 0 and position.neutral_left == 0:
        go_on_placing(position, rules, board, position.turn)


@compiled
def refuse_seal(position: Position, seat: int) -> int:
    if position.phase != records.Phase.SEALED:
        return codes.Refusal.WRONG_PHASE
    if seat >= position.seats or position.status[seat] != records.Seat.PLAYING:
        return codes.Refusal.NOT_PLAYING
    if position.sealed[seat] != 0:
        return codes.Refusal.SEALED_ALREADY
    return codes.Refusal.ARMIES_LEFT if position.unplaced[seat] > 0 else codes.Refusal.LEGAL


@compiled
def go_on_sealing(position: Position, rules: Rules, board: BoardTables) -> None:
    """When the last placement is in, all are revealed together (A-07)."""
    for seat in range(position.seats):
        if position.status[seat] == records.Seat.PLAYING and position.sealed[seat] == 0:
            return
    for seat in range(position.seats):
        position.sealed[seat] = 0
    finish_placing(position, rules, board)


@compiled
def finish_placing(position: Position, rules: Rules, board: BoardTables) -> None:
    """All armies stand: headquarters are chosen, or the first cards dealt."""
    position.neutral_unplaced = 0
    if rules.victory_goal == codes.Goal.HEADQUARTERS:
        position.phase = records.Phase.HEADQUARTERS
        position.turn = (position.first - 1) % position.seats
        go_on_choosing(position, rules, board)
    else:
        finish_setup(position, rules, board)


@compiled
def refuse_headquarters(position: Position, board: BoardTables, t: int) -> int:
    if t >= board.territories:
        return codes.Refusal.UNKNOWN_TERRITORY
    return (
        codes.Refusal.LEGAL
        if position.owner[t] == position.turn
        else codes.Refusal.NOT_YOUR_TERRITORY
    )


@compiled
def go_on_choosing(position: Position, rules: Rules, board: BoardTables) -> None:
    """The next seat chooses its headquarters; after the last all are shown (A-66)."""
    for step in range(1, position.seats + 1):
        seat = (position.turn + step) % position.seats
        if position.status[seat] == records.Seat.PLAYING and position.capital[seat] == records.NONE:
            position.turn = seat
            return
    for seat in range(position.seats):
        remove_headquarters_card(position, seat)
    finish_setup(position, rules, board)


@compiled
def remove_headquarters_card(position: Position, seat: int) -> None:
    """The card of a headquarters leaves the deck and is no hand card (A-86)."""
    t = position.capital[seat]
    if t != records.NONE and position.card[t] == records.CardPlace.PILE:
        position.card[t] = records.CardPlace.REMOVED
        position.pile -= 1


@compiled
def choose_headquarters(position: Position, rules: Rules, board: BoardTables, t: int) -> None:
    position.capital[position.turn] = t
    # A hidden choice must not show in the size of the pile: its card leaves the deck later.
    if rules.hq_reveal == codes.HqReveal.OPEN:
        remove_headquarters_card(position, position.turn)
    go_on_choosing(position, rules, board)


@compiled
def starting_card_seat(position: Position, rules: Rules) -> int:
    """The seat of the next starting card, by place in the order of play (S001-28, S001-29)."""
    before = 0
    for place in range(position.seats):
        before += rules.setup_starting_cards[place]
        if position.dealt < before:
            return (position.first + place) % position.seats
    return records.NONE


@compiled
def finish_setup(position: Position, rules: Rules, board: BoardTables) -> None:
    """The last cards and the roll for turn 1 where it is due; then the game begins (S002-07)."""
    while True:
        seat = starting_card_seat(position, rules)
        if seat == records.NONE:
            break
        if position.status[seat] == records.Seat.PLAYING:
            position.phase = records.Phase.DEAL
            if wait_for_card(position, rules, board, records.Chance.STARTING_CARD):
                return
        position.dealt += 1
    position.dealt = 0
    if rules.setup_turn1 == codes.TurnOne.NEW_ROLL:
        position.dealt = TURN_ONE_ROLL
        wait_for_first_player(position, rules)
    else:
        begin_first_turn(position, rules, board)


@compiled
def settle_starting_card(position: Position, rules: Rules, board: BoardTables, number: int) -> None:
    draw(position, board, number, starting_card_seat(position, rules))
    position.dealt += 1
    ownership.clear_pending(position)
    finish_setup(position, rules, board)


@compiled
def begin_first_turn(position: Position, rules: Rules, board: BoardTables) -> None:
    """Turn 1: snapshots of the set-up, and missions that are true from the start (A-90)."""
    position.round_number = 1
    if rules.continent_timing == codes.ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
        for seat in range(position.seats):
            position.snapshot[seat] = ownership.continent_award(position, board, seat)
    seat = position.first
    if position.status[seat] != records.Seat.PLAYING:
        seat = ownership.next_playing(position, seat)
    begin_turn(position, rules, board, seat)
    mission_test(position, rules, board, seat)
