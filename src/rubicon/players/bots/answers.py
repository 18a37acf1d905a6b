"""Answers of a seat that is not ours: actions and orders, checked before they are played."""

from __future__ import annotations

from rubicon.errors import RubiconError
from rubicon.orders.errors import OrdersError
from rubicon.orders.execute.executor import OrderExecutor
from rubicon.orders.execute.program import Progress
from rubicon.orders.parse.parser import read_orders
from rubicon.players.bots.errors import PlayerError, choices
from rubicon.rules.actions import Action, StandingOrder
from rubicon.rules.game.game import Game
from rubicon.wording import quoted


class SeatAnswers:
    """The orders of one seat while they are carried out, and the check of every action.

    `who` names the player and its seat in errors.
    """

    def __init__(self, who: str, seat: str) -> None:
        self.who = who
        self.seat = seat
        self._executor: OrderExecutor | None = None
        self._progress = Progress()
        self._standing = 0  # standing orders since the last decision

    def going_on(self, game: Game) -> Action | None:
        """The next action of the orders given before; None where the player must be asked."""
        if self._executor is None:
            return None
        decision = self._executor.decide(game.view(self.seat), self._progress)
        if decision.action is None:
            self._executor = None
            return None
        self._progress = decision.progress
        return self.checked(decision.action, game)

    def ordered(self, text: str, game: Game) -> Action:
        """The first action of an order text; PlayerError `player/orders`, `player/idle`."""
        self._executor, self._progress = self._read(text, game), Progress()
        decision = self._executor.decide(game.view(self.seat), self._progress)
        if decision.action is None:
            self._executor = None
            why = " ".join(note.message for note in decision.notes) or decision.reason
            problem = f"the orders {quoted(text)} do nothing now. {why}".strip()
            raise self._wrong("idle", problem, game)
        self._progress = decision.progress
        return self.checked(decision.action, game)

    def _read(self, text: str, game: Game) -> OrderExecutor:
        names = dict(zip(game.names, game.colours, strict=True))
        try:
            orders = read_orders(text, game.ruleset.board, game.colours, names=names)
            if orders.warnings:
                raise OrdersError(orders.warnings, str(orders))
            executor = OrderExecutor(orders, game, self.seat)
        except OrdersError as error:
            first = f"{error.problems[0]} [{error.problems[0].code}]"
            raise self._wrong("orders", f"{quoted(text)} cannot be read: {first}", game) from error
        except RubiconError as error:
            raise self._wrong("orders", f"{quoted(text)}: {error} [{error.code}]", game) from error
        if orders.requests:
            problem = f"{quoted(str(orders.requests[0]))} is a request, and no order."
            raise self._wrong("orders", problem, game)
        return executor

    def checked(self, action: Action, game: Game) -> Action:
        """The action, if it is legal for the seat; PlayerError `player/illegal`, `player/loop`."""
        try:
            refused = game.refusal(action, seat=self.seat)
        except (RubiconError, TypeError, ValueError) as error:
            # It names what this game has not, or has a text where a number belongs.
            raise self._wrong("illegal", f"{action!r} is no action here. {error}", game) from error
        if refused is not None:
            raise self._wrong("illegal", f"{str(action)!r} is not legal. {refused}", game)
        self._standing = self._standing + 1 if isinstance(action, StandingOrder) else 0
        if self._standing > len(game.territories) + 1:
            raise self._wrong("loop", "standing orders without end, and no decision.", game)
        return action

    def wrong(self, problem: str, game: Game) -> PlayerError:
        """The error for an answer that is neither an action nor orders."""
        return self._wrong("no-answer", problem, game)

    def _wrong(self, code: str, problem: str, game: Game) -> PlayerError:
        ended = problem if problem.endswith(".") else f"{problem}."
        return PlayerError(code, self.who, ended, choices(game.legal_for(self.seat)))
