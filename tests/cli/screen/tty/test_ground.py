"""What a terminal says about its background."""

from __future__ import annotations

import os
import pty

import pytest

from rubicon.cli.screen.start import QUESTION, _answer, is_light


@pytest.mark.parametrize(
    ("answer", "light"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;c", True),
        (b"\x1b]11;rgb:1e1e/1e1e/2e2e\x07", False),
        (b"\x1b]11;rgb:fd/f6/e3\x07", True),
        (b"\x1b[?1;2c", None),
        (b"", None),
    ],
)
def test_an_answer_tells_dark_from_light(answer: bytes, light: bool | None) -> None:
    assert is_light(answer) is light


def test_the_answer_is_read_until_its_end() -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62c\n")
    assert b"rgb:0000" in _answer(theirs)
    assert QUESTION.startswith(b"\x1b]11;?")
    os.close(ours)
    os.close(theirs)
