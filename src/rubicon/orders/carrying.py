"""Carrying out orders: one atomic action at a time, by the facts so far, nothing guessed.

`Carrying.decide` is a pure function of a position and of how far the orders are, so the same
code plays a live game, stands after a crash where it stood, and is looked ahead by a preview.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from rubicon.orders import carrying_attack, carrying_cards, carrying_turn
from rubicon.orders.move import Here, Move, Note
from rubicon.orders.order import (
    AdvanceOrder,
    AttackOrder,
    CapitalOrder,
    CardEarned,
    ClaimOrder,
    Comparison,
    DefendOrder,
    DeployOrder,
    Eliminated,
    EndOrder,
    FortifyOrder,
    Holds,
    ManoeuvreOrder,
    ObjectiveOrder,
    RevealOrder,
    SimpleOrder,
    TradeOrder,
)
from rubicon.orders.plan import AllTaken, Fork, Jump, Progress, Step, Test, plan_of
from rubicon.orders.sheet import Sheet
from rubicon.orders.sight import Sight
from rubicon.rules.actions import Action, Decline, Place
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Entry, Game
from rubicon.rules.position import Phase, Seat, copy_position
from rubicon.rules.procedures.cards import card_earned, trade_forced
from rubicon.rules.procedures.play import apply

Carry = Callable[[Here, Any], Move]

CARRY: Mapping[type, Carry] = {
    TradeOrder: carrying_cards.trade,
    DeployOrder: carrying_turn.deploy,
    AttackOrder: carrying_attack.attack,
    AdvanceOrder: carrying_attack.advance,
    FortifyOrder: carrying_turn.fortify,
    ManoeuvreOrder: carrying_turn.manoeuvre,
    DefendOrder: carrying_turn.defend,
    ClaimOrder: carrying_turn.claim,
    CapitalOrder: carrying_turn.capital,
    ObjectiveOrder: carrying_turn.objective,
    RevealOrder: carrying_turn.reveal,
    EndOrder: carrying_turn.end,
}
ASIDES = (DefendOrder, RevealOrder)
COMPARE: Mapping[Comparison, Callable[[int, int], bool]] = {
    Comparison.LESS: lambda a, b: a < b,
    Comparison.AT_MOST: lambda a, b: a <= b,
    Comparison.EQUAL: lambda a, b: a == b,
    Comparison.NOT_EQUAL: lambda a, b: a != b,
    Comparison.AT_LEAST: lambda a, b: a >= b,
    Comparison.MORE: lambda a, b: a > b,
}
SPOILS = "Cards won must be traded or declined: TRADE BEST, then DEPLOY."


class Spoils(Enum):
    """What happens where an elimination opens a trade in the middle of a path."""

    PAUSE = "pause"  # the orders stop there and say so
    TRADE_BEST = "trade best"  # TRADE BEST, DEPLOY REST where the attack goes on


class Standstill(Enum):
    """Why no action follows."""

    DONE = "done"  # every order was carried out, or could not be
    PAUSED = "paused"  # a decision is owed that the orders leave open
    WAITING = "waiting"  # somebody else decides first


@dataclass(frozen=True, slots=True)
class Decision:
    """The next action and how far the orders are behind it; or why there is none."""

    action: Action | None
    progress: Progress
    notes: tuple[Note, ...] = ()
    standstill: Standstill | None = None
    reason: str = ""


class Carrying:
    """Orders of one seat, for one turn (or for the set-up), ready to be carried out."""

    def __init__(
        self, sheet: Sheet, game: Game, colour: str, *, spoils: Spoils = Spoils.PAUSE
    ) -> None:
        self.sight = Sight(game, colour)
        self.plan = plan_of(sheet.orders)
        self.ended = sheet.ended
        self.spoils = spoils
        self.round = int(game.position.round_number)

    def decide(self, position: Any, progress: Progress) -> Decision:
        """What the orders do in a position, which may be a view."""
        notes: list[Note] = []
        while True:
            over = self._over(position, progress)
            if over is not None:
                return Decision(None, progress, (*notes, *over), Standstill.DONE)
            step = self.plan[progress.at] if progress.at < len(self.plan) else None
            if not self.sight.acts(position) and not self._is_aside(step):
                waits = step is not None or self.ended
                still = Standstill.WAITING if waits else Standstill.DONE
                return Decision(None, progress, tuple(notes), still)
            move = self._move(step, position, progress)
            notes += move.notes
            if move.action is not None:
                return Decision(move.action, move.progress, tuple(notes))
            if move.pause:
                paused = Standstill.PAUSED
                return Decision(None, progress, tuple(notes), paused, move.pause)
            if step is None:
                return Decision(None, progress, tuple(notes), Standstill.DONE)
            progress = move.progress

    def _over(self, position: Any, progress: Progress) -> tuple[Note, ...] | None:
        """What is left undone because the turn or the game is over; None while it goes on."""
        passed = self.round > 0 and position.turn != self.sight.seat
        if position.phase == Phase.OVER:
            what = "game"
        elif position.round_number != self.round or (passed and self._only_for_turns(progress)):
            what = "turn"
        else:
            return None
        left = [step for step in self.plan[progress.at :] if isinstance(step, Step)]
        lines = sorted({step.line for step in left if not isinstance(step.order, ASIDES)})
        return tuple(Note(n, "orders/over", f"not reached: the {what} was over.") for n in lines)

    def _only_for_turns(self, progress: Progress) -> bool:
        step = self.plan[progress.at] if progress.at < len(self.plan) else None
        return not self._is_aside(step)

    @staticmethod
    def _is_aside(step: object) -> bool:
        """Whether a step answers no duty, or one of another's turn."""
        return isinstance(step, Step) and isinstance(step.order, ASIDES)

    def _move(self, step: Step | Fork | Jump | None, position: Any, progress: Progress) -> Move:
        here = Here(self.sight, position, 0, progress)
        match step:
            case None if position.phase == Phase.TRADE and self.ended:
                return self._trade_spoils(here)
            case None:
                return carrying_turn.close(here) if self.ended else here.done()
            case Jump(to):
                return Move(None, Progress(to))
            case Fork(_, test, otherwise):
                holds = self._holds(test, position)
                return Move(None, Progress(progress.at + 1 if holds else otherwise))
            case Step(line, order):
                here = here._replace(line=line)
                if position.phase == Phase.TRADE and self._interrupted(order, progress):
                    return self._trade_spoils(here)
                return CARRY[type(order)](here, order)

    def _holds(self, test: Test, position: Any) -> bool:
        sight = self.sight
        match test:
            case AllTaken(territories, expected):
                return all(sight.holds(position, t) for t in territories) is expected
            case Holds(territory, comparison, number):
                return COMPARE[comparison](sight.armies(position, territory), number)
            case CardEarned():
                return bool(card_earned(position, sight.rules))
            case Eliminated(colour):
                status = position.status[sight.game.seat(colour)]
                return bool(status in (Seat.ELIMINATED, Seat.RESIGNED))

    @staticmethod
    def _interrupted(order: SimpleOrder, progress: Progress) -> bool:
        """Whether an order cannot go on before the cards won are traded."""
        if isinstance(order, AttackOrder):
            return progress.part + 1 < len(order.path)
        return isinstance(order, FortifyOrder | ObjectiveOrder | EndOrder)

    def _front(self, progress: Progress) -> str:
        """Where the attack goes on, or where the last one ended."""
        for step in reversed(self.plan[: progress.at + 1]):
            if isinstance(step, Step) and isinstance(step.order, AttackOrder):
                here = step is self.plan[min(progress.at, len(self.plan) - 1)]
                return step.order.path[progress.part if here else -1]
        return ""

    def _trade_spoils(self, here: Here) -> Move:
        """An elimination opened a trade before these orders can go on."""
        if self.spoils is Spoils.PAUSE:
            return here.wait(SPOILS)
        position: Any = here.position
        if trade_forced(position, self.sight.rules, self.sight.tables):
            best = carrying_cards.best_set(here)
            return here.wait(SPOILS) if best is None else self._received(here, best)
        where, unplaced = self._front(here.progress), self.sight.unplaced(position)
        if unplaced and self.sight.holds(position, where):
            return self._received(here, Place(where, unplaced))
        if here.refused(Decline()) is None:
            return Move(Decline(), here.progress)
        return here.wait(SPOILS)

    def _received(self, here: Here, action: Action) -> Move:
        """An action that puts armies on the board: they are not to hide what a line has lost."""
        progress = here.progress
        if progress.start:
            after = copy_position(here.position)
            apply(after, self.sight.rules, self.sight.tables, self.sight.code(action))
            gained = self.sight.own_armies(after) - self.sight.own_armies(here.position)
            progress = progress._replace(start=progress.start + gained)
        return Move(action, progress)


