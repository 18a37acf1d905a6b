"""A hosted game in memory: everything that its log says, and nothing else.

`Live.take` is the one interpreter of the log: a game that is played and a game that is rebuilt
pass through it alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache

from rubicon.dice.bodies import Keeper, Opened
from rubicon.dice.chain import Chain
from rubicon.orders.reading import read_orders
from rubicon.orders.underway import Underway
from rubicon.rules.choices import CardVisibility
from rubicon.rules.events import Event
from rubicon.rules.game import Game
from rubicon.rules.record_headers import game_of
from rubicon.rules.text.actions import parse_action
from rubicon.table.absence import Absence
from rubicon.table.chance import SETUP_ORDER, HeldSeeds
from rubicon.table.clocks import SECOND, Clocks
from rubicon.table.errors import TableError
from rubicon.table.lines import Kind, Line
from rubicon.table.presence import NOBODY, there_behind
from rubicon.table.settings import Settings

Events = tuple[Event, ...]
TYPED = "typed"
# What chance alone adds to a decision.
BY_CHANCE = frozenset({Kind.REQUEST, Kind.LINK, Kind.SILENT, Kind.OUTCOME, Kind.END})


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: a colour, `draw` or `void`, and why."""

    result: str
    reason: str


@dataclass(frozen=True, slots=True)
class LinkWanted:
    """That a request waits for a seat's own link: which link, until when, behind which head."""

    request: str
    number: int  # the first link behind the deposit is 1
    until: int
    witness: str

    def as_dict(self) -> dict[str, str | int]:
        """As programs get it."""
        return asdict(self)


