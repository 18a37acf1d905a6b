"""The messages between Rubicon and a program that plays a seat: one JSON object a line.

`docs/bots.md` describes them. All that is said of a position comes from the view of the seat.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from rubicon.errors import RubiconError
from rubicon.players.bots.view import View
from rubicon.rules.game.game import Game

VERSION = 1
MOST_BYTES = 1_000_000  # of a line
Message: TypeAlias = dict[str, Any]


def line_of(message: Message) -> bytes:
    """A message as one line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> Message:
    """The message of a line; RubiconError `player/not-json` where it is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if isinstance(message, dict) and isinstance(message.get("kind"), str):
        return message
    start = line[:80].decode(errors="replace")
    raise RubiconError(
        "player/not-json",
        f"{start!r} is no message.",
        'A message is one line: a JSON object with "kind".',
    )


def hello(game: Game, seat: str, seed: int, seconds: float) -> Message:
    """The first message: the game, its board, and the seat to play."""
    board = game.ruleset.board
    ids = game.territories
    adjacent = game.tables.adjacent
    return {
        "kind": "hello",
        "version": VERSION,
        "seat": seat,
        "seats": list(game.colours),
        "seed": seed,
        "seconds": seconds,
        "ruleset": game.ruleset.name,
        "options": {name: str(value) for name, value in game.ruleset.differences.items()},
        "board": {
            "name": board.id,
            "territories": {
                land.id: {
                    "name": land.name,
                    "continent": board.continents[land.continent].id,
                    "neighbours": [ids[n] for n in range(len(ids)) if adjacent[t, n]],
                }
                for t, land in enumerate(board.territories)
            },
            "continents": {
                one.id: {
                    "name": one.name,
                    "bonus": one.bonus,
                    "territories": [ids[t] for t in one.territories],
                }
                for one in board.continents
            },
        },
    }


def decide(view: View, number: int, seconds: float) -> Message:
    """A question: decide in this position, within so many seconds."""
    return {
        "kind": "decide",
        "number": number,
        "seconds": seconds,
        "view": seen(view),
        "legal": [
            {"lowest": str(one.lowest), "highest": str(one.highest), "size": one.size}
            for one in view.legal.ranges
        ],
        "position": view.text,
    }


def seen(view: View) -> Message:
    """What a seat sees, by the names of `View`."""
    return {
        "round": view.round,
        "turn": view.turn,
        "phase": view.phase,
        "unplaced": view.unplaced,
        "income": view.me.income,
        "cards": list(view.cards),
        "next_set": view.next_set,
        "mission": view.mission,
        "seats": {
            colour: {
                "playing": one.playing,
                "territories": one.territories,
                "armies": one.armies,
                "cards": one.cards,
                "income": one.income,
            }
            for colour, one in view.seats.items()
        },
        "territories": {
            land.id: {"owner": land.owner, "armies": land.armies} for land in view.territories
        },
        "continents": {one.id: {"owner": one.owner} for one in view.continents},
    }


def over(game: Game | None, seat: str) -> Message:
    """The last message: who won, and the end as the seat sees it; null where nobody knows."""
    finished = game is not None and game.over
    return {
        "kind": "over",
        "finished": finished,
        "winner": game.winner if game is not None else None,
        "position": View(game, seat).text if game is not None else None,
    }
