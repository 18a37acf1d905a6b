"""Own bots in their seats: a class or a function of a view, or a compiled policy."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from rubicon.arguments import WrongType, shown
from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.sampling import generator
from rubicon.players.bots.answers import SeatAnswers
from rubicon.players.bots.bot import Answer, Bot
from rubicon.players.bots.errors import PlayerError
from rubicon.players.bots.time_limit import TimeUp, within
from rubicon.players.bots.view import View
from rubicon.rules.actions import ACTION_CLASSES, Action, action_of
from rubicon.rules.game.game import Game
from rubicon.rules.game.legal import ActionRange

# A compiled policy takes (view, rules, board, seat, buffer, rng), and returns an action's code.
OF_A_POLICY = 6
# `exit()` in a bot would end the whole program.
FAILURES = (Exception, SystemExit)

Result = TypeVar("Result")
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
