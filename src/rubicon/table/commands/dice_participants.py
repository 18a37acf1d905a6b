"""Who takes part in the dice alongside this server: programs of players, and an independent
dice server.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection, delete, insert, select, update

from rubicon.dice.client import receipt_message
from rubicon.dice.crypto import same, sign
from rubicon.dice.dice_server import LinkQuestion
from rubicon.dice.errors import DiceError
from rubicon.dice.lines.members import Deposit, LaterDeposit, Presence, next_id
from rubicon.dice.lines.opening import Opened, Sealed, placement_hash
from rubicon.dice.lines.request import GivenLink, check_given
from rubicon.dice.lines.state import DICE_SERVER, REQUIRED
from rubicon.engine.records import Phase, Seat
from rubicon.orders.parse.action import read_action
from rubicon.rules.actions import Action, Place, Seal
from rubicon.table.commands.advance import add_opening, add_seal, proceed
from rubicon.table.commands.submit import (
    Answered,
    check_decision,
    check_goes_on,
    check_open,
    check_text,
    own_participant,
)
from rubicon.table.errors import DiceRefused, DiceUnavailable, TableError
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.log_lines import NO_DECISION, Acted, DicePresence, LinkGiven
from rubicon.table.game.unit_of_work import LiveGame, UnitOfWork
from rubicon.table.lobby.seats import RUNNING
from rubicon.table.lobby.start import genesis_of
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now

# The programs of players that take part in the dice: deposits, presence, and links.
#
# What a client sends is checked by the same state machine that the client itself follows.

MOST_CHAINS = 32  # of one seat in one game: each makes the transcript longer for all


@dataclass(frozen=True, slots=True)
class LinkReceipt:
    """The server's signed word that it has stored a link: a silence written later is a proof."""

    n: int
    id: str
    signature: str


def deposit_in_lobby(
    connection: Connection, game: str, seat: str, account: str, deposit: Deposit
) -> None:
    """Keep a seat's deposit for the genesis; a later one replaces it."""
    _checked(deposit, game, seat)
    columns = schema.dice_client.c
    mine = (columns.game == game) & (columns.seat == seat)
    connection.execute(delete(schema.dice_client).where(mine))
    row = {
        "game": game,
        "seat": seat,
        "account": account,
        "deposit": json.dumps(deposit.form()),
        "seen": now(connection),
    }
    connection.execute(insert(schema.dice_client), row)


def take_deposit(
    unit: UnitOfWork, seat: str, deposit: Deposit, certificate: bytes | None
) -> Answered:
    """Add a seat's new chain to the running game; idempotent.

    DiceUnavailable while a request waits, TableError or BadEntry where the chain is refused.
    """
    hosted = unit.hosted
    _check_running(hosted)
    _checked(deposit, hosted.id, seat)
    state = hosted.transcript.state
    for one in state.participants.values():
        if one.seat == seat and one.key == deposit.key and one.link == deposit.end:
            return Answered(seat, NO_DECISION, hosted.head + 1)
    if hosted.game.position.status[hosted.game.colours.index(seat)] != Seat.PLAYING:
        message = f"{seat} is no longer in the game: it takes no part in the dice."
        raise TableError("dice/not-in-game", message, "You can still watch and check the dice.")
    if state.seats[seat].chains >= MOST_CHAINS:
        message = f"{seat} has deposited {MOST_CHAINS} chains, which is the limit of a game."
        raise TableError("dice/too-many-chains", message, "Go on with the chain that you have.")
    hosted.counts.check(seat)
    later = LaterDeposit(next_id(state, seat), deposit, certificate)
    unit.add_dice(later, check=True)
    _seen_now(unit, seat)
    line = unit.add_line(DicePresence("deposit", later.id), seat)
    return Answered(seat, NO_DECISION, line.index)


def take_presence(unit: UnitOfWork, seat: str, presence: Presence) -> Answered:
    """A client joins or leaves, by its own signature."""
    hosted = unit.hosted
    _check_running(hosted)
    own_participant(hosted, seat, presence.id)
    hosted.counts.check(seat)
    unit.add_dice(presence, check=True)
    _seen_now(unit, seat)
    line = unit.add_line(DicePresence(presence.kind, presence.id), seat)
    return Answered(seat, NO_DECISION, line.index)


