"""Plays a few steps of a batch; `test_uncompiled_lab.py` runs it without compiling."""

import hashlib

from rubicon.engine.warmup import CONFIG
from rubicon.lab.batch import Batch
from tests.lab.games import small_game


def play(preset: str) -> str:
    """Step two games of a preset by flat choices and at random; what they came to."""
    batch = Batch(small_game(preset), games=2, seed=3)
    total = hashlib.sha256()
    for step in range(12):
        flat = batch.flat_actions(batch.mask().argmax(axis=1))
        batch.step(batch.random_actions() if step % 2 else flat)
        legal = batch.legal(with_out_of_turn=True)
        for part in (batch.positions, legal.rows, batch.observe().round(5)):
            total.update(part.tobytes())
    return f"{preset}: {total.hexdigest()}"


def main() -> None:
    """Print what each preset came to, after a line that says whether the rules are compiled."""
    print("uncompiled" if CONFIG.DISABLE_JIT else "compiled")
    for preset in ("classic", "revised", "email"):
        print(play(preset))


if __name__ == "__main__":
    main()
