"""One-time codes: for one purpose, for a day, for five attempts."""

from dataclasses import replace

import pytest

from rubicon.mail.one_time_codes import (
    DAY,
    MOST_ATTEMPTS,
    CodePurpose,
    CodeVerdict,
    PendingConfirmation,
    check_code,
    open_confirmation,
)
from tests.mail.corpus_messages import order_reader

KEY = b"k" * 32
NOW = 1_795_380_000_000
WANTED = PendingConfirmation(purpose=CodePurpose.RESIGN, game="lyon", seat="blue", subject="")


def test_the_code_confirms_however_it_is_typed() -> None:
    code, waiting = open_confirmation(WANTED, KEY, NOW)
    for typed in (code, code.lower(), code.replace("-", ""), code.replace("-", " ")):
        assert check_code(waiting, typed, KEY, NOW)[0] is CodeVerdict.CONFIRMED
    assert code not in waiting.digest


def test_the_order_language_takes_every_code() -> None:
    for _ in range(50):
        code, _waiting = open_confirmation(WANTED, KEY, NOW)
        assert str(order_reader().read(f"confirm {code.lower()}")) == f"CONFIRM {code}"


def test_codes_differ() -> None:
    assert len({open_confirmation(WANTED, KEY, NOW)[0] for _ in range(100)}) == 100


def test_a_code_lapses_after_a_day() -> None:
    code, waiting = open_confirmation(WANTED, KEY, NOW)
    assert check_code(waiting, code, KEY, NOW + DAY - 1)[0] is CodeVerdict.CONFIRMED
    assert check_code(waiting, code, KEY, NOW + DAY)[0] is CodeVerdict.LAPSED


def test_five_wrong_attempts_use_a_code_up() -> None:
    code, waiting = open_confirmation(WANTED, KEY, NOW)
    for _ in range(MOST_ATTEMPTS):
        verdict, waiting = check_code(waiting, "AAAA-AAAA", KEY, NOW)
        assert verdict is CodeVerdict.WRONG
    assert check_code(waiting, code, KEY, NOW)[0] is CodeVerdict.LAPSED


@pytest.mark.parametrize(
    "change",
    [
        {"purpose": CodePurpose.ADDRESS},
        {"game": "paris"},
        {"seat": "red"},
        {"subject": "eve@example.com"},
    ],
)
def test_a_code_confirms_nothing_else(change: dict[str, str]) -> None:
    code, waiting = open_confirmation(WANTED, KEY, NOW)
    other = replace(waiting, **change)  # type: ignore[arg-type]
    assert check_code(other, code, KEY, NOW)[0] is CodeVerdict.WRONG
