"""Draws are unbiased, and the same for ever."""

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.dice.crypto import below, digest, faces, keyed, stream
from rubicon.dice.lines.state import battle, roll_key

CHI_99 = {5: 15.086, 35: 57.342, 129: 170.0}  # by degrees of freedom; exceeded once in a hundred


def chi_square(counts: list[int]) -> float:
    """How far the counts are from equal ones."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def rolls(count: int) -> list[int]:
    """Dice as games get them: five from each of many keys."""
    found: list[int] = []
    for number in range(count // 5):
        thrown = battle(digest("test", number), 3, 2)
        found += thrown.attack + thrown.defence
    return found


def test_dice_are_uniform() -> None:
    assert chi_square(list(Counter(rolls(60_000)).values())) < CHI_99[5]


@pytest.mark.full
def test_600_000_dice_are_uniform_and_independent() -> None:
    dice = rolls(600_000)
    assert chi_square([Counter(dice)[face] for face in range(1, 7)]) < CHI_99[5]
    pairs = Counter(zip(dice[::2], dice[1::2], strict=True))
    assert len(pairs) == 36
    assert chi_square(list(pairs.values())) < CHI_99[35]


def test_rolls_of_one_request_are_uniform() -> None:
    key = digest("test", "request")
    thrown = [battle(roll_key(key, number), 3, 2) for number in range(6_000)]
    counts = Counter(face for roll in thrown for face in roll.attack + roll.defence)
    assert chi_square(list(counts.values())) < CHI_99[5]


def test_picks_are_uniform() -> None:
    """130 cards: without rejection the first 126 would come up twice as often."""
    numbers = stream(digest("test", "cards"))
    counts = Counter(below(130, numbers) for _ in range(65_000))
    assert len(counts) == 130
    assert chi_square(list(counts.values())) < CHI_99[129]


def test_bytes_of_the_incomplete_cycle_are_passed_over() -> None:
    assert below(6, iter([252, 255, 251])) == 5
    assert below(6, iter([252, 6])) == 0
    assert below(130, iter([130, 255, 129])) == 129
    assert below(256, iter([255])) == 255
    assert below(1, iter([255])) == 0


def test_the_stream_is_the_hmac_of_a_counter() -> None:
    key = bytes(32)
    first = keyed(key, bytes(8)) + keyed(key, bytes(7) + b"\x01")
    assert bytes(islice(stream(key), 64)) == first


@given(st.integers(1, 256), st.binary(min_size=32, max_size=32))
def test_a_draw_is_below(k: int, key: bytes) -> None:
    drawn = below(k, stream(key))
    assert 0 <= drawn < k
    assert drawn == below(k, stream(key))


@given(st.integers(0, 40), st.binary(min_size=32, max_size=32))
def test_more_dice_begin_with_the_same(count: int, key: bytes) -> None:
    assert faces(count + 3, stream(key))[:count] == faces(count, stream(key))
