"""Measures the speed of rubicon.odds, also against plain Python; prints JSON.

    python benchmarks/odds.py

Times are the best of several runs, in milliseconds (the lookup in nanoseconds), with compiled code
in the cache. The plain program fills the same table of chances with Python lists.
"""

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.records import compiled
from rubicon.odds.battle import battle, chance_to_win, win_table
from rubicon.odds.campaign import campaign, path
from rubicon.odds.rule import DiceRule

TURNS = 5
LOOKUPS = 5_000_000
SHARES = {
    (1, 1): (21 / 36, 15 / 36),
    (2, 1): (91 / 216, 125 / 216),
    (3, 1): (441 / 1296, 855 / 1296),
    (1, 2): (161 / 216, 55 / 216),
    (2, 2): (581 / 1296, 420 / 1296, 295 / 1296),
    (3, 2): (2275 / 7776, 2611 / 7776, 2890 / 7776),
}


def milliseconds(work: Callable[[], Any], turns: int = TURNS) -> float:
    """The best of several times, after one run to warm up."""
    work()
    times = []
    for _ in range(turns):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return round(1000 * min(times), 3)


def plain_table(size: int) -> list[list[float]]:
    """The chances of all battles up to a size under the classic rule, in plain Python."""
    table = [[1.0] + [0.0] * size for _ in range(size + 1)]
    for a in range(2, size + 1):
        for d in range(1, size + 1):
            dice = min(a - 1, 3), min(d, 2)
            pairs = min(dice)
            shares = SHARES[dice]
            table[a][d] = sum(
                share * table[a - pairs + won][d - won] for won, share in enumerate(shares)
            )
    return table


@compiled
def sum_of_lookups(chances: npt.NDArray[np.float64], count: int) -> float:
    """Look up battles of changing sizes; the generator takes two integer operations each."""
    total = 0.0
    attack, defend = 2, 1
    for _ in range(count):
        total += chance_to_win(chances, attack, defend)
        attack = (attack * 5 + 3) & 63
        defend = (defend * 5 + 7) & 63
    return total


def main() -> None:
    """Check that both programs agree, then measure and print."""
    rule = DiceRule.of("classic")
    best = DiceRule.of("classic", attack_dice="best", defend_dice="best")
    table = win_table(rule, 100)
    assert np.allclose(table.chances[2:, 1:], np.array(plain_table(100))[2:, 1:], rtol=1e-12)
    plain = milliseconds(lambda: plain_table(300))
    ours = milliseconds(lambda: win_table.__wrapped__(rule, 300))
    lookups = milliseconds(lambda: sum_of_lookups(table.chances, LOOKUPS))
    found = {
        "battle_10_7_ms": milliseconds(lambda: battle(10, 7, rule)),
        "battle_1000_1000_ms": milliseconds(lambda: battle(1000, 1000, rule)),
        "battle_1000_1000_best_dice_ms": milliseconds(lambda: battle(1000, 1000, best)),
        "all_battles_to_100_ms": milliseconds(lambda: win_table.__wrapped__(rule, 100)),
        "campaign_60_armies_10_territories_ms": milliseconds(
            lambda: campaign(60, path([4] * 10), rule)
        ),
        "lookup_ns": round(lookups * 1e6 / LOOKUPS, 2),
        "plain_python_all_battles_to_300_ms": plain,
        "all_battles_to_300_ms": ours,
        "times_as_fast_as_plain_python": round(plain / ours, 1),
    }
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