def take_link(unit: UnitOfWork, seat: str, n: int, given: GivenLink) -> LinkReceipt:
    """The link of a seat's client for the request that waits; idempotent.

    TableError where it is not wanted, BadEntry where it is not right: a wrong link has no effect.
    """
    hosted = unit.hosted
    state = hosted.transcript.state
    pending, wanted = state.pending, hosted.links_wanted.get(seat)
    if pending is None or pending.n != n or (wanted is None and not _gave(hosted, seat)):
        message = f"Request {n} does not wait for a link of {seat}."
        raise TableError("dice/no-link-wanted", message, "The transcript says which one waits.")
    if wanted is not None:
        check_given(state, pending, wanted.id, given)
        unit.add_line(LinkGiven(wanted.id, given), seat)
        _seen_now(unit, seat)
        name = wanted.id
    else:
        name = _gave(hosted, seat)
        before = hosted.links[name]
        if before is None or not same(before.link, given.link):
            raise TableError("dice/late-link", "The request went on without this link.", "")
    message_to_sign = receipt_message(state.genesis, n, name, given.link)
    return LinkReceipt(n, name, sign(hosted.secrets.private_key, message_to_sign).hex())


def seen(connection: Connection, game: str, seat: str) -> None:
    """Note that a seat's connection lives."""
    columns = schema.dice_client.c
    mine = (columns.game == game) & (columns.seat == seat)
    at = now(connection)
    if connection.execute(select(columns.seen).where(mine)).scalar_one_or_none() is None:
        row = {"game": game, "seat": seat, "deposit": "", "seen": at}
        connection.execute(insert(schema.dice_client), row)
    else:
        connection.execute(update(schema.dice_client).where(mine).values(seen=at))


def check_allowed(settings: Settings) -> None:
    """TableError where a table takes no links of players' programs."""
    if not settings.entropy_wait:
        message = "At this table no players' programs take part in the dice (entropy_wait is 0)."
        raise TableError("dice/no-clients", message, "Check the dice with `rubicon verify`.")


def _seen_now(unit: UnitOfWork, seat: str) -> None:
    seen(unit.connection, unit.hosted.id, seat)


def _gave(hosted: HostedGame, seat: str) -> str:
    """The participant of a seat that has given its link for the pending request; "" for none."""
    participants = hosted.transcript.state.participants
    return next((name for name in hosted.links if participants[name].seat == seat), "")


def _checked(deposit: Deposit, game: str, seat: str) -> None:
    if deposit.seat != seat:
        message = f"The deposit is for {deposit.seat[:20] or 'no seat'}, but your seat is {seat}."
        raise TableError("dice/other-seat", message, "Make a deposit for your own seat.")
    deposit.check(game)


def _check_running(hosted: HostedGame) -> None:
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over: no further dice are rolled.", "")
    check_goes_on(hosted)
    check_allowed(hosted.settings)
    if hosted.awaits_dice or not hosted.has_genesis:
        raise DiceUnavailable("a request is pending")


# Sealed placements of clients: sealed by each, and opened when all seats have sealed.
#
# Nothing of a client's placement is at the table before that.


def take_seal(unit: UnitOfWork, sealed: Sealed) -> Answered:
    """The salted hash of a placement, from a seat's client; idempotent.

    TableError where the seat has nothing to seal, BadEntry where its client has not signed it.
    """
    hosted, seat = unit.hosted, sealed.seat
    known = hosted.transcript.state.placements.get(seat)
    if known is not None and known.hash == sealed.hash and known.id:
        return Answered(seat, sealed.decision, hosted.head + 1)
    check_open(hosted)
    check_allowed(hosted.settings)
    check_decision(hosted, seat, sealed.decision)
    if hosted.game.phase != Phase.SEALED or hosted.placements.text(seat):
        message = f"{seat} has nothing to seal: it is not placing, or has placed armies openly."
        raise TableError("dice/nothing-to-seal", message, "Take back what you have placed first.")
    if seat in hosted.running or seat in hosted.bots:
        message = f"Orders or a bot place for {seat}."
        raise TableError("dice/nothing-to-seal", message, "Take your seat back first.")
    assert sealed.signed is not None
    own_participant(hosted, seat, sealed.signed.id)
    hosted.counts.check(seat)
    first = hosted.head + 1
    add_seal(unit, sealed, check=True)
    return Answered(seat, sealed.decision, first)


def take_opening(unit: UnitOfWork, opened: Opened) -> Answered:
    """Text and salt of what a seat's client has sealed, which is played at once; idempotent.

    TableError before all have sealed, or where it is another placement; Refused where the rules do
    not allow it: then it is not opened, and the seat's time goes on.
    """
    hosted, seat = unit.hosted, opened.seat
    first = hosted.head + 1
    known = hosted.transcript.state.placements.get(seat)
    fits = known is not None and known.hash == _hash(opened)
    if fits and known is not None and known.opened and seat not in hosted.placements.failed:
        return Answered(seat, NO_DECISION, first)
    check_open(hosted)
    if seat not in hosted.placements.wanted:
        message = f"No placement of {seat} is to be opened now."
        raise TableError("dice/no-opening-wanted", message, "Wait until all seats have sealed.")
    if not fits:
        message = "This is not the placement that was sealed."
        raise TableError("dice/wrong-opening", message, "Send the text and the salt of the hash.")
    actions = placement_of(hosted, seat, opened.text or "")
    add_opening(unit, opened)
    for action in (*actions, Seal(seat)):
        decision = hosted.decisions[seat]
        unit.add_line(Acted(action), seat, decision)
    return Answered(seat, NO_DECISION, first)


