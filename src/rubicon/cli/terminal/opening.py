"""The beginning of a game at the terminal: a new one, a saved one, or a rematch."""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from rubicon.cli.terminal.bot_aims import BotAims
from rubicon.cli.terminal.display.board_view import count_text, pieces_legend, pieces_text
from rubicon.cli.terminal.display.output import make_output
from rubicon.cli.terminal.options import QUICK, PlayOptions
from rubicon.cli.terminal.quick_setup import QuickSetup
from rubicon.cli.terminal.saves import (
    check_new,
    latest_file,
    load_record,
    new_file,
    same_file,
    unread_lines,
)
from rubicon.cli.terminal.seats import SeatAssignment, read_seats, seats_of_names, usual_seats
from rubicon.cli.terminal.session import Session
from rubicon.cli.terminal.setup import quick_note, with_setup
from rubicon.engine.records.position import Standing
from rubicon.engine.sampling import generator
from rubicon.players.player import PLAYERS
from rubicon.players.player_seeds import seed_of_player
from rubicon.players.seating import SeatedPlayer, seated
from rubicon.rules.game.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, parse_override


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A game before the rules are compiled, and how it is made then.

    `seats` is None where the game's own names say who plays; `file` is None for a game that is
    not saved.
    """

    make: Callable[[], Game]
    seats: list[SeatAssignment] | None
    file: Path | None
    notice: str = ""
    quick: bool = False


def open_game(options: PlayOptions) -> Opening:
    """The game that the options ask for; whatever can be refused at once is refused here."""
    opening = saved_game(options) if options.resume else new_game(options)
    if options.record and not same_file(options.record, options.resume):
        check_new(options.record)
    return opening


def new_game(options: PlayOptions) -> Opening:
    """A new game."""
    ruleset = chosen_ruleset(options)
    fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
    if options.seats is None:
        seats = usual_seats(fewest, most, options.watch)
    else:
        seats = read_seats(options.seats, PLAYERS)
    people = sum(seat.bot is None for seat in seats)
    if options.watch and people:
        raise click.UsageError("With --watch only bots play.")
    asked = options.ask_defence or people > 1
    standing = Standing.NONE if asked else Standing.MAXIMUM
    quick = options.way_of_setup == QUICK and people > 0
    file = options.record or (new_file(ruleset.name) if people or options.save else None)
    return Opening(
        make=partial(Game.new, ruleset, names=[seat.name for seat in seats], standing=standing),
        seats=seats,
        file=file,
        notice=quick_note(ruleset) if quick else "",
        quick=quick,
    )


def chosen_ruleset(options: PlayOptions) -> Ruleset:
    """The ruleset with the changes of the command line and of the way of setting up."""
    changes = dict(map(parse_override, options.overrides))
    ruleset = Ruleset.load(options.preset or "classic", changes or None, board=options.board)
    return with_setup(ruleset, options.way_of_setup, stated=changes)


def saved_game(options: PlayOptions) -> Opening:
    """A saved game; its seats are as they were, unless others are named."""
    file = latest_file() if options.resume_latest else options.resume
    assert file is not None
    record = load_record(file, options.salvage)
    seats = None if options.seats is None else read_seats(options.seats, PLAYERS)
    if not record.unread:
        notice = f"Continuing {file}." if options.resume_latest else ""
        return Opening(make=record.replay, seats=seats, file=options.record or file, notice=notice)
    notice = (
        f"{unread_lines(record.unread)} of the file cannot be read. The file stays as it is; the "
        "game continues in a new file, from the last entry that can be read."
    )
    file = options.record or new_file("salvaged")
    return Opening(make=record.replay, seats=seats, file=file, notice=notice)


def open_session(options: PlayOptions, opening: Opening | None = None) -> Session:
    """The game that the options ask for, with all players seated."""
    opening = opening or open_game(options)
    game = opening.make()
    seats = opening.seats or seats_of_names(game.names, PLAYERS)
    if len(seats) != game.size:
        raise click.UsageError(f"The game has {game.size} seats; --seats names {len(seats)}.")
    seed = fresh_seed() if options.seed is None else options.seed
    output = make_output(options.plain)
    if opening.notice:
        output.prose(opening.notice)
    people = [colour for colour, seat in zip(game.colours, seats, strict=True) if not seat.bot]
    return Session(
        game=game,
        bots=bots_of(game, seats, seed, options.bot_seconds),
        bot_seconds=options.bot_seconds,
        output=output,
        rng=generator(seed),
        file=opening.file,
        delay=options.delay,
        aims=BotAims(game.ruleset.board) if options.why else None,
        quick_setup={c: QuickSetup(c, seed=seed) for c in people} if opening.quick else {},
        armies_text=pieces_text(game.ruleset) if options.pieces else count_text,
        pieces_legend=pieces_legend(game.ruleset) if options.pieces else "",
        spoken=options.plain,
    )


def bots_of(
    game: Game, seats: Sequence[SeatAssignment], seed: int, seconds: float
) -> dict[str, SeatedPlayer | None]:
    """The bot of each colour, each with a seed of its own; None for a person.

    `seconds` is the time of a program for a decision.
    """
    return {
        colour: seated(seat.bot, colour, seed=seed_of_player(seed, number), seconds=seconds)
        if seat.bot
        else None
        for number, (colour, seat) in enumerate(zip(game.colours, seats, strict=True))
    }


def rematch(session: Session) -> Session:
    """A new game of the same players by the same rules, with dice and a file of its own."""
    before, seed = session.game, fresh_seed()
    standing = Standing(int(before.start.standing_all[0]))
    game = Game.new(before.ruleset, names=before.names, colours=before.colours, standing=standing)
    seats = [
        SeatAssignment(name, bot.name if (bot := session.bots[colour]) else None)
        for name, colour in zip(before.names, before.colours, strict=True)
    ]
    bots = bots_of(game, seats, seed, session.bot_seconds)
    return replace_game(session, game, bots, seed)


def replace_game(
    session: Session, game: Game, bots: dict[str, SeatedPlayer | None], seed: int
) -> Session:
    """The session with another game in it, as it was before the first prompt."""
    return replace(
        session,
        game=game,
        bots=bots,
        rng=generator(seed),
        file=new_file(game.ruleset.name),
        quick_setup={c: QuickSetup(c, seed=seed) for c in session.quick_setup},
        narrations={},
        logs={},
        on_screen=defaultdict(Counter),
        at_keyboard=None,
        private=set(),
        drawn=(),
        unsaved=False,
    )


def fresh_seed() -> int:
    """A seed that cannot be guessed."""
    return secrets.randbits(63)
