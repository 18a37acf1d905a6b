"""How many armies take a neighbour with a chance of 75 % and of 95 %, by exact odds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rubicon.mail.writing.scene import Scene
from rubicon.odds.outlook import outlook
from rubicon.odds.rule import DiceRule

CHANCES = (0.75, 0.95)
MOST_DEFENDERS = 60  # of a larger defence the table says nothing: its odds take too long


@dataclass(frozen=True, slots=True)
class Border:
    """A neighbour of another owner; `needed` are the armies for each of CHANCES, None if many.

    The armies count the one that stays behind.
    """

    own: int
    other: int
    needed: tuple[int | None, ...]


def borders_of(scene: Scene) -> Iterator[Border]:
    """All borders of the recipient with others, by own territory in the order of importance."""
    own = set(scene.own())
    fronts = {t: [n for n in scene.neighbours(t) if n not in own] for t in own}
    fronts = {t: foes for t, foes in fronts.items() if foes}
    for t in sorted(fronts, key=lambda t: (-int(scene.view.armies[t]), -len(fronts[t]), t)):
        for other in fronts[t]:
            yield Border(t, other, _needed(scene, t, other))


def _needed(scene: Scene, source: int, target: int) -> tuple[int | None, ...]:
    defenders = int(scene.view.armies[target])
    if not 1 <= defenders <= MOST_DEFENDERS:
        return (None,) * len(CHANCES)
    rule = DiceRule.between(scene.snapshot.ruleset, scene.view, source, target)
    return tuple(armies_for(chance, defenders, rule) for chance in CHANCES)


@lru_cache(maxsize=4096)
def armies_for(chance: float, defenders: int, rule: DiceRule) -> int | None:
    """The fewest armies that take `defenders` with at least this chance; None above four to one."""
    low, high = 1, 2
    most = 4 * defenders + 20
    while outlook(high, (defenders,), rule).taken < chance:
        if high >= most:
            return None
        low, high = high, min(most, high * 2)
    while high - low > 1:
        middle = (low + high) // 2
        if outlook(middle, (defenders,), rule).taken < chance:
            low = middle
        else:
            high = middle
    return high
