"""Whether the files that an arena is asked for can be written: known before any game."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from rubicon.errors import RubiconError
from rubicon.wording import quoted_path

FOLDERS = ("out", "records", "dataset")


def check_outputs(asked: dict[str, Any]) -> None:
    """Create the folders that are asked for, and write a file in each that is gone at once.

    Raises RubiconError `arena/cannot-write`.
    """
    for name in FOLDERS:
        if asked[name] is not None:
            _check_folder(name, asked[name])
    report: Path | None = asked["html"]
    if report is None:
        return
    if report.is_dir():
        raise _unwritable("html", report, "It is a folder")
    _check_folder("html", report.parent)


def _check_folder(option: str, folder: Path) -> None:
    try:
        if option != "html":
            folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unwritable(option, folder, error.strerror or type(error).__name__) from error


def _unwritable(option: str, path: Path, why: str) -> RubiconError:
    return RubiconError(
        "arena/cannot-write",
        f"--{option}: nothing can be written to {quoted_path(path)}. {why}.",
        "Name another place.",
    )
