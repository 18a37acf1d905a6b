"""Several people use one browser: what one of them leaves behind is not for the next one."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.conftest import Guest, OpenGame, Visitor
from tests.browser.app.person import Person
from tests.browser.faults import Faults

PLAN = "END TURN # then I take the south"


def test_the_next_person_sees_no_plan_and_no_hand_of_the_last_one(
    visitor: Visitor, guest: Guest, open_game: OpenGame, faults: Faults
) -> None:
    faults.expect("404")  # the other tab asks for a game that nobody else may see
    ann, ben = guest("Ann"), guest("Ben")
    game = open_game(ann, ben, bots=1).id
    person = visitor(ann)
    at_game = Person(person.page.context.new_page(), person.url)
    own = at_game.open_game(game).get_by_role("list", name=words.SEATS).get_by_text("you")
    expect(own).to_be_visible()
    sheet = person.page.get_by_role("textbox", name=words.ORDERS)
    person.visit(f"/games/{game}/orders")
    sheet.fill(PLAN)
    person.visit("/account")
    person.press(words.SIGN_OUT)
    person.page.get_by_role("button", name=words.SIGN_OUT).last.click()
    expect(person.page.get_by_role("button", name=words.SIGN_OUT)).to_have_count(0)
    expect(own).to_have_count(0)  # another tab is loaded anew
    person.page.context.add_cookies([{"name": "rubicon", "value": ben.token, "url": person.url}])
    person.visit(f"/games/{game}/orders")
    expect(sheet).to_have_value("")
    assert PLAN not in person.page.evaluate("JSON.stringify(localStorage)")