@dataclass
class Report:
    """What became of orders: the actions taken, what could not be done, and where they stand."""

    actions: list[Action] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    standstill: Standstill | None = None
    reason: str = ""
    progress: Progress = field(default_factory=Progress)


def carry_out(
    sheet: Sheet,
    game: Game,
    colour: str,
    *,
    spoils: Spoils = Spoils.PAUSE,
    recorded: Iterable[Entry] = (),
    report: Report | None = None,
) -> Generator[Action, None, Report]:
    """Yield the actions of a seat's orders, one at a time; the caller plays each and settles.

    `game` stands where the orders began; `recorded` are the entries since (after a crash): they
    are played again, and the orders go on behind them. What came of it is returned, and kept in
    `report` as it grows. Raises `orders/other-record` where the record holds other actions.
    """
    carrying = Carrying(sheet, game, colour, spoils=spoils)
    report = Report() if report is None else report
    for entry in recorded:
        _replay(carrying, game, colour, entry, report)
    while True:
        decision = carrying.decide(game.view(colour), report.progress)
        _keep(report, decision)
        if decision.action is None:
            return report
        yield decision.action


def _keep(report: Report, decision: Decision) -> None:
    report.notes += [note for note in decision.notes if note not in report.notes]
    report.progress = decision.progress
    report.standstill, report.reason = decision.standstill, decision.reason
    if decision.action is not None:
        report.actions.append(decision.action)


def _replay(carrying: Carrying, game: Game, colour: str, entry: Entry, report: Report) -> None:
    """Play a recorded entry; where it was the seat's own, the orders take the step with it."""
    if not isinstance(entry, Action):
        game.settle(entry)
        return
    if game.actor_of(entry) != colour:
        game.play(entry)
        return
    decision = carrying.decide(game.view(colour), report.progress)
    if decision.action == entry:
        _keep(report, decision)
    elif decision.action is not None:
        raise RubiconError(
            "orders/other-record",
            f"The record says '{entry}' where the orders say '{decision.action}'.",
            "Hand in the game as it stood when the orders began.",
        )
    game.play(entry)
