"""What has happened, as lines for one viewer."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rubicon.cli.terminal.board import map_name
from rubicon.cli.terminal.console import WIDTH, Symbols
from rubicon.cli.terminal.status import TOGETHER, named, names_of
from rubicon.rules import events
from rubicon.rules.actions import Resign
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller, dice_text
from rubicon.telling.turns import BattleRolls, NumberedRoll

if TYPE_CHECKING:
    from rubicon.rules.game import Game


# The story of a game in lines: the rolls of one attack together, set-up moves side by side.

# Decisions that need no line: the event that follows says more.
SILENT = ("attack", "defend", "trade", "end", "seal", "offer", "withdraw", "decline", "standing")
PLACEMENTS = ("claim", "capital", "place")  # in the set-up, several are on one line
COUNTED = ("territory", "city", "objective")
DEALT_SILENTLY = ("territory", "city", "card", "mission")  # shown next to the board, or counted
DEALT_AT_FIRST = ("objective", "reward")  # counted in the set-up only: later each is news
MOST_ROLLS = 3  # rolls of one attack whose dice are shown


class StoryLine(str):
    """A line of the story; `short` is the same for a narrow place.

    It is a text wherever a text is printed, so only a narrow place must know of this class.
    """

    short: str
    is_attack: bool

    @classmethod
    def of(cls, text: str, short: str = "", *, is_attack: bool = False) -> StoryLine:
        """The line; without `short` it is short enough."""
        line = cls(text)
        line.short, line.is_attack = short or text, is_attack
        return line

    def rows(self, width: int | None) -> list[StoryLine]:
        """The line broken at a width; names and dice stay together until then."""
        if width is None:
            texts = [str(self)]
        else:
            texts = textwrap.wrap(self, width, subsequent_indent="    ") or [""]
        short = self.short if len(texts) == 1 else ""
        return [StoryLine.of(apart(text), apart(short), is_attack=self.is_attack) for text in texts]


def apart(text: str) -> str:
    """A text whose lines are broken, with plain spaces."""
    return text.replace(TOGETHER, " ")


def is_attack(line: str) -> bool:
    """Whether a line of the story reports an attack."""
    return isinstance(line, StoryLine) and line.is_attack


def in_short(line: str) -> str:
    """A line of the story for a narrow place: names in brief, an attack without its dice."""
    return line.short if isinstance(line, StoryLine) else line


def loss(armies: int, symbols: Symbols) -> str:
    """Lost armies: `−2`, or `0`."""
    return f"{symbols.minus}{armies}" if armies else "0"


def attack_line(battle: BattleRolls, teller: Storyteller, symbols: Symbols) -> StoryLine:
    """A battle in one line: its dice, as far as the viewer may see them, its losses, its end."""
    names, said, first = teller.names, teller.names.phrases, battle.first
    seen = [
        dice_text(roll.event.roll).replace(" ", TOGETHER)
        for roll in battle.rolls
        if roll.event.roll is not None
    ]
    rest = len(seen) - MOST_ROLLS
    dice = ", ".join(seen[:MOST_ROLLS]) + (f", {rest} more" if rest > 0 else "")
    attacker, defender = names.name(first.attacker), names.name(first.defender)
    source, target = names.place(first.source), names.place(first.target)
    lost = loss(battle.attacker_lost, symbols)
    killed = loss(battle.defender_lost, symbols)
    ends = [said.sentences["captured"]] if battle.taken else []
    ends += [said.sentence("move in", n=battle.moved)] if battle.moved else []
    end = ", ".join(ends).replace(" ", TOGETHER).replace(f",{TOGETHER}", ", ")
    text = (
        f"{attacker} {source} {symbols.arrow} {target} ({defender}): {dice}{'; ' if dice else ''}"
        f"{attacker} {lost}, {defender} {killed}{'; ' if end else ''}{end}"
    )
    brief = [map_name(apart(name)) for name in (source, target)]
    short = f"{attacker} {brief[0]} {symbols.arrow} {brief[1]} {lost} {killed}"
    if battle.taken:
        short = f"{teller.statement(first.attacker, 'takes', places=brief[1])} {lost} {killed}"
    return StoryLine.of(text, short, is_attack=True)


class Narration:
    """Collects events for one viewer, and gives them as lines when the viewer looks.

    `places` has the names of territories by id. With `brief_setup` the placements of the set-up
    become one sentence.
    """

    def __init__(
        self, symbols: Symbols, places: Mapping[str, str], *, brief_setup: bool = False
    ) -> None:
        self.symbols = symbols
        self.teller = Storyteller(Names(places=places))
        self.brief_setup = brief_setup
        self.width: int | None = WIDTH  # of a line; None: whoever shows it breaks it
        self.in_setup = False
        self.lines: list[StoryLine] = []
        self.battle: BattleRolls | None = None  # whose rolls are being collected
        self.last_captured = ""
        self.placements: list[str] = []
        self.placed_silently = False
        self.dealt: dict[str, int] = {}

    def add(self, event: events.Event) -> None:
        """Take up one event."""
        match event:
            case events.Rolled():
                self._roll(event)
            case events.Captured():
                self._captured(event)
            case events.Decided(seat, action):
                self._decision(seat, action)
            case events.Dealt(what, _, _) if what in DEALT_SILENTLY:
                self._deal(event)
            case events.Dealt(what, _, _) if what in DEALT_AT_FIRST and self.in_setup:
                self._deal(event)
            case events.TurnBegan():
                self.in_setup = False
                self.say("")
                self.tell(event)
            case events.Awarded(seat):
                # The items of an award are too much for a narrow place.
                total = self.teller.sentence(events.Received(seat, event.total))
                self.say(self.teller.sentence(event), total)
            case _:
                self.tell(event)

    def _roll(self, event: events.Rolled) -> None:
        """A roll: of the battle that is being collected, or the first of another."""
        if self.battle is not None and self.battle.goes_on_with(event):
            self.battle.rolls.append(NumberedRoll(event))
        else:
            self.close()
            self.battle = BattleRolls.of(event)

    def _captured(self, event: events.Captured) -> None:
        """A capture belongs to the roll before it; only without that roll has it its own line."""
        self.last_captured = event.territory
        if self.battle is not None:
            self.battle.taken = True
        else:
            self.tell(event)

    def _decision(self, seat: str, action: str) -> None:
        verb, _, rest = action.partition(" ")
        place = self.teller.names.place(self.last_captured)
        if verb == "occupy" and self.battle is not None:
            self.battle.moved = int(rest)
            self.close()
        elif verb in PLACEMENTS and self.in_setup:
            self._placement(self.teller.decision(seat, action))
        elif verb not in SILENT:
            self.say(self.teller.decision(seat, action, place))

    def _placement(self, text: str) -> None:
        self._close_battle()
        if self.brief_setup:
            self.placed_silently = True
        elif self.width is None:
            self.lines.append(StoryLine.of(text))
        else:
            self.placements.append(text)

    def _deal(self, event: events.Dealt) -> None:
        """Count what is dealt by the dozen."""
        if event.what in COUNTED:
            self.dealt[event.what] = self.dealt.get(event.what, 0) + 1

    def tell(self, event: events.Event) -> None:
        """Add an event in its own sentence."""
        self.say(self.teller.sentence(event))

    def say(self, text: str, short: str = "") -> None:
        """Add a line after everything that came before it."""
        self.close()
        self.lines.append(StoryLine.of(text, short))

    def _close_battle(self) -> None:
        if self.battle is not None:
            self.lines.append(attack_line(self.battle, self.teller, self.symbols))
            self.battle = None

    def close(self) -> None:
        """Finish the lines that are still being collected."""
        self._close_battle()
        said = self.teller.names.phrases
        for what, count in self.dealt.items():
            things = said.counted(count, what)
            self.lines.append(StoryLine.of(said.sentence("are dealt", things=things)))
        self.dealt = {}
        if self.placements:
            self.lines.append(StoryLine.of(", ".join(self.placements)))
            self.placements = []
        if self.placed_silently and not self.in_setup:
            self.lines.append(StoryLine.of(said.sentences["all placed"]))
            self.placed_silently = False

    def take(self) -> list[StoryLine]:
        """The lines since the last call, each within the width."""
        self.close()
        told, self.lines = self.lines, []
        return [row for line in told for row in line.rows(self.width)]


# What happened to each person since that person's last turn: what all may know, in a few lines.

MOST = 4  # facts
MOST_NAMES = 3  # of territories in one fact


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
                victim = self._teller().names.name(seat)
                fact = self._teller().statement(by, "eliminated", victim=victim)
                self._tell_out(f"{fact}.", seat, by)
            case events.Decided(seat, action) if action == str(Resign(seat)):
                self._tell_out(f"{self._teller().statement(seat, 'resigned')}.", seat)

    def _tell_out(self, fact: str, *known_to: str) -> None:
        """Notify all seats, except those that know it, that a seat is out of the game."""
        for reader in self.game.colours:
            if reader not in known_to:
                self.out.setdefault(reader, []).append(fact)

    def _turn_ended(self, seat: str) -> None:
        self.had_turn.add(seat)
        self.lost.pop(seat, None)
        self.out.pop(seat, None)

    def lines(self, reader: str) -> list[str]:
        """The lines for a seat; none before its first turn where nothing has happened to it."""
        said = self._teller(reader).names.phrases.sentences
        lost = sorted(self.lost.get(reader, {}).items(), key=lambda pair: -len(pair[1]))
        facts = [self._taken(seat, territories, reader) for seat, territories in lost]
        facts += self.out.get(reader, [])
        if len(facts) > MOST:
            facts[MOST - 1 :] = [said["more in log"]]
        if reader not in self.had_turn:
            return facts
        return [said["since"], *facts, *([said["lost nothing"]] if not lost else [])]

    def _taken(self, seat: str, territories: list[str], reader: str) -> str:
        teller = self._teller(reader)
        places = [apart(teller.names.place(one)) for one in territories]
        if len(places) > MOST_NAMES + 1:
            others = len(places) - MOST_NAMES
            places[MOST_NAMES:] = [teller.names.phrases.counted(others, "other territory")]
        return f"{teller.names.subject(seat)} {teller.took(seat, places, reader)}."

    def _teller(self, reader: str = "") -> Storyteller:
        names = {c: named(self.game, self.game.seat(c)) for c in self.game.colours}
        return Storyteller(Names(places=names_of(self.game), names=names, you=reader))
