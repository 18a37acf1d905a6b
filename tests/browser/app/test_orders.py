"""A game of days: a whole turn is written as a text."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import fronts, play, play_together
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.person import Json
from tests.browser.faults import Faults


def begun(state: Json) -> bool:
    """Whether the set-up is over."""
    return bool(state["phase"] == "reinforce")


def test_a_turn_is_one_text(visitor: Visitor, guest: Guest, open_game: OpenGame) -> None:
    ann, bob = guest("Ann"), guest("Bob")
    game = open_game(ann, bob, bots=1, options=DEALT, settings={"clock": "days"}).id
    people = {account.game(game)["you"]: visitor(account) for account in (ann, bob)}
    for person in people.values():
        person.open_game(game)
    play_together(people, until=lambda state: state["turn"] in people and begun(state))
    colour = next(iter(people.values())).state()["turn"]
    person = people[colour]
    assert person.wait() is not None
    lead = fronts(person)
    best = max(lead, key=lambda place: lead[place])
    person.order(f"DEPLOY ALL {best}; END")
    expect(person.page).not_to_have_title(words.YOUR_TURN)
    state = person.state()
    assert colour not in state["deadlines"]
    assert next(iter(people.values())).state()["round"] >= 1


def test_a_text_with_a_mistake_does_nothing(
    visitor: Visitor, guest: Guest, open_game: OpenGame, faults: Faults
) -> None:
    faults.expect("400")
    ann = guest("Ann")
    person = visitor(ann)
    person.open_game(open_game(ann, bots=2, options=DEALT).id)
    play(person, until=lambda state: state["phase"] == "reinforce")
    before = person.state()["decision"]
    person.order("DEPLOY 3 atlantis; END")
    expect(person.page.get_by_role("alert")).to_contain_text("atlantis")
    assert person.state()["decision"] == before
