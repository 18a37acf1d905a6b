"""Slow loading and compiling show progress; quick loading prints nothing."""

import io

import numba
import pytest

from rubicon.cli.warmup import COMPILING, LOADING, ProgressLine, warm_kernels
from tests.waiting import until


@pytest.fixture(autouse=True)
def _seven_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line says 7 s, however long it takes on a busy machine."""
    monkeypatch.setattr(ProgressLine, "seconds", lambda _: 7.4)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def warm_at_once() -> None:
    """Load everything in no time."""


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_a_quick_load_prints_nothing(stream: io.StringIO) -> None:
    warm_kernels(warm_at_once, stream)
    assert stream.getvalue() == ""


def said(stream: io.StringIO, text: str) -> None:
    """Wait until a text is written."""
    until(lambda: text in stream.getvalue())


def spoken(stream: io.StringIO) -> str:
    """What is written where something is loaded slowly, and then something is compiled."""
    compiled: list[str] = []
    with ProgressLine(stream, compiled, quiet=0.01):
        said(stream, LOADING)
        compiled.append("refusal")
        said(stream, COMPILING)
    return stream.getvalue()


def test_a_terminal_sees_one_line_that_counts() -> None:
    text = spoken(Terminal())
    assert f"\r\x1b[K{LOADING}: 7 s" in text
    assert f"\r\x1b[K{COMPILING}: 7 s" in text
    assert text.endswith("\r\x1b[KCompiled the rules in 7 s\n")
    assert text.count("\n") == 1


def test_a_terminal_sees_how_long_workers_still_take() -> None:
    stream, left = Terminal(), iter([20.2, 19.2, *[1.0] * 1000])
    with ProgressLine(stream, [], quiet=0.01, left=lambda: next(left)):
        said(stream, "ready in 20 s")
    assert f"\r\x1b[K{COMPILING}: ready in 21 s" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[KCompiled the rules in 7 s\n")
    assert len(f"{COMPILING}: ready in 100 s") < 80


def test_a_file_gets_the_first_estimate() -> None:
    stream = io.StringIO()
    with ProgressLine(stream, [], quiet=0.01, left=lambda: 20.2):
        said(stream, COMPILING)
    assert stream.getvalue().splitlines()[0] == f"{COMPILING}: about 21 s …"


def test_a_file_gets_each_message_once() -> None:
    assert spoken(io.StringIO()).splitlines() == [
        f"{LOADING} …",
        f"{COMPILING} …",
        "Compiled the rules in 7 s",
    ]


def test_loading_is_not_reported_as_compiling() -> None:
    stream = io.StringIO()
    warm_kernels(lambda: said(stream, LOADING), stream, quiet=0.01)
    assert stream.getvalue() == f"{LOADING} …\n"


def test_compiling_is_reported_with_its_duration() -> None:
    stream = io.StringIO()

    def warm() -> None:
        numba.njit(lambda armies: armies + 1)(3)
        said(stream, COMPILING)

    warm_kernels(warm, stream, quiet=0.01)
    assert "Compiled the rules in" in stream.getvalue()


def test_a_failure_is_not_reported_as_compiled() -> None:
    stream = Terminal()

    def fail() -> None:
        said(stream, COMPILING)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), ProgressLine(stream, ["refusal"], quiet=0.01):
        fail()
    assert stream.getvalue().endswith("\r\x1b[K")
