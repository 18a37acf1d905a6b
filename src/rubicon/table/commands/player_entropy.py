"""Player entropy: seats deposit hash chains, and reveal one link of them for each dice request.

A request waits for the next links of its contributors, at most for the table's `entropy_wait`
seconds. A seat that gives none is logged as silent before the dice are computed. So the request to
the dice follows from the log alone, and every repetition of it is the same.
"""

from __future__ import annotations

from rubicon.dice.hashing import SIZE, same
from rubicon.dice.reading import LOWER_HEX
from rubicon.dice.seeds import next_down
from rubicon.dice.writing import deposit
from rubicon.table.commands.submit import check_not_forked
from rubicon.table.errors import DiceUnavailable, TableError
from rubicon.table.game.submission import Answered
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.storage.event_log import NO_DECISION, LineKind

MAX_SILENCES = 5  # timeouts of one seat in one game: each makes all players wait


def take_deposit(unit: UnitOfWork, seat: str, link: str, length: int) -> Answered:
    """Deposit the end of a hash chain of `length` links, which the seat's own program holds.

    Idempotent. DiceUnavailable while a request is pending, BadEntry where the dice chain refuses
    it, TableError where the table takes none, or where the seat's last chain still has links.
    """
    hosted = unit.hosted
    _check_running(unit)
    if not hosted.settings.entropy_wait:
        message = "This table accepts no player entropy: its setting entropy_wait is 0."
        raise TableError("dice/no-deposits", message, "The dice are provably fair without it.")
    if hosted.silences.get(seat, 0) >= MAX_SILENCES:
        message = f"{seat} has timed out {MAX_SILENCES} times and cannot deposit again."
        raise TableError("dice/silent-too-often", message, "The dice are provably fair without it.")
    end = _hash("link", link)
    if not hosted.has_commitment or hosted.chain.owed is not None:
        raise DiceUnavailable("a request is pending")
    left = hosted.links_left.get(seat)
    if left is not None:
        kept = hosted.chain.state.links[seat]
        if kept.used == 0 and (kept.length, kept.link) == (length, end):
            return Answered(seat, NO_DECISION, hosted.head + 1)
        message = f"The chain of {seat} still has {left:,} links."
        hint = "Deposit another one when it is used up, or has ended by a timeout."
        raise TableError("dice/deposit-too-soon", message, hint)
    dice_entry = deposit(hosted.chain, seat, end, length)
    hosted.chain.append(dice_entry)
    unit.add_dice(dice_entry)
    line = unit.add_line(LineKind.DEPOSIT, f"{length} {end.hex()}", seat)
    return Answered(seat, NO_DECISION, line.index)


def take_link(unit: UnitOfWork, seat: str, request: str, link: str) -> Answered:
    """The seat's next link for the pending request; idempotent.

    TableError where it is not needed, is too late, or does not hash to the link before it. A wrong
    link does not end the chain: the right one may still come.
    """
    hosted = unit.hosted
    _check_running(unit)
    rid, found = _hash("request", request), _hash("link", link)
    pending = hosted.chain.owed
    if pending is None or not same(pending.rid, rid):
        return _earlier(unit, seat, rid, found)
    if seat == pending.seat:
        message = f"{seat} cannot add randomness to the dice of its own decision."
        raise TableError(
            "dice/own-link", message, "Your links are used for the rolls of other seats."
        )
    if seat in hosted.links:
        return _given(hosted.links[seat], found, seat, hosted.head)
    if seat not in hosted.links_wanted:
        message = f"This request needs no link of {seat}."
        raise TableError("dice/no-link-wanted", message, "Deposit the end of a hash chain first.")
    if not same(next_down(found), hosted.chain.state.links[seat].link):
        number = hosted.links_wanted[seat].number
        message = f"This is not link {number} of the chain that {seat} has deposited."
        raise TableError(
            "dice/wrong-link", message, "Your chain is still valid: send the right link."
        )
    line = unit.add_line(LineKind.LINK, found.hex(), seat)
    return Answered(seat, NO_DECISION, line.index)


def _earlier(unit: UnitOfWork, seat: str, rid: bytes, link: bytes) -> Answered:
    """A link for a request that has been answered: a repetition, or too late."""
    answered = unit.hosted.chain.answer(rid)
    if answered is None or seat not in answered.links:
        message = "This request needs no link."
        raise TableError(
            "dice/other-request", message, "The game's `link` names the pending request."
        )
    return _given(answered.links[seat], link, seat, unit.hosted.head)


def _given(taken: bytes | None, link: bytes, seat: str, head: int) -> Answered:
    if taken is None:
        message = "The link is too late: the dice were rolled without it, and your chain has ended."
        raise TableError("dice/late-link", message, "Deposit the end of a new chain.")
    if not same(taken, link):
        raise TableError("dice/wrong-link", "Another link was given for this request.", "")
    return Answered(seat, NO_DECISION, head + 1)


def _check_running(unit: UnitOfWork) -> None:
    if unit.hosted.ending is not None:
        raise TableError("game/over", "The game is over: there are no more dice.", "")
    check_not_forked(unit.hosted)


def _hash(what: str, text: str) -> bytes:
    if len(text) != 2 * SIZE or not set(text) <= LOWER_HEX:
        message = f"{text[:80]!r} is not a {what}."
        raise TableError(f"dice/bad-{what}", message, "Write 64 digits of 0-9 and a-f.")
    return bytes.fromhex(text)
