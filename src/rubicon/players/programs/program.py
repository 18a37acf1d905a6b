"""A program in a process of its own: lines go in, lines come out, and nothing waits for ever."""

from __future__ import annotations

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
from typing import IO

from rubicon.errors import RubiconError
from rubicon.players.programs.messages import MOST_BYTES, Message, line_of, read_line
from rubicon.wording import quoted

SECONDS = 30.0  # for a decision
START_SECONDS = 120.0  # for a program to start on a busy machine
END_SECONDS = 2.0  # for a program to end by itself
MOST_WAITING = 4  # lines that were not asked for, before the program has to wait


class ProgramError(RubiconError):
    """A program that has ended, is silent, or says what nobody understands."""


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
