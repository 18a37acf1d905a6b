"""The game of a screen: the same session and prompt as line mode's, heard instead of printed."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from queue import SimpleQueue

from rich.console import Console
from rich.text import Text

from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.console import (
    AskAgain,
    Keyboard,
    Output,
    Symbols,
    asks_seat,
    reference_of,
    sentence_of,
)
from rubicon.cli.terminal.prompt import CommandLoop
from rubicon.cli.terminal.session import Session
from rubicon.engine.records import Position
from rubicon.errors import RubiconError
from rubicon.rules.events import Event, Rolled
from rubicon.rules.refusals import Refused

# How fast a game is shown to somebody who only looks on: faster, slower, paused.

SPEEDS = (2.0, 1.0, 0.5, 0.2, 0.1, 1 / 60, 0.0)  # seconds a step
USUAL = 3
PAUSED = "paused"
CATCH_UP = 0.2  # seconds by which steps may be late and still be made up for
LOOK = 0.2  # seconds after which a paused game looks whether it goes on


class Pace:
    """The pause behind each step; keys change it from another thread."""

    def __init__(self, seconds: float | None = None) -> None:
        self.speeds = SPEEDS if seconds is None else tuple(sorted({*SPEEDS, seconds}, reverse=True))
        self.number = USUAL if seconds is None else self.speeds.index(seconds)
        self.paused = False
        self.left = False
        self._changed = threading.Event()
        self._due = 0.0  # when the next step is to be shown

    @property
    def seconds(self) -> float:
        """The pause behind each step."""
        return self.speeds[self.number]

    @property
    def words(self) -> str:
        """The speed for people."""
        if self.paused:
            return PAUSED
        return f"{self.seconds:.2g} s a step" if self.seconds else "as fast as possible"

    def wait(self) -> None:
        """Wait for the next step; the time that the last one took is not waited again."""
        now = time.monotonic()
        self._due = max(self._due + self.seconds, now - CATCH_UP)
        self._changed.wait(max(0.0, self._due - now))
        if self._changed.is_set():
            self._changed.clear()
            self._due = time.monotonic()
        while self.paused and not self.left:
            self._changed.wait(LOOK)

    def press(self, key: str) -> bool:
        """Carry out a key of the speed; False for any other."""
        match key:
            case "space" | " ":
                self.paused = not self.paused
            case "plus" | "+" | "equals_sign" | "=":
                self.number = min(len(self.speeds) - 1, self.number + 1)
            case "minus" | "-":
                self.number = max(0, self.number - 1)
            case _:
                return False
        self._changed.set()
        return True

    def leave(self) -> None:
        """Nobody looks on any more."""
        self.left = True
        self._changed.set()


MOST_REPLIES = 400  # lines that are kept of one answer


@dataclass(frozen=True, slots=True)
class Reply:
    """A line that the game says to the player.

    `refused`: something was not done; `notice`: it takes the place of all that was said before.
    """

    text: str
    refused: bool = False
    notice: bool = False
    reference: str = ""  # the rules behind a refusal, else its code


@dataclass(frozen=True, slots=True)
class HeardOutput(Output):
    """Collects what line mode would print."""

    hear: Callable[[Reply], None]

    @classmethod
    def to(cls, symbols: Symbols, hear: Callable[[Reply], None]) -> HeardOutput:
        """An output that gives every line to `hear`."""
        return cls(Console(file=io.StringIO()), symbols, hear)

    def line(self, *parts: str | Text | tuple[str, object]) -> None:
        """One line, without its colours."""
        self.hear(Reply(Text.assemble(*parts).plain))  # type: ignore[arg-type]

    def prose(self, text: str, indent: str = "") -> None:
        """Sentences; the screen breaks them at its own width."""
        for line in text.splitlines() or [""]:
            self.hear(Reply(line))

    def quiet(self, text: str, indent: str = "") -> None:
        """The same."""
        self.prose(text)

    def notice(self, text: str) -> None:
        """What somebody must know now: an old refusal does not hide it."""
        self.hear(Reply(text, notice=True))

    def error(self, error: RubiconError, suggestion: str | None = None) -> None:
        """What is wrong, then what to do and the code."""
        advice = error.suggestion if suggestion is None else suggestion
        rules = error.rules if isinstance(error, Refused) else ()
        self.hear(Reply(sentence_of(error), refused=True))
        self.hear(Reply(advice, refused=True, reference=", ".join(rules) or error.code))

    def document(self, text: str, *, interactive: bool) -> None:
        """A long text, to be read page by page."""
        self.prose(text)


class ScreenSession(Session):
    """A session that draws nothing.

    `events` are the lines of the story; `last_view` and `last_roll` are what its viewer saw last.
    """

    changed: Callable[[], None]
    leaving: bool
    events: list[str]
    passing_to: str
    last_view: Position
    last_roll: Rolled | None
    pace: Pace
    alarms: list[tuple[str, list[str]]]  # that the screen has not opened yet

    @classmethod
    def of(cls, session: Session, hear: Callable[[Reply], None]) -> ScreenSession:
        """The session of line mode, for a screen."""
        kind = type(f"Screen{type(session).__name__}", (cls, type(session)), {})
        found: ScreenSession = copy(session)  # type: ignore[assignment]
        found.__class__ = kind
        found.output = HeardOutput.to(session.output.symbols, hear)
        found.changed, found.leaving = (lambda: None), False
        found.events, found.passing_to, found.last_roll = [], "", None
        found.alarms = []
        found.pace = Pace(session.delay or None)
        found.delay = 0.0  # the pace waits, between the steps
        found.last_view = session.game.view(session.watcher)
        for narration in found.narrations.values():
            narration.width = None
        return found

    def hear(self, events: list[Event]) -> None:  # type: ignore[override]
        """Tell the viewers, and let the map follow; raises Quit when the screen is left."""
        super().hear(events)
        for event in events:
            if isinstance(event, Rolled):
                seen = self.seen(event, self.watcher)
                self.last_roll = seen if isinstance(seen, Rolled) else None
        self.last_view = self.game.view(self.watcher)
        self.changed()
        if not self.people:
            self.show(self.watcher)  # step by step, not turn by turn
            self.pace.wait()
        if self.leaving:
            raise Quit

    def show(self, viewer: str | None) -> None:
        """Tell what is new; the board on the screen is that of now, too."""
        super().show(viewer)
        self.last_view = self.game.view(self.watcher)
        self.changed()

    def print_event(self, line: str) -> None:
        """A line of the story."""
        self.events.append(line)
        self.changed()

    def alarm(self, title: str, error: RubiconError) -> None:
        """Tell what nobody may overlook: it opens over the map, and stays in the story."""
        self.print_event(f"{title}: {error.message}")
        self.alarms.append((title, [error.message, f"{error.suggestion}  {reference_of(error)}"]))
        self.changed()

    def clear(self, keyboard: Keyboard) -> None:
        """What stood on the screen is gone."""
        self.on_screen.clear()
        self.events.clear()

    def hand_over(self, colour: str, keyboard: Keyboard) -> None:
        """Wait until the next person sits at the keyboard."""
        self.passing_to = colour
        super().hand_over(colour, keyboard)
        self.passing_to = ""

    def tell_since_turn(self, colour: str) -> None:
        """The screen of the hand-over shows it."""

    def draw(self, colour: str | None) -> None:
        """The screen shows the board all the time."""

    def suggest(self, colour: str) -> None:
        """The screen shows its own proposal."""

    def tell_attack(self, colour: str) -> None:
        """The screen shows the attack as long as it waits."""


class AskedKeyboard:
    """A keyboard whose lines come from the screen; `question` is what waits for a line."""

    interactive = False

    def __init__(self, changed: Callable[[], None]) -> None:
        self.draft = ""
        self.recalls = True
        self.question = ""
        self.asked = 0  # how often a line was waited for
        self.changed = changed
        self.lines: SimpleQueue[str | type[AskAgain] | None] = SimpleQueue()
        self.woken = False  # and not asked again yet

    def read(self, prompt: str) -> str:
        """Wait for a line; EOFError when the screen is left, AskAgain where something happened."""
        self.question = prompt
        self.asked += 1
        self.changed()
        while True:
            line = self.lines.get()
            if line is None:
                raise EOFError
            if isinstance(line, str):
                return line
            self.woken = False
            if self.may_wake(prompt):
                raise line

    @staticmethod
    def may_wake(prompt: str) -> bool:
        """Whether a question ends where something happens elsewhere."""
        return asks_seat(prompt)

    def wake(self) -> None:
        """Something happened elsewhere: ask again, if such a question waits."""
        if self.may_wake(self.question) and not self.woken:
            self.woken = True
            self.lines.put(AskAgain)

    def answer(self, line: str | None) -> None:
        """Give the line that is waited for; None: the player leaves."""
        self.question = ""
        self.lines.put(line)


class OrdersDone:
    """What each seat has ordered in its turn, in exact form."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[int, list[str]]] = {}

    def of(self, colour: str, round_number: int) -> list[str]:
        """The orders of a seat in a round, so far."""
        known = self._of.get(colour)
        if known is None or known[0] != round_number:
            known = self._of[colour] = (round_number, [])
        return known[1]


