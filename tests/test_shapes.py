"""Whether values from outside have the types that a program expects."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest

from rubicon.shapes import has_type


class Seat(TypedDict):
    """A value with fields."""

    colour: str
    armies: list[int | None]


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (1, int, True),
        (True, int, False),
        (2**80, int, False),
        (None, int | None, True),
        ("", int | None, False),
        ([1, "2"], list[int], False),
        ({"a": 1}, dict[str, int], True),
        ({"colour": "red", "armies": [1, None], "more": 1}, Seat, True),
        ({"colour": "red"}, Seat, False),
        ({"colour": "red", "armies": [1.5]}, Seat, False),
        ([["red"]], list[Seat], False),
        ("anything", Any, True),
    ],
)
def test_a_value_has_a_type_or_not(value: object, kind: Any, fits: bool) -> None:
    assert has_type(value, kind) is fits
