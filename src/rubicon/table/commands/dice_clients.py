"""The programs of players that take part in the dice: deposits, presence, and links.

What a client sends is checked by the same state machine that the client itself follows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from rubicon.dice.hashing import same
from rubicon.dice.keys import sign
from rubicon.dice.lines.deposit import Deposit
from rubicon.dice.lines.presence import LaterDeposit, Presence, next_id
from rubicon.dice.lines.request import GivenLink, check_given
from rubicon.dice.participants.client import receipt_message
from rubicon.engine.records.position import Seat
from rubicon.table.commands.signatures import own_participant
from rubicon.table.commands.submit import check_goes_on
from rubicon.table.errors import DiceUnavailable, TableError
from rubicon.table.game.hosted_game import TYPED, HostedGame
from rubicon.table.game.submission import Answered
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now
from rubicon.table.storage.event_log import NO_DECISION, LineKind

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
    line = unit.add_line(LineKind.PRESENCE, f"deposit {later.id}", seat)
    return Answered(seat, NO_DECISION, line.index)


def take_presence(unit: UnitOfWork, seat: str, presence: Presence) -> Answered:
    """A client joins or leaves, by its own signature."""
    hosted = unit.hosted
    _check_running(hosted)
    own_participant(hosted, seat, presence.id)
    hosted.counts.check(seat)
    unit.add_dice(presence, check=True)
    _seen_now(unit, seat)
    line = unit.add_line(LineKind.PRESENCE, f"{presence.kind} {presence.id}", seat)
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
        text = f"{wanted.id} {given.link.hex()} {given.sig.hex()}"
        unit.add_line(LineKind.LINK, text, seat)
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
        raise TableError("game/over", "The game is over: there are no more dice.", "")
    check_goes_on(hosted)
    check_allowed(hosted.settings)
    if hosted.requested not in (None, TYPED) or not hosted.has_genesis:
        raise DiceUnavailable("a request is pending")
