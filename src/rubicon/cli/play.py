"""`rubicon play`: a game in the terminal, between people and bots, or bots alone."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rubicon.cli.main import INTERRUPTED
from rubicon.cli.terminal.options import DARK, LATEST, LIGHT, SETUPS, PlayOptions
from rubicon.cli.warmup import compile_to_play, warm_kernels

if TYPE_CHECKING:
    from types import FrameType

    from rubicon.cli.screen.ending import CurveWork
    from rubicon.cli.terminal.console import Keyboard
    from rubicon.cli.terminal.session import Session

# What ends a program: its window is closed, or the system asks it to end.
ENDING = [signal.Signals[name] for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]


@click.command("play")
@click.argument("preset", required=False)
@click.option("--seats", metavar="WHO,WHO,...", help="The players: me, me:NAME, or bots.")
@click.option("--board", help="The name of a board, or its file.")
@click.option(
    "-o", "--option", "overrides", multiple=True, metavar="NAME=VALUE", help="Change a rule."
)
@click.option(
    "--setup",
    type=click.Choice(SETUPS),
    help="Armies placed for you, by you, or by the book; asked for if left out.",
)
@click.option("--seed", type=click.IntRange(0), help="Repeat a game: the same dice and bots.")
@click.option("--watch", is_flag=True, help="Only bots play.")
@click.option("--why", is_flag=True, help="With --watch: the bots say what they are after.")
@click.option("--save", is_flag=True, help="With --watch: save the game.")
@click.option("--record", type=click.Path(path_type=Path), help="The file to save the game in.")
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    is_flag=False,
    flag_value=str(LATEST),
    metavar="[FILE]",
    help="Continue a saved game: the latest unfinished one, or FILE.",
)
@click.option("--salvage", is_flag=True, help="With --resume: use the readable part of a file.")
@click.option("--delay", type=click.FloatRange(0, 60), default=0.0, help="Seconds between lines.")
@click.option(
    "--bot-seconds",
    type=click.FloatRange(0, 3600, min_open=True),
    default=30.0,
    help="Seconds that an exec: bot may take for a decision.",
)
@click.option("--ask-defence", is_flag=True, help="Choose the dice of every defence yourself.")
@click.option("--pieces", is_flag=True, help="Show armies as pieces worth 10, 5 and 1.")
@click.option("--line", is_flag=True, help="Line by line, without the full screen.")
@click.option("--plain", is_flag=True, help="--line without colours, in ASCII characters only.")
@click.option(
    "--theme", type=click.Choice((DARK, LIGHT)), help="The full screen's ground; else as it is."
)
@click.option("--server", metavar="URL", help="Play on a server: your games there, and open ones.")
@click.option("--game", metavar="ID", help="With --server: this game.")
@click.option("--invite", metavar="LINK", help="With --server: join by an invite link.")
@click.option("--name", help="With --server: the name of a new account.")
def command(**options: object) -> int:
    """Play the rules of PRESET (`rubicon rules` lists them), or classic RISK.

    Without --seats you play against two bots. The game is saved after every turn.
    """
    return play(PlayOptions(**options))  # type: ignore[arg-type]


def play(options: PlayOptions) -> int:
    """Play one game, and a rematch as often as the players want; returns the exit code."""
    check(options)
    # What is not compiled yet is compiled while the players are asked how they want to play.
    with nothing_collected(), compile_to_play():
        from rubicon.cli.terminal.opening import open_game, open_session, rematch
        from rubicon.players.warmup import warm_to_play

        if options.server:
            from rubicon.cli.hosted.start import play_on_server

            warm_kernels(warm_to_play)
        else:
            opening = open_game(options)
            if setup_is_asked(options):
                options = asked_setup(options)
                opening = open_game(options)
            warm_kernels(warm_to_play)
            session = open_session(options, opening)
    if options.server:
        return play_on_server(options, play_until_ended)
    while True:
        with closing(session):
            code, again = play_until_ended(session, options)
        if not again:
            return code
        session = rematch(session)


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Free no memory while the program is loaded, nor look through that part of it later.

    It stays for good, and every collection would look through all of it: a tenth of the start.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def play_until_ended(session: Session, options: PlayOptions) -> tuple[int, bool]:
    """The same as `play_once`; the game is kept, and the terminal left as it was, on a signal."""
    with saved_when_ended(session):
        return play_once(session, options)


def play_once(session: Session, options: PlayOptions) -> tuple[int, bool]:
    """Play one game, on the full screen where there is one, else line by line; bots are watched.

    Returns the exit code, and whether the players want a rematch.
    """
    from rubicon.cli.screen.start import play_on_screen, wants_screen, why_no_screen
    from rubicon.odds.warmup import warm

    wanted = wants_screen(options)
    if wanted and (why := why_no_screen(session)):
        session.output.prose(why)
        wanted = False
    if not wanted:
        return play_at_keyboard(session) if session.people else (watch(session), False)
    warm_kernels(warm)
    with saved_whatever_happens(session):
        played = play_on_screen(session, options.theme)
    code = end(session, played.curve_work) if played.over else stop(session, 0)
    return code, played.again


def check(options: PlayOptions) -> None:
    """Raise UsageError for options that contradict each other."""
    if options.resume and (options.preset or options.board or options.overrides or options.setup):
        raise click.UsageError("A saved game has its own rules, board and set-up.")
    if options.why and not options.watch:
        raise click.UsageError("--why shows the plans of bots, so use it with --watch.")
    if options.watch and options.resume:
        raise click.UsageError("To watch a saved game, give all its seats to bots with --seats.")
    if options.salvage and not options.resume:
        raise click.UsageError("--salvage is for a saved game: --resume FILE --salvage.")
    if options.salvage and options.resume_latest:
        raise click.UsageError("Name the damaged file: --resume FILE --salvage.")
    if not options.server and (options.game or options.invite or options.name):
        raise click.UsageError("--game, --invite and --name are for a game on a --server.")
    if options.server and (options.resume or options.seats or options.board or options.overrides):
        raise click.UsageError("The rules and seats of a game on a server are those of its table.")


def setup_is_asked(options: PlayOptions) -> bool:
    """Whether to ask how to set up: for a new game of people at a terminal."""
    from rubicon.cli.terminal.console import at_terminal

    return not (options.setup or options.resume or options.watch) and at_terminal()


def asked_setup(options: PlayOptions) -> PlayOptions:
    """The options as the person at the terminal completes them: at least the way of setting up."""
    from rubicon.cli.screen.start import begin_on_screen, wants_screen
    from rubicon.cli.terminal.console import make_output, open_keyboard
    from rubicon.cli.terminal.opening import ask_setup

    if wants_screen(options):
        if (begun := begin_on_screen(options)) is None:
            raise click.Abort
        return begun
    try:
        way = ask_setup(open_keyboard(tuple), make_output(options.plain))
    except (EOFError, KeyboardInterrupt) as error:
        raise click.Abort from error
    return replace(options, setup=way)


def watch(session: Session) -> int:
    """Let the bots play to the end."""
    try:
        with saved_whatever_happens(session):
            session.advance()
            session.show(None)
            session.draw(None)
    except KeyboardInterrupt:
        return stop(session, INTERRUPTED)
    return end(session)


def play_at_keyboard(session: Session) -> tuple[int, bool]:
    """Play one game with the people at the keyboard.

    Returns the exit code, and whether they want a rematch.
    """
    from rubicon.cli.terminal.commands import Quit
    from rubicon.cli.terminal.console import open_keyboard
    from rubicon.cli.terminal.prompt import CommandLoop

    loop = CommandLoop(session)
    keyboard = open_keyboard(loop.words)
    try:
        with saved_whatever_happens(session):
            loop.run(keyboard)
            session.draw(session.watcher)
    except (Quit, EOFError):
        return stop(session, 0), False
    except KeyboardInterrupt:
        return stop(session, INTERRUPTED), False
    return end(session), wants_rematch(keyboard)


@contextmanager
def saved_whatever_happens(session: Session) -> Iterator[None]:
    """Save the game before an unforeseen error ends the program."""
    try:
        yield
    except (KeyboardInterrupt, EOFError):
        raise
    except BaseException:
        with suppress(Exception):
            session.save()
        raise


@contextmanager
def saved_when_ended(session: Session) -> Iterator[None]:
    """Save the game when its window is closed or the system ends the program."""

    def leave(number: int, _: FrameType | None) -> None:
        with suppress(Exception):
            session.save()
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end(session: Session, curve_work: CurveWork | None = None) -> int:
    """Print the summary of a finished game and where it is saved; the exit code.

    `curve_work` computes the chances to win already, for the full screen.
    """
    from rubicon.cli.terminal.summary import summary_lines

    session.save()
    output = session.output.terminal
    output.line("")
    for line in summary_lines(session.game, session.watcher, output.symbols):
        output.prose(line)
    if not session.elsewhere:
        with suppress(Exception):  # of any kind: the game is over and told all the same
            tell_chances(session, curve_work)
    if session.file is not None:
        output.line(f"The game is saved in {session.where()}")
    return 0


def tell_chances(session: Session, curve_work: CurveWork | None) -> None:
    """Print when the winner of a finished game took the lead, and how near the others came."""
    from rubicon.cli.terminal.summary import chances_lines, win_curve
    from rubicon.players.warmup import warm_to_play

    if curve_work is None:
        warm_kernels(warm_to_play)
    curve = win_curve(session.game) if curve_work is None else curve_work.result()
    for line in [] if curve is None else chances_lines(session.game, curve):
        session.output.terminal.prose(line)


def wants_rematch(keyboard: Keyboard) -> bool:
    """Ask whether the same players want another game; only at a terminal."""
    if not keyboard.interactive:
        return False
    try:
        answer = keyboard.read("Play again with the same players? (y, or Enter to leave) ")
    except (EOFError, KeyboardInterrupt):
        return False
    return answer.strip().lower() in ("y", "yes")


def stop(session: Session, code: int) -> int:
    """Save an unfinished game and say how to continue it; returns the exit code."""
    session.save()
    output = session.output.terminal
    output.line("")
    for line in session.farewell():
        output.line(line)
    return code
