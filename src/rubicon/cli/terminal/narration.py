"""What has happened, as lines for one viewer."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rubicon.cli.terminal.board import map_name
from rubicon.cli.terminal.console import WIDTH, Symbols
from rubicon.cli.terminal.status import TOGETHER, named
from rubicon.rules import events
from rubicon.rules.actions import Resign, Roll
from rubicon.rules.sentences import decision_sentence, named_event, text_of
from rubicon.wording import listed, numbered

if TYPE_CHECKING:
    from rubicon.rules.game import Game


# The story of a game in lines: the rolls of one attack together, set-up moves side by side.

# Decisions that need no line: the event that follows says more.
SILENT = ("attack", "defend", "trade", "end", "seal", "offer", "withdraw", "decline", "standing")
PLACEMENTS = ("claim", "capital", "place")  # in the set-up, several stand on one line
PLURALS = {"territory": "territories", "city": "cities", "objective": "objectives"}
DEALT_SILENTLY = ("territory", "city", "card", "mission")  # shown beside the board, or counted
DEALT_AT_FIRST = ("objective", "reward")  # counted in the set-up only: later each is news
MOST_ROLLS = 3  # rolls of one attack whose dice are shown
ALL_PLACED = "The starting armies of all players are placed."


def faces(dice: Iterable[int]) -> str:
    """Dice, the highest first."""
    return TOGETHER.join(str(face) for face in sorted(dice, reverse=True))


def dice_text(roll: Roll) -> str:
    """Both sides' dice as they are compared, the attacker's first: `6 4 2 v 5 4`."""
    return TOGETHER.join((faces(roll.attack), "v", faces(roll.defence)))


@dataclass(slots=True, kw_only=True)
class AttackSeries:
    """The rolls of one attack, one after the other."""

    attacker: str
    defender: str
    source: str
    target: str
    rolls: list[Roll] = field(default_factory=list)  # whose dice this viewer may see
    attacker_lost: int = 0
    defender_lost: int = 0
    captured: bool = False
    moved: int = 0

    def fits(self, event: events.Rolled) -> bool:
        """Whether a roll continues this attack."""
        same = (self.source, self.target) == (event.source, event.target)
        return same and self.attacker == event.attacker and not self.captured

    def add(self, event: events.Rolled) -> None:
        """Add a roll and its losses."""
        if event.roll is not None:
            self.rolls.append(event.roll)
        self.attacker_lost += event.attacker_lost
        self.defender_lost += event.defender_lost

    def text(self, symbols: Symbols) -> str:
        """The attack in one line."""
        shown = ", ".join(dice_text(roll) for roll in self.rolls[:MOST_ROLLS])
        rest = len(self.rolls) - MOST_ROLLS
        more = f", {rest} more" if rest > 0 else ""
        dice = f"{shown}{more}; " if shown else ""
        end = "; captured" if self.captured else ""
        end += f", {self.moved}{TOGETHER}move{TOGETHER}in" if self.moved else ""
        return (
            f"{self.attacker} {self.source} {symbols.arrow} {self.target} ({self.defender}): "
            f"{dice}{self.attacker} {loss(self.attacker_lost, symbols)}, "
            f"{self.defender} {loss(self.defender_lost, symbols)}{end}"
        )


# What `AttackSeries.text` writes, for `in_short`.
SERIES = re.compile(
    r"(\w+) (.+) (→|->) (.+) \((\w+)\): .*?\1 ([−-]?\d+), \5 ([−-]?\d+)"
    r"(; captured(?:,.*)?)?"
)

AWARD = " armies: territories "  # before the items of an award


def is_attack(line: str) -> bool:
    """Whether a line of the story tells of an attack."""
    return SERIES.fullmatch(line) is not None


def in_short(line: str) -> str:
    """A line of the story for a narrow place: names in brief, an attack without its dice."""
    found = SERIES.fullmatch(line)
    if found is None:
        return line.partition(AWARD)[0] + " armies" * (AWARD in line)
    attacker, source, arrow, target, _, lost, killed, captured = found.groups()
    if captured:
        return f"{attacker} takes {map_name(target)} {lost} {killed}"
    return f"{attacker} {map_name(source)} {arrow} {map_name(target)} {lost} {killed}"


def loss(armies: int, symbols: Symbols) -> str:
    """Lost armies: `−2`, or `0`."""
    return f"{symbols.minus}{armies}" if armies else "0"


class Narration:
    """Collects events for one viewer, and gives them as lines when the viewer looks.

    `names` has the names of territories by id. With `brief_setup` the placements of the set-up
    become one sentence.
    """

    def __init__(
        self, symbols: Symbols, names: Mapping[str, str], *, brief_setup: bool = False
    ) -> None:
        self.symbols = symbols
        self.names = names
        self.brief_setup = brief_setup
        self.width: int | None = WIDTH  # of a line; None: whoever shows it breaks it
        self.in_setup = False
        self.lines: list[str] = []
        self.series: AttackSeries | None = None
        self.last_captured = ""
        self.placements: list[str] = []
        self.placed_silently = False
        self.dealt: dict[str, int] = {}

    def add(self, event: events.Event) -> None:
        """Take up one event."""
        event = named_event(event, self.names)
        match event:
            case events.Rolled():
                self._roll(event)
            case events.Captured(_, territory, _):
                self._captured(event, territory)
            case events.Decided(seat, action):
                self._decision(seat, action)
            case events.Dealt(what, _, _) if what in DEALT_SILENTLY:
                self._deal(event)
            case events.Dealt(what, _, _) if what in DEALT_AT_FIRST and self.in_setup:
                self._deal(event)
            case events.TurnBegan():
                self.in_setup = False
                self.say("")
                self.say(text_of(event))
            case events.Begins(seat):
                self.say(f"{seat} begins")
            case _:
                self.say(text_of(event))

    def _roll(self, event: events.Rolled) -> None:
        """A roll: of the attack that is being collected, or the first of another."""
        if self.series is None or not self.series.fits(event):
            self.close()
            self.series = AttackSeries(
                attacker=event.attacker,
                defender=event.defender,
                source=event.source,
                target=event.target,
            )
        self.series.add(event)

    def _captured(self, event: events.Captured, territory: str) -> None:
        """A capture belongs to the roll before it; only without that roll has it its own line."""
        self.last_captured = territory
        if self.series is not None:
            self.series.captured = True
        else:
            self.say(text_of(event))

    def _decision(self, seat: str, action: str) -> None:
        verb, _, rest = action.partition(" ")
        if verb == "occupy" and self.series is not None:
            self.series.moved = int(rest)
            self.close()
        elif verb == "occupy":
            self.say(f"{seat} moves {rest} into {self.last_captured}")
        elif verb in PLACEMENTS and self.in_setup:
            self._placement(decision_sentence(seat, action))
        elif verb not in SILENT:
            self.say(decision_sentence(seat, action))

    def _placement(self, text: str) -> None:
        self._close_series()
        if self.brief_setup:
            self.placed_silently = True
        elif self.width is None:
            self.lines.append(text)
        else:
            self.placements.append(text)

    def _deal(self, event: events.Dealt) -> None:
        """Count what is dealt by the dozen."""
        if event.what in PLURALS:
            self.dealt[event.what] = self.dealt.get(event.what, 0) + 1

    def say(self, line: str) -> None:
        """Add a line behind everything that came before it."""
        self.close()
        self.lines.append(line)

    def _close_series(self) -> None:
        if self.series is not None:
            self.lines.append(self.series.text(self.symbols))
            self.series = None

    def close(self) -> None:
        """Finish the lines that are still being collected."""
        self._close_series()
        for what, count in self.dealt.items():
            self.lines.append(f"{count} {PLURALS[what]} are dealt")
        self.dealt = {}
        if self.placements:
            self.lines.append(", ".join(self.placements))
            self.placements = []
        if self.placed_silently and not self.in_setup:
            self.lines.append(ALL_PLACED)
            self.placed_silently = False

    def take(self) -> list[str]:
        """The lines since the last call, each within the width."""
        self.close()
        texts, self.lines = self.lines, []
        lines: list[str] = []
        for text in texts:
            if self.width is None:
                lines.append(text)
            else:
                lines += textwrap.wrap(text, self.width, subsequent_indent="    ") or [""]
        return [line.replace(TOGETHER, " ") for line in lines]


# What happened to each person since that person's last turn: what all may know, in a few lines.

MOST = 4  # facts
MOST_NAMES = 3  # of territories in one fact
HEADING = "Since your last turn:"
NOTHING = "You lost no territory."
MORE = "The log has more."


class SinceTurn:
    """Collects events, as a spectator sees them, and gives them to the next person as lines."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.at_turn = ""
        self.had_turn: set[str] = set()  # whose last turn was seen here
        self.lost: dict[str, dict[str, list[str]]] = {}  # territories by loser and winner
        self.out: dict[str, list[str]] = {}  # facts about seats that left the game, by reader

    def add(self, event: events.Event) -> None:
        """Take up one event that a spectator may see."""
        match event:
            case events.TurnBegan(seat) if seat != self.at_turn:
                if self.at_turn:
                    self._turn_ended(self.at_turn)
                self.at_turn = seat
            case events.Captured(seat, territory, before):
                taken = self.lost.setdefault(before, {}).setdefault(seat, [])
                taken += [territory] if territory not in taken else []
            case events.Eliminated(seat, by):
                fact = f"{self._named(seat)} is out, eliminated by {self._named(by)}."
                self._tell_out(fact, seat, by)
            case events.Decided(seat, action) if action == str(Resign(seat)):
                self._tell_out(f"{self._named(seat)} has resigned.", seat)

    def _tell_out(self, fact: str, *known_to: str) -> None:
        """Tell all seats but some, which know it, that a seat is out of the game."""
        for reader in self.game.colours:
            if reader not in known_to:
                self.out.setdefault(reader, []).append(fact)

    def _turn_ended(self, seat: str) -> None:
        self.had_turn.add(seat)
        self.lost.pop(seat, None)
        self.out.pop(seat, None)

    def lines(self, reader: str) -> list[str]:
        """The lines for a seat; none before its first turn where nothing has happened to it."""
        lost = sorted(self.lost.get(reader, {}).items(), key=lambda pair: -len(pair[1]))
        facts = [self._taken(seat, names) for seat, names in lost]
        facts += self.out.get(reader, [])
        if len(facts) > MOST:
            facts[MOST - 1 :] = [MORE]
        if reader not in self.had_turn:
            return facts
        return [HEADING, *facts, *([NOTHING] if not lost else [])]

    def _taken(self, seat: str, territories: list[str]) -> str:
        board = self.game.ruleset.board
        names = [board.territories[board.index(one)].name for one in territories]
        if len(names) > MOST_NAMES + 1:
            more = numbered(len(names) - MOST_NAMES, "other territory", "other territories")
            names[MOST_NAMES:] = [more]
        return f"{self._named(seat)} took {listed(names)} from you."

    def _named(self, colour: str) -> str:
        if colour not in self.game.colours:  # the neutral armies
            return colour
        return named(self.game, self.game.seat(colour))
