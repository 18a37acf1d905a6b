"""A hosted game in memory: the state that follows from its log, and nothing else.

`HostedGame.fold` alone changes it, by one line of the log: a new one, or one that is read again.
The rest of the class only answers questions.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rubicon.dice.lines.request import GivenLink, SignedOrder
from rubicon.dice.lines.state import DICE_SERVER, REQUIRED
from rubicon.dice.server import ServerSecrets
from rubicon.dice.transcript import Transcript
from rubicon.engine.records import Phase
from rubicon.orders.execute.executor import RunningOrders
from rubicon.rules.actions import Pick
from rubicon.rules.events import Event
from rubicon.rules.game import Game
from rubicon.rules.record import game_of
from rubicon.table.errors import TableError
from rubicon.table.game import log_lines
from rubicon.table.game.dice import Placements, is_secret, pending_of
from rubicon.table.game.limits import REPEATABLE, SECOND, Clocks, LineCounts
from rubicon.table.game.log_lines import (
    ANSWERS,
    DAMAGED,
    NO_DECISION,
    LineKind,
    LogLine,
    payload_of,
    said,
)
from rubicon.table.game.requests import MasterState, warnings_of
from rubicon.table.settings import Settings

Events = tuple[Event, ...]
NO_SEAT = ""  # is present
SETUP_ORDER = "begin"  # the words of a request that no decision led to
FORK = "fork "  # the motion that a new game begins at a log index, which follows
REPLACE = "replace "  # the motion that a stand-in bot plays a seat; its colour follows
# What chance alone adds to a decision.
BY_CHANCE = frozenset(
    {LineKind.REQUEST, LineKind.LINK, LineKind.SILENT, LineKind.OUTCOME, LineKind.END}
)
# Nothing may come between a request and its answer that could change the roll.
WHILE_REQUESTED = frozenset(
    {LineKind.LINK, LineKind.SILENT, LineKind.OUTCOME, LineKind.LOST_LINES, LineKind.END}
)
# What moves the game itself: after other lines the turn is the same.
_MOVES = frozenset({LineKind.ACTION, LineKind.OUTCOME, LineKind.UNDO})
# What may follow from a request of the game master, after its line.
MASTERED = frozenset({LineKind.MASTER, LineKind.BOT, LineKind.UNDO, LineKind.REPORT})
STARTED = int(time.time() * 1000)  # this process: a wait that it interrupted begins anew


@dataclass(frozen=True, slots=True)
class LinkWanted:
    """A request that waits for the link of a seat's client; `until` in milliseconds since 1970."""

    request: int
    id: str  # of the participant
    until: int
    witness: str


@dataclass(frozen=True, slots=True)
class DecisionWords:
    """The decision that the next request follows from: whose, its number, its words."""

    seat: str = ""
    decision: int = 0
    words: str = SETUP_ORDER
    signed: SignedOrder | None = None


def beginning_of(game_id: str, begin: LogLine) -> log_lines.Beginning:
    """What the first line of a log says; TableError `log/beginning` if it is another line."""
    if begin.kind is not LineKind.BEGIN:
        message = f"The log of {game_id} begins with {begin.kind.value!r}."
        raise TableError("log/beginning", message, "The log is damaged: restore it.")
    return said(begin, log_lines.Beginning)


