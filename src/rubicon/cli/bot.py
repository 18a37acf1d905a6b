"""`rubicon bot`: a player of Rubicon as a program that another one asks for its decisions."""

import sys

import click

from rubicon.cli.warmup import warm_kernels


@click.command("bot")
@click.argument("name")
def command(name: str) -> None:
    """Play one seat as NAME: a bot (`hunter`), or your own (`mybot.py:MyBot`).

    Messages come on the standard input and answers go to the standard output, one JSON object a
    line; docs/bots.md describes them. It ends with the game.
    """
    from rubicon.players.seating import play_seat
    from rubicon.players.warmup import warm_to_play

    warm_kernels(warm_to_play)
    play_seat(name, sys.stdin.buffer, sys.stdout.buffer)
