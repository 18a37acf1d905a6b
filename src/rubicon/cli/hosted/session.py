"""A game on a server: its position, its news, its clocks, the decisions sent to it."""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rubicon.cli.terminal.session import ANSWERS, Session
from rubicon.client import ApiError, Client, DiceAlarm, answers
from rubicon.dice.errors import DiceError
from rubicon.engine.records import Position, copy_position
from rubicon.errors import RubiconError
from rubicon.rules.actions import Action, EndTurn, Resign, RevealMission, StandingOrder
from rubicon.rules.events import Event, Rolled, TurnBegan
from rubicon.rules.game import Game
from rubicon.rules.notation.json_format import JsonError, event_from_json
from rubicon.rules.notation.positions import parse_view
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller
from rubicon.wording import printable

# How the time that is left is written.


def time_left(seconds: int) -> str:
    """`4:05`, `3:20 h`, `3 d`."""
    if seconds >= 2 * 86400:
        return f"{seconds // 86400} d"
    if seconds >= 3600:
        return f"{seconds // 3600}:{seconds // 60 % 60:02} h"
    return f"{seconds // 60}:{seconds % 60:02}"


# A game whose positions come from a server: what one seat sees of it.


def read_view(text: str) -> tuple[Ruleset, Position]:
    """The ruleset and the position of a server's line; ApiError where it is none."""
    try:
        return parse_view(text)
    except RubiconError as error:
        raise answers.bad_answer(f"its position cannot be read ({error})") from error


class MirroredGame(Game):
    """A seat's view of a game elsewhere; nothing is decided or rolled here.

    The history has the own decisions, and an `EndTurn` for each turn that others have begun.
    """

    take_back: Callable[[], Action]

    @classmethod
    def of(cls, text: str, names: Mapping[str, str]) -> MirroredGame:
        """The game of a position in one line (`docs/notation.md`), with names by colour."""
        ruleset, position = read_view(text)
        game = cls(ruleset, position)
        game.names = tuple(printable(names.get(colour) or colour) for colour in game.colours)
        return game

    def mirror(self, text: str) -> None:
        """Another position of the same game."""
        ruleset, position = read_view(text)
        if ruleset != self.ruleset:
            raise answers.bad_answer("its position is one of another game")
        self.position = position

    def note(self, action: Action) -> None:
        """An own decision, which the server has taken."""
        self._before.append(copy_position(self.position))
        self._history.append(action)

    def note_turn(self) -> None:
        """A turn has begun."""
        self.note(EndTurn())

    def undo(self, seat: str | None = None, *, past_turn: bool = False) -> Action:
        """Ask the server to take the last own decision back."""
        return self.take_back()


# Hears that something happened in a game, in its own thread; the game is then looked at.

RETRY = 1.0  # seconds until the next attempt while the server is away
AWAY = (0, 502, 503, 504)  # answers of a server, or of a proxy in front of it, that is not there
SILENCE = 45.0  # seconds; a stream sends something every 20
LOOK = 10.0  # seconds after which a game is looked at without any news


