"""What a log may say of a request: its method, its route's template, and which game it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
NOWHERE = "nowhere"  # the route of what fits none
_GAME = re.compile(r"[a-z0-9]{1,16}")


def route_of(scope: Mapping[str, Any]) -> str:
    """The template of the route, never what somebody has filled in."""
    return str(scope.get("path_template") or NOWHERE)


def method_of(scope: Mapping[str, Any]) -> str:
    """The method, if it is one."""
    method = str(scope.get("method", ""))
    return method if method in METHODS else "OTHER"


def context_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """Method and route, and the id of the game if it looks like one."""
    told = {"method": method_of(scope), "route": route_of(scope)}
    game = scope.get("path_params", {}).get("game")
    if isinstance(game, str) and _GAME.fullmatch(game):
        told["game"] = game
    return told
