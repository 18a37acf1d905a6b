"""`rubicon perft`: count all continuations of a position."""

import time

import click

from rubicon.cli.position import position_line
from rubicon.rules.game import Game
from rubicon.rules.notation.positions import parse_position
from rubicon.rules.perft import divide, perft


@click.command("perft")
@click.argument("position")
@click.option(
    "--depth", type=click.IntRange(1), default=2, show_default=True, help="The number of decisions."
)
@click.option("--divide", "divided", is_flag=True, help="Show the count of each first decision.")
def command(position: str, depth: int, divided: bool) -> None:
    """Count the sequences of decisions from POSITION, the text of a position or its file."""
    ruleset, record = parse_position(position_line(position))
    game = Game.from_position(ruleset, record)
    if divided:
        for action, count in divide(game, depth).items():
            click.echo(f"{count:>12,}  {action}")
    for level in range(1, depth + 1):
        began = time.perf_counter()
        count = perft(game, level)
        click.echo(f"depth {level}: {count:,} ({time.perf_counter() - began:.2f} s)")
