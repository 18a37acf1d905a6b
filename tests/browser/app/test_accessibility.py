"""axe-core finds nothing serious in any screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.app.built import ROOT
from tests.browser.app.clicking import play
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.person import Json
from tests.browser.screen import DESKTOP, PHONE, Screen

pytestmark = pytest.mark.full  # whole games in a browser take minutes

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = {"serious", "critical"}
# No motion: what is halfway between two colours has the contrast of neither.
DARK_PHONE = replace(PHONE, dark=True, reduced_motion=True)
LIGHT = replace(DESKTOP, reduced_motion=True)
SCREENS = ["/new", "/watch", "/rules", "/odds", "/fair-dice", "/account", "/pass"]
OF_A_GAME = ["orders", "dice", "review"]
PHASES = ["place", "reinforce", "attack", "fortify"]


@cache
def axe() -> str:
    """The source of axe-core; evaluated, because the page allows no script of another origin."""
    return Path(AXE).read_text("utf-8")


def findings(page: Page) -> list[str]:
    """What is serious or critical: the rule, and where."""
    page.evaluate(axe())
    result: dict[str, Any] = page.evaluate("axe.run()")
    return [
        f"{found['id']}: {node['html'][:160]}"
        for found in result["violations"]
        if found["impact"] in SERIOUS
        for node in found["nodes"][:3]
    ]


@pytest.mark.parametrize("screen", [LIGHT, DARK_PHONE])
def test_the_start_page(visitor: Visitor, screen: Screen) -> None:
    page = visitor(screen=screen).visit()
    page.get_by_role("heading").first.wait_for()
    assert findings(page) == []


def in_phase(phase: str) -> Callable[[Json], bool]:
    """Whether a game is in a phase."""
    return lambda state: bool(state["phase"] == phase)


@pytest.mark.parametrize("screen", [LIGHT, DARK_PHONE])
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


@pytest.mark.parametrize("path", SCREENS)
def test_the_other_screens(visitor: Visitor, guest: Guest, path: str) -> None:
    page = visitor(guest("Ann"), LIGHT).visit(path)
    page.get_by_role("heading").first.wait_for()
    assert findings(page) == []


@pytest.mark.parametrize("view", OF_A_GAME)
def test_the_other_views_of_a_game(
    visitor: Visitor, guest: Guest, open_game: OpenGame, view: str
) -> None:
    ann = guest("Ann")
    game = open_game(ann, bots=2, options=DEALT).id
    page = visitor(ann, LIGHT).visit(f"/games/{game}/{view}")
    page.get_by_role("heading").first.wait_for()
    assert findings(page) == []


def test_a_fault_is_found(visitor: Visitor, guest: Guest) -> None:
    page = visitor(guest("Ann"), LIGHT).visit()
    page.get_by_role("heading").first.wait_for()
    page.evaluate("document.body.append(document.createElement('button'))")
    assert [each.partition(":")[0] for each in findings(page)] == ["button-name"]
