"""Looking on: games of bots and records step by step, with keys for the speed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.cli.screen.app import FullScreen
from rubicon.cli.screen.canvas import DARK
from rubicon.cli.screen.cells import Press
from rubicon.cli.screen.prompts import SPEEDS, Pace
from rubicon.cli.terminal.console import make_output
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.options import PlayOptions
from rubicon.cli.terminal.saves import load_record
from rubicon.cli.terminal.session import ReplaySession
from tests.cli.screen.at_screen import asked, shown, text_of, text_with_chances


def bots(file: Path) -> PlayOptions:
    """Bots alone, on a small board."""
    return PlayOptions(
        watch=True, seed=3, board="skerries", seats="greedy,greedy,random", record=file
    )


def watched(app: FullScreen) -> tuple[str, str, str]:
    """The screen while the game is paused, at full speed, and at its end."""

    async def play() -> tuple[str, str, str]:
        async with shown(app, (80, 24)):
            app.press(Press("space", " "))
            paused = text_of(app)
            for _ in SPEEDS:
                app.press(Press("plus", "+"))
            fast = text_of(app)
            app.press(Press("space", " "))
            await asked(app)
            return paused, fast, text_with_chances(app)

    return asyncio.run(play())


def test_bots_are_watched_on_the_screen_and_their_record_again(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    session = open_session(bots(file))
    paused, fast, end = watched(FullScreen(session, DARK))
    assert "paused" in paused
    assert "Space go on" in paused
    assert "paused" in fast
    assert "rounds were played" in end
    assert "play again" not in end
    assert "most 100%" in end
    session.save()
    played = load_record(file, salvage=False).replay()
    replay = ReplaySession.of(played, make_output(plain=False))
    assert watched(FullScreen(replay, DARK))[2] == end
    assert str(replay.game) == str(played)


def test_a_record_is_told_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.risk"
    session = open_session(bots(file))
    session.advance()
    session.save()
    capsys.readouterr()
    assert main(["replay", str(file), "--watch", "--plain"]) == 0
    told = capsys.readouterr().out
    assert "round 1: " in told
    assert "rounds were played" in told


def test_the_speed_has_limits_and_a_delay_of_its_own() -> None:
    pace = Pace(0.3)
    assert pace.seconds == 0.3
    for _ in range(20):
        assert pace.press("-")
    assert pace.seconds == SPEEDS[0]
    for _ in range(20):
        assert pace.press("+")
    assert pace.words == "as fast as possible"
    assert not pace.press("x")
    pace.wait()
