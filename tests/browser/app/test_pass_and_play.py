"""Several people at one device: each sees their own secrets, and nobody sees those of another."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.passing import Device, Traffic, told
from tests.browser.app.test_secrets import knows, missions_in_store
from tests.browser.conftest import NewPage
from tests.web.api.test_secrets import leaks
from tests.web.conftest import ServerProcess

HAND_OVERS = 5  # all place armies, then two of them have a turn
HAND_OVERS_IN_FULL = 30


@pytest.fixture
def device(new_page: NewPage, app_server: ServerProcess) -> Device:
    """A device at the server."""
    return Device(new_page(), app_server.url)


def test_each_person_sees_their_own_secrets_alone(
    device: Device, app_server: ServerProcess, full: bool
) -> None:
    traffic = Traffic(device)
    device.start("Secret mission", "Ann", "Bob", "Cy")
    missions = missions_in_store(app_server, device.game)
    assert set(missions) == {seat["colour"] for seat in device.seats.values()}
    texts = [text for _, text in missions.values()]
    traffic.asked.clear()  # the set-up, in which the seats come to be
    last = HAND_OVERS_IN_FULL if full else HAND_OVERS
    for number in range(last):
        name = device.handed_to()
        content = device.page.content()
        assert not [text for text in texts if text in content]
        assert not [seat for seat in device.seats.values() if seat["token"] in content]
        expect(device.map).to_have_count(0)
        device.take(name)
        device.play_on(patiently=number == last - 1)
        assert device.handed_to() != name
    assert traffic.of("") == []  # nothing is even asked while nobody holds the device
    for name, seat in device.seats.items():
        answers = traffic.of(name)
        assert {answer["token"] for answer in answers} == {seat["token"]}
        read = [answer["text"] for answer in answers]
        known = {colour for colour, (mission, _) in missions.items() if knows(read, mission)}
        assert known == {seat["colour"]}
        assert list(leaks(told(answers), seat["colour"], private=True)) == []


def test_a_game_outlives_the_page(device: Device) -> None:
    device.start("Two players", "Ann", "Bob")
    name = device.handed_to()
    device.page.reload()
    assert device.handed_to() == name
    device.take(name)
    decision = device.state()["decision"]
    device.page.reload()
    assert device.handed_to() == name  # who holds it now, the page cannot know
    device.take(name)
    assert device.state()["decision"] == decision
    device.visit()
    device.page.get_by_role("link", name="Ann, Bob").click()
    assert device.handed_to() == name


def test_two_people_place_armies_in_turns(device: Device) -> None:
    device.start("Two players", "Ann", "Bob")
    holders = []
    for _ in range(4):
        holders.append(device.handed_to())
        device.take(holders[-1])
        device.play_on()
    assert holders in (["Ann", "Bob"] * 2, ["Bob", "Ann"] * 2)


def test_a_removed_game_leaves_nothing_on_the_device(device: Device) -> None:
    device.start("Two players, 50", "Ann", "Bob")
    device.visit("/pass")
    device.press(words.REMOVE)
    device.page.get_by_role("group").get_by_role("button", name=words.REMOVE).click()
    expect(device.button(words.REMOVE)).to_have_count(0)
    assert json.loads(device.page.evaluate("localStorage['rubicon.passed']")) == []
    device.visit(f"/pass/{device.game}")
    expect(device.page.get_by_role("link", name=words.START_PAGE)).to_be_visible()
