"""What a seat submits, and its receipt: what became of it, as the log says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection

from rubicon.dice.lines.request import SignedOrder
from rubicon.table.game.hosted_game import BY_CHANCE, HostedGame
from rubicon.table.storage.event_log import NO_DECISION, LineKind, lines_of, report_of

MAX_TEXT_LENGTH = 65_536


@dataclass(frozen=True, slots=True)
class Submission:
    """An answer to a decision: a text of orders, or one action (docs/notation.md)."""

    game: str
    seat: str
    decision: int
    text: str
    orders: bool = False  # a text of orders; else one action
    signed: SignedOrder | None = None  # by the seat's client, over the text
    by_bot: bool = False  # that the server runs


@dataclass(frozen=True, slots=True)
class Answered:
    """The accepted submission of a seat; its lines begin at log index `first`."""

    seat: str
    decision: int = NO_DECISION
    first: int = 0
    orders: bool = False


class Status(StrEnum):
    """How far a submission has come."""

    DONE = "done"  # completed; `notes` lists what could not be carried out
    PAUSED = "paused"  # a decision is pending that the orders leave open
    WAITING = "waiting"  # another seat decides first
    DICE = "dice"  # the dice are pending


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of a submission: the lines `first` to `last`, and the seat's pending decision.

    A repeated submission gets the same lines; `status` and `decision` are those of the moment.
    """

    game: str
    seat: str
    answered: int  # the decision that was answered; -1 for none
    first: int
    last: int
    status: Status
    decision: int | None  # the seat's pending decision
    reason: str = ""  # why orders stopped
    notes: tuple[str, ...] = ()  # what of the orders could not be done
    warnings: tuple[str, ...] = ()  # lines of their text that are not carried out


def receipt_of(connection: Connection, hosted: HostedGame, answered: Answered | None) -> Receipt:
    """How an act stands now; of no act, how the game does."""
    if answered is None:
        answered = Answered("", NO_DECISION, hosted.head + 1)
    report: dict[str, Any] = {}
    if answered.orders:
        line = report_of(connection, hosted.id, answered.seat, answered.decision)
        if line is None:  # the orders are still running
            report = {"warnings": hosted.warnings.get(answered.seat, ())}
            last, status = hosted.head, Status.DONE if hosted.at_rest else Status.WAITING
        else:
            report = json.loads(line.text)
            last, status = line.index, Status(report["status"])
    else:
        last, status = _last_of(connection, hosted, answered.first), Status.DONE
    if hosted.requested is not None and "status" not in report:
        status = Status.DICE
    return Receipt(
        game=hosted.id,
        seat=answered.seat,
        answered=answered.decision,
        first=answered.first,
        last=last,
        status=status,
        decision=hosted.decisions.get(answered.seat),
        reason=report.get("reason", ""),
        notes=tuple(report.get("notes", ())),
        warnings=tuple(report.get("warnings", ())),
    )


def _last_of(connection: Connection, hosted: HostedGame, first: int) -> int:
    """The last line that chance alone added to a decision."""
    if hosted.last_decision is None or hosted.last_decision.index == first or first > hosted.head:
        return max(first, hosted.chance_index) if first <= hosted.head else hosted.head
    last = first
    for line in lines_of(connection, hosted.id, first):
        if line.kind is LineKind.ACTION:
            break
        last = line.index if line.kind in BY_CHANCE else last
    return last
