"""Train the value model in a league: play, fit a candidate, and promote it if it wins more.

    python -m rubicon.lab.training.league league --generations 1 --games 20000 --threads 2

In each generation the champion plays training games, half of them among copies of itself, half
among its pool: the scripted bots, and the champions before. A candidate begins with the champion's
value model and is fitted to all games so far by TD(lambda). It is promoted if a sequential test
of blocks, in which it and the champion change places, says that it wins more. The first champion is
the strongest bot.

All is kept in the folder, and a command that was stopped goes on where it was. Ctrl-C waits for the
games of the parts that are played. `log.jsonl` has a line for each generation.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.lab.arena.sprt import SequentialTest
from rubicon.lab.arena.statistics import interval
from rubicon.lab.training.fitting import (
    HELD_OUT,
    Examples,
    chances_of,
    fit,
    joined,
    losses,
    model_of,
)
from rubicon.lab.training.json_lines import add_line, read_lines
from rubicon.lab.training.league_games import PART, LeagueTables, play_league_part
from rubicon.lab.training.playing import play_parts, read_parts
from rubicon.lab.training.promotion import advantage
from rubicon.lab.training.targets import later_judgements
from rubicon.players.planner.weights import LEARNED, load_weights

Values = npt.NDArray[Any]
GAMES_SEED, BLOCKS_SEED = 10**12, 2 * 10**12  # no other games have such seeds
SEED_STEP = 10**6  # of one generation
RATE = 5e-4  # of a fit that begins with a model
ROUND = 20  # blocks between two looks at the test


def arguments_of(given: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of the command."""
    parser = argparse.ArgumentParser(
        prog="python -m rubicon.lab.training.league",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="where games, models and blocks are kept")
    parser.add_argument("--generations", type=int, default=1, help="generations there shall be")
    parser.add_argument("--games", type=int, default=20_000, help="games of a generation")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument(
        "--winners", type=float, default=0.8, help="the lambda of TD(lambda): 1 for winners alone"
    )
    parser.add_argument("--blocks", type=int, default=2000, help="blocks of a test, at most")
    parser.add_argument(
        "--gain", type=float, default=0.04, help="share of games that a promotion should bring"
    )
    parser.add_argument("--threads", type=int, default=1, help="games that are played at a time")
    return parser.parse_args(given)


