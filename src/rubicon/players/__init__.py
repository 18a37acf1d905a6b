"""Players of a seat: our bots, and what everybody's own bots are made of.

    from rubicon.players import Bot, register

`Bot`, `View`, `register` and `seated` are loaded when they are first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubicon.players.bots.bot import Bot as Bot
    from rubicon.players.bots.bot import register as register
    from rubicon.players.bots.view import View as View
    from rubicon.players.seating import seated as seated

_HOMES = {
    "Bot": "rubicon.players.bots.bot",
    "View": "rubicon.players.bots.view",
    "register": "rubicon.players.bots.bot",
    "seated": "rubicon.players.seating",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'rubicon.players' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
