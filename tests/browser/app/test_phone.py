"""The app on a phone: everything is within reach of a thumb, nothing is cut off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.browser.app.clicking import play
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.person import Json, Person
from tests.browser.screen import PHONE, Screen

SMALL = replace(PHONE, width=360, height=740)
LEAST = 24  # CSS pixels: WCAG 2.2, 2.5.8
# Every control that is shown, with its size and place; what is drawn as its label counts as that.
CONTROLS = """() => [...document.querySelectorAll("button, a[href], input, select, [role=tab]")]
    .map((one) => one.closest("label") ?? one)
    .filter((one) => one.checkVisibility() && !one.closest("[inert], [data-badge]"))
    .map((one) => [one.textContent.trim() || one.ariaLabel, one.getBoundingClientRect()])
    .map(([name, { left, right, width, height }]) => ({ name, left, right, width, height }))"""
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


def fits(person: Person) -> None:
    """Nothing is wider than the screen, and no control too small for a finger."""
    page = person.page
    page.get_by_role("button").first.wait_for()
    assert page.evaluate(SIDEWAYS) <= 0
    controls = page.evaluate(CONTROLS)
    assert controls
    small = [each for each in controls if min(each["width"], each["height"]) < LEAST]
    assert small == []


@pytest.mark.parametrize("screen", [PHONE, SMALL])
def test_a_game_by_taps(
    visitor: Visitor, guest: Guest, open_game: OpenGame, screen: Screen, full: bool
) -> None:
    ann = guest("Ann")
    person = visitor(ann, screen)
    person.open_game(open_game(ann, bots=2, options=DEALT).id)
    last = 20 if full else 1
    seen: set[str] = set()
    wanted = {"reinforce", "attack"}  # no attack may be possible in a first round

    def over(state: Json) -> bool:
        if state["phase"] not in seen:
            seen.add(state["phase"])
            fits(person)
        ended = state["round"] > last or state["result"] is not None
        return bool(ended and wanted <= seen)

    play(person, until=over)
    assert wanted <= seen


def test_the_start_page_fits(visitor: Visitor) -> None:
    person = visitor(screen=SMALL)
    person.visit()
    fits(person)
    person.play_now()
    fits(person)
