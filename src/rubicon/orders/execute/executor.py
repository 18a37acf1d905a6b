"""Executes orders: one atomic action at a time, decided on the facts at that moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from rubicon.engine.cards import card_earned
from rubicon.engine.records import Chance, Phase, Position
from rubicon.errors import RubiconError
from rubicon.orders import syntax
from rubicon.orders.execute import program
from rubicon.orders.execute.turn import (
    advance,
    attack,
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
    trade,
)
from rubicon.rules.actions import Action, Resign, RevealMission, StandingOrder
from rubicon.rules.events import Event
from rubicon.rules.game import Entry, Game

# Executes orders: one atomic action at a time, decided on the facts at that moment.
#
# `OrderExecutor.decide` is a pure function of a position and a progress. The same code therefore
# plays a running game, comes to the same progress when a game is rebuilt after a crash, and
# explores every branch of a preview.

AnyStep = program.ProgramStep | program.ConditionalJump | program.Jump
Handler = Callable[[program.StepContext, Any], program.StepResult]

HANDLERS: Mapping[type, Handler] = {
    syntax.TradeOrder: trade,
    syntax.DeployOrder: deploy,
    syntax.AttackOrder: attack,
    syntax.AdvanceOrder: advance,
    syntax.FortifyOrder: fortify,
    syntax.ManoeuvreOrder: manoeuvre,
    syntax.DefendOrder: defend,
    syntax.ClaimOrder: claim,
    syntax.CapitalOrder: capital,
    syntax.ObjectiveOrder: objective,
    syntax.DeclineOrder: decline,
    syntax.RevealOrder: reveal,
    syntax.SealOrder: seal,
    syntax.EndOrder: end,
}
OUT_OF_TURN_ORDERS = (
    syntax.DefendOrder,
    syntax.RevealOrder,
)  # possible while another seat is to move
COMPARE: Mapping[syntax.Comparison, Callable[[int, int], bool]] = {
    syntax.Comparison.LESS: lambda a, b: a < b,
    syntax.Comparison.AT_MOST: lambda a, b: a <= b,
    syntax.Comparison.EQUAL: lambda a, b: a == b,
    syntax.Comparison.NOT_EQUAL: lambda a, b: a != b,
    syntax.Comparison.AT_LEAST: lambda a, b: a >= b,
    syntax.Comparison.MORE: lambda a, b: a > b,
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
    """The next action and the progress after it; or why there is none.

    `reason` is a sentence for the player where orders pause, or wait for another seat.
    """

    action: Action | None
    progress: program.Progress
    notes: tuple[program.Note, ...] = ()
    standstill: Standstill | None = None
    reason: str = ""


class OrderExecutor:
    """The orders of one seat, for one turn or for the set-up, compiled."""

    def __init__(self, order_text: syntax.OrderText, game: Game, colour: str) -> None:
        self.seat_view = program.SeatView(game, colour)
        self.program = program.compile_orders(order_text.orders)
        # The last step that tests the last attack: after it, progress forgets that attack.
        self.asked = max((n for n, step in enumerate(self.program) if _asks_last(step)), default=-1)
        self.ended = order_text.ended
        self.round = int(game.position.round_number)

    def step(self, progress: program.Progress) -> AnyStep | None:
        """The next step; None after the last one."""
        return self.program[progress.at] if progress.at < len(self.program) else None

    def decide(self, position: Position, progress: program.Progress) -> Decision:
        """What the orders do in a position, which may be the seat's view of it."""
        notes: list[program.Note] = []
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
        self, position: Position, progress: program.Progress, notes: tuple[program.Note, ...]
    ) -> Decision:
        """Wait for another seat where orders are left; the reason says for whom.

        In the set-up END ends no turn, so it waits for no one.
        """
        if self.step(progress) is None and not (self.ended and self.round):
            return Decision(None, progress, notes, Standstill.DONE)
        colours = " and ".join(self.seat_view.deciding(position)).capitalize() or "Another player"
        what = "chooses the defence dice" if position.phase == Phase.DEFEND else "is to move"
        reason = f"{colours} {what}; your orders continue after that."
        return Decision(None, progress, notes, Standstill.WAITING, reason)

    def _over(
        self, position: Position, progress: program.Progress
    ) -> tuple[program.Note, ...] | None:
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
        left = [
            step for step in self.program[progress.at :] if isinstance(step, program.ProgramStep)
        ]
        lines = sorted({step.line for step in left if not _is_out_of_turn(step)})
        return tuple(
            program.Note(n, "orders/over", f"not reached: the {what} was over.") for n in lines
        )

    def _result(
        self, step: AnyStep | None, position: Position, progress: program.Progress
    ) -> program.StepResult:
        context = program.StepContext(self.seat_view, position, 0, progress)
        match step:
            case None if position.phase == Phase.TRADE and self.ended:
                return context.wait(SPOILS)
            case None:
                return close(context) if self.ended else context.done()
            case program.Jump(to):
                return program.StepResult(None, progress.behind(to))
            case program.ConditionalJump(_, test, otherwise):
                holds = self._holds(test, position, progress.attack)
                return program.StepResult(None, progress.behind(None if holds else otherwise))
            case program.ProgramStep(line, order):
                if isinstance(order, syntax.AttackOrder) and progress.at < self.asked:
                    progress = progress._replace(attack=progress.at)
                context = program.StepContext(self.seat_view, position, line, progress)
                if position.phase == Phase.TRADE and _is_interrupted(order, progress):
                    return context.wait(SPOILS)
                return HANDLERS[type(order)](context, order)

    def _last_taken(self, position: Position, attack: int) -> bool:
        step = self.program[attack] if attack >= 0 else None
        if not isinstance(step, program.ProgramStep) or not isinstance(
            step.order, syntax.AttackOrder
        ):
            return False
        return all(self.seat_view.holds(position, t) for t in step.order.path[1:])

    def _holds(self, test: program.Test, position: Position, attack: int) -> bool:
        seat_view = self.seat_view
        match test:
            case program.AllTaken(territories, expected):
                return all(seat_view.holds(position, t) for t in territories) is expected
            case program.LastTaken(expected):
                return self._last_taken(position, attack) is expected
            case syntax.Holds(territory, comparison, number):
                return COMPARE[comparison](seat_view.armies(position, territory), number)
            case syntax.CardEarned():
                return bool(card_earned(position, seat_view.rules))
            case syntax.EliminatedCondition(colour):
                return seat_view.is_out(position, colour)


