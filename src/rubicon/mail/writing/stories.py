"""What has happened in a game, as one seat may know it, in sentences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, or_, select

from rubicon.mail.writing.document import DiceOfRoll, Inline, Strong, Words
from rubicon.mail.writing.scene import Scene
from rubicon.odds.luck import Luck, luck_of
from rubicon.table.admin.game_files import record_of
from rubicon.table.notices import EVERYONE
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import LineKind, lines_of
from rubicon.wording import listed, numbered

# What has happened in a game, as one seat may know it: turns, their deeds, every roll's number.
#
# All of it comes from the facts that the game has stored for the seat
# (`rubicon.table.game.unit_of_work`), so an e-mail says nothing that another interface would not.

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


# What happened, in sentences: a turn without its dice, a battle, the dice of a roll.

ATTACKER, DEFENDER = "attacker", "defender"


@dataclass(frozen=True, slots=True)
class BattleTold:
    """The rolls along one border of one turn, in order, and whether it was taken."""

    rolls: tuple[RollTold, ...]
    taken: bool

    @property
    def first(self) -> RollTold:
        return self.rolls[0]

    @property
    def lost(self) -> tuple[int, int]:
        """The armies that the attacker and the defender lost."""
        attack = sum(roll.attacker_lost for roll in self.rolls)
        return attack, sum(roll.defender_lost for roll in self.rolls)


def battles_of(turn: TurnTold) -> list[BattleTold]:
    """The battles of a turn: rolls in a row along the same border."""
    runs: list[list[RollTold]] = []
    taken: set[int] = set()
    rolls = iter(turn.rolls)
    for fact in turn.facts:
        if fact.get("event") == "rolled":
            roll = next(rolls)
            same = runs and (runs[-1][0].source, runs[-1][0].target) == (roll.source, roll.target)
            if same and len(runs) - 1 not in taken:
                runs[-1].append(roll)
            else:
                runs.append([roll])
        elif fact.get("event") == "captured" and runs:
            taken.add(len(runs) - 1)
    return [BattleTold(tuple(run), n in taken) for n, run in enumerate(runs)]


def story(scene: Scene, turn: TurnTold) -> str:
    """What a seat did in a turn, without its dice: trades, placements, captures, its card."""
    parts: list[str] = []
    placed: dict[str, int] = {}
    took: list[str] = []

    def close() -> None:
        if placed:
            many = [f"{n} on {scene.territory(t)}" for t, n in placed.items()]
            parts.append("places " + listed(many))
            placed.clear()
        if took:
            parts.append("takes " + listed(took))
            took.clear()

    for fact in turn.facts:
        event = fact.get("event")
        if event == "decided" and fact.get("seat") == turn.seat:
            words = str(fact["action"]).split(" ")
            if words[0] == "place" and len(words) == 3 and words[2].isdigit():
                if took:
                    close()
                placed[words[1]] = placed.get(words[1], 0) + int(words[2])
            elif words[0] == "fortify" and len(words) == 5:
                close()
                source, target = scene.territory(words[1]), scene.territory(words[3])
                armies = numbered(int(words[4]), "army", "armies")
                parts.append(f"moves {armies} from {source} to {target}")
            elif words[0] == "resign":
                close()
                parts.append("resigns")
            elif words[0] == "objective" and len(words) > 1:
                close()
                parts.append(f"claims the objective {words[1]}")
        elif event == "captured":
            if placed:
                close()
            took.append(
                f"{scene.territory(fact['territory'])} from {scene.seats.name(fact['before'])}"
            )
        else:
            told = _told(scene, turn, fact)
            if told:
                close()
                parts.append(told)
    close()
    return "; ".join(parts)


# The verbs of `story`, which tells of others, as they are said to the reader.
VERBS = ("places", "takes", "moves", "trades", "draws", "puts", "shows", "resigns", "claims")


def told_of(scene: Scene, turn: TurnTold) -> str:
    """What a seat did, to stand behind its name: ` places 3 on Peru; takes Chile from you.`

    "" where it did nothing that is told. The reader's own deeds are told in the second person.
    """
    deeds = story(scene, turn)
    if not deeds:
        return ""
    if turn.seat != scene.you:
        return f" {deeds}."
    parts = []
    for part in deeds.split("; "):
        verb, space, rest = part.partition(" ")
        parts.append((verb.removesuffix("s") if verb in VERBS else verb) + space + rest)
    return f" {'; '.join(parts)}."


def _told(scene: Scene, turn: TurnTold, fact: object) -> str:
    assert isinstance(fact, dict)
    seats = scene.seats
    match fact.get("event"):
        case "traded":
            cards = listed([scene.territory(card) for card in fact["cards"]])
            bonus = [scene.territory(t) for t in fact["bonus"]]
            more = f" and 2 on {listed(bonus)}" if bonus else ""
            return f"trades {cards or 'cards'} for {fact['armies']} armies{more}"
        case "drew":
            card = fact.get("card")
            return f"draws the card {scene.territory(card)}" if card else "draws a card"
        case "eliminated":
            return f"puts {seats.name(fact['seat'])} out of the game"
        case "spoils_taken":
            named = [scene.territory(card) for card in fact["cards"]]
            count = listed(named) if named else numbered(int(fact.get("count", 0)), "card")
            return f"takes the cards of {seats.name(fact['victim'])}: {count}"
        case "mission_shown":
            return f"shows the mission {fact['mission']}"
    return ""


def armies_lost(n: int) -> str:
    return numbered(n, "army", "armies") if n else "no army"


def battle_sentence(scene: Scene, battles: Sequence[BattleTold]) -> str:
    """`Otto took Peru from you in 5 rolls: you lost 1 army, Otto lost 9.`

    The battles are of one attacker against one defender.
    """
    first = battles[0].first
    seats = scene.seats
    rolls = sum(len(battle.rolls) for battle in battles)
    attack = sum(battle.lost[0] for battle in battles)
    defence = sum(battle.lost[1] for battle in battles)
    names = list(dict.fromkeys(scene.territory(b.first.target) for b in battles if b.taken))
    tried = list(dict.fromkeys(scene.territory(b.first.target) for b in battles if not b.taken))
    tried = [name for name in tried if name not in names]
    deeds = [f"took {listed(names)} from {seats.name(first.defender)}"] if names else []
    if tried:
        without = f"attacked {listed(tried)} in vain"
        deeds.append(without if names else f"attacked {listed(tried)}{_of(scene, first)} in vain")
    lost = [
        f"{seats.name(first.attacker)} lost {armies_lost(attack)}",
        f"{seats.name(first.defender)} lost {armies_lost(defence)}",
    ]
    if first.defender == seats.you:
        lost.reverse()
    deed = f"{seats.subject(first.attacker)} {' and '.join(deeds)}"
    return f"{deed} in {numbered(rolls, 'roll')}: {', '.join(lost)}."


def _of(scene: Scene, roll: RollTold) -> str:
    return "" if roll.defender == scene.you else f" of {scene.seats.name(roll.defender)}"


def dice_of(roll: RollTold, *, small: bool = False) -> Inline:
    """The dice of a roll; a text where the reader is not shown them."""
    if not roll.attack:
        return "not shown"
    won = [winner == ATTACKER for winner in roll.winners]
    attack = [(face, n < len(won) and won[n]) for n, face in enumerate(roll.attack)]
    defence = [(face, n < len(won) and not won[n]) for n, face in enumerate(roll.defence)]
    return DiceOfRoll(roll.attacker, roll.defender, tuple(attack), tuple(defence), small)


def losses(scene: Scene, roll: RollTold) -> str:
    """`Otto -1, you -1`."""
    parts = ((roll.attacker, roll.attacker_lost), (roll.defender, roll.defender_lost))
    named = [f"{scene.seats.name(c).removeprefix('the ')}\u00a0\u2212{n}" for c, n in parts if n]
    return ", ".join(named) or "nobody"


def number_of(roll: RollTold) -> str:
    """The number of a roll among all of the game."""
    return roll.number or "?"


def way(scene: Scene, roll: RollTold) -> str:
    """`Ven > C Am`."""
    return f"{scene.short_of(roll.source)} > {scene.short_of(roll.target)}"


def turn_rows(scene: Scene, battles: Iterable[BattleTold]) -> list[tuple[Words, ...]]:
    """The rolls of battles, each battle under a heading with its territories."""
    rows: list[tuple[Words, ...]] = []
    for battle in battles:
        target, source = scene.territory(battle.first.target), scene.territory(battle.first.source)
        rows.append(((Strong(target), f" from {source}"),))
        rows += [(number_of(r), (dice_of(r),), losses(scene, r)) for r in battle.rolls]
    return rows
