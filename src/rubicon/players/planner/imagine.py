"""A position that a seat may well be in: its view, with what is hidden drawn at random.

What is hidden is never read, not even as hidden: a view with anything in its place leads to the
same position.
"""

from rubicon.engine.records.choices import CardVisibility
from rubicon.engine.records.layout import compiled, inlined
from rubicon.engine.records.position import (
    MISSIONS,
    NEUTRAL,
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
    if rules.cards_visibility != CardVisibility.PUBLIC:
        deal_hidden_cards(position, board, seat, rng)
    for other in range(position.seats):
        if other != seat:
            position.standing_all[other] = Standing.MAXIMUM
    for t in range(board.territories):
        if position.owner[t] != seat and position.owner[t] != NEUTRAL:
            position.standing[t] = Standing.NONE
    if position.order_target >= 0 and position.owner[position.order_target] != seat:
        position.order_standing = Standing.NONE
    if rules.missions_in_play != 0:
        draw_hidden_missions(position, board, seat, rng)


@inlined
def is_hidden(place: int, seat: int) -> bool:
    """Whether a card lies where the seat does not see it."""
    return place < 0 or (place <= CardPlace.PILE and place != seat)


@compiled
def deal_hidden_cards(position: Position, board: BoardTables, seat: int, rng: Generator) -> None:
    """Deal the cards that may be in other hands or in the pile."""
    due = [0, 0, 0, 0, 0, 0]
    hidden, wanted = 0, 0
    for card in range(board.cards):
        hidden += int(is_hidden(position.card[card], seat))
    for other in range(position.seats):
        if other != seat and position.status[other] == Seat.PLAYING:
            due[other] = int(position.hand[other])
            wanted += due[other]
    # Card by card with what is left of both, so that every deal is equally likely.
    for card in range(board.cards):
        if not is_hidden(position.card[card], seat):
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
    """Give every other seat one of the missions that nobody else has."""
    for other in range(position.seats):
        if other != seat:
            position.mission[other] = NONE
            position.mission_fallback[other] = 0
    for other in range(position.seats):
        if other == seat or position.status[other] != Seat.PLAYING:
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
    held = 0
    for other in range(position.seats):
        held += int(position.mission[other] == mission)
    return held > 0
