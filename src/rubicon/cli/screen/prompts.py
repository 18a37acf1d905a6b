"""The prompts of line mode on a full screen: what they say is collected there, not printed."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from queue import SimpleQueue

from rich.console import Console
from rich.text import Text

from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.console import (
    AskAgain,
    Output,
    asks_seat,
    reference_of,
    sentence_of,
)
from rubicon.cli.terminal.prompt import CommandLoop
from rubicon.cli.terminal.session import Session
from rubicon.errors import RubiconError
from rubicon.rules.events import Event, Rolled
from rubicon.rules.refusals import Refused

# How fast a game is shown to someone who only looks on: faster, slower, paused.

SPEEDS = (2.0, 1.0, 0.5, 0.2, 0.1, 1 / 60, 0.0)  # seconds a step
USUAL = 3
PAUSED = "paused"
CATCH_UP = 0.2  # seconds by which steps may be late and still be made up for
LOOK = 0.2  # seconds after which a paused game looks whether it goes on


class Pace:
    """The pause after each step; keys change it from another thread."""

    def __init__(self, seconds: float | None = None) -> None:
        self.speeds = SPEEDS if seconds is None else tuple(sorted({*SPEEDS, seconds}, reverse=True))
        self.number = USUAL if seconds is None else self.speeds.index(seconds)
        self.paused = False
        self.left = False
        self._changed = threading.Event()
        self._due = 0.0  # when the next step is to be shown

    @property
    def seconds(self) -> float:
        """The pause after each step."""
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
        # Looked at again and again, so that a key cannot come between the look and the waiting.
        while self.paused and not self.left:
            self._changed.wait(LOOK)

    def press(self, key: str) -> bool:
        """Carry out a key of the speed; False for any other."""
        match key:
            case " ":
                self.paused = not self.paused
            case "+" | "=":
                self.number = min(len(self.speeds) - 1, self.number + 1)
            case "-":
                self.number = max(0, self.number - 1)
            case _:
                return False
        self._changed.set()
        return True

    def leave(self) -> None:
        """No one is watching now."""
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
    reference: str = ""  # the rules of a refusal, else its code


class AskedKeyboard:
    """A keyboard whose lines come from a screen; `question` is what waits for a line.

    `may_wake` says which questions end where something happens elsewhere.
    """

    interactive = False

    def __init__(self, changed: Callable[[], None], may_wake: Callable[[str], bool]) -> None:
        self.draft = ""
        self.recalls = True
        self.question = ""
        self.asked = 0  # how often a line was waited for
        self.changed, self.may_wake = changed, may_wake
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
            # The question of now may be another than the one that was woken.
            self.woken = False
            if self.may_wake(prompt):
                raise line

    def wake(self) -> None:
        """Something happened elsewhere: ask again, if such a question waits."""
        if self.may_wake(self.question) and not self.woken:
            self.woken = True
            self.lines.put(AskAgain)

    def answer(self, line: str | None) -> None:
        """Give the line that is waited for; None: the player leaves."""
        self.question = ""
        self.lines.put(line)


class ScreenPrompts(Output):
    """Line mode's prompts, in their own thread: a screen answers them and shows what they say.

    `changed` is called from that thread, whenever the screen is out of date.
    """

    shows_board = True

    def __init__(self, terminal: Output, may_wake: Callable[[str], bool]) -> None:
        super().__init__(Console(file=io.StringIO()), terminal.symbols)
        self._terminal = terminal
        self.changed: Callable[[], None] = lambda: None
        self.replies: list[Reply] = []
        self.keyboard = AskedKeyboard(self.notify, may_wake)
        self.left = False
        self.failure: BaseException | None = None
        # The prompts append to the replies while the screen takes some away.
        self._replies_change = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="prompts", daemon=True)

    def notify(self) -> None:
        """The screen is out of date."""
        self.changed()

    def play(self) -> None:
        """Ask until the end; Quit or EOFError where the person leaves."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def _run(self) -> None:
        try:
            self.play()
        except (Quit, EOFError):
            self.left = True
        except BaseException as error:  # raised again when the screen is gone
            self.failure = error
        self.notify()

    @property
    def ended(self) -> bool:
        """Whether nothing more will be asked."""
        return self.left or self.failure is not None

    def leave(self) -> None:
        """Stop at the next opportunity."""
        self.keyboard.answer(None)

    def reply(self, reply: Reply) -> None:
        """Keep a line that the prompts say."""
        with self._replies_change:
            before = [] if reply.notice else self.replies[-MOST_REPLIES:]
            self.replies = [*before, reply]
        self.notify()

    def choose_replies(self, choose: Callable[[list[Reply]], list[Reply]]) -> None:
        """Keep some replies; another one may be said meanwhile."""
        with self._replies_change:
            self.replies = choose(self.replies)

    @property
    def terminal(self) -> Output:
        """The lines of the terminal."""
        return self._terminal

    def line(self, *parts: str | Text | tuple[str, object]) -> None:
        """One line, without its colours."""
        self.reply(Reply(Text.assemble(*parts).plain))  # type: ignore[arg-type]

    def prose(self, text: str, indent: str = "") -> None:
        """Sentences; the screen breaks them at its own width."""
        for line in text.splitlines() or [""]:
            self.reply(Reply(line))

    def quiet(self, text: str, indent: str = "") -> None:
        """The same."""
        self.prose(text)

    def notice(self, text: str) -> None:
        """What someone must know now: an old refusal does not hide it."""
        self.reply(Reply(text, notice=True))

    def error(self, error: RubiconError, suggestion: str | None = None) -> None:
        """What is wrong, then what to do and the code."""
        advice = error.suggestion if suggestion is None else suggestion
        rules = error.rules if isinstance(error, Refused) else ()
        self.reply(Reply(sentence_of(error), refused=True))
        self.reply(Reply(advice, refused=True, reference=", ".join(rules) or error.code))

    def document(self, text: str, *, interactive: bool) -> None:
        """A long text, to be read page by page."""
        self.prose(text)


