"""Playing the blocks that `rubicon arena` is asked for: kept, shown, stopped."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rubicon.cli.arena.results import results_table
from rubicon.errors import RubiconError

if TYPE_CHECKING:
    from rubicon.lab.arena.block_file import BlockFile
    from rubicon.lab.arena.blocks import Block, Task
    from rubicon.lab.arena.contest import Contest

BLOCKS_A_PROCESS = 20  # at least, unless --processes says otherwise
EVERY = 0.5  # seconds between two pictures of the live table
OTHER_VERSION = "versus"  # the folder in --out with the blocks of the other version


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Where blocks are played, and where they are kept."""

    processes: int | None  # None: up to one a core
    ray: bool
    out: Path | None
    resume: bool


def play_contest(contest: Contest, settings: RunSettings) -> None:
    """Play the missing blocks, until the test decides; with a live table on a terminal.

    Raises RubiconError: `arena/interrupted` after control-C, and those of `BlockFile`.
    """
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    with ExitStack() as stack:
        files = [stack.enter_context(file) for file in _files(contest, settings)]
        missing = contest.missing()
        shown = time.monotonic()
        try:
            live = stack.enter_context(Live(console=console, transient=True, auto_refresh=False))
            if contest.verdict():
                return
            tasks = ((contest.matches[one], number) for one, number in missing)
            for (one, _), block in zip(
                missing, _played(tasks, len(missing), settings), strict=True
            ):
                contest.blocks[one].append(block)
                if files:
                    files[one].add(block)
                if console.is_terminal and time.monotonic() - shown > EVERY:
                    live.update(results_table(contest.matches[0], contest.blocks[0]), refresh=True)
                    shown = time.monotonic()
                if one == len(contest.matches) - 1 and contest.verdict():
                    return
        except KeyboardInterrupt as error:
            raise _interrupted(contest, settings) from error


def _files(contest: Contest, settings: RunSettings) -> Iterator[BlockFile]:
    from rubicon.lab.arena.block_file import BlockFile

    if settings.out is None:
        return
    for one, match in enumerate(contest.matches):
        folder = settings.out / OTHER_VERSION if one else settings.out
        file = BlockFile(folder, match, resume=settings.resume)
        contest.blocks[one] = list(file.blocks[: contest.wanted])
        yield file


def _played(tasks: Iterator[Task], number: int, settings: RunSettings) -> Iterator[Block]:
    from rubicon.lab.arena.blocks import play_tasks
    from rubicon.lab.arena.ray_blocks import play_on_ray

    if settings.ray:
        return play_on_ray(tasks)
    # A process takes seconds to start, in which another plays many games.
    most = max(1, min(os.cpu_count() or 1, number // BLOCKS_A_PROCESS))
    return play_tasks(tasks, settings.processes or most)


def _interrupted(contest: Contest, settings: RunSettings) -> RubiconError:
    played = len(contest.blocks[0])
    kept = "The blocks were not kept: name a folder with --out."
    if settings.out is not None:
        kept = "They are kept in --out; the same command with --resume goes on."
    return RubiconError("arena/interrupted", f"Stopped after {played:,} blocks.", kept)
