"""What others wrote, as a terminal may be sent it."""

from __future__ import annotations

import sys

import pytest

from rubicon.wording import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("名前 é", "名前 é"),
        ("\x1b]0;title\x07\x1b[31m", "�]0;title��[31m"),
        ("one\ntwo\tthree\u2028four", "one two three four"),
        ("\u202eturned\u200b\ufeff\x9b2J", "�turned���2J"),
        ("\ud800", "�"),
    ],
)
def test_what_a_terminal_obeys_is_replaced(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert len(printable(text)) == len(text)


def test_no_character_is_left_that_cannot_be_printed() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert printable(every).isprintable()
