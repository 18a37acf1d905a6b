"""The seats' own hand in the dice: hash chains that are deposited, links that are asked for.

A request whose contributors keep chains of their own waits for their next links, at most for the
table's `entropy_wait`; who gave none by then is written down as silent before anybody computes the
dice. So what is asked of the dice follows from the log alone, whoever asks and however often.
"""

from __future__ import annotations

from rubicon.dice.hashing import SIZE, same
from rubicon.dice.reading import LOWER_HEX
from rubicon.dice.seeds import next_down
from rubicon.dice.writing import deposit
from rubicon.table.accepting import check_not_forked
from rubicon.table.errors import DiceAway, TableError
from rubicon.table.lines import NO_DUTY, Kind
from rubicon.table.page import Page
from rubicon.table.submission import Answered

MOST_SILENCES = 5  # of one seat in one game: each may have cost everybody a wait


def take_deposit(page: Page, seat: str, link: str, length: int) -> Answered:
    """The end of a chain of `length` links that the seat's own program keeps.

    Once more without harm. DiceAway while the dice owe an answer, BadEntry where the chain does not
    take it, TableError where the table takes none, or where the seat's last chain still has links.
    """
    live = page.live
    _check_running(page)
    if not live.settings.entropy_wait:
        message = "This table waits for nobody's links: its setting entropy_wait is 0."
        raise TableError("dice/no-deposits", message, "The dice are sealed all the same.")
    if live.silences.get(seat, 0) >= MOST_SILENCES:
        message = f"{seat} was silent {MOST_SILENCES} times; its links are waited for no more."
        raise TableError("dice/silent-too-often", message, "The dice are sealed all the same.")
    end = _hash("link", link)
    if not live.promised or live.chain.owed is not None:
        raise DiceAway("they owe an answer")
    left = live.links_left.get(seat)
    if left is not None:
        kept = live.chain.state.links[seat]
        if kept.used == 0 and (kept.length, kept.link) == (length, end):
            return Answered(seat, NO_DUTY, live.head + 1)
        message = f"The chain of {seat} still has {left:,} links."
        hint = "Deposit another when it is used up, or has ended by silence."
        raise TableError("dice/deposit-too-soon", message, hint)
    entry = deposit(live.chain, seat, end, length)
    live.chain.append(entry)
    page.dice(entry)
    line = page.line(Kind.DEPOSIT, f"{length} {end.hex()}", seat)
    return Answered(seat, NO_DUTY, line.entry)


def take_link(page: Page, seat: str, request: str, link: str) -> Answered:
    """The seat's next link for the request that waits; once more without harm.

    TableError where it is not wanted, comes too late, or does not lead to the one before it: that
    one ends nothing, the right one may still come.
    """
    live = page.live
    _check_running(page)
    rid, found = _hash("request", request), _hash("link", link)
    owed = live.chain.owed
    if owed is None or not same(owed.rid, rid):
        return _earlier(page, seat, rid, found)
    if seat == owed.seat:
        message = f"{seat} adds nothing to the dice of its own decision."
        raise TableError("dice/own-link", message, "Your links enter the rolls of the others.")
    if seat in live.links:
        return _given(live.links[seat], found, seat, live.head)
    if seat not in live.links_wanted:
        message = f"No link of {seat} is wanted for this request."
        raise TableError("dice/no-link-wanted", message, "Deposit the end of a hash chain first.")
    if not same(next_down(found), live.chain.state.links[seat].link):
        number = live.links_wanted[seat].number
        message = f"This is not link {number} of the chain that {seat} has deposited."
        raise TableError("dice/wrong-link", message, "Nothing has ended: send the right one.")
    line = page.line(Kind.LINK, found.hex(), seat)
    return Answered(seat, NO_DUTY, line.entry)


def _earlier(page: Page, seat: str, rid: bytes, link: bytes) -> Answered:
    """A link for a request that is answered: it was taken in time, or comes too late."""
    answered = page.live.chain.answer(rid)
    if answered is None or seat not in answered.links:
        message = "No link is wanted for this request."
        raise TableError("dice/other-request", message, "Look at the game: `link` says for which.")
    return _given(answered.links[seat], link, seat, page.live.head)


def _given(taken: bytes | None, link: bytes, seat: str, head: int) -> Answered:
    if taken is None:
        message = "The link comes too late: the dice have fallen without it, and the chain ended."
        raise TableError("dice/late-link", message, "Deposit the end of a new chain.")
    if not same(taken, link):
        raise TableError("dice/wrong-link", "Another link was given for this request.", "")
    return Answered(seat, NO_DUTY, head + 1)


def _check_running(page: Page) -> None:
    if page.live.ending is not None:
        raise TableError("game/over", "The game is over: no dice will fall.", "")
    check_not_forked(page.live)


def _hash(what: str, text: str) -> bytes:
    if len(text) != 2 * SIZE or not set(text) <= LOWER_HEX:
        message = f"{text[:80]!r} is no {what}."
        raise TableError(f"dice/bad-{what}", message, "Write 64 digits of 0-9 and a-f.")
    return bytes.fromhex(text)
