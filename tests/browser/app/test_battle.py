"""An attack on the screen: its rolls, what the log says of it, and keys outside of the map."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import play, select, territories
from tests.browser.app.conftest import Visitor
from tests.browser.app.person import Json


def test_the_dice_of_an_attack_stay_in_sight_and_keys_end_it(visitor: Visitor) -> None:
    person = visitor()
    page = person.play_now()
    play(person, until=lambda state: state["phase"] == "attack")
    source, target = best_attack(person.wait(), territories(person))
    select(person, source, target)
    person.press(words.ROLL_ONCE)
    person.settle()
    expect(page.get_by_role("button", name=words.LAST_ROLL)).to_be_visible()
    places = f"(from {person.name(source)}, "
    line = page.get_by_role("listitem").filter(has_text=places).first
    expect(line).to_contain_text(words.MY_ATTACK)
    expect(line.get_by_role("img").first).to_be_visible()  # a die
    if territories(person)[target]["armies"] == 0:
        person.press(words.MOVE_IN)
        person.settle()
    page.locator(":focus").evaluate_all("all => all.forEach((one) => one.blur())")
    page.keyboard.press("e")
    page.wait_for_function("() => document.querySelector('main').ariaBusy !== 'true'")
    expect(person.button(words.END_ATTACK)).to_have_count(0)
    state = person.state()  # where nothing can be moved, a bot's turn has begun
    assert (state["turn"], state["phase"]) != (state["you"], "attack")


def best_attack(legal: Json | None, held: dict[str, Json]) -> tuple[str, str]:
    """The attack with the largest lead."""
    assert legal is not None
    pairs = [
        (
            held[each["source"]]["armies"] - held[each["target"]]["armies"],
            each["source"],
            each["target"],
        )
        for each in legal["ranges"]
        if each["kind"] == "attack"
    ]
    _, source, target = max(pairs)
    return source, target
