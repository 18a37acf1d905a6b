"""`rubicon arena`: play many games between players, and measure how strong each is."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rubicon.cli.warmup import warm_kernels
from rubicon.errors import RubiconError
from rubicon.wording import numbered, quoted_path

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from rubicon.lab.arena.blocks import Block, BlockFile
    from rubicon.lab.arena.match import Match
    from rubicon.lab.arena.statistics import Contest, Rating, SequentialTest


# Whether the files that an arena is asked for can be written: known before any game.

FOLDERS = ("out", "records", "dataset")


def check_outputs(asked: dict[str, Any]) -> None:
    """Create the folders that are asked for, and write a file in each that is gone at once.

    Raises RubiconError `arena/cannot-write`.
    """
    for name in FOLDERS:
        if asked[name] is not None:
            _check_folder(name, asked[name])
    report: Path | None = asked["html"]
    if report is None:
        return
    if report.is_dir():
        raise _unwritable("html", report, "It is a folder")
    _check_folder("html", report.parent)


def _check_folder(option: str, folder: Path) -> None:
    try:
        if option != "html":
            folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unwritable(option, folder, error.strerror or type(error).__name__) from error


def _unwritable(option: str, path: Path, why: str) -> RubiconError:
    return RubiconError(
        "arena/cannot-write",
        f"--{option}: nothing can be written to {quoted_path(path)}. {why}.",
        "Name another place.",
    )


# What `rubicon arena` prints: tables, sentences, JSON.

ENOUGH_BLOCKS = 20  # below, a bootstrap interval is much too narrow
VERDICTS = {
    False: {
        "H1": "{new} wins more than its fair share",
        "H0": "{new} does not win that much more than its fair share",
    },
    True: {
        "H1": "{new} wins more than {old}",
        "H0": "{new} does not win that much more than {old}",
    },
}


def results_table(match: Match, blocks: Sequence[Block], about: str = "") -> Table:
    """The results so far, as a table; `about` says which of several it is."""
    from rubicon.lab.arena.statistics import player_results

    games = sum(len(block.games) for block in blocks)
    headings = ("wins % (95 %)", "rating", "rank", "cut off %", "ms", "worst ms")
    played = f"{numbered(games, 'game')} in {numbered(len(blocks), 'block')}"
    table = _table(f"{played}, {about}" if about else played, headings)
    for one in player_results(match, blocks):
        table.add_row(
            one.name,
            f"{100 * one.win_share:.1f} ({100 * one.low:.1f} to {100 * one.high:.1f})",
            f"{one.rating:.0f} ± {(one.rating_high - one.rating_low) / 2:.0f}",
            f"{one.mean_rank:.2f}",
            f"{100 * one.unfinished:.1f}",
            f"{one.mean_decision_ms:.3f}",
            f"{one.worst_decision_ms:.1f}",
        )
    return table


def ratings_table(rated: Sequence[Rating]) -> Table:
    """Ratings over several matches, as a table."""
    table = _table("Ratings", ("rating", "95 % interval", "games"))
    for one in rated:
        interval = f"{one.low:.0f} to {one.high:.0f}"
        table.add_row(one.name, f"{one.rating:.0f}", interval, f"{one.games:,}")
    return table


def _table(title: str, headings: Sequence[str]) -> Table:
    from rich.table import Table

    # Without lines, so that it has room in 80 columns.
    table = Table(title=title, box=None, padding=(0, 2, 0, 0), title_justify="left")
    # A long name goes on in the next line: cut off, two bots of one file would look alike.
    table.add_column("player", min_width=10, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def results_json(contest: Contest) -> Any:
    """A list of the players' results; of two versions, an object."""
    from rubicon.lab.arena.statistics import interval, player_results

    played = zip(contest.matches, contest.blocks, strict=True)
    found = [[asdict(one) for one in player_results(*each)] for each in played]
    if len(found) == 1:
        return found[0]
    mean, low, high = (round(one, 4) for one in interval(contest.shares()))
    return {
        "blocks": len(contest.shares()),
        "difference": mean,
        "low": low,
        "high": high,
        "verdict": contest.verdict() or None,
        "new": found[0],
        "old": found[1],
    }


def doubt_line(contest: Contest) -> str:
    """What a reader of few blocks should know; "" where there are enough."""
    blocks = min(map(len, contest.blocks))
    if blocks >= ENOUGH_BLOCKS:
        return ""
    few = numbered(blocks, "block")
    return f"Played: {few}. Below {ENOUGH_BLOCKS} the intervals are much too narrow."


