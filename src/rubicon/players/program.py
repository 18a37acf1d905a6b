"""A program of any language in a seat: a line of JSON for a decision, a line back."""

from __future__ import annotations

import json
import math
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, TypeAlias

from rubicon.errors import RubiconError, WrongType
from rubicon.orders.parse.action import read_action
from rubicon.players.bot_seat import PlayerError, SeatAnswers
from rubicon.players.view import View
from rubicon.rules.actions import Action
from rubicon.rules.game import Game
from rubicon.wording import quoted

# The messages between Rubicon and a program that plays a seat: one JSON object a line.
#
# `docs/bots.md` describes them. All that is said of a position comes from the view of the seat.

VERSION = 1
MOST_BYTES = 1_000_000  # of a line
Message: TypeAlias = dict[str, Any]


def line_of(message: Message) -> bytes:
    """A message as one line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> Message:
    """The message of a line; RubiconError `player/not-json` where it is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if isinstance(message, dict) and isinstance(message.get("kind"), str):
        return message
    start = line[:80].decode(errors="replace")
    raise RubiconError(
        "player/not-json",
        f"{start!r} is no message.",
        'A message is one line: a JSON object with "kind".',
    )


def hello(game: Game, seat: str, seed: int, seconds: float) -> Message:
    """The first message: the game, its board, and the seat to play."""
    board = game.ruleset.board
    ids = game.territories
    adjacent = game.tables.adjacent
    return {
        "kind": "hello",
        "version": VERSION,
        "seat": seat,
        "seats": list(game.colours),
        "seed": seed,
        "seconds": seconds,
        "ruleset": game.ruleset.name,
        "options": {name: str(value) for name, value in game.ruleset.differences.items()},
        "board": {
            "name": board.id,
            "territories": {
                land.id: {
                    "name": land.name,
                    "continent": board.continents[land.continent].id,
                    "neighbours": [ids[n] for n in range(len(ids)) if adjacent[t, n]],
                }
                for t, land in enumerate(board.territories)
            },
            "continents": {
                one.id: {
                    "name": one.name,
                    "bonus": one.bonus,
                    "territories": [ids[t] for t in one.territories],
                }
                for one in board.continents
            },
        },
    }


def decide(view: View, number: int, seconds: float) -> Message:
    """A question: decide in this position, within so many seconds."""
    return {
        "kind": "decide",
        "number": number,
        "seconds": seconds,
        "view": seen(view),
        "legal": [
            {"lowest": str(one.lowest), "highest": str(one.highest), "size": one.size}
            for one in view.legal.ranges
        ],
        "position": view.text,
    }


def seen(view: View) -> Message:
    """What a seat sees, by the names of `View`."""
    return {
        "round": view.round,
        "turn": view.turn,
        "phase": view.phase,
        "unplaced": view.unplaced,
        "income": view.me.income,
        "cards": list(view.cards),
        "next_set": view.next_set,
        "mission": view.mission,
        "seats": {
            colour: {
                "playing": one.playing,
                "territories": one.territories,
                "armies": one.armies,
                "cards": one.cards,
                "income": one.income,
            }
            for colour, one in view.seats.items()
        },
        "territories": {
            land.id: {"owner": land.owner, "armies": land.armies} for land in view.territories
        },
        "continents": {one.id: {"owner": one.owner} for one in view.continents},
    }


def over(game: Game | None, seat: str) -> Message:
    """The last message: who won, and the end as the seat sees it; null where no one knows."""
    finished = game is not None and game.over
    return {
        "kind": "over",
        "finished": finished,
        "winner": game.winner if game is not None else None,
        "position": View(game, seat).text if game is not None else None,
    }


# A program in its own process: lines go in, lines come out, and nothing waits for ever.

SECONDS = 30.0  # for a decision
START_SECONDS = 120.0  # for a program to start on a busy machine
END_SECONDS = 2.0  # for a program to end by itself
MOST_WAITING = 4  # lines that were not asked for, before the program has to wait


class ProgramError(RubiconError):
    """A program that has ended, is silent, or says what no one understands."""


class Program:
    """A running program. Its standard error goes where ours goes.

    Raises ProgramError `player/no-program` where it cannot be started.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        self._process = started(command)
        self._lines: queue.Queue[bytes] = queue.Queue(MOST_WAITING)
        self._to_send: queue.Queue[bytes | None] = queue.Queue()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._threads = (
            started_thread(write_lines, self._process.stdin, self._to_send),
            started_thread(read_lines, self._process.stdout, self._lines),
        )
        self._killed = weakref.finalize(self, kill, self._process)

    def send(self, message: Message) -> None:
        """Send a message; this never waits."""
        self._to_send.put(line_of(message))

    def receive(self, seconds: float) -> Message:
        """The next message; ProgramError `player/too-slow`, `player/ended`, `player/too-long`.

        RubiconError `player/not-json`.
        """
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise ProgramError(
                "player/too-slow",
                f"no answer within {seconds:g} seconds.",
                "Answer sooner, and flush the output after every line.",
            ) from None
        if not line:
            raise self._ended()
        if not line.endswith(b"\n"):
            if len(line) < MOST_BYTES:
                raise self._ended()
            raise ProgramError(
                "player/too-long",
                f"a line of more than {MOST_BYTES:,} bytes.",
                "Answer in one short line.",
            )
        return read_line(line)

    def _ended(self) -> ProgramError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with status {code}"
        return ProgramError(
            "player/ended", f"the program {how}.", "Its own messages are on the standard error."
        )

    def close(self, *, at_once: bool = False) -> None:
        """Close its input, wait a moment for its end unless `at_once`, and then end it."""
        if not self._killed.alive:
            return
        self._to_send.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0 if at_once else END_SECONDS)
        self._killed()
        # What it still had to say is thrown away. Only a program that has left its group can hold
        # its pipes open now, and is not waited for.
        latest = time.monotonic() + END_SECONDS
        while any(one.is_alive() for one in self._threads) and time.monotonic() < latest:
            with suppress(queue.Empty):
                self._lines.get(timeout=0.01)


def started(command: str) -> subprocess.Popen[bytes]:
    """The process of a command, which no shell reads."""
    words = words_of(command)
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # A group of its own: control-C is for us, and all that it starts ends with it.
            start_new_session=True,
        )
    except OSError as error:
        raise not_started(command, error.strerror or str(error)) from error


def words_of(command: str) -> list[str]:
    """The program and its arguments; ProgramError where there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise not_started(command, str(error)) from error
    if not words or shutil.which(words[0]) is None:
        raise not_started(command, "there is no such program")
    return words


def not_started(command: str, why: str) -> ProgramError:
    """The error for a program that cannot be started."""
    return ProgramError(
        "player/no-program",
        f"{quoted(command)} cannot be started: {why}.",
        "Write exec:COMMAND, with the program and its arguments as in a shell.",
    )


def started_thread(work: Callable[..., None], *arguments: object) -> threading.Thread:
    """A thread that does not keep the process alive."""
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def write_lines(stream: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    """Write lines until None; a program that has closed its input does not hear them."""
    with suppress(OSError, ValueError):
        while (line := lines.get()) is not None:
            stream.write(line)
            stream.flush()
    with suppress(OSError, ValueError):
        stream.close()


def read_lines(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Read lines until the end, which is b""; a line that is too long is the last."""
    with suppress(OSError, ValueError), stream:
        while line := stream.readline(MOST_BYTES):
            lines.put(line)
            if not line.endswith(b"\n"):
                break
    lines.put(b"")


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it has started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


# A program in a seat: `exec:COMMAND`.


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
                    action = read_action(text, game.ruleset.board, game.colours)
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
