"""Batches in several threads play what they play alone: one batch a thread uses all cores."""

from concurrent.futures import ThreadPoolExecutor

from rubicon.lab.batch import Batch
from tests.lab.games import pictures, random_steps, small_game


def ends(seed: int) -> list[bytes]:
    """The positions of a batch after some steps."""
    batch = Batch(small_game(), 3, games=50, seed=seed, bots=(None, "greedy", "random"))
    for _ in random_steps(batch, 100):
        batch.legal()
        batch.mask()
        batch.observe()
    return pictures(batch)


def test_threads_do_not_disturb_one_another() -> None:
    seeds = range(0, 400, 50)
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(ends, seeds))
    assert together == [ends(seed) for seed in seeds]
    assert len({end for one in together for end in one}) == 400
