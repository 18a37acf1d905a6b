"""What has happened in a game, as one seat may know it: its facts, turns, and rolls in a table.

All of it comes from the facts that the game has stored for the seat (`rubicon.table.notices`), so
an e-mail says nothing that another interface would not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from sqlalchemy import Connection, func, or_, select

from rubicon.mail.writing import document
from rubicon.mail.writing.scene import Scene
from rubicon.odds.luck import Luck, luck_of
from rubicon.rules.events import GameEvent, Rolled, TurnBegan
from rubicon.table.admin.game_files import record_of
from rubicon.table.game.log_lines import LineKind
from rubicon.table.notices import EVENTS, EVERYONE, Fact, read_facts
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import lines_of
from rubicon.telling.turns import BattleRolls, NumberedRoll, TurnEvents, turns_of

MOST_LINES = 10_000  # of a log that is played again
MOST_FACTS = 20_000  # of one e-mail; a turn of a large game has some hundreds
ROWS_AT_ONCE = 100
ATTACKER = "attacker"


class NumberedFact(NamedTuple):
    """A fact; `number` counts all rolls of the game from 1, as the page of the dice does.

    It is "" for what is no roll, and for a roll whose number is not known.
    """

    fact: Fact
    number: str = ""


def facts_of(
    connection: Connection, game: str, seat: str, first: int, last: int
) -> list[NumberedFact]:
    """The facts of log lines, both ends included."""
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
    facts = ((row.log_index, read_facts(row.body)) for row in rows)
    return list(numbered_facts(facts, numbers))


def numbered_facts(
    rows: Iterable[tuple[int, Iterable[Fact]]], numbers: Iterable[tuple[int, str]]
) -> Iterator[NumberedFact]:
    """The facts of rows; each roll gets the number of its outcome.

    `numbers` has the log index and the number of each outcome of a battle, in order. A row is about
    the outcomes up to its own log index that no row before it was about.
    """
    outcomes = list(numbers)
    at = 0
    for log_index, facts in rows:
        for fact in facts:
            if isinstance(fact, Rolled):
                known = at < len(outcomes) and outcomes[at][0] <= log_index
                yield NumberedFact(fact, outcomes[at][1] if known else "")
                at += known
            else:
                yield NumberedFact(fact)
        while at < len(outcomes) and outcomes[at][0] <= log_index:
            at += 1  # an outcome that only others were shown


def _roll_numbers(
    connection: Connection, game: str, first: int, last: int
) -> list[tuple[int, str]]:
    """The log index and the number of each roll of a battle that the facts of log lines are about.

    Facts are stored at the last line of what was done at once: all orders of an e-mail are one such
    piece. So the facts at `first` are about all lines after the facts before them.
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
    wanted = (
        select(notice.log_index, notice.body)
        .where(notice.game == game, notice.kind == EVENTS, notice.log_index < before)
        .where(notice.seat.in_((EVERYONE, seat)))
        .order_by(notice.log_index.desc())
    )
    # Newest first, and a few rows at a time: the last turn is nearly always among the first.
    with closing(connection.execute(wanted, execution_options={"yield_per": ROWS_AT_ONCE})) as rows:
        for row in rows:
            if any(isinstance(f, TurnBegan) and f.seat == seat for f in read_facts(row.body)):
                return int(row.log_index)
    return 0


def turns_in(facts: Iterable[NumberedFact]) -> list[TurnEvents]:
    """The events of the game among facts, by turns."""
    return turns_of((fact, number) for fact, number in facts if isinstance(fact, GameEvent))


def luck_in(connection: Connection, game: str) -> dict[str, Luck]:
    """Everyone's luck in a game that is over; {} for one that is too long to play again here."""
    lines = lines_of(connection, game)
    if len(lines) > MOST_LINES:
        return {}
    return luck_of(record_of(game, lines).replay())


# Rolls in a table.


def dice_of(roll: Rolled, *, small: bool = False) -> document.Inline:
    """The dice of a roll; a text where the reader is not shown them."""
    if roll.roll is None:
        return "not shown"
    won = [winner == ATTACKER for winner in roll.winners]
    highest = sorted(roll.roll.attack, reverse=True), sorted(roll.roll.defence, reverse=True)
    attack = [(face, n < len(won) and won[n]) for n, face in enumerate(highest[0])]
    defence = [(face, n < len(won) and not won[n]) for n, face in enumerate(highest[1])]
    return document.DiceOfRoll(roll.attacker, roll.defender, tuple(attack), tuple(defence), small)


def losses(scene: Scene, roll: Rolled) -> str:
    """`Otto -1, you -1`."""
    parts = ((roll.attacker, roll.attacker_lost), (roll.defender, roll.defender_lost))
    named = [f"{scene.seats.name(c).removeprefix('the ')}\u00a0\u2212{n}" for c, n in parts if n]
    return ", ".join(named) or "nobody"


def roll_row(scene: Scene, roll: NumberedRoll) -> tuple[document.Words, ...]:
    """A roll: its number among all of the game, the dice, the losses."""
    return roll.number or "?", (dice_of(roll.event),), losses(scene, roll.event)


def turn_rows(scene: Scene, battles: Iterable[BattleRolls]) -> list[tuple[document.Words, ...]]:
    """The rolls of battles, each battle under a heading with its territories."""
    rows: list[tuple[document.Words, ...]] = []
    for battle in battles:
        target, source = scene.territory(battle.first.target), scene.territory(battle.first.source)
        rows.append(((document.Strong(target), f" from {source}"),))
        rows += [roll_row(scene, roll) for roll in battle.rolls]
    return rows
