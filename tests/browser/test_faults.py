"""A test fails by what goes wrong in its pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import NewPage
from tests.browser.faults import Faults
from tests.browser.static_site import static_site
from tests.waiting import until

CLEAN = '<!doctype html><title>Page</title><link rel="icon" href="data:,">'


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A site with pages that have faults."""
    scripts = {
        "clean": "console.warn('odd')",
        "error": "throw new Error('broken thing')",
        "rejected": "Promise.reject(new Error('broken promise'))",
        "console": "console.error('something is wrong')",
        "image": "new Image().src = 'https://images.example.org/a.png'",
        "fetch": "fetch('http://192.0.2.1/data').catch(() => 0)",
        "socket": "new WebSocket('wss://live.example.org/')",
        "missing": "new Image().src = '/nowhere.png'",
    }
    pages = {f"/{name}.html": f'{CLEAN}<script src="/{name}.js"></script>' for name in scripts}
    files = {f"/{name}.js": script for name, script in scripts.items()}
    with static_site(pages | files, policy="default-src * data:") as port:
        yield port


def faults_of(browser: Browser, port: int, name: str, wanted: int) -> Faults:
    """What was found in a page, with at least so many faults."""
    faults = Faults()
    with browser.new_context() as context:
        faults.watch(context)
        page = context.new_page()
        page.goto(f"http://localhost:{port}/{name}.html")
        page.evaluate("fetch('/clean.js').then((answer) => answer.text())")

        def found() -> bool:
            page.evaluate("0")  # lets Playwright hear of what happened
            return len(faults.found) >= wanted

        until(found)
    return faults


def test_a_clean_page_has_no_faults(browser: Browser, port: int) -> None:
    faults = faults_of(browser, port, "clean", 0)
    faults.check()
    assert faults.found == []


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("error", ["page error: broken thing"]),
        ("rejected", ["page error: broken promise"]),
        ("console", ["console error: something is wrong"]),
        ("image", ["request to a foreign host: https://images.example.org", "NAME_NOT_RESOLVED"]),
        ("fetch", ["request to a foreign host: http://192.0.2.1/", "NAME_NOT_RESOLVED"]),
        ("socket", ["request to a foreign host: wss://live.example.org", "NAME_NOT_RESOLVED"]),
        ("missing", [r"console error: .* 404 .*/nowhere.png\)"]),
    ],
)
def test_a_fault_fails_the_test_that_does_not_expect_it(
    browser: Browser, port: int, name: str, wanted: list[str]
) -> None:
    faults = faults_of(browser, port, name, len(wanted))
    with pytest.raises(pytest.fail.Exception, match=f"(?s)faults in the browser:\n.*{wanted[0]}"):
        faults.check()
    for pattern in wanted:
        faults.expect(pattern)
    faults.check()
    assert len(faults.found) == len(wanted)


def test_the_pages_of_a_test_are_watched(new_page: NewPage, faults: Faults, port: int) -> None:
    for name in ("error", "console"):
        new_page().goto(f"http://localhost:{port}/{name}.html")
    faults.expect("page error: broken thing")
    faults.expect("console error: something is wrong")
    assert [fault.partition(" (")[0] for fault in faults.found] == faults.expected


def test_a_fault_that_is_expected_must_come(browser: Browser, port: int) -> None:
    faults = faults_of(browser, port, "clean", 0)
    faults.expect("broken")
    with pytest.raises(pytest.fail.Exception, match="expected, but did not come: broken"):
        faults.check()


def test_a_page_that_crashes(browser: Browser) -> None:
    faults = Faults()
    with browser.new_context() as context:
        faults.watch(context)
        page = context.new_page()
        with page.expect_event("crash"):
            context.new_cdp_session(page).send("Page.navigate", {"url": "chrome://crash"})
    assert [fault.partition(":")[0] for fault in faults.found] == ["the page crashed"]