class League:
    """The generations of a folder."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        self.folder: Path = asked.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "log.jsonl"

    def generations(self) -> list[dict[str, Any]]:
        """The lines of the log."""
        return read_lines(self.log)

    def champions(self) -> list[Values]:
        """The value models of all champions, the first one first."""
        promoted = [one["generation"] for one in self.generations() if one["promoted"]]
        return [LEARNED, *(load_weights(self.candidate(number)) for number in promoted)]

    def candidate(self, number: int) -> Path:
        """The file of a generation's candidate."""
        return self.folder / f"candidate-{number}.npz"

    def play(self, number: int) -> None:
        """Play what is missing of a generation's games."""
        *former, champion = self.champions()
        folder = self.folder / f"games-{number}"
        seed = GAMES_SEED + number * SEED_STEP
        parts = range(self.asked.games // PART)
        missing = [one for one in parts if not (folder / f"part-{one}.npz").exists()]
        progress = Progress(f"generation {number}: parts of {PART} games", len(missing))

        def one(part: int) -> None:
            play_parts(
                folder,
                [part],
                lambda part: play_league_part(part, seed, champion, former),
                lambda line: progress.told(),
            )

        self.in_threads(one, missing)

    def fit(self, number: int) -> dict[str, Any]:
        """Fit the candidate to the games of all generations, write it, and say how well it fits."""
        folders = [self.folder / f"games-{one}" for one in range(1, number + 1)]
        examples = joined(read_parts(folder) for folder in folders)
        test = examples.game // 2 % HELD_OUT == 0
        seen, unseen = examples.those(~test), examples.those(test)
        start = model_of(self.champions()[-1])
        aims = later_judgements(seen, chances_of(start, seen), self.asked.winners)

        def told(epoch: int, model: dict[str, Values]) -> None:
            print(f"epoch {epoch + 1}: {losses_of(model, unseen)}", flush=True)

        print(f"before: {losses_of(start, unseen)}", flush=True)
        model = fit(seen, self.asked.epochs, number, RATE, told, start=start, aims=aims)
        arrays: Any = model
        np.savez(self.candidate(number), **arrays)
        return {
            "games": len(np.unique(examples.game)),
            "turns": len(examples),
            "loss of the champion": losses_of(start, unseen),
            "loss of the candidate": losses_of(model, unseen),
        }

    def test(self, number: int) -> dict[str, Any]:
        """Play blocks until the sequential test has a verdict, or there are enough."""
        champion, candidate = self.champions()[-1], load_weights(self.candidate(number))
        path = self.folder / f"blocks-{number}.jsonl"
        found = {one["block"]: one["advantage"] for one in read_lines(path)}
        sequential = SequentialTest(fair=0.0, gain=self.asked.gain)
        seed = BLOCKS_SEED + number * SEED_STEP

        def play(numbers: Sequence[int]) -> None:
            tables = LeagueTables()
            for one in numbers:
                found[one] = advantage(tables, one, seed, candidate, champion)
                add_line(path, {"block": one, "advantage": found[one]})

        advantages: list[float] = []
        verdict = ""
        while not verdict and len(advantages) < self.asked.blocks:
            wanted = min(self.asked.blocks, len(advantages) + ROUND * self.asked.threads)
            missing = [one for one in range(wanted) if one not in found]
            self.in_threads(
                play, [missing[one :: self.asked.threads] for one in range(self.asked.threads)]
            )
            advantages = [found[one] for one in range(wanted)]
            verdict = sequential.verdict(advantages)
            print(f"{wanted} blocks: {summary(advantages)['advantage']} {verdict}", flush=True)
        return {
            "blocks": len(advantages),
            **summary(advantages),
            "at one table": summary(advantages[::2]),
            "with the pool": summary(advantages[1::2]),
            "verdict": verdict,
            "promoted": verdict == "H1",
        }

    def generation(self, number: int) -> None:
        """Play, fit and test; the log has its line when all is done."""
        self.play(number)
        line = {"generation": number, "champion": len(self.champions()) - 1}
        add_line(self.log, line | self.fit(number) | self.test(number))

    def in_threads(self, work: Callable[[Any], None], items: Sequence[Any]) -> None:
        """Do the work for each item; what has not begun is dropped when the command is stopped."""
        with ThreadPoolExecutor(self.asked.threads) as pool:
            try:
                list(pool.map(work, items))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


class Progress:
    """Says how many parts are done, and about how long the others take."""

    def __init__(self, what: str, parts: int) -> None:
        self.what, self.parts, self.done = what, parts, 0
        self.begun = time.monotonic()

    def told(self) -> None:
        """One more is done."""
        self.done += 1
        left = (time.monotonic() - self.begun) / self.done * (self.parts - self.done)
        print(f"{self.what}: {self.done} of {self.parts}, {left / 60:.0f} min left", flush=True)


def summary(advantages: Sequence[float]) -> dict[str, float]:
    """Their mean, and the ends of its 95 % interval."""
    mean, low, high = interval(advantages)
    return {"advantage": round(mean, 4), "low": round(low, 4), "high": round(high, 4)}


def losses_of(model: dict[str, Values], examples: Examples) -> dict[str, float]:
    """The loss on games of the champion alone, and on those with the pool."""
    chances, pool = chances_of(model, examples), examples.game % 2 == 1
    return {
        name: round(losses(chances[these], examples.winner[these]), 4)
        for name, these in (("alone", ~pool), ("with the pool", pool))
        if these.any()
    }


def main(given: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for."""
    league = League(arguments_of(given))
    try:
        for number in range(len(league.generations()) + 1, league.asked.generations + 1):
            league.generation(number)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")
        return 130
    for line in league.generations():
        print(json.dumps(line))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
