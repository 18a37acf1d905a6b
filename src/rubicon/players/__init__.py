"""Players of a seat: our bots, and what users' own bots are made of.

    from rubicon.players import Bot, register

`Bot`, `View`, `register` and `seated` are loaded when they are first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubicon.players.bot import Bot as Bot
    from rubicon.players.bot import register as register
    from rubicon.players.seating import seated as seated
    from rubicon.players.view import View as View

_HOMES = {
    "Bot": "rubicon.players.bot",
    "View": "rubicon.players.view",
    "register": "rubicon.players.bot",
    "seated": "rubicon.players.seating",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'rubicon.players' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
