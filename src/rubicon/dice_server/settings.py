"""What a dice server is started with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rubicon.errors import RubiconError

SHORTEST_TOKEN = 16  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceServerSettings:
    """The settings of a dice server; the options of `rubicon dice serve` explain each."""

    store: Path = Path("rubicon-dice.db")
    key_file: Path = Path("rubicon-dice.key")
    address: str = "127.0.0.1"
    port: int = 8043
    tokens: Mapping[str, str] = field(default_factory=dict, repr=False)  # by the table's name
    games_per_day: int = 1000
    requests_per_minute: int = 6000
    connections_per_address: int = 200
    request_timeout: int = 20
    games_in_memory: int = 500
    trusted_proxy: str = ""


def read_tokens(text: str) -> dict[str, str]:
    """Tokens by name from `NAME=TOKEN,NAME=TOKEN`; RubiconError `dice-server/tokens`."""
    tokens: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, token = part.partition("=")
        if not name or len(token) < SHORTEST_TOKEN or name in tokens or token in tokens.values():
            message = "The tokens cannot be read, or one is twice or too short."
            suggestion = (
                f"Write NAME=TOKEN,NAME=TOKEN, each of {SHORTEST_TOKEN} characters or more."
            )
            raise RubiconError("dice-server/tokens", message, suggestion)
        tokens[name] = token
    return tokens
