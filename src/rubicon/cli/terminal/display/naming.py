"""Territories by their names: what people read, instead of the ids of records and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game

TOGETHER = "\N{NO-BREAK SPACE}"  # a line is never broken here; printed as a space


def names_of(game: Game) -> dict[str, str]:
    """The name of each territory of a game, by its id; no line is broken inside a name."""
    names = (territory.name for territory in game.ruleset.board.territories)
    return {
        key: name.replace(" ", TOGETHER) for key, name in zip(game.territories, names, strict=True)
    }
