"""The review of a finished game: chances, deciding moments, decisions against dice."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.conftest import Guest, OpenGame, Visitor
from tests.browser.app.test_accessibility import BOTH_SCREENS, findings
from tests.browser.screen import Screen
from tests.web.api.test_api import play

MADE = 240_000  # milliseconds until a review is made, on a busy machine


@BOTH_SCREENS
def test_the_review_tells_what_decided_the_game(
    visitor: Visitor, guest: Guest, open_game: OpenGame, screen: Screen
) -> None:
    ann = guest("Ann")
    game = open_game(ann, bots=2).id
    play(ann, game)
    person = visitor(ann, screen)
    page = person.visit(f"/games/{game}/review")
    expect(page.get_by_role("heading", name=words.DECISIONS)).to_be_visible(timeout=MADE)
    expect(page.get_by_role("radio", name=words.CHANCES)).to_be_checked()
    decided = page.locator("section").filter(has=page.get_by_role("heading", name=words.DECIDED))
    moments = decided.get_by_role("button")
    expect(moments.first).to_be_visible()
    assert moments.count() <= 5
    moments.last.click()
    expect(moments.last).to_have_attribute("aria-current", "true")
    assert findings(page) == []
