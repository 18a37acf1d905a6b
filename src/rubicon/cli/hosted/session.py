"""A game on a server behind the session of the terminal: decisions go out, events come in."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rubicon.cli.hosted.mirror import MirroredGame
from rubicon.cli.hosted.news import AWAY, RETRY, News
from rubicon.cli.terminal.session import ANSWERS, Session
from rubicon.client import ApiError, Client, DiceAlarm
from rubicon.dice.errors import DiceError
from rubicon.errors import RubiconError
from rubicon.rules.actions import Action, Resign, RevealMission, StandingOrder
from rubicon.rules.events import TurnBegan
from rubicon.rules.notation.event_json import event_from_json

Json = dict[str, Any]
OUT_OF_TURN = (Resign, RevealMission, StandingOrder)
PAST = 80  # log lines before the present that are told at first
MOST_EVENTS = 500  # of one answer of the server
STALE = (
    "This decision was made elsewhere meanwhile, perhaps in your browser; nothing was done here."
)


def refused(error: ApiError) -> RubiconError:
    """An error of the server as the prompt tells its own."""
    body = error.body
    return RubiconError(
        error.code or "http/refused", str(body.get("message", error)), body.get("suggestion") or ""
    )


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
    state: Json
    index: int = -1
    chat_line: int = 0
    told_away: str = ""
    looked_at: float = field(default_factory=time.monotonic)

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
            if self.state["decision"] is None:
                self.show(self.watcher)
                self.news.wait()
                continue
            colour = str(self.state["you"])
            action = self.automatic(colour)
            if action is None:
                return colour
            self.play(action)

    def automatic(self, colour: str) -> Action | None:
        """An answer that leaves no choice."""
        if self.game.phase not in ANSWERS:
            return None
        legal = self.game.legal_for(colour)
        return legal[0] if len(legal) == 1 else None

    def look(self) -> bool:
        """Fetch what is new; False while the server does not answer."""
        try:
            state = self.client.game(self.id, text=True)
            while True:
                rows = self.client.past_events(self.id, after=self.index)
                self.tell(rows)
                if len(rows) < MOST_EVENTS:
                    break
            self.hear_chat()
        except ApiError as error:
            if error.status not in (429, *AWAY):
                raise refused(error) from error
            self.tell_away(f"The server does not answer; the game goes on when it does. ({error})")
            return False
        except DiceAlarm as alarm:
            self.output.error(RubiconError(f"dice/{alarm.code}", str(alarm)))
            return self.look()
        self.tell_away("")
        self.state, self.looked_at = state, time.monotonic()
        self.mirror.mirror(state["text"])
        return True

    def tell(self, rows: list[Json]) -> None:
        """Tell the events of log lines that were not told yet."""
        for row in rows:
            self.index = max(self.index, int(row["index"]))
            facts = row["body"] if row["kind"] == "events" else []
            events = [event_from_json(fact) for fact in facts if fact.get("kind") == "event"]
            for event in events:
                if isinstance(event, TurnBegan):
                    self.mirror.note_turn()
            self.hear(events)

    def tell_away(self, text: str) -> None:
        """Say once that the server is away, and once that it is back."""
        if bool(text) != bool(self.told_away):
            self.output.quiet(text or "The server answers again; nothing was lost.")
        self.told_away = text

    def hear_chat(self) -> None:
        """Tell the chat lines that were not told yet."""
        for line in self.client.chat(self.id, after=self.chat_line) if self.people else []:
            self.chat_line = max(self.chat_line, int(line["id"]))
            to = f" to {line['to']}" if line["to"] else ""
            self.print_event(f"{line['seat'] or 'somebody'}{to} says: {line['text']}")

    def play(self, action: Action) -> None:
        """Send a decision, and wait until its dice have fallen; repeating it does nothing twice."""
        text, decision = str(action), self.state["decision"]
        try:
            if isinstance(action, OUT_OF_TURN):
                self.client.out_of_turn(self.id, text)
            else:
                while self._submitted(decision, text) == "dice":
                    time.sleep(RETRY)
        except (DiceError, DiceAlarm) as error:
            code = error.code if isinstance(error, DiceError) else f"dice/{error.code}"
            raise RubiconError(code, str(error)) from error
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
                return str(self.client.submit(self.id, decision, text)["status"])
            except ApiError as error:
                if error.status:
                    raise
                # The server recognises a decision that it has taken: it is sent until it answers.
                self.tell_away(
                    "The server does not answer; your order is sent again. It counts once."
                )
                self.news.wait()

    def take_back(self) -> Action:
        """Undo the own last decision on the server."""
        mine = self.game.history
        try:
            self.client.undo(self.id, self.state["decision"])
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
        return f"rubicon play --server {self.url} --game {self.id}"

    def clock_of(self, colour: str) -> str:
        """The time that a seat has left for its decision: `4:05`, `3 d`; "" without a clock."""
        due: Mapping[str, int | None] = self.state["deadlines"]
        deadline = due.get(colour)
        if deadline is None or self.over:
            return ""
        passed = (time.monotonic() - self.looked_at) * 1000
        seconds = max(0, int((deadline - self.state["now"] - passed) / 1000))
        if seconds >= 2 * 86400:
            return f"{seconds // 86400} d"
        if seconds >= 3600:
            return f"{seconds // 3600}:{seconds // 60 % 60:02} h"
        return f"{seconds // 60}:{seconds % 60:02}"

    def close(self) -> None:
        """Leave the server."""
        self.news.stop()
        self.client.close()

    def wake_by(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever something happens elsewhere."""
        self.news.on_news = wake
