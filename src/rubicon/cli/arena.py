"""`rubicon arena`: play many games between players, and measure how strong each is."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rubicon.cli.warmup import warm_kernels

if TYPE_CHECKING:
    from rich.table import Table

    from rubicon.lab.arena.blocks import Block
    from rubicon.lab.arena.match import Match
    from rubicon.lab.arena.sprt import SequentialTest

BLOCKS = 100
BLOCKS_A_PROCESS = 20  # at least, unless --processes says otherwise
EVERY = 0.5  # seconds between two pictures of the live table


@click.command("arena")
@click.argument("words", nargs=-1, metavar="PLAYER…")
@click.option("--players", default="", metavar="A,B*5", help="The players as one text.")
@click.option(
    "--ruleset", "preset", default="classic", show_default=True, help="Preset or ruleset file."
)
@click.option(
    "-o", "--option", "overrides", multiple=True, metavar="NAME=VALUE", help="Change an option."
)
@click.option("--board", help="The name of a board, or its file.")
@click.option("--blocks", type=click.IntRange(1), help=f"Blocks to play; {BLOCKS} if not given.")
@click.option("--games", type=click.IntRange(1), help="Games to play; whole blocks are played.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first block.")
@click.option(
    "--processes", type=click.IntRange(1), help="Processes; up to one a core if left out."
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=300,
    show_default=True,
    help="Rounds after which a game is cut off.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Keep the blocks in this folder.")
@click.option("--resume", is_flag=True, help="Go on with the blocks in --out.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of JSON objects.")
@click.option(
    "--html", type=click.Path(path_type=Path), help="Write a report with plots to this file."
)
@click.option("--records", type=click.Path(path_type=Path), help="Save every game in this folder.")
@click.option(
    "--sprt",
    "gain",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="GAIN",
    help="Stop when the first player's share is known to be fair, or better by GAIN (0.05).",
)
@click.option("--alpha", type=click.FloatRange(0, 0.5, True), default=0.05, show_default=True)
@click.option("--beta", type=click.FloatRange(0, 0.5, True), default=0.05, show_default=True)
def command(words: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Play games between PLAYERs, one for each seat, and print how many each wins.

    hunter*5 seats five of them; `strongest` is the strongest bot. A block is one deal that is
    played once in each rotation of the seats, with the same dice.
    """
    from rubicon.lab.arena.sprt import SequentialTest
    from rubicon.lab.arena.statistics import player_results
    from rubicon.lab.warmup import warm

    if asked["resume"] and asked["out"] is None:
        raise click.UsageError("--resume needs --out, the folder to go on with.")
    match = match_asked(words, asked)
    warm_kernels(warm)
    fair, gain = 1 / len(match.players), asked["gain"]
    test = gain and SequentialTest(fair=fair, gain=gain, alpha=asked["alpha"], beta=asked["beta"])
    blocks = play_and_show(match, asked, test or None)
    if asked["records"] is not None:
        from rubicon.lab.arena.game_files import save_records

        save_records(match, blocks, asked["records"])
    if asked["html"] is not None:
        from rubicon.lab.arena.report import report

        asked["html"].write_text(report(match, blocks), encoding="utf-8")
    if as_json:
        click.echo(json.dumps([asdict(one) for one in player_results(match, blocks)], indent=1))
        return
    from rich.console import Console

    Console().print(results_table(match, blocks))
    if test:
        click.echo(verdict_line(match, blocks, test))


def match_asked(words: tuple[str, ...], asked: dict[str, Any]) -> Match:
    """The match that the arguments describe, its ruleset and number of players checked."""
    from rubicon.lab.arena.match import Match, players_of
    from rubicon.rules.game.game import Game
    from rubicon.rules.ruleset.ruleset import parse_override

    listed = [word for word in asked["players"].split(",") if word]
    match = Match(
        players=players_of([*words, *listed]),
        preset=asked["preset"],
        options=tuple(map(parse_override, asked["overrides"])),
        board=asked["board"],
        seed=asked["seed"],
        rounds=asked["rounds"],
    )
    Game.new(match.ruleset(), len(match.players))
    return match


def play_and_show(match: Match, asked: dict[str, Any], test: SequentialTest | None) -> list[Block]:
    """Play the blocks that are asked for, with a live table on a terminal."""
    from rich.console import Console
    from rich.live import Live

    from rubicon.lab.arena.block_file import BlockFile
    from rubicon.lab.arena.statistics import block_shares

    size = len(match.players)
    wanted = asked["blocks"] or (-(-asked["games"] // size) if asked["games"] else BLOCKS)
    console = Console(stderr=True)
    live = Live(console=console, transient=True) if console.is_terminal else None
    file = None
    if asked["out"] is not None:
        file = BlockFile(asked["out"], match, resume=asked["resume"])
    blocks = list(file.blocks[:wanted]) if file else []
    places = first_places(match)
    shown = time.monotonic()
    with live or nullcontext(), file or nullcontext():
        for block in remaining(match, len(blocks), wanted, asked["processes"]):
            blocks.append(block)
            if file:
                file.add(block)
            if live and time.monotonic() - shown > EVERY:
                live.update(results_table(match, blocks))
                shown = time.monotonic()
            if test and test.verdict(block_shares(blocks, places)):
                break
    return blocks


def first_places(match: Match) -> list[int]:
    """The places of the player that was named first."""
    return [place for place, name in enumerate(match.players) if name == match.players[0]]


def remaining(match: Match, done: int, wanted: int, processes: int | None) -> Iterator[Block]:
    """Play the blocks that are still missing."""
    from rubicon.lab.arena.blocks import play_blocks

    # A process takes seconds to start, in which another plays many games.
    most = max(1, min(os.cpu_count() or 1, (wanted - done) // BLOCKS_A_PROCESS))
    numbers = islice(count(done), max(0, wanted - done))
    return play_blocks(match, numbers, processes or most)


def results_table(match: Match, blocks: list[Block]) -> Table:
    """The results so far, as a table."""
    from rich.table import Table

    from rubicon.lab.arena.statistics import player_results

    games = sum(len(block.games) for block in blocks)
    table = Table(title=f"{games:,} games in {len(blocks):,} blocks")
    table.add_column("player")
    for heading in (
        "wins %",
        "95 % interval",
        "mean rank",
        "cut off %",
        "ms",
        "worst ms",
    ):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in player_results(match, blocks):
        table.add_row(
            one.name,
            f"{100 * one.win_share:.1f}",
            f"{100 * one.low:.1f} to {100 * one.high:.1f}",
            f"{one.mean_rank:.2f}",
            f"{100 * one.unfinished:.1f}",
            f"{one.mean_decision_ms:.3f}",
            f"{one.worst_decision_ms:.1f}",
        )
    return table


def verdict_line(match: Match, blocks: list[Block], test: SequentialTest) -> str:
    """What the sequential test says, in a sentence."""
    from rubicon.lab.arena.statistics import block_shares

    found = test.verdict(block_shares(blocks, first_places(match)))
    about = f"fair {test.fair:.3f}, gain {test.gain:g}, alpha {test.alpha:g}, beta {test.beta:g}"
    says = {
        "H1": f"{match.players[0]} wins more than its fair share",
        "H0": f"{match.players[0]} does not win that much more than its fair share",
    }
    return f"SPRT: {says.get(found, 'undecided; more blocks are needed')} ({about})."
