"""`rubicon replay`: play a record again, checking every line of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rubicon.cli.cases import counted
from rubicon.cli.position import summary, winner_line

if TYPE_CHECKING:
    from rubicon.rules.game import Game


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option("--to", "until", type=click.IntRange(0), help="Play only so many entries.")
@click.option("--check", is_flag=True, help="Say only whether all of it, and its result, is right.")
@click.option("--salvage", is_flag=True, help="Of a damaged file play what can be read.")
def command(file: Path, as_json: bool, until: int | None, check: bool, salvage: bool) -> None:
    """Play the game in FILE again through the rules.

    The first line that the rules refuse is named, with the reason; the exit status is then 2.
    """
    from rubicon.cli.terminal.keeping import kept_record

    record = kept_record(file, salvage)
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
    """How many lines of a damaged record are left out."""
    return counted(len(unread.splitlines()), "line")


def _show(game: Game) -> None:
    for line in summary(game):
        click.echo(line)
    click.echo(f"{game.ruleset.title}: {winner_line(game)}.")
    click.echo(f"{len(game.history):,} entries, final position: {game}")


def _result(game: Game) -> dict[str, object]:
    from rubicon.rules.text.json_forms import position_to_json

    return {
        "entries": len(game.history),
        "over": game.over,
        "winner": game.winner,
        "text": str(game),
        "position": position_to_json(game.ruleset, game.position),
    }
