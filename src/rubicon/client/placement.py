"""Orders that place starting armies, carried out here: the server must not see them yet."""

from __future__ import annotations

from typing import Any

from rubicon.dice.errors import DiceError
from rubicon.engine.ownership import change_owner, clear_pending
from rubicon.engine.records.position import NEUTRAL, Phase
from rubicon.orders.execute.running import RunningOrders
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.actions import Place, Seal
from rubicon.rules.game.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

Json = dict[str, Any]


def placement_text(state: Json, orders: str) -> str:
    """The actions of a whole sealed placement, one a line; `state` is what the API says of a game.

    DiceError `dice/incomplete-placement` where armies are left, or orders do something else;
    OrdersError where the text cannot be read. What the rules refuse, the orders leave out.
    """
    seat, game = str(state["you"]), game_of_placing(state)
    running = RunningOrders(read_orders(orders, game.ruleset.board, game.colours), game, seat)
    placed: list[str] = []
    while isinstance(action := running.next(game).action, Place):
        placed.append(str(action))
        running.play(game, action)
    left = int(game.position.unplaced[game.colours.index(seat)])
    if left or not isinstance(action, Seal | None):
        message = f"These orders leave {left} armies to place: {running.next(game).reason}".strip()
        hint = "Seal the whole placement at once: DEPLOY 3 alaska, REST ural"
        raise DiceError("dice/incomplete-placement", message, hint)
    return "\n".join(placed)


def game_of_placing(state: Json) -> Game:
    """A game in which only the own seat's placement is known."""
    shown = state["position"]
    ruleset = Ruleset.load(shown["ruleset"]["name"], shown["options"], board=shown["board"]["name"])
    colours = [seat["colour"] for seat in shown["seats"]]
    game = Game.new(ruleset, colours=colours)
    position = game.position
    clear_pending(position)
    position.phase = Phase.SEALED
    position.first = position.turn = colours.index(shown["first"])
    for number, known in enumerate(ruleset.board.territories):
        territory = shown["territories"][known.id]
        owner = territory["owner"]
        change_owner(position, number, NEUTRAL if owner == "neutral" else colours.index(owner))
        position.armies[number] = territory["armies"] or 1
    for number, seat in enumerate(shown["seats"]):
        position.unplaced[number] = seat["to_place"] or 0
    return game
