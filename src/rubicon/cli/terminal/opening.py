"""How a game begins: who plays, by which rules, from which file."""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from rubicon.cli.terminal.board import count_text, pieces_legend, pieces_text
from rubicon.cli.terminal.console import Keyboard, Output, make_output
from rubicon.cli.terminal.options import BOOK, CHOOSE, QUICK, SETUPS, PlayOptions
from rubicon.cli.terminal.saves import (
    check_new,
    latest_file,
    load_record,
    new_file,
    same_file,
    unread_lines,
)
from rubicon.cli.terminal.session import BotAims, QuickSetup, Session
from rubicon.engine.chance import generator
from rubicon.engine.records import Standing
from rubicon.errors import RubiconError
from rubicon.players.bot import IN_FILE, PROGRAM, is_own
from rubicon.players.characters import USUAL_LEVEL, full_name
from rubicon.players.player import PLAYERS, seed_of_player
from rubicon.players.seating import SeatedPlayer, seated
from rubicon.rules.board.board import Board
from rubicon.rules.game import Game
from rubicon.rules.ruleset.file import RulesetError
from rubicon.rules.ruleset.ruleset import Ruleset, parse_override
from rubicon.wording import nearest

# Who plays: `me`, `me:Ann`, `greedy`, `mybot.py:MyBot`, `exec:COMMAND`, in the order of play.

ME = "me"
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class SeatAssignment:
    """The player of one seat; `bot` is None for a person, else what `seated` takes."""

    name: str
    bot: str | None


def read_seats(text: str, bots: Sequence[str]) -> list[SeatAssignment]:
    """The seats that `me:Ann,greedy,random` asks for, each with its own name.

    Raises RubiconError: `play/unknown-seat`, `play/bad-name`.
    """
    seats: list[SeatAssignment] = []
    for part in text.split(","):
        seats.append(_seat(part.strip(), bots, seats))
    return seats


def _seat(part: str, bots: Sequence[str], before: Sequence[SeatAssignment]) -> SeatAssignment:
    kind, colon, name = part.partition(":")
    kind = full_name(kind.strip().lower())
    if kind != ME and part not in bots and is_own(part):
        return SeatAssignment(unlike(name_of_own(part), before, bots), part)
    if kind != ME and kind not in bots:
        hint = nearest(kind, (ME, *bots))
        raise RubiconError(
            "play/unknown-seat",
            f"Unknown player {part!r} (players: {', '.join(sorted(bots))}).",
            f"{hint} A person is {ME} or {ME}:NAME, your own bot FILE.py:CLASS or "
            "exec:COMMAND.".strip(),
        )
    if kind != ME:
        return SeatAssignment(unlike(kind, before, ()), kind)
    wanted = checked_name(name.strip()) if colon else ME
    return SeatAssignment(unlike(wanted, before, bots), None)


def name_of_own(bot: str) -> str:
    """The name at the table of a bot that is not Rubicon's: its class, or its command."""
    if bot.startswith(PROGRAM):
        program, *arguments = bot.removeprefix(PROGRAM).split() or ["program"]
        name = " ".join((Path(program).name, *arguments))
    else:
        name = bot.rpartition(IN_FILE)[2]
    printable = "".join(letter for letter in name if letter.isprintable())
    return printable[:LONGEST_NAME].strip() or "program"


def checked_name(name: str) -> str:
    """The same name, if a terminal can show it; else RubiconError `play/bad-name`."""
    if name.isprintable() and 1 <= len(name) <= LONGEST_NAME:
        return name
    raise RubiconError(
        "play/bad-name",
        f"{name[:LONGEST_NAME]!a} cannot be a player's name.",
        f"A name has 1 to {LONGEST_NAME} printable characters.",
    )


def unlike(name: str, before: Sequence[SeatAssignment], forbidden: Sequence[str]) -> str:
    """The name, with a number after it if another seat has it or a bot is called so."""
    taken = {seat.name for seat in before}
    number = 1
    chosen = name
    while chosen in taken or _bot_in(chosen, forbidden):
        number += 1
        ending = f"-{number}" if forbidden else f" {number}"
        chosen = name[: LONGEST_NAME - len(ending)] + ending
    return chosen


def usual_seats(fewest: int, most: int, watch: bool) -> list[SeatAssignment]:
    """One person and two bots, or as near to three seats as the ruleset allows.

    With `watch`, bots only.
    """
    count = min(max(3, fewest), most)
    text = ",".join([USUAL_LEVEL if watch else ME] + [USUAL_LEVEL] * (count - 1))
    return read_seats(text, (USUAL_LEVEL,))


