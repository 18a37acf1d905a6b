"""Train the value model in a league: play, fit a candidate, and promote it if it wins more.

    python -m research.league league --generations 1 --games 20000 --threads 2

In each generation the champion plays training games: half of them against copies of itself, half
against its pool, which is the scripted bots and the champions before it. Candidates begin with the
champion's value model and are fitted to all games so far by TD(lambda). The best one is promoted if
it wins more: by a sequential test of blocks in which it and the champion change places, and then in
blocks in which all think as usual. The first champion is the strongest bot.

The folder keeps everything, and a command that was stopped goes on where it was. Ctrl-C waits until
the parts that have begun are played. `log.jsonl` has a line for each generation.
"""

import argparse
import hashlib
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from research import fitting
from research.folders import add_line, parser_of, read_lines
from research.league_games import (
    PART,
    BlocksOnDisk,
    LeagueTables,
    Pair,
    advantages,
    mean_advantage,
    play_league_part,
    spread,
    summary,
)
from research.playing import QUICK, in_threads, missing_parts, play_parts, read_parts
from rubicon import __version__
from rubicon.errors import RubiconError
from rubicon.files import lock
from rubicon.lab.arena.statistics import SequentialTest
from rubicon.players.characters import NAMES, USUAL_THINKING
from rubicon.players.planner.value import LEARNED, load_weights
from rubicon.wording import quoted_path

# Fits of one generation's games by TD(lambda), and the best of them.

Values = npt.NDArray[Any]
RATE = 5e-4  # of a fit that begins with a model
Model = dict[str, Values]
NAME_OF = {policy: name for name, policy in NAMES.items()}


class Fits:
    """Fits that all begin with one model, `start`.

    The best one has the lowest loss on games that the fits did not see; it is `start` itself where
    no fit has a lower one.
    """

    def __init__(self, examples: fitting.Examples, start: Model) -> None:
        # Games with even numbers are the champion's alone: of both kinds, every tenth is held out.
        test = examples.game // 2 % fitting.HELD_OUT == 0
        self.examples = examples
        self.seen, self.unseen = examples.those(~test), examples.those(test)
        self.strengths = fitting.fitted_strengths(self.seen, fitting.chances_of(start, self.seen))
        self.of_seen = fitting.strengths_by_seat(self.seen, self.strengths)
        self.judged = fitting.chances_of(start, self.seen, self.of_seen)
        self.start = self.best = start
        self.before = self.lowest = self.loss(start, self.unseen)
        self.found: dict[str, Any] = {"better": False}
        self.curves: dict[str, list[float]] = {}

    def add(self, trace: float, epochs: int, seed: int) -> None:
        """Fit with this lambda."""
        self.curves[str(trace)] = []
        fitting.fit(
            self.seen,
            epochs,
            seed,
            RATE,
            partial(self._told, trace),
            start=self.start,
            aims=fitting.later_judgements(self.seen, self.judged, trace),
            strengths=self.of_seen,
        )

    def _told(self, trace: float, epoch: int, model: Model) -> None:
        now = self.loss(model, self.unseen)
        self.curves[str(trace)].append(now)
        print(f"lambda {trace}, epoch {epoch + 1}: loss {now}, before {self.before}", flush=True)
        if now < self.lowest:
            self.lowest, self.best = now, dict(model)
            self.found = {"better": True, "lambda": trace, "epoch": epoch + 1}

    def account(self) -> dict[str, Any]:
        """What is known of the fits, for a log."""
        return self.found | {
            "games": len(np.unique(self.examples.game)),
            "turns": len(self.examples),
            "strengths": {NAME_OF[bot]: round(one, 3) for bot, one in self.strengths.items()},
            "loss of the champion": self.losses_by_table(self.start),
            "loss of the candidate": self.losses_by_table(self.best),
            "losses by lambda and epoch": self.curves,
        }

    def loss(self, model: Model, examples: fitting.Examples) -> float:
        """The mean cross entropy of who won."""
        strengths = fitting.strengths_by_seat(examples, self.strengths)
        return round(
            fitting.losses(fitting.chances_of(model, examples, strengths), examples.winner), 5
        )

    def losses_by_table(self, model: Model) -> dict[str, float]:
        """The loss on unseen games of the champion alone, and on those with the pool."""
        pool = self.unseen.game % 2 == 1
        tables = {"alone": ~pool, "with the pool": pool}
        return {
            name: self.loss(model, self.unseen.those(one))
            for name, one in tables.items()
            if one.any()
        }


# The folder of a league: its settings, champions, candidates, games, blocks and log.


