"""Playing the blocks that `rubicon arena` is asked for: kept, shown, stopped."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rubicon.cli.arena.results import results_table
from rubicon.errors import RubiconError

if TYPE_CHECKING:
    from rich.live import Live

    from rubicon.lab.arena.block_file import BlockFile
    from rubicon.lab.arena.blocks import Block
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

    KeyboardInterrupt and errors of players pass on, after a sentence on what is kept. Raises
    `BlockFile`'s errors.
    """
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    live = Live(console=console, transient=True) if console.is_terminal else None
    with ExitStack() as stack:
        files = [stack.enter_context(file) for file in _files(contest, settings)]
        try:
            with live or nullcontext():
                _play(contest, settings, files, live)
        except (KeyboardInterrupt, RubiconError) as stopped:
            if contest.blocks[0] or isinstance(stopped, KeyboardInterrupt):
                click.echo(_kept(contest, settings), err=True)
            raise


def _play(
    contest: Contest, settings: RunSettings, files: Sequence[BlockFile], live: Live | None
) -> None:
    shown = time.monotonic()
    if contest.verdict():
        return
    for (one, _), block in zip(contest.missing(), _played(contest, settings), strict=True):
        contest.blocks[one].append(block)
        if files:
            files[one].add(block)
        if live and time.monotonic() - shown > EVERY:
            live.update(results_table(contest.matches[0], contest.blocks[0]))
            shown = time.monotonic()
        if one == len(contest.matches) - 1 and contest.verdict():
            return


def _files(contest: Contest, settings: RunSettings) -> Iterator[BlockFile]:
    from rubicon.lab.arena.block_file import BlockFile

    if settings.out is None:
        return
    for one, match in enumerate(contest.matches):
        folder = settings.out / OTHER_VERSION if one else settings.out
        file = BlockFile(folder, match, resume=settings.resume)
        contest.blocks[one] = list(file.blocks[: contest.wanted])
        yield file


def _played(contest: Contest, settings: RunSettings) -> Iterator[Block]:
    """The missing blocks, as they are played."""
    from rubicon.lab.arena.blocks import play_tasks
    from rubicon.lab.arena.ray_blocks import play_on_ray

    missing = contest.missing()
    tasks = ((contest.matches[one], number) for one, number in missing)
    if settings.ray:
        return play_on_ray(tasks)
    # A process takes seconds to start, in which another plays many games.
    most = max(1, min(os.cpu_count() or 1, contest.wanted // BLOCKS_A_PROCESS))
    return play_tasks(tasks, settings.processes or most)


def _kept(contest: Contest, settings: RunSettings) -> str:
    played = f"Blocks played: {len(contest.blocks[0]):,}"
    if settings.out is None:
        return f"{played}. They are not kept: give --out FOLDER to keep them."
    return f"{played}. They are kept in {settings.out}. The same command with --resume goes on."
