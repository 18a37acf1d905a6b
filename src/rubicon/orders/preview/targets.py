"""The odds of one ATTACK from a territory against each of its targets, as a seat sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rubicon.engine.records.position import HIDDEN, Phase, Position
from rubicon.engine.refusal import Refusal
from rubicon.errors import RubiconError
from rubicon.odds.outlook import Outlook, outlook
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import Stop
from rubicon.orders.execute.attack import least_odds
from rubicon.orders.execute.seat_view import SeatView
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.assumptions import imagined
from rubicon.orders.syntax import AttackOrder, StopKind
from rubicon.rules.actions import Attack
from rubicon.rules.game.game import Game

MOST_ARMIES = 300  # on a territory: a battle of more takes too long for an answer at once


class TargetOdds(NamedTuple):
    """A territory that can be attacked, and the odds; None where armies are too many or hidden.

    `rule` decides the dice. Defenders who choose their dice are assumed to choose best.
    """

    target: int
    armies: int
    rule: DiceRule
    outlook: Outlook | None


def target_odds(
    game: Game, colour: str, source: str, stop: str = "", *, armies: int | None = None
) -> Iterator[TargetOdds]:
    """The odds against every neighbour of `source` that has another owner, in board order.

    `stop` is what stands behind the path of an ATTACK: `DICE 2 UNTIL LEFT 3`. `armies` replaces
    the number of armies on `source`. Raises RubiconError: `board/unknown-territory`,
    `odds/bad-stop`, and OrdersError for a stop that cannot be read.
    """
    seat_view, position = SeatView(game, colour), game.view(colour)
    start = game.ruleset.board.index(source)
    standing = int(position.armies[start]) if armies is None else armies
    if armies is not None:
        position.armies[start] = armies
    for target in targets_of(game, position, start):
        order = _order(game, start, target, stop)
        rule = DiceRule.between(
            game.ruleset,
            position,
            start,
            target,
            attack_dice=order.dice or "most",
            defend_dice="best" if _asked(seat_view, position, start, target) else "most",
        )
        defend = int(position.armies[target])
        known = 1 < standing <= MOST_ARMIES and 1 <= defend <= MOST_ARMIES
        found = outlook(standing, (defend,), rule, stop_of(order)) if known else None
        yield TargetOdds(target, defend, rule, found)


def targets_of(game: Game, position: Position, source: int) -> list[int]:
    """The territories that a territory borders on and that another player owns, or nobody's."""
    adjacent, owner = game.tables.adjacent, position.owner
    neighbours = [n for n in range(len(game.territories)) if adjacent[source, n]]
    return [n for n in neighbours if owner[n] != owner[source]]


def stop_of(order: AttackOrder) -> Stop:
    """The stop rule of a battle that is the whole path of an order."""
    numbers = {kind: [s.number for s in order.stops if s.kind is kind] for kind in StopKind}
    odds = least_odds(order)
    return Stop(
        left=max(1, *numbers[StopKind.LEFT]) if numbers[StopKind.LEFT] else 1,
        lost=min(numbers[StopKind.LOST], default=None),
        rounds=min(numbers[StopKind.ROUNDS], default=None),
        odds=odds / 100 if odds else None,
    )


def _order(game: Game, source: int, target: int, stop: str) -> AttackOrder:
    ids = game.territories
    text = f"ATTACK {ids[source]} -> {ids[target]} {stop}"
    orders = read_orders(text, game.ruleset.board, game.colours)
    whole = len(orders.orders) == 1 and not (orders.requests or orders.ended or orders.warnings)
    order = orders.orders[0] if whole else None
    if isinstance(order, AttackOrder) and order.path == (ids[source], ids[target]):
        return order
    message = f"{stop[:60]!r} does not say how one territory is attacked."
    raise RubiconError(
        "odds/bad-stop", message, "Write what stands behind an ATTACK: UNTIL LEFT 3."
    )


def _asked(seat_view: SeatView, position: Position, source: int, target: int) -> bool:
    """Whether the defender would choose the dice; so too where the attack is not legal now."""
    ids = seat_view.game.territories
    if HIDDEN in (position.armies[source], position.armies[target]):
        return True
    trial = imagined(seat_view, position)
    trial.phase, trial.turn = Phase.ATTACK, position.owner[source]
    trial.unplaced[:] = 0
    action = Attack(ids[source], ids[target], 1)
    if seat_view.refusal(trial, seat_view.code(action)) != Refusal.LEGAL:
        return True
    return bool(seat_view.applied(trial, action).phase == Phase.DEFEND)
