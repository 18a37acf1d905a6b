"""`rubicon replay`: replay a saved game and check every line of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rubicon.cli.position import summary, winner_line
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option("--to", "until", type=click.IntRange(0), help="Replay only this many entries.")
@click.option("--check", is_flag=True, help="Check the game and its result; print one line.")
@click.option("--salvage", is_flag=True, help="Replay the readable part of a damaged file.")
def command(file: Path, as_json: bool, until: int | None, check: bool, salvage: bool) -> None:
    """Replay the game in FILE and check every line against the rules.

    An illegal line is printed with the reason; the exit status is then 2.
    """
    from rubicon.cli.terminal.saves import load_record

    record = load_record(file, salvage)
    game = record.verify() if check and until is None else record.replay(until)
    if record.unread:
        click.echo(f"{unread_lines(record.unread)} of the file cannot be read.", err=True)
    if as_json:
        click.echo(json.dumps(_result(game), indent=2))
    elif check:
        click.echo(f"ok: {len(game.history):,} entries")
    else:
        _show(game)


def unread_lines(unread: str) -> str:
    """The number of unreadable lines of a damaged record, in words."""
    return numbered(len(unread.splitlines()), "line")


def _show(game: Game) -> None:
    for line in summary(game):
        click.echo(line)
    click.echo(f"{game.ruleset.title}: {winner_line(game)}.")
    click.echo(f"{len(game.history):,} entries, final position: {game}")


def _result(game: Game) -> dict[str, object]:
    from rubicon.rules.notation.json_format import position_to_json

    return {
        "entries": len(game.history),
        "over": game.over,
        "winner": game.winner,
        "text": str(game),
        "position": position_to_json(game.ruleset, game.position),
    }
