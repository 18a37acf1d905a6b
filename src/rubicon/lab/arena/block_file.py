"""The blocks of a match in a file that is only ever appended to, one line of JSON each."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import Block, block_of
from rubicon.lab.arena.match import Match

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
        try:
            self.blocks = [block_of(line) for line in lines[1:]]
        except (ValueError, KeyError, TypeError) as error:
            raise RubiconError(
                "arena/damaged",
                f"{self.path} has a line that is no block.",
                "Begin again in another folder.",
            ) from error
        return len(whole) + len(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
