"""A click is one round trip: what the page sees next comes with the answer and with the stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Request, expect

from tests.browser.app import words
from tests.browser.app.clicking import play, play_together, select, territories
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.person import Json, Person
from tests.browser.app.test_battle import best_attack

API = re.compile(r"/api/v1/games/\w+/?([^?]*)")
# The own program gives its link for each roll: the dice would not be fair without it.
OWN_DICE = re.compile(r"^(dice/|transcript)")
QUIET = 1500  # milliseconds in which whatever a page asks has been asked


@contextmanager
def requests_of(*people: Person) -> Iterator[list[str]]:
    """What the pages ask the API for a game meanwhile, but for the parts in the dice."""
    asked: list[str] = []

    def note(request: Request) -> None:
        found = API.search(request.url)
        if found is not None and not OWN_DICE.match(found[1]):
            asked.append(f"{request.method} {found[1]}")

    for person in people:
        person.page.on("request", note)
    yield asked
    for person in people:
        person.settle()
        person.page.wait_for_timeout(QUIET)
        person.page.remove_listener("request", note)


def attack_shown(person: Person, legal: Json | None) -> None:
    """Select the best attack, and wait until the page shows its odds."""
    source, target = best_attack(legal, territories(person))
    select(person, source, target)
    expect(person.button(words.ROLL_ONCE)).to_be_enabled()
    person.page.wait_for_timeout(QUIET)


def test_an_attack_against_bots_is_one_request(visitor: Visitor) -> None:
    person = visitor()
    person.play_now()
    play(person, until=lambda state: state["phase"] == "attack")
    before = territories(person)
    attack_shown(person, person.wait())
    with requests_of(person) as asked:
        person.press(words.ROLL_ONCE)
    assert asked == ["POST submit"]
    assert territories(person) != before


def test_an_attack_between_two_browsers_is_one_request(
    visitor: Visitor, guest: Guest, open_game: OpenGame
) -> None:
    accounts = [guest(name) for name in ("Ann", "Bob")]
    game = open_game(*accounts, bots=1, options=DEALT).id
    people = {account.game(game)["you"]: visitor(account) for account in accounts}
    for person in people.values():
        person.open_game(game)
    play_together(
        people, until=lambda state: state["phase"] == "attack" and state["turn"] in people
    )
    mover = people[next(iter(people.values())).state()["turn"]]
    attack_shown(mover, mover.wait())
    with requests_of(*people.values()) as asked:
        mover.press(words.ROLL_ONCE)
    # The other page asks for nothing either.
    assert asked == ["POST submit"]
    held = territories(mover)
    for person in people.values():  # both pages show the position that the server holds
        for name, each in held.items():
            label = re.compile(rf"^{re.escape(person.name(name))}, [^,]+, {each['armies']} arm")
            expect(person.map.get_by_role("button", name=label)).to_be_visible()
