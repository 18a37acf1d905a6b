"""Compiling says what it does when it takes long, and nothing when it does not."""

import io
import time
from collections.abc import Callable

import numba
import pytest

from rubicon.cli.warmup import COMPILING, LOADING, ProgressLine, warm_kernels

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


def said(stream: io.StringIO, text: str) -> None:
    """Wait until a text is said."""
    end = time.monotonic() + 10
    while text not in stream.getvalue():
        assert time.monotonic() < end, stream.getvalue()
        time.sleep(0.01)


def spoken(stream: io.StringIO) -> str:
    """What is said where something is loaded slowly, and then something is compiled."""
    compiled: list[str] = []
    with ProgressLine(stream, compiled, quiet=0.01):
        said(stream, LOADING)
        compiled.append("refusal")
        said(stream, COMPILING)
    return stream.getvalue()


def test_a_terminal_sees_one_line_that_counts() -> None:
    text = spoken(Terminal())
    assert f"\r\x1b[K{LOADING} 0 s" in text
    assert f"\r\x1b[K{COMPILING} 0 s" in text
    assert text.endswith("\r\x1b[Kcompiled the rules in 0 s\n")
    assert text.count("\n") == 1
    assert len(f"{COMPILING} 100 s") < 80


def test_a_file_is_told_once() -> None:
    assert spoken(io.StringIO()).splitlines() == [
        LOADING,
        COMPILING,
        "compiled the rules in 0 s",
    ]


def test_what_is_only_loaded_is_not_called_compiled() -> None:
    stream = io.StringIO()
    warm_kernels(lambda progress: said(stream, LOADING), stream, quiet=0.01)
    assert stream.getvalue() == f"{LOADING}\n"


def test_what_is_compiled_is_called_so() -> None:
    stream = io.StringIO()

    def warm(progress: Progress) -> None:
        numba.njit(lambda armies: armies + 1)(3)
        said(stream, COMPILING)

    warm_kernels(warm, stream, quiet=0.01)
    assert "compiled the rules in" in stream.getvalue()


def test_a_failure_is_not_called_compiled() -> None:
    stream = Terminal()

    def fail() -> None:
        said(stream, COMPILING)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), ProgressLine(stream, ["refusal"], quiet=0.01):
        fail()
    assert stream.getvalue().endswith("\r\x1b[K")
