"""A shade for each territory, so that neighbours of one owner can be told apart."""

from __future__ import annotations

from rubicon.cli.screen.themes import SHADES
from rubicon.rules.board.board import Board
from rubicon.rules.game.game import Game


def neighbours_of(board: Board) -> list[set[int]]:
    """The territories that each territory borders on, by land or sea."""
    near: list[set[int]] = [set() for _ in board.territories]
    for one, other in board.borders_under():
        near[one].add(other)
        near[other].add(one)
    return near


def neighbours_in(game: Game, t: int) -> set[int]:
    """The territories that one borders on by the rules of a game, which may close a border."""
    tables = game.tables
    return {int(tables.neighbour[t, i]) for i in range(int(tables.degree[t]))}


def tints(board: Board) -> list[int]:
    """The number of a shade for each territory; two neighbours share one only where four are few.

    Territories with the most neighbours choose first.
    """
    near = neighbours_of(board)
    shade: dict[int, int] = {}
    for t in sorted(range(len(near)), key=lambda n: -len(near[n])):
        taken = [shade[other] for other in near[t] if other in shade]
        shade[t] = min(range(SHADES), key=lambda k: (taken.count(k), k))
    return [shade[t] for t in range(len(near))]
