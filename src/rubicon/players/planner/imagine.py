"""A position that a seat may well be in: its view, with what is hidden drawn at random."""

from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import (
    HIDDEN,
    MISSIONS,
    NONE,
    CardPlace,
    Position,
    Seat,
    Standing,
)
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import Generator, below


@compiled
def imagine(
    position: Position, rules: Rules, board: BoardTables, seat: int, rng: Generator
) -> None:
    """Fill in what is hidden from `seat` in a copy of its view; the rest stays as it is.

    Hands keep their sizes. Defenders are expected to roll most dice.
    """
    deal_hidden_cards(position, board, seat, rng)
    for other in range(position.seats):
        if other != seat:
            position.standing_all[other] = Standing.MAXIMUM
    for t in range(board.territories):
        if position.standing[t] == HIDDEN:
            position.standing[t] = Standing.NONE
    if position.order_standing == HIDDEN:
        position.order_standing = Standing.NONE
    if rules.missions_in_play != 0:
        draw_hidden_missions(position, board, seat, rng)


@compiled
def deal_hidden_cards(position: Position, board: BoardTables, seat: int, rng: Generator) -> None:
    """Deal the cards that may be in other hands or in the pile."""
    # Counted down, so that each card falls to a hand or to the pile with the right chance.
    due = [0, 0, 0, 0, 0, 0]
    hidden, wanted = 0, 0
    for card in range(board.cards):
        hidden += int(position.card[card] == HIDDEN)
    for other in range(position.seats):
        if other != seat and position.status[other] == Seat.PLAYING:
            due[other] = int(position.hand[other])
            wanted += due[other]
    for card in range(board.cards):
        if position.card[card] != HIDDEN:
            continue
        number = below(rng, hidden)
        hidden -= 1
        position.card[card] = CardPlace.PILE
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
    """Give every other seat one of the missions that are not one's own."""
    for other in range(position.seats):
        if position.mission[other] != HIDDEN or other == seat:
            continue
        position.mission_fallback[other] = 0
        position.mission[other] = NONE
        if position.status[other] != Seat.PLAYING:
            continue
        start = below(rng, MISSIONS)
        for step in range(MISSIONS):
            mission = (start + step) % MISSIONS
            if board.mission_in_deck[mission] != 0 and not is_held(position, mission):
                position.mission[other] = mission
                break


@compiled
def is_held(position: Position, mission: int) -> bool:
    """Whether a seat has the mission."""
    for other in range(position.seats):
        if position.mission[other] == mission:
            return True
    return False
