"""`rubicon play`: the game in a terminal, against people and bots, or bots alone to watch."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rubicon.cli.main import INTERRUPTED
from rubicon.cli.replay import unread_lines
from rubicon.cli.warmup import warm_kernels

if TYPE_CHECKING:
    from rubicon.cli.terminal.seats import Chair
    from rubicon.cli.terminal.session import Session
    from rubicon.rules.game import Game
    from rubicon.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for."""

    preset: str | None
    seats: str | None
    board: str | None
    overrides: tuple[str, ...]
    seed: int | None
    watch: bool
    record: Path | None
    resume: Path | None
    delay: float
    ask_defence: bool
    plain: bool
    salvage: bool = False


@click.command("play")
@click.argument("preset", required=False)
@click.option("--seats", metavar="WHO,WHO,...", help="Who plays: me, me:NAME, greedy, random.")
@click.option("--board", help="A board's name, or a file.")
@click.option(
    "-o", "--option", "overrides", multiple=True, metavar="NAME=VALUE", help="Change a rule."
)
@click.option("--seed", type=click.IntRange(0), help="The same seed, the same dice.")
@click.option("--watch", is_flag=True, help="Bots play, you look on.")
@click.option("--record", type=click.Path(path_type=Path), help="The file that keeps the game.")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with a kept game.")
@click.option("--salvage", is_flag=True, help="Go on from what can be read of a damaged game.")
@click.option("--delay", type=click.FloatRange(0, 60), default=0.0, help="Seconds between lines.")
@click.option("--ask-defence", is_flag=True, help="Be asked for the dice of every defence.")
@click.option("--plain", is_flag=True, help="No colours, no signs outside ASCII.")
def command(**options: object) -> int:
    """Play a game of PRESET (`rubicon rules` lists them; classic if none is named).

    Without --seats you play against two bots. The game is kept after every turn.
    """
    return play(Wishes(**options))  # type: ignore[arg-type]


def play(wishes: Wishes) -> int:
    """Play, keep the game, and answer the exit code."""
    from rubicon.players.warmup import warm_to_play

    check(wishes)
    opening = opened(wishes)
    warm_kernels(warm_to_play)
    gc.freeze()  # compiled code stays: else it is looked through again while somebody waits
    session = seated(wishes, opening)
    return watch(session) if not session.people else converse(session)


def check(wishes: Wishes) -> None:
    """Refuse wishes that contradict each other."""
    named = wishes.preset or wishes.board or wishes.overrides
    if wishes.resume and named:
        raise click.UsageError("A kept game says itself by which rules it is played.")
    if wishes.watch and wishes.resume:
        raise click.UsageError("Give the seats of a kept game to bots with --seats, to watch it.")
    if wishes.salvage and not wishes.resume:
        raise click.UsageError("--salvage is for a kept game: --resume FILE --salvage.")


@dataclass(frozen=True, slots=True)
class Opening:
    """What is known of a game before the rules are compiled, and how it is made then."""

    make: Callable[[], Game]
    chairs: list[Chair] | None  # None: as the game itself says
    file: Path
    notice: str = ""


def opened(wishes: Wishes) -> Opening:
    """The game that is asked for, as far as it can be refused without compiled rules."""
    from rubicon.cli.terminal.keeping import check_new, same_file

    opening = taken_up(wishes) if wishes.resume else begun(wishes)
    if wishes.record and not same_file(wishes.record, wishes.resume):
        check_new(wishes.record)
    return opening


def open_session(wishes: Wishes) -> Session:
    """The game that is asked for, with everybody seated."""
    return seated(wishes, opened(wishes))


def seated(wishes: Wishes, opening: Opening) -> Session:
    """The game with everybody in their chairs."""
    from rubicon.cli.terminal.paint import make_paint
    from rubicon.cli.terminal.seats import chairs_of
    from rubicon.cli.terminal.session import Session
    from rubicon.players.player import PLAYERS, Player
    from rubicon.rules.procedures.sampling import generator

    game = opening.make()
    chairs = opening.chairs or chairs_of(game.names, PLAYERS)
    if len(chairs) != game.size:
        raise click.UsageError(f"The game has {game.size} seats, {len(chairs)} are named.")
    seed = fresh_seed() if wishes.seed is None else wishes.seed
    seating = {
        colour: Player(chair.bot, colour, seed=seed + 1 + seat) if chair.bot else None
        for seat, (colour, chair) in enumerate(zip(game.colours, chairs, strict=True))
    }
    paint = make_paint(wishes.plain)
    if opening.notice:
        paint.prose(opening.notice)
    return Session(game, seating, paint, generator(seed), opening.file, wishes.delay)


