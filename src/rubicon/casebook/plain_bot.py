"""The plainest play: the moves of all seats during an `until` step."""

from __future__ import annotations

from itertools import combinations

from rubicon.engine.records.position import NEUTRAL, NONE, Phase
from rubicon.rules.actions import (
    Action,
    Claim,
    Decline,
    DefendWith,
    EndAttack,
    EndTurn,
    Occupy,
    Place,
    PlaceCapital,
    Seal,
    Trade,
)
from rubicon.rules.game.game import Game

MOST_STEPS = 20_000


def plain_action(game: Game) -> Action:
    """The first possible action in board order, with the fewest armies."""
    phase = Phase(int(game.position.phase))
    seat = game.seats.index(game.actors[0])
    match phase:
        case Phase.CLAIM:
            return _claim(game)
        case Phase.PLACE:
            return _place_one(game, seat)
        case Phase.SEALED | Phase.CONTINENTS:
            return _place_all(game, seat)
        case Phase.HEADQUARTERS:
            return PlaceCapital(_first_of(game, seat))
        case Phase.REINFORCE | Phase.TRADE:
            return _forced_trade(game) or _place_all(game, seat)
        case Phase.DEFEND:
            return DefendWith(1)
        case Phase.OCCUPY:
            return Occupy(int(game.position.occupy_minimum))
        case Phase.OBJECTIVE:
            return Decline()
        case Phase.FORTIFY:
            return EndTurn()
        case _:
            return EndAttack()


def _first_of(game: Game, owner: int) -> str:
    territories = game.ruleset.board.territories
    return next(t.id for i, t in enumerate(territories) if game.position.owner[i] == owner)


def _claim(game: Game) -> Action:
    claim = Claim(_first_of(game, NONE))
    if game.refusal(claim) is None:
        return claim
    return PlaceCapital(claim.territory)


def _place_one(game: Game, seat: int) -> Action:
    # With two players a turn places own armies and a neutral one: the rules say which is left.
    own = Place(_first_of(game, seat), 1)
    if game.refusal(own) is None:
        return own
    return Place(_first_of(game, NEUTRAL), 1)


def _place_all(game: Game, seat: int) -> Action:
    unplaced = int(game.position.unplaced[seat])
    if unplaced > 0:
        return Place(_first_of(game, seat), unplaced)
    if game.position.phase == Phase.SEALED:
        return Seal(game.seats[seat])
    # END ATTACK also ends the first step of a turn, so that no attack is made.
    return Decline() if game.position.phase == Phase.TRADE else EndAttack()


def _forced_trade(game: Game) -> Action | None:
    """The first set of the hand, if the seat must trade one."""
    refused = game.refusal(EndAttack())
    if refused is None or refused.code != "trade/forced":
        return None
    seat = int(game.position.turn)
    cards = [c for i, c in enumerate(game.cards) if game.position.card[i] == seat]
    for three in combinations(cards, 3):
        for bonus in (None, *three):
            trade = Trade(three, bonus)
            if (bonus is None or bonus in _names(game)) and game.refusal(trade) is None:
                return trade
    return None


def _names(game: Game) -> list[str]:
    return [territory.id for territory in game.ruleset.board.territories]
