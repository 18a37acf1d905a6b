"""The games of a match as records, which `rubicon replay` reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match
from rubicon.lab.arena.stepwise import Noted, StepwiseGame, play_stepwise
from rubicon.rules.record.record import Record


def played_again(
    match: Match, blocks: Iterable[Block], noted: Noted | None = None
) -> Iterator[tuple[str, StepwiseGame]]:
    """The games of blocks, played again with every action checked, and their names.

    A game is named by the seed of its block and the rotation of the seats. `noted` is told of each
    decision. Raises RubiconError: `arena/not-repeated` where a game goes another way, as a player
    may that is no bot of ours.
    """
    for block in blocks:
        for rotation, result in enumerate(block.games):
            seed = match.seed + block.number
            again = play_stepwise(match, seed, rotation, noted)
            if (again.result.ranks, again.result.decisions) != (result.ranks, result.decisions):
                raise RubiconError(
                    "arena/not-repeated",
                    f"The game with seed {seed}, rotation {rotation}, goes another way when it is "
                    "played again.",
                    "Its players take chances of their own; records need players that do not.",
                )
            yield f"{seed}-{rotation}", again


def save_records(match: Match, blocks: Iterable[Block], folder: Path) -> list[Path]:
    """Save each game of blocks as a record, in a file with its name; raises `played_again`'s."""
    folder.mkdir(parents=True, exist_ok=True)
    saved = []
    for name, again in played_again(match, blocks):
        path = folder / f"{name}.risk"
        path.write_text(Record.of(again.game).text(), encoding="utf-8")
        saved.append(path)
    return saved
