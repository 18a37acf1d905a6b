"""Reading files that others wrote: only regular ones, and never more than is asked for."""

import stat
from pathlib import Path


class TooLarge(OSError):
    """A file that holds more than it may."""


def read_bounded(path: Path, most: int) -> bytes:
    """All bytes of a regular file; TooLarge where there are more than `most`.

    A device or a pipe, which may have no end, is an OSError, and so is what cannot be read.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a folder is refused by `open`
        raise OSError("it is no regular file")
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise TooLarge(f"it has more than {most:,} bytes")
    return content
