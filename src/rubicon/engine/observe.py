"""A seat's view: a position of the same layout with HIDDEN (-1) where a value is secret."""

from rubicon.engine import records
from rubicon.engine.codes import Announce, CardVisibility, Goal, HqReveal
from rubicon.engine.records import BoardTables, Position, Rules, compiled


@compiled
def observe(
    position: Position, rules: Rules, board: BoardTables, seat: int, into: Position
) -> None:
    """Hide from `into`, a copy of `position`, what the seat must not see (seat -1: a spectator)."""
    hide_cards(position, rules, board, seat, into)
    hide_orders(position, board, seat, into)
    if rules.missions_in_play != 0:
        hide_missions(position, seat, into)
    if position.phase == records.Phase.SEALED:
        hide_placements(position, board, seat, into)
    if position.phase == records.Phase.HEADQUARTERS and rules.victory_goal == Goal.HEADQUARTERS:
        if rules.hq_reveal == HqReveal.SIMULTANEOUS:
            hide_headquarters(position, seat, into)
    if position.phase == records.Phase.DEFEND and rules.dice_announce == Announce.SEALED:
        if seat != position.turn:
            into.attack_dice = records.HIDDEN


@compiled
def hide_cards(
    position: Position, rules: Rules, board: BoardTables, seat: int, into: Position
) -> None:
    """Other hands and the pile look alike, unless hands are public (A-24)."""
    if rules.cards_visibility == CardVisibility.PUBLIC:
        return
    for card in range(board.cards):
        place = position.card[card]
        if place == records.CardPlace.PILE or (place < records.CardPlace.PILE and place != seat):
            into.card[card] = records.HIDDEN


@compiled
def hide_orders(position: Position, board: BoardTables, seat: int, into: Position) -> None:
    """Standing orders are known to their seat alone (A-29)."""
    for other in range(position.seats):
        if other != seat:
            into.standing_all[other] = records.HIDDEN
    for t in range(board.territories):
        if (
            position.owner[t] != seat
            and position.owner[t] >= 0
            and position.owner[t] != records.NEUTRAL
        ):
            into.standing[t] = records.HIDDEN
    # The order under way copies the defender's standing order, which is as secret.
    if position.order_target >= 0 and position.owner[position.order_target] != seat:
        into.order_standing = records.HIDDEN


@compiled
def hide_missions(position: Position, seat: int, into: Position) -> None:
    """Missions are secret until one wins (rulebook 4.3)."""
    for other in range(position.seats):
        if other != seat and other != position.winner:
            into.mission[other] = records.HIDDEN
            into.mission_fallback[other] = records.HIDDEN


@compiled
def hide_placements(position: Position, board: BoardTables, seat: int, into: Position) -> None:
    """Until the last placement is sealed, each seat sees only its own (A-07)."""
    for t in range(board.territories):
        if position.owner[t] != seat and position.owner[t] != records.NEUTRAL:
            into.armies[t] = records.HIDDEN
    for other in range(position.seats):
        if other != seat:
            into.unplaced[other] = records.HIDDEN


@compiled
def hide_headquarters(position: Position, seat: int, into: Position) -> None:
    """Headquarters are chosen face down and shown together (A-66)."""
    for other in range(position.seats):
        if other != seat:
            into.capital[other] = records.HIDDEN
