"""axe-core finds nothing serious in any screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import words
from tests.browser.app.built import ROOT
from tests.browser.app.clicking import play
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.passing import Device
from tests.browser.app.person import Json
from tests.browser.app.test_pages import save
from tests.browser.conftest import NewPage
from tests.browser.faults import Faults
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.web.conftest import ServerProcess

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = {"serious", "critical"}
# No motion: what is halfway between two colours has the contrast of neither.
CALM = replace(DESKTOP, reduced_motion=True)
CALM_PHONE = replace(PHONE, reduced_motion=True)
# The small size looks at the phases of a game on both screens, at all else on a desktop.
AT_FULL_SIZE = pytest.param(CALM_PHONE, marks=pytest.mark.full)
BOTH_SCREENS = pytest.mark.parametrize("screen", [CALM, AT_FULL_SIZE])
# The figures in a badge are no label: nobody calls a territory "5, 97 %".
BADGE = "data-badge="
SCREENS = ["/", "/new", "/watch", "/rules", "/odds", "/fair-dice", "/account", "/pass"]
LOADED = "() => document.querySelector('[aria-busy=true]') === null"
OF_A_GAME = ["orders", "rules", "dice"]
PHASES = ["place", "reinforce", "attack", "fortify"]


@cache
def axe() -> str:
    """The source of axe-core; evaluated, because the page allows no script of another origin."""
    return Path(AXE).read_text("utf-8")


def findings(page: Page) -> list[str]:
    """What is serious or critical in the light or the dark theme: the rule, and where."""
    page.evaluate(axe())
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        result: dict[str, Any] = page.evaluate("axe.run()")
        found += [
            f"{theme}: {each['id']}: {node['html'][:160]}"
            for each in result["violations"]
            if each["impact"] in SERIOUS
            for node in each["nodes"][:3]
            if not (each["id"] == "label-content-name-mismatch" and BADGE in node["html"])
        ]
    return found


def in_phase(phase: str) -> Callable[[Json], bool]:
    """Whether a game is in a phase."""
    return lambda state: bool(state["phase"] == phase)


@pytest.mark.parametrize("screen", [CALM, CALM_PHONE])
def test_every_phase_of_a_game(
    visitor: Visitor, guest: Guest, open_game: OpenGame, screen: Screen
) -> None:
    ann = guest("Ann")
    person = visitor(ann, screen)
    person.open_game(open_game(ann, bots=2, options=DEALT).id)
    found = {}
    for phase in PHASES:
        play(person, until=in_phase(phase))
        found[phase] = findings(person.page)
    assert [(phase, each) for phase, each in found.items() if each] == []


@BOTH_SCREENS
@pytest.mark.parametrize("path", SCREENS)
def test_the_other_screens(visitor: Visitor, guest: Guest, path: str, screen: Screen) -> None:
    page = visitor(guest("Ann"), screen).visit(path)
    page.get_by_role("heading").first.wait_for()
    page.wait_for_function(LOADED)
    assert findings(page) == []


def test_the_start_page_of_a_stranger(visitor: Visitor) -> None:
    page = visitor(screen=CALM).visit()
    page.get_by_role("heading").first.wait_for()
    assert findings(page) == []


def test_the_lobby(visitor: Visitor, guest: Guest) -> None:
    ann = guest("Ann")
    table = ann.open_table(board="skerries", seats=3, bots={1: "greedy"}, access="link")
    page = visitor(ann, CALM).visit(f"/tables/{table['game']}")
    page.get_by_role("heading").first.wait_for()
    assert findings(page) == []


@pytest.mark.parametrize("view", OF_A_GAME)
def test_the_other_views_of_a_game(
    visitor: Visitor, guest: Guest, open_game: OpenGame, view: str
) -> None:
    ann = guest("Ann")
    game = open_game(ann, bots=2, options=DEALT).id
    page = visitor(ann, CALM).visit(f"/games/{game}/{view}")
    page.get_by_role("heading").first.wait_for()
    assert findings(page) == []


@BOTH_SCREENS
def test_a_finished_game(
    visitor: Visitor, guest: Guest, open_game: OpenGame, screen: Screen
) -> None:
    ann = guest("Ann")
    game = open_game(ann, bots=1, ruleset="two-player").id
    ann.out_of_turn(game, f"resign {ann.game(game)['you']}")
    person = visitor(ann, screen)
    person.open_game(game)
    expect(person.page.get_by_role("heading", name=words.WINS)).to_be_visible()
    found = {"": findings(person.page)}
    for view in ("review", "dice"):
        person.visit(f"/games/{person.game}/{view}")
        person.page.get_by_role("heading").first.wait_for()
        found[view] = findings(person.page)
    assert [(view, each) for view, each in found.items() if each] == []


@BOTH_SCREENS
def test_a_device_that_is_passed_round(
    new_page: NewPage, app_server: ServerProcess, screen: Screen
) -> None:
    device = Device(new_page(screen), app_server.url)
    device.start("Two players", "Ann", "Bob")
    found = {"hand-over": findings(device.page)}
    device.take(device.handed_to())
    found["turn"] = findings(device.page)
    assert [(view, each) for view, each in found.items() if each] == []


@BOTH_SCREENS
def test_orders_with_a_plan_and_with_a_mistake(
    visitor: Visitor, guest: Guest, open_game: OpenGame, faults: Faults, screen: Screen
) -> None:
    faults.expect("400.*orders/explain")  # the mistake
    ann = guest("Ann")
    person = visitor(ann, screen)
    page = person.visit(f"/games/{open_game(ann, bots=2, options=DEALT).id}/orders")
    found = {}
    for name, text in (("plan", "deploy all alaska"), ("mistake", "attack nowhere")):
        page.get_by_role("textbox").first.fill(text)
        shown = page.locator("section[aria-live=polite]").get_by_role("listitem").first
        expect(shown).to_be_visible()
        found[name] = findings(page)
    assert [(name, each) for name, each in found.items() if each] == []


@BOTH_SCREENS
def test_the_page_of_a_player(
    visitor: Visitor, guest: Guest, app_server: ServerProcess, screen: Screen
) -> None:
    ann = guest("Ann")
    account = save(app_server, ann, f"ann.{screen.width}@example.org")
    page = visitor(ann, screen).visit(f"/players/{account}")
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    assert findings(page) == []


@BOTH_SCREENS
def test_the_page_of_the_administrator(
    visitor: Visitor, app_server: ServerProcess, screen: Screen
) -> None:
    person = visitor(screen=screen)
    page = person.visit("/admin")
    found = {"sign-in": findings(page)}
    page.get_by_label(words.ADMIN_TOKEN).fill(app_server.admin)
    person.press(words.SHOW_SERVER)
    expect(page.get_by_text(words.NO_REPORTS)).to_be_visible()
    found["server"] = findings(page)
    assert [(name, each) for name, each in found.items() if each] == []


def test_a_game_that_is_not_there(visitor: Visitor, guest: Guest, faults: Faults) -> None:
    faults.expect("404")
    page = visitor(guest("Ann"), CALM).visit("/games/nowhere")
    page.get_by_role("link", name=words.START_PAGE).wait_for()
    assert findings(page) == []


def test_a_fault_is_found(visitor: Visitor, guest: Guest) -> None:
    page = visitor(guest("Ann"), CALM).visit()
    page.get_by_role("heading").first.wait_for()
    page.evaluate("document.body.append(document.createElement('button'))")
    found = findings(page)
    assert [each.partition(": <")[0] for each in found] == [
        "light: button-name",
        "dark: button-name",
    ]
