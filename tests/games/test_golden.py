"""Golden games are played again, entry by entry, and replayed from their records."""

import pytest

from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import presets
from tests.games.golden import BOARDS, golden_file, played


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("preset", presets())
def test_golden_game(preset: str, board: str) -> None:
    kept = golden_file(preset, board).read_text(encoding="utf-8")
    game = played(preset, board)
    assert Record.of(game).text() == kept
    replayed = Record.parse(kept).replay()
    assert replayed.over
    assert replayed.position.tobytes() == game.position.tobytes()
    assert replayed.history == game.history