class Live:
    """One hosted game behind the last entry of its log."""

    def __init__(self, game_id: str, begin: Line, seeds: HeldSeeds) -> None:
        if begin.kind is not Kind.BEGIN:
            message = f"The log of {game_id} begins with {begin.kind.value!r}."
            raise TableError("log/beginning", message, "The log is damaged: restore it.")
        beginning = json.loads(begin.text)
        self.id = game_id
        self.seeds = seeds
        self.settings = Settings.read(beginning["table"])
        self.house_bots: dict[str, str] = beginning.get("bots", {})  # seats that are a bot's own
        self.game = beginning_of(begin)
        self.head = begin.entry
        self.chain = Chain()
        self.opened: list[Opened] = []  # what the requests keep hidden until the end
        self.requested: str | None = None  # the request that waits, if one does
        self.untold: dict[str, list[str]] = {}  # facts, by seat, that wait for its answer
        self.requested_at = begin.at
        self.depositors: set[str] = set()  # seats that have kept a hash chain of their own
        self.links: dict[str, bytes | None] = {}  # for the request that waits; None: silent
        self.silences: dict[str, int] = {}  # how often a seat was silent
        self.decision: Line | None = None  # the last one
        self.there = NOBODY  # the seat that has decided something itself, and nobody since
        self.followed = begin.entry  # the last entry that chance alone added to it
        self.underway: dict[str, Underway] = {}  # orders, by their seat
        self.ordered: dict[str, Line] = {}  # the lines that they came with
        self.passed_over: dict[str, tuple[str, ...]] = {}  # what of their text is no order
        self.duties: dict[str, int] = {}
        self.decided_at: list[int] = []  # the entries that may still be taken back
        self.bots: dict[str, str] = {}  # seats that a bot plays in the owner's place
        self.away: dict[str, Absence] = {}
        self.days_away: dict[str, int] = {}
        self.late: set[str] = set()  # seats whose time is over, while the table waits
        self.warned: dict[str, int] = {}  # the duty that a seat was reminded of
        self.changed = begin.at
        self.clocks = Clocks(self.settings)
        self.clocks.begin(self.game.colours)
        self.votes: dict[str, set[str]] = {}  # motions, and the seats for them
        self.paused = False
        self.forked = ""  # the game that goes on instead of this one
        self.ending: Ending | None = None
        self._take: dict[Kind, Callable[[Line], Events]] = {
            Kind.ORDERS: self._orders,
            Kind.ACTION: self._action,
            Kind.REQUEST: self._request,
            Kind.OUTCOME: self._outcome,
            Kind.DEPOSIT: self._deposit,
            Kind.LINK: self._link,
            Kind.SILENT: self._silent,
            Kind.REPORT: self._report,
            Kind.UNDO: self._undo,
            Kind.BOT: self._bot,
            Kind.VOTE: self._vote,
            Kind.PAUSE: self._pause,
            Kind.EXTEND: self._extend,
            Kind.WARNED: self._warned,
            Kind.LATE: self._late,
            Kind.AWAY: self._away,
            Kind.FORK: self._fork,
            Kind.END: self._end,
        }
        self._ask(begin)

    @property
    def public_hands(self) -> bool:
        """Whether all cards lie open."""
        return bool(self.game.rules.cards_visibility == CardVisibility.PUBLIC)

    @property
    def at_rest(self) -> bool:
        """Whether nothing happens here any more: the game is over, or goes on as another."""
        return self.ending is not None or bool(self.forked)

    @property
    def in_turns(self) -> bool:
        """Whether the set-up is over."""
        return bool(self.game.position.round_number > 0)

    @property
    def promised(self) -> bool:
        """Whether the dice are promised; those of somebody else may take a while."""
        return len(self.chain) > 0

    @property
    def links_wanted(self) -> dict[str, LinkWanted]:
        """The seats whose own links the request that waits still needs."""
        if not self.depositors or self.chain.owed is None:
            return {}
        chains, rid = self.chain.state.links, self.chain.owed.rid.hex()
        until = self.requested_at + self.settings.entropy_wait * SECOND
        return {
            seat: LinkWanted(rid, chains[seat].used + 1, until, self.chain.witness)
            for seat in self.chain.contributors()
            if chains[seat].keeper is Keeper.SEAT and seat not in self.links
        }

    @property
    def answered_at_once(self) -> bool:
        """Whether a request is answered here, in the very next transaction."""
        return self.seeds.dice is not None and not self.links_wanted

    @property
    def links_left(self) -> dict[str, int]:
        """How many links are left to the seats that keep chains of their own."""
        if not self.depositors:
            return {}
        return {
            seat: links.length - links.used
            for seat, links in self.chain.state.links.items()
            if links.keeper is Keeper.SEAT and links.live
        }

    def take(self, line: Line) -> Events:
        """Go on with the next line; what has happened by it. TableError where it cannot come."""
        if line.entry != self.head + 1:
            message = f"Entry {self.head + 1} is missing; {line.entry} came."
            raise TableError("log/gap", message, "The log is damaged: restore it.")
        if self.ending is not None:
            raise TableError("log/after-the-end", f"Entry {line.entry} stands behind the end.", "")
        turn = self.game.turn if self.in_turns else None
        events = self._take[line.kind](line)
        self.head, self.changed = line.entry, line.at
        self.there = there_behind(line, self.there, self.ordered)
        if line.kind is Kind.ACTION or line.kind in BY_CHANCE:
            self.followed = line.entry
        if turn is not None and turn != self.game.turn:
            self.clocks.turn_ended(turn)
        self._ask(line)
        return events

    def _orders(self, line: Line) -> Events:
        sheet = read_orders(line.text, self.game.ruleset.board, self.game.colours)
        self.underway[line.seat] = Underway(sheet, self.game, line.seat)
        self.ordered[line.seat] = line
        self.passed_over[line.seat] = tuple(str(warning) for warning in sheet.warnings)
        return ()

    def _action(self, line: Line) -> Events:
        action = parse_action(line.text, self.game.ruleset.board, self.game.colours)
        for underway in self.underway.values():
            underway.follow(self.game, action)
        events = self.game.play(action)
        self.decision = line
        self.decided_at.append(line.entry)
        return events

    def _request(self, line: Line) -> Events:
        self.requested, self.requested_at = line.text, line.at
        self.links.clear()
        return ()

    def _deposit(self, line: Line) -> Events:
        self.depositors.add(line.seat)
        return ()

    def _link(self, line: Line) -> Events:
        self.links[line.seat] = bytes.fromhex(line.text)
        return ()

    def _silent(self, line: Line) -> Events:
        self.links[line.seat] = None
        self.silences[line.seat] = self.silences.get(line.seat, 0) + 1
        return ()

    def _outcome(self, line: Line) -> Events:
        events = self.game.settle(line.text)
        self.requested = None
        self.links.clear()
        self.decided_at.clear()
        self.game.forget_history()
        return events

    def _report(self, line: Line) -> Events:
        self.underway.pop(line.seat, None)
        return ()

    def _undo(self, line: Line) -> Events:
        self.game.undo(line.seat)
        self.decided_at.pop()
        return ()

    def _bot(self, line: Line) -> Events:
        self.late.discard(line.seat)
        if line.text:
            self.bots[line.seat] = line.text
        elif self.bots.pop(line.seat, None) and line.seat in self.duties:
            self.clocks.asked(line.seat, line.at)
        return ()

    def _vote(self, line: Line) -> Events:
        motion = line.text.removeprefix("-")
        for_it = self.votes.setdefault(motion, set())
        if line.text.startswith("-"):
            for_it.discard(line.seat)
        else:
            for_it.add(line.seat)
        return ()

    def _pause(self, line: Line) -> Events:
        self.paused = line.text == "on"
        self.votes.pop("pause" if self.paused else "resume", None)
        if self.paused:
            self.clocks.stop(line.at)
        else:
            self.clocks.go_on(line.at)
        return ()

    def _extend(self, _: Line) -> Events:
        self.votes.pop("extend", None)
        for seat in self.duties:
            self.clocks.extend(seat)
        return ()

    def _warned(self, line: Line) -> Events:
        self.warned[line.seat] = line.duty
        return ()

    def _late(self, line: Line) -> Events:
        self.late.add(line.seat)
        return ()

    def _away(self, line: Line) -> Events:
        if not line.text:
            self.away.pop(line.seat, None)
            return ()
        absence = Absence.parse(line.text)
        self.away[line.seat] = absence
        self.days_away[line.seat] = self.days_away.get(line.seat, 0) + absence.days
        if line.seat in self.duties:
            self._time_for(line.seat, line.at)
        return ()

    def _fork(self, line: Line) -> Events:
        self.forked = line.text.partition(" ")[2]
        self.votes.clear()
        self.underway.clear()
        return ()

    def _end(self, line: Line) -> Events:
        result, _, reason = line.text.partition(" ")
        self.ending = Ending(result, reason)
        self.requested = None
        self.underway.clear()
        return ()

    def _ask(self, line: Line) -> None:
        """What each seat is asked for now: the entry since which it is asked."""
        actors = () if self.at_rest else self.game.actors
        own = line.kind in (Kind.ACTION, Kind.UNDO, Kind.REPORT, Kind.BEGIN)
        for colour in self.game.colours:
            own_act = own and line.seat == colour
            if colour in self.duties and (colour not in actors or own_act):
                self.duties.pop(colour)
                self.late.discard(colour)
                self.clocks.answered(colour, line.at, acted=own_act and self.in_turns)
            if colour in actors and colour not in self.duties:
                self.duties[colour] = line.entry
                self._time_for(colour, line.at)

    def _time_for(self, seat: str, at: int) -> None:
        """A seat's time begins, or begins when it is back."""
        absence = self.away.get(seat)
        away = absence is not None and not absence.bot and absence.first <= at
        self.clocks.asked(seat, max(at, absence.until) if absence is not None and away else at)

    def request_order(self) -> tuple[str, int, str]:
        """The seat, duty and words of the decision that led to what chance owes."""
        line = self.decision
        if line is None:
            return "", 0, SETUP_ORDER
        return line.seat, max(line.duty, 0), line.text


def beginning_of(begin: Line) -> Game:
    """The game that a first line begins, before anything has happened in it."""
    return _fresh(json.dumps(json.loads(begin.text)["record"])).copy()


@lru_cache(maxsize=256)
def _fresh(headers: str) -> Game:
    return game_of(json.loads(headers))
