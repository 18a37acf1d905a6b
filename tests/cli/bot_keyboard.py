"""A bot at the keyboard: whole games in one process, with everything a person would see."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from rubicon.cli.play import play_at_keyboard
from rubicon.cli.terminal.choices import order_for
from rubicon.cli.terminal.console import UNICODE, make_output
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.options import PlayOptions
from rubicon.cli.terminal.session import Session
from rubicon.players.player import Player
from rubicon.rules.actions import Action, Offer, Trade
from rubicon.rules.events import Event, seen_by
from tests.cli.at_terminal import Printed

WIPED = UNICODE.line * 40  # printed where a terminal would be wiped
SECRET = re.compile(r"card_no_\d+|\bM\d\d\b")  # a card as it is called here, a mission


class BotKeyboard:
    """A keyboard at which the greedy bot types orders, for the seats of all people.

    Cards are shown under names that nothing else has, so that each name on the screen is a card;
    `leaks` are those that the person at the keyboard may not know.
    """

    interactive = False
    draft = ""
    recalls = True

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
        self.entries, self.same = -1, 0
        game = session.game
        cards = tuple(f"card_no_{c}" for c in range(len(game.cards)))
        game.ids, game.cards = replace(game.ids, cards=cards), cards

    def learn(self, events: Sequence[Event]) -> None:
        """Note what the rules let each person know."""
        ruleset = self.session.game.ruleset
        for person, known in self.known.items():
            seen = [seen_by(event, person, ruleset) for event in events]
            known |= set(SECRET.findall(" ".join(map(str, seen))))

    def read(self, prompt: str) -> str:
        """Type what the bot decides; if curious, look at the hand and the log now and then."""
        self.prompts.append(prompt)
        print(prompt)
        if passed := re.search(r"^Pass .*\((\w+)\)", prompt):
            self.person = passed[1]
        self.look(hand_shown=prompt.startswith("Press"))
        if prompt.startswith(("Pass", "Press")):
            return ""
        self.check_progress()
        action, order = self.decide(self.session.game.actors[0])
        if self.curious and len(self.prompts) % 5 == 0:
            return f"log 40; hand; {order}"
        return f"hand; {order}" if isinstance(action, Trade | Offer) else order

    def check_progress(self) -> None:
        """AssertionError if the last order changed nothing: it would be typed for ever."""
        entries = len(self.session.game.history)
        self.same = self.same + 1 if entries == self.entries else 0
        self.entries = entries
        assert self.same < 3, self.printed.getvalue()[-1500:]

    def decide(self, colour: str) -> tuple[Action, str]:
        """What the bot decides, and the order for it.

        Sets are traded as `trade best`: the order language knows no card by the names used here.
        """
        action = self.bots[colour].decide(self.session.game)
        return action, "trade best" if isinstance(action, Trade | Offer) else order_for(action)

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


class LeavesAtLeak(BotKeyboard):
    """A keyboard that ends the input at the first leak."""

    def read(self, prompt: str) -> str:
        """The next line; EOFError after a leak."""
        line = super().read(prompt)
        if self.leaks:
            raise EOFError
        return line


def options(preset: str | None, seats: str, **more: object) -> PlayOptions:
    """The options of a command line; by the book, unless `more` says otherwise."""
    values = {"preset": preset, "seats": seats, "seed": 3, "setup": "book"}
    return PlayOptions(**(values | more))  # type: ignore[arg-type]


def play_through(
    monkeypatch: pytest.MonkeyPatch,
    preset: str,
    seats: str,
    *,
    curious: bool = False,
    kind: type[BotKeyboard] = BotKeyboard,
    **more: object,
) -> tuple[Session, BotKeyboard, str]:
    """Play a whole game; the session, the keyboard, and everything that was printed."""
    output = Printed()
    session = open_session(options(preset, seats, **more))
    session.output = make_output(plain=False, stream=output)
    keyboard = kind(session, output, curious)
    hear = session.hear

    def overheard(events: Sequence[Event]) -> None:
        keyboard.learn(events)
        hear(events)

    monkeypatch.setattr(session, "hear", overheard)
    monkeypatch.setattr("rubicon.cli.terminal.console.open_keyboard", lambda words: keyboard)
    with contextlib.redirect_stdout(output):
        assert play_at_keyboard(session) == (0, False)
    keyboard.look()
    return session, keyboard, output.getvalue()
