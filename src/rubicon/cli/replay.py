"""`rubicon replay`: replay a saved game and check every line of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rubicon.cli.position import summary, winner_line
from rubicon.wording import printable

if TYPE_CHECKING:
    from rubicon.rules.game import Game


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option("--to", "until", type=click.IntRange(0), help="Replay only this many entries.")
@click.option("--check", is_flag=True, help="Check the game and its result; print one line.")
@click.option("--salvage", is_flag=True, help="Replay the readable part of a damaged file.")
@click.option("--watch", is_flag=True, help="Show the game step by step, as it was played.")
@click.option("--line", is_flag=True, help="With --watch: line by line, without the full screen.")
@click.option("--plain", is_flag=True, help="With --watch: --line without colours, in ASCII.")
@click.option("--delay", type=click.FloatRange(0, 60), default=0.0, help="Seconds between steps.")
def command(file: Path, until: int | None, **options: Any) -> int:
    """Replay the game in FILE and check every line against the rules.

    An illegal line is printed with the reason; the exit status is then 2.
    """
    as_json, check, salvage = (options.pop(name) for name in ("as_json", "check", "salvage"))
    from rubicon.cli.terminal.saves import load_record, unread_lines

    record = load_record(file, salvage)
    game = record.verify() if check and until is None else record.replay(until)
    if record.unread:
        click.echo(f"{unread_lines(record.unread)} of the file cannot be read.", err=True)
    if options.pop("watch"):
        return watched(game, **options)
    if as_json:
        click.echo(json.dumps(_result(game), indent=2))
    elif check:
        click.echo(f"ok: {len(game.history):,} entries")
    else:
        _show(game)
    return 0


def watched(game: Game, **options: Any) -> int:
    """Show a game again step by step, on the full screen where there is one."""
    from rubicon.cli.play import play_until_ended
    from rubicon.cli.terminal.console import make_output
    from rubicon.cli.terminal.options import PlayOptions
    from rubicon.cli.terminal.session import ReplaySession

    chosen = PlayOptions(watch=True, **options)
    session = ReplaySession.of(game, make_output(chosen.plain), chosen.delay)
    return play_until_ended(session, chosen)[0]


def _show(game: Game) -> None:
    for line in summary(game):
        click.echo(printable(line))
    click.echo(printable(f"{game.ruleset.title}: {winner_line(game)}."))
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