class Story:
    """One game on a screen, played by the prompt of line mode in a thread of its own.

    While a question waits nothing else touches the game, so that the screen may read it.
    """

    def __init__(self, session: Session, changed: Callable[[], None]) -> None:
        self.replies: list[Reply] = []
        self._replies_change = threading.Lock()
        self.done = OrdersDone()
        self.changed = changed
        self.session = ScreenSession.of(session, self._hear)
        self.session.changed = changed
        self.keyboard = AskedKeyboard(changed)
        self.session.wake_by(self.keyboard.wake)
        self.loop = CommandLoop(self.session)
        self.over = False
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self._run, name="game", daemon=True)

    def _hear(self, reply: Reply) -> None:
        with self._replies_change:
            before = [] if reply.notice else self.replies[-MOST_REPLIES:]
            self.replies = [*before, reply]
        self.changed()

    def choose_replies(self, choose: Callable[[list[Reply]], list[Reply]]) -> None:
        """Keep some replies; the game may be saying another one meanwhile."""
        with self._replies_change:
            self.replies = choose(self.replies)

    def _run(self) -> None:
        try:
            self.loop.run(self.keyboard)
            self.over = True
        except (Quit, EOFError):
            self.session.leaving = True
        except BaseException as error:  # told when the screen is gone
            self.failure = error
        self.changed()

    def start(self) -> None:
        """Begin to play."""
        self.thread.start()

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.over or self.session.leaving or self.failure is not None

    def send(self, line: str) -> None:
        """Give a line to the prompt."""
        self.replies = []
        self.keyboard.answer(line)

    def leave(self) -> None:
        """Ask the game to stop at the next opportunity."""
        self.session.leaving = True
        self.session.pace.leave()
        self.keyboard.answer(None)
