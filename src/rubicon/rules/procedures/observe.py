"""What a seat may see: a position of the same layout with -1 where something is hidden."""

from rubicon.rules.choices import Announce, CardVisibility, Goal, HqReveal
from rubicon.rules.layout import compiled
from rubicon.rules.position import HIDDEN, NEUTRAL, CardPlace, Phase, Position
from rubicon.rules.tables import BoardTables, Rules


@compiled
def observe(game: Position, rules: Rules, board: BoardTables, seat: int, into: Position) -> None:
    """Hide from `into`, a copy of `game`, what the seat must not see (seat -1: a spectator)."""
    hide_cards(game, rules, board, seat, into)
    hide_orders(game, board, seat, into)
    if rules.missions_in_play != 0:
        hide_missions(game, seat, into)
    if game.phase == Phase.SEALED:
        hide_placements(game, board, seat, into)
    if game.phase == Phase.HEADQUARTERS and rules.victory_goal == Goal.HEADQUARTERS:
        if rules.hq_reveal == HqReveal.SIMULTANEOUS:
            hide_headquarters(game, seat, into)
    if game.phase == Phase.DEFEND and rules.dice_announce == Announce.SEALED:
        if seat != game.turn:
            into.attack_dice = HIDDEN


@compiled
def hide_cards(game: Position, rules: Rules, board: BoardTables, seat: int, into: Position) -> None:
    """Other hands and the pile look alike, unless hands are public (A-24)."""
    if rules.cards_visibility == CardVisibility.PUBLIC:
        return
    for card in range(board.cards):
        place = game.card[card]
        if place == CardPlace.PILE or (place < CardPlace.PILE and place != seat):
            into.card[card] = HIDDEN


@compiled
def hide_orders(game: Position, board: BoardTables, seat: int, into: Position) -> None:
    """Standing orders are between a seat and the table."""
    for other in range(game.seats):
        if other != seat:
            into.standing_all[other] = HIDDEN
    for t in range(board.territories):
        if game.owner[t] != seat and game.owner[t] >= 0 and game.owner[t] != NEUTRAL:
            into.standing[t] = HIDDEN
    if game.order_target >= 0 and game.owner[game.order_target] != seat:
        into.order_standing = HIDDEN


@compiled
def hide_missions(game: Position, seat: int, into: Position) -> None:
    """Missions are secret until one wins (rulebook 4.3)."""
    for other in range(game.seats):
        if other != seat and other != game.winner:
            into.mission[other] = HIDDEN
            into.mission_fallback[other] = HIDDEN


@compiled
def hide_placements(game: Position, board: BoardTables, seat: int, into: Position) -> None:
    """Until the last placement is sealed nobody sees another's (A-07)."""
    for t in range(board.territories):
        if game.owner[t] != seat and game.owner[t] != NEUTRAL:
            into.armies[t] = HIDDEN
    for other in range(game.seats):
        if other != seat:
            into.unplaced[other] = HIDDEN


@compiled
def hide_headquarters(game: Position, seat: int, into: Position) -> None:
    """Headquarters are chosen face down and shown together (A-66)."""
    for other in range(game.seats):
        if other != seat:
            into.capital[other] = HIDDEN
