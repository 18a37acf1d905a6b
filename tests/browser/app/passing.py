"""One device that several people pass round, and everything that its page is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import decide
from tests.browser.app.person import AT_REST, Json, Person

# Each piece of an answer, with its request's number, path and token. The stream is the page's own.
RECORDER = """
delete window.SharedWorker;
const ask = window.fetch;
let requests = 0;
window.fetch = async (address, asked) => {
    const request = ++requests, token = asked?.headers?.authorization ?? "";
    window.heard(request, String(address), token, "");
    const answer = await ask(address, asked);
    const read = async (reader, decoder) => {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            window.heard(request, String(address), token, decoder.decode(value, { stream: true }));
        }
    };
    if (answer.body) read(answer.clone().body.getReader(), new TextDecoder()).catch(() => {});
    return answer;
};
"""
CATALOGUE = "/boards/"  # lists every mission that there is, and says of none whose it is
# The page shows a decision, a hand-over, or that somebody else is next.
NEXT = f"""button => ({AT_REST})() && (document.title.startsWith("●")
    || [...document.querySelectorAll("button")].some(each => each.textContent === button
        || each.textContent.startsWith("I am ")))"""


def told(answers: list[Json]) -> list[Any]:
    """The answers as data, those of streams too."""
    found: list[Any] = []
    for answer in answers:
        texts = [answer["text"]]
        if answer["address"].startswith("/api/v1/events"):
            lines = answer["text"].splitlines()
            texts = [line.removeprefix("data: ") for line in lines if line.startswith("data: {")]
        found += [json.loads(text) for text in texts if text.endswith(("}", "]"))]
    return found


@dataclass
class Device(Person):
    """The people at one device; `seats` has their names, colours and tokens once they play."""

    seats: dict[str, Json] = field(default_factory=dict)
    holder: str = ""

    def start(self, ruleset: str, *people: str) -> None:
        """Set a game up on the page, and start it."""
        self.visit("/pass")
        number = self.page.get_by_role("group", name="People").get_by_text(str(len(people)))
        number.click()
        for place, name in enumerate(people, 1):
            self.page.get_by_label(words.PLAYER_NAME.format(place)).fill(name)
        self.page.get_by_text(ruleset, exact=True).click()
        self.press(words.START_GAME)
        self.handed_to()
        kept = json.loads(self.page.evaluate("localStorage['rubicon.passed']"))[0]
        self.game = kept["id"]
        self.seats = {seat["name"]: seat for seat in kept["seats"]}

    def handed_to(self) -> str:
        """Whom the hand-over screen asks for; it must show."""
        button = self.page.get_by_role("button", name=words.I_AM.format(""))
        expect(button).to_be_visible()
        return str(button.inner_text()).removeprefix(words.I_AM.format(""))

    def take(self, name: str) -> None:
        """The named person takes the device."""
        self.holder = name
        self.press(words.I_AM.format(name))
        expect(self.map).to_be_visible()
        hints = self.button(words.NO_MORE_HINTS)  # they lie on the map
        if hints.is_visible():
            hints.click()

    def _decide(self, legal: Json) -> None:
        if self.state()["phase"] == "place":  # one by one, perhaps on neutral territories
            self.tap(legal["ranges"][0]["target"])
        else:
            decide(self, legal)

    def play_on(self, *, patiently: bool = False) -> None:
        """The holder decides until the device goes on; patiently: until it asks for that."""
        while True:
            self.page.wait_for_function(NEXT, arg=words.PASS_ON, polling=20)
            if self.page.title().startswith("●"):
                self._decide(self.ask(f"/games/{self.game}/legal"))
                self.settle()
            elif self.button(words.PASS_ON).is_visible() and not patiently:
                self.page.evaluate(PRESS, words.PASS_ON)  # by itself it goes on at any moment
            elif self.page.locator(HAND_OVER).is_visible():
                self.holder = ""
                return

    def ask(self, path: str) -> Any:
        """An answer of the API to whoever holds the device."""
        token = self.seats[self.holder]["token"]
        headers = {"authorization": f"Bearer {token}"}
        answer = self.page.request.get(f"{self.url}/api/v1{path}", headers=headers)
        assert answer.ok, f"{path}: {answer.status} {answer.text()}"
        return answer.json()


@dataclass
class Traffic:
    """What the page of a device has asked, as whom, and was answered."""

    device: Device
    asked: dict[tuple[int, int], Json] = field(default_factory=dict)
    loads: int = 0

    def __post_init__(self) -> None:
        page = self.device.page
        page.expose_function("heard", self.note)
        page.add_init_script(RECORDER)
        page.on("load", lambda _: self._next_page())

    def _next_page(self) -> None:
        self.loads += 1

    def note(self, request: int, address: str, token: str, text: str) -> None:
        """Keep a request, or a piece of its answer."""
        if CATALOGUE in address:
            return
        new: Json = {"address": address, "token": token.removeprefix("Bearer "), "text": ""}
        new["holder"] = self.device.holder
        self.asked.setdefault((self.loads, request), new)["text"] += text

    def of(self, holder: str) -> list[Json]:
        """What was asked while somebody held the device; "" for nobody."""
        return [asked for asked in self.asked.values() if asked["holder"] == holder]


HAND_OVER = "main h1[tabindex]"
PRESS = """name => [...document.querySelectorAll("button")]
    .find(each => each.textContent === name)?.click()"""
