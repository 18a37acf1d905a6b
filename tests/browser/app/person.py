"""Somebody at a page of the app, who finds things by what they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.app import words

# The page does not wait for an answer.
AT_REST = """game => document.querySelector("main[aria-busy='true']") === null"""
# It also shows a decision of its player, or the end of the game.
DECIDING_OR_OVER = f"""game => ({AT_REST})() && (document.title.startsWith("●")
    || document.querySelector(`a[href='/games/${{game}}/review']`) !== null)"""
MIDDLE = "badge => { const place = badge.getScreenCTM(); return [place.e, place.f]; }"
Json = dict[str, Any]


@dataclass
class Person:
    """A person at a page. What they do, they do on the page; what they know may come by the API."""

    page: Page
    url: str
    game: str = ""
    touch: bool = False
    _names: dict[str, str] = field(default_factory=dict)

    # Pages

    def visit(self, path: str = "/") -> Page:
        """Open an address of the server."""
        self.page.goto(f"{self.url}{path}")
        return self.page

    def play_now(self) -> Page:
        """Press the first button of the start page, and wait for the game."""
        self.visit()
        self.press(words.PLAY_NOW)
        return self._at_game()

    def open_game(self, game: str, query: str = "") -> Page:
        """Open the page of a game."""
        self.visit(f"/games/{game}{query}")
        return self._at_game()

    def _at_game(self) -> Page:
        expect(self.page).to_have_url(re.compile(r"/games/\w+"))
        expect(self.page.get_by_role("list", name=words.SEATS)).to_be_visible()
        expect(self.map).to_be_visible()
        self.game = re.sub(r".*/games/(\w+).*", r"\1", self.page.url)
        return self.page

    # What there is to see

    @property
    def map(self) -> Locator:
        """The map."""
        return self.page.get_by_role("group", name=words.MAP)

    def territory(self, territory: str) -> Locator:
        """A territory of the map, by its id."""
        beginning = re.compile(rf"^{re.escape(self.name(territory))}, ")
        return self.map.get_by_role("button", name=beginning)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button beside the map."""
        return self.page.get_by_role("button", name=name)

    def wait(self) -> Json | None:
        """Wait until the page shows a decision of this person; None if the game is over.

        Returns the legal actions: nobody else can change them while the page shows the decision.
        """
        self.page.wait_for_function(DECIDING_OR_OVER, arg=self.game, polling=20)
        if not self.page.title().startswith("●"):
            return None
        legal: Json = self.ask(f"/games/{self.game}/legal")
        return legal

    def settle(self) -> None:
        """Wait until the page has the answer to what was sent."""
        self.page.wait_for_function(AT_REST, polling=20)

    # What a person can do

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button, once it can be pressed."""
        one = self.button(name).first
        if self.touch:
            one.tap()
        else:
            one.click()

    def tap(self, territory: str) -> None:
        """Tap the badge of a territory."""
        x, y = self.territory(territory).evaluate(MIDDLE)
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def order(self, text: str) -> None:
        """Write orders into their field, and send them."""
        field = self.page.get_by_role("textbox", name=words.ORDERS)
        field.fill(text)
        field.press("Enter")

    # What is asked beside the page, with its own cookie

    def ask(self, path: str) -> Any:
        """An answer of the API to this person."""
        answer = self.page.request.get(f"{self.url}/api/v1{path}")
        assert answer.ok, f"{path}: {answer.status} {answer.text()}"
        return answer.json()

    def state(self) -> Json:
        """The game as this person's seat sees it."""
        state: Json = self.ask(f"/games/{self.game}")
        return state

    def name(self, territory: str) -> str:
        """The name of a territory."""
        if not self._names:
            board = self.state()["position"]["board"]["name"]
            found = self.ask(f"/boards/{board}")["territories"]
            self._names.update((each["id"], each["name"]) for each in found)
        return self._names[territory]
