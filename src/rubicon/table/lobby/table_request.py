"""What a person asks for when opening a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby

from rubicon.errors import NotFound
from rubicon.rules.board.board import bundled_boards
from rubicon.rules.game import Game
from rubicon.rules.record import headers_of
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from rubicon.table.errors import TableError
from rubicon.table.settings import Settings
from rubicon.wording import nearest

# How texts of people look: what no one can see or read in them, and names that look alike.

MOST_MARKS = 3  # combining marks on one letter: more of them cover the lines above and below
# Signs without any ink that Unicode calls letters, marks or symbols, so that they are printable.
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
)
VARIANTS = {*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0))}
COLOURED = "\ufe0f"  # asks for the coloured form of a sign: many emoji end with it
# Letters of two other alphabets, and digits, that look like Latin ones in most fonts.
ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХѴԜԚаеѕіјкорсухѵԝԛԁһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαικνρυ01I|",
    "ABESIJKMHOPCTYXVWQaesijkopcyxvwqdhlABEZHIKMNOPTYXoaikvpuolll",
)


def is_legible(text: str) -> bool:
    """Whether a text has nothing invisible in it, and no heaps of marks."""
    hidden = (VARIANTS - {COLOURED}) | BLANK
    if not text.isprintable() or any(sign in hidden for sign in text):
        return False
    kinds = (unicodedata.category(sign) in ("Mn", "Me") for sign in text)
    return all(not mark or len(list(run)) <= MOST_MARKS for mark, run in groupby(kinds))


def look(name: str) -> str:
    """The same for names that a reader takes for each other."""
    shown = "".join(sign for sign in name if sign not in BLANK | VARIANTS)
    plain = unicodedata.normalize("NFKC", shown).translate(ALIKE)
    return " ".join(plain.casefold().split())


# The request for a new table, and its checks: rules, seats, bots, names.

MAX_NAME_LENGTH = 40
MAX_TITLE_LENGTH = 60
MAX_OPTIONS = 200
MAX_OPTIONS_SIZE = 10_000  # characters, with their names

# The bots that may be seated: by every name that one may be asked for by, its own name.
ServerBots = Mapping[str, str]


class Access(StrEnum):
    """Who can find a table, and who may join it."""

    OPEN = "open"  # listed; everyone may join
    LINK = "link"  # not listed; everyone with the table's link may join
    PRIVATE = "private"  # each seat has its own invite, for one person


@dataclass(frozen=True)
class TableRequest:
    """The request for a table. Presets and boards are bundled: a client cannot name a file."""

    preset: str = "classic"
    options: Mapping[str, object] = field(default_factory=dict)
    board: str = "world"
    seats: int | Sequence[str] = 3  # how many, or their colours in the order of play
    bots: Mapping[int, str] = field(
        default_factory=dict
    )  # the server's bots, by the number of their seat
    access: str = Access.OPEN
    title: str = ""  # the ruleset's, if empty
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """A request that has passed all checks."""

    title: str
    access: Access
    headers: dict[str, str]  # of a record, with colours in place of names
    colours: tuple[str, ...]
    bots: dict[int, str]
    settings: Settings


def checked_request(request: TableRequest, server_bots: ServerBots) -> CheckedRequest:
    """The request with its defaults; RubiconError, RulesetError or TableError for a bad one."""
    ruleset = requested_ruleset(request)
    count = request.seats if isinstance(request.seats, int) else len(request.seats)
    if count < 1:
        raise TableError(
            "lobby/seats",
            "The number of seats is missing.",
            "Give a number of seats, or their colours.",
        )
    colours = None if isinstance(request.seats, int) else request.seats
    game = Game.new(ruleset, count, colours=colours)
    bots: dict[int, str] = {}
    for number, bot in request.bots.items():
        if not 0 <= number < game.size:
            message = f"There is no seat number {number}."
            raise TableError("lobby/seat", message, f"Seats count from 0 to {game.size - 1}.")
        bots[number] = checked_bot(bot, server_bots)
    settings = with_checked_bots(request.settings, server_bots)
    title = (
        checked_title(request.title) if request.title.strip() else ruleset.title[:MAX_TITLE_LENGTH]
    )
    return CheckedRequest(
        title=title,
        access=checked_access(request.access),
        headers=headers_of(game),
        colours=game.colours,
        bots=bots,
        settings=settings,
    )


def choices(names: Sequence[str]) -> str:
    """The allowed values, as a sentence."""
    return f"Choose one of: {', '.join(names)}."


def check_preset(name: str) -> None:
    """RubiconError where this is not the name of a preset; file names are refused too."""
    if name not in preset_names():
        message = f"There is no ruleset {name[:40]!r}."
        wanted = nearest(name, preset_names()) or choices(preset_names())
        raise NotFound("ruleset/unknown-preset", message, wanted)


def checked_bot(bot: str, server_bots: ServerBots) -> str:
    """The own name of a bot, which is stored and shown; TableError where the server has none."""
    if bot not in server_bots:
        message = f"Unknown bot {bot[:20]!r}."
        raise TableError("lobby/unknown-bot", message, choices(own_names(server_bots)))
    return server_bots[bot]


def own_names(server_bots: ServerBots) -> list[str]:
    """The own name of each bot."""
    return list(dict.fromkeys(server_bots.values()))


def with_checked_bots(settings: Settings, server_bots: ServerBots) -> Settings:
    """The settings with the own names of their bots; TableError where the server has no such."""
    return replace(
        settings,
        substitute=settings.substitute and checked_bot(settings.substitute, server_bots),
        fill=settings.fill and checked_bot(settings.fill, server_bots),
    )


def checked_name(name: str, taken: Sequence[str], server_bots: Collection[str]) -> str:
    """A player's name; TableError if it cannot be read, is taken here, or is that of a bot."""
    proper = unicodedata.normalize("NFKC", name).strip()
    if not (is_legible(proper) and 1 <= len(proper) <= MAX_NAME_LENGTH):
        message = f"{name[:MAX_NAME_LENGTH]!a} is not a valid name."
        wanted = f"A name has 1 to {MAX_NAME_LENGTH} visible characters."
        raise TableError("lobby/name", message, wanted)
    if look(proper.rstrip(" 0123456789")) in map(look, server_bots):
        message = f"{proper!r} is the name of a bot."
        raise TableError("lobby/name", message, "Choose another name.")
    if look(proper) in map(look, taken) or proper.casefold() in map(str.casefold, taken):
        message = f"The name {proper!r}, or one that looks like it, is taken at this table."
        raise TableError("lobby/name-taken", message, "Choose another name, or add to it.")
    return proper


