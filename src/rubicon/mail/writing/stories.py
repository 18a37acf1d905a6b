"""What happened, in sentences: a turn without its dice, a battle, the dice of a roll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rubicon.mail.writing.happenings import RollTold, TurnTold
from rubicon.mail.writing.layout.document import DiceOfRoll, Inline, Strong, Words
from rubicon.mail.writing.scene import Scene
from rubicon.wording import listed, numbered

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
