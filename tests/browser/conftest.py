"""Pages in a real browser: `page`, or `new_page` for more than one, on a `screen`.

    @pytest.mark.parametrize("screen", [DESKTOP, PHONE])
    def test_the_board_is_shown(page: Page) -> None: …

A test fails by any fault in its pages that it did not name with `faults.expect`.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.browser.chromium import chromium_program, started_chromium
from tests.browser.faults import Faults
from tests.browser.screen import DESKTOP, Screen
from tests.waiting import SOON

LATEST = 2 * SOON * 1000  # milliseconds for what a page is to show
CONTEXTS = pytest.StashKey[list[BrowserContext]]()
TO_DESCRIBE = 5000  # milliseconds, for a page that may hang


class NewPage(Protocol):
    """Opens a page in a context (cookies, storage) of its own."""

    def __call__(self, screen: Screen = DESKTOP, **options: Any) -> Page:
        """A page; options are those of `Browser.new_context`."""


# Not for the whole session: while Playwright runs, other tests here could not use asyncio.run().
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for the browser tests of a worker."""
    expect.set_options(timeout=LATEST)
    with started_chromium(chromium_program(os.environ)) as browser:
        yield browser


@pytest.fixture
def faults() -> Iterator[Faults]:
    """The faults of the test's pages."""
    faults = Faults()
    yield faults
    faults.check()


@pytest.fixture
def new_page(browser: Browser, faults: Faults, request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """Opens pages, each in a fresh context."""
    contexts: list[BrowserContext] = []
    request.node.stash[CONTEXTS] = contexts

    def open_page(screen: Screen = DESKTOP, **options: Any) -> Page:
        context = browser.new_context(**screen.options() | options)
        contexts.append(context)
        context.set_default_timeout(LATEST)
        faults.watch(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test says what its pages showed."""
    report = yield
    if report.failed and call.when == "call":
        pages = [page for context in item.stash.get(CONTEXTS, []) for page in context.pages]
        report.sections += [(f"page {page.url}", described(page)) for page in pages]
    return report


def described(page: Page) -> str:
    """What a screen reader would find on a page."""
    try:
        return page.locator("body").aria_snapshot(timeout=TO_DESCRIBE)
    except Error as error:
        return f"no description: {error}"


@pytest.fixture
def screen() -> Screen:
    """The screen of `page`: parametrize it to choose others."""
    return DESKTOP


@pytest.fixture
def page(new_page: NewPage, screen: Screen) -> Page:
    """A page in a fresh context."""
    return new_page(screen)
