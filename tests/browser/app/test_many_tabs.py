"""One account at several places: seven tabs of a game, and two devices."""

from __future__ import annotations

from functools import partial

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import can_fortify, decide, play
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.person import Person
from tests.waiting import until

TABS = 7  # more than the six connections that a browser opens to one server


def test_seven_tabs_of_one_game(visitor: Visitor, guest: Guest, open_game: OpenGame) -> None:
    ann = guest("Ann")
    first = visitor(ann)
    game = open_game(ann, bots=2, options=DEALT).id
    context = first.page.context
    tabs = [first, *(Person(context.new_page(), first.url) for _ in range(TABS - 1))]
    for tab in tabs:
        tab.open_game(game)
    play(first, until=lambda state: state["phase"] == "attack" and can_fortify(first))
    for tab in tabs:
        expect(tab.button(words.END_ATTACK)).to_be_enabled()
    tabs[-1].press(words.END_ATTACK)
    for tab in tabs:
        expect(tab.button(words.END_TURN)).to_be_enabled()


def same_title(one: Person, other: Person) -> bool:
    """Whether two pages tell the same in their titles."""
    return one.page.title() == other.page.title()


def test_two_devices_of_one_account(
    visitor: Visitor, guest: Guest, open_game: OpenGame, full: bool
) -> None:
    ann = guest("Ann")
    devices = [visitor(ann), visitor(ann)]
    game = open_game(ann, bots=2, options=DEALT).id
    for device in devices:
        device.open_game(game)
    for step in range(60 if full else 12):  # now here, now there
        here, there = devices[step % 2], devices[1 - step % 2]
        legal = here.wait()
        if legal is None:
            break
        decide(here, legal)
        here.settle()
        # Both may change once more: a page tells its title a moment after it is known.
        until(partial(same_title, here, there))
    one, other = (device.wait() for device in devices)
    assert one == other
