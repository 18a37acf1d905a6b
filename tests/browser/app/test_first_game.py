"""A stranger comes to the start page, presses one button, and plays."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import play
from tests.browser.app.conftest import Visitor


def test_a_stranger_plays_a_first_game(visitor: Visitor, full: bool) -> None:
    person = visitor()
    page = person.play_now()
    assert page.url == f"{person.url}/games/{person.game}"
    rounds = 8 if full else 3
    play(person, until=lambda state: state["round"] > rounds)
    state = person.state()
    assert state["round"] > rounds or state["result"] is not None
    mine = sum(each["owner"] == state["you"] for each in state["position"]["territories"].values())
    expect(person.map.get_by_role("button", name=words.YOURS)).to_have_count(mine)


def test_a_stranger_comes_back_to_the_game(visitor: Visitor) -> None:
    person = visitor()
    person.play_now()
    play(person, until=lambda state: state["round"] == 1)
    before = person.state()
    person.page.reload()
    assert person.wait() is not None
    assert person.state()["decision"] == before["decision"]