class LeagueFolder:
    """The files of one league, which only this object writes until it is closed.

    `settings` must be those that the folder was begun with. The first champion, `first`, is copied
    into a new folder, so that it stays the same where the strongest bot is a later one.
    RubiconError: `league/in-use`, `league/other-settings`.
    """

    def __init__(self, path: Path, settings: dict[str, Any], first: Values) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self._lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._take()
            self._keep(settings)
        except BaseException:
            self.close()
            raise
        if not self.champion_file.exists():
            save_model(self.champion_file, fitting.model_of(first))

    def _take(self) -> None:
        try:
            lock(self._lock)
        except OSError as error:
            raise RubiconError(
                "league/in-use",
                f"Another program trains in {quoted_path(self.path)}.",
                "End it first, or name another folder.",
            ) from error

    def _keep(self, settings: dict[str, Any]) -> None:
        path = self.path / "settings.json"
        if not path.exists():
            path.write_text(json.dumps(settings, indent=1) + "\n")
        before = json.loads(path.read_text())
        other = [name for name in settings if settings[name] != before.get(name)]
        if other:
            said = ", ".join(f"{name} {before.get(name)}" for name in other)
            raise RubiconError(
                "league/other-settings",
                f"The league in {quoted_path(self.path)} was begun with {said}.",
                "Give the same, or name another folder.",
            )

    @property
    def champion_file(self) -> Path:
        """The first champion."""
        return self.path / "champion-0.npz"

    def candidate_file(self, number: int) -> Path:
        """The candidate of a generation."""
        return self.path / f"candidate-{number}.npz"

    def fit_file(self, number: int) -> Path:
        """What is known of the fit of a generation's candidate; written behind the candidate."""
        return self.path / f"fit-{number}.json"

    def games(self, number: int) -> Path:
        """The folder of a generation's games."""
        return self.path / f"games-{number}"

    def blocks_file(self, what: str, number: int) -> Path:
        """The blocks of a generation's test; those of another candidate have another file."""
        return self.path / f"{what}-{number}-{fingerprint(self.candidate_file(number))}.jsonl"

    def generations(self) -> list[dict[str, Any]]:
        """The lines of the log: one for each generation that is done."""
        return read_lines(self.path / "log.jsonl")

    def add_generation(self, line: dict[str, Any]) -> None:
        """Add a line to the log: this generation is done."""
        add_line(self.path / "log.jsonl", line)

    def champions(self) -> list[Values]:
        """The value models of all champions, the first one first."""
        promoted = [one["generation"] for one in self.generations() if one["promoted"]]
        files = [self.champion_file, *map(self.candidate_file, promoted)]
        return [load_weights(file) for file in files]

    def close(self) -> None:
        """Let others use it."""
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def save_model(path: Path, model: dict[str, Values]) -> None:
    """Write a value model; the file is whole, or not there."""
    unfinished = path.with_suffix(".unfinished.npz")
    arrays: Any = model
    np.savez(unfinished, **arrays)
    unfinished.rename(path)


def fingerprint(path: Path) -> str:
    """The first letters of a value model's SHA-256; the same for the same numbers."""
    weights = load_weights(path)
    return hashlib.sha256(weights.tobytes()).hexdigest()[:12]


# One generation of the league: its games, the fit of a candidate, and the tests of it.

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

        def part(number: int) -> fitting.Examples:
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
        examples = fitting.joined(read_parts(folder) for folder in folders)
        fits = Fits(examples, fitting.model_of(self.champion))
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


# The command.


def arguments_of(given: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of the command."""
    parser = parser_of("research.league", __doc__, "where games, models and blocks are kept")
    parser.add_argument("--generations", type=int, default=1, help="generations there shall be")
    parser.add_argument("--games", type=int, default=20_000, help="games of a generation")
    parser.add_argument("--epochs", type=int, default=4, help="of each fit")
    parser.add_argument(
        "--lambda",
        dest="traces",
        type=float,
        nargs="+",
        default=[0.7, 0.8, 0.9],
        help="of TD(lambda), for each noted turn; the best of these fits is the candidate",
    )
    parser.add_argument("--blocks", type=int, default=2000, help="blocks of a test, at most")
    parser.add_argument(
        "--gain",
        type=float,
        default=0.04,
        help="what the test looks for: at one table 0.04 is 52 wins to 48, with the pool 4 %% more",
    )
    parser.add_argument(
        "--confirming", type=int, default=200, help="blocks in which all think as usual"
    )
    parser.add_argument("--threads", type=int, default=1, help="games that are played at a time")
    asked = parser.parse_args(given)
    check(parser, asked)
    return asked


def check(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> None:
    """End with a message where a number makes no sense."""
    if asked.games < PART or asked.games % PART:
        parser.error(f"--games {asked.games}: give a multiple of {PART}.")
    if asked.blocks < 2 or asked.confirming < 2:
        parser.error("--blocks and --confirming: give at least 2.")
    if min(asked.threads, asked.epochs, asked.generations) < 1:
        parser.error("--threads, --epochs and --generations: give at least 1.")
    if not all(0 <= one <= 1 for one in asked.traces):
        parser.error("--lambda: give numbers from 0 to 1.")


def plan_of(asked: argparse.Namespace) -> Plan:
    """What is the same in all generations."""
    return Plan(**{field.name: getattr(asked, field.name) for field in fields(Plan)})


def settings_of(plan: Plan) -> dict[str, Any]:
    """What a folder must have been begun with."""
    settings = asdict(plan)
    return settings | {"lambda": settings.pop("traces")}


def main(given: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for."""
    asked = arguments_of(given)
    plan = plan_of(asked)
    try:
        with LeagueFolder(asked.folder, settings_of(plan), LEARNED) as folder:
            for number in range(len(folder.generations()) + 1, asked.generations + 1):
                Generation(number, folder, plan, asked.threads).run()
            for line in folder.generations():
                print(json.dumps(line))
    except KeyboardInterrupt:
        print("Stopped. The same command goes on from here.")
        return 130
    except RubiconError as error:
        print(f"{error} [{error.code}]", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
