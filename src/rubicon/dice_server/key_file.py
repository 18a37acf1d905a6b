"""The private key of a dice server, in a file that its own user alone may read."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from pathlib import Path

from rubicon.dice.hashing import SIZE
from rubicon.errors import RubiconError
from rubicon.files import file_fault, read_bounded

PRIVATE = 0o600
_DIGITS = 2 * SIZE


def private_key_of(path: Path) -> bytes:
    """The key, 32 bytes; made when the file does not exist. RubiconError `dice-server/key-file`."""
    try:
        if not path.exists():
            _make(path)
        _check_mode(path)
        return _read(path)
    except OSError as error:
        message = f"The key file {str(path)!r} cannot be used: {file_fault(error)}."
        raise RubiconError("dice-server/key-file", message, "Choose another: --key-file") from error


def create_private(path: Path) -> None:
    """Create an empty file that nobody else may read, where it does not exist."""
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE))


def _make(path: Path) -> None:
    """Write the whole file before it gets its name: a crash leaves no half key."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    create_private(unfinished)
    with unfinished.open("w", encoding="ascii") as file:
        file.write(secrets.token_hex(SIZE) + "\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    if sys.platform != "win32":
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def _check_mode(path: Path) -> None:
    if sys.platform != "win32" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        message = f"Other users may read the key file {str(path)!r}."
        raise RubiconError("dice-server/key-file", message, f"Run: chmod 600 {path}")


def _read(path: Path) -> bytes:
    text = read_bounded(path, _DIGITS + 2).decode("ascii", "replace").strip()
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != SIZE:
        message = f"The key file {str(path)!r} holds no key."
        suggestion = f"It has {_DIGITS} hexadecimal digits: restore it from a backup."
        raise RubiconError("dice-server/key-file", message, suggestion)
    return key
