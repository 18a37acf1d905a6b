"""Two people at one full screen: neither ever sees what the other one holds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rubicon.cli.terminal.board import map_name
from rubicon.rules.board.board import Board
from rubicon.rules.game import Game
from rubicon.rules.record import Record
from tests.cli.terminals.screen_terminal import ENTER, ESCAPE, ScreenTerminal
from tests.cli.terminals.test_full_screen import OVER, arguments, is_asked
from tests.conftest import FULL

PEOPLE = ("Ann", "Bob")
SEATS = "me:Ann,me:Bob,greedy"
CARDS = "\x1bOS"  # F4
TURNS = 60 if FULL else 3  # of a person
MOST_KEYS = 40  # of a turn
ATTACKS = 3  # that are tried in a turn: who captures draws a card
HAND = re.compile(r"your cards: ((?:\w+(?: \(\w+\))?(?:, )?)+)")
ROW = re.compile(r"Cards (.*?) (?:your mission|Sets)")  # below the map
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
    attacks = 0
    for _ in range(MOST_KEYS):
        text = terminal.wait_until(waits)
        if OVER in text:
            return False
        if passing(text):
            return True
        attacks += "› attack" in text
        terminal.press("." if "› attack" in text and attacks > ATTACKS else ENTER)
    raise AssertionError(text)


def mission_of(game: Game, name: str) -> str:
    """The words of a player's mission."""
    number = int(game.position.mission[game.names.index(name)])
    return " ".join(game.ruleset.board.missions[number].text.split())


def cards_of(record: Record, name: str) -> set[str]:
    """The cards that a player has held at any time."""
    held: set[str] = set()
    for number in range(len(record.entries) + 1):
        game = record.replay(until=number)
        seat = game.names.index(name)
        held.update(card for n, card in enumerate(game.cards) if game.position.card[n] == seat)
    return held


def cards_shown(texts: set[str], cards: tuple[str, ...]) -> set[str]:
    """The cards that stood behind "your cards", or in the row below the map."""
    lines = [found[1] for text in texts for found in HAND.finditer(text)]
    rows = [found[1] for text in texts for found in ROW.finditer(text)]
    names = [map_name(territory.name) for territory in Board.load("world").territories]
    in_rows = dict(zip(cards, names, strict=False))  # the wild cards have no territory
    return {card for card in cards for line in lines if re.search(rf"\b{card}\b", line)} | {
        card for card, name in in_rows.items() for row in rows if re.search(rf"\b{name} ", row)
    }


@pytest.mark.parametrize("size", [(120, 40), pytest.param((60, 20), marks=pytest.mark.full)])
def test_a_hand_is_on_the_screen_of_its_owner_alone(tmp_path: Path, size: tuple[int, int]) -> None:
    file, watch = tmp_path / "game.risk", Watch()
    asked = arguments("secret-mission", SEATS, file)
    with ScreenTerminal(asked, size, look=watch.look) as terminal:
        turns = 0
        while turns < 2 * TURNS and play_turn(terminal, watch):
            turns += 1
    record = Record.parse(file.read_text("utf-8"))
    game = record.replay()
    missions = {name: mission_of(game, name) for name in game.names}
    assert len(set(missions.values())) == len(missions)
    for name in PEOPLE:
        assert any(missions[name] in text for text in watch.texts[name])
    for at, texts in watch.texts.items():
        others = [mission for name, mission in missions.items() if name != at]
        assert [text for text in texts if any(one in text for one in others)] == []
    drawn = {name: cards_of(record, name) for name in PEOPLE}
    assert any(drawn.values())
    for name in PEOPLE:
        assert cards_shown(watch.texts[name], game.cards) <= drawn[name]
    assert cards_shown(watch.texts[NOBODY], game.cards) == set()
    assert any(cards_shown(watch.texts[name], game.cards) for name in PEOPLE)
