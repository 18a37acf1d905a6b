"""A game of days: a whole turn is written as a text, in the panel or on the order sheet."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.app import words
from tests.browser.app.clicking import borders, fronts, play, play_together, territories
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.person import Json, Person
from tests.browser.faults import Faults
from tests.waiting import until

DAYS = {"clock": "days"}
TURNS_IN_FULL = 12


def begun(state: Json) -> bool:
    """Whether the set-up is over."""
    return bool(state["phase"] == "reinforce")


@pytest.mark.full  # the set-up of several people by clicks takes long
def test_a_turn_is_one_text(visitor: Visitor, guest: Guest, open_game: OpenGame) -> None:
    ann, bob = guest("Ann"), guest("Bob")
    game = open_game(ann, bob, bots=1, options=DEALT, settings=DAYS).id
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


@pytest.mark.full
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


@pytest.fixture
def sheet(visitor: Visitor, guest: Guest, open_game: OpenGame) -> Person:
    """Somebody at the order sheet of a game of days against two bots."""
    ann = guest("Ann")
    person = visitor(ann)
    person.game = open_game(ann, bots=2, options=DEALT, settings=DAYS).id
    person.visit(f"/games/{person.game}/orders")
    return person


def text_of(person: Person) -> Locator:
    """The field for the orders."""
    return person.page.get_by_role("textbox", name=words.ORDERS)


def send(person: Person, text: str) -> None:
    """Write orders once they are wanted, send them, and wait until they are carried out."""
    expect(person.page).to_have_title(words.YOUR_TURN)
    text_of(person).fill(text)
    person.press(words.SEND)
    expect(person.button(words.WRITE_ON)).to_be_visible()
    person.press(words.WRITE_ON)


def turn_text(person: Person) -> str:
    """A turn that places all armies at the weakest enemy, and attacks it."""
    lead = fronts(person)
    source = max(lead, key=lambda place: lead[place])
    held = territories(person)
    board = person.state()["position"]["board"]["name"]
    beside = [set(pair) - {source} for pair in borders(person, board) if source in pair]
    enemies = [name for (name,) in beside if held[name]["owner"] != held[source]["owner"]]
    target = min(enemies, key=lambda name: held[name]["armies"])
    return f"TRADE BEST\nDEPLOY ALL {source}\nATTACK {source} -> {target} ADVANCE ALL\nEND"


def test_a_game_is_played_by_the_order_sheet_alone(sheet: Person, full: bool) -> None:
    sheet.page.get_by_label(words.DEFEND_EVERYWHERE).select_option("max")
    expect(sheet.page).to_have_title(words.YOUR_TURN)
    until(lambda: sheet.state()["position"]["seats"][0]["standing"] == "max")
    while not begun(sheet.state()):
        send(sheet, f"DEPLOY ALL {next(iter(fronts(sheet)))}")
        expect(sheet.page).to_have_title(words.YOUR_TURN)
    last = TURNS_IN_FULL if full else 2
    while (state := sheet.state())["round"] <= last and state["result"] is None:
        send(sheet, turn_text(sheet))
        if not its_turn_or_over(sheet):
            break
    state = sheet.state()
    assert state["round"] > last or state["result"] is not None


def its_turn_or_over(sheet: Person) -> bool:
    """Wait for the next own turn; False where the game ended first."""
    while not words.YOUR_TURN.match(sheet.page.title()):
        if sheet.state()["result"] is not None:
            return False
        sheet.page.wait_for_timeout(50)  # a bot plays
    return True


def test_the_sheet_explains_completes_and_corrects(sheet: Person, faults: Faults) -> None:
    faults.expect("400")  # texts with a mistake
    expect(sheet.page).to_have_title(words.YOUR_TURN)
    place = next(iter(fronts(sheet)))
    field = text_of(sheet)
    field.fill("DEPL")
    expect(sheet.page.get_by_role("list", name=words.NEXT_BY_TAB)).to_be_visible()
    field.press("Tab")
    assert field.input_value().upper().startswith("DEPLOY")
    field.fill(f"DEPLOY 1 {place}\nDEPLOY 3 atlantis")
    problem = sheet.button(re.compile("^Line 2, column 10"))
    expect(problem).to_be_visible()
    sheet.press(words.TAKE_CORRECTED)
    expect(sheet.page.get_by_role("heading", name=words.IN_WORDS)).to_be_visible()
    assert f"DEPLOY 1 {place}" in field.input_value()
    expect(sheet.map.locator(".placed, .plus").first).to_contain_text("+1")


def test_a_tap_on_the_map_is_a_line(sheet: Person) -> None:
    expect(sheet.page).to_have_title(words.YOUR_TURN)
    place = next(iter(fronts(sheet)))
    sheet.tap(place)
    expect(text_of(sheet)).to_have_value(f"DEPLOY 1 {place}\nEND")


def test_an_absence_is_announced_and_ended(sheet: Person) -> None:
    sheet.page.get_by_text(words.ANNOUNCE_ABSENCE).click()
    sheet.page.get_by_role("button", name=words.ANNOUNCE, exact=True).click()
    sheet.press(words.BACK)
    expect(sheet.page.get_by_text(words.ANNOUNCE_ABSENCE)).to_be_visible()