class HostedGame:
    """One hosted game after the last line of its log."""

    def __init__(self, game_id: str, begin: LogLine, secrets: ServerSecrets) -> None:
        beginning = beginning_of(game_id, begin)
        self.id = game_id
        self.secrets = secrets
        self.headers = json.dumps(beginning.record)
        self.settings = Settings.read(beginning.table)
        self.server_bots = beginning.bots  # bots that own a seat
        self.game = first_game(beginning)
        self.head = begin.index
        self.transcript = Transcript()  # of the dice; its lines are in the database
        self.words: list[str] = []  # of the decisions that led to the requests
        self.cards: list[tuple[int, int, str]] = []  # secret picks: request, draw, thing
        self.decided = DecisionWords()
        # The signature of the decision that follows, with its seat and decision id.
        self.signed: tuple[str, int, log_lines.Signed] | None = None
        self._drawn = 0  # draws of the last request
        self.requested: log_lines.Requested | None = None  # the request that waits, if one does
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
        self.away: dict[str, log_lines.Absence] = {}
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
        self.ending: log_lines.GameEnding | None = None
        # Of the current line: whether its action was checked before, whether that goes on with a
        # step of the turn that has begun, whether its events are needed.
        self._checked = self._moved_again = False
        self._with_events = True
        self._turn: str | None = None
        self.in_turns = False  # whether the set-up is complete
        self._note_turn()
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
    def placing(self) -> bool:
        """Whether placements are sealed, or still to be opened."""
        return self.game.phase == Phase.SEALED or self.placements.unfinished

    @property
    def has_genesis(self) -> bool:
        """Whether the dice have begun: an independent dice server deposits only after the start."""
        return self.transcript.state.seq > 0

    @property
    def awaits_dice(self) -> bool:
        """Whether a request to the dice waits: nothing may come between it and its answer."""
        return self.requested is not None and self.requested.n is not None

    @property
    def awaits_typed(self) -> bool:
        """Whether the result of real dice is to be entered."""
        return self.requested is not None and self.requested.n is None

    @property
    def links_wanted(self) -> dict[str, LinkWanted]:
        """The links of clients that the pending request still needs, by seat."""
        state = self.transcript.state
        pending = state.pending
        # The server alone is the usual case, and this is asked several times an order.
        if pending is None or len(pending.participants) == 1 or pending.given is not None:
            return {}
        if self.at_rest:
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

    def fold(self, line: LogLine, *, checked: bool = False, with_events: bool = True) -> Events:
        """Take in the next line of the log; the events that follow from it.

        `checked`: the rules have just allowed the line's action. A replay needs no events, whose
        making takes most of its time. TableError where the line cannot come next, Refused and
        BadOutcome where the rules do not allow it. After an error the game may be half changed: the
        caller drops it from the cache.
        """
        self._check_next(line)
        says = payload_of(line, self.game)
        before, in_turns = self._turn, self.in_turns
        self._checked, self._moved_again = checked, False
        self._with_events = with_events
        if line.kind not in MASTERED:
            self.master.order = None
        by_master = line.kind is LineKind.UNDO and self.master.takes_back
        events: Events = _FOLDS[type(says)](self, line, says)
        if line.kind in _MOVES:
            self._note_turn()
        self.head, self.changed = line.index, line.at
        if line.kind in ANSWERS:
            self.present = present_after(line, self.present, self.ordered)
        if line.kind is LineKind.ACTION or line.kind in BY_CHANCE:
            self.chance_index = line.index
        turn_passed = before != self._turn
        if in_turns and before is not None and turn_passed and line.kind is not LineKind.UNDO:
            self.clocks.turn_ended(before)
        settled = line.kind is LineKind.OUTCOME or turn_passed
        self.counts.count(line, says, settled=settled, by_master=by_master)
        self._ask(line)
        return events

    def _note_turn(self) -> None:
        self._turn = self.game.turn
        self.in_turns = bool(self.game.position.round_number > 0)

    def _check_next(self, line: LogLine) -> None:
        if line.index != self.head + 1:
            message = f"Line {self.head + 1} of the log is missing; {line.index} follows."
            raise TableError("log/gap", message, DAMAGED)
        if self.ending is not None:
            message = f"Line {line.index} of the log follows the end of the game."
            raise TableError("log/after-the-end", message, DAMAGED)
        if line.kind not in WHILE_REQUESTED and self.awaits_dice:
            message = f"Line {line.index} of the log is between a dice request and its answer."
            raise TableError("log/between", message, DAMAGED)

    def _events(self, events: Iterable[Event]) -> Events:
        """The events of a step. The game computes them lazily, which a replay need not pay for."""
        return tuple(events) if self._with_events else ()

    def _orders(self, line: LogLine, says: log_lines.Orders) -> Events:
        self.running[line.seat] = RunningOrders(says.orders, self.game, line.seat)
        self.ordered[line.seat] = line
        self.warnings[line.seat] = warnings_of(says.orders)
        self._decide(line, says.words)
        return ()

    def _action(self, line: LogLine, says: log_lines.Acted) -> Events:
        action = says.action
        for running in self.running.values():
            running.follow(self.game, action)
        phase = self.game.phase
        self.clocks.remember(line.seat)
        if phase == Phase.SEALED:
            self.placements.place(line.seat, action)
        events = self._events(self.game.play(action, checked=self._checked))
        orders = self.ordered.get(line.seat)
        if orders is None or orders.decision != line.decision:  # else the orders have decided it
            self._decide(line, line.text)
        # Armies moved to and fro, cards offered and taken back: these could go on for ever, so
        # they share the time of one decision.
        self._moved_again = isinstance(action, REPEATABLE) and phase == self.game.phase
        self.last_decision = line
        self.undoable.append(line.index)
        return events

    def _decide(self, line: LogLine, words: str) -> None:
        """Remember a decision: the next dice follow from it."""
        signed, self.signed = self.signed, None
        signature = None
        if signed is not None and signed[:2] == (line.seat, line.decision):
            words, signature = signed[2].words, signed[2].order
        self.decided = DecisionWords(line.seat, max(line.decision, 0), words, signature)

    def _signed(self, line: LogLine, says: log_lines.Signed) -> Events:
        self.signed = line.seat, line.decision, says
        return ()

    def _request(self, line: LogLine, says: log_lines.Requested) -> Events:
        self.untyped = self.thrower
        self._end_typing(line)
        self.requested, self.requested_at = says, line.at
        self.links.clear()
        if says.n is None:
            # The first dice of all belong to no player: anyone may enter them.
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

    def _presence(self, _: LogLine, __: log_lines.DicePresence) -> Events:
        """The transcript of the dice says who takes part; the line only counts as a change."""
        return ()

    def _link(self, _: LogLine, says: log_lines.LinkGiven) -> Events:
        self.links[says.id] = says.given
        return ()

    def _silent(self, _: LogLine, says: log_lines.Silent) -> Events:
        self.links[says.id] = None
        return ()

    def _outcome(self, line: LogLine, says: log_lines.Settled) -> Events:
        outcome = says.outcome
        if not self.awaits_typed:
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

    def _sealed(self, line: LogLine, says: log_lines.SealedPlacement) -> Events:
        self.placements.seal(line.seat, says.body)
        return ()

    def _opened(self, line: LogLine, says: log_lines.OpenedPlacement) -> Events:
        self.placements.open(line.seat, says.body)
        if line.seat not in self.decisions:  # else its first turn has begun, and that clock runs
            self.clocks.finish(line.seat, line.at, acted=False)
        return ()

    def _report(self, line: LogLine, _: log_lines.OrdersReport) -> Events:
        self.running.pop(line.seat, None)
        return ()

    def _undo(self, line: LogLine, _: log_lines.Undone) -> Events:
        undone = self.game.undo(line.seat, past_turn=self.master.takes_back)
        self.placements.take_back(line.seat, undone)
        self.undoable.pop()
        self.master.order = None
        self.clocks.undo()
        return ()

    def _bot(self, line: LogLine, says: log_lines.StandIn) -> Events:
        self._forbid_undo()  # it would set the clock back to before the bot
        self.late.discard(line.seat)
        self.votes.pop(REPLACE + line.seat, None)
        if says.bot:
            self.bots[line.seat] = says.bot
            self.clocks.hand_over(line.seat, line.at)
        elif self.bots.pop(line.seat, None):
            self.master.freed.discard(line.seat)
            self.clocks.take_back(line.seat, line.at)
        return ()

    def _vote(self, line: LogLine, says: log_lines.VoteCast) -> Events:
        for_it = self.votes.setdefault(says.motion, set())
        if not says.withdrawn:
            for_it.add(line.seat)
            return ()
        for_it.discard(line.seat)
        if not for_it or says.motion == REPLACE + line.seat:  # its owner no longer agrees
            del self.votes[says.motion]
        return ()

    def _pause(self, line: LogLine, says: log_lines.Paused) -> Events:
        self.paused = says.on
        self.votes.pop("pause" if self.paused else "resume", None)
        stop_or_go = self.clocks.pause if self.paused else self.clocks.resume
        stop_or_go(line.at)
        return ()

    def _extend(self, line: LogLine, _: log_lines.Extended) -> Events:
        if line.seat:
            self.unreachable.add(line.seat)
            self.clocks.extend(line.seat)
            return ()
        self.votes.pop("extend", None)
        for seat in self.on_clock:
            self.clocks.extend(seat)
        return ()

    def _warned(self, line: LogLine, _: log_lines.Warned) -> Events:
        self.warned[line.seat] = line.decision
        return ()

    def _late(self, line: LogLine, _: log_lines.Late) -> Events:
        self.late.add(line.seat)
        return ()

    def _away(self, line: LogLine, says: log_lines.Away) -> Events:
        self._forbid_undo()  # it would set the clock back to before the absence
        self.away.pop(line.seat, None)
        self.clocks.end_suspension(line.seat, line.at)
        absence = says.absence
        if absence is None:
            return ()
        self.away[line.seat] = absence
        self.days_away[line.seat] = self.days_away.get(line.seat, 0) + absence.days
        if not absence.bot and absence.covers(line.at):
            self.clocks.suspend(line.seat, line.at, absence.until)
        return ()

    def _erased(self, line: LogLine, _: log_lines.Erased) -> Events:
        self.erased.add(line.seat)
        for for_it in self.votes.values():
            for_it.discard(line.seat)
        return ()

    def _lost_lines(self, line: LogLine, _: log_lines.LostLines) -> Events:
        """No further request is made, and one that waits is never answered."""
        self.lost_lines, self.requested = line, None
        self.links.clear()
        self.running.clear()
        self.votes.clear()
        return ()

    def _master(self, line: LogLine, says: log_lines.MasterOrder) -> Events:
        """What a request of the game master changes by itself; other lines may follow from it."""
        self.master.order = says
        match says.word:
            case log_lines.MasterWord.EXTEND:
                for seat in self.on_clock:
                    self.clocks.give(seat, line.at, says.number)
                    self.late.discard(seat)
                    self.warned.pop(seat, None)
            case log_lines.MasterWord.REPLACE:
                self.master.freed.add(says.seat)
                self.away.pop(says.seat, None)
                for for_it in self.votes.values():
                    for_it.discard(says.seat)
            case log_lines.MasterWord.BANNER:
                self.master.banner = says.words
        return ()

    def _fork(self, _: LogLine, says: log_lines.Forked) -> Events:
        self.forked = says.game
        self.votes.clear()
        self.running.clear()
        return ()

    def _end(self, _: LogLine, says: log_lines.GameEnding) -> Events:
        self.ending = says
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
        at_rest, withheld = self.at_rest, self.placements.withheld
        actors = () if at_rest else self.game.actors
        if withheld:
            actors = tuple(seat for seat in actors if seat not in withheld)
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

        for seat in () if at_rest or not self.placements.owed else self.placements.wanted:
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


