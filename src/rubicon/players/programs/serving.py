"""A player of Rubicon as a program: messages come in, answers go out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, redirect_stdout
from typing import IO

from rubicon.errors import RubiconError
from rubicon.players.bots.finding import bot_named
from rubicon.players.programs.messages import MOST_BYTES, VERSION, Message, line_of, read_line
from rubicon.players.registry import policy_of
from rubicon.players.seating import SeatedPlayer, seated
from rubicon.rules.game.game import Game
from rubicon.rules.notation.positions import parse_view


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
                    f"Ask for {' or '.join(game.actors) or 'nobody: the game is over'}.",
                )
            return game
    raise bad(message, 'A question is a "decide" with a position, and the end is an "over".')


def bad(message: Message, suggestion: str) -> RubiconError:
    """The error for a message that nobody understands here."""
    return RubiconError(
        "player/bad-message", f"A message {message['kind']!r} is not understood.", suggestion
    )
