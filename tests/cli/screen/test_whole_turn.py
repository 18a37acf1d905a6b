"""What the function keys open: a whole turn, the preview of a line, borders, a standing order."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.cli.screen.at_screen import press, running, screen


def test_a_whole_turn_is_looked_ahead_and_carried_out(tmp_path: Path) -> None:
    async def play() -> tuple[str, str, str, int]:
        async with running(screen(tmp_path)) as app:
            round_number = int(app.desk.view.round_number)
            await press(app, "f9", *"deploy 4 icel", "enter")
            wrong = await press(app, *"attack iceland > peru", "enter")
            await press(app, "backspace")
            ready = await press(app, *"end", "enter")
            done = await press(app, "enter")
            return wrong, ready, done, int(app.desk.view.round_number) - round_number

    wrong, ready, done, rounds = asyncio.run(play())
    assert "2 attack iceland > peru" in wrong
    assert "do not border" in wrong or "border" in wrong
    assert "1 deploy 4 icel" in ready
    assert "peru" not in ready
    assert "looked ahead" not in done
    assert rounds == 1


def test_a_preview_keeps_the_line(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        async with running(screen(tmp_path)) as app:
            await press(app, "enter")
            line = app.desk.proposal().lower()
            return await press(app, *line, "f8"), app.desk.line.text

    shown, line = asyncio.run(play())
    assert "%" in shown
    assert line.startswith("attack ")


def test_borders_stand_in_place_of_the_map_and_go_again(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        async with running(screen(tmp_path), (80, 24)) as app:
            return await press(app, "f2"), await press(app, "f2")

    borders, world = asyncio.run(play())
    assert "enemy over the border" in borders
    assert "enemy over the border" not in world


def test_a_key_begins_the_standing_order(tmp_path: Path) -> None:
    async def play() -> str:
        async with running(screen(tmp_path)) as app:
            return await press(app, "f7", *"max", "enter")

    assert "From now on as many dice as possible" in asyncio.run(play())


def test_codes_of_the_map_are_typed_and_shortened_verbs_completed(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        async with running(screen(tmp_path), (80, 24)) as app:
            code = await press(app, *"dep 1 NAf")
            await press(app, "escape", *"dep 4 icel", "tab")
            return code, app.desk.line.text

    code, completed = asyncio.run(play())
    assert "= DEPLOY 1 north_africa" in code
    assert completed.startswith("dep 4 iceland")


def test_the_set_track_and_the_last_dice_are_shown(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        async with running(screen(tmp_path)) as app:
            first = await press(app, "enter")
            return first, await press(app, " ")

    first, rolled = asyncio.run(play())
    assert "Sets  4  6 8 10" in first
    assert "−" in rolled