class GameNews:
    """News of one game; `wait` returns when there are any.

    That the server does not answer is news, too, and so is that it answers again.
    """

    def __init__(self, client: Client, game: str) -> None:
        self.client, self.game = client, game
        self.client.attempts = 1  # so that it is known at once
        self.client.timeout = SILENCE
        self._away = False
        self.on_news: Callable[[], None] = lambda: None
        self._news = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"news {game}", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no longer."""
        self._stopped.set()
        self._news.set()
        with suppress(Exception):
            self.client.hang_up()

    def wait(self, longest: float = LOOK) -> None:
        """Wait for news, or for so long that it is time to look."""
        self._news.wait(longest)
        self._news.clear()

    def tell(self) -> None:
        """There is news."""
        self._news.set()
        self.on_news()

    def _note(self, *, away: bool) -> None:
        if away != self._away:
            self._away = away
            self.tell()

    def _run(self) -> None:
        after = ""
        while not self._stopped.is_set():
            opened = False
            try:
                for event in self.client.events(self.game, after=after, opened=True):
                    if event["kind"] == "opened":
                        opened = True
                        self._note(away=False)
                    else:
                        after = event["cursor"]
                        self.tell()
                    if self._stopped.is_set():
                        return
                if not opened:  # something took the connection, and let it fall
                    self._note(away=True)
            except ApiError as error:
                if self._stopped.is_set():
                    return
                self._note(away=error.status in AWAY)
            self._stopped.wait(RETRY)


# The session of the terminal for a game on a server: decisions go out, events come in.

OUT_OF_TURN = (Resign, RevealMission, StandingOrder)
PAST = 80  # log lines before the present that are told at first
MOST_EVENTS = 500  # of one answer of the server
PASSING = (*AWAY, 429, 500)  # answers after which the game is looked at again
UNKNOWN = (0, 502, 504)  # answers after which an order may or may not have been taken
NEUTRAL = "neutral"
ALARM = "ALARM"
NO_PART = "Your program takes no part in the dice here"
NOT_SENT = ("Your order was not sent.", "Give it again if you want to play on.")
STALE = (
    "This decision was made elsewhere meanwhile, perhaps in your browser; nothing was done here."
)


def refused(error: ApiError) -> RubiconError:
    """An error of the server as the prompt shows its own: each of its texts is one line."""
    message, suggestion = (
        printable(str(error.body.get(name) or "")) for name in ("message", "suggestion")
    )
    return RubiconError(printable(error.code) or "http/refused", message, suggestion)


def alarm_of(alarm: DiceAlarm) -> RubiconError:
    """An alarm of the dice as the prompt shows an error."""
    return RubiconError(f"dice/{alarm.code}", str(alarm))


def events_of(facts: Any, colours: Sequence[str]) -> list[Event]:
    """The events of a log line; unreadable events, of a newer or a broken server, are left out."""
    found: list[Event] = []
    for fact in facts if isinstance(facts, list) else []:
        if not isinstance(fact, dict) or fact.get("kind") != "event":
            continue
        with suppress(JsonError):
            event = event_from_json(fact)
            if not isinstance(event, Rolled) or is_of(event, colours):
                found.append(event)
    return found


def is_of(roll: Rolled, colours: Sequence[str]) -> bool:
    """Whether the two sides of a roll are in the game: each is drawn in its colour."""
    return {roll.attacker, roll.defender} <= {*colours, NEUTRAL}


@dataclass(kw_only=True)
class HostedSession(Session):
    """One seat of a game on a server, or a spectator's place.

    `state` is what the server said last, `index` the last log line that was reported. Whatever is
    missed while the server is away is fetched again by its index.
    """

    client: Client
    url: str
    id: str
    news: GameNews
    state: answers.GameAnswer
    index: int = -1
    chat_line: int = 0
    told_away: str = ""
    looked_at: float = field(default_factory=time.monotonic)
    elsewhere: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        you = self.state["you"]
        self.people, self.watcher, self.hot_seat = [you] if you else [], you, False
        # The other seats sit elsewhere, and read what happens there.
        self.narrations = {v: self.narrations[v] for v in {None, you}}
        game = self.game
        assert isinstance(game, MirroredGame)
        # The prompt undoes by its game, and here the server decides what is taken back.
        game.take_back = self.take_back
        # A long game would print hundreds of lines before the first question.
        self.index = max(-1, int(self.state["index"]) - PAST)

    @property
    def mirror(self) -> MirroredGame:
        """The game as the own seat sees it."""
        assert isinstance(self.game, MirroredGame)
        return self.game

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state["result"] is not None

    def advance(self) -> str | None:
        """Wait for a decision of the own seat; returns its colour, None at the end of the game."""
        while True:
            if not self.look():
                self.news.wait()
                continue
            if self.over:
                return None
            if self.state["decision"] is None or not self.people:
                self.show(self.watcher)
                self.news.wait()
                continue
            colour = self.people[0]
            action = self.automatic(colour)
            if action is None:
                return colour
            self.answer(action)

    def automatic(self, colour: str) -> Action | None:
        """An answer that leaves no choice."""
        if self.game.phase not in ANSWERS:
            return None
        legal = self.game.legal_for(colour)
        return legal[0] if len(legal) == 1 else None

    def answer(self, action: Action) -> None:
        """Give an answer that leaves no choice; elsewhere the same may have been done already."""
        try:
            self.play(action)
        except RubiconError as error:
            if error.code != "decision/stale":
                self.output.error(error)
                self.news.wait()

    def look(self) -> bool:
        """Fetch what is new; False while the server does not answer."""
        self.hear_dice()
        try:
            state = answers.of_type(self.client.game(self.id, text=True), answers.GameAnswer)
            self.mirror.mirror(self.checked(state)["text"])
            self.hear_events()
            self.hear_chat()
        except ApiError as error:
            if error.status not in PASSING:
                raise refused(error) from error
            self.tell_away("The server does not answer; the game goes on when it does.")
            return False
        self.tell_away("")
        self.state, self.looked_at = state, time.monotonic()
        return True

    def checked(self, state: answers.GameAnswer) -> answers.GameAnswer:
        """The state, if it is that of the own seat; ApiError for any other."""
        if state["you"] not in (None, self.watcher):
            raise answers.bad_answer("it is what another seat sees")
        return state

    def hear_dice(self) -> None:
        """Report an alarm of the dice, or why this program no longer takes part in them."""
        trouble = self.client.dice_trouble(self.id)
        if isinstance(trouble, DiceAlarm):
            self.output.alarm(ALARM, alarm_of(trouble))
        elif trouble is not None:
            self.output.alarm(
                "NO PART IN THE DICE", RubiconError("dice/no-part", f"{NO_PART}: {trouble}")
            )

    def hear_events(self) -> None:
        """Report the events of log lines that were not reported yet."""
        while True:
            before = self.index
            rows = answers.of_type(
                self.client.past_events(self.id, after=before), list[answers.EventAnswer]
            )
            self.tell([row for row in rows if row["index"] > before])
            if len(rows) < MOST_EVENTS or self.index == before:
                return

    def tell(self, rows: list[answers.EventAnswer]) -> None:
        """Report the events of log lines."""
        for row in rows:
            self.index = max(self.index, row["index"])
            facts = row["body"] if row["kind"] == "events" else []
            events = events_of(facts, self.game.colours)
            for event in events:
                if isinstance(event, TurnBegan):
                    self.mirror.note_turn()
            self.hear(events)

    def tell_away(self, text: str) -> None:
        """Say once that the server is away, and once that it is back."""
        if bool(text) != bool(self.told_away):
            self.output.notice(text or "The server answers again; nothing was lost.")
        self.told_away = text

    def hear_chat(self) -> None:
        """Show the chat lines that were not shown yet."""
        if not self.people:
            return
        lines = answers.of_type(
            self.client.chat(self.id, after=self.chat_line), list[answers.ChatAnswer]
        )
        for line in lines:
            if line["id"] > self.chat_line:
                self.chat_line = line["id"]
                said = Storyteller(Names()).chat(line["seat"], line["to"], line["text"])
                self.output.event(said, self.game.colours)

    def play(self, action: Action) -> None:
        """Send a decision, and wait until its dice have fallen; repeating it does nothing twice."""
        text, decision = str(action), self.state["decision"]
        try:
            if isinstance(action, OUT_OF_TURN):
                self.client.out_of_turn(self.id, text)
            elif decision is None:
                raise RubiconError("decision/stale", STALE)
            else:
                while self._submitted(decision, text) == "dice":
                    self.news.wait(RETRY)
        except DiceError as error:
            raise RubiconError(error.code, str(error)) from error
        except DiceAlarm as alarm:
            self.output.alarm(ALARM, alarm_of(alarm))
            raise RubiconError("dice/not-sent", *NOT_SENT) from alarm
        except ApiError as error:
            if error.code != "decision/stale":
                raise refused(error) from error
            self.look()
            raise RubiconError("decision/stale", STALE) from error
        self.mirror.note(action)
        while not self.look():
            self.news.wait()

    def _submitted(self, decision: int, text: str) -> str:
        while True:
            try:
                return answers.answer_field(
                    self.client.submit(self.id, decision, text), "status", str
                )
            except ApiError as error:
                if error.status not in UNKNOWN:
                    raise
                # The server recognises a decision that it has taken: it is sent until it answers.
                self.tell_away(
                    "The server does not answer; your order is sent again. It counts once."
                )
                self.news.wait()

    def take_back(self) -> Action:
        """Undo the own last decision on the server."""
        mine, decision = self.game.history, self.state["decision"]
        if decision is None:
            raise RubiconError("decision/stale", STALE)
        try:
            self.client.undo(self.id, decision)
        except ApiError as error:
            raise refused(error) from error
        self.look()
        last = mine[-1] if mine else None
        if not isinstance(last, Action):
            raise RubiconError("undo/done", "Your last decision is taken back.")
        return last

    def say_to(self, text: str, to: str) -> None:
        """Send a chat line to one seat, or ("") to all."""
        try:
            self.client.say(self.id, text, to)
        except ApiError as error:
            raise refused(error) from error
        self.look()

    def is_bot(self, colour: str) -> bool:
        """Whether a bot plays a seat."""
        return any(seat["colour"] == colour and seat["bot"] for seat in self.state["seats"])

    def farewell(self) -> list[str]:
        """How to come back to the game."""
        return ["The game goes on at the server. Come back with:", f"  {self.command}"]

    @property
    def command(self) -> str:
        """The command line that opens this game."""
        return f"rubicon play --server {shlex.quote(self.url)} --game {shlex.quote(self.id)}"

    def clock_of(self, colour: str) -> str:
        """The time that a seat has left for its decision: `4:05`, `3 d`; "" without a clock."""
        deadline = self.state["deadlines"].get(colour)
        if deadline is None or self.over:
            return ""
        passed = (time.monotonic() - self.looked_at) * 1000
        return time_left(max(0, int((deadline - self.state["now"] - passed) / 1000)))

    def close(self) -> None:
        """Leave the server."""
        self.news.stop()
        self.client.close()

    def wake_by(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever something happens elsewhere."""
        self.news.on_news = wake
        self.client.on_dice_trouble(self.id, self.hear_trouble)

    def hear_trouble(self) -> None:
        """From the thread of the dice: an order may be waiting for its dice just now."""
        self.hear_dice()
        self.news.tell()
