"""Executes orders: one atomic action at a time, decided on the facts at that moment.

`OrderExecutor.decide` is a pure function of a position and a progress. The same code therefore
plays a running game, comes to the same progress when a game is rebuilt after a crash, and explores
every branch of a preview.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from rubicon.engine.phases.cards import card_earned
from rubicon.engine.records.position import Chance, Phase, Position
from rubicon.orders.execute.attack import advance, attack
from rubicon.orders.execute.cards import trade
from rubicon.orders.execute.program import (
    AllTaken,
    ConditionalJump,
    Jump,
    LastTaken,
    ProgramStep,
    Progress,
    Test,
    compile_orders,
)
from rubicon.orders.execute.seat_view import SeatView
from rubicon.orders.execute.step import Note, StepContext, StepResult
from rubicon.orders.execute.turn import (
    capital,
    claim,
    close,
    decline,
    defend,
    deploy,
    end,
    fortify,
    manoeuvre,
    objective,
    reveal,
    seal,
)
from rubicon.orders.order_text import OrderText
from rubicon.orders.syntax import (
    AdvanceOrder,
    AttackOrder,
    CapitalOrder,
    CardEarned,
    ClaimOrder,
    Comparison,
    DeclineOrder,
    DefendOrder,
    DeployOrder,
    EliminatedCondition,
    EndOrder,
    FortifyOrder,
    Holds,
    ManoeuvreOrder,
    ObjectiveOrder,
    RevealOrder,
    SealOrder,
    SimpleOrder,
    TradeOrder,
)
from rubicon.rules.actions import Action
from rubicon.rules.game.game import Game

AnyStep = ProgramStep | ConditionalJump | Jump
Handler = Callable[[StepContext, Any], StepResult]

HANDLERS: Mapping[type, Handler] = {
    TradeOrder: trade,
    DeployOrder: deploy,
    AttackOrder: attack,
    AdvanceOrder: advance,
    FortifyOrder: fortify,
    ManoeuvreOrder: manoeuvre,
    DefendOrder: defend,
    ClaimOrder: claim,
    CapitalOrder: capital,
    ObjectiveOrder: objective,
    DeclineOrder: decline,
    RevealOrder: reveal,
    SealOrder: seal,
    EndOrder: end,
}
OUT_OF_TURN_ORDERS = (DefendOrder, RevealOrder)  # possible while another seat is to move
COMPARE: Mapping[Comparison, Callable[[int, int], bool]] = {
    Comparison.LESS: lambda a, b: a < b,
    Comparison.AT_MOST: lambda a, b: a <= b,
    Comparison.EQUAL: lambda a, b: a == b,
    Comparison.NOT_EQUAL: lambda a, b: a != b,
    Comparison.AT_LEAST: lambda a, b: a >= b,
    Comparison.MORE: lambda a, b: a > b,
}
CHANCE_PENDING = "Dice or cards are pending: settle them, then ask again."
SPOILS = "You won cards and must trade or decline: TRADE BEST, then DEPLOY."


class Standstill(Enum):
    """Why there is no next action."""

    DONE = "done"  # every order was executed or noted
    PAUSED = "paused"  # a decision of the seat is pending that the orders leave open
    WAITING = "waiting"  # another seat decides first
    PENDING = "pending"  # chance is pending: settle it, then ask again


@dataclass(frozen=True, slots=True)
class Decision:
    """The next action and the progress behind it; or why there is none.

    `reason` is a sentence for the player where orders pause, or wait for another seat.
    """

    action: Action | None
    progress: Progress
    notes: tuple[Note, ...] = ()
    standstill: Standstill | None = None
    reason: str = ""


class OrderExecutor:
    """The orders of one seat, for one turn or for the set-up, compiled."""

    def __init__(self, order_text: OrderText, game: Game, colour: str) -> None:
        self.seat_view = SeatView(game, colour)
        self.program = compile_orders(order_text.orders)
        # The last step that tests the last attack: behind it, progress forgets that attack.
        self.asked = max((n for n, step in enumerate(self.program) if _asks_last(step)), default=-1)
        self.ended = order_text.ended
        self.round = int(game.position.round_number)

    def step(self, progress: Progress) -> AnyStep | None:
        """The next step; None behind the last one."""
        return self.program[progress.at] if progress.at < len(self.program) else None

    def decide(self, position: Position, progress: Progress) -> Decision:
        """What the orders do in a position, which may be the seat's view of it."""
        notes: list[Note] = []
        if position.chance != Chance.NONE:
            return Decision(None, progress, (), Standstill.PENDING, CHANCE_PENDING)
        while True:
            # Orders are for one turn: they never act in a later turn of the same seat.
            over = self._over(position, progress)
            if over is not None:
                return Decision(None, progress, (*notes, *over), Standstill.DONE)
            step = self.step(progress)
            if not self.seat_view.acts(position) and not _is_out_of_turn(step):
                return self._others_decide(position, progress, tuple(notes))
            result = self._result(step, position, progress)
            notes += result.notes
            if result.action is not None:
                return Decision(result.action, result.progress, tuple(notes))
            if result.pause:
                paused = Standstill.PAUSED
                return Decision(None, progress, tuple(notes), paused, result.pause)
            if step is None:
                return Decision(None, progress, tuple(notes), Standstill.DONE)
            progress = result.progress

    def _others_decide(
        self, position: Position, progress: Progress, notes: tuple[Note, ...]
    ) -> Decision:
        """Wait for another seat where orders are left; the reason says for whom.

        In the set-up END ends no turn, so it waits for nobody.
        """
        if self.step(progress) is None and not (self.ended and self.round):
            return Decision(None, progress, notes, Standstill.DONE)
        colours = " and ".join(self.seat_view.deciding(position)).capitalize() or "Another player"
        what = "chooses the defence dice" if position.phase == Phase.DEFEND else "is to move"
        reason = f"{colours} {what}; your orders go on behind that."
        return Decision(None, progress, notes, Standstill.WAITING, reason)

    def _over(self, position: Position, progress: Progress) -> tuple[Note, ...] | None:
        """A note on each order left when the turn or the game is over; None while it goes on.

        Out-of-turn orders are not noted: they need no turn.
        """
        passed = self.round > 0 and position.turn != self.seat_view.seat
        if position.phase == Phase.OVER:
            what = "game"
        elif position.round_number != self.round or (
            passed and not _is_out_of_turn(self.step(progress))
        ):
            what = "turn"
        else:
            return None
        left = [step for step in self.program[progress.at :] if isinstance(step, ProgramStep)]
        lines = sorted({step.line for step in left if not _is_out_of_turn(step)})
        return tuple(Note(n, "orders/over", f"not reached: the {what} was over.") for n in lines)

    def _result(self, step: AnyStep | None, position: Position, progress: Progress) -> StepResult:
        context = StepContext(self.seat_view, position, 0, progress)
        match step:
            case None if position.phase == Phase.TRADE and self.ended:
                return context.wait(SPOILS)
            case None:
                return close(context) if self.ended else context.done()
            case Jump(to):
                return StepResult(None, progress.behind(to))
            case ConditionalJump(_, test, otherwise):
                holds = self._holds(test, position, progress.attack)
                return StepResult(None, progress.behind(None if holds else otherwise))
            case ProgramStep(line, order):
                if isinstance(order, AttackOrder) and progress.at < self.asked:
                    progress = progress._replace(attack=progress.at)
                context = StepContext(self.seat_view, position, line, progress)
                if position.phase == Phase.TRADE and _is_interrupted(order, progress):
                    return context.wait(SPOILS)
                return HANDLERS[type(order)](context, order)

    def _last_taken(self, position: Position, attack: int) -> bool:
        step = self.program[attack] if attack >= 0 else None
        if not isinstance(step, ProgramStep) or not isinstance(step.order, AttackOrder):
            return False
        return all(self.seat_view.holds(position, t) for t in step.order.path[1:])

    def _holds(self, test: Test, position: Position, attack: int) -> bool:
        seat_view = self.seat_view
        match test:
            case AllTaken(territories, expected):
                return all(seat_view.holds(position, t) for t in territories) is expected
            case LastTaken(expected):
                return self._last_taken(position, attack) is expected
            case Holds(territory, comparison, number):
                return COMPARE[comparison](seat_view.armies(position, territory), number)
            case CardEarned():
                return bool(card_earned(position, seat_view.rules))
            case EliminatedCondition(colour):
                return seat_view.is_out(position, colour)


def _is_out_of_turn(step: object) -> bool:
    """Whether a step is possible while another seat is to move."""
    return isinstance(step, ProgramStep) and isinstance(step.order, OUT_OF_TURN_ORDERS)


def _is_interrupted(order: SimpleOrder, progress: Progress) -> bool:
    """Whether an order cannot go on before the cards won are traded."""
    if isinstance(order, AttackOrder):
        return progress.part + 1 < len(order.path)
    return isinstance(order, FortifyOrder | ObjectiveOrder | EndOrder)


def _asks_last(step: AnyStep) -> bool:
    """Whether a step tests the last attack."""
    return isinstance(step, ConditionalJump) and isinstance(step.test, LastTaken)
