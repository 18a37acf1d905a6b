"""A page sees the screen that the test chose, and nothing of another page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NewPage
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.browser.static_site import static_site

PAGE = (
    '<!doctype html><meta name="viewport" content="width=device-width">'
    '<title>Page</title><link rel="icon" href="data:,">'
)
SEEN = """() => [
  innerWidth, innerHeight, ...["(pointer: coarse)", "(prefers-color-scheme: dark)",
  "(prefers-reduced-motion: reduce)"].map((query) => matchMedia(query).matches),
]"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """An empty page."""
    with static_site({"/page.html": PAGE}) as port:
        yield f"http://localhost:{port}/page.html"


@pytest.mark.parametrize(
    ("screen", "seen"),
    [
        (DESKTOP, [1440, 900, False, False, False]),
        (PHONE, [390, 844, True, False, False]),
        (replace(DESKTOP, dark=True), [1440, 900, False, True, False]),
        (replace(PHONE, reduced_motion=True), [390, 844, True, False, True]),
    ],
)
def test_a_page_sees_the_screen(page: Page, url: str, screen: Screen, seen: list[object]) -> None:
    page.goto(url)
    assert page.viewport_size == {"width": screen.width, "height": screen.height}
    assert page.evaluate(SEEN) == seen


def test_each_page_has_a_storage_of_its_own(new_page: NewPage, url: str) -> None:
    red, blue = new_page(), new_page(PHONE)
    red.goto(url)
    blue.goto(url)
    red.evaluate("localStorage.setItem('seat', 'red')")
    assert red.evaluate("localStorage.getItem('seat')") == "red"
    assert blue.evaluate("localStorage.getItem('seat')") is None
