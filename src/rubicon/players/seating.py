"""Players by name, each in one seat; and a player of Rubicon served as a program."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, redirect_stdout
from typing import IO, Protocol

from rubicon.errors import RubiconError, WrongType, is_whole
from rubicon.players.bot import PROGRAM, bot_named
from rubicon.players.bot_seat import BotSeat
from rubicon.players.characters import policy_of
from rubicon.players.player import Player
from rubicon.players.program import (
    MOST_BYTES,
    SECONDS,
    VERSION,
    Message,
    ProgramSeat,
    line_of,
    read_line,
)
from rubicon.rules.actions import Action
from rubicon.rules.game import Game
from rubicon.rules.notation.positions import parse_view

# Players by name, each in one seat: what `rubicon play`, an arena and a tournament ask for.


class SeatedPlayer(Protocol):
    """A player in one seat of one game.

    `decide` needs a pending decision of the seat. `close` ends what the player has started, such
    as a program; call it when the game is over, or given up.
    """

    name: str

    def decide(self, game: Game) -> Action:
        """The action of the seat."""
        ...

    def close(self) -> None:
        """End what the player has started; it may be called again."""
        ...


def seated(
    name: str,
    seat: str,
    *,
    seed: int,
    seconds: float = SECONDS,
    python_seconds: float | None = None,
) -> SeatedPlayer:
    """The player that `name` means, in the seat of this colour.

    `hunter` is a bot of Rubicon or of an installed package, `mybot.py:MyBot` one in a file,
    `exec:COMMAND` a program, which has so many `seconds` for a decision. A bot in Python has a
    limit where `python_seconds` gives one. The same seed, the same views, the same decisions,
    unless a player takes its chances elsewhere. Raises RubiconError:
    `player/unknown`, `player/seed`, those of `bot_named`, and `player/no-program`.
    """
    if policy_of(name) is not None:
        return Player(name, seat, seed=seed)
    if not is_whole(seed):
        raise WrongType("player/seed", seed, "a whole number", "Write seated(…, seed=7).")
    if name.startswith(PROGRAM):
        return ProgramSeat(name, seat, seed=int(seed), seconds=seconds)
    return BotSeat(name, bot_named(name), seat, seed=int(seed), seconds=python_seconds)


# A player of Rubicon as a program: messages come in, answers go out.


def play_seat(name: str, source: IO[bytes], output: IO[bytes]) -> None:
    """Play the seat that the messages in `source` ask for, until the game is over.

    Raises RubiconError: those of `bot_named` before it reads; `player/not-json`,
    `player/bad-message`, `player/newer`, those of `seated`, and of a position that cannot be read.
    """
    if policy_of(name) is None:
        bot_named(name)
    # What a bot prints must not come between the answers.
    with redirect_stdout(sys.stderr):
        for answer in answers(name, map(read_line, lines_of(source))):
            output.write(line_of(answer))
            output.flush()


def lines_of(source: IO[bytes]) -> Iterator[bytes]:
    """The lines, none of them endless."""
    while line := source.readline(MOST_BYTES):
        yield line


def answers(name: str, messages: Iterable[Message]) -> Iterator[Message]:
    """An answer for every message, until the game is over."""
    waiting = iter(messages)
    first = next(waiting, None)
    if first is None:
        return
    with closing(welcomed(name, first)) as player:
        yield {"kind": "ready", "version": VERSION, "name": name}
        for message in waiting:
            if message["kind"] == "over":
                return
            action = player.decide(game_of(message, str(first["seat"])))
            yield {"kind": "answer", "number": message.get("number"), "action": str(action)}


def welcomed(name: str, message: Message) -> SeatedPlayer:
    """The player for the seat of a hello."""
    match message:
        case {"kind": "hello", "version": int(version), "seat": str(seat), "seed": int(seed)}:
            if version > VERSION:
                raise RubiconError(
                    "player/newer",
                    f"The messages have version {version}; Rubicon reads up to {VERSION} here.",
                    "Install a newer Rubicon.",
                )
            return seated(name, seat, seed=seed)
    raise bad(message, 'The first line is a "hello" with version, seat and seed.')


def game_of(message: Message, seat: str) -> Game:
    """The game of a question, as the seat sees it; the seat must have something to decide."""
    match message:
        case {"kind": "decide", "position": str(text)}:
            game = Game.from_position(*parse_view(text))
            if seat in game.colours and seat not in game.actors:
                raise RubiconError(
                    "player/bad-message",
                    f"{seat} has nothing to decide in this position.",
                    f"Ask for {' or '.join(game.actors) or 'no seat: the game is over'}.",
                )
            return game
    raise bad(message, 'A question is a "decide" with a position, and the end is an "over".')


def bad(message: Message, suggestion: str) -> RubiconError:
    """The error for a message that no one understands here."""
    return RubiconError(
        "player/bad-message", f"A message {message['kind']!r} is not understood.", suggestion
    )
