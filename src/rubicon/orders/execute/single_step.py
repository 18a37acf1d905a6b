"""One action at a time: how the terminal's prompt executes an order."""

from __future__ import annotations

from rubicon.engine.records.position import Phase
from rubicon.errors import RubiconError
from rubicon.orders.execute.executor import OrderExecutor
from rubicon.orders.execute.program import Progress
from rubicon.orders.order_text import OrderText
from rubicon.orders.syntax import AttackOrder, DeployOrder, Order
from rubicon.rules.actions import Action
from rubicon.rules.game.game import Game


def is_single_step(order: Order, game: Game) -> bool:
    """Whether an order at a prompt means one action, not all that it means in an order text.

    An ATTACK across one border without UNTIL and ADVANCE is one roll; a DEPLOY is one placement
    while the seats place starting armies in turn. Every other order is executed to its end.
    """
    if isinstance(order, AttackOrder):
        return len(order.path) == 2 and not order.stops and order.advance is None
    return isinstance(order, DeployOrder) and game.position.phase == Phase.PLACE


def first_action(order_text: OrderText, game: Game, colour: str) -> Action:
    """The first action of a seat's orders; RubiconError, with the reason, where there is none."""
    decision = OrderExecutor(order_text, game, colour).decide(game.view(colour), Progress())
    if decision.action is not None:
        return decision.action
    if not game.pending and colour not in game.actors:
        others = " and ".join(game.actors).capitalize() or "No player"
        raise RubiconError("orders/not-your-move", f"{others} is to move, not you.", "")
    for note in decision.notes:
        raise RubiconError(note.code, note.message, "")
    raise RubiconError("orders/nothing-to-do", decision.reason or "There is nothing to do.", "")
