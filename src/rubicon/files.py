"""Reading files of unknown origin: only regular files, never more than a limit; and locks."""

import stat
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int) -> None:
        """Keep an open file to this program until it is closed. OSError where another has it."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def lock(descriptor: int) -> None:
        """Keep an open file to this program until it is closed. OSError where another has it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class TooLarge(OSError):
    """A file that is larger than the limit."""


def read_bounded(path: Path, most: int) -> bytes:
    """All bytes of a regular file; TooLarge if there are more than `most`.

    Raises OSError for a file that cannot be read, and for a device or a pipe, which may never end.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # `open` itself refuses a folder
        raise OSError("it is not a regular file")
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise TooLarge(f"it has more than {most:,} bytes")
    return content


def file_fault(error: Exception) -> str:
    """Why a file cannot be read or written, as text after a colon."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return getattr(error, "strerror", None) or str(error)
