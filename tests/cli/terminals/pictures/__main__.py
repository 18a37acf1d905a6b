"""Pictures of the terminal in typical moments, on one page: a part of `make screens`.

The bytes that a terminal receives are drawn by an emulator, and its cells by a browser. The page is
build/terminal/index.html. Words behind the command choose moments by parts of their names.
"""

from __future__ import annotations

import html
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.app.built import ROOT
from tests.browser.chromium import chromium_program, started_chromium
from tests.cli.terminals.pictures.drawn import CELL, page_of
from tests.cli.terminals.pictures.hosted import tables_on_a_server
from tests.cli.terminals.pictures.moments import MOMENTS, TerminalMoment
from tests.cli.terminals.screen_terminal import ScreenTerminal

FOLDER = ROOT / "build" / "terminal"
ROW = 18  # pixels
PAGE = """<!doctype html>
<meta charset="utf-8"><title>Terminal</title>
<style>
body {{ font: 15px sans-serif; margin: 24px; background: #888; color: #fff; }}
img {{ border: 1px solid #444; }}
</style>
{sections}
"""


def take(browser: Browser, moment: TerminalMoment) -> Path:
    """The picture of a moment."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        kept = [] if "--watch" in moment.arguments else ["--record", f"{folder}/game.risk"]
        if moment.hosted:
            kept = ["--server", stack.enter_context(tables_on_a_server(Path(folder)))]
        own = {"XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        environment = {**own, **moment.environment}
        with ScreenTerminal([*moment.arguments, *kept], moment.size, environment) as terminal:
            moment.reach(terminal)
            cells = terminal.cells()
    width, height = round(moment.size[0] * CELL) + 1, moment.size[1] * ROW
    file = FOLDER / f"{moment.name.replace(' ', '-')}-{moment.size[0]}x{moment.size[1]}.png"
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        page = context.new_page()
        page.set_content(page_of(cells))
        page.screenshot(path=file)
    return file


def main() -> None:
    """Take the pictures of the moments whose names contain one of the words; of all without any."""
    words = [word.lower() for word in sys.argv[1:]]
    FOLDER.mkdir(parents=True, exist_ok=True)
    sections, missing = [], 0
    with started_chromium(chromium_program(os.environ)) as browser:
        for moment in MOMENTS:
            if words and not any(word in moment.name for word in words):
                continue
            try:
                file = take(browser, moment)
            except AssertionError as error:  # the others are shown nevertheless
                print(f"  {str(error).splitlines()[0]}")
                missing += 1
                continue
            sections.append(f'<h2>{html.escape(moment.name)}</h2><img src="{file.name}">')
    page = FOLDER / "index.html"
    page.write_text(PAGE.format(sections="\n".join(sections)), "utf-8")
    print(page)
    if missing:
        sys.exit(1)


if __name__ == "__main__":
    main()
