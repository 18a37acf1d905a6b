"""What has happened in a game, as one seat may know it: turns, their deeds, every roll's number.

All of it comes from the facts that the game has stored for the seat (`rubicon.table.game.facts`),
so an e-mail can tell nothing that another interface would not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, or_, select

from rubicon.odds.luck import Luck, luck_of
from rubicon.table.admin.export_game import record_of
from rubicon.table.game.facts import EVERYONE
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import LineKind, lines_of

EVENTS = "events"
MOST_LINES = 10_000  # of a log that is played again
MOST_FACTS = 20_000  # of one e-mail; a turn of a large game has some hundreds
Fact = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollTold:
    """One roll of a battle. Dice are () where the seat may not see them.

    `number` counts all rolls of the game from 1, as the page of the dice does.
    """

    number: str
    attacker: str
    defender: str  # `neutral` for rebels and neutral armies
    source: str
    target: str
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    attacker_lost: int
    defender_lost: int
    winners: tuple[str, ...] = ()


@dataclass(slots=True)
class TurnTold:
    """What was done in one turn, or in the set-up (`seat` is "")."""

    seat: str
    round: int = 0
    facts: list[Fact] = field(default_factory=list)
    rolls: list[RollTold] = field(default_factory=list)


def facts_of(connection: Connection, game: str, seat: str, first: int, last: int) -> list[Fact]:
    """The facts of log lines, both ends included; rolls have their number as `roll_number`."""
    notice = schema.notification.c
    wanted = (
        select(notice.log_index, notice.body)
        .where(notice.game == game, notice.kind == EVENTS)
        .where(or_(notice.seat == seat, notice.seat == EVERYONE))
        .where(notice.log_index >= first, notice.log_index <= last)
        .order_by(notice.id)
        .limit(MOST_FACTS)
    )
    rows = connection.execute(wanted).all()
    numbers = _roll_numbers(connection, game, first, last)
    return list(numbered_facts(((row.log_index, row.body) for row in rows), numbers))


def numbered_facts(
    rows: Iterable[tuple[int, str]], numbers: Iterable[tuple[int, str]]
) -> Iterator[Fact]:
    """The facts in the bodies of rows; each roll gets the number of its outcome.

    `numbers` has the log index and the number of each outcome of a battle, in order. A row tells
    of the outcomes up to its own log index that no row before it told.
    """
    outcomes = list(numbers)
    at = 0
    for log_index, body in rows:
        for fact in json.loads(body):
            if fact.get("event") == "rolled" and fact.get("kind") == "event":
                known = at < len(outcomes) and outcomes[at][0] <= log_index
                yield {**fact, "roll_number": outcomes[at][1] if known else ""}
                at += known
            else:
                yield fact
        while at < len(outcomes) and outcomes[at][0] <= log_index:
            at += 1  # an outcome that was told to others alone


def _roll_numbers(
    connection: Connection, game: str, first: int, last: int
) -> list[tuple[int, str]]:
    """The log index and the number of each roll of a battle that the facts of log lines tell of.

    Facts are stored at the last line of what was done at once: all orders of an e-mail are one such
    piece. So the facts at `first` tell of all lines behind the facts before them.
    """
    log, notice = schema.log.c, schema.notification.c
    before = select(func.max(notice.log_index)).where(
        notice.game == game, notice.kind == EVENTS, notice.log_index < first
    )
    told = int(connection.execute(before).scalar() or 0)
    outcomes = (log.game == game, log.kind == LineKind.OUTCOME.value, log.text.contains(" v "))
    counted = select(func.count()).select_from(schema.log).where(*outcomes, log.log_index <= told)
    before_these = int(connection.execute(counted).scalar_one())
    wanted = (
        select(log.log_index)
        .where(*outcomes, log.log_index > told, log.log_index <= last)
        .order_by(log.log_index)
    )
    rows = connection.execute(wanted).scalars()
    return [(index, str(number)) for number, index in enumerate(rows, before_these + 1)]


def last_turn_of(connection: Connection, game: str, seat: str, before: int) -> int:
    """The log index at which the last turn of a seat began, before a log index; 0 for none."""
    notice = schema.notification.c
    begun = f'"event":"turn_began","seat":"{seat}"'
    wanted = (
        select(notice.log_index)
        .where(notice.game == game, notice.kind == EVENTS, notice.log_index < before)
        .where(notice.seat.in_((EVERYONE, seat)), notice.body.contains(begun, autoescape=True))
        .order_by(notice.log_index.desc())
        .limit(1)
    )
    return int(connection.execute(wanted).scalar() or 0)


def turns_told(facts: Iterable[Fact]) -> list[TurnTold]:
    """The facts by turns; those before the first turn have no seat."""
    turns = [TurnTold("")]
    for fact in facts:
        if fact.get("event") == "turn_began":
            turns.append(TurnTold(fact["seat"], int(fact["round"])))
        elif fact.get("event") == "rolled":
            roll = roll_told(fact)
            turns[-1].facts.append(fact)
            turns[-1].rolls.append(roll)
        else:
            turns[-1].facts.append(fact)
    return [turn for turn in turns if turn.facts]


def luck_in(connection: Connection, game: str) -> dict[str, Luck]:
    """Everybody's luck in a game that is over; {} for one that is too long to play again here."""
    lines = lines_of(connection, game)
    if len(lines) > MOST_LINES:
        return {}
    return luck_of(record_of(game, lines).replay())


def roll_told(fact: Fact) -> RollTold:
    """A roll from its fact."""
    roll = fact.get("roll") or {"attack": (), "defence": ()}
    return RollTold(
        number=str(fact.get("roll_number", "")),
        attacker=fact["attacker"],
        defender=fact["defender"],
        source=fact["source"],
        target=fact["target"],
        attack=tuple(sorted(roll["attack"], reverse=True)),
        defence=tuple(sorted(roll["defence"], reverse=True)),
        attacker_lost=int(fact["attacker_lost"]),
        defender_lost=int(fact["defender_lost"]),
        winners=tuple(fact.get("winners", ())),
    )
