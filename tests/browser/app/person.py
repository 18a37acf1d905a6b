"""Somebody at a page of the app, who finds things by what they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error, Locator, Page, expect

from tests.browser.app import words

# The page does not wait for an answer.
AT_REST = """game => document.querySelector("main[aria-busy='true']") === null"""
# It also shows a decision of its player, or the end of the game: the decision's number, or "over".
DECIDING_OR_OVER = f"""game => ({AT_REST})() && (document.querySelector("main")?.dataset.decision
    ?? (document.querySelector(`a[href='/games/${{game}}/review']`) !== null && "over"))"""
ANOTHER = "one => document.querySelector('main')?.dataset.decision !== one"
STATES = 50  # that a page shows until it has caught up
# The events of a tap come after the command to tap has been answered.
NOTE = """kind => { window.noted = false;
    addEventListener(kind, () => { window.noted = true; }, { once: true, capture: true }); }"""
NOTED = "() => window.noted"
# A page that loads may move a button away between press and release: then no click comes of it.
CLICKED = """() => { window.clicked = false; addEventListener("click", ({ target }) => {
    window.clicked ||= target.closest("a, button, input, label, summary") !== null;
}, { once: true, capture: true }); }"""
# Where the middle of a badge is once it stands still, and whether it can be tapped there.
PLACE = """badge => new Promise((found) => {
    let before;
    const look = () => {
        const { e: x, f: y } = badge.getScreenCTM();
        const free = document.elementFromPoint(x, y)?.closest("[data-badge]") === badge;
        if (x === before?.x && y === before.y) found({ x, y, free });
        else requestAnimationFrame(look);
        before = { x, y };
    };
    look();
})"""
# A tap may meet something that has just come before the map: it is seen, and made again.
MET = """() => { window.met = null; addEventListener("pointerup", ({ target }) => {
    window.met = target.closest("[data-badge], [data-territory]") !== null;
}, { once: true, capture: true }); }"""
TAPS = 3
SCALE = "badge => badge.getScreenCTM().a"
Json = dict[str, Any]


@dataclass
class Person:
    """A person at a page. What they do, they do on the page; what they know may come by the API."""

    page: Page
    url: str
    game: str = ""
    asks_at: str = ""  # where the browser's address of the server leads, if only the browser knows
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
        for _ in range(STATES):
            handle = self.page.wait_for_function(DECIDING_OR_OVER, arg=self.game, polling=20)
            shown = str(handle.json_value())
            if shown == "over":
                return None
            if str(self.state()["decision"]) == shown:
                legal: Json = self.ask(f"/games/{self.game}/legal")
                return legal
            # Another device has gone on: the page will hear of it.
            self.page.wait_for_function(ANOTHER, arg=shown, polling=20)
        raise AssertionError("the page does not catch up with the game")

    def settle(self) -> None:
        """Wait until the page has the answer to what was sent."""
        self.page.wait_for_function(AT_REST, polling=20)

    # What a person can do

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button, once it can be pressed."""
        one = self.button(name).first
        if self.touch:
            self.page.evaluate(NOTE, "click")
            one.tap()
            self.page.wait_for_function(NOTED, polling=20)
            return
        for _ in range(TAPS):
            self.page.evaluate(CLICKED)
            one.click()
            if self._was_clicked():
                return

    def _was_clicked(self) -> bool:
        """Whether a click came of it: at once, or a moment later."""
        for wait in (0, 200):
            self.page.wait_for_timeout(wait)
            try:
                if self.page.evaluate("window.clicked") is not False:
                    return True
            except Error:
                return True  # it led to another page
        return False

    def tap(self, territory: str) -> None:
        """Tap the badge of a territory; a finger's first tap may only bring close badges nearer."""
        x, y = self._place(territory)
        if self.touch:
            scale = self.territory(territory).evaluate(SCALE)
            self._touch(x, y)
            # The whole map also grows by itself, where what is below it needs less room.
            zoomed = self.button(words.WHOLE_MAP).is_visible()
            if zoomed and self.territory(territory).evaluate(SCALE) > 1.01 * scale:
                self._touch(*self._place(territory))
            return
        for _ in range(TAPS):
            self.page.evaluate(MET)
            self.page.mouse.click(x, y)
            if self.page.evaluate("window.met") is not False:
                return
            x, y = self._place(territory)

    def _touch(self, x: float, y: float) -> None:
        self.page.evaluate(NOTE, "pointerup")
        self.page.touchscreen.tap(x, y)
        self.page.wait_for_function(NOTED, polling=20)

    def _place(self, territory: str) -> tuple[float, float]:
        """Where a badge can be tapped; the whole map is shown where it is off the screen."""
        badge = self.territory(territory)
        for button in (words.NO_MORE_HINTS, words.HIDE, words.WHOLE_MAP, None):
            place = badge.evaluate(PLACE)
            if place["free"]:
                break
            if button is not None and self.button(button).is_visible():
                self.press(button)
        return place["x"], place["y"]

    def order(self, text: str) -> None:
        """Write orders into their field, which is folded at first, and send them."""
        field = self.page.get_by_role("textbox", name=words.ORDERS)
        if not field.is_visible():
            self.press(words.AS_TEXT)
        field.fill(text)
        field.press("Enter")

    # What is asked beside the page, with its own cookie

    def ask(self, path: str) -> Any:
        """An answer of the API to this person."""
        answer = self.page.request.get(f"{self.asks_at or self.url}/api/v1{path}")
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
