"""What is to be written to PostgreSQL as one statement: the rows of one page, or of many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
        self._rows: dict[str, list[bytes]] = {}  # each as JSON

    def __bool__(self) -> bool:
        return bool(self._rows)

    def add(self, sql: str, rows: Sequence[Row], names: Iterable[str]) -> None:
        """More rows for a statement, with the values of these names; of a question there is only
        one text on a sheet."""
        values = [{name: row[name] for name in names} for row in rows]
        self._rows.setdefault(sql, []).extend(map(_encode, values))

    def fits(self, other: Sheet) -> bool:
        """Whether both may be one."""
        return bool(self.about and other.about) and self.about.isdisjoint(other.about)

    def join(self, other: Sheet) -> None:
        """Take in the rows of another."""
        self.about |= other.about
        for sql, rows in other._rows.items():
            self._rows.setdefault(sql, []).extend(rows)

    def run(self) -> Run:
        """What is to be run."""
        parts = sorted(self._rows, key=_place)
        return _as_one(tuple(parts)), [_document(self._rows[part]) for part in parts]


def _place(sql: str) -> tuple[bool, str]:
    """Always the same order, so that there are few texts; a question comes last."""
    return _is_question(sql), sql


def _is_question(sql: str) -> bool:
    return sql.startswith("SELECT")


def _document(rows: Sequence[bytes]) -> str:
    return f"[{b','.join(rows).decode()}]"


@lru_cache(maxsize=256)
def _as_one(parts: tuple[str, ...]) -> str:
    """One statement of several that write; the last may be a SELECT."""
    if len(parts) == 1:
        return parts[0]
    *written, last = parts if _is_question(parts[-1]) else (*parts, "SELECT 1")
    named = ", ".join(f"part{number} AS ({sql})" for number, sql in enumerate(written))
    return f"WITH {named} {last}"
