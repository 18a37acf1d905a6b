"""The picture of docs/playing.md is a real game: it is drawn anew and compared.

After a change that is wanted: RUBICON_UPDATE_PICTURES=1 python -m pytest tests/cli/test_picture.py
"""

from __future__ import annotations

import io
import os
import re
import shutil
from pathlib import Path

import pytest
from rich._export_format import CONSOLE_SVG_FORMAT

from rubicon.cli.play import play_at_keyboard
from rubicon.cli.terminal.console import STRONG, UNICODE, WIDTH, Output, TerminalConsole
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.options import PlayOptions

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "terminal.svg"
GAME = Path(__file__).parent / "picture.risk"  # saved at the beginning of red's fourth turn
UPDATE = "RUBICON_UPDATE_PICTURES"
TYPED = (
    "trade best; ukraine 4; deploy rest indonesia",
    "att indonesia > siam > india until left 3",
    "5",
    "att ukraine > scandinavia",
)
SHOWN_FROM = 1  # the board is drawn again after the first line: the picture begins there
# The fonts of rich's format come from a web site; a picture in the documentation loads nothing.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*|<!--.*?-->", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)


class ShownKeyboard:
    """A keyboard whose prompts and lines are part of the picture; it ends with the lines."""

    interactive = False
    draft = ""

    def __init__(self, output: Output, lines: tuple[str, ...]) -> None:
        self.output = output
        self.lines = list(lines)

    def read(self, prompt: str) -> str:
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        if len(self.lines) == len(TYPED) - SHOWN_FROM:
            self.output.console.export_text(clear=True)
        self.output.line(prompt, (line, STRONG))
        return line


def drawn(lines: tuple[str, ...], folder: Path, patch: pytest.MonkeyPatch) -> str:
    """The picture of the saved game, continued with these lines."""
    copy = folder / GAME.name
    shutil.copy(GAME, copy)
    session = open_session(PlayOptions(resume=copy, seed=2))
    console = TerminalConsole(
        file=io.StringIO(),
        record=True,
        width=WIDTH + 1,
        force_terminal=True,
        color_system="truecolor",
    )
    session.output = Output(console, UNICODE)
    keyboard = ShownKeyboard(session.output, lines)
    patch.setattr("rubicon.cli.terminal.console.open_keyboard", lambda words: keyboard)
    patch.setattr("rubicon.cli.play.stop", lambda session, code: code)
    play_at_keyboard(session)
    svg = console.export_svg(title="rubicon play", code_format=FORMAT, unique_id="terminal")
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def test_the_picture_is_what_the_game_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    svg = drawn(TYPED, tmp_path, monkeypatch)
    if os.environ.get(UPDATE):
        PICTURE.write_text(svg, encoding="utf-8")
    assert PICTURE.read_text(encoding="utf-8") == svg, f"if this is wanted, set {UPDATE}=1"
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
