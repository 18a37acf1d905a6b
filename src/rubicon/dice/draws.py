"""Unbiased draws from a key: dice, and one of at most 256 things."""

from collections.abc import Iterator
from itertools import count

from rubicon.dice.hashing import keyed

FACES = 6
BYTE = 256  # how many values a byte has, and the most things to pick from
_WHOLE_CYCLES = BYTE - BYTE % FACES  # bytes from here on would make low faces more likely


def stream(key: bytes) -> Iterator[int]:
    """The endless bytes of a key: HMAC(key, 0), HMAC(key, 1), … with 8 bytes for the counter."""
    for counter in count():
        yield from keyed(key, counter.to_bytes(8, "big"))


def below(k: int, numbers: Iterator[int]) -> int:
    """One of 0 … k - 1, all equally likely: bytes of the incomplete last cycle are passed over."""
    limit = BYTE - BYTE % k  # 252 for a die
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % k


def faces(count: int, numbers: Iterator[int]) -> tuple[int, ...]:
    """That many dice."""
    found: list[int] = []
    while len(found) < count:
        number = next(numbers)
        if number < _WHOLE_CYCLES:
            found.append(number % FACES + 1)
    return tuple(found)
