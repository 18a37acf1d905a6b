"""The chances of a finished game are computed beside the screen; where that fails, it stays."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from rubicon.cli.play import end
from rubicon.cli.screen import ending
from rubicon.cli.screen.ending import NOT_KNOWN, CurveWork
from rubicon.cli.terminal import summary as module
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.options import CHOOSE, PlayOptions
from rubicon.cli.terminal.summary import NO_TURN, WinCurve, win_curve
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.cli.screen.at_screen import LONGEST, asked, press, screen, shown, text_with_chances
from tests.players.review.reviewed_game import finished_game
from tests.waiting import until


def at_end(folder: Path) -> str:
    """The screen of a game of bots when it is over, and the work too."""

    async def play() -> str:
        app = screen(folder, seats="greedy,random,random", watch=True, board="skerries")
        app.prompts.pace.wait = lambda: None  # type: ignore[method-assign]
        async with shown(app, (80, 24)):
            await asked(app)
            return text_with_chances(app)

    return asyncio.run(play())


def test_the_work_says_how_far_it_is_and_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_go_on = threading.Event()

    def slow(game: Game, progress: object) -> WinCurve:
        assert callable(progress)
        progress(0.4)
        assert may_go_on.wait(LONGEST)
        return WinCurve((1, 1), ((1.0,) + (0.0,) * (game.size - 1),) * 2)

    monkeypatch.setattr(ending, "win_curve", slow)
    game = Game.new(Ruleset.load("classic"), 3)
    told: list[object] = []
    work = CurveWork(game, lambda: told.append(work.shown))
    assert work.shown == "Being computed: 0%"
    work.start()
    until(lambda: bool(told))
    assert told == ["Being computed: 40%"]
    may_go_on.set()
    work.thread.join(LONGEST)
    assert told[1:] == [WinCurve((1, 1), ((1.0, 0.0, 0.0),) * 2)]


def test_the_screen_of_a_finished_game_has_a_curve_for_each_seat(tmp_path: Path) -> None:
    end = at_end(tmp_path)
    assert end.count("  most ") == 3
    assert "most 100%" in end


def test_a_game_whose_chances_cannot_be_computed_ends_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(game: Game, progress: object) -> WinCurve:
        raise ZeroDivisionError

    monkeypatch.setattr(ending, "win_curve", fail)
    end = at_end(tmp_path)
    assert NOT_KNOWN in end
    assert "rounds were played" in end
    assert "Esc leave" in end


def test_a_game_that_all_but_one_leave_before_its_first_turn_ends_with_a_line(
    tmp_path: Path,
) -> None:
    async def play() -> str:
        app = screen(tmp_path, seats="me:Ann,me:Bob,me:Cid", setup=CHOOSE)
        async with shown(app, (80, 24)):
            await asked(app)
            for _ in range(2):
                await press(app, "enter", *"resign confirm", "enter")
            assert app.prompts.over
            return text_with_chances(app)

    end = asyncio.run(play())
    assert NO_TURN in end
    assert "Esc leave" in end


def test_behind_the_screen_the_same_curve_is_told_and_no_second_one_computed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game, computed = finished_game(), []

    def once(game: Game, progress: object) -> WinCurve:
        computed.append(game)
        return win_curve(game)

    def never(*_: object) -> WinCurve:
        raise AssertionError

    monkeypatch.setattr(ending, "win_curve", once)
    monkeypatch.setattr(module, "win_curve", never)
    session = open_session(PlayOptions(seats="me,greedy,random", setup="quick", seed=3))
    session.game, session.file = game, None
    work = CurveWork(game, lambda: None)
    work.start()
    assert end(session, work) == 0
    assert computed == [game]
    assert capsys.readouterr().out.count("Chance to win: ") == 1


def test_behind_the_screen_chances_that_could_not_be_computed_are_not_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(game: Game, progress: object) -> WinCurve:
        raise ZeroDivisionError

    monkeypatch.setattr(ending, "win_curve", fail)
    work = CurveWork(finished_game(), lambda: None)
    work.start()
    assert work.result() is None


def test_a_game_elsewhere_has_no_chances_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = screen(tmp_path)
    monkeypatch.setattr(type(app.prompts.session), "elsewhere", True)
    app.compute_chances()
    assert app.curve_work is None
