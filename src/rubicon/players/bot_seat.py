"""Own bots in their seats: their answers are checked, their time is limited, their errors
explained.
"""

from __future__ import annotations

import inspect
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar, cast

import numpy as np

from rubicon.engine.chance import generator
from rubicon.engine.legal_actions import range_buffer
from rubicon.errors import RubiconError, WrongType, shown
from rubicon.orders.errors import OrdersError
from rubicon.orders.execute.executor import OrderExecutor
from rubicon.orders.execute.program import Progress
from rubicon.orders.parse.parser import read_orders
from rubicon.players.bot import Answer, Bot
from rubicon.players.view import View
from rubicon.rules.actions import ACTION_CLASSES, Action, StandingOrder, action_of
from rubicon.rules.game import Game
from rubicon.rules.legal import ActionRange, Legal
from rubicon.wording import numbered, quoted

# What goes wrong with a bot: who it is, what it did, and what it could have done.

MOST_SHOWN = 6  # ranges of legal actions in a message


class PlayerError(RubiconError):
    """A player that cannot play on; the message begins with its name and its seat."""

    def __init__(self, code: str, who: str, problem: str, suggestion: str = "") -> None:
        super().__init__(f"player/{code}", f"{who}: {problem}", suggestion)

    def in_game(self, game: str) -> PlayerError:
        """The same error, with a sentence on the game that it happened in."""
        made = PlayerError.__new__(PlayerError)
        RubiconError.__init__(made, self.code, self.message, f"{self.suggestion} {game}".strip())
        return made


def choices(legal: Legal) -> str:
    """`Legal now: claim alaska, claim peru, and 40 more.`"""
    shown = [str(one) for one in legal.ranges_between(0, MOST_SHOWN)]
    more = legal.range_count - len(shown)
    rest = f", and {numbered(more, 'other range', 'other ranges')}" if more else ""
    return f"Legal now: {', '.join(shown)}{rest}."


# Answers of a seat that is not ours: actions and orders, checked before they are played.


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


# A time limit for code that runs in this process: an alarm that interrupts the main thread.

AGAIN = 1.0  # seconds until the next alarm, where the code has caught one

Result = TypeVar("Result")


class TimeUp(BaseException):
    """The code has had its time; no Exception, because code often catches all of those."""


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """What `work` returns. Raises TimeUp where it takes longer than so many seconds.

    Only Python code can be interrupted, between two of its steps: machine code ends first. Where
    there is no alarm (on Windows, or in another thread than the main one) there is no limit.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        return work()
    before = signal.signal(signal.SIGALRM, _time_up)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        try:
            return work()
        finally:
            # The alarm may come just before this line runs: then the outer `finally` turns it off.
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _time_up(number: int, frame: FrameType | None) -> None:
    raise TimeUp


# Own bots in their seats: a class or a function of a view, or a compiled policy.

# A compiled policy takes (view, rules, board, seat, buffer, rng), and returns an action's code.
OF_A_POLICY = 6
# `exit()` in a bot would end the whole program.
FAILURES = (Exception, SystemExit)


Decide = Callable[[Game], Answer]


class BotSeat:
    """An own bot in one seat: it is asked, and what it answers is checked.

    `name` is what it was asked for by. What it prints goes to the standard error: the standard
    output is for results and for answers. `seconds` is its limit for a decision, and to begin: see
    `within` for what can be interrupted. Errors are PlayerError: `player/failed` where its code
    raises, `player/too-slow`, and what `SeatAnswers` raises.
    """

    def __init__(
        self,
        name: str,
        made: Callable[..., Any],
        seat: str,
        *,
        seed: int = 0,
        seconds: float | None = None,
    ) -> None:
        self.name = name
        self.seat = seat
        self.seconds = seconds
        self._folder = folder_of(made)
        self._answers = SeatAnswers(f"{name} as {seat}", seat)
        self._ask = self._in_time(lambda: asked(made, seat, seed))

    def decide(self, game: Game) -> Action:
        """The action of the seat, which must have a pending decision."""
        if not isinstance(game, Game):
            raise WrongType("player/not-a-game", game, "a game", "Give the Game, not its view.")
        action = self._answers.going_on(game)
        if action is not None:
            return action
        answer = self._in_time(lambda: self._ask(game))
        if isinstance(answer, str):
            return self._answers.ordered(answer, game)
        if type(answer) not in ACTION_CLASSES:
            raise self._answers.wrong(f"it answered {told(answer)}.", game)
        return self._answers.checked(answer, game)

    def close(self) -> None:
        """Nothing has to be ended."""

    def _in_time(self, work: Callable[[], Result]) -> Result:
        """What the bot's own code returns."""
        try:
            with redirect_stdout(sys.stderr):
                return work() if self.seconds is None else within(self.seconds, work)
        except TimeUp as error:
            problem = f"no answer within {self.seconds:g} seconds{self._where(error)}."
            wanted = "Answer sooner, or allow more with --bot-seconds."
            raise PlayerError("too-slow", self._answers.who, problem, wanted) from error
        except FAILURES as error:
            said = f": {error}" if str(error) else ""
            problem = f"{type(error).__name__}{said}{self._where(error)}."
            raise PlayerError("failed", self._answers.who, problem, "Correct the bot.") from error

    def _where(self, error: BaseException) -> str:
        # The last line of the bot itself, not that of a library that it calls.
        frames = traceback.extract_tb(error.__traceback__)
        own = [one for one in frames if Path(one.filename).parent == self._folder]
        return f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""

    def __repr__(self) -> str:
        return f"<BotSeat {self.name} as {self.seat}>"


def folder_of(made: Callable[..., Any]) -> Path | None:
    """The folder of the file that a bot is written in; None where there is no such file."""
    try:
        return Path(inspect.getfile(getattr(made, "py_func", made))).parent
    except TypeError:
        return None


def told(answer: object) -> str:
    """A wrong answer, and what is wrong with it."""
    if isinstance(answer, ActionRange):
        return "a range of actions: its `lowest` and `highest` are actions"
    if isinstance(answer, type):
        return f"the class {answer.__name__}, and not an action of it: {answer.__name__}(…)"
    found = shown(answer)
    found = f"a{found[1:]}" if found.startswith("A ") else found
    return f"{found}, which is neither an action nor orders"


def asked(made: Callable[..., Any], seat: str, seed: int) -> Decide:
    """What asks a bot for its answer in a game."""
    if isinstance(made, type):
        bot: Bot = cast(type[Bot], made)(seat, seed=seed)
        return lambda game: bot.decide(View(game, seat))
    if len(inspect.signature(getattr(made, "py_func", made)).parameters) == OF_A_POLICY:
        return compiled_policy(made, seat, seed)
    return lambda game: made(View(game, seat))


def compiled_policy(policy: Callable[..., int], seat: str, seed: int) -> Decide:
    """What asks a compiled policy: it sees the view as a record, and chooses a code."""
    buffer, rng = range_buffer(), generator(seed)

    def decide(game: Game) -> Action:
        view = game.view(seat)
        with np.errstate(over="ignore"):
            code = policy(view, game.rules, game.tables, game.seat(seat), buffer, rng)
        return action_of(int(code), game)

    return decide
