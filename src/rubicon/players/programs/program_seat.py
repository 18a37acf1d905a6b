"""A program in a seat: `exec:COMMAND`."""

from __future__ import annotations

import math

from rubicon.arguments import WrongType
from rubicon.errors import RubiconError
from rubicon.players.bots.answers import SeatAnswers
from rubicon.players.bots.errors import PlayerError
from rubicon.players.bots.view import View
from rubicon.players.programs.messages import VERSION, Message, decide, hello, over
from rubicon.players.programs.program import SECONDS, START_SECONDS, Program, words_of
from rubicon.rules.actions import Action
from rubicon.rules.game.game import Game
from rubicon.rules.notation.actions import parse_action
from rubicon.wording import quoted


class ProgramSeat:
    """A program that plays one seat of one game; it is started at the first decision.

    Whatever goes wrong with it is one PlayerError, and the program is ended: `player/too-slow`,
    `player/ended`, `player/too-long`, `player/not-json`, `player/bad-message`, and what
    `SeatAnswers` raises.
    """

    def __init__(self, name: str, seat: str, *, seed: int = 0, seconds: float = SECONDS) -> None:
        if not (seconds > 0 and math.isfinite(seconds)):
            raise WrongType("player/seconds", seconds, "a time in seconds", "Write seconds=30.")
        self.name = name
        self.seat = seat
        self.seconds = seconds
        self.command = name.partition(":")[2].strip()
        words_of(self.command)  # what is not there is refused before the game begins
        self._seed = seed
        self._answers = SeatAnswers(f"{name} as {seat}", seat)
        self._program: Program | None = None
        self._game: Game | None = None
        self._asked = 0  # questions so far

    def decide(self, game: Game) -> Action:
        """The action of the seat, which must have a pending decision."""
        if not isinstance(game, Game):
            raise WrongType("player/not-a-game", game, "a game", "Give the Game, not its view.")
        self._game = game
        action = self._answers.going_on(game)
        if action is not None:
            return action
        try:
            return self._answered(self._ask(game), game)
        except RubiconError as error:
            if self._program is not None:
                self._program.close(at_once=True)
                self._program = None
            if isinstance(error, PlayerError):
                raise
            code = error.code.partition("/")[2]
            raise PlayerError(code, self._answers.who, error.message, error.suggestion) from error

    def _ask(self, game: Game) -> Message:
        program = self._program or self._start(game)
        self._asked += 1
        program.send(decide(View(game, self.seat), self._asked, self.seconds))
        answer = program.receive(self.seconds)
        if answer["kind"] != "answer" or answer.get("number") != self._asked:
            wanted = f'{{"kind": "answer", "number": {self._asked}}}'
            raise self._bad(answer, f"An answer to this question has {wanted}.")
        return answer

    def _start(self, game: Game) -> Program:
        self._program = Program(self.command)
        self._program.send(hello(game, self.seat, self._seed, self.seconds))
        ready = self._program.receive(START_SECONDS)
        if ready["kind"] != "ready" or ready.get("version") != VERSION:
            raise self._bad(ready, f'The first line is {{"kind": "ready", "version": {VERSION}}}.')
        return self._program

    def _answered(self, answer: Message, game: Game) -> Action:
        match answer:
            case {"action": str(text), **rest} if "orders" not in rest:
                try:
                    action = parse_action(text, game.ruleset.board, game.colours)
                except RubiconError as error:
                    raise self._answers.wrong(f"{error} [{error.code}]", game) from error
                return self._answers.checked(action, game)
            case {"orders": str(text), **rest} if "action" not in rest:
                return self._answers.ordered(text, game)
        raise self._bad(answer, 'An answer has either "action" or "orders", a text.')

    def _bad(self, message: Message, suggestion: str) -> PlayerError:
        problem = f"{quoted(message, 120)} is not what was asked for."
        return PlayerError("bad-message", self._answers.who, problem, suggestion)

    def close(self) -> None:
        """Tell the program that it is over, and end it."""
        program, self._program = self._program, None
        if program is not None:
            program.send(over(self._game, self.seat))
            program.close()

    def __repr__(self) -> str:
        return f"<ProgramSeat {self.name} as {self.seat}>"
