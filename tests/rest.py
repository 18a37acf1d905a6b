"""What `make test` leaves to `make test-rest`: further games, sizes and browsers of what it covers.

Every mechanism is covered once by `make test`. A row of rest.txt names tests by the beginning of
their ids and says how many stay: one in so many, in the order of the file; 0 for none. A row that
names no test is an error, so that none is left over when tests move.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Rest(NamedTuple):
    """Tests beyond `make test`."""

    tests: str  # the beginning of their ids
    one_in: int  # so many of them stay in `make test`: 1 in this number, none for 0
    covered: str  # by what `make test` covers the same mechanism


def read_rests(text: str) -> tuple[Rest, ...]:
    """The rows of a table like rest.txt; # begins a comment."""
    rows = (line.split(" | ") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(Rest(f"tests/{tests}", int(stay), covered) for tests, stay, covered in rows)


RESTS = read_rests(Path(__file__).with_name("rest.txt").read_text("utf-8"))


def beyond(ids: Iterable[str], rests: tuple[Rest, ...] = RESTS) -> tuple[set[str], list[str]]:
    """The tests that only `make test-rest` runs, and the rows that name no test."""
    seen = dict.fromkeys(rests, 0)
    found = set()
    for test in ids:
        row = max((r for r in rests if test.startswith(r.tests)), key=_length, default=None)
        if row is None:
            continue
        if not row.one_in or seen[row] % row.one_in:
            found.add(test)
        seen[row] += 1
    return found, [row.tests for row, number in seen.items() if not number]


def _length(row: Rest) -> int:
    return len(row.tests)
