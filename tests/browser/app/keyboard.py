"""What a person does without a mouse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Locator

from tests.browser.app.person import Person

STOPS = 80  # presses of a key until something must have the focus
ARROWS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")


@dataclass(frozen=True)
class Keyboard:
    """The keyboard of a person at a page."""

    person: Person

    def press(self, key: str) -> None:
        """Press a key."""
        self.person.page.keyboard.press(key)

    def until(self, key: str, there: Callable[[], bool]) -> None:
        """Press a key until something is true."""
        for _ in range(STOPS):
            if there():
                return
            self.press(key)
        raise AssertionError(f"{key} does not lead there; the focus is on {self.focused()!r}")

    def tab_to(self, wanted: Locator, key: str = "Tab") -> None:
        """Press Tab until something has the focus."""
        self.until(key, lambda: bool(wanted.evaluate("one => one === document.activeElement")))

    def tab_to_map(self, key: str = "Tab") -> None:
        """Press Tab until a territory has the focus."""
        self.until(key, self.on_map)

    def on_map(self) -> bool:
        """Whether a territory has the focus."""
        names = {self.person.name(each) for each in self.person.state()["position"]["territories"]}
        return self.focused() in names

    def next_until(self, territory: str) -> None:
        """Press N, which goes to the next territory that can act, until it is this one."""
        self.until("n", lambda: self.focused() == self.person.name(territory))

    def focused(self) -> str:
        """The beginning of the name of what has the focus: for a territory, what it is called."""
        label = self.person.page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''")
        return str(label).partition(",")[0]
