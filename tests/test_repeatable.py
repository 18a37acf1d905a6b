"""Hosted games of the tests are the same in every run."""

from __future__ import annotations

import secrets
from pathlib import Path

from tests.repeatable import RepeatableSecrets
from tests.table.hosted import hosted


def played(folder: Path) -> bytes:
    """A position some decisions behind the set-up."""
    folder.mkdir()
    with hosted(folder) as game:
        game.play(until="attack")
        game.play(40)
        return game.snapshot.position.tobytes()


def test_a_test_plays_the_same_game_in_every_run(
    tmp_path: Path, repeatable_secrets: RepeatableSecrets
) -> None:
    repeatable_secrets.begin("this test")
    first = played(tmp_path / "first")
    repeatable_secrets.begin("this test")
    assert played(tmp_path / "again") == first
    assert played(tmp_path / "the next one") != first


def test_only_modules_of_rubicon_draw_the_same(repeatable_secrets: RepeatableSecrets) -> None:
    drawn = []
    for _ in range(2):
        repeatable_secrets.begin("this test")
        drawn.append(secrets.token_bytes(8))
    assert drawn[0] != drawn[1]
