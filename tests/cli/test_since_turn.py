"""What the next person at the keyboard is told: public facts since that person's last turn."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rubicon.cli.screen.canvas import DARK
from rubicon.cli.screen.overlays import hand_over
from rubicon.cli.terminal.narration import SinceTurn
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.options import PlayOptions
from rubicon.rules.actions import Resign, Roll
from rubicon.rules.events import Captured, Dealt, Decided, Eliminated, Event, Rolled, TurnBegan
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.cli.screen.at_screen import SIZES, asked, screen, shown, text_of

PLACES = ("alaska", "peru", "brazil", "japan", "china", "india")


def told(reader: str, *events: Event) -> list[str]:
    """The lines for a seat behind these events, in a game of four."""
    game = Game.new(Ruleset.load("classic"), 4, names=("Ann", "Bob", "greedy", "yellow"))
    since = SinceTurn(game)
    for event in events:
        since.add(event)
    return since.lines(reader)


def turn(seat: str) -> TurnBegan:
    return TurnBegan(seat, 1)


def test_a_person_reads_who_took_what_and_who_is_out() -> None:
    assert told(
        "red",
        turn("red"),
        Captured("red", "egypt", "green"),
        turn("blue"),
        Captured("blue", "alaska", "red"),
        Captured("blue", "siam", "green"),
        turn("green"),
        Captured("green", "peru", "red"),
        Captured("green", "brazil", "red"),
        Eliminated("yellow", "green"),
        turn("red"),
    ) == [
        "Since your last turn:",
        "green greedy took Peru and Brazil from you.",
        "blue Bob took Alaska from you.",
        "green greedy has eliminated yellow.",
    ]


def test_many_losses_and_many_facts_stay_a_few_lines() -> None:
    lost = [Captured("blue", place, "red") for place in PLACES]
    assert told("red", turn("red"), turn("blue"), *lost) == [
        "Since your last turn:",
        "blue Bob took Alaska, Peru, Brazil and 3 other territories from you.",
    ]
    many = [Captured("green", "peru", "red"), Captured("yellow", "siam", "red")]
    out = [Eliminated("blue", "green"), Eliminated("yellow", "green")]
    lines = told("red", turn("red"), turn("blue"), *lost, *many, *out)
    assert len(lines) == 5
    assert lines[-1] == "The log has more."


def test_without_a_loss_a_person_reads_that_and_before_the_first_turn_nothing() -> None:
    assert told("red", turn("red"), turn("blue")) == [
        "Since your last turn:",
        "You lost no territory.",
    ]
    assert told("red") == []
    assert told("red", turn("blue"), Captured("blue", "alaska", "green"), turn("red")) == []


def test_a_person_reads_who_has_resigned_and_not_that_it_was_they() -> None:
    resigned = Decided("blue", str(Resign("blue")))
    told_of_it = "blue Bob has resigned."
    assert told("red", turn("red"), turn("blue"), resigned) == [
        "Since your last turn:",
        told_of_it,
        "You lost no territory.",
    ]
    assert told("blue", resigned) == []
    assert told("red", turn("red"), resigned, turn("blue"), turn("red"), turn("blue"))[1:] == [
        "You lost no territory."
    ]


def test_armies_that_fell_are_no_territory() -> None:
    roll = Roll((6, 5, 4), (3, 2))
    fell = Rolled(
        attacker="blue",
        defender="red",
        source="alaska",
        target="kamchatka",
        roll=roll,
        attacker_lost=0,
        defender_lost=2,
    )
    assert told("red", turn("red"), turn("blue"), fell) == [
        "Since your last turn:",
        "You lost no territory.",
    ]


def test_a_real_resignation_is_told(tmp_path: Path) -> None:
    options = PlayOptions(
        seats="me:Ann,me:Bob,greedy", setup="quick", seed=3, record=tmp_path / "game.risk"
    )
    session = open_session(options)
    mover = session.advance()
    assert mover is not None
    session.play(Resign(mover))
    other = next(colour for colour in session.people if colour != mover)
    assert any(line.endswith("has resigned.") for line in session.since_turn.lines(other))


def test_an_own_turn_begins_the_facts_anew() -> None:
    events = (turn("blue"), Captured("blue", "alaska", "red"), turn("red"))
    assert told("red", *events) == ["blue Bob took Alaska from you."]
    assert told("red", *events, turn("blue")) == ["Since your last turn:", "You lost no territory."]


def test_cards_and_missions_are_no_facts() -> None:
    secret = (Dealt("card", "alaska", "red", True), Dealt("mission", "m1", "blue", True))
    assert told("red", *secret) == []


class Sitting:
    """A keyboard whose person sits down at once."""

    interactive = False
    draft = ""
    recalls = True

    def read(self, prompt: str) -> str:
        print(prompt)
        return ""


def test_line_mode_tells_it_before_the_next_person_sits_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = PlayOptions(seats="me:Ann,me:Bob,greedy", seed=3, record=tmp_path / "game.risk")
    session = open_session(options)
    for event in (turn("blue"), turn("red"), Captured("red", "alaska", "blue")):
        session.since_turn.add(event)
    session.hand_over("blue", Sitting())
    printed = capsys.readouterr().out
    told_first = "Since your last turn:\nred Ann took Alaska from you.\n"
    assert told_first + "Pass the keyboard to Bob (blue)" in printed


@pytest.mark.parametrize("size", SIZES)
def test_the_facts_stand_between_the_name_and_the_button(size: tuple[int, int]) -> None:
    facts = ["Since your last turn:", *[f"red took {'Long Name, ' * 5} {n}." for n in range(4)]]
    text = hand_over(*size, DARK, "blue", "Bob", "Ann", facts).text()
    order = ["Pass the keyboard", " B ", "Ann's cards", "Since your", " 0.", " 3.", "Press Enter"]
    assert sorted(order, key=text.index) == order
    assert len(text.splitlines()) <= size[1]


def test_the_full_screen_tells_it(tmp_path: Path) -> None:
    async def look() -> str:
        app = screen(tmp_path, seats="me:Ann,me:Bob,greedy")
        async with shown(app, (80, 24)):
            await asked(app)
            session = app.prompts.session
            taker = next(one for one in session.game.colours if one != session.passing_to)
            session.since_turn.add(Captured(taker, "alaska", session.passing_to))
            text = text_of(app)
            app.prompts.leave()
            return text

    assert "took Alaska from you." in asyncio.run(look())
