"""RISK, exactly: the rules of the board game as a fast engine.

    >>> import rubicon
    >>> game = rubicon.Game.new(rubicon.Ruleset.load("classic"), 3)

`Board`, `Game`, `Record`, `Ruleset`, `RubiconError`, `generator` and `presets` are loaded when
they are first asked for, so that `import rubicon` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubicon.engine.chance import generator as generator
    from rubicon.errors import RubiconError as RubiconError
    from rubicon.rules.board.board import Board as Board
    from rubicon.rules.game import Game as Game
    from rubicon.rules.record import Record as Record
    from rubicon.rules.ruleset.ruleset import Ruleset as Ruleset
    from rubicon.rules.ruleset.ruleset import presets as presets

__version__ = "0.1.0"

_HOMES = {
    "Board": "rubicon.rules.board.board",
    "Game": "rubicon.rules.game",
    "Record": "rubicon.rules.record",
    "RubiconError": "rubicon.errors",
    "Ruleset": "rubicon.rules.ruleset.ruleset",
    "generator": "rubicon.engine.chance",
    "presets": "rubicon.rules.ruleset.ruleset",
}


_TYPED = ("Game", "Record")  # they read what people type


def __getattr__(name: str) -> Any:
    if name in _TYPED:
        import_module("rubicon.orders.parse")  # the grammar of typed actions registers itself
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'rubicon' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
