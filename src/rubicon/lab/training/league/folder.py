"""The folder of a league: its settings, champions, candidates, games, blocks and log."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rubicon.errors import RubiconError
from rubicon.files import lock
from rubicon.lab.training.fitting import model_of
from rubicon.lab.training.json_lines import add_line, read_lines
from rubicon.players.planner.weights import load_weights
from rubicon.wording import quoted_path

Values = npt.NDArray[Any]


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
            save_model(self.champion_file, model_of(first))

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
