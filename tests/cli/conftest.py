"""What all tests of the command line share."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that nobody named a file for go to a folder of the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
