"""With NUMBA_DISABLE_JIT=1 a batch plays the same games as plain Python."""

from tests.engine.test_uncompiled import uncompiled
from tests.lab.uncompiled_batch import play


def test_a_batch_goes_the_same_way() -> None:
    mode, *batches = uncompiled("-m", "tests.lab.uncompiled_batch")
    assert mode == "uncompiled"
    assert batches == [play(line.partition(":")[0]) for line in batches]
    assert len(batches) == 3
