"""The server is killed and started again in the middle of a game: the page says so and goes on."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import decide, play
from tests.browser.app.conftest import DEALT, IN_FLIGHT, kill, opened, person_at
from tests.browser.conftest import NewPage
from tests.browser.faults import Faults
from tests.web.conftest import ServerProcess, start


def start_again(servers: list[ServerProcess]) -> None:
    """Start it with the same database and port."""
    port = str(urlsplit(servers[-1].url).port)
    servers.append(start(servers[-1].folder, RUBICON_PORT=port))


def test_the_game_goes_on_where_it_was(
    servers: list[ServerProcess], new_page: NewPage, faults: Faults
) -> None:
    with servers[0].client("Ann") as ann:
        person = person_at(new_page, faults, servers[0].url, ann)
        person.open_game(opened(ann, bots=2, options=DEALT).id)
        play(person, until=lambda state: state["phase"] == "attack")
        before = person.state()
        faults.allow(IN_FLIGHT)
        kill(servers[-1])
        expect(person.page.get_by_role("status").filter(has_text=words.LOST)).to_be_visible()
        start_again(servers)
        expect(person.page.get_by_role("status").filter(has_text=words.LOST)).to_have_count(0)
        assert person.wait() is not None
        after = person.state()
        assert after["position"] == before["position"]
        assert (after["decision"], after["index"]) == (before["decision"], before["index"])
        play(person, until=lambda state: state["round"] > 1)
        assert person.state()["index"] > before["index"]


def test_what_was_sent_meanwhile_is_carried_out_once(
    servers: list[ServerProcess], new_page: NewPage, faults: Faults
) -> None:
    with servers[0].client("Ann") as ann:
        person = person_at(new_page, faults, servers[0].url, ann)
        person.open_game(opened(ann, bots=2, options=DEALT).id)
        play(person, until=lambda state: state["phase"] == "attack")
        before = person.state()["decision"]
        faults.expect(IN_FLIGHT)
        kill(servers[-1])
        person.press(words.END_ATTACK)
        start_again(servers)
        legal = person.wait()
        ended = [
            event
            for line in ann.past_events(person.game)
            if line["kind"] == "events"
            for event in line["body"]
            if event["event"] == "decided" and event["action"] == "end attack"
        ]
        seat = person.state()["you"]
        assert len([event for event in ended if event["seat"] == seat]) == 1
        assert person.state()["decision"] != before
        if legal is not None:
            decide(person, legal)
