"""Three people at terminals and one in a browser at one table, and the server is killed."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from rubicon.client import Client
from tests.browser.app.clicking import decide
from tests.browser.app.conftest import IN_FLIGHT, kill, person_at
from tests.browser.app.person import Person
from tests.browser.app.test_reconnecting import start_again
from tests.browser.conftest import NewPage
from tests.browser.faults import Faults
from tests.cli.terminals.screen_terminal import ENTER, ScreenTerminal
from tests.cli.terminals.test_full_screen import is_asked
from tests.conftest import FULL
from tests.waiting import until
from tests.web.conftest import ServerProcess

SIZES = {"Ann": (120, 40), "Bob": (80, 24), "Cyd": (60, 20)}
# In the first round nobody attacks: so nobody is out of the game before their first turn.
TABLE = (
    "new classic 4 board=skerries setup.claim=random 'setup.armies=2:8 3:7 4:6 5:5 6:4'"
    " attack.truce=1"
)
LAST = 6 if FULL else 2  # round that is played to its end
MOST = 4000  # decisions
QUIET = 2.0  # seconds in which nothing is decided
LINK = re.compile(r"Invite others: (\S+)")
AWAY, BACK = "does not answer", "answers again"


class Terminals:
    """The terminals of a game by the names of their people."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.open: dict[str, ScreenTerminal] = {}
        self.stack = ExitStack()

    def start(self, name: str, *arguments: str) -> ScreenTerminal:
        """A terminal of a person with a new account on the server."""
        folder = self.folder / name
        made = ScreenTerminal(
            ["--server", self.url, "--name", name, "--theme", "dark", *arguments],
            SIZES[name],
            {"XDG_CONFIG_HOME": str(folder / "config"), "XDG_STATE_HOME": str(folder / "state")},
        )
        self.open[name] = self.stack.enter_context(made)
        return made

    def press_where_asked(self) -> list[str]:
        """Give the proposed order wherever one is asked for; attacks end. Whose they were."""
        pressed = []
        for name, terminal in self.open.items():
            terminal.settle()
            if is_asked(text := terminal.shown()):
                terminal.press("." if "› attack" in text else ENTER)
                pressed.append(name)
        return pressed

    def wait_until_all_show(self, words: str) -> None:
        """Wait until each of them has been told something."""
        for terminal in self.open.values():
            terminal.wait_until(lambda text: words in " ".join(text.split()))


@pytest.fixture
def terminals(servers: list[ServerProcess], tmp_path: Path) -> Iterator[Terminals]:
    made = Terminals(servers[0].url, tmp_path)
    with made.stack:
        yield made


def seated(terminals: Terminals, dora: Client) -> str:
    """A running game that Ann opened; Bob and Cyd join by its link, Dora by the API."""
    ann = terminals.start("Ann")
    ann.wait_until(lambda text: "N new" in text)
    ann.press(TABLE)
    ann.press(ENTER)
    found = LINK.search(ann.wait_until(lambda text: LINK.search(text) is not None))
    assert found is not None
    link = found[1]
    for name in ("Bob", "Cyd"):
        terminals.start(name, "--invite", link)
    game, _, invite = link.rpartition("/")[2].partition("?invite=")
    dora.join(game, invite=invite)
    until(lambda: not any(seat["free"] for seat in dora.table(game)["seats"]))
    ann.wait_until(lambda text: "Enter start" in text)
    ann.press(ENTER)
    until(lambda: dora.table(game)["state"] == "running")
    return game


def play_on(terminals: Terminals, dora: Person, last: int) -> set[str]:
    """Everybody plays to the end of a round; who has decided."""
    decided: set[str] = set()
    for _ in range(MOST):
        state = dora.state()
        if state["result"] is not None or state["round"] > last:
            return decided
        decided.update(terminals.press_where_asked())
        if state["decision"] is not None and state["you"] in state["deadlines"]:
            legal = dora.wait()
            if legal is not None:
                decide(dora, legal)
                dora.settle()
                decided.add("Dora")
    raise AssertionError(f"round {last} does not end within {MOST} decisions")


def wait_until_quiet(client: Client, game: str) -> None:
    """Wait until what was pressed last has come to the server."""
    last = -1
    while (head := int(client.game(game)["index"])) != last:
        last = head
        time.sleep(QUIET)


def decisions_by_seat(client: Client, game: str) -> dict[str, int]:
    """How many decisions each seat has taken, as the server remembers it."""
    found: dict[str, int] = {}
    for row in client.past_events(game):
        for event in row["body"] if row["kind"] == "events" else ():
            if event["event"] == "decided":
                found[event["seat"]] = found.get(event["seat"], 0) + 1
    return found


def test_a_killed_server_costs_nobody_anything(
    servers: list[ServerProcess], terminals: Terminals, new_page: NewPage, faults: Faults
) -> None:
    with servers[0].client("Dora") as account:
        game = seated(terminals, account)
        dora = person_at(new_page, faults, servers[0].url, account)
        dora.open_game(game)
        assert play_on(terminals, dora, 0) == {*SIZES, "Dora"}
        wait_until_quiet(account, game)
        before = decisions_by_seat(account, game)
        faults.allow(IN_FLIGHT)
        kill(servers[-1])
        terminals.wait_until_all_show(AWAY)
        start_again(servers)
        terminals.wait_until_all_show(BACK)
        assert decisions_by_seat(account, game) == before
        assert play_on(terminals, dora, LAST) == {*SIZES, "Dora"}
        wait_until_quiet(account, game)
        held = account.game(game)["position"]["territories"].values()
        owned = [
            [each["armies"] for each in held if each["owner"] == owner]
            for owner in {each["owner"] for each in held}
        ]
        counts = [rf"{sum(armies)}( in |/){len(armies)}" for armies in owned]
        for terminal in terminals.open.values():
            terminal.wait_until(lambda text: all(re.search(count, text) for count in counts))
            assert "takes no part in the dice" not in terminal.text()
