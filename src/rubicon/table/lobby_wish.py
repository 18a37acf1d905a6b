"""What somebody wishes for a table, checked whole by the engine before the table stands."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rubicon.rules.board import bundled_boards
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.record_headers import headers_of
from rubicon.rules.ruleset import Ruleset, preset_names
from rubicon.rules.suggestions import nearest
from rubicon.table.errors import TableError
from rubicon.table.settings import Settings

LONGEST_NAME = 40
LONGEST_TITLE = 60
MOST_OPTIONS = 200


class Access(StrEnum):
    """Who finds a table, and who may sit down at it."""

    OPEN = "open"  # it is listed, and anybody joins
    LINK = "link"  # whoever has the table's secret joins
    PRIVATE = "private"  # each seat has a secret of its own, for one person


@dataclass(frozen=True)
class Wish:
    """A table as it is asked for; a file is never read, so rulesets and boards are the house's."""

    preset: str = "classic"
    options: Mapping[str, object] = field(default_factory=dict)
    board: str = "world"
    seats: int | Sequence[str] = 3  # how many, or their colours in the order of play
    bots: Mapping[int, str] = field(default_factory=dict)  # house bots by the number of their seat
    access: str = Access.OPEN
    title: str = ""  # the ruleset's, if empty
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class Granted:
    """A wish that can be fulfilled."""

    title: str
    access: Access
    headers: dict[str, str]  # of a record, with colours for names
    colours: tuple[str, ...]
    bots: dict[int, str]


def granted(wish: Wish, house_bots: Sequence[str]) -> Granted:
    """What a wish comes to; RubiconError, RulesetError or TableError where it cannot be."""
    ruleset = _ruleset(wish)
    count = wish.seats if isinstance(wish.seats, int) else len(wish.seats)
    if count < 1:
        raise TableError("lobby/seats", "A table has seats.", "Say how many, or their colours.")
    colours = None if isinstance(wish.seats, int) else wish.seats
    game = Game.new(ruleset, count, colours=colours)
    for number, bot in wish.bots.items():
        if not 0 <= number < game.size:
            message = f"There is no seat number {number}."
            raise TableError("lobby/seat", message, f"Seats count from 0 to {game.size - 1}.")
        check_bot(bot, house_bots)
    for bot in (wish.settings.stand_in, wish.settings.fill):
        if bot:
            check_bot(bot, house_bots)
    title = _proper_title(wish.title) if wish.title.strip() else ruleset.title[:LONGEST_TITLE]
    return Granted(title, _access(wish.access), headers_of(game), game.colours, dict(wish.bots))


def there_are(names: Sequence[str]) -> str:
    """What there is to choose from, as a sentence."""
    return f"There are: {', '.join(names)}."


def check_preset(name: str) -> None:
    """RubiconError where the house has no such ruleset: the name of a file is none."""
    if name not in preset_names():
        message = f"There is no ruleset {name[:40]!r}."
        wanted = nearest(name, preset_names()) or there_are(preset_names())
        raise RubiconError("ruleset/unknown-preset", message, wanted)


def check_bot(bot: str, house_bots: Sequence[str]) -> None:
    """TableError where the house has no such bot."""
    if bot not in house_bots:
        message = f"The house has no bot {bot[:20]!r}."
        raise TableError("lobby/unknown-bot", message, there_are(house_bots))


def proper_name(name: str, taken: Sequence[str], house_bots: Sequence[str]) -> str:
    """A person's name, if it can be printed, is nobody else's here, and looks like no bot's."""
    proper = unicodedata.normalize("NFKC", name).strip()
    if not (proper.isprintable() and 1 <= len(proper) <= LONGEST_NAME):
        message = f"{name[:LONGEST_NAME]!a} is no name for a person."
        wanted = f"A name has 1 to {LONGEST_NAME} characters, all of which can be printed."
        raise TableError("lobby/name", message, wanted)
    if proper.casefold().rstrip(" 0123456789") in house_bots:
        message = f"{proper!r} is what a bot is called."
        raise TableError("lobby/name", message, "Take a name that tells you from the bots.")
    if proper.casefold() in {other.casefold() for other in taken}:
        message = f"Somebody at this table is called {proper!r} already."
        raise TableError("lobby/name-taken", message, "Take another name, or add to it.")
    return proper


def bot_name(bot: str, taken: Sequence[str]) -> str:
    """`greedy`, `greedy 2` …: the first that nobody here is called."""
    number = 1
    name = bot
    while name in taken:
        number += 1
        name = f"{bot} {number}"
    return name


def _ruleset(wish: Wish) -> Ruleset:
    check_preset(wish.preset)
    if wish.board not in bundled_boards():
        message = f"There is no board {wish.board[:40]!r}."
        raise RubiconError("board/unknown-board", message, there_are(bundled_boards()))
    if len(wish.options) > MOST_OPTIONS:
        message = f"{len(wish.options)} options are more than there are."
        raise TableError("lobby/options", message, "Name those that differ from the ruleset's.")
    return Ruleset.load(wish.preset, wish.options, board=wish.board)


def _access(access: str) -> Access:
    known = [kind.value for kind in Access]
    if access not in known:
        message = f"A table cannot be {access[:20]!r}."
        raise TableError("lobby/access", message, f"It is {', '.join(known)}.")
    return Access(access)


def _proper_title(title: str) -> str:
    proper = title.strip()
    if proper.isprintable() and len(proper) <= LONGEST_TITLE:
        return proper
    message = f"{title[:LONGEST_TITLE]!a} is no title."
    wanted = f"A title has at most {LONGEST_TITLE} characters, all of which can be printed."
    raise TableError("lobby/title", message, wanted)
