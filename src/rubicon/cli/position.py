"""`rubicon position`: check a position and describe it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rubicon.engine.records import Position
from rubicon.errors import RubiconError
from rubicon.files import file_fault
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import DRAW, Storyteller

if TYPE_CHECKING:
    from rubicon.rules.game import Game
    from rubicon.rules.ruleset.ruleset import Ruleset

STANDARD_INPUT = "-"
LARGEST_FILE = 1_000_000
MOST_RANGES = 20
HIDDEN = "?"


@click.command("position")
@click.argument("position")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(position: str, as_json: bool) -> None:
    """Check a position and describe it.

    POSITION is the text of a position, a file with it, or `-` for standard input.
    """
    from rubicon.rules.notation.json_format import position_to_json
    from rubicon.rules.notation.positions import parse_view, position_text

    ruleset, record = parse_view(position_line(position))
    if as_json:
        click.echo(json.dumps(position_to_json(ruleset, record), indent=2))
        return
    for line in described(ruleset, record):
        click.echo(line)
    click.echo(position_text(ruleset, record))


def position_line(given: str) -> str:
    """The text of a position, given as it is or as a file; RubiconError if it cannot be read."""
    if given.lstrip().startswith("position "):
        return given.strip()
    try:
        data = _bytes(given)
        text = data.decode("utf-8-sig").strip()
    except (OSError, ValueError) as error:
        message = f"{given[:100]!r} is neither a position nor a readable file: {file_fault(error)}."
        raise RubiconError(
            "position/unreadable", message, "A position begins with `position 1 /`."
        ) from error
    if text.startswith("[Rubicon"):
        message = f"{given[:100]!r} holds a whole game."
        raise RubiconError("position/record", message, f"Write: rubicon replay {given[:100]}")
    return text


def _bytes(given: str) -> bytes:
    if given == STANDARD_INPUT:
        return sys.stdin.buffer.read(LARGEST_FILE)
    with Path(given).open("rb") as file:
        return file.read(LARGEST_FILE)


def described(ruleset: Ruleset, record: Position) -> Iterator[str]:
    """A position in a few lines; `?` stands for hidden numbers."""
    from rubicon.rules.game import Game
    from rubicon.rules.notation.positions import hides

    game = Game.from_position(ruleset, record)
    yield f"{ruleset.title} on the board {ruleset.board.name}; {_moment(game)}"
    yield from summary(game)
    if hides(record):
        yield "This is a view: it hides what one seat may not see."
    else:
        yield from _next(game)


def _moment(game: Game) -> str:
    phase = game.phase.name.lower().replace("_", " ")
    if game.over:
        return f"over, {winner_line(game)}"
    if game.turn is None:
        return f"set-up, phase {phase}"
    return f"round {game.position.round_number}, {game.turn} to move, phase {phase}"


def winner_line(game: Game) -> str:
    """The winner, in a few words."""
    if not game.over:
        return "no winner yet"
    return Storyteller(Names()).result(game.winner or DRAW)


def summary(game: Game) -> Iterator[str]:
    """A line for each owner: territories, armies, cards, unplaced armies."""
    from rubicon.engine.records import NEUTRAL

    yield f"{'':12}{'territories':>12}{'armies':>9}{'cards':>7}{'unplaced':>10}"
    for seat, colour in enumerate(game.colours):
        yield _row(game, colour, seat, int(game.position.hand[seat])) + _state(game, seat)
    if game.position.territories[NEUTRAL]:
        yield _row(game, "neutral", NEUTRAL, 0)


def _row(game: Game, name: str, owner: int, cards: int) -> str:
    position = game.position
    held = position.armies[position.owner == owner]
    armies = HIDDEN if (held < 0).any() else str(int(held.sum()))
    unplaced = int(position.unplaced[owner]) if owner < len(game.colours) else 0
    waiting = HIDDEN if unplaced < 0 else str(unplaced)
    territories = int(position.territories[owner])
    return f"{name:12}{territories:>12}{armies:>9}{cards:>7}{waiting:>10}"


def _state(game: Game, seat: int) -> str:
    from rubicon.engine.records import Seat

    status = Seat(int(game.position.status[seat]))
    named = "" if game.names[seat] == game.colours[seat] else f"  {game.names[seat]}"
    return named + ("" if status == Seat.PLAYING else f"  {status.name.lower()}")


def _next(game: Game) -> Iterator[str]:
    """The legal actions, or the chance that is pending."""
    pending = game.pending
    if pending is not None:
        kind = pending.chance.name.lower().replace("_", " ")
        yield f"Chance is pending: {kind}, one of {pending.size:,} outcomes."
    elif not game.over:
        ranges = [str(action_range) for action_range in game.legal.ranges]
        yield f"{', '.join(game.actors)}: {len(game.legal):,} legal actions."
        yield from (f"  {action_range}" for action_range in ranges[:MOST_RANGES])
        if len(ranges) > MOST_RANGES:
            yield f"  and {len(ranges) - MOST_RANGES} more"
