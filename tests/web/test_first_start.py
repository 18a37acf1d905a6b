"""Games begin while the bots are still compiled; their moves wait, and nothing is refused."""

import shutil
from pathlib import Path

import pytest

from rubicon.engine.compiler.kernel import (
    candidate_folders,
    config,
    file_name,
    own_folder,
    this_processor,
)
from rubicon.engine.warmup import RULES_KERNEL
from rubicon.odds.warmup import ODDS_KERNEL
from rubicon.players.warmup import BOTS_KERNEL
from tests.web.conftest import start, stop

KERNELS = {
    one.name: file_name(one.name, one.stamp(), this_processor())
    for one in (RULES_KERNEL, ODDS_KERNEL, BOTS_KERNEL)
}


@pytest.fixture
def half_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that has the rules and the odds, but no bots."""
    here = own_folder()
    assert here is not None
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))
    folder = next(candidate_folders())
    folder.mkdir(parents=True)
    for name in ("rules", "odds"):
        shutil.copy(here / KERNELS[name], folder)
    return folder


@pytest.mark.full
def test_a_bots_first_move_waits_for_its_kernel(half_compiled: Path, tmp_path: Path) -> None:
    bots = half_compiled / KERNELS["bots"]
    server = start(tmp_path, NUMBA_CACHE_DIR=str(half_compiled.parent))
    try:
        with server.client() as ann:
            seated = {1: "greedy", 2: "greedy"}
            game = ann.open_table(board="skerries", seats=3, bots=seated)["game"]
            ann.start(game)
            assert not bots.exists()
            for _ in range(6):
                turn = ann.wait(game)
                assert turn is not None
                ann.submit(game, turn.decision, turn.legal[0])
            assert bots.exists()
    finally:
        assert stop(server) == 0
    assert "bot failed" not in server.output
