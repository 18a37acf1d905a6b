"""The line that is typed: its editor, its meaning as orders, its odds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from rubicon.cli.screen.world import neighbours_in
from rubicon.cli.terminal.board import without_codes
from rubicon.cli.terminal.choices import percent
from rubicon.cli.terminal.commands import COMMANDS, ORDERS, whole_word
from rubicon.engine.records import NONE, Position
from rubicon.errors import RubiconError
from rubicon.odds.battle import Battle, battle
from rubicon.odds.rule import DiceRule, Stop
from rubicon.orders.completion import Candidate, candidates
from rubicon.orders.errors import OrdersError
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.preview import preview, preview_lines
from rubicon.orders.syntax import AttackOrder, OrderText, StopKind
from rubicon.rules.game import Game
from rubicon.wording import printable

# The chances that the screen shows: of an attack under a stop, from what the seat may see.

REMEMBERED = 4096  # battles
MOST_SHOWN = 400  # armies of one side: a larger battle takes longer than a key may


@dataclass(frozen=True, slots=True)
class StopChoice:
    """A stop of an attack: its name on the screen, its words in an order, what it means."""

    name: str
    words: str
    stop: Stop

    def with_armies(self, attack: int) -> StopChoice:
        """The stop for so many attacking armies: few of them leave fewer behind."""
        left = min(self.stop.left, attack - 1)
        if left == self.stop.left or left < 1:
            return self
        return StopChoice(self.name, f"UNTIL LEFT {left}", Stop(left=left))


STOPS = (
    StopChoice("once", "UNTIL ROUNDS 1", Stop(rounds=1)),
    StopChoice("3 left", "UNTIL LEFT 3", Stop(left=3)),
    StopChoice("≥60%", "UNTIL ODDS < 60%", Stop(odds=0.6)),
    StopChoice("end", "UNTIL WON", Stop()),
)
USUAL_STOP = 1


def battle_at(
    game: Game, view: Position, source: int, target: int, stop: Stop, *, placed: int = 0
) -> Battle[float] | None:
    """The battle between two territories; None where armies are hidden or too many.

    `placed` armies are not there yet, but will defend.
    """
    attack, defend = int(view.armies[source]), int(view.armies[target]) + placed
    if not (2 <= attack <= MOST_SHOWN and 1 <= defend <= MOST_SHOWN):
        return None
    if NONE in (int(view.owner[source]), int(view.owner[target])):
        return None
    try:
        return _battle(attack, defend, DiceRule.between(game.ruleset, view, source, target), stop)
    except RubiconError:
        return None


@lru_cache(maxsize=REMEMBERED)
def _battle(attack: int, defend: int, rule: DiceRule, stop: Stop) -> Battle[float]:
    return battle(attack, defend, rule, stop)


def chance_at(game: Game, view: Position, source: int, target: int, choice: StopChoice) -> float:
    """The chance to take a territory; 0 where it is not known."""
    stop = choice.with_armies(int(view.armies[source])).stop
    found = battle_at(game, view, source, target, stop)
    return found.win if found is not None else 0.0


def threat_to(game: Game, view: Position, source: int, target: int, *, placed: int = 0) -> float:
    """The chance that a neighbour takes a territory if it attacks to the end."""
    found = battle_at(game, view, source, target, STOPS[-1].stop, placed=placed)
    return found.win if found is not None else 0.0


# The editor: the text, the caret, and the lines that were sent before.

MOST = 4000  # characters of a line: each key reads it anew
MOST_EARLIER = 200  # lines that are kept


@dataclass(slots=True)
class LineEditor:
    """A line with a caret before the character `cursor`; `earlier` are lines of the same seat."""

    text: str = ""
    cursor: int = 0
    earlier: list[str] = field(default_factory=list)
    at: int = 0  # of the earlier lines, counted from the last; 0 is the new line

    def set(self, text: str) -> None:
        """Another text, the caret after it."""
        self.text, self.cursor = text, len(text)

    def insert(self, text: str) -> None:
        """Type at the caret: what can be printed, as long as the line has room for it."""
        text = printable(text)[: max(0, MOST - len(self.text))]
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def replace(self, start: int, stop: int, text: str) -> None:
        """Write a text over some characters."""
        self.text = self.text[:start] + text + self.text[stop:]
        self.cursor = start + len(text)

    def edit(self, key: str) -> bool:
        """Carry out an editing key; False for any other."""
        match key:
            case "backspace":
                if self.cursor:
                    self.replace(self.cursor - 1, self.cursor, "")
            case "delete":
                self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]
            case "left":
                self.cursor = max(0, self.cursor - 1)
            case "right":
                self.cursor = min(len(self.text), self.cursor + 1)
            case "home" | "ctrl+a":
                self.cursor = 0
            case "end" | "ctrl+e":
                self.cursor = len(self.text)
            case "ctrl+u":
                self.replace(0, self.cursor, "")
            case "ctrl+k":
                self.text = self.text[: self.cursor]
            case "ctrl+w" | "alt+backspace":
                self._drop_word()
            case "up" | "down":
                self._recall(1 if key == "up" else -1)
            case _:
                return False
        return True

    def _drop_word(self) -> None:
        kept = self.text[: self.cursor].rstrip().rpartition(" ")[0]
        self.replace(len(kept) + 1 if kept else 0, self.cursor, "")

    def _recall(self, step: int) -> None:
        self.at = max(0, min(len(self.earlier), self.at + step))
        self.set(self.earlier[-self.at] if self.at else "")

    def take(self) -> str:
        """The line, which is sent now."""
        line = self.text.strip()
        if line and self.earlier[-1:] != [line]:
            self.earlier.append(line)
            del self.earlier[:-MOST_EARLIER]
        self.set("")
        self.at = 0
        return line


# What is typed while the game is busy: it waits for the next question of the same turn.

Moment = tuple[str, int, int]  # the seat that is asked, the seat whose turn it is, the round


@dataclass(slots=True)
class TypeAhead:
    """Lines that are typed before they are asked for; the last one may not be ended yet.

    A key that means something on an empty line alone is dropped, and so is Enter: what they would
    do is not on the screen yet.
    """

    text: str = ""
    moment: Moment = ("", 0, 0)  # of the last question

    def press(self, key: str, sign: str) -> None:
        """Keep a key."""
        begun = self.text.rpartition("\n")[2]
        if key == "enter" and begun:
            self.text += "\n"
        elif key == "backspace":
            self.text = self.text[: len(self.text) - bool(begun)]
        elif (begun or sign.isalnum()) and len(self.text) < MOST:
            self.text += sign

    def at(self, moment: Moment) -> None:
        """A question of this moment: what was typed for another turn is dropped."""
        if moment != self.moment:
            self.text = ""
        self.moment = moment

    def take(self) -> tuple[str, bool]:
        """The first line that waits, and whether Enter has ended it."""
        line, ended, self.text = self.text.partition("\n")
        return line, bool(ended)


# What is under the prompt: the exact form of the line with its odds, or how it may go on.


@dataclass(frozen=True, slots=True)
class Reading:
    """How a line is understood: its exact form and odds, or candidates for its end."""

    exact: str = ""
    odds: str = ""
    following: tuple[Candidate, ...] = ()

    def ghost(self, text: str) -> str:
        """What Tab would add after the caret; "" where it would change what is typed."""
        if not self.following:
            return ""
        first = self.following[0]
        typed = text[first.start : first.stop]
        begins = first.text.casefold().startswith(typed.casefold())
        rest = first.text[len(typed) :] if begins else ""
        return rest.lower() if typed.islower() and first.kind in ("verb", "keyword") else rest


def read_line(
    text: str, cursor: int, game: Game, colour: str, *, hand_open: bool = True
) -> Reading:
    """How a line is understood; only with an open hand are its cards proposed."""
    word = whole_word(text.partition(" ")[0])
    following = following_words(text, cursor, game, colour) if text else ()
    if not hand_open:
        following = tuple(one for one in following if one.kind != "card")
    if not text or word in COMMANDS:
        return Reading(
            exact=COMMANDS.get(word, ""), following=() if word in COMMANDS else following
        )
    try:
        names = dict(zip(game.names, game.colours, strict=True))
        board = game.ruleset.board
        orders = read_orders(without_codes(text, board), board, game.colours, names=names)
    except RubiconError:
        return Reading(following=following)
    exact = "; ".join(" ".join(str(order).split()) for order in orders.orders)
    if orders.ended and not orders.orders:
        exact = "END"
    return Reading(exact, odds_of(orders, game, colour), following)


def following_words(text: str, cursor: int, game: Game, colour: str) -> tuple[Candidate, ...]:
    """The candidates at the cursor; a verb that is cut short counts as the whole one."""
    begin = text.rfind(";", 0, cursor) + 1
    begin += len(text[begin:cursor]) - len(text[begin:cursor].lstrip())
    word = text[begin:cursor].partition(" ")[0]
    whole = [verb for verb in ORDERS if verb.startswith(word.casefold())]
    if not word or len(whole) != 1 or " " not in text[begin:cursor]:
        return candidates(text, cursor, game, colour)
    longer = len(whole[0]) - len(word)
    written = text[:begin] + whole[0] + text[begin + len(word) :]
    return tuple(
        replace(one, start=one.start - longer, stop=one.stop - longer)
        for one in candidates(written, cursor + longer, game, colour)
    )


def odds_of(orders: OrderText, game: Game, colour: str) -> str:
    """The odds of a single attack: `63%  −4.1  kills 4.9`; "" for other orders."""
    match orders.orders:
        case (AttackOrder() as order,) if len(order.path) == 2:
            index = game.territories.index
            source, target = index(order.path[0]), index(order.path[1])
            if target not in neighbours_in(game, source):
                return f"{order.path[0]} and {order.path[1]} share no border".replace("_", " ")
            found = battle_at(game, game.view(colour), source, target, stop_of(order))
        case _:
            return ""
    if found is None:
        return ""
    lost, killed = found.expected_attack_losses, found.expected_defend_losses
    return f"{percent(found.win)}  −{lost:.1f}  kills {killed:.1f}"


def stop_of(order: AttackOrder) -> Stop:
    """The stop of an attack; without one, a single roll."""
    left, lost, rounds, odds = 1, None, None, None
    for rule in order.stops:
        match rule.kind:
            case StopKind.LEFT:
                left = rule.number
            case StopKind.LOST:
                lost = rule.number
            case StopKind.ROUNDS:
                rounds = rule.number
            case StopKind.ODDS:
                odds = rule.number / 100
    return Stop(left, lost, rounds if order.stops else 1, odds)


# A whole turn written before anything of it is done: its lines, their meaning, their odds.

TITLE = "Your turn, looked ahead"
EMPTY = (
    "Write the orders of a whole turn, one per line. Next to each you see what they do together. "
    "Nothing happens until you press Enter on an empty line."
)


@dataclass(slots=True)
class WholeTurn:
    """The lines of orders that a seat has written so far, and what they would do."""

    lines: list[str] = field(default_factory=list)
    outlook: list[str] = field(default_factory=list)

    def add(self, line: str, game: Game, colour: str) -> None:
        """One more line."""
        self.lines += [part.strip() for part in line.split("\n") if part.strip()]
        self.look_ahead(game, colour)

    def take_back(self, game: Game, colour: str) -> None:
        """Without the last line."""
        del self.lines[-1:]
        self.look_ahead(game, colour)

    def look_ahead(self, game: Game, colour: str) -> None:
        """What the lines would do, or what is wrong with them."""
        self.outlook = []
        if not self.lines:
            return
        board = game.ruleset.board
        names = dict(zip(game.names, game.colours, strict=True))
        text = without_codes("\n".join(self.lines), board)
        try:
            orders = read_orders(text, board, game.colours, names=names)
            self.outlook = list(preview_lines(preview(orders, game, colour), board))
        except OrdersError as error:
            self.outlook = [
                f"Line {one.line}: {one.message} {one.suggestion}".strip() for one in error.problems
            ]
        except RubiconError as error:
            self.outlook = [str(error)]

    def command(self) -> str:
        """The line that carries everything out."""
        return "orders " + "\n".join(self.lines)

    def shown(self) -> list[str]:
        """What is next to the map, or over it."""
        numbered = [f"{number:>2} {line}" for number, line in enumerate(self.lines, 1)]
        return [*numbered, "", *self.outlook] if numbered else [EMPTY]
