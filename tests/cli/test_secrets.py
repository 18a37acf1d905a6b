"""Secrets of other players are never printed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from rich.text import Text

from rubicon.cli.terminal import session as sessions
from rubicon.cli.terminal import status
from rubicon.cli.terminal.session import Session
from rubicon.rules.events import Event
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.cli.bot_keyboard import BotKeyboard, LeavesAtLeak, play_through

ALONE, TOGETHER = "me,greedy,greedy", "me:Ann,me:Bob,greedy"


@cache
def played(preset: str, seats: str) -> tuple[Session, BotKeyboard, str]:
    """A whole game with many looks at hand and log; several tests share it."""
    with pytest.MonkeyPatch.context() as patch:
        return play_through(patch, preset, seats, curious=True)


# Alone, what two presets share is looked at in one of them.
@pytest.mark.parametrize(
    ("preset", "seats"),
    [
        ("secret-mission", ALONE),
        ("revised", ALONE),
        *((preset, TOGETHER) for preset in ("classic", "secret-mission", "revised", "capital")),
        pytest.param("classic", ALONE, marks=pytest.mark.full),
        pytest.param("capital", ALONE, marks=pytest.mark.full),
    ],
)
def test_nothing_hidden_is_printed(preset: str, seats: str) -> None:
    session, keyboard, printed = played(preset, seats)
    assert keyboard.leaks == []
    named = re.findall(r"(\w+) draws (?!a card)", printed)
    assert named  # so that there was something to hide
    assert set(named) <= set(session.people)
    if preset == "secret-mission":
        assert "your mission:" in printed


# What would make that test fail: each leaves one name where it should not be.


def tell_everything(event: Event, viewer: str | None, ruleset: Ruleset) -> Event | None:
    """Every event, secrets included."""
    return event


def others_card(game: Game, view: Any, seat: int) -> list[str]:
    """The hand, and one card of another player."""
    theirs = [n for c, n in enumerate(game.cards) if 0 <= game.position.card[c] != seat < 6]
    return [*status.hand_lines(game, view, seat), *theirs[:1]]


def others_mission(game: Game, view: Any, seat: int | None, marks: Any) -> list[Text]:
    """The turn, and the mission of the last seat."""
    mission = int(game.position.mission[game.size - 1])
    text = game.ruleset.board.missions[mission].text if mission >= 0 else ""
    return [*status.turn_lines(game, view, seat, marks), Text(text)]


def everybodys_log(session: Session, colour: str) -> list[str]:
    """What all have been told."""
    return [line for log in session.logs.values() for line in log]


def leave_it(session: Session, keyboard: object) -> None:
    """Wipe nothing away."""


IN_SIGHT: list[tuple[object, str, Callable[..., Any]]] = [
    (sessions, "seen_by", tell_everything),
    (sessions, "hand_lines", others_card),
    (sessions, "turn_lines", others_mission),
]
BETWEEN_PEOPLE: list[tuple[object, str, Callable[..., Any]]] = [
    (Session, "log_of", everybodys_log),
    (Session, "clear", leave_it),
]


@pytest.mark.parametrize(
    ("seats", "where", "name", "careless"),
    [
        *((ALONE, *way) for way in IN_SIGHT),
        *((TOGETHER, *way) for way in IN_SIGHT + BETWEEN_PEOPLE),
    ],
)
def test_a_leak_would_be_seen(
    seats: str,
    where: object,
    name: str,
    careless: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(where, name, careless)
    if name == "hand_lines":
        monkeypatch.setattr("rubicon.cli.terminal.commands.hand_lines", careless)
    _, keyboard, _ = play_through(
        monkeypatch, "secret-mission", seats, curious=True, kind=LeavesAtLeak
    )
    assert keyboard.leaks


def test_between_people_the_keyboard_is_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    _, keyboard, printed = play_through(monkeypatch, "secret-mission", TOGETHER)
    handed = [prompt for prompt in keyboard.prompts if prompt.startswith("Pass the keyboard")]
    assert {re.sub(r".* to (\w+) .*", r"\1", prompt) for prompt in handed} == {"Ann", "Bob"}
    assert any(" defend> " in prompt for prompt in keyboard.prompts)
    hidden = [prompt for prompt in keyboard.prompts if prompt.startswith("Press Enter to hide")]
    assert len(hidden) == printed.count("your mission:")
    for after in printed.split("Press Enter to hide this")[1:]:
        assert "next  holds" in after.partition("> ")[0]  # the board is drawn again


def test_between_people_each_log_is_private() -> None:
    session, _, _ = played("classic", TOGETHER)
    ann, bob = (session.log_of(colour) for colour in session.people)
    drawn = [[line for line in log if " draws " in line] for log in (ann, bob)]
    assert all(drawn)
    for log, colour in ((ann, session.people[1]), (bob, session.people[0])):
        told = [line for line in log if line.startswith(f"{colour} draws ")]
        assert all("a card" in line for line in told)
