"""The database's time, as a test sets it."""

from __future__ import annotations

import pytest

from rubicon.table import lives, store

START = 1_800_000_000_000
ASKING = ("table.lives", "table.beginning", "table.silence")


class Time:
    """A clock that the test sets, in milliseconds."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self, _: object) -> int:
        return self.at

    def pass_by(self, seconds: float) -> None:
        """Let time go by."""
        self.at += int(seconds * 1000)


def set_time(patch: pytest.MonkeyPatch, *more: str) -> Time:
    """The time for every module of the table that asks the store for it, and for some more.

    The store itself knows the true one.
    """
    clock, locked = Time(), lives._locked_head
    for module in (*ASKING, *more):
        patch.setattr(f"rubicon.{module}.now", clock)
    patch.setattr(lives, "_locked_head", lambda c, game: (locked(c, game)[0], clock(c)))
    assert store.now is not clock
    return clock
