"""The line of progress: on a terminal only, and gone in the end."""

import io

import pytest

from rubicon.cli.review import ShareLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_each_per_cent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with ShareLine() as line:
        for share in (0.0, 0.001, 0.5, 0.505):
            line.show(share)
    assert terminal.getvalue().count("Reviewing the game") == 2
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_another_stream_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with ShareLine() as line:
        line.show(0.5)
    assert stream.getvalue() == ""
