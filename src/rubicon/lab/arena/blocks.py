"""Blocks: one deal, played once in each rotation of the seats; played in processes, kept
in a file.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np

from rubicon.engine.chance import generator
from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.records import POSITION, SEATS
from rubicon.errors import RubiconError
from rubicon.lab.arena.match import (
    TALLIED,
    ArenaResult,
    Match,
    dice_keys,
    match_of,
    play_keyed,
    play_stepwise,
    result_of,
)
from rubicon.players.characters import Traits, policy_of
from rubicon.players.memory import MEMORY
from rubicon.processes import exit_with_parent, spawn_context
from rubicon.rules.game import Game
from rubicon.wording import quoted_path

# Blocks are played, in this process or in several.

AHEAD = 4  # blocks that wait for each process
Task = tuple[Match, int]  # the number of a block of a match
Handle = TypeVar("Handle")


@dataclass(frozen=True, slots=True)
class Block:
    """The games of a block, by rotation of the seats."""

    number: int
    games: tuple[ArenaResult, ...]

    def text(self) -> str:
        """One line of JSON; `block_of` reads it."""
        return json.dumps(asdict(self), separators=(",", ":"))


def block_of(text: str) -> Block:
    """The block that a line of JSON holds. Raises ValueError, KeyError or TypeError."""
    read = json.loads(text)
    games: list[dict[str, Any]] = [
        {name: tuple(one) if isinstance(one, list) else one for name, one in game.items()}
        for game in read["games"]
    ]
    return Block(int(read["number"]), tuple(ArenaResult(**game) for game in games))


class CompiledTable:
    """Plays the games of a match whose players are all compiled.

    `traits` may give other traits to scripted bots, by name, to try them.
    """

    def __init__(self, match: Match) -> None:
        self.traits: dict[str, Traits] = {}
        self.match = match
        self.ruleset = match.ruleset()
        self.start = Game.new(self.ruleset, len(match.players)).position
        self.games = np.zeros(2, POSITION)
        self.buffer = range_buffer()

    def play(self, seed: int, rotation: int) -> ArenaResult:
        """Play one game; only its processor times differ from one call to the next."""
        seating = self.match.seating(rotation)
        policies = [policy_of(self.match.players[place]) for place in seating]
        self.games[0] = self.start
        tally, memories = np.zeros((SEATS, TALLIED), np.int64), np.zeros(SEATS, MEMORY)
        for seat, place in enumerate(seating):
            tried = self.traits.get(self.match.players[place])
            if tried is not None:
                memories[seat]["policy"], memories[seat]["traits"] = policies[seat], tried
        # The random generator counts modulo 2**64; uncompiled, NumPy would warn of each overflow.
        with np.errstate(over="ignore"):
            play_keyed(
                self.games,
                self.ruleset.rules,
                self.ruleset.tables,
                np.array(policies, np.int64),
                memories,
                self.buffer,
                generator(0),
                generator(0),
                dice_keys(seed),
                self.match.rounds,
                tally,
            )
        return result_of(self.games[0], tally, seating)


@cache
def table_of(match: Match) -> CompiledTable:
    """The table of a match in this process."""
    return CompiledTable(match)


def play_block(match: Match, number: int) -> Block:
    """Play all games of a block."""
    seed, rotations = match.seed + number, range(len(match.players))
    if match.compiled:
        table = table_of(match)
        return Block(number, tuple(table.play(seed, rotation) for rotation in rotations))
    results = [play_stepwise(match, seed, rotation).result for rotation in rotations]
    return Block(number, tuple(results))


def play_tasks(tasks: Iterable[Task], processes: int = 1) -> Iterator[Block]:
    """Play blocks of any matches in this process, or in several; they come in order."""
    if processes == 1:
        for task in tasks:
            yield play_block(*task)
        return
    pool = ProcessPoolExecutor(processes, spawn_context(), exit_with_parent)
    try:
        yield from in_order(
            lambda task: pool.submit(play_block, *task), Future.result, tasks, AHEAD * processes
        )
    except BrokenProcessPool as error:
        raise RubiconError(
            "arena/process-ended",
            "A process that plays games has ended.",
            "Blocks that were played are kept in --out; go on with --resume.",
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def in_order(
    submit: Callable[[Task], Handle],
    result: Callable[[Handle], Block],
    tasks: Iterable[Task],
    ahead: int,
) -> Iterator[Block]:
    """Submit `ahead` tasks at a time to whatever plays them; their blocks, in order."""
    waiting = iter(tasks)
    under_way = deque(submit(task) for task in islice(waiting, ahead))
    while under_way:
        yield result(under_way.popleft())
        under_way += [submit(task) for task in islice(waiting, 1)]


# The blocks of a match in a file that is only ever appended to, one line of JSON each.

NAME = "blocks.jsonl"


class BlockFile:
    """Keeps blocks in a folder; the first line says which match they are of."""

    def __init__(self, folder: Path, match: Match, *, resume: bool) -> None:
        """Begin a file, or go on with one.

        A last line that was cut off in the middle is dropped. Raises RubiconError:
        `arena/exists` without `resume`, `arena/other-match`, `arena/damaged`.
        """
        self.path = folder / NAME
        self.blocks: list[Block] = []
        folder.mkdir(parents=True, exist_ok=True)
        if self.path.exists() and not resume:
            raise RubiconError(
                "arena/exists",
                f"{self.path} exists.",
                "Go on with --resume, or name another folder with --out.",
            )
        kept = self._read(match) if self.path.exists() else 0
        self._file = self.path.open("ab")
        self._file.truncate(kept)
        if not kept:
            self._write(match.text())

    def add(self, block: Block) -> None:
        """Append a block; it is on its way to the disk when this returns."""
        self.blocks.append(block)
        self._write(block.text())

    def close(self) -> None:
        """Write everything to the disk."""
        os.fsync(self._file.fileno())
        self._file.close()

    def _write(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")
        self._file.flush()

    def _read(self, match: Match) -> int:
        whole, end, _ = self.path.read_bytes().rpartition(b"\n")
        lines = whole.decode("utf-8", "replace").splitlines() if end else []
        if lines and lines[0] != match.text():
            raise RubiconError(
                "arena/other-match",
                f"{self.path} was begun with other players, rules or seeds.",
                "Give the arguments that it was begun with, or another folder.",
            )
        self.blocks = _blocks_in(self.path, lines[1:])
        return len(whole) + len(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def kept_match(folder: Path) -> tuple[Match, list[Block]]:
    """The match that a folder keeps, and its whole blocks.

    Raises RubiconError: `arena/no-match`, `arena/damaged`.
    """
    path = folder / NAME
    try:
        first, *lines = (
            path.read_bytes().rpartition(b"\n")[0].decode("utf-8", "replace").splitlines()
        )
        match = match_of(first)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RubiconError(
            "arena/no-match",
            f"{quoted_path(folder)} keeps no match.",
            "Name a folder that was given as --out.",
        ) from error
    return match, _blocks_in(path, lines)


def _blocks_in(path: Path, lines: list[str]) -> list[Block]:
    try:
        return [block_of(line) for line in lines]
    except (ValueError, KeyError, TypeError) as error:
        raise RubiconError(
            "arena/damaged",
            f"{path} has a line that is no block.",
            "Begin again in another folder.",
        ) from error


# Blocks that the machines of a Ray cluster play; the same blocks as in this process.


def ray_module() -> Any:
    """Ray, imported. Raises RubiconError: `arena/no-ray`."""
    try:
        return import_module("ray")
    except ModuleNotFoundError as error:
        raise RubiconError(
            "arena/no-ray",
            "Ray is not installed.",
            "Install it with `pip install rubicon[ray]`, or leave out --ray and use --processes.",
        ) from error


def play_on_ray(tasks: Iterable[Task]) -> Iterator[Block]:
    """Play blocks on all cores of a cluster; they come in order.

    The cluster is that of the environment variable RAY_ADDRESS, or a new one on this machine.
    """
    ray = ray_module()
    ray.init(log_to_driver=False)
    try:
        remote = ray.remote(play_block)
        cores = int(ray.cluster_resources().get("CPU", 1))
        yield from in_order(lambda task: remote.remote(*task), ray.get, tasks, AHEAD * cores)
    finally:
        ray.shutdown()
