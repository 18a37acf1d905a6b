"""Games of every preset, typed into a real terminal line by line, are the games that were meant.

The same seed gives the same dice and bots: so what a bot types at a keyboard in this process can be
typed into the terminal of another one, and both have played the same game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rubicon.rules.record import Record
from tests.cli.bot_keyboard import BotKeyboard, play_through
from tests.cli.terminals.pseudo_terminal import PseudoTerminal
from tests.conftest import FULL

MOST_LINES = 10_000 if FULL else 25  # typed in a game
SIZES = ((120, 40), (80, 24), (60, 20))
PRESETS = {
    "classic": "me,greedy,greedy",
    "basic": "me,greedy,greedy",
    "digest": "me,greedy,greedy",
    "email": "me,greedy,greedy",
    "two-player": "me,greedy",
    "two-player-50": "me,greedy",
    "secret-mission": "me,greedy,greedy",
    "capital": "me,greedy,greedy",
    "revised": "me,greedy,greedy",
    "revised-conquest": "me,greedy,greedy",
}
MODES = {"--plain": {}, "--line": {}, "dumb": {"TERM": "dumb"}}


@dataclass
class Dictation:
    """What was typed at each prompt, and the history of the game then."""

    lines: list[tuple[str, str]] = field(default_factory=list)
    history: list[str] = field(default_factory=list)


def dictated(preset: str, seats: str) -> Dictation:
    """A game of a bot at the keyboard of this process."""
    dictation = Dictation()

    class NotedKeyboard(BotKeyboard):
        def read(self, prompt: str) -> str:
            line = super().read(prompt)
            dictation.lines.append((prompt, line))
            if len(dictation.lines) > MOST_LINES:
                raise EOFError  # the rest is not typed either
            return line

    with pytest.MonkeyPatch.context() as patch:
        session, _, _ = play_through(patch, preset, seats, kind=NotedKeyboard)
    dictation.history = [without_names(entry) for entry in session.game.history]
    return dictation


def without_names(entry: object) -> str:
    """An entry without the names of cards, which the keyboard of this process has changed."""
    return re.sub(r"^(pick|trade) .*", r"\1", str(entry))


@pytest.mark.parametrize("number", range(len(PRESETS)), ids=list(PRESETS))
def test_a_typed_game_is_the_game_that_was_meant(tmp_path: Path, number: int) -> None:
    preset, seats = list(PRESETS.items())[number]
    mode = list(MODES)[number % len(MODES)]
    dictation = dictated(preset, seats)
    file = tmp_path / "game.risk"
    arguments = [preset, "--seats", seats, "--seed", "3", "--setup", "book", "--delay", "0"]
    arguments += ["--record", str(file)]
    if mode.startswith("--"):
        arguments.append(mode)
    lines = dictation.lines[:MOST_LINES]
    with PseudoTerminal(arguments, SIZES[number % len(SIZES)], MODES[mode]) as terminal:
        for prompt, line in lines:
            terminal.wait_for(prompt)
            terminal.type(line)
        if len(lines) < len(dictation.lines):
            terminal.wait_for(dictation.lines[len(lines)][0])
            terminal.type("quit")
        assert terminal.ended() == 0
    played = [without_names(entry) for entry in Record.parse(file.read_text("utf-8")).entries]
    assert played == dictation.history[: len(played)]
    assert len(played) >= len(lines)
    if len(lines) == len(dictation.lines):
        assert len(played) == len(dictation.history)
