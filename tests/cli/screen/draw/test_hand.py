"""The cards, the sets and the objectives as they open over the map."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.cli.screen.at_screen import press, running, screen


def test_objectives_open_with_the_cards_and_tell_the_progress(tmp_path: Path) -> None:
    async def play() -> str:
        async with running(screen(tmp_path, "revised"), (80, 24)) as app:
            return await press(app, "f4")

    text = asyncio.run(play())
    assert "You hold no cards." in text
    assert "Objectives" in text
    assert text.count(" of ") >= 8
    assert "Control 18 territories" in text
    assert "Esc: close" in text


def test_a_card_of_an_own_territory_is_marked(tmp_path: Path) -> None:
    app = screen(tmp_path)
    seat = app.desk.game.seat("red")

    async def play() -> str:
        async with running(app, (80, 24)):
            game = app.desk.game
            own = next(t for t in range(42) if int(game.position.owner[t]) == seat)
            game.position.card[own] = seat
            game.position.hand[seat] = 1
            return await press(app, "f4")

    text = asyncio.run(play())
    assert "1 " in text
    assert "yours" in text
