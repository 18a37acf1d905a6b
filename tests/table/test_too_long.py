"""Nobody makes a game's log too long to be rebuilt."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from rubicon.table import proceeding
from rubicon.table.agreeing import vote
from rubicon.table.page import Page
from rubicon.table.verifying import verify_store
from tests.table.hosted import SOON, hosted

MOST = 40


def test_a_game_that_is_made_too_long_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proceeding, "MOST_ENTRIES", MOST)

    def change_ones_mind(page: Page, withdrawn: bool) -> None:
        vote(page, "red", "pause", withdrawn=withdrawn)

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
