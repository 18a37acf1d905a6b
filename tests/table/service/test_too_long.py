"""A game ends before its log becomes too long to rebuild."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubicon.table.admin.audit import verify_store
from rubicon.table.commands import advance
from tests.table.hosted import hosted

MOST = 40


def test_a_game_that_becomes_too_long_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advance, "MAX_LOG_LINES", MOST)
    with hosted(tmp_path) as game:
        game.play(MOST)
        ending = game.snapshot.ending
        assert ending is not None
        assert (ending.result, ending.reason) == ("void", advance.TOO_LONG)
        assert verify_store(game.table.store).damaged == {}
