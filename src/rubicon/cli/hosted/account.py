"""The accounts of this computer's user: a token for each server, readable by that user alone."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from rubicon.errors import RubiconError
from rubicon.files import file_fault, read_bounded
from rubicon.wording import quoted_path

MODE = 0o600
OTHERS = 0o077  # what others than the owner may do
LARGEST = 1024 * 1024  # bytes


def accounts_file() -> Path:
    """Below `$XDG_CONFIG_HOME`, or `~/.config`."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "rubicon" / "accounts.json"


def known_tokens() -> dict[str, str]:
    """The token of each server's address; empty where there is no file.

    RubiconError `play/accounts-unreadable` for a file that cannot be read: what is in it would be
    lost with the next token.
    """
    file = accounts_file()
    try:
        kept = json.loads(read_bounded(file, LARGEST))
        if file.stat().st_mode & OTHERS:
            file.chmod(MODE)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise unreadable(file, file_fault(error)) from error
    if not isinstance(kept, dict):
        raise unreadable(file, "it is no JSON object")
    tokens = ((url, str(token)) for url, token in kept.items())
    return {url: token for url, token in tokens if token.isascii() and token.isprintable()}


def unreadable(file: Path, why: str) -> RubiconError:
    """The error for a file of accounts that holds something else."""
    message = f"Your accounts in {quoted_path(file)} cannot be read: {why}."
    hint = "Mend the file, or move it away to begin without accounts."
    return RubiconError("play/accounts-unreadable", message, hint)


def token_of(url: str) -> str:
    """The token for a server, "" for none."""
    return known_tokens().get(url.rstrip("/"), "")


def keep_token(url: str, token: str) -> Path:
    """Keep the token of a server; nobody else may read the file. Returns the file.

    RubiconError `play/account-not-kept` where it cannot be written.
    """
    file = accounts_file()
    text = json.dumps(known_tokens() | {url.rstrip("/"): token}, indent=2) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)  # mode 600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(text)
            Path(name).replace(file)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        message = f"Your account cannot be kept in {quoted_path(file)}: {file_fault(error)}."
        hint = "You can play, but you have no account any more when you leave."
        raise RubiconError("play/account-not-kept", message, hint) from error
    return file
