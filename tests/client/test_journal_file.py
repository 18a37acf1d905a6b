"""Where the journals of the dice stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubicon.client.dice import default_file, journals_folder
from rubicon.dice.errors import DiceError


@pytest.mark.parametrize(
    ("game", "seat"), [("../../x", "red"), ("abc", "../red"), ("", "red"), ("a\0b", "red")]
)
def test_a_server_chooses_no_file(
    game: str, seat: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_file("k3v", "red") == journals_folder() / "k3v-red.jsonl"
    with pytest.raises(DiceError) as caught:
        default_file(game, seat)
    assert caught.value.code == "dice/bad-name"
