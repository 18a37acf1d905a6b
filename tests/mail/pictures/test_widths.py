"""Every e-mail fits a phone, and is dark where the mail program is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser

from tests.browser.chromium import chromium_program, started_chromium
from tests.mail.pictures.emails import emails
from tests.mail.pictures.shown import html_of

PHONE = 360
LIGHT, DARK = 200, 60  # of 255
LUMINANCE = """() => {
  const colour = getComputedStyle(document.querySelector("body > *")).backgroundColor;
  const [red, green, blue] = colour.match(/[0-9.]+/g).map(Number);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}"""


def test_every_email_fits_a_phone_and_is_dark_in_the_dark(tmp_path: Path) -> None:
    program = chromium_program(os.environ)
    pages = {name: html_of(message) for name, message in emails(tmp_path).items()}
    assert len(pages) > 12
    with started_chromium(program) as browser:
        for name, page in pages.items():
            width, light = seen(browser, page, "light")
            assert width <= PHONE, name
            assert light > LIGHT, name
            assert seen(browser, page, "dark")[1] < DARK, name


def seen(browser: Browser, html: str, scheme: Literal["light", "dark"]) -> tuple[int, float]:
    """How wide an e-mail is on a phone, and how light its ground (0 to 255)."""
    size = {"width": PHONE, "height": 640}
    with browser.new_context(viewport=size, color_scheme=scheme) as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.set_content(html)
        width = page.evaluate("document.documentElement.scrollWidth")
        return int(width), float(page.evaluate(LUMINANCE))
