"""An observation does not change with what its seat may not see."""

import numpy as np
import pytest

from rubicon.engine.chance import generator
from rubicon.engine.records import Phase
from rubicon.lab.batch import Batch
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.engine.invariants import twin
from tests.lab.games import EVERY_RULESET, most_players, without_standing_orders

SEEDS = range(3)


def observed(batch: Batch, seat: int) -> list[bytes]:
    """What a seat sees of each game."""
    return [row.tobytes() for row in batch.observe([seat] * len(batch))]


@pytest.mark.parametrize(("preset", "board"), EVERY_RULESET)
def test_what_is_hidden_changes_no_feature(preset: str, board: str | None) -> None:
    ruleset = Ruleset.load(preset, board=board)
    start = without_standing_orders(ruleset, most_players(ruleset)).position
    batch = Batch(ruleset, games=3, seed=5, start=start)
    noise = generator(1)
    differing = 0
    phases = set()
    for step in range(240):
        if step % 12 == 0:
            for seat in range(batch.players):
                before = observed(batch, seat)
                true = batch.positions.copy()
                for number in range(len(batch)):
                    phases.add(int(true[number]["phase"]))
                    changed = twin(batch.game(number), seat, noise)
                    differing += changed.tobytes() != true[number].tobytes()
                    batch.positions[number] = changed
                assert observed(batch, seat) == before
                batch.positions[:] = true
        batch.step(batch.random_actions())
    assert differing > 20
    assert len(phases & {int(Phase.REINFORCE), int(Phase.ATTACK)}) == 2 or preset == "capital"


@pytest.mark.parametrize("preset", ["classic", "secret-mission", "revised", "capital"])
def test_what_is_seen_changes_a_feature(preset: str) -> None:
    """The test above would also pass if nothing were observed."""
    batch = Batch(Ruleset.load(preset), games=1, seed=5)
    for _ in range(200):
        batch.step(batch.random_actions())
    position = batch.positions[0]
    before = batch.observe([0]).copy()
    for field, index in (("armies", 3), ("owner", 3), ("hand", 1)):
        kept = int(position[field][index])
        position[field][index] = (kept + 1) % 3 if field == "owner" else kept + 1
        assert (batch.observe([0]) != before).any(), field
        position[field][index] = kept
    assert np.array_equal(batch.observe([0]), before)
