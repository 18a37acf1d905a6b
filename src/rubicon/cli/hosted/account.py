"""The accounts of this computer's user: a token for each server, readable by that user alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

MODE = 0o600


def accounts_file() -> Path:
    """Below `$XDG_CONFIG_HOME`, or `~/.config`."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "rubicon" / "accounts.json"


def known_tokens() -> dict[str, str]:
    """The token of each server's address; empty where nothing is kept, or it cannot be read."""
    try:
        kept = json.loads(accounts_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(url): str(token) for url, token in kept.items()} if isinstance(kept, dict) else {}


def token_of(url: str) -> str:
    """The token for a server, "" for none."""
    return known_tokens().get(url.rstrip("/"), "")


def keep_token(url: str, token: str) -> Path:
    """Keep the token of a server; nobody else may read the file. Returns the file."""
    file = accounts_file()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = json.dumps(known_tokens() | {url.rstrip("/"): token}, indent=2) + "\n"
    new = file.with_suffix(".new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    new.replace(file)
    return file
