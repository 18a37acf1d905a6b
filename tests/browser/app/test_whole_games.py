"""Games on the small board, to the end, by clicks alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import play
from tests.browser.app.conftest import Guest, OpenGame, Visitor
from tests.conftest import FULL

PRESETS = ["classic", "revised"]
MORE = ["basic", "secret-mission", "capital", "two-player", "digest"] if FULL else []


@pytest.mark.parametrize("preset", [*PRESETS, *MORE])
def test_a_game_is_played_to_its_end(
    visitor: Visitor, guest: Guest, open_game: OpenGame, preset: str
) -> None:
    ann = guest("Ann")
    person = visitor(ann)
    game = open_game(ann, bots=1 if preset == "two-player" else 2, bot="random", ruleset=preset).id
    person.open_game(game)
    taken = play(person)
    state = person.state()
    assert state["result"] is not None
    assert taken > 5
    expect(person.page.get_by_role("heading", name=words.WINS)).to_be_visible()
    decided = [
        event
        for line in ann.past_events(game)
        if line["kind"] == "events"
        for event in line["body"]
        if event["event"] == "decided" and event.get("seat") == state["you"]
    ]
    assert len(decided) >= taken  # an attack to the end is one click and many decisions
