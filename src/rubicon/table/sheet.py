"""What is to be written to PostgreSQL as one statement: the rows of one page, or of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

Row = Mapping[str, Any]
Run = tuple[str, Sequence[Any]]  # SQL, and what is given to it
_encode = msgspec.json.Encoder().encode


class Sheet:
    """Rows for several statements, each of which takes its rows as one JSON document.

    The parts of one statement do not see one another's rows, and no row can be changed by two of
    them: sheets about the same game stay apart.
    """

    def __init__(self, about: str = "") -> None:
        self.about = {about} if about else set()
        self._rows: dict[str, list[Row]] = {}

    def __bool__(self) -> bool:
        return bool(self._rows)

    def add(self, sql: str, rows: Sequence[Row]) -> None:
        """More rows for a statement; a SELECT among them is its own only one."""
        self._rows.setdefault(sql, []).extend(rows)

    def fits(self, other: Sheet) -> bool:
        """Whether both may be one."""
        return bool(self.about and other.about) and self.about.isdisjoint(other.about)

    def join(self, other: Sheet) -> None:
        """Take in the rows of another."""
        self.about |= other.about
        for sql, rows in other._rows.items():
            self.add(sql, rows)

    def run(self) -> Run:
        """What is to be run."""
        parts = sorted(self._rows, key=_is_question)
        return _as_one(tuple(parts)), [_encode(self._rows[part]).decode() for part in parts]


def _is_question(sql: str) -> bool:
    return sql.startswith("SELECT")


@lru_cache(maxsize=256)
def _as_one(parts: tuple[str, ...]) -> str:
    """One statement of several that write; the last may be a SELECT."""
    if len(parts) == 1:
        return parts[0]
    *written, last = parts if _is_question(parts[-1]) else (*parts, "SELECT 1")
    named = ", ".join(f"part{number} AS ({sql})" for number, sql in enumerate(written))
    return f"WITH {named} {last}"