def bot_name(bot: str, taken: Sequence[str]) -> str:
    """`greedy`, `greedy 2` …: the first name that is not taken."""
    number = 1
    name = bot
    while name in taken:
        number += 1
        name = f"{bot} {number}"
    return name


def requested_ruleset(request: TableRequest) -> Ruleset:
    """The ruleset of a request, of bundled presets and boards only; RubiconError otherwise."""
    check_preset(request.preset)
    if request.board not in bundled_boards():
        message = f"There is no board {request.board[:40]!r}."
        raise NotFound("board/unknown-board", message, choices(bundled_boards()))
    check_size(request.options)
    return Ruleset.load(request.preset, request.options, board=request.board)


def check_size(options: Mapping[str, object]) -> None:
    """TableError for too many options, or texts that no option has: reading them takes long."""
    size = sum(len(name) + len(str(value)) for name, value in options.items())
    if len(options) > MAX_OPTIONS or size > MAX_OPTIONS_SIZE:
        message = f"The request has {len(options)} options of {size:,} characters: too many."
        raise TableError(
            "lobby/options", message, "Give only the options that differ from the preset."
        )


def checked_access(access: str) -> Access:
    """The access of this name; TableError for another."""
    known = [kind.value for kind in Access]
    if access not in known:
        message = f"Unknown access {access[:20]!r}."
        raise TableError("lobby/access", message, choices(known))
    return Access(access)


def checked_title(title: str) -> str:
    """A table's title; TableError if it is too long or cannot be read."""
    proper = title.strip()
    if is_legible(proper) and len(proper) <= MAX_TITLE_LENGTH:
        return proper
    message = f"{title[:MAX_TITLE_LENGTH]!a} is not a valid title."
    wanted = f"A title has at most {MAX_TITLE_LENGTH} visible characters."
    raise TableError("lobby/title", message, wanted)
