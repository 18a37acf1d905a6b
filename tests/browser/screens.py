"""Pictures of every screen of the app, on one page: `make screens`.

Each is taken at 1440 and at 390 pixels, light and dark, from real games in typical moments. The
page is build/screens/index.html. Words behind the command choose moments by parts of their names:
`make screens ARGS=attack`.
"""

from __future__ import annotations

import html
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.app.built import ROOT, built_app
from tests.browser.app.moments import MOMENTS, Moment
from tests.browser.app.person import Person
from tests.browser.chromium import chromium_program, started_chromium
from tests.browser.faults import Faults
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.web.conftest import ServerProcess, start, stop

FOLDER = ROOT / "build" / "screens"
CALM_DESKTOP = replace(DESKTOP, reduced_motion=True)
CALM_PHONE = replace(PHONE, reduced_motion=True)
QUIET = 500  # milliseconds without a request, until the page has what it asked for
LATEST = 60_000  # milliseconds
PAGE = """<!doctype html>
<meta charset="utf-8"><title>Screens</title>
<style>
body {{ font: 15px sans-serif; margin: 24px; background: #888; color: #fff; }}
section {{ display: flex; gap: 12px; align-items: flex-start; overflow-x: auto; }}
img {{ height: 480px; border: 1px solid #444; }}
</style>
{sections}
"""


@contextmanager
def running_server() -> Iterator[ServerProcess]:
    """A server with a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        server = start(Path(folder))
        try:
            yield server
        finally:
            stop(server)


def take(browser: Browser, server: ServerProcess, moment: Moment) -> list[Path]:
    """The pictures of a moment: it is reached once, and shown in four ways."""
    files, faults = [], Faults()
    with server.client("Ann") as ann, browser.new_context(**CALM_DESKTOP.options()) as context:
        context.set_default_timeout(LATEST)
        context.add_cookies([{"name": "rubicon", "value": ann.token, "url": server.url}])
        faults.watch(context)
        person = Person(context.new_page(), server.url)
        moment.reach(person, ann)
        files += [picture(person.page, moment, CALM_DESKTOP, dark) for dark in (False, True)]
        person.page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
        files += [picture(person.page, moment, CALM_PHONE, dark) for dark in (False, True)]
    for fault in faults.found:
        print(f"  {moment.name}: {fault}")
    return files


def picture(page: Page, moment: Moment, screen: Screen, dark: bool) -> Path:
    """One picture of what a page shows now."""
    page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    settle(page)
    name = moment.name.lower().replace(" ", "-")
    file = FOLDER / f"{name}-{screen.width}-{'dark' if dark else 'light'}.png"
    page.screenshot(path=file)
    return file


def settle(page: Page) -> None:
    """Wait until the page has its fonts, and has drawn what it has."""
    page.evaluate("document.fonts.ready.then(() => 0)")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_timeout(QUIET)


def write_page(taken: dict[str, list[Path]]) -> Path:
    """The page with all pictures."""
    sections = [
        f"<h2>{html.escape(name)}</h2><section>"
        + "".join(f'<a href="{file.name}"><img src="{file.name}"></a>' for file in files)
        + "</section>"
        for name, files in taken.items()
    ]
    page = FOLDER / "index.html"
    page.write_text(PAGE.format(sections="\n".join(sections)), "utf-8")
    return page


def main() -> None:
    """Take the pictures of the moments whose names contain one of the words; of all without any."""
    words = [word.lower() for word in sys.argv[1:]]
    chosen = [
        each for each in MOMENTS if not words or any(word in each.name.lower() for word in words)
    ]
    FOLDER.mkdir(parents=True, exist_ok=True)
    built_app()
    expect.set_options(timeout=LATEST)
    with running_server() as server, started_chromium(chromium_program(os.environ)) as browser:
        taken = {}
        for moment in chosen:
            try:
                taken[moment.name] = take(browser, server, moment)
            except (Error, AssertionError) as error:  # the others are shown nevertheless
                print(f"  {moment.name}: not reached: {str(error).splitlines()[0]}")
    print(write_page(taken))
    if len(taken) < len(chosen):
        sys.exit(1)


if __name__ == "__main__":
    main()