def seats_of_names(names: Sequence[str], bots: Sequence[str]) -> list[SeatAssignment]:
    """The seats of a saved game, from the names of its players: `greedy 2` is a bot."""
    return [SeatAssignment(name, _bot_in(name, bots)) for name in names]


def _bot_in(name: str, bots: Sequence[str]) -> str | None:
    first, _, number = name.partition(" ")
    return first if first in bots and (not number or number.isdigit()) else None


# Three ways to set up a game at the terminal: quick, choose, by the book.

CLAIM, PLACE, ARMIES, NEUTRAL = "setup.claim", "setup.place", "setup.armies", "neutral.armies"
QUESTION = """\
How do you want to begin?
  1  quick   Territories are dealt and armies placed for you; you play at once.
  2  choose  Territories are dealt; you place your armies.
  3  book    By the book: you claim territories and place armies in turn."""
PROMPT = "1, 2 or 3 (Enter is 1): "


def with_setup(ruleset: Ruleset, way: str, *, stated: Collection[str]) -> Ruleset:
    """The ruleset set up in one of the three ways; `stated` options stay as they are.

    On a board smaller than the world every way begins with fewer armies.
    """
    ruleset = with_fewer_armies(ruleset, stated)
    if way != BOOK and ruleset.option_text(CLAIM) == "draft" and CLAIM not in stated:
        ruleset = if_possible(ruleset, {CLAIM: "random"})
    if way == CHOOSE and ruleset.option_text(PLACE) == "one_each_round" and PLACE not in stated:
        ruleset = if_possible(ruleset, {PLACE: "all_at_once"})
    return ruleset


def if_possible(ruleset: Ruleset, changes: dict[str, object]) -> Ruleset:
    """The ruleset with the changes; without them where its other options exclude them.

    Capitals, for example, are founded by a player's first claim, so they need a draft.
    """
    try:
        return ruleset.with_options(changes)
    except RulesetError:
        return ruleset


def with_fewer_armies(ruleset: Ruleset, stated: Collection[str]) -> Ruleset:
    """Starting armies in proportion to the board; the preset's numbers are for the world.

    Every player gets at least one army more than territories.
    """
    here, world = len(ruleset.board.territories), len(Board.load("world").territories)
    if here >= world:
        return ruleset
    changes: dict[str, object] = {}
    armies = ruleset.chosen.counts(ARMIES)
    if ARMIES not in stated:
        changes[ARMIES] = {
            players: max(round(int(count) * here / world), -(-here // int(players)) + 1)
            for players, count in armies.items()
        }
    if NEUTRAL not in stated and ruleset.option_text(CLAIM) == "deal_three_piles":
        neutral = int(ruleset.option_text(NEUTRAL))
        changes[NEUTRAL] = max(round(neutral * here / world), -(-here // 3) + 1)
    return if_possible(ruleset, changes)


def quick_note(ruleset: Ruleset) -> str:
    """What the quick set-up does differently from the book."""
    dealt = "Territories are dealt and " if ruleset.option_text(CLAIM) != "draft" else ""
    return (
        f"Quick set-up: {dealt}all armies are placed for you. "
        "`--setup choose` lets you place them, `--setup book` plays by the book."
    )


def ask_setup(keyboard: Keyboard, output: Output) -> str:
    """Ask a person which way to set up; EOFError or KeyboardInterrupt if they leave."""
    output.prose(QUESTION)
    answers = {"": QUICK} | {str(number): way for number, way in enumerate(SETUPS, 1)}
    while True:
        typed = keyboard.read(PROMPT).lower()
        begun = [way for way in SETUPS if typed and way.startswith(typed)]
        if way := answers.get(typed) or next(iter(begun), ""):
            return way
        output.line("Please type 1, 2 or 3.")


# The beginning of a game at the terminal: a new one, a saved one, or a rematch.


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
    """The bot of each colour, each with its own seed; None for a person.

    `seconds` is the time of a program for a decision.
    """
    return {
        colour: seated(seat.bot, colour, seed=seed_of_player(seed, number), seconds=seconds)
        if seat.bot
        else None
        for number, (colour, seat) in enumerate(zip(game.colours, seats, strict=True))
    }


def rematch(session: Session) -> Session:
    """A new game of the same players by the same rules, with its own dice and file."""
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
        output=session.output.terminal,
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
