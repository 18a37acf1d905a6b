"""A person who plays like a bot: whole games in one process, with all that a person would see."""

from __future__ import annotations

import contextlib
import io
import re

import pytest

from rubicon.cli.play import Wishes, converse, open_session
from rubicon.cli.terminal.paint import FANCY, make_paint
from rubicon.cli.terminal.session import Session
from rubicon.cli.terminal.shorthand import understand
from rubicon.players.player import Player
from rubicon.rules.actions import Action, Trade
from rubicon.rules.events import Event, seen_by
from rubicon.rules.game import Game
from tests.cli.at_terminal import Printed

WIPED = FANCY.line * 40  # stands where a terminal would be wiped
SECRET = re.compile(r"card_no_\d+|\bM\d\d\b")  # a card as it is called here, a mission


class Puppet:
    """A keyboard at which the greedy player sits, in the seats of all people.

    Cards get names that nothing else has, so that each name on the screen is a card; `leaks` are
    those that whoever looks may not know.
    """

    interactive = False

    def __init__(self, session: Session, printed: io.StringIO, curious: bool = False) -> None:
        self.session = session
        self.printed = printed
        self.curious = curious  # asks for hand and log at every fifth prompt
        self.bots = {colour: Player("greedy", colour) for colour in session.people}
        self.person = session.watcher
        self.known: dict[str | None, set[str]] = {None: set(), **{c: set() for c in self.bots}}
        self.prompts: list[str] = []
        self.leaks: list[str] = []
        self.looked_to = 0
        self.screen = ""
        self.decided: Action | None = None
        session.game.cards = tuple(f"card_no_{c}" for c in range(len(session.game.cards)))

    def learn(self, events: tuple[Event, ...]) -> None:
        """Note what the rules let each person know."""
        public_hands = self.session.public_hands()
        for person, known in self.known.items():
            seen = [seen_by(event, person, public_hands=public_hands) for event in events]
            known |= set(SECRET.findall(" ".join(map(str, seen))))

    def understand(self, text: str, game: Game, colour: str) -> Action:
        """What is typed; the names of cards are known only here."""
        if self.decided is not None and text == str(self.decided):
            return self.decided
        return understand(text, game, colour)

    def read(self, prompt: str) -> str:
        """Type what the bot decides, sometimes after a look at the own hand."""
        self.prompts.append(prompt)
        print(prompt)
        if passed := re.search(r"^Pass .*\((\w+)\)", prompt):
            self.person = passed[1]
        self.look(hand_shown=prompt.startswith("Press"))
        if prompt.startswith(("Pass", "Press")):
            return ""
        colour = self.session.game.actors[0]
        self.decided = self.bots[colour].decide(self.session.game)
        if self.curious and len(self.prompts) % 5 == 0:
            return f"log 40; hand; {self.decided}"
        return f"hand; {self.decided}" if isinstance(self.decided, Trade) else str(self.decided)

    def look(self, *, hand_shown: bool = False) -> None:
        """Read what stands on the screen, and note what should not."""
        screen = self.new_on_screen()
        named = set(SECRET.findall(screen))
        named |= {m.id for m in self.session.game.ruleset.board.missions if m.text in screen}
        self.leaks += sorted(named - self.known[self.person])
        if self.session.hot_seat and not hand_shown:
            self.leaks += re.findall("your (?:cards|mission): .{20}", screen)

    def new_on_screen(self) -> str:
        """What stands there since the last look, or between people since it was last wiped."""
        self.printed.seek(self.looked_to)
        new = self.printed.read()
        self.looked_to = self.printed.tell()
        self.screen = (self.screen * self.session.hot_seat + new).rpartition(WIPED)[2]
        return " ".join(self.screen.split())


class Caught(Puppet):
    """One who leaves at the first leak."""

    def read(self, prompt: str) -> str:
        """The next line, as long as there is nothing to be seen that should not be."""
        line = super().read(prompt)
        if self.leaks:
            raise EOFError
        return line


def wishes(preset: str, seats: str, **more: object) -> Wishes:
    """What a command line with these words asks for."""
    values = {
        "preset": preset,
        "seats": seats,
        "board": None,
        "overrides": (),
        "seed": 3,
        "watch": False,
        "record": None,
        "resume": None,
        "delay": 0.0,
        "ask_defence": False,
        "plain": False,
    }
    return Wishes(**(values | more))  # type: ignore[arg-type]


def play_through(
    monkeypatch: pytest.MonkeyPatch,
    preset: str,
    seats: str,
    *,
    curious: bool = False,
    kind: type[Puppet] = Puppet,
    **more: object,
) -> tuple[Session, Puppet, str]:
    """Play a whole game; the session, the puppet, and all that was printed."""
    output = Printed()
    session = open_session(wishes(preset, seats, **more))
    session.paint = make_paint(plain=False, stream=output)
    puppet = kind(session, output, curious)
    hear = session.hear

    def overheard(events: tuple[Event, ...]) -> None:
        puppet.learn(events)
        hear(events)

    monkeypatch.setattr(session, "hear", overheard)
    monkeypatch.setattr("rubicon.cli.terminal.prompting.open_keyboard", lambda words: puppet)
    monkeypatch.setattr("rubicon.cli.terminal.conversation.understand", puppet.understand)
    with contextlib.redirect_stdout(output):
        assert converse(session) == 0
    puppet.look()
    return session, puppet, output.getvalue()
