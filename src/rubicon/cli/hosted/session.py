"""A game on a server behind the session of the terminal: decisions go out, events come in."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rubicon.cli.hosted.clocks import time_left
from rubicon.cli.hosted.mirror import MirroredGame
from rubicon.cli.hosted.news import AWAY, RETRY, News
from rubicon.cli.terminal.session import ANSWERS, Session
from rubicon.client import ApiError, Client, DiceAlarm
from rubicon.client.answer_types import ChatAnswer, EventAnswer, GameAnswer
from rubicon.client.answers import answer_field, bad_answer, of_type
from rubicon.dice.errors import DiceError
from rubicon.errors import RubiconError
from rubicon.rules.actions import Action, Resign, RevealMission, StandingOrder
from rubicon.rules.events import Event, Rolled, TurnBegan
from rubicon.rules.notation.event_json import event_from_json
from rubicon.rules.notation.json_format import JsonError
from rubicon.wording import printable

OUT_OF_TURN = (Resign, RevealMission, StandingOrder)
PAST = 80  # log lines before the present that are told at first
MOST_EVENTS = 500  # of one answer of the server
PASSING = (*AWAY, 429, 500)  # answers behind which the game is looked at again
UNKNOWN = (0, 502, 504)  # answers behind which an order may or may not have been taken
NEUTRAL = "neutral"
ALARM = "ALARM"
NO_PART = "Your program takes no part in the dice here"
NOT_SENT = ("Your order was not sent.", "Give it again if you want to play on.")
STALE = (
    "This decision was made elsewhere meanwhile, perhaps in your browser; nothing was done here."
)


def refused(error: ApiError) -> RubiconError:
    """An error of the server as the prompt tells its own: each of its texts is one line."""
    message, suggestion = (
        printable(str(error.body.get(name) or "")) for name in ("message", "suggestion")
    )
    return RubiconError(printable(error.code) or "http/refused", message, suggestion)


def alarm_of(alarm: DiceAlarm) -> RubiconError:
    """An alarm of the dice as the prompt tells an error."""
    return RubiconError(f"dice/{alarm.code}", str(alarm))


def events_of(facts: Any, colours: Sequence[str]) -> list[Event]:
    """The events of a log line; what a newer server tells, or a broken one, is left out."""
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

    `state` is what the server said last, `index` the last log line that was told. Whatever is
    missed while the server is away is fetched again by its index.
    """

    client: Client
    url: str
    id: str
    news: News
    state: GameAnswer
    index: int = -1
    chat_line: int = 0
    told_away: str = ""
    looked_at: float = field(default_factory=time.monotonic)
    elsewhere: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        you = self.state["you"]
        self.people, self.watcher, self.hot_seat = [you] if you else [], you, False
        self.narrations = {v: self.narrations[v] for v in {None, you}}
        game = self.game
        assert isinstance(game, MirroredGame)
        game.take_back = self.take_back
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
            state = of_type(self.client.game(self.id, text=True), GameAnswer)
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

    def checked(self, state: GameAnswer) -> GameAnswer:
        """The state, if it is that of the own seat; ApiError for any other."""
        if state["you"] not in (None, self.watcher):
            raise bad_answer("it is what another seat sees")
        return state

    def hear_dice(self) -> None:
        """Tell an alarm of the dice, or why this program takes part in them no longer."""
        trouble = self.client.dice_trouble(self.id)
        if isinstance(trouble, DiceAlarm):
            self.alarm(ALARM, alarm_of(trouble))
        elif trouble is not None:
            self.alarm("NO PART IN THE DICE", RubiconError("dice/no-part", f"{NO_PART}: {trouble}"))

    def hear_events(self) -> None:
        """Tell the events of log lines that were not told yet."""
        while True:
            before = self.index
            rows = of_type(self.client.past_events(self.id, after=before), list[EventAnswer])
            self.tell([row for row in rows if row["index"] > before])
            if len(rows) < MOST_EVENTS or self.index == before:
                return

    def tell(self, rows: list[EventAnswer]) -> None:
        """Tell the events of log lines."""
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
        """Tell the chat lines that were not told yet."""
        if not self.people:
            return
        lines = of_type(self.client.chat(self.id, after=self.chat_line), list[ChatAnswer])
        for line in lines:
            if line["id"] > self.chat_line:
                self.chat_line = line["id"]
                to = f" to {line['to']}" if line["to"] else ""
                self.print_event(f"{line['seat'] or 'somebody'}{to} says: {line['text']}")

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
            self.alarm(ALARM, alarm_of(alarm))
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
                return answer_field(self.client.submit(self.id, decision, text), "status", str)
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
