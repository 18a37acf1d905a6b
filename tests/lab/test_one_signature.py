"""A batch compiles nothing once it is loaded, whatever its arguments are."""

import numpy as np

from rubicon.engine.warmup import compilations_heard
from rubicon.lab.batch import Batch
from rubicon.lab.dataset import GameLog
from rubicon.lab.warmup import LAB_KERNEL, warm
from tests.lab.games import small_game

BOTS = (None, None, "greedy")


def read_only(numbers: list[int]) -> np.ndarray:
    array = np.array(numbers)
    array.flags.writeable = False
    return array


def test_no_argument_makes_another_signature() -> None:
    warm()
    with compilations_heard() as compiled:
        for games, restart in ((1, True), (3, False)):
            batch = Batch(
                small_game(), 3, games=games, restart=restart, bots=(None, None, "greedy")
            )
            for checked in (True, False):
                batch.step(batch.random_actions(), checked=checked)
            batch.step(read_only(batch.random_actions().tolist()))
            batch.step(batch.random_actions().astype(np.uint64))
            batch.step(batch.flat_actions(batch.mask().argmax(axis=1).astype(np.int16)))
            for aside in (True, False):
                batch.legal(with_out_of_turn=aside)
            for seats in (None, 1, [2] * games, read_only([0] * games)):
                batch.observe(seats)
            batch.start_again(read_only([0]))
            log = GameLog(batch)
            log.begin()
            log.step(batch.random_actions())
    assert compiled == []
    assert all(len(one.overloads) == 1 for one, _ in LAB_KERNEL.entry_points)
