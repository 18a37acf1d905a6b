"""Two people at one full screen: neither ever sees what the other one holds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rubicon.rules.game.game import Game
from rubicon.rules.record.record import Record
from tests.cli.terminals.screen_terminal import ENTER, ESCAPE, ScreenTerminal
from tests.cli.terminals.test_full_screen import OVER, arguments, is_asked
from tests.conftest import FULL

PEOPLE = ("Ann", "Bob")
SEATS = "me:Ann,me:Bob,greedy"
CARDS = "\x1bOS"  # F4
TURNS = 60 if FULL else 3  # of a person
MOST_KEYS = 40  # of a turn
PASSING = re.compile(r"Press Enter when you are (\w+)\.")
NOBODY = ""


@dataclass
class Watch:
    """Every text that stood on the screen, by who was at the keyboard then."""

    at: str = NOBODY
    texts: dict[str, set[str]] = field(default_factory=dict)

    def look(self, text: str) -> None:
        """Note a screen, as one line without its breaks."""
        self.texts.setdefault(self.at, set()).add(" ".join(text.split()))


def passing(text: str) -> str:
    """Whom the keyboard is passed to on this screen; "" where it is no hand-over."""
    found = PASSING.search(text)
    return found[1] if found else ""


def waits(text: str) -> bool:
    """Whether the screen waits for a key."""
    return bool(passing(text)) or is_asked(text)


def play_turn(terminal: ScreenTerminal, watch: Watch) -> bool:
    """Sit down, look at the hand, play until the keyboard is passed on; False: the game is over."""
    text = terminal.wait_until(waits)
    # The screen between two people is whole: from here on nothing of the one before may be seen.
    watch.at = NOBODY
    watch.look(text)
    watch.at = passing(text)
    terminal.press(ENTER)
    terminal.wait_until(lambda text: is_asked(text) and not passing(text))
    terminal.press(CARDS)
    assert "mission:" in terminal.wait_until(lambda text: "Press Enter to hide" in text)
    terminal.press(ESCAPE)
    for _ in range(MOST_KEYS):
        text = terminal.wait_until(waits)
        if OVER in text:
            return False
        if passing(text):
            return True
        terminal.press("." if "› attack" in text else ENTER)
    raise AssertionError(text)


def mission_of(game: Game, name: str) -> str:
    """The words of a player's mission."""
    number = int(game.position.mission[game.names.index(name)])
    return " ".join(game.ruleset.board.missions[number].text.split())


@pytest.mark.parametrize("size", [(120, 40), pytest.param((60, 20), marks=pytest.mark.full)])
def test_a_mission_is_on_the_screen_of_its_owner_alone(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    file, watch = tmp_path / "game.risk", Watch()
    asked = arguments("secret-mission", SEATS, file)
    with ScreenTerminal(asked, size, look=watch.look) as terminal:
        turns = 0
        while turns < 2 * TURNS and play_turn(terminal, watch):
            turns += 1
    game = Record.parse(file.read_text("utf-8")).replay()
    missions = {name: mission_of(game, name) for name in game.names}
    assert len(set(missions.values())) == len(missions)
    for name in PEOPLE:
        assert any(missions[name] in text for text in watch.texts[name])
    for at, texts in watch.texts.items():
        others = [mission for name, mission in missions.items() if name != at]
        assert [text for text in texts if any(one in text for one in others)] == []
