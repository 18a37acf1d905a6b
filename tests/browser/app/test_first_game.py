"""A stranger comes to the start page, presses one button, plays, and comes back."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import play
from tests.browser.app.conftest import Visitor


def test_a_stranger_plays_a_first_game(visitor: Visitor, full: bool) -> None:
    person = visitor()
    page = person.play_now()
    assert page.url == f"{person.url}/games/{person.game}"
    play(person, until=lambda state: state["round"] == 1)
    before = person.state()
    page.reload()
    assert person.wait() is not None
    assert person.state()["decision"] == before["decision"]
    last = 8 if full else 2
    play(person, until=lambda state: state["round"] > last or state["result"] is not None)
    state = person.state()
    mine = sum(each["owner"] == state["you"] for each in state["position"]["territories"].values())
    expect(person.map.get_by_role("button", name=words.YOURS)).to_have_count(mine)
