"""Accepting what a seat hands in: checked whole, then added to the page, or refused whole."""

from __future__ import annotations

import re

from rubicon.orders.reading import read_orders
from rubicon.orders.sheet import Sheet
from rubicon.rules.actions import Resign, RevealMission, StandingOrder
from rubicon.rules.errors import RubiconError
from rubicon.rules.outcomes import Pick
from rubicon.rules.text.actions import parse_action
from rubicon.rules.text.outcomes import parse_outcome
from rubicon.table.errors import DiceAway, Stale, TableError
from rubicon.table.lines import NO_DUTY, Kind, first_answer
from rubicon.table.live import TYPED, Live
from rubicon.table.page import Page
from rubicon.table.proceeding import report
from rubicon.table.submission import LONGEST_TEXT, Answered, Submission

NO_CHARACTER = re.compile(r"[\x00\ud800-\udfff]")  # not in UTF-8, or not in PostgreSQL
ASIDES = Resign | StandingOrder | RevealMission


def accept(page: Page, submission: Submission) -> Answered:
    """Orders or a decision for a duty; what was answered before is not done again."""
    live, seat, text = page.live, submission.seat, submission.text.strip()
    if live.duties.get(seat) != submission.duty:
        return _earlier(page, submission, text)
    check_open(live)
    answered = Answered(seat, submission.duty, live.head + 1, submission.orders)
    if submission.orders:
        check_text(text)
        check_orders(read_orders(text, live.game.ruleset.board, live.game.colours))
        _replace_orders(page, seat)
        page.line(Kind.ORDERS, text, seat, submission.duty)
    else:
        decision = checked_decision(live, seat, text)
        _replace_orders(page, seat)
        page.line(Kind.ACTION, decision, seat, submission.duty)
    return answered


def take_aside(page: Page, seat: str, text: str) -> Answered:
    """A standing order, a resignation, a mission shown: they answer no duty."""
    live = page.live
    check_open(live)
    action = parse_action(text[:1000], live.game.ruleset.board, live.game.colours)
    if not isinstance(action, ASIDES):
        message = f"'{action}' is a decision of the game: it answers a duty."
        raise TableError("aside/not-one", message, "Hand it in for the duty that you have.")
    answered = Answered(seat, NO_DUTY, live.head + 1)
    page.line(Kind.ACTION, checked_decision(live, seat, str(action)), seat)
    return answered


def take_back(page: Page, seat: str, duty: int) -> Answered:
    """The seat's own last decision, if nothing has shown since what cannot be unseen."""
    live = page.live
    check_open(live)
    check_duty(live, seat, duty)
    if not live.decided_at:
        raise RubiconError("undo/nothing", "There is nothing to take back.", "")
    live.game.copy().undo(seat)  # refuses before anything is written
    _replace_orders(page, seat)
    answered = Answered(seat, duty, live.head + 1)
    page.line(Kind.UNDO, str(live.decided_at[-1]), seat, duty)
    return answered


def take_typed(page: Page, seat: str, entry: int, text: str) -> Answered:
    """What real dice showed, from the seat that throws them."""
    live = page.live
    check_not_forked(live)
    if live.ending is not None or live.requested != TYPED or live.head != entry:
        message = f"No dice are waited for at entry {entry}."
        raise TableError("dice/not-waited-for", message, "Look at the game again.")
    thrower = live.decision.seat if live.decision is not None else ""
    if thrower and seat != thrower:
        message = f"{thrower} throws these dice, not {seat}."
        raise TableError("dice/not-yours", message, "")
    outcome = parse_outcome(text[:200])
    if isinstance(outcome, Pick):
        raise TableError("dice/not-dice", "Dice are waited for, not a pick.", "Write: 6 5 3 v 2 1")
    live.game.copy().settle(outcome)
    answered = Answered(seat, NO_DUTY, live.head + 1)
    page.line(Kind.OUTCOME, str(outcome), seat)
    return answered


def checked_decision(live: Live, seat: str, text: str) -> str:
    """The exact words of a decision that the seat may take now; Refused where it may not."""
    check_text(text)
    game = live.game
    action = parse_action(text, game.ruleset.board, game.colours)
    refused = game.refusal(action, seat=seat)  # it follows from what the seat can see
    if refused is not None:
        raise refused
    return str(action)


def check_orders(sheet: Sheet) -> None:
    """TableError where a text orders nothing: it would use the duty up."""
    if sheet.orders or sheet.ended:
        return
    asked = ", ".join(map(str, sheet.requests)) or "nothing"
    message = f"The text orders nothing; it asks for: {asked}."
    hint = (
        "docs/orders.md lists the orders; the game, its facts and previews have doors of their own."
    )
    raise TableError("orders/none", message, hint)


def check_open(live: Live) -> None:
    """TableError where the game takes no decisions: it is over, or waits for dice."""
    if live.ending is not None:
        message = f"The game is over: {live.ending.result} {live.ending.reason}".strip() + "."
        raise TableError("game/over", message, "A rematch begins a new one.")
    check_not_forked(live)
    if live.requested == TYPED:
        message = "The game waits for the dice that are being thrown."
        raise TableError("dice/waited-for", message, "Say first what they showed.")
    if live.requested is not None or not live.promised:
        raise DiceAway()


def check_not_forked(live: Live) -> None:
    """TableError where another game goes on instead of this one."""
    if live.forked:
        message = f"The game goes on as {live.forked}, from an earlier entry."
        raise TableError("game/forked", message, "Play there.")


def check_duty(live: Live, seat: str, duty: int) -> None:
    """Stale where the duty is not what the seat is asked."""
    asked = live.duties.get(seat)
    if asked != duty:
        raise Stale(duty, asked)


def check_text(text: str) -> None:
    """TableError for texts that nobody writes, or that no database keeps."""
    if len(text) > LONGEST_TEXT:
        message = f"The text has {len(text):,} characters; at most {LONGEST_TEXT:,} are read."
        raise TableError("text/too-long", message, "Send less at once.")
    if NO_CHARACTER.search(text):
        message = "The text holds a character that is none: a zero, or half of a pair."
        raise TableError("text/no-character", message, "Write it anew, as plain text.")


def _replace_orders(page: Page, seat: str) -> None:
    """Orders that still wait give way to what the seat decides now."""
    underway = page.live.underway.get(seat)
    if underway is not None:
        report(page, seat, underway, replaced="replaced by a later decision")


def _earlier(page: Page, submission: Submission, text: str) -> Answered:
    """What was answered for this duty before; Stale where nothing was, or by another text."""
    live, seat = page.live, submission.seat
    line = first_answer(page.connection, live.id, seat, submission.duty)
    if line is not None:
        if submission.orders:
            same = line.kind is Kind.ORDERS and line.text == text
        else:
            same = line.kind is Kind.ACTION and line.text == _exact(live, text)
        if same:
            return Answered(seat, submission.duty, line.entry, submission.orders)
    check_open(live)
    raise Stale(submission.duty, live.duties.get(seat))


def _exact(live: Live, text: str) -> str:
    try:
        return str(parse_action(text[:LONGEST_TEXT], live.game.ruleset.board, live.game.colours))
    except RubiconError:
        return ""
