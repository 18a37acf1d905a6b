"""What all commands here share: how their command lines begin, and files of JSON lines."""

import argparse
import json
from pathlib import Path
from typing import Any


def parser_of(module: str, text: str | None, folder: str) -> argparse.ArgumentParser:
    """A parser for `python -m MODULE FOLDER`; `text` is its help, `folder` that of its folder."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help=folder)
    return parser


# Files that are only appended to: a record of JSON in each line.


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The records of a file, if there is one; a last line that was cut off is removed from it."""
    if not path.exists():
        return []
    whole, end, cut = path.read_bytes().rpartition(b"\n")
    if cut:
        with path.open("r+b") as file:
            file.truncate(len(whole) + len(end))
    return [json.loads(line) for line in whole.splitlines()]


def add_line(path: Path, record: dict[str, Any]) -> None:
    """Append a record."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
