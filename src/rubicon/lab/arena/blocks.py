"""Blocks: one deal, played once in each rotation of the seats; in this process or in several."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

import numpy as np

from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.records.position import POSITION, SEATS
from rubicon.engine.sampling import generator
from rubicon.errors import RubiconError
from rubicon.lab.arena.game_result import ArenaResult, result_of
from rubicon.lab.arena.keyed_play import TALLIED, dice_keys, play_keyed
from rubicon.lab.arena.match import Match
from rubicon.lab.arena.stepwise import play_stepwise
from rubicon.players.memory import MEMORY
from rubicon.players.registry import policy_of
from rubicon.players.scripted.traits import Traits
from rubicon.processes import exit_with_parent
from rubicon.rules.game.game import Game

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


def play_blocks(match: Match, numbers: Iterable[int], processes: int = 1) -> Iterator[Block]:
    """Play blocks of one match; they come in the order of `numbers`."""
    return play_tasks(((match, number) for number in numbers), processes)


def play_tasks(tasks: Iterable[Task], processes: int = 1) -> Iterator[Block]:
    """Play blocks of any matches in this process, or in several; they come in order."""
    if processes == 1:
        for task in tasks:
            yield play_block(*task)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), exit_with_parent)
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