def placement_of(hosted: HostedGame, seat: str, text: str) -> list[Action]:
    """The actions of a whole placement, one a line, written exactly as the table writes them.

    RubiconError at the first line that the rules refuse: not many more are read than armies left.
    """
    check_text(text)
    game = hosted.game.copy()
    actions: list[Action] = []
    for line in text.split("\n"):
        action = read_action(line, game.ruleset.board, game.colours, strict=True)
        if not isinstance(action, Place):
            message = f"'{action}' places no armies."
            raise TableError("dice/no-placement", message, "Write one 'place …' a line.")
        game.play(action, seat=seat)
        actions.append(action)
    game.play(Seal(seat), seat=seat)
    return actions


def _hash(opened: Opened) -> bytes:
    return placement_hash(opened.seat, opened.salt or b"", opened.text or "")


# What an independent dice server is asked for a game, and what its answers do.
#
# While it is unavailable, a game that needs dice waits, and the question is repeated with back-
# off.

SHORTEST_RETRY, LONGEST_RETRY = 1.0, 60.0  # seconds between two attempts


Given = Deposit | GivenLink


class DiceServer(Protocol):
    """An independent dice server. A repeated question gets the same answer, in bounded time."""

    def open(self, game: str) -> Future[Deposit]: ...

    def link(self, question: LinkQuestion) -> Future[GivenLink]: ...


DiceServerCall = Callable[[DiceServer], Future[Given]]


def dice_server_call(live: LiveGame) -> DiceServerCall | None:
    """The call that a game needs from its dice server now; None for none."""
    hosted = live.hosted
    state = hosted.transcript.state
    pending = state.pending
    if state.seq and (pending is None or pending.given is None):
        return None  # the usual case first: this is asked after every transaction
    if hosted.at_rest:
        return None
    if pending is None:
        return lambda dice: dice.open(hosted.id)  # type: ignore[return-value]
    keys = {
        name: state.participants[name].key for name in pending.participants if name not in REQUIRED
    }
    asked = LinkQuestion(
        game=hosted.id,
        genesis=state.genesis,
        server_key=state.server_key,
        keys=keys,
        n=pending.n,
        line=live.dice_line,
    )
    return lambda dice: dice.link(asked)  # type: ignore[return-value]


def sent(call: DiceServerCall, dice: DiceServer) -> Future[Given]:
    """Call the dice server; every error is in the future."""
    try:
        return call(dice)
    except Exception as error:
        failed: Future[Given] = Future()
        failed.set_exception(error)
        return failed


def take_given(unit: UnitOfWork, given: Given) -> None:
    """Apply an answer of the dice server, and all that follows; idempotent.

    DiceRefused where the answer does not fit: the game stops, and the log says why.
    """
    hosted = unit.hosted
    try:
        if isinstance(given, Deposit):
            if not hosted.has_genesis:
                given.check(hosted.id)
                genesis = genesis_of(unit.connection, hosted, given)
                genesis.check()
                unit.add_dice(genesis)
        else:
            pending = hosted.transcript.state.pending
            if pending is None or pending.given is None:
                return  # answered already
            check_given(hosted.transcript.state, pending, DICE_SERVER, given)
            unit.dice_server_link = given
    except DiceError as error:
        raise DiceRefused(error.code, f"its answer does not hold. {error.message}") from error
    proceed(unit)


def unfinished(connection: Connection) -> list[str]:
    """The running games."""
    games = schema.game.c
    running = select(games.id).where(games.state == RUNNING)
    return list(connection.execute(running).scalars())


class DiceServerRetries:
    """Games whose dice server was unavailable: when to retry, with delays that double."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        # The time of the next attempt, and the delay before it.
        self._retries: dict[str, tuple[float, float]] = {}

    def __len__(self) -> int:
        return len(self._retries)

    def later(self, game: str) -> bool:
        """The dice server was unavailable for a game: retry later. Whether it is the first time."""
        with self._lock:
            _, before = self._retries.get(game, (0.0, 0.0))
            delay = min(max(SHORTEST_RETRY, 2 * before), LONGEST_RETRY)
            self._retries[game] = self._clock() + delay, delay
        return not before

    def over(self, game: str) -> None:
        """The dice server has answered: no retry is needed."""
        with self._lock:
            self._retries.pop(game, None)

    def due(self) -> list[str]:
        """The games to retry now. Each is returned once: `later` sets its next attempt."""
        with self._lock:
            at = self._clock()
            due = [game for game, (moment, _) in self._retries.items() if moment <= at]
            for game in due:
                self._retries[game] = at + LONGEST_RETRY, self._retries[game][1]
            return due
