"""Positions and short forms of orders for tests."""

from typing import Any

from rubicon.orders.syntax import (
    AttackOrder,
    Condition,
    DeployOrder,
    IfOrder,
    Order,
    OrderText,
    SimpleOrder,
    StopKind,
    StopRule,
)
from rubicon.rules.actions import Roll
from rubicon.rules.board.board import Board
from rubicon.rules.game import Game
from rubicon.rules.notation.positions import parse_position

WORLD = [territory.id for territory in Board.load("world").territories]
LOSE = Roll((1, 1, 1), (6, 6))  # cut to the dice that are owed
WIN = Roll((6, 6, 6), (1, 1))


def scene(
    held: dict[str, str],
    others: str = "b1",
    *,
    preset: str = "classic",
    seats: str = "red standing_all=max; blue standing_all=max; green standing_all=max",
    table: str = "phase=reinforce turn=red first=red round_number=2",
) -> Game:
    """A game on the world map; `held` has owner and armies by territory: `r5`."""
    held = {"greenland": "g1"} | held
    territories = " ".join(held.get(name, others) for name in WORLD)
    text = f"position 1 / {preset} 1 / world 1 / {territories} / {seats} / {table} ."
    ruleset, position = parse_position(text)
    return Game.from_position(ruleset, position)


def order_text(*orders: Order, ended: bool = False) -> OrderText:
    """An order text without requests."""
    return OrderText(orders, (), ended)


def attack(*path: str, advance: Any = None, dice: int | None = None, **stops: int) -> AttackOrder:
    """`attack("alaska", "kamchatka", left=3)`."""
    kinds = tuple(StopRule(StopKind(name.upper()), number) for name, number in stops.items())
    return AttackOrder(path, dice, kinds, advance)


def deploy(**armies: int | None) -> DeployOrder:
    """`deploy(alaska=3, brazil=None)`; None is the rest."""
    return DeployOrder(tuple((number, name) for name, number in armies.items()))


def when(
    condition: Condition, *then: SimpleOrder, otherwise: tuple[SimpleOrder, ...] = ()
) -> IfOrder:
    """An order under a condition."""
    return IfOrder(condition, then, otherwise)


def fall(game: Game, roll: Roll) -> None:
    """Settle the pending dice with the first ones of a roll."""
    pending = game.pending
    assert pending is not None
    game.settle(Roll(roll.attack[: pending.attack_dice], roll.defence[: pending.defence_dice]))
