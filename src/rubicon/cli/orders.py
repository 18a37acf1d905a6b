"""`rubicon orders`: check, explain and look ahead at a turn that is written as one text."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rubicon.rules.errors import RubiconError

if TYPE_CHECKING:
    from rubicon.orders.problems import OrdersError, Problem
    from rubicon.orders.sheet import Sheet
    from rubicon.rules.board import Board
    from rubicon.rules.game import Game

STANDARD_INPUT = "-"
LARGEST_FILE = 1_000_000
EXAMPLE = "An order is a line like: DEPLOY 3 alaska"
UNREADABLE = 2  # the exit code
RECORD = b"[Rubicon"
WIDTH = 100  # of a line with a caret below it


@click.group("orders")
def command() -> None:
    """Check, explain or look ahead at orders: a turn written as one text (docs/orders.md)."""


def on_a_board(function: Callable[..., object]) -> Callable[..., object]:
    """The options that say which names there are."""
    rules = click.option(
        "--rules", "preset", default="classic", show_default=True, help="Preset or file."
    )
    board = click.option("--board", help="A board's name, or a file.")
    return rules(board(function))


@command.command("check")
@click.argument("file")
@on_a_board
def check(file: str, preset: str, board: str | None) -> int:
    """Print the exact text of the orders in FILE (`-` is standard input), or all that is wrong."""
    sheet = sheet_in(file, board_of(preset, board))
    if sheet is None:
        return UNREADABLE
    click.echo(str(sheet))
    return 0


@command.command("explain")
@click.argument("file")
@on_a_board
def explain(file: str, preset: str, board: str | None) -> int:
    """Say in plain English what the orders in FILE (`-` is standard input) ask for."""
    from rubicon.orders.explaining import explain as sentences

    where = board_of(preset, board)
    sheet = sheet_in(file, where)
    if sheet is None:
        return UNREADABLE
    for sentence in sentences(sheet, where):
        click.echo(sentence)
    return 0


@command.command("preview")
@click.argument("file")
@click.option("--game", "kept", required=True, help="The record of a game, or a position.")
@click.option("--seat", help="Whose orders they are; whoever is to move if it is left out.")
@click.option("--json", "as_json", is_flag=True, help="Everything, for programs.")
def preview(file: str, kept: str, seat: str | None, as_json: bool) -> int:
    """Say what the orders in FILE (`-` is standard input) may come to; nothing is rolled.

    The odds of the whole plan are exact where that can be reckoned, else an interval is given.
    They are reckoned from what the seat may see.
    """
    from rubicon.cli.warmup import warm_kernels
    from rubicon.odds.warmup import warm
    from rubicon.orders.preview import preview as foreseen
    from rubicon.orders.preview_text import preview_lines

    warm_kernels(warm)
    game = game_in(kept)
    players = dict(zip(game.names, game.colours, strict=True))
    sheet = sheet_in(file, game.ruleset.board, game.colours, players)
    if sheet is None:
        return UNREADABLE
    seen = foreseen(sheet, game, whose(game, seat))
    if as_json:
        click.echo(json.dumps(asdict(seen), indent=2))
        return 0
    for line in preview_lines(seen, game.ruleset.board):
        click.echo(line)
    return 0


def game_in(kept: str) -> Game:
    """The game that a record, or a position, holds."""
    from rubicon.cli.position import position_line
    from rubicon.rules.game import Game
    from rubicon.rules.record import Record
    from rubicon.rules.text.positions import parse_position

    if Path(kept).is_file():
        with Path(kept).open("rb") as opened:
            record = opened.read(len(RECORD)) == RECORD
        if record:
            return Record.load(kept).replay()
    return Game.from_position(*parse_position(position_line(kept)))


def whose(game: Game, seat: str | None) -> str:
    """The colour of the seat whose orders are looked at."""
    if seat is not None:
        wanted = seat.lower()
        known = {name.lower(): c for name, c in zip(game.names, game.colours, strict=True)}
        colour = known.get(wanted, wanted)
        return game.colours[game.seat(colour)]
    if not game.actors:
        raise RubiconError(
            "orders/nobody-moves", "Nobody is to move in this game.", "Name a --seat."
        )
    return game.actors[0]


def board_of(preset: str, board: str | None) -> Board:
    """The board of a ruleset, or another one."""
    from rubicon.rules.ruleset import Ruleset

    return Ruleset.load(preset, board=board).board


def sheet_in(
    file: str,
    board: Board,
    colours: Sequence[str] | None = None,
    players: Mapping[str, str] | None = None,
) -> Sheet | None:
    """The sheet in a file; None, and everything said that is wrong, where it cannot be read."""
    from rubicon.orders.problems import OrdersError
    from rubicon.orders.reading import read_orders
    from rubicon.rules.board import COLOURS

    text = text_of(file)
    try:
        sheet = read_orders(text, board, colours or COLOURS, names=players or {})
    except OrdersError as error:
        complain(error, text)
        return None
    for warning in sheet.warnings:
        click.echo(f"{warning} [{warning.code}]", err=True)
    if not (sheet.orders or sheet.requests or sheet.ended):
        message = f"{named(file)} holds no orders."
        raise RubiconError("orders/empty", message, EXAMPLE)
    return sheet


def text_of(file: str) -> str:
    """What a file, or standard input, holds."""
    try:
        content = _bytes(file)
    except (OSError, ValueError) as error:
        message = f"{named(file)} cannot be read: {why_not(error)}."
        raise RubiconError("orders/no-file", message, "Write - for standard input.") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise no_text(file, line) from error
    if "\0" in text:
        raise no_text(file, text.count("\n", 0, text.index("\0")) + 1)
    return text


def named(file: str) -> str:
    """What an error calls a file."""
    return "Standard input" if file == STANDARD_INPUT else repr(file[:100])


def why_not(error: Exception) -> str:
    """Why a file cannot be read."""
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
    """The error of a file that holds something else than text."""
    message = f"{named(file)} is no plain text: line {line} cannot be read as UTF-8."
    return RubiconError("orders/no-text", message, "Save the orders as plain text, in UTF-8.")


def _bytes(file: str) -> bytes:
    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read(LARGEST_FILE)
    with Path(file).open("rb") as opened:
        return opened.read(LARGEST_FILE)


def complain(error: OrdersError, text: str) -> None:
    """Every problem with a caret under its place, and the text as it may be sent."""
    from rubicon.orders.reading_lines import lines_of

    lines = lines_of(text)
    for problem in error.problems:
        click.echo(f"{problem} [{problem.code}]", err=True)
        for line in pointed(problem, lines[problem.line - 1]):
            click.echo(f"  {line}", err=True)
    if error.more:
        click.echo(f"and {error.more} more", err=True)
    for warning in error.warnings:
        click.echo(f"{warning} [{warning.code}]", err=True)
    click.echo("\nAs far as it could be understood, ready to send:\n", err=True)
    click.echo(error.corrected)


def pointed(problem: Problem, line: str) -> tuple[str, str]:
    """The part of a line around a problem, and a caret below the place."""
    from rubicon.orders.correcting import printable

    start = max(0, problem.column - WIDTH // 2) if len(line) > WIDTH else 0
    shown = printable(line)[start : start + WIDTH]
    return shown, " " * (problem.column - 1 - start) + "^"
