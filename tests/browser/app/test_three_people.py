"""Three people in three browsers at one table."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import play_together, territories
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.faults import Faults


def test_three_people_play_at_one_table(
    visitor: Visitor, guest: Guest, open_game: OpenGame, full: bool
) -> None:
    accounts = [guest(name) for name in ("Ann", "Bob", "Cid")]
    game = open_game(*accounts, options=DEALT).id
    people = {account.game(game)["you"]: visitor(account) for account in accounts}
    for person in people.values():
        person.open_game(game)
    last = 20 if full else 1
    moved = play_together(people, until=lambda state: state["round"] > last)
    assert moved == set(people)
    held = {name: each["armies"] for name, each in territories(people["red"]).items()}
    for person in people.values():  # each page shows what the server holds
        for name, armies in held.items():
            beginning = re.escape(person.name(name))
            label = re.compile(rf"^{beginning}, [^,]+, {armies} arm(y|ies)\b")
            expect(person.map.get_by_role("button", name=label)).to_be_visible()


def test_what_one_says_the_others_read(visitor: Visitor, guest: Guest, open_game: OpenGame) -> None:
    ann, bob = guest("Ann"), guest("Bob")
    game = open_game(ann, bob, bots=1).id
    here, there = visitor(ann), visitor(bob)
    for person in (here, there):
        person.open_game(game)
        person.page.get_by_role("tab", name=words.CHAT).click()
    here.page.get_by_role("textbox", name=words.SAY).fill("Shall we share Ireland?")
    here.button(words.SEND).click()
    expect(there.page.get_by_role("listitem").filter(has_text="Shall we share")).to_be_visible()


def test_who_has_the_link_watches_and_can_do_nothing(
    visitor: Visitor, guest: Guest, open_game: OpenGame
) -> None:
    ann = guest("Ann")
    game, invite = open_game(ann, bots=2, options=DEALT)
    watcher = visitor(guest("Wim"))
    watcher.open_game(game, f"?invite={invite}")
    expect(watcher.map.get_by_role("button", name=re.compile(", Peaceful,")).first).to_be_visible()
    for name in (words.UNDO, words.SPREAD, words.END_ATTACK, words.PLACED):
        expect(watcher.button(name)).to_have_count(0)


def test_without_the_link_there_is_no_game(
    visitor: Visitor, guest: Guest, open_game: OpenGame, faults: Faults
) -> None:
    game = open_game(guest("Ann"), bots=2).id
    stranger = visitor(guest("Eve"))
    stranger.visit(f"/games/{game}")
    expect(stranger.page.get_by_role("link", name=words.START_PAGE)).to_be_visible()
    expect(stranger.map).to_have_count(0)
    faults.expect("404")
