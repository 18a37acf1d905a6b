"""The recovery code of a seat's device: there and back, and what is refused."""

from __future__ import annotations

import re

import pytest

from rubicon.dice.crypto import read_recovery_code, recovery_code
from rubicon.dice.errors import DiceError

KEY = bytes(range(32))


def refused(code: str, table: str = "game", seat: str = "red") -> DiceError:
    """The error for a code."""
    with pytest.raises(DiceError) as caught:
        read_recovery_code(table, seat, code)
    return caught.value


def test_there_and_back() -> None:
    code = recovery_code("game", "red", KEY)
    assert re.fullmatch(r"([A-Z2-7]{4}-){13}[A-Z2-7]{4}", code)
    assert read_recovery_code("game", "red", code) == KEY
    assert read_recovery_code("game", "red", f" {code.lower().replace('-', ' ')}\n") == KEY


def test_every_single_slip_is_noticed() -> None:
    code = recovery_code("game", "red", KEY)
    for at, sign in enumerate(code):
        if sign != "-":
            slip = code[:at] + ("B" if sign != "B" else "C") + code[at + 1 :]
            assert refused(slip).code == "dice/bad-recovery-code"


@pytest.mark.parametrize("text", ["", "A", "AAAA-AAAA", "1" * 56, "é" * 56, "A" * 64])
def test_what_is_no_code(text: str) -> None:
    error = refused(text)
    assert error.message == "This is no recovery code of red in game game."
    assert "14 groups" in error.suggestion


def test_a_code_is_for_one_seat_of_one_game() -> None:
    code = recovery_code("game", "red", KEY)
    assert "blue" in refused(code, seat="blue").message
    assert "other" in refused(code, table="other").message