def fresh_seed() -> int:
    """A seed that nobody can know."""
    import secrets

    return secrets.randbits(63)


def begun(wishes: Wishes) -> Opening:
    """A new game."""
    from rubicon.cli.terminal.keeping import new_file
    from rubicon.cli.terminal.seats import read_seats, usual_seats
    from rubicon.players.player import PLAYERS
    from rubicon.rules.game import Game
    from rubicon.rules.position import Standing

    ruleset = chosen_ruleset(wishes)
    fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
    if wishes.seats is None:
        chairs = usual_seats(fewest, most, wishes.watch)
    else:
        chairs = read_seats(wishes.seats, PLAYERS)
    people = sum(chair.bot is None for chair in chairs)
    if wishes.watch and people:
        raise click.UsageError("With --watch only bots play.")
    asked = wishes.ask_defence or people > 1
    standing = Standing.NONE if asked else Standing.MAXIMUM
    names = [chair.name for chair in chairs]
    file = wishes.record or new_file(ruleset.name)
    return Opening(partial(Game.new, ruleset, names=names, standing=standing), chairs, file)


def chosen_ruleset(wishes: Wishes) -> Ruleset:
    """The ruleset, with the rules that are changed."""
    from rubicon.rules.ruleset import Ruleset, parse_override

    changes = dict(map(parse_override, wishes.overrides))
    return Ruleset.load(wishes.preset or "classic", changes or None, board=wishes.board)


def taken_up(wishes: Wishes) -> Opening:
    """A kept game; its seats are as they were, unless others are named."""
    from rubicon.cli.terminal.keeping import kept_record, new_file
    from rubicon.cli.terminal.seats import read_seats
    from rubicon.players.player import PLAYERS

    assert wishes.resume is not None
    record = kept_record(wishes.resume, wishes.salvage)
    chairs = None if wishes.seats is None else read_seats(wishes.seats, PLAYERS)
    if not record.unread:
        return Opening(record.replay, chairs, wishes.record or wishes.resume)
    file = wishes.record or new_file("salvaged")
    notice = (
        f"{unread_lines(record.unread)} of the file cannot be read. It stays as it is; the game "
        "goes on in a new one, from where it could be read to."
    )
    return Opening(record.replay, chairs, file, notice)


def watch(session: Session) -> int:
    """Let the bots play to the end."""
    try:
        with kept_whatever_happens(session):
            session.go_on()
            session.show(None)
            session.draw(None)
    except KeyboardInterrupt:
        return stop(session, INTERRUPTED)
    return end(session)


def converse(session: Session) -> int:
    """Let the people at the keyboard play, until the game is over or they leave."""
    from rubicon.cli.terminal.conversation import Conversation, Leave
    from rubicon.cli.terminal.prompting import open_keyboard

    conversation = Conversation(session)
    try:
        with kept_whatever_happens(session):
            conversation.run(open_keyboard(conversation.words))
            session.draw(session.watcher)
    except (Leave, EOFError):
        return stop(session, 0)
    except KeyboardInterrupt:
        return stop(session, INTERRUPTED)
    return end(session)


@contextmanager
def kept_whatever_happens(session: Session) -> Iterator[None]:
    """Write the game before anything unforeseen is told."""
    try:
        yield
    except (KeyboardInterrupt, EOFError):
        raise
    except BaseException:
        with suppress(Exception):
            session.save()
        raise


def end(session: Session) -> int:
    """Say who has won, and where the game is kept."""
    session.save()
    session.paint.line("")
    session.paint.line(result(session))
    session.paint.line(f"The game is kept in {session.where()}")
    return 0


def result(session: Session) -> str:
    """Who has won."""
    winner = session.game.winner
    if winner is None:
        return "Nobody wins."
    return "You win." if winner == session.watcher else f"{session.player(winner)} wins."


def stop(session: Session, code: int) -> int:
    """Keep the game, and say how to go on with it."""
    session.save()
    session.paint.line("")
    session.paint.line("The game is kept. Go on with:")
    session.paint.line(f"  rubicon play --resume {session.where()}")
    return code
