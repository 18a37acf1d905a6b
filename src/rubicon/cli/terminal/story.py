"""What has happened, told in lines: rolls of one attack in one line, set-up moves side by side."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field

from rubicon.cli.terminal.paint import WIDTH, Marks
from rubicon.rules.events import (
    Begins,
    Captured,
    Dealt,
    Decided,
    Event,
    Rolled,
    TurnBegan,
)
from rubicon.rules.outcomes import Roll

BEGUN = ("attack", "defend", "trade", "end", "seal", "offer", "withdraw", "decline", "standing")
BRIEF = ("claim", "capital", "place")  # told side by side while the board is being set up
PLURALS = {"territory": "territories", "city": "cities", "objective": "objectives"}
SHOWN_BESIDE = ("territory", "city", "card", "mission")  # beside the board; told by their number
SHOWN_AT_FIRST = ("objective", "reward")  # later each is news
TOGETHER = "\N{NO-BREAK SPACE}"  # no line is broken there; it is printed as a space
MOST_ROLLS = 3  # whose dice are shown in one line


def faces(dice: Iterable[int]) -> str:
    """Dice, the highest first."""
    return TOGETHER.join(str(face) for face in sorted(dice, reverse=True))


def dice_text(roll: Roll) -> str:
    """Both sides' dice as they are compared."""
    return TOGETHER.join((faces(roll.attack), "v", faces(roll.defence)))


@dataclass(slots=True)
class Series:
    """Rolls of one attack, one after the other."""

    attacker: str
    defender: str
    source: str
    target: str
    rolls: list[Roll] = field(default_factory=list)
    lost: int = 0
    won: int = 0
    captured: bool = False
    moved: int = 0

    def fits(self, event: Rolled) -> bool:
        """Whether a roll goes on with this attack."""
        same = (self.source, self.target) == (event.source, event.target)
        return same and self.attacker == event.attacker and not self.captured

    def add(self, event: Rolled) -> None:
        """Count a roll."""
        self.rolls.append(event.roll)
        self.lost += event.attacker_lost
        self.won += event.defender_lost

    def text(self, marks: Marks) -> str:
        """The attack in one line."""
        shown = ", ".join(dice_text(roll) for roll in self.rolls[:MOST_ROLLS])
        rest = len(self.rolls) - MOST_ROLLS
        more = f", {rest} more" if rest > 0 else ""
        end = "; captured" if self.captured else ""
        end += f", {self.moved}{TOGETHER}move{TOGETHER}in" if self.moved else ""
        return (
            f"{self.attacker} {self.source} {marks.arrow} {self.target} ({self.defender}): "
            f"{shown}{more}; {self.attacker} {marks.minus}{self.lost}, "
            f"{self.defender} {marks.minus}{self.won}{end}"
        )


class Story:
    """Collects events, and tells them when somebody looks."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self.told: list[str] = []
        self.series: Series | None = None
        self.brief: list[str] = []
        self.dealt: dict[str, int] = {}

    def add(self, events: Iterable[Event]) -> None:
        """Hear what has happened."""
        for event in events:
            self.hear(event)

    def hear(self, event: Event) -> None:
        """Hear one event."""
        match event:
            case Rolled():
                self.roll(event)
            case Captured() if self.series is not None:
                self.series.captured = True
            case Decided(seat, action):
                self.decision(seat, action)
            case Dealt(what, _, _) if what in SHOWN_BESIDE:
                self.deal(event)
            case Dealt(what, _, _) if what in SHOWN_AT_FIRST and self.in_setup:
                self.deal(event)
            case TurnBegan():
                self.say("")
                self.say(str(event))
            case Begins(seat):
                self.say(f"{seat} begins")
            case _:
                self.say(str(event))

    def roll(self, event: Rolled) -> None:
        """A roll: of the attack that is being told, or of a new one."""
        if self.series is None or not self.series.fits(event):
            self.close()
            self.series = Series(event.attacker, event.defender, event.source, event.target)
        self.series.add(event)

    def decision(self, seat: str, action: str) -> None:
        """A decision: some are told by what follows from them."""
        verb, _, rest = action.partition(" ")
        if verb == "occupy" and self.series is not None:
            self.series.moved = int(rest)
            self.close()
        elif verb in BRIEF and self.in_setup:
            self.close_series()
            self.brief.append(f"{seat}: {action}")
        elif verb not in BEGUN:
            self.say(f"{seat}: {action}")

    in_setup = False

    def deal(self, event: Dealt) -> None:
        """Things dealt by the dozen are counted, not told."""
        if event.what in PLURALS:
            self.dealt[event.what] = self.dealt.get(event.what, 0) + 1

    def say(self, line: str) -> None:
        """Tell a line, after what came before it."""
        self.close()
        self.told.append(line)

    def close_series(self) -> None:
        """The attack that was being told is over."""
        if self.series is not None:
            self.told.append(self.series.text(self.marks))
            self.series = None

    def close(self) -> None:
        """Nothing is being put together any more."""
        self.close_series()
        for what, count in self.dealt.items():
            self.told.append(f"{count} {PLURALS[what]} are dealt")
        self.dealt = {}
        if self.brief:
            self.told.append(", ".join(self.brief))
            self.brief = []

    def take(self) -> list[str]:
        """The lines since the last time, each within the width."""
        self.close()
        told, self.told = self.told, []
        lines: list[str] = []
        for text in told:
            lines += textwrap.wrap(text, WIDTH, subsequent_indent="    ") or [""]
        return [line.replace(TOGETHER, " ") for line in lines]