def _is_out_of_turn(step: object) -> bool:
    """Whether a step is possible while another seat is to move."""
    return isinstance(step, program.ProgramStep) and isinstance(step.order, OUT_OF_TURN_ORDERS)


def _is_interrupted(order: syntax.SimpleOrder, progress: program.Progress) -> bool:
    """Whether an order cannot go on before the cards won are traded."""
    if isinstance(order, syntax.AttackOrder):
        return progress.part + 1 < len(order.path)
    return isinstance(order, syntax.FortifyOrder | syntax.ObjectiveOrder | syntax.EndOrder)


def _asks_last(step: AnyStep) -> bool:
    """Whether a step tests the last attack."""
    return isinstance(step, program.ConditionalJump) and isinstance(step.test, program.LastTaken)


# Orders in execution on a running game; after a crash they are replayed from its record.

OUT_OF_TURN = (StandingOrder, RevealMission, Resign)  # a seat may do these alongside its orders


class RunningOrders:
    """A seat's orders in execution: `next` is their next action, `play` applies one.

    The caller plays the action of `next`, settles pending chance, and asks again until there is
    no action. Actions of other seats are played here too. After a crash the caller builds this
    object again from the game as it was when the orders were accepted, and plays the entries
    that were recorded since; execution is deterministic, so it arrives at the same progress.
    """

    def __init__(self, order_text: syntax.OrderText, game: Game, colour: str) -> None:
        self.executor = OrderExecutor(order_text, game, colour)
        self.colour = colour
        self.progress = program.Progress()
        self.actions: list[Action] = []  # taken by the orders so far
        self._noted: dict[program.Note, None] = {}
        self._known: tuple[bytes, Decision] | None = None

    @property
    def notes(self) -> tuple[program.Note, ...]:
        """The notes so far, each once."""
        last = self._known[1].notes if self._known else ()
        return tuple(dict.fromkeys((*self._noted, *last)))

    def next(self, game: Game) -> Decision:
        """The next action, or why there is none. It changes nothing and is cached by position."""
        # The whole position is the key: whatever changed it, the cached decision is dropped.
        now = game.position.tobytes()
        if self._known is None or self._known[0] != now:
            decision = self.executor.decide(game.view(self.colour), self.progress)
            self._known = now, decision
        return self._known[1]

    def follow(self, game: Game, action: Action) -> None:
        """Advance the progress over an action of any seat that is about to be played.

        Raises RubiconError, `orders/other-record`, where the seat acts against its own orders.
        """
        if game.actor_of(action) == self.colour:
            decision = self.next(game)
            if action == decision.action:
                self._noted |= dict.fromkeys(decision.notes)
                self.progress = decision.progress
                self.actions.append(action)
            elif decision.action is not None and not isinstance(action, OUT_OF_TURN):
                raise RubiconError(
                    "orders/other-record",
                    f"The record has '{action}' where the orders have '{decision.action}'.",
                    "Start from the game as it was when the orders were accepted.",
                )
        self._known = None

    def play(self, game: Game, entry: Entry) -> Sequence[Event]:
        """Play an action of any seat, or settle an outcome, and advance the progress."""
        if not isinstance(entry, Action):
            return game.settle(entry)
        self.follow(game, entry)
        return game.play(entry)


# One action at a time: how the terminal's prompt executes an order.


def is_single_step(order: syntax.Order, game: Game) -> bool:
    """Whether an order at a prompt means one action, not all that it means in an order text.

    An ATTACK across one border without UNTIL and ADVANCE is one roll; a DEPLOY is one placement
    while the seats place starting armies in turn. Every other order is executed to its end.
    """
    if isinstance(order, syntax.AttackOrder):
        return len(order.path) == 2 and not order.stops and order.advance is None
    return isinstance(order, syntax.DeployOrder) and game.position.phase == Phase.PLACE


def first_action(order_text: syntax.OrderText, game: Game, colour: str) -> Action:
    """The first action of a seat's orders; RubiconError, with the reason, where there is none."""
    decision = OrderExecutor(order_text, game, colour).decide(game.view(colour), program.Progress())
    if decision.action is not None:
        return decision.action
    if not game.pending and colour not in game.actors:
        others = " and ".join(game.actors).capitalize() or "No player"
        raise RubiconError("orders/not-your-move", f"{others} is to move, not you.", "")
    for note in decision.notes:
        raise RubiconError(note.code, note.message, "")
    raise RubiconError("orders/nothing-to-do", decision.reason or "There is nothing to do.", "")
