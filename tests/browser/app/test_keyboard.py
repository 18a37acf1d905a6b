"""A turn without a mouse: Tab, arrow keys, Enter, and the single keys of the map."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import can_fortify, fronts, play_up_to
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.keyboard import ARROWS, Keyboard
from tests.browser.app.person import Json


def attacks(legal: Json | None) -> dict[tuple[str, str], str]:
    """The sources and targets of the legal attacks."""
    assert legal is not None
    ranges = [each for each in legal["ranges"] if each["kind"] == "attack"]
    return {(each["source"], each["target"]): each["source"] for each in ranges}


def attack_by_arrow(keyboard: Keyboard) -> bool:
    """Attack a territory that lies one arrow key from its attacker; whether there is one."""
    person = keyboard.person
    pairs = {
        (person.name(source), person.name(target)): source
        for source, target in attacks(person.wait())
    }
    for source in sorted(set(pairs.values())):
        for arrow in ARROWS:
            keyboard.next_until(source)
            keyboard.press(arrow)
            if (person.name(source), keyboard.focused()) not in pairs:
                continue
            keyboard.next_until(source)
            keyboard.press("Enter")
            keyboard.press(arrow)
            keyboard.press("Enter")
            keyboard.press("Enter")  # the same target again: attack
            return True
    return False


def test_a_turn_by_keyboard(visitor: Visitor, guest: Guest, open_game: OpenGame) -> None:
    ann = guest("Ann")
    person = visitor(ann)
    play_up_to(
        person,
        lambda: open_game(ann, bots=2, options=DEALT).id,
        until=lambda state: state["phase"] == "reinforce" and can_fortify(person),
    )
    keyboard = Keyboard(person)
    lead = fronts(person)
    keyboard.tab_to_map()
    keyboard.next_until(max(lead, key=lambda place: lead[place]))
    keyboard.press("Enter")
    keyboard.tab_to(person.button(words.ALL_ON_ONE))
    keyboard.press("Enter")
    keyboard.tab_to(person.button(words.PLACED), "Shift+Tab")
    keyboard.press("Enter")
    expect(person.button(words.END_ATTACK)).to_be_enabled()
    keyboard.tab_to_map("Shift+Tab")
    before = person.state()["index"]
    assert attack_by_arrow(keyboard)
    person.settle()
    assert person.state()["index"] > before
    while (legal := person.wait()) is not None and legal["about"]["kind"] == "occupy":
        keyboard.tab_to(person.button(words.MOVE_IN))
        keyboard.press("Enter")
        person.settle()
    keyboard.tab_to_map("Shift+Tab")
    keyboard.press("e")  # ends the attacks
    expect(person.button(words.END_TURN)).to_be_enabled()


def test_the_map_is_one_stop(visitor: Visitor, guest: Guest, open_game: OpenGame) -> None:
    ann = guest("Ann")
    person = visitor(ann)
    person.open_game(open_game(ann, bots=2, options=DEALT).id)
    assert person.wait() is not None
    keyboard = Keyboard(person)
    keyboard.tab_to_map()
    been = {keyboard.focused()}
    for arrow in ARROWS:
        keyboard.press(arrow)
        been.add(keyboard.focused())
        assert keyboard.on_map()
    assert len(been) > 1
    keyboard.press("Tab")
    assert not keyboard.on_map()
    keyboard.press("Shift+Tab")
    assert keyboard.on_map()
