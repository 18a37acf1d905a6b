"""The first fault of a stored game, as the audit names it."""

from __future__ import annotations

from rubicon.table.errors import TableError


class Damaged(TableError):
    """The first fault of a game: at a log index, or None where it belongs to no line."""

    def __init__(
        self, index: int | None, code: str, message: str, expected: str = "", found: str = ""
    ) -> None:
        self.index = index
        self.expected = expected[:300]
        self.found = found[:300]
        super().__init__(code, message, "Restore a backup; docs/hosting.md tells how.")


def require_same(index: int, code: str, message: str, expected: object, found: object) -> None:
    """Damaged where two things are not written alike."""
    if str(expected) != str(found):
        raise Damaged(index, code, message, str(expected), str(found))