def verdict_lines(contest: Contest) -> list[str]:
    """What the sequential test says, in sentences; none without a test."""
    from rubicon.lab.arena.statistics import interval

    test, paired = contest.test, len(contest.matches) == 2
    if test is None:
        return []
    new, old = contest.matches[0].players[0], contest.matches[-1].players[0]
    says = VERDICTS[paired].get(contest.verdict(), "undecided; more blocks are needed")
    about = f"gain {test.gain:g}, alpha {test.alpha:g}, beta {test.beta:g}"
    if not paired:
        about = f"fair {test.fair:.3f}, {about}"
    lines = [f"SPRT: {says.format(new=new, old=old)} ({about})."]
    if paired:
        mean, low, high = (100 * one for one in interval(contest.shares()))
        lines.insert(
            0,
            f"{new} less {old}: {mean:+.1f} % of the games won ({low:+.1f} to {high:+.1f}), "
            f"in {numbered(len(contest.shares()), 'block')} of each.",
        )
    return lines


# Playing the blocks that `rubicon arena` is asked for: kept, shown, stopped.

BLOCKS_A_PROCESS = 20  # at least, unless --processes says otherwise
EVERY = 0.5  # seconds between two pictures of the live table
OTHER_VERSION = "versus"  # the folder in --out with the blocks of the other version


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Where blocks are played, and where they are kept."""

    processes: int | None  # None: up to one a core
    ray: bool
    out: Path | None
    resume: bool


def play_contest(contest: Contest, settings: RunSettings) -> None:
    """Play the missing blocks, until the test decides; with a live table on a terminal.

    KeyboardInterrupt and errors of players pass on, after a sentence on what is kept. Raises
    `BlockFile`'s errors.
    """
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    live = Live(console=console, transient=True) if console.is_terminal else None
    with ExitStack() as stack:
        files = [stack.enter_context(file) for file in _files(contest, settings)]
        try:
            with live or nullcontext():
                _play(contest, settings, files, live)
        except (KeyboardInterrupt, RubiconError) as stopped:
            if contest.blocks[0] or isinstance(stopped, KeyboardInterrupt):
                click.echo(_kept(contest, settings), err=True)
            raise


def _play(
    contest: Contest, settings: RunSettings, files: Sequence[BlockFile], live: Live | None
) -> None:
    shown = time.monotonic()
    if contest.verdict():
        return
    for (one, _), block in zip(contest.missing(), _played(contest, settings), strict=True):
        contest.blocks[one].append(block)
        if files:
            files[one].add(block)
        if live and time.monotonic() - shown > EVERY:
            live.update(results_table(contest.matches[0], contest.blocks[0]))
            shown = time.monotonic()
        if one == len(contest.matches) - 1 and contest.verdict():
            return


def _files(contest: Contest, settings: RunSettings) -> Iterator[BlockFile]:
    from rubicon.lab.arena.blocks import BlockFile

    if settings.out is None:
        return
    for one, match in enumerate(contest.matches):
        folder = settings.out / OTHER_VERSION if one else settings.out
        file = BlockFile(folder, match, resume=settings.resume)
        contest.blocks[one] = list(file.blocks[: contest.wanted])
        yield file


def _played(contest: Contest, settings: RunSettings) -> Iterator[Block]:
    """The missing blocks, as they are played."""
    from rubicon.lab.arena.blocks import play_on_ray, play_tasks

    missing = contest.missing()
    tasks = ((contest.matches[one], number) for one, number in missing)
    if settings.ray:
        return play_on_ray(tasks)
    # A process takes seconds to start, in which another plays many games.
    most = max(1, min(os.cpu_count() or 1, contest.wanted // BLOCKS_A_PROCESS))
    return play_tasks(tasks, settings.processes or most)


def _kept(contest: Contest, settings: RunSettings) -> str:
    played = f"Blocks played: {len(contest.blocks[0]):,}"
    if settings.out is None:
        return f"{played}. They are not kept: give --out FOLDER to keep them."
    return f"{played}. They are kept in {settings.out}. The same command with --resume goes on."


# `rubicon arena`: the command.

BLOCKS = 100
MOST_SEED = 2**62  # room for the blocks after it


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
        from rubicon.lab.arena.blocks import ray_module

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
    from rubicon.rules.game import Game
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
    from rubicon.lab.arena.statistics import Contest, with_other_version

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
    from rubicon.lab.arena.statistics import GAIN, SequentialTest, versions_test

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
        from rubicon.lab.arena.report import save_records

        save_records(match, blocks, asked["records"])
    if asked["dataset"] is not None:
        from rubicon.lab.dataset import save_dataset

        save_dataset(match, blocks, asked["dataset"])
    if asked["html"] is not None:
        from rubicon.lab.arena.report import report

        asked["html"].write_text(report(match, blocks), encoding="utf-8")


def show_ratings(folders: Sequence[str], as_json: bool) -> None:
    """Print the ratings over the matches that some folders keep."""
    from rubicon.lab.arena.blocks import kept_match
    from rubicon.lab.arena.statistics import ratings

    if not folders:
        raise click.UsageError("--ratings needs the folders of kept matches (--out).")
    found = ratings([kept_match(Path(folder)) for folder in folders])
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], indent=1))
        return
    from rich.console import Console

    Console().print(ratings_table(found))