class GamePrompts(ScreenPrompts):
    """One game on a screen: `events` are its lines, `view` and `roll` what the viewer saw last.

    While a question waits nothing else touches the game, so that the screen may read it.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session.output, asks_seat)
        self.session = session
        self.events: list[str] = []
        self.alarms: list[tuple[str, list[str]]] = []  # that the screen has not opened yet
        self.roll: Rolled | None = None
        # A copy: the screen draws it while a bot decides and the game changes.
        self.view = session.game.view(session.watcher)
        # The pace waits between the steps, not after each line of them.
        self.pace, session.delay = Pace(session.delay or None), 0.0
        self.over = False
        self._orders: dict[str, tuple[int, list[str]]] = {}
        for narration in session.narrations.values():
            # The screen breaks lines itself, at its own width.
            narration.width = None
        session.output = self
        session.wake_by(self.keyboard.wake)
        self.loop = CommandLoop(session)

    def play(self) -> None:
        """Play to the end."""
        self.loop.run(self.keyboard)
        self.over = True

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.over or super().ended

    def send(self, line: str) -> None:
        """Give a line to the prompt."""
        self.replies = []
        self.keyboard.answer(line)

    def leave(self) -> None:
        """Ask the game to stop at the next opportunity."""
        self.left = True
        self.pace.leave()
        super().leave()

    def orders_done(self, colour: str) -> list[str]:
        """What a seat has ordered in this round, in exact form."""
        number = int(self.session.game.position.round_number)
        if self._orders.get(colour, (-1, []))[0] != number:
            self._orders[colour] = number, []
        return self._orders[colour][1]

    def event(self, text: str, colours: Collection[str]) -> None:
        """A line of the log."""
        self.events.append(text)
        self.notify()

    def alarm(self, title: str, error: RubiconError) -> None:
        """What no one may overlook opens over the map, and stays in the log."""
        self.alarms.append((title, [error.message, f"{error.suggestion}  {reference_of(error)}"]))
        self.event(f"{title}: {error.message}", ())

    def clear(self, *, interactive: bool) -> None:
        """The log so far was another person's."""
        self.events.clear()

    def told(self, events: Sequence[Event] = ()) -> None:
        """Let the map follow; whoever looks on alone sees it step by step. Raises Quit."""
        session = self.session
        for event in events:
            if isinstance(event, Rolled):
                seen = session.seen(event, session.watcher)
                self.roll = seen if isinstance(seen, Rolled) else None
        self.view = session.game.view(session.watcher)
        self.notify()
        if events and not session.people:
            session.show(session.watcher)  # step by step, not turn by turn
            self.pace.wait()
        # Between two steps, and not while one is done: what is saved then is a whole game.
        if events and self.left:
            raise Quit
