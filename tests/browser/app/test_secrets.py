"""What only another seat may know comes neither into the page nor by the wire."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Request

from rubicon.table.game.game_cache import rebuilt
from rubicon.table.storage.database import Store
from tests.browser.app.clicking import play_together
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.person import Json, Person
from tests.web.api.test_secrets import leaks
from tests.web.conftest import ServerProcess

FEW_ARMIES = {"setup.armies": DEALT["setup.armies"]}
MESSAGE = "Network.eventSourceMessageReceived"
CATALOGUE = "/boards/"  # lists every mission that there is, and says of none whose it is


@dataclass
class Traffic:
    """Everything that a page is sent."""

    person: Person
    requests: list[Request] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        page = self.person.page
        page.on("requestfinished", self.note)
        page.add_init_script("delete window.SharedWorker")  # the stream is the page's own
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.on(MESSAGE, lambda event: self.events.append(event["data"]))

    def note(self, request: Request) -> None:
        """Keep a request of the API, for what was answered to it."""
        if "/api/" in request.url and CATALOGUE not in request.url:
            self.requests.append(request)

    def texts(self) -> list[str]:
        """What came so far from the API, streams included, without the catalogue of the board."""
        answers = [answer for each in self.requests if (answer := each.response()) is not None]
        return [answer.text() for answer in answers] + self.events


def missions_in_store(server: ServerProcess, game: str) -> dict[str, tuple[str, str]]:
    """The id and the text of each seat's mission, as the server stores them."""
    store = Store.open_read_only(str(server.folder / "rubicon.db"))
    try:
        held = store.read(lambda connection: rebuilt(connection, game)).game
        numbers = [int(number) for number in held.position.mission]
        texts = {each.id: each.text for each in held.ruleset.board.missions}
        return {
            colour: (held.missions[number], texts[held.missions[number]])
            for colour, number in zip(held.colours, numbers, strict=False)
        }
    finally:
        store.close()


def test_nobody_is_sent_the_mission_or_the_hand_of_another(
    visitor: Visitor, guest: Guest, open_game: OpenGame, app_server: ServerProcess, full: bool
) -> None:
    ann, bob = guest("Ann"), guest("Bob")
    table: dict[str, Any] = {
        "board": "world",
        "ruleset": "secret-mission",
        "options": FEW_ARMIES,
    }
    game = open_game(ann, bob, bots=1, **table).id
    people = {account.game(game)["you"]: visitor(account) for account in (ann, bob)}
    traffic = {colour: Traffic(person) for colour, person in people.items()}
    for person in people.values():
        person.open_game(game)
    last = 15 if full else 1
    play_together(people, until=lambda state: state["round"] > last)
    assert people[ann.game(game)["you"]].state()["result"] is None  # at the end all are shown
    missions = missions_in_store(app_server, game)
    for colour, (mission, _) in missions.items():
        readers = {reader for reader, seen in traffic.items() if knows(seen.texts(), mission)}
        assert readers == ({colour} if colour in people else set())
    for reader, seen in traffic.items():
        others = {mission for owner, mission in missions.items() if owner != reader}
        document = people[reader].page.content()
        assert not [text for _, text in others if text in document]
        told = [each for text in seen.texts() for each in parsed(text)]
        assert list(leaks(told, reader, private=True)) == []


def parsed(text: str) -> list[Any]:
    """What an answer says: a JSON document, or one in each line."""
    try:
        return [json.loads(text)] if text else []
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def knows(texts: list[str], mission: str) -> bool:
    """Whether a mission's id is in something that was sent."""
    return any(f'"{mission}"' in text for text in texts)


def test_a_leak_would_be_found() -> None:
    mission: Json = {"id": "M01"}
    planted = {"colour": "red", "standing": None, "mission": mission, "hand": None}
    told = [{"position": {"seats": [planted]}}]
    assert knows([json.dumps(told)], "M01")
    assert list(leaks(told, "blue", private=True)) == [planted]
    assert list(leaks(told, "red", private=True)) == []
