"""The games of a match as records, which `rubicon replay` reads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match
from rubicon.lab.arena.stepwise import play_stepwise
from rubicon.rules.record.record import Record


def save_records(match: Match, blocks: Iterable[Block], folder: Path) -> list[Path]:
    """Play the games of blocks again, every action checked, and save each in a file.

    A file is named by the seed of its block and the rotation of the seats. Raises RubiconError:
    `arena/not-repeated` where a game goes another way, as a player may that is no bot of ours.
    """
    folder.mkdir(parents=True, exist_ok=True)
    saved = []
    for block in blocks:
        for rotation, result in enumerate(block.games):
            seed = match.seed + block.number
            again = play_stepwise(match, seed, rotation)
            if (again.result.ranks, again.result.decisions) != (result.ranks, result.decisions):
                raise RubiconError(
                    "arena/not-repeated",
                    f"The game with seed {seed}, rotation {rotation}, goes another way when it is "
                    "played again.",
                    "Its players take chances of their own; records need players that do not.",
                )
            path = folder / f"{seed}-{rotation}.risk"
            path.write_text(Record.of(again.game).text(), encoding="utf-8")
            saved.append(path)
    return saved
