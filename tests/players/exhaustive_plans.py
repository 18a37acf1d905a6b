"""Plays games between scripted bots, and finds each plan again with no plan dropped early.

`test_scripted_plans.py` runs it uncompiled, where a procedure can be replaced.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from rubicon.engine.warmup import CONFIG
from rubicon.players.scripted import plans, turn
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.players.recorded_games import moments

BOTS = ["hunter", "kingslayer", "economist", "turtle"]
GAMES: dict[str, dict[str, str]] = {
    "classic": {"cards.values": "fixed"},
    "secret-mission": {},
    "capital": {},
}
CHOSEN = ("best_score", "best_chance", "best_root", "best_victim", "best_placed", "best_left")
DECISIONS = 600  # of each game

find_plan = plans.best_plan


@contextmanager
def no_plan_dropped() -> Iterator[None]:
    """Every plan is made and weighed."""
    with (
        patch.object(plans, "is_too_far", lambda *_: False),
        patch.object(plans, "highest_alone", lambda *_: math.inf),
    ):
        yield


def chosen(memory: Any) -> tuple[Any, ...]:
    """The plan that was found."""
    found = [getattr(memory.work, name) for name in CHOSEN]
    # Where there is none, the armies of an older one mean nothing.
    return tuple(found if memory.work.best_score > 0.0 else found[:1]), memory.wanted.tolist()


def compared(counts: dict[bool, int]) -> Callable[..., float]:
    """`best_plan`, which counts how often it finds what a look at all plans finds."""

    def best_plan(view: Any, rules: Any, board: Any, seat: int, memory: Any, more: int) -> float:
        copy = memory.copy()
        with no_plan_dropped():
            find_plan(view, rules, board, seat, copy, more)
        score = find_plan(view, rules, board, seat, memory, more)
        counts[chosen(memory) == chosen(copy)] += 1
        return score

    return best_plan


def main() -> None:
    """Print whether procedures are compiled, and how many plans were the same and how many not."""
    print("uncompiled" if CONFIG.DISABLE_JIT else "compiled")
    counts = {True: 0, False: 0}
    patch.object(turn, "best_plan", compared(counts)).start()
    for seed, (preset, options) in enumerate(GAMES.items()):
        game = moments(Ruleset.load(preset, options), BOTS, seed)
        for _ in zip(range(DECISIONS), game, strict=False):
            pass
    print(counts[True], counts[False])


if __name__ == "__main__":
    main()
