"""`rubicon orders`: check, explain and preview a turn that is written as one text."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rubicon.errors import RubiconError
from rubicon.wording import printable

if TYPE_CHECKING:
    from rubicon.orders.errors import OrderProblem, OrdersError
    from rubicon.orders.syntax import OrderText
    from rubicon.rules.board.board import Board
    from rubicon.rules.game import Game

NO_FILE_HINT = "Name a file of orders, or write - and give them on standard input."
STANDARD_INPUT = "-"
LARGEST_FILE = 1_000_000
EXAMPLE = "Write a line like: DEPLOY 3 alaska"
UNREADABLE = 2  # the exit code
RECORD = b"[Rubicon"
WIDTH = 100  # of a line with a caret below it


@click.group("orders")
def command() -> None:
    """Check, explain or preview orders: a turn written as one text (docs/orders.md)."""


def on_a_board(function: Callable[..., object]) -> Callable[..., object]:
    """Add the options that choose the board, and so the names of territories."""
    rules = click.option(
        "--rules", "preset", default="classic", show_default=True, help="Preset or ruleset file."
    )
    board = click.option("--board", help="Name of a board, or a board file.")
    return rules(board(function))


@command.command("check")
@click.argument("file")
@on_a_board
def check(file: str, preset: str, board: str | None) -> int:
    """Print the exact text of orders, or their mistakes.

    FILE has the orders; `-` is standard input.
    """
    order_text = parsed_file(file, board_of(preset, board))
    if order_text is None:
        return UNREADABLE
    click.echo(str(order_text))
    return 0


@command.command("explain")
@click.argument("file")
@on_a_board
def explain(file: str, preset: str, board: str | None) -> int:
    """Explain orders in plain English.

    FILE has the orders; `-` is standard input.
    """
    from rubicon.orders.explain import explain as sentences

    where = board_of(preset, board)
    order_text = parsed_file(file, where)
    if order_text is None:
        return UNREADABLE
    for sentence in sentences(order_text, where):
        click.echo(sentence)
    return 0


@command.command("preview")
@click.argument("file")
@click.option("--game", "file_or_position", required=True, help="A game record, or a position.")
@click.option("--seat", help="The seat that gives the orders; by default the seat to move.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def preview(file: str, file_or_position: str, seat: str | None, as_json: bool) -> int:
    """Print the odds of orders; nothing is rolled.

    FILE has the orders; `-` is standard input. The odds use only what the seat may see. They are
    exact, or come with an interval where the exact odds would take too long.
    """
    from rubicon.cli.warmup import warm_kernels
    from rubicon.odds.warmup import warm
    from rubicon.orders.preview.preview import preview as compute_preview
    from rubicon.orders.preview.preview import preview_lines

    warm_kernels(warm)
    game = game_in(file_or_position)
    players = dict(zip(game.names, game.colours, strict=True))
    order_text = parsed_file(file, game.ruleset.board, game.colours, players)
    if order_text is None:
        return UNREADABLE
    seen = compute_preview(order_text, game, whose(game, seat))
    if as_json:
        click.echo(json.dumps(asdict(seen), indent=2))
        return 0
    for line in preview_lines(seen, game.ruleset.board):
        click.echo(line)
    return 0


def game_in(file_or_position: str) -> Game:
    """The game of a record or a position."""
    from rubicon import Record
    from rubicon.cli.position import position_line
    from rubicon.rules.game import Game
    from rubicon.rules.notation.positions import parse_position

    if Path(file_or_position).is_file():
        with Path(file_or_position).open("rb") as opened:
            record = opened.read(len(RECORD)) == RECORD
        if record:
            return Record.load(file_or_position).replay()
    return Game.from_position(*parse_position(position_line(file_or_position)))


def whose(game: Game, seat: str | None) -> str:
    """The colour of the seat of the orders."""
    if seat is not None:
        wanted = seat.lower()
        known = {name.lower(): c for name, c in zip(game.names, game.colours, strict=True)}
        colour = known.get(wanted, wanted)
        return game.colours[game.seat(colour)]
    if not game.actors:
        raise RubiconError(
            "orders/no-seat-to-move", "No seat is to move in this game.", "Name a --seat."
        )
    return game.actors[0]


def board_of(preset: str, board: str | None) -> Board:
    """The board of a ruleset, or the one that is named."""
    from rubicon.rules.ruleset.ruleset import Ruleset

    return Ruleset.load(preset, board=board).board


def parsed_file(
    file: str,
    board: Board,
    colours: Sequence[str] | None = None,
    players: Mapping[str, str] | None = None,
) -> OrderText | None:
    """The orders of a file; None, with every mistake printed, where it cannot be parsed."""
    from rubicon.orders.errors import OrdersError
    from rubicon.orders.parse.parser import read_orders
    from rubicon.rules.board.board import COLOURS

    text = text_of(file)
    try:
        order_text = read_orders(text, board, colours or COLOURS, names=players or {})
    except OrdersError as error:
        complain(error, text)
        return None
    for warning in order_text.warnings:
        click.echo(f"{warning} [{warning.code}]", err=True)
    if not (order_text.orders or order_text.requests or order_text.ended):
        message = f"{named(file)} has no orders."
        raise RubiconError("orders/empty", message, EXAMPLE)
    return order_text


def text_of(file: str) -> str:
    """The text of a file or of standard input."""
    try:
        content = _bytes(file)
    except (OSError, ValueError) as error:
        message = f"{named(file)} cannot be read: {why_not(error)}."
        raise RubiconError("orders/no-file", message, NO_FILE_HINT) from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise no_text(file, line) from error
    if "\0" in text:
        raise no_text(file, text.count("\n", 0, text.index("\0")) + 1)
    return text


def named(file: str) -> str:
    """The name of a file in an error message."""
    return "Standard input" if file == STANDARD_INPUT else repr(file[:100])


def why_not(error: Exception) -> str:
    """The reason why a file cannot be read."""
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case IsADirectoryError():
            return "it is a folder"
        case PermissionError():
            return "you may not read it"
        case OSError(strerror=str(reason)):
            return reason[:1].lower() + reason[1:]
    return "no file can have this name"


def no_text(file: str, line: int) -> RubiconError:
    """The error for a file that is not text."""
    message = f"{named(file)} is not plain text: line {line} is not UTF-8."
    return RubiconError("orders/no-text", message, "Save the orders as plain text, in UTF-8.")


def _bytes(file: str) -> bytes:
    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read(LARGEST_FILE)
    with Path(file).open("rb") as opened:
        return opened.read(LARGEST_FILE)


def complain(error: OrdersError, text: str) -> None:
    """Print every problem with a caret under its place, and the corrected text."""
    from rubicon.orders.parse.words import lines_of

    lines = lines_of(text)
    for problem in error.problems:
        click.echo(f"{problem} [{problem.code}]", err=True)
        for line in pointed(problem, lines[problem.line - 1]):
            click.echo(f"  {line}", err=True)
    if error.more:
        click.echo(f"and {error.more} more", err=True)
    for warning in error.warnings:
        click.echo(f"{warning} [{warning.code}]", err=True)
    click.echo("\nThe corrected text, as far as it was understood:\n", err=True)
    click.echo(error.corrected)


def pointed(problem: OrderProblem, line: str) -> tuple[str, str]:
    """The part of a line around a problem, and a caret below the place."""
    start = max(0, problem.column - WIDTH // 2) if len(line) > WIDTH else 0
    shown = printable(line)[start : start + WIDTH]
    return shown, " " * (problem.column - 1 - start) + "^"
