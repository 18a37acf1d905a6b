"""Files that are only appended to: a record of JSON in each line."""

import json
from pathlib import Path
from typing import Any


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
