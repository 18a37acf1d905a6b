"""Carrying out orders: one atomic action at a time, by the facts so far, nothing guessed.

`Carrying.decide` is a pure function of a position and of how far the orders are, so the same
code plays a live game, stands after a crash where it stood, and is looked ahead by a preview.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from rubicon.orders.plan import AllTaken, Fork, Jump, LastTaken, Progress, Step, Test, plan_of
from rubicon.orders.sheet import Sheet
from rubicon.orders.sight import Sight
from rubicon.rules.actions import Action, Decline, Place
from rubicon.rules.game import Game
from rubicon.rules.position import Chance, Phase, copy_position
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
OWED = "Chance owes an answer: settle it, then ask again."
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
    OWED = "owed"  # chance owes an answer: it is settled first, then the orders are asked again


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
        self.asked = max((n for n, step in enumerate(self.plan) if _asks_last(step)), default=-1)
        self.ended = sheet.ended
        self.spoils = spoils
        self.round = int(game.position.round_number)

    def step(self, progress: Progress) -> Step | Fork | Jump | None:
        """What comes next; None behind the last order."""
        return self.plan[progress.at] if progress.at < len(self.plan) else None

    def decide(self, position: Any, progress: Progress) -> Decision:
        """What the orders do in a position, which may be a view."""
        notes: list[Note] = []
        if position.chance != Chance.NONE:
            return Decision(None, progress, (), Standstill.OWED, OWED)
        while True:
            over = self._over(position, progress)
            if over is not None:
                return Decision(None, progress, (*notes, *over), Standstill.DONE)
            step = self.step(progress)
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
        return not self._is_aside(self.step(progress))

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
                return Move(None, progress.behind(to))
            case Fork(_, test, otherwise):
                holds = self._holds(test, position, progress.attack)
                return Move(None, progress.behind(None if holds else otherwise))
            case Step(line, order):
                if isinstance(order, AttackOrder) and progress.at < self.asked:
                    here = here._replace(progress=progress._replace(attack=progress.at))
                here = here._replace(line=line)
                if position.phase == Phase.TRADE and self._interrupted(order, progress):
                    return self._trade_spoils(here)
                return CARRY[type(order)](here, order)

    def _last_taken(self, position: Any, attack: int) -> bool:
        step = self.plan[attack] if attack >= 0 else None
        if not isinstance(step, Step) or not isinstance(step.order, AttackOrder):
            return False
        return all(self.sight.holds(position, t) for t in step.order.path[1:])

    def _holds(self, test: Test, position: Any, attack: int) -> bool:
        sight = self.sight
        match test:
            case AllTaken(territories, expected):
                return all(sight.holds(position, t) for t in territories) is expected
            case LastTaken(expected):
                return self._last_taken(position, attack) is expected
            case Holds(territory, comparison, number):
                return COMPARE[comparison](sight.armies(position, territory), number)
            case CardEarned():
                return bool(card_earned(position, sight.rules))
            case Eliminated(colour):
                return sight.is_out(position, colour)

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


def _asks_last(step: Step | Fork | Jump) -> bool:
    """Whether a step wants to know what became of the last attack."""
    return isinstance(step, Fork) and isinstance(step.test, LastTaken)
