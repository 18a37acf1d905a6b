"""A game ends before its log becomes too long to rebuild."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from rubicon.table.admin.audit import verify_store
from rubicon.table.commands import advance
from rubicon.table.commands.votes import vote
from rubicon.table.game.unit_of_work import UnitOfWork
from tests.table.hosted import SOON, hosted

MOST = 40


def test_a_game_that_is_made_too_long_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advance, "MAX_LOG_LINES", MOST)

    def change_ones_mind(unit: UnitOfWork, withdrawn: bool) -> None:
        vote(unit, "red", "pause", withdrawn=withdrawn)

    with hosted(tmp_path) as game:
        for number in range(MOST):
            if game.snapshot.ending is not None:
                break
            act = partial(change_ones_mind, withdrawn=number % 2 == 1)
            game.table.change(game.game, act).result(SOON)
        ending = game.snapshot.ending
        assert ending is not None
        assert (ending.result, game.snapshot.head) == ("void", MOST + 1)
        assert verify_store(game.table.store).damaged == {}