def first_game(beginning: log_lines.Beginning) -> Game:
    """The game at the first line of a log, before any action."""
    return _fresh(json.dumps(beginning.record)).copy()


# Reading a ruleset takes milliseconds, and many games begin alike: callers get a copy.
@lru_cache(maxsize=256)
def _fresh(headers: str) -> Game:
    return game_of(json.loads(headers))


# Keyed by what a line says; each takes the line and its payload.
_FOLDS: Mapping[type, Callable[[HostedGame, LogLine, Any], Events]] = {
    log_lines.Orders: HostedGame._orders,
    log_lines.Acted: HostedGame._action,
    log_lines.Signed: HostedGame._signed,
    log_lines.Requested: HostedGame._request,
    log_lines.Settled: HostedGame._outcome,
    log_lines.DicePresence: HostedGame._presence,
    log_lines.LinkGiven: HostedGame._link,
    log_lines.Silent: HostedGame._silent,
    log_lines.SealedPlacement: HostedGame._sealed,
    log_lines.OpenedPlacement: HostedGame._opened,
    log_lines.OrdersReport: HostedGame._report,
    log_lines.Undone: HostedGame._undo,
    log_lines.StandIn: HostedGame._bot,
    log_lines.VoteCast: HostedGame._vote,
    log_lines.Paused: HostedGame._pause,
    log_lines.Extended: HostedGame._extend,
    log_lines.Warned: HostedGame._warned,
    log_lines.Late: HostedGame._late,
    log_lines.Away: HostedGame._away,
    log_lines.Erased: HostedGame._erased,
    log_lines.LostLines: HostedGame._lost_lines,
    log_lines.MasterOrder: HostedGame._master,
    log_lines.Forked: HostedGame._fork,
    log_lines.GameEnding: HostedGame._end,
}
