"""One generation of the league: its games, the fit of a candidate, and the tests of it."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon import __version__
from rubicon.lab.arena.sprt import SequentialTest
from rubicon.lab.training.fitting import Examples, joined, model_of
from rubicon.lab.training.league.blocks import (
    BlocksOnDisk,
    Pair,
    advantages,
    mean_advantage,
    spread,
    summary,
)
from rubicon.lab.training.league.fits import Fits
from rubicon.lab.training.league.folder import LeagueFolder, fingerprint, save_model
from rubicon.lab.training.league.games import PART, LeagueTables, play_league_part
from rubicon.lab.training.notes import QUICK
from rubicon.lab.training.playing import missing_parts, play_parts, read_parts
from rubicon.lab.training.threads import in_threads
from rubicon.players.planner.thinking import USUAL_THINKING
from rubicon.players.planner.weights import load_weights

Values = npt.NDArray[Any]
# No other games have such seeds.
GAMES_SEED, TEST_SEED, CONFIRMATION_SEED = 10**12, 2 * 10**12, 3 * 10**12
SEED_STEP = 10**6  # of one generation
LOOK = 40  # blocks between two looks at the test


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much each generation plays, and how it is fitted and tested."""

    games: int
    epochs: int
    traces: list[float]  # a fit for each lambda of TD(lambda)
    blocks: int  # of the sequential test, at most
    gain: float  # that the test tells from no gain
    confirming: int  # blocks with usual thinking


class Generation:
    """A generation by its number, from 1. What its folder has is not made again."""

    def __init__(self, number: int, folder: LeagueFolder, plan: Plan, threads: int) -> None:
        self.number, self.folder, self.plan, self.threads = number, folder, plan, threads
        self.former = folder.champions()
        self.champion = self.former.pop()

    def run(self) -> None:
        """Play, fit and test; the log has the generation's line when all is done."""
        self.play()
        fitted = self.fit()
        line: dict[str, Any] = {
            "generation": self.number,
            "champion": len(self.former),
            "made with": f"Rubicon {__version__}, NumPy {np.__version__}",
            "fit": fitted,
        }
        if not fitted["better"]:
            self.folder.add_generation(line | {"promoted": False})
            return
        line["candidate"] = fingerprint(self.folder.candidate_file(self.number))
        line["test"], passed = self.test()
        if passed:
            line["confirmation"], passed = self.confirm()
        self.folder.add_generation(line | {"promoted": passed})

    def play(self) -> None:
        """Play what is missing of the games."""
        folder = self.folder.games(self.number)
        seed = GAMES_SEED + self.number * SEED_STEP
        parts = range(self.plan.games // PART)
        progress = PartsPlayed(
            f"generation {self.number}: parts of {PART} games", len(missing_parts(folder, parts))
        )

        def part(number: int) -> Examples:
            return play_league_part(number, seed, self.champion, self.former)

        play_parts(folder, parts, part, lambda line: progress.told(), self.threads)

    def fit(self) -> dict[str, Any]:
        """Fit candidates to the games of all generations, and keep the best one.

        There is a candidate for each lambda and epoch; the best one has the lowest loss on games
        that the fits did not see. It is not `better` where the champion's loss is as low.
        """
        path = self.folder.fit_file(self.number)
        if path.exists():
            return dict(json.loads(path.read_text()))
        folders = [self.folder.games(one) for one in range(1, self.number + 1)]
        examples = joined(read_parts(folder) for folder in folders)
        fits = Fits(examples, model_of(self.champion))
        for trace in self.plan.traces:
            fits.add(trace, self.plan.epochs, self.number)
        found = fits.account()
        save_model(self.folder.candidate_file(self.number), fits.best)
        path.write_text(json.dumps(found) + "\n")
        return found

    def test(self) -> tuple[dict[str, Any], bool]:
        """Play blocks until the sequential test has a verdict, or there are enough.

        It is passed by the verdict that the candidate wins more, if at one table with the champion
        it does not win less. Advantages are those at the stop: where the verdict is H1, they are
        greater on the average than those of more blocks would be.
        """
        sequential = SequentialTest(fair=0.0, gain=self.plan.gain)
        kept = BlocksOnDisk(self.folder.blocks_file("test", self.number))
        wanted, verdict = 0, ""
        while not verdict and wanted < self.plan.blocks:
            wanted = min(self.plan.blocks, wanted + LOOK)
            self.blocks(kept, wanted, TEST_SEED, QUICK)
            verdict = sequential.verdict(advantages(kept.first(wanted)))
            print(said(f"test, {wanted} blocks", kept.first(wanted)), verdict, flush=True)
        blocks = kept.first(wanted)
        passed = verdict == "H1" and mean_advantage(blocks[::2]) >= 0
        return {"verdict": verdict, "at the stop": summary(blocks)}, passed

    def confirm(self) -> tuple[dict[str, Any], bool]:
        """Play a fixed number of blocks on other deals, in which all think as usual.

        The candidate must win more there, too.
        """
        kept = BlocksOnDisk(self.folder.blocks_file("confirmation", self.number))
        for wanted in range(LOOK, self.plan.confirming + LOOK, LOOK):
            self.blocks(kept, min(wanted, self.plan.confirming), CONFIRMATION_SEED, USUAL_THINKING)
            print(said("confirmation", list(kept.found.values())), flush=True)
        blocks = kept.first(self.plan.confirming)
        return summary(blocks), mean_advantage(blocks) > 0

    def blocks(self, kept: BlocksOnDisk, wanted: int, seed: int, thinking: Values) -> None:
        """Play what is missing of the first blocks."""
        candidate = load_weights(self.folder.candidate_file(self.number))
        pair = Pair(candidate, self.champion, seed + self.number * SEED_STEP)

        def play(numbers: Sequence[int]) -> None:
            tables = LeagueTables(thinking)
            for one in numbers:
                kept.add(pair.block(one, tables))

        missing = kept.missing(wanted)
        shares = [missing[one :: self.threads] for one in range(self.threads)]
        in_threads(self.threads, play, shares)


class PartsPlayed:
    """Says how many parts are done, and about how long the others take."""

    def __init__(self, what: str, parts: int) -> None:
        self.what, self.parts, self.done = what, parts, 0
        self.begun = time.monotonic()

    def told(self) -> None:
        """One more is done."""
        self.done += 1
        left = (time.monotonic() - self.begun) / self.done * (self.parts - self.done)
        print(f"{self.what}: {self.done} of {self.parts}, {left / 60:.0f} min left", flush=True)


def said(what: str, blocks: Sequence[dict[str, Any]]) -> str:
    """A line of progress."""
    found = spread(blocks)
    return f"{what}: {found['advantage']:+} ({found['low']:+} to {found['high']:+})"
