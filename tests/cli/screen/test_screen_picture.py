"""The picture of docs/first-turn.md is a real screen: it is drawn anew and compared.

After a change that is wanted: RUBICON_UPDATE_PICTURES=1 python -m pytest tests/cli/screen
"""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

from rubicon.cli.screen.app import FullScreen
from rubicon.cli.screen.canvas import DARK
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.options import PlayOptions
from tests.cli.screen.at_screen import asked, press, shown
from tests.cli.screen.svg_picture import picture_of
from tests.cli.test_picture import GAME, UPDATE

PICTURE = Path(__file__).parents[3] / "docs" / "images" / "screen.svg"
TYPED = ("trade best", "deploy rest indonesia", "attack indonesia > siam until rounds 1")


def test_the_picture_is_what_the_screen_shows(tmp_path: Path) -> None:
    shutil.copy(GAME, tmp_path / GAME.name)
    app = FullScreen(open_session(PlayOptions(resume=tmp_path / GAME.name, seed=2)), DARK)

    async def play() -> str:
        async with shown(app, (120, 40)):
            await asked(app)
            for line in TYPED:
                await press(app, *line, "enter")
            app.prompts.leave()
            return picture_of(app.canvas(120, 40))

    svg = asyncio.run(play())
    if os.environ.get(UPDATE):
        PICTURE.write_text(svg, encoding="utf-8")
    assert PICTURE.read_text(encoding="utf-8") == svg, f"if this is wanted, set {UPDATE}=1"
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
