"""Compiling says what it does when it takes long, and nothing when it does not."""

import io
import time
from collections.abc import Callable

import pytest

from rubicon.cli.warmup import ProgressLine, warm_kernels

Progress = Callable[[int, int, str], None]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def warm_at_once(progress: Progress) -> None:
    progress(1, 2, "refusal")
    progress(2, 2, "apply")


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_what_is_warm_is_quiet(stream: io.StringIO) -> None:
    warm_kernels(warm_at_once, stream)
    assert stream.getvalue() == ""


def spoken(stream: io.StringIO) -> str:
    """What is said of two steps of which the first is slow."""
    line = ProgressLine(stream, quiet=0.01)
    with line:
        line.step(1, 2, "refusal")
        while "refusal" not in stream.getvalue():
            time.sleep(0.01)
        line.step(2, 2, "apply")
        while "apply" not in stream.getvalue():
            time.sleep(0.01)
    return stream.getvalue()


def test_a_terminal_sees_one_line_that_counts() -> None:
    text = spoken(Terminal())
    assert "\r\x1b[Kcompiling the rules 1/2 refusal … 0 s" in text
    assert text.endswith("\r\x1b[Kcompiled the rules in 0 s\n")
    assert text.count("\n") == 1


def test_a_file_gets_a_line_for_each_slow_step() -> None:
    assert spoken(io.StringIO()).splitlines() == [
        "compiling the rules 1/2 refusal …",
        "compiling the rules 2/2 apply …",
        "compiled the rules in 0 s",
    ]


def test_a_failure_is_not_called_compiled() -> None:
    stream = Terminal()
    line = ProgressLine(stream, quiet=0.01)

    def fail() -> None:
        line.step(1, 2, "refusal")
        while not stream.getvalue():
            time.sleep(0.01)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), line:
        fail()
    assert stream.getvalue().endswith("\r\x1b[K")
