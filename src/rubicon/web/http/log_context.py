"""What logs and metrics may say of a request: its method, its route's template, and the game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
UNMATCHED = "unmatched"
_GAME = re.compile(r"[a-z0-9]{1,16}")


def route_of(scope: Mapping[str, Any]) -> str:
    """The route's template, such as `/games/{game}/legal`; never the path that a client sent."""
    return str(scope.get("path_template") or UNMATCHED)


def method_of(scope: Mapping[str, Any]) -> str:
    """The method; OTHER if it is not a standard one, so that clients cannot invent labels."""
    method = str(scope.get("method", ""))
    return method if method in METHODS else "OTHER"


def log_context(scope: Mapping[str, Any]) -> dict[str, str]:
    """Method and route, and the game's id if it looks like one."""
    context = {"method": method_of(scope), "route": route_of(scope)}
    game = scope.get("path_params", {}).get("game")
    if isinstance(game, str) and _GAME.fullmatch(game):
        context["game"] = game
    return context
