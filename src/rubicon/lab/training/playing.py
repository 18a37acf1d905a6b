"""Training games in shares of rulesets, numbers of players and bots; written part by part."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.lab.training.fitting import FIELDS, Examples, joined
from rubicon.lab.training.notes import Noted, Notes, examples_of
from rubicon.lab.training.threads import in_threads
from rubicon.players.planner.weights import LEARNED
from rubicon.players.registry import CHARACTER_BOTS, NAMES
from rubicon.rules.ruleset.ruleset import Ruleset

Values = npt.NDArray[Any]
SEED_STEP = 1_000_000  # games of one part have seeds of their own
PART = 500  # games of a part


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of training games: its `weight` is its share among all, `one_in` turns is noted."""

    ruleset: str
    options: dict[str, str]
    players: int
    weight: float
    one_in: int


RISING: dict[str, str] = {}
FIXED = {"cards.values": "fixed"}
PLUS_ONE = {"cards.values": "plus_one"}
KINDS = (
    *(Kind("classic", RISING, players, 2.0, 3) for players in (3, 4, 5)),
    Kind("classic", RISING, 6, 5.0, 3),
    *(Kind("classic", FIXED, players, 0.8, 8) for players in (3, 4, 5)),
    Kind("classic", FIXED, 6, 1.6, 8),
    *(Kind("classic", PLUS_ONE, players, 0.3, 6) for players in (4, 6)),
    Kind("two-player", RISING, 2, 5.0, 1),
    Kind("two-player-50", RISING, 2, 2.0, 1),
    *(
        Kind(name, RISING, players, 0.4, 4)
        for name in ("revised", "capital", "secret-mission", "email")
        for players in (3, 4, 5)
    ),
)
# How often a bot sits in a seat, against the others.
SITS = {"hunter": 1.5, "turtle": 1.5, "peaceful": 0.6, "greedy": 0.3}


def bots_of(rng: random.Random, players: int, experts: float) -> list[str]:
    """Bots by seat; in a share of games, `experts`, `expert` sits in one to three."""
    names = [bot.name for bot in CHARACTER_BOTS if bot.name != "random"]
    bots = rng.choices(names, [SITS.get(name, 1.0) for name in names], k=players)
    if rng.random() < experts:
        for seat in rng.sample(range(players), rng.randint(1, max(1, players // 2))):
            bots[seat] = "expert"
    return bots


def play_part(
    number: int, games: int, experts: float, weights: Values = LEARNED, seed: int = 1
) -> Examples:
    """The examples of one part; the same number, seed and weights, the same examples."""
    rng = random.Random(f"{seed}/{number}")
    notes = [Notes(Ruleset.load(kind.ruleset, kind.options), weights) for kind in KINDS]

    def played(game: int) -> tuple[int, Noted]:
        which = rng.choices(range(len(KINDS)), [kind.weight for kind in KINDS])[0]
        bots = bots_of(rng, KINDS[which].players, experts)
        policies = np.array([NAMES[bot] for bot in bots], np.int64)
        dice = (seed * 1000 + number) * SEED_STEP + game
        return number * PART + game, notes[which].play(policies, dice, KINDS[which].one_in)

    return examples_of(map(played, range(games)))


def part_file(folder: Path, number: int) -> Path:
    """The file of one part."""
    return folder / f"part-{number}.npz"


def missing_parts(folder: Path, parts: Iterable[int]) -> list[int]:
    """Those of the parts that are not in the folder yet."""
    return [number for number in parts if not part_file(folder, number).exists()]


def play_parts(
    folder: Path,
    parts: Iterable[int],
    make: Callable[[int], Examples],
    told: Callable[[str], None],
    threads: int = 1,
) -> None:
    """Write the file of each part that is not in the folder yet, so that a stop loses little."""
    folder.mkdir(parents=True, exist_ok=True)

    def play(number: int) -> None:
        path = part_file(folder, number)
        examples = make(number)
        unfinished = path.with_suffix(".unfinished.npz")
        np.savez_compressed(unfinished, **{name: getattr(examples, name) for name in FIELDS})
        unfinished.rename(path)
        told(f"part {number}: {len(examples)} turns")

    in_threads(threads, play, missing_parts(folder, parts))


def read_parts(folder: Path) -> Examples:
    """All parts of a folder, one after another."""
    paths = [one for one in sorted(folder.glob("part-*.npz")) if one.suffixes == [".npz"]]
    return joined(read_part(path) for path in paths)


def read_part(path: Path) -> Examples:
    """The examples of one part."""
    with np.load(path) as found:
        return Examples(*(found[name] for name in FIELDS))
