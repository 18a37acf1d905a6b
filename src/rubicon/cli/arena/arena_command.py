"""`rubicon arena`: the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rubicon.cli.arena.output_files import check_outputs
from rubicon.cli.arena.playing import RunSettings, play_contest
from rubicon.cli.arena.results import (
    doubt_line,
    ratings_table,
    results_json,
    results_table,
    verdict_lines,
)
from rubicon.cli.warmup import warm_kernels
from rubicon.errors import RubiconError

if TYPE_CHECKING:
    from rubicon.lab.arena.contest import Contest
    from rubicon.lab.arena.match import Match
    from rubicon.lab.arena.sprt import SequentialTest

BLOCKS = 100
MOST_SEED = 2**62  # room for the blocks behind it


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
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=0,
    show_default=True,
    help="Seed of the first block.",
)
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
@click.option(
    "--bot-seconds",
    type=click.FloatRange(0, 3600, min_open=True),
    default=30.0,
    show_default=True,
    help="Seconds that an own bot may take for a decision.",
)
@click.option("--ray", is_flag=True, help="Play on a Ray cluster (RAY_ADDRESS) or a local one.")
@click.option("--out", type=click.Path(path_type=Path), help="Keep the blocks in this folder.")
@click.option("--resume", is_flag=True, help="Go on with the blocks in --out.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of JSON objects.")
@click.option(
    "--html", type=click.Path(path_type=Path), help="Write a report with plots to this file."
)
@click.option("--records", type=click.Path(path_type=Path), help="Save every game in this folder.")
@click.option(
    "--dataset", type=click.Path(path_type=Path), help="Save all games as Parquet in this folder."
)
@click.option(
    "--versus",
    metavar="PLAYER",
    help="Compare the first player with this other version of it, in the same blocks.",
)
@click.option(
    "--sprt",
    "gain",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="GAIN",
    help="Stop when the first player's share is known to be fair, or better by GAIN (0.05).",
)
@click.option("--alpha", type=click.FloatRange(0, 0.5, True), default=0.05, show_default=True)
@click.option("--beta", type=click.FloatRange(0, 0.5, True), default=0.05, show_default=True)
@click.option(
    "--ratings", is_flag=True, help="Rate the players of matches in the folders (--out) named."
)
def command(words: tuple[str, ...], as_json: bool, ratings: bool, **asked: Any) -> None:
    """Play games between PLAYERs, one for each seat, and print how many each wins.

    hunter*5 seats five of them; `strongest` is the strongest bot. A block is one deal that is
    played once in each rotation of the seats, with the same dice.
    """
    if ratings:
        show_ratings(words, as_json)
        return
    check_together(asked)
    check_outputs(asked)
    match = match_asked(words, asked)
    contest = contest_asked(match, asked)
    from rubicon.lab.warmup import warm

    warm_kernels(warm)
    settings = RunSettings(
        processes=asked["processes"], ray=asked["ray"], out=asked["out"], resume=asked["resume"]
    )
    play_contest(contest, settings)
    save_files(contest, asked)
    if doubt := doubt_line(contest):
        click.echo(doubt, err=True)
    if as_json:
        click.echo(json.dumps(results_json(contest), indent=1))
        return
    from rich.console import Console

    console = Console()
    several = len(contest.matches) > 1
    for one, blocks in zip(contest.matches, contest.blocks, strict=True):
        about = f"with {one.players[0]}" if several else ""
        console.print(results_table(one, blocks, about))
    for line in verdict_lines(contest):
        click.echo(line)


def check_together(asked: dict[str, Any]) -> None:
    """Refuse options that do not go together, or need what is not installed, before any game."""
    if asked["resume"] and asked["out"] is None:
        raise click.UsageError("--resume needs --out, the folder to go on with.")
    if asked["ray"]:
        if asked["processes"]:
            raise click.UsageError("Give --ray or --processes, not both.")
        from rubicon.lab.arena.ray_blocks import ray_module

        ray_module()
    if asked["dataset"] is not None and find_spec("pyarrow") is None:
        raise RubiconError(
            "arena/no-pyarrow",
            "A data set needs pyarrow, which is not installed.",
            "Install it with `pip install rubicon[lab]`.",
        )


def match_asked(words: Sequence[str], asked: dict[str, Any]) -> Match:
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
        seconds=asked["bot_seconds"],
    )
    Game.new(match.ruleset(), len(match.players))
    return match


def contest_asked(match: Match, asked: dict[str, Any]) -> Contest:
    """The match, with its other version and its test, as the arguments say."""
    from rubicon.lab.arena.contest import Contest
    from rubicon.lab.arena.versions import with_other_version

    matches = [match]
    if asked["versus"] is not None:
        matches.append(with_other_version(match, asked["versus"]))
    size = len(match.players)
    wanted = asked["blocks"] or (-(-asked["games"] // size) if asked["games"] else BLOCKS)
    return Contest(
        matches=matches, wanted=wanted, test=test_asked(match, asked), blocks=[[] for _ in matches]
    )


def test_asked(match: Match, asked: dict[str, Any]) -> SequentialTest | None:
    """The sequential test; two versions are always tested."""
    from rubicon.lab.arena.sprt import SequentialTest
    from rubicon.lab.arena.versions import GAIN, versions_test

    gain, alpha, beta = asked["gain"], asked["alpha"], asked["beta"]
    if asked["versus"] is not None:
        return versions_test(gain or GAIN, alpha, beta)
    if gain is None:
        return None
    return SequentialTest(fair=1 / len(match.players), gain=gain, alpha=alpha, beta=beta)


def save_files(contest: Contest, asked: dict[str, Any]) -> None:
    """Write the files that are asked for; of two versions, those of the first player's match."""
    match, blocks = contest.matches[0], contest.blocks[0]
    if asked["records"] is not None:
        from rubicon.lab.arena.game_files import save_records

        save_records(match, blocks, asked["records"])
    if asked["dataset"] is not None:
        from rubicon.lab.arena.game_dataset import save_dataset

        save_dataset(match, blocks, asked["dataset"])
    if asked["html"] is not None:
        from rubicon.lab.arena.report import report

        asked["html"].write_text(report(match, blocks), encoding="utf-8")


def show_ratings(folders: Sequence[str], as_json: bool) -> None:
    """Print the ratings over the matches that some folders keep."""
    from rubicon.lab.arena.block_file import kept_match
    from rubicon.lab.arena.ratings import ratings

    if not folders:
        raise click.UsageError("--ratings needs the folders of kept matches (--out).")
    found = ratings([kept_match(Path(folder)) for folder in folders])
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], indent=1))
        return
    from rich.console import Console

    Console().print(ratings_table(found))
