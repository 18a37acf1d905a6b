"""The events of a game by turns and by battles: what a sentence tells at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rubicon.rules.events import Captured, Decided, Event, Rolled, TurnBegan


@dataclass(frozen=True, slots=True)
class NumberedRoll:
    """A roll; `number` counts all rolls of the game from 1, "" where it is not known."""

    event: Rolled
    number: str = ""


@dataclass(slots=True)
class BattleRolls:
    """The rolls of one territory against another, one after the other.

    `taken`: the target was captured by the last one; `moved` armies went in.
    """

    rolls: list[NumberedRoll]
    taken: bool = False
    moved: int = 0

    @classmethod
    def of(cls, roll: Rolled) -> BattleRolls:
        """A battle of one roll."""
        return cls([NumberedRoll(roll)])

    @property
    def first(self) -> Rolled:
        return self.rolls[0].event

    @property
    def attacker_lost(self) -> int:
        return sum(roll.event.attacker_lost for roll in self.rolls)

    @property
    def defender_lost(self) -> int:
        return sum(roll.event.defender_lost for roll in self.rolls)

    def goes_on_with(self, roll: Rolled) -> bool:
        """Whether a roll is one more of this battle."""
        first = self.first
        # After a capture the same two territories may fight again, the other way round or later.
        return not self.taken and (first.attacker, first.source, first.target) == (
            roll.attacker,
            roll.source,
            roll.target,
        )


@dataclass(slots=True)
class TurnEvents:
    """What was done in one turn, or ("" for the seat) in the set-up, as one reader may know it."""

    seat: str
    round: int = 0
    events: list[Event] = field(default_factory=list)
    rolls: list[NumberedRoll] = field(default_factory=list)

    def add(self, event: Event, number: str = "") -> None:
        """Take up the next event; `number` is that of a roll."""
        self.events.append(event)
        if isinstance(event, Rolled):
            self.rolls.append(NumberedRoll(event, number))

    def battles(self) -> list[BattleRolls]:
        """The battles, in order."""
        found: list[BattleRolls] = []
        rolls = iter(self.rolls)
        for event in self.events:
            if isinstance(event, Rolled):
                if found and found[-1].goes_on_with(event):
                    found[-1].rolls.append(next(rolls))
                else:
                    found.append(BattleRolls([next(rolls)]))
            # Only a roll can take a territory, so a capture belongs to the battle before it.
            elif isinstance(event, Captured) and found:
                found[-1].taken = True
            elif isinstance(event, Decided) and found and event.action.startswith("occupy "):
                found[-1].moved = int(event.action.removeprefix("occupy "))
        return found


def turns_of(events: Iterable[tuple[Event, str]]) -> list[TurnEvents]:
    """Events with the numbers of rolls, by turns; those before the first turn have no seat."""
    turns = [TurnEvents("")]
    for event, number in events:
        if isinstance(event, TurnBegan):
            turns.append(TurnEvents(event.seat, event.round))
        else:
            turns[-1].add(event, number)
    return [turn for turn in turns if turn.events]
