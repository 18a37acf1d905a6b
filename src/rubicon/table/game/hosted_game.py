"""A hosted game in memory: the state that follows from its log, and nothing else.

`HostedGame.apply` is the only interpreter of the log, both for new lines and for lines that are
replayed. A new line carries its parsed action; a line from the database is parsed here.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from rubicon.dice.lines.request import GivenLink, SignedOrder
from rubicon.dice.lines.state import DICE_SERVER, REQUIRED
from rubicon.dice.server import ServerSecrets
from rubicon.dice.transcript import Transcript
from rubicon.engine.records import Phase
from rubicon.orders.execute.executor import RunningOrders
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.actions import Action, Pick
from rubicon.rules.events import Event
from rubicon.rules.game import Game
from rubicon.rules.notation.actions import parse_action, parse_outcome
from rubicon.rules.record import game_of
from rubicon.table.errors import TableError
from rubicon.table.game.dice import Placements, is_secret, pending_of
from rubicon.table.game.limits import REPEATABLE, SECOND, Absence, Clocks, LineCounts
from rubicon.table.game.requests import MasterState, MasterWord, read_order, warnings_of
from rubicon.table.settings import Settings
from rubicon.table.storage.event_log import ANSWERS, NO_DECISION, LineKind, LogLine

Events = tuple[Event, ...]
TYPED = "typed"
NO_SEAT = ""  # is present
SETUP_ORDER = "begin"  # the words of a request that no decision led to
FORK = "fork "  # the motion that a new game begins at a log index, which follows
REPLACE = "replace "  # the motion that a stand-in bot plays a seat; its colour follows
# What chance alone adds to a decision.
BY_CHANCE = frozenset(
    {LineKind.REQUEST, LineKind.LINK, LineKind.SILENT, LineKind.OUTCOME, LineKind.END}
)
# Between a request and its answer nothing may stand that could make one roll another one.
WHILE_REQUESTED = frozenset(
    {LineKind.LINK, LineKind.SILENT, LineKind.OUTCOME, LineKind.LOST_LINES, LineKind.END}
)
# What may follow from a request of the game master, behind its line.
MASTERED = frozenset({LineKind.MASTER, LineKind.BOT, LineKind.UNDO, LineKind.REPORT})
STARTED = int(time.time() * 1000)  # this process: a wait that it interrupted begins anew


@dataclass(frozen=True, slots=True)
class GameEnding:
    """How a game ended: a colour, `draw` or `void`, and why."""

    result: str
    reason: str


@dataclass(frozen=True, slots=True)
class LinkWanted:
    """A request that waits for the link of a seat's client; `until` in milliseconds since 1970."""

    request: int
    id: str  # of the participant
    until: int
    witness: str

    def as_dict(self) -> dict[str, str | int]:
        """As programs get it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class DecisionWords:
    """The decision that the next request follows from: whose, its number, its words."""

    seat: str = ""
    decision: int = 0
    words: str = SETUP_ORDER
    signed: SignedOrder | None = None


def _beginning(game_id: str, begin: LogLine) -> dict[str, Any]:
    """What the first line of a log says; TableError `log/beginning` if it is another line."""
    if begin.kind is not LineKind.BEGIN:
        message = f"The log of {game_id} begins with {begin.kind.value!r}."
        raise TableError("log/beginning", message, "The log is damaged: restore it.")
    found: dict[str, Any] = json.loads(begin.text)
    return found


class HostedGame:
    """One hosted game after the last line of its log."""

    def __init__(self, game_id: str, begin: LogLine, secrets: ServerSecrets) -> None:
        beginning = _beginning(game_id, begin)
        self.id = game_id
        self.secrets = secrets
        self.headers = json.dumps(beginning["record"])
        self.settings = Settings.read(beginning["table"])
        self.server_bots: dict[str, str] = beginning.get("bots", {})  # bots that own a seat
        self.game = beginning_of(begin)
        self.head = begin.index
        self.transcript = Transcript()  # of the dice; its lines stand in the database
        self.dice_line = ""  # the transcript's last line as it is stored
        self.words: list[str] = []  # of the decisions that led to the requests
        self.cards: list[tuple[int, int, str]] = []  # secret picks: request, draw, thing
        self.decided = DecisionWords()
        self.signed: LogLine | None = None  # the signature of the decision that follows
        self._drawn = 0  # draws of the last request
        self.requested: str | None = None  # the request that waits, if one does
        self.unannounced: list[Any] = []  # facts that are announced with the dice that wait
        # The last log index that watchers know, where lines since then are told with their dice.
        self.published: int | None = None
        self.requested_at = begin.at
        # The seat whose clock runs while real dice must be entered, and the seat for which the
        # table rolls them instead.
        self.thrower = self.untyped = ""
        self.links: dict[str, GivenLink | None] = {}  # by participant; None: silent
        self.placements = Placements(self.game.colours)
        self.last_decision: LogLine | None = None  # the line of the last action
        self.present = NO_SEAT  # see `present_after`
        self.chance_index = begin.index  # the last line that followed from it by chance
        self.running: dict[str, RunningOrders] = {}  # by seat
        self.ordered: dict[str, LogLine] = {}  # each seat's last line of orders
        self.warnings: dict[str, tuple[str, ...]] = {}  # what of their text is not carried out
        self.decisions: dict[str, int] = {}
        self.undoable: list[int] = []  # the log indexes of actions that may still be undone
        self.bots: dict[str, str] = {}  # stand-in bots, by seat
        self.away: dict[str, Absence] = {}
        self.days_away: dict[str, int] = {}
        self.warned: dict[str, int] = {}  # the decision that a seat was warned about
        self.changed = begin.at
        self.clocks = Clocks(self.settings)
        self.clocks.fill_banks(self.game.colours)
        self.votes: dict[str, set[str]] = {}  # the seats that are for each motion
        # Seats whose time is over, where the policy is to wait; and those that got more time as
        # their e-mails came back.
        self.late, self.unreachable = set[str](), set[str]()
        self.master = MasterState()
        self.erased: set[str] = set()  # seats whose owner has erased their account
        self.counts = LineCounts()
        self.paused = False
        self.forked = ""  # the game that replaces this one
        self.lost_lines: LogLine | None = None  # the line that has stopped this game, if one has
        self.ending: GameEnding | None = None
        self._acted: Action | None = None  # the action of the current line
        # Of the current line: whether its action was checked before, whether that goes on with a
        # step of the turn that has begun, whether its events are not needed.
        self._checked = self._moved_again = self._without_events = False
        self._appliers: dict[LineKind, Callable[[LogLine], Events]] = {
            LineKind.ORDERS: self._orders,
            LineKind.ACTION: self._action,
            LineKind.REQUEST: self._request,
            LineKind.OUTCOME: self._outcome,
            LineKind.SIGNED: self._signed,
            LineKind.PRESENCE: lambda _: (),
            LineKind.LINK: self._link,
            LineKind.SILENT: self._silent,
            LineKind.SEALED: self._sealed,
            LineKind.OPENED: self._opened,
            LineKind.REPORT: self._report,
            LineKind.UNDO: self._undo,
            LineKind.BOT: self._bot,
            LineKind.VOTE: self._vote,
            LineKind.PAUSE: self._pause,
            LineKind.EXTEND: self._extend,
            LineKind.WARNED: self._warned,
            LineKind.LATE: self._late,
            LineKind.AWAY: self._away,
            LineKind.ERASED: self._erased,
            LineKind.LOST_LINES: self._lost_lines,
            LineKind.MASTER: self._master,
            LineKind.FORK: self._fork,
            LineKind.END: self._end,
        }
        self._ask(begin)

    @property
    def at_rest(self) -> bool:
        """Whether no more actions follow: the game is over, was forked, or has lost dice lines."""
        return self.ending is not None or bool(self.forked) or self.lost_lines is not None

    @property
    def stopped(self) -> bool:
        """Whether the game has lost dice lines, and was neither forked nor ended since."""
        return self.lost_lines is not None and not self.forked and self.ending is None

    @property
    def in_turns(self) -> bool:
        """Whether the set-up is complete."""
        return bool(self.game.position.round_number > 0)

    @property
    def placing(self) -> bool:
        """Whether placements are sealed, or still to be opened."""
        return self.game.phase == Phase.SEALED or self.placements.unfinished

    @property
    def has_genesis(self) -> bool:
        """Whether the dice have begun: an independent dice server deposits only after the start."""
        return len(self.transcript) > 0

    @property
    def links_wanted(self) -> dict[str, LinkWanted]:
        """The links of clients that the pending request still needs, by seat."""
        state = self.transcript.state
        pending = state.pending
        if pending is None or pending.given is not None or self.at_rest:
            return {}
        if len(pending.participants) == 1:
            return {}
        wait = state.roll_wait if self.in_turns else state.setup_wait
        until = max(self.requested_at, STARTED) + wait * SECOND
        return {
            state.participants[name].seat: LinkWanted(
                pending.n, name, until, self.transcript.witness
            )
            for name in pending.participants
            if name not in REQUIRED and name not in self.links
        }

    @property
    def asks_dice_server(self) -> bool:
        """Whether the pending request needs the link of an independent dice server."""
        pending = self.transcript.state.pending
        return pending is not None and DICE_SERVER in pending.participants and not self.at_rest

    @property
    def roller(self) -> str:
        """The seat that rolls the pending dice; "" for the first dice of all."""
        return self.last_decision.seat if self.last_decision is not None else ""

    @property
    def typists(self) -> tuple[str, ...]:
        """The seats whose owners could enter real dice: no bot plays them."""
        gone = self.bots.keys() | self.server_bots.keys() | self.erased
        return tuple(seat for seat in self.game.colours if seat not in gone)

    @property
    def on_clock(self) -> tuple[str, ...]:
        """The seats that must decide, enter real dice, or open a placement."""
        thrower = (self.thrower,) if self.thrower else ()
        return (*self.decisions, *thrower, *self.placements.wanted)

    @property
    def answered_at_once(self) -> bool:
        """Whether the next transaction of this server can answer a request."""
        return not self.links_wanted and not self.asks_dice_server

    @property
    def dice_clients(self) -> dict[str, str]:
        """The participant of each seat whose client takes part in the dice."""
        participants = self.transcript.state.participants.values()
        return {one.seat: one.id for one in participants if one.seat and one.present}

    def apply(self, line: LogLine, *, checked: bool = False) -> Events:
        """Apply the next line; the events that follow from it.

        `checked`: the rules have just allowed the line's action. TableError where the line cannot
        come next, Refused and BadOutcome where the rules do not allow it. After an error the game
        may be half changed: the caller drops it from the cache.
        """
        if line.index != self.head + 1:
            message = f"Line {self.head + 1} of the log is missing; {line.index} follows."
            raise TableError("log/gap", message, "The log is damaged: restore a backup.")
        if self.ending is not None:
            message = f"Line {line.index} of the log follows the end of the game."
            raise TableError("log/after-the-end", message, "The log is damaged: restore a backup.")
        if self.requested not in (None, TYPED) and line.kind not in WHILE_REQUESTED:
            message = f"Line {line.index} of the log stands between a dice request and its answer."
            raise TableError("log/between", message, "The log is damaged: restore a backup.")
        turn, before = self.game.turn if self.in_turns else None, self.game.turn
        self._checked, self._acted, self._moved_again = checked, None, False
        if line.kind not in MASTERED:
            self.master.order = None
        by_master = line.kind is LineKind.UNDO and self.master.takes_back
        events = self._appliers[line.kind](line)
        self.head, self.changed = line.index, line.at
        self.present = present_after(line, self.present, self.ordered)
        if line.kind is LineKind.ACTION or line.kind in BY_CHANCE:
            self.chance_index = line.index
        if turn is not None and turn != self.game.turn and line.kind is not LineKind.UNDO:
            self.clocks.turn_ended(turn)
        settled = line.kind is LineKind.OUTCOME or before != self.game.turn
        self.counts.count(line, self._acted, settled=settled, by_master=by_master)
        self._ask(line)
        return events

    def replay(self, line: LogLine) -> None:
        """Apply a line whose events were announced before, without making them again."""
        self._without_events = True
        try:
            self.apply(line)
        finally:
            self._without_events = False

    def _events(self, events: Iterable[Event]) -> Events:
        """The events of a step. The game computes them lazily, which a replay need not pay for."""
        return () if self._without_events else tuple(events)

    def _orders(self, line: LogLine) -> Events:
        orders = line.payload or read_orders(line.text, self.game.ruleset.board, self.game.colours)
        self.running[line.seat] = RunningOrders(orders, self.game, line.seat)
        self.ordered[line.seat] = line
        self.warnings[line.seat] = warnings_of(orders)
        self._decide(line)
        return ()

    def _action(self, line: LogLine) -> Events:
        action = line.payload or parse_action(line.text, self.game.ruleset.board, self.game.colours)
        for running in self.running.values():
            running.follow(self.game, action)
        self._acted, phase = action, self.game.phase
        self.clocks.remember(line.seat)
        if phase == Phase.SEALED:
            self.placements.place(line.seat, action)
        events = self._events(self.game.play(action, checked=self._checked))
        orders = self.ordered.get(line.seat)
        if orders is None or orders.decision != line.decision:  # else the orders have decided it
            self._decide(line)
        # Armies moved to and fro, cards offered and taken back: these could go on for ever, so
        # they share the time of one decision.
        self._moved_again = isinstance(action, REPEATABLE) and phase == self.game.phase
        self.last_decision = line
        self.undoable.append(line.index)
        return events

    def _decide(self, line: LogLine) -> None:
        """Remember a decision: the next dice follow from it."""
        signed, words, self.signed = self.signed, line.text, None
        signature = None
        if signed is not None and (signed.seat, signed.decision) == (line.seat, line.decision):
            parts = json.loads(signed.text)
            words = parts["words"]
            head, sig = bytes.fromhex(parts["head"]), bytes.fromhex(parts["signature"])
            signature = SignedOrder(parts["id"], head, sig)
        self.decided = DecisionWords(line.seat, max(line.decision, 0), words, signature)

    def _signed(self, line: LogLine) -> Events:
        self.signed = line
        return ()

    def _request(self, line: LogLine) -> Events:
        self.untyped = self.thrower
        self._end_typing(line)
        self.requested, self.requested_at = line.text, line.at
        self.links.clear()
        if line.text == TYPED:
            # The first dice of all belong to nobody: any player may enter them.
            self.thrower = self.roller or next(iter(self.typists))
            self._time_for(line, self.thrower)
        else:
            self._drawn = 0
            self.words.append(self.decided.words)
        return ()

    def _end_typing(self, line: LogLine) -> None:
        if self.thrower:
            self.clocks.finish(self.thrower, line.at, acted=False)
            self.thrower = ""

    def _link(self, line: LogLine) -> Events:
        name, link, sig = line.text.split(" ")
        self.links[name] = GivenLink(bytes.fromhex(link), bytes.fromhex(sig))
        return ()

    def _silent(self, line: LogLine) -> Events:
        self.links[line.text] = None
        return ()

    def _outcome(self, line: LogLine) -> Events:
        outcome = line.payload or parse_outcome(line.text)
        if self.requested != TYPED:
            if isinstance(outcome, Pick) and is_secret(self.game, pending_of(self.game)):
                self.cards.append((len(self.words) - 1, self._drawn, outcome.thing))
            self._drawn += 1
        events = self._events(self.game.settle(outcome))
        self._end_typing(line)
        self.requested, self.untyped = None, ""
        self.links.clear()
        self._forbid_undo()  # an action before dice cannot be undone
        return events

    def _forbid_undo(self) -> None:
        self.undoable.clear()
        self.clocks.before.clear()
        self.game.forget_history()

    def _sealed(self, line: LogLine) -> Events:
        self.placements.seal(line)
        return ()

    def _opened(self, line: LogLine) -> Events:
        self.placements.open(line)
        if line.seat not in self.decisions:  # else its first turn has begun, and that clock runs
            self.clocks.finish(line.seat, line.at, acted=False)
        return ()

    def _report(self, line: LogLine) -> Events:
        self.running.pop(line.seat, None)
        return ()

    def _undo(self, line: LogLine) -> Events:
        undone = self.game.undo(line.seat, past_turn=self.master.takes_back)
        self.placements.take_back(line.seat, undone)
        self.undoable.pop()
        self.master.order = None
        self.clocks.undo()
        return ()

    def _bot(self, line: LogLine) -> Events:
        self._forbid_undo()  # it would set the clock back to before the bot
        self.late.discard(line.seat)
        self.votes.pop(REPLACE + line.seat, None)
        if line.text:
            self.bots[line.seat] = line.text
            self.clocks.hand_over(line.seat, line.at)
        elif self.bots.pop(line.seat, None):
            self.master.freed.discard(line.seat)
            self.clocks.take_back(line.seat, line.at)
        return ()

    def _vote(self, line: LogLine) -> Events:
        motion = line.text.removeprefix("-")
        for_it = self.votes.setdefault(motion, set())
        if not line.text.startswith("-"):
            for_it.add(line.seat)
            return ()
        for_it.discard(line.seat)
        if not for_it or motion == REPLACE + line.seat:  # its owner no longer agrees
            del self.votes[motion]
        return ()

    def _pause(self, line: LogLine) -> Events:
        self.paused = line.text == "on"
        self.votes.pop("pause" if self.paused else "resume", None)
        stop_or_go = self.clocks.pause if self.paused else self.clocks.resume
        stop_or_go(line.at)
        return ()

    def _extend(self, line: LogLine) -> Events:
        if line.seat:
            self.unreachable.add(line.seat)
            self.clocks.extend(line.seat)
            return ()
        self.votes.pop("extend", None)
        for seat in self.on_clock:
            self.clocks.extend(seat)
        return ()

    def _warned(self, line: LogLine) -> Events:
        self.warned[line.seat] = line.decision
        return ()

    def _late(self, line: LogLine) -> Events:
        self.late.add(line.seat)
        return ()

    def _away(self, line: LogLine) -> Events:
        self._forbid_undo()  # it would set the clock back to before the absence
        self.away.pop(line.seat, None)
        self.clocks.end_suspension(line.seat, line.at)
        if not line.text:
            return ()
        absence = Absence.parse(line.text)
        self.away[line.seat] = absence
        self.days_away[line.seat] = self.days_away.get(line.seat, 0) + absence.days
        if not absence.bot and absence.covers(line.at):
            self.clocks.suspend(line.seat, line.at, absence.until)
        return ()

    def _erased(self, line: LogLine) -> Events:
        self.erased.add(line.seat)
        for for_it in self.votes.values():
            for_it.discard(line.seat)
        return ()

    def _lost_lines(self, line: LogLine) -> Events:
        """No request is made any more, and one that waits is never answered."""
        self.lost_lines, self.requested = line, None
        self.links.clear()
        self.running.clear()
        self.votes.clear()
        return ()

    def _master(self, line: LogLine) -> Events:
        """What a request of the game master changes by itself; other lines may follow from it."""
        order = self.master.order = read_order(line.text)
        match order.word:
            case MasterWord.EXTEND:
                for seat in self.on_clock:
                    self.clocks.give(seat, line.at, order.number)
                    self.late.discard(seat)
                    self.warned.pop(seat, None)
            case MasterWord.REPLACE:
                self.master.freed.add(order.seat)
                self.away.pop(order.seat, None)
                for for_it in self.votes.values():
                    for_it.discard(order.seat)
            case MasterWord.BANNER:
                self.master.banner = order.words
        return ()

    def _fork(self, line: LogLine) -> Events:
        self.forked = line.text.partition(" ")[2]
        self.votes.clear()
        self.running.clear()
        return ()

    def _end(self, line: LogLine) -> Events:
        result, _, reason = line.text.partition(" ")
        self.ending = GameEnding(result, reason)
        self.requested = None
        self.running.clear()
        return ()

    def _ask(self, line: LogLine) -> None:
        """Update the pending decisions. A decision id is the log index at which it became pending.

        A seat that acts itself gets a new id even if it must decide again: a repeated submission
        must not answer the next decision. Only an action that answers a decision starts the
        seat's clock anew. After an undo, a report of orders or an out-of-turn action the time of
        the pending decision runs on: otherwise a seat could hold the game up for ever.
        """
        withheld = self.placements.withheld
        actors = () if self.at_rest else [c for c in self.game.actors if c not in withheld]
        in_turn = line.kind is LineKind.ACTION and line.decision != NO_DECISION
        answered = in_turn and not self._moved_again
        renumbered = in_turn or line.kind in (LineKind.UNDO, LineKind.REPORT)
        for colour in self.game.colours:
            own = line.seat == colour
            if colour in self.decisions and (colour not in actors or (own and answered)):
                self.decisions.pop(colour)
                self._in_time(colour)
                self.clocks.finish(colour, line.at, acted=own and answered and self.in_turns)
            if colour not in actors:
                continue
            if colour not in self.decisions:
                self.decisions[colour] = line.index
                self._time_for(line, colour)
            elif own and renumbered:
                self.decisions[colour] = line.index
                if in_turn and self.in_turns:
                    self.clocks.act(colour, line.at)

        for seat in () if self.at_rest else self.placements.wanted:
            if self.clocks.seats[seat].since is None:
                self._time_for(line, seat)

    def _in_time(self, seat: str) -> None:
        """The seat has decided: it is not late, and what others said about that is void."""
        self.late.discard(seat)
        if seat not in self.votes.get(REPLACE + seat, ()):
            self.votes.pop(REPLACE + seat, None)

    def _time_for(self, line: LogLine, seat: str) -> None:
        """Start a seat's clock, or let it start at the end of an absence without a bot."""
        if line.kind is LineKind.UNDO and line.seat == seat:
            return  # the clock of the decision that is pending again runs on
        self.clocks.start(seat, line.at)
        absence = self.away.get(seat)
        if absence is not None and not absence.bot and absence.covers(line.at):
            self.clocks.suspend(seat, line.at, absence.until)


def present_after(line: LogLine, present: str, ordered: Mapping[str, LogLine]) -> str:
    """The seat that is present after a line of the log; `present` was before, `""` is none.

    A seat is present that has decided something itself, while no other seat has decided anything
    since. What its orders do (`ordered` are each seat's last ones) counts from when they were sent:
    if another seat has decided something since then, their owner is not present.
    """
    if line.kind not in ANSWERS:
        return present
    orders = ordered.get(line.seat)
    by_orders = (
        line.kind is LineKind.ACTION and orders is not None and orders.decision == line.decision
    )
    return NO_SEAT if by_orders and present != line.seat else line.seat


def beginning_of(begin: LogLine) -> Game:
    """The game at the first line of a log, before any action."""
    return _fresh(json.dumps(json.loads(begin.text)["record"])).copy()


# Reading a ruleset takes milliseconds, and many games begin alike: callers get a copy.
@lru_cache(maxsize=256)
def _fresh(headers: str) -> Game:
    return game_of(json.loads(headers))
