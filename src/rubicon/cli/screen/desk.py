"""What the person at the screen has selected, and what each key does with it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import hypot

from rubicon.cli.screen.cells import Press
from rubicon.cli.screen.typed_line import (
    STOPS,
    USUAL_STOP,
    LineEditor,
    Reading,
    StopChoice,
    chance_at,
    read_line,
)
from rubicon.cli.screen.world import neighbours_of
from rubicon.cli.terminal.choices import obvious, order_for, order_forms, ranges_of
from rubicon.cli.terminal.session import SETUP_PHASES, QuickSetup
from rubicon.engine.records import NONE, Phase, Position
from rubicon.rules import actions
from rubicon.rules.board.geometry import Geometry
from rubicon.rules.game import Game

# What a seat may do now, by kind, so that keys and mouse can offer it.


@dataclass(slots=True)
class Choices:
    """The legal actions of a seat; territories are indices.

    `attacks` and `moves` have the targets of each source, moves with the most armies; `places`
    the most armies on each territory; `claims` what may be claimed, by `claim_verb`. `numbers`
    are the least and the most of a question that a number answers, by `number_verb`.
    """

    attacks: dict[int, list[int]] = field(default_factory=dict)
    moves: dict[int, dict[int, int]] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    claims: list[int] = field(default_factory=list)
    claim_verb: str = "claim"
    numbers: tuple[int, int] | None = None
    number_verb: str = ""
    end: str = ""
    trades: bool = False
    only: str = ""  # the order that Enter gives where there is no choice
    forms: tuple[str, ...] = ()

    def sources(self) -> list[int]:
        """The territories that may be selected."""
        found = [*self.attacks, *self.moves, *self.places, *self.claims]
        return list(dict.fromkeys(found))

    def targets(self, source: int | None) -> list[int]:
        """The territories that a selected one may act on."""
        if source is None:
            return []
        return [*self.attacks.get(source, ()), *self.moves.get(source, ())]


def choices_of(game: Game, colour: str) -> Choices:
    """What a seat may do now."""
    found = Choices(forms=tuple(order_forms(game, colour)))
    index = {name: t for t, name in enumerate(game.territories)}
    for one in ranges_of(game, colour):
        match one.lowest, one.highest:
            case actions.Attack(source, target), _:
                targets = found.attacks.setdefault(index[source], [])
                if index[target] not in targets:
                    targets.append(index[target])
            case actions.Fortify(source, target, _), actions.Fortify(_, _, most):
                found.moves.setdefault(index[source], {})[index[target]] = most
            case actions.Place(territory, _), actions.Place(_, most):
                found.places[index[territory]] = most
            case actions.Claim(territory), _:
                found.claims.append(index[territory])
            case actions.PlaceCapital(territory), _:
                found.claims.append(index[territory])
                found.claim_verb = "capital"
            case actions.Occupy(low), actions.Occupy(high):
                found.numbers, found.number_verb = (low, high), "advance"
            case actions.DefendWith(low), actions.DefendWith(high):
                found.numbers, found.number_verb = (low, high), "defend"
            case (actions.EndAttack() | actions.EndTurn()) as end, _:
                found.end = str(end)
            case actions.Trade(), _:
                found.trades = True
    found.only = _only(game, colour, found)
    return found


def _only(game: Game, colour: str, found: Choices) -> str:
    """The order that needs no choice; without territories to choose from, the first that is."""
    if (action := obvious(game, colour)) is not None:
        return order_for(action)
    if found.trades and game.phase != Phase.REINFORCE:
        return "trade best"
    if found.sources() or found.numbers:
        return ""
    if found.end:
        return found.end
    ranges = ranges_of(game, colour)
    return order_for(ranges[0].lowest) if ranges else ""


# Which neighbour lies in a direction, for the arrow keys.

DIRECTIONS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}
LEAST_COSINE = 0.35  # a neighbour farther off the direction is not meant


def neighbour_towards(geometry: Geometry, near: set[int], start: int, direction: str) -> int | None:
    """The neighbour of `start` that lies closest to a direction; None if none does.

    Over the edge of the drawing the way is as long as across its seam.
    """
    right, down = DIRECTIONS[direction]
    x, y = geometry["territories"][start]["disc"]
    best: tuple[float, int] | None = None
    for other in sorted(near):
        ox, oy = geometry["territories"][other]["disc"]
        width = geometry["width"]
        dx = (ox - x + width / 2) % width - width / 2
        dy = oy - y
        length = hypot(dx, dy) or 1.0
        cosine = (dx * right + dy * down) / length
        if cosine > LEAST_COSINE and (best is None or cosine > best[0]):
            best = cosine, other
    return None if best is None else best[1]


# The desk: a selection and a typed line, and the order that they stand for.


@dataclass(slots=True)
class Desk:
    """One person's selection and line; `renew` before every question.

    `draft` has the armies to be placed on territories, `number` the armies or dice chosen.
    """

    game: Game
    geometry: Geometry
    colour: str = ""
    choices: Choices = field(default_factory=Choices)
    line: LineEditor = field(default_factory=LineEditor)
    selected: int | None = None
    target: int | None = None
    number: int | None = None
    stop_number: int = USUAL_STOP
    draft: dict[int, int] = field(default_factory=dict)
    earlier: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    advice: str = ""  # what a bot would do in the set-up
    moment: tuple[str, bytes] = ("", b"")  # the seat and the position of the last question
    hand_open: bool = True  # a defender may be asked while the attacker sits at the keyboard

    def reading(self) -> Reading:
        """How the line is understood."""
        line = self.line
        return read_line(line.text, line.cursor, self.game, self.colour, hand_open=self.hand_open)

    def reading_of(self, order: str) -> Reading:
        """How an order is understood that is only proposed."""
        return read_line(order, 0, self.game, self.colour, hand_open=self.hand_open)

    def renew(self, colour: str, typed: str = "", *, hand_open: bool = True) -> None:
        """A new question for a seat; `typed` is a line to be corrected.

        Its cards and earlier lines are shown only with `hand_open`.
        Where nothing has changed, selection and draft stay; a line that is not sent stays always.
        """
        moment = colour, self.game.position.tobytes()
        self.hand_open = hand_open
        self.line.earlier = self.earlier[colour] if hand_open else []
        typed = typed or (self.line.text if colour == self.colour else "")
        if moment == self.moment:
            self.line.set(typed)
            return
        self.moment = moment
        if colour != self.colour:
            self.selected = None
        self.colour = colour
        self.choices = choices_of(self.game, colour)
        self.line = LineEditor(earlier=self.line.earlier)
        self.line.set(typed)
        self.draft, self.number, self.advice = {}, None, ""
        if self.game.phase in SETUP_PHASES:
            self.advice = order_for(QuickSetup(colour, seed=0).decide(self.game))
        if self.selected not in self.choices.sources():
            self.selected = self._best_source()
        targets = self.targets()
        self.target = self.target if self.target in targets else next(iter(targets), None)

    @property
    def view(self) -> Position:
        """What the seat may see."""
        return self.game.view(self.colour)

    @property
    def stop(self) -> StopChoice:
        """Where attacks of the selected territory stop."""
        choice = STOPS[self.stop_number]
        if self.selected is None:
            return choice
        return choice.with_armies(int(self.view.armies[self.selected]))

    def chances(self) -> dict[int, float]:
        """The chance to take each target of the selected territory, under the stop."""
        targets = self.choices.attacks.get(-1 if self.selected is None else self.selected, [])
        view = self.view
        return {
            t: chance_at(self.game, view, self.selected, t, STOPS[self.stop_number])
            for t in targets
            if self.selected is not None
        }

    def targets(self) -> list[int]:
        """The targets of the selected territory, the likeliest first."""
        chances = self.chances()
        return sorted(self.choices.targets(self.selected), key=lambda t: -chances.get(t, 0.0))

    def _best_source(self) -> int | None:
        sources = self.choices.sources()
        if self.choices.attacks:
            view = self.view
            return max(self.choices.attacks, key=lambda t: int(view.armies[t]))
        return sources[0] if self.choices.places else None

    def battle(self) -> tuple[int, int] | None:
        """Source and target of the battle that a question is about; None without such a one."""
        if self.choices.number_verb not in ("advance", "defend"):
            return None
        view = self.view
        source, target = int(view.attack_source), int(view.attack_target)
        return (source, target) if source != NONE != target else None

    def moved(self) -> int:
        """The armies that the proposal moves: an advance, or a move at the end of a turn."""
        if self.choices.number_verb == "advance" and self.choices.numbers:
            return self.number or self.choices.numbers[1]
        if self.selected is None or self.target is None:
            return 0
        return self.number or self.choices.moves.get(self.selected, {}).get(self.target, 0)

    def proposal(self) -> str:
        """The order that Enter gives on an empty line; "" for none."""
        choices, names = self.choices, self.game.territories
        if self.game.phase == Phase.OVER or not self.colour:
            return ""
        if choices.numbers:
            return f"{choices.number_verb} {self.number or choices.numbers[1]}"
        if choices.only:
            return choices.only
        if self.draft:
            parts = ", ".join(f"{armies} {names[t]}" for t, armies in self.draft.items())
            return f"deploy {parts}"
        if self.advice and self.selected is None:
            return self.advice
        return self._on_selected() or choices.end

    def _on_selected(self) -> str:
        """The order for the selected territory and its target."""
        choices, names = self.choices, self.game.territories
        if self.selected is None:
            return ""
        here = names[self.selected]
        if self.selected in choices.places:
            return f"deploy {choices.places[self.selected]} {here}"
        if self.selected in choices.claims:
            return f"{choices.claim_verb} {here}"
        if self.target is None:
            return ""
        if self.target in choices.attacks.get(self.selected, ()):
            return f"attack {here} -> {names[self.target]} {self.stop.words}"
        most = choices.moves.get(self.selected, {}).get(self.target, 0)
        return f"fortify {here} -> {names[self.target]} {self.number or most}" if most else ""

    def roll_once(self) -> str:
        """The order for one roll against the target; "" without one."""
        order = self._on_selected()
        return f"{order.split(' UNTIL ')[0]} UNTIL ROUNDS 1" if " UNTIL " in order else ""

    def end(self) -> str:
        """The order that ends the phase; "" where it cannot be ended."""
        return self.choices.end

    def select(self, t: int) -> bool:
        """Select a territory, or target it from the selected one; whether that means something.

        A second look at the same target leaves it as it is.
        """
        if t in self.choices.targets(self.selected):
            self.target, self.number = t, None
        elif t in self.choices.sources():
            self.selected, self.number = t, None
            self.target = next(iter(self.targets()), None)
        else:
            return False
        return True

    def next_choice(self, step: int) -> None:
        """The next target, or without targets the next territory that may be selected."""
        targets = self.targets()
        if targets:
            at = targets.index(self.target) if self.target in targets else -step
            self.target = targets[(at + step) % len(targets)]
            return
        sources = self.choices.sources()
        if sources:
            at = sources.index(self.selected) if self.selected in sources else -max(step, 0)
            self.selected = sources[(at + step) % len(sources)]
            self.target = next(iter(self.targets()), None)

    def move(self, direction: str) -> None:
        """Select the neighbour in a direction that may be selected or targeted."""
        start = self.selected
        if start is None:
            sources = self.choices.sources()
            self.selected = sources[0] if sources else None
            return
        near = neighbours_of(self.game.ruleset.board)[start]
        useful = near & {*self.choices.sources(), *self.choices.targets(start)}
        found = neighbour_towards(self.geometry, useful, start, direction)
        if found is not None:
            self.select(found)

    def change(self, step: int) -> None:
        """One army or die more or less."""
        if self.choices.numbers:
            low, high = self.choices.numbers
            self.number = max(low, min(high, (self.number or high) + step))
        elif self.selected in self.choices.places and self.selected is not None:
            self._draft(self.selected, step)
        elif self.selected is not None and self.target is not None:
            most = self.choices.moves.get(self.selected, {}).get(self.target)
            if most:
                self.number = max(1, min(most, (self.number or most) + step))

    def set_number(self, *, most: bool) -> None:
        """The most or the fewest of a number that is asked for."""
        if self.choices.numbers:
            self.number = self.choices.numbers[1 if most else 0]
        elif self.moved():
            self.number = None if most else 1

    def _draft(self, t: int, step: int) -> None:
        left = max(self.choices.places.values()) - sum(self.draft.values())
        wanted = self.draft.get(t, 0) + min(step, left)
        if wanted > 0:
            self.draft[t] = wanted
        else:
            self.draft.pop(t, None)

    def change_stop(self, step: int) -> None:
        """The next stop; it stays for later attacks."""
        self.stop_number = max(0, min(len(STOPS) - 1, self.stop_number + step))


# What each key does: it edits the line, changes the selection, or gives an order.

OPENS = {"f4": "hand", "f5": "log", "f1": "help"}  # keys that show something
BEGINS = {"f6": "say ", "f7": "defend "}  # keys that begin a line
STEPS = {"+": 1, "=": 1, "-": -1, "−": -1}
STOP_STEPS = {"[": -1, "]": 1}
NUMBER_STEPS = {"left": -1, "right": 1}  # where a number of armies or dice is asked for


def opened_by(desk: Desk, press: Press) -> str:
    """What a key shows over the map, by its command: `hand`, `log`, `help`; "" for another key."""
    if press.sign == "?" and not desk.line.text:
        return "help"
    return OPENS.get(press.key, "")


def pressed(desk: Desk, press: Press) -> str | None:
    """Carry out a key; the line that it sends, or None."""
    if press.key == "enter":
        return entered(desk)
    if press.key == "tab":
        complete_or_move(desk)
        return None
    if press.key in OPENS:
        return OPENS[press.key]
    if press.key in BEGINS and not desk.line.text:
        desk.line.insert(BEGINS[press.key])
        return None
    if press.key == "f8":
        text = desk.line.text or desk.proposal()
        return f"preview {text}" if text else None
    if not desk.line.text:
        return on_empty_line(desk, press)
    if press.key == "escape":
        desk.line.set("")
    elif not desk.line.edit(press.key):
        desk.line.insert(press.sign)
    return None


def entered(desk: Desk) -> str | None:
    """The typed line, or on an empty one the proposal."""
    return desk.line.take() or desk.proposal() or None


def complete_or_move(desk: Desk) -> None:
    """Take the first candidate for the end of the line; on an empty one go to the next target."""
    line = desk.line
    if not line.text:
        desk.next_choice(1)
        return
    following = desk.reading().following
    if following:
        first = following[0]
        line.replace(first.start, first.stop, first.text + " ")


def on_empty_line(desk: Desk, press: Press) -> str | None:
    """A key that begins no order; any other begins one."""
    sign = press.sign
    if press.key == "shift+tab":
        desk.next_choice(-1)
    elif press.key in NUMBER_STEPS and desk.choices.numbers:
        desk.change(NUMBER_STEPS[press.key])
    elif press.key in ("home", "end"):
        desk.set_number(most=press.key == "end")
    elif press.key in DIRECTIONS:
        desk.move(press.key)
    elif press.key == "backspace":
        return taken_back(desk)
    elif sign == " ":
        return desk.roll_once() or None
    elif sign == ".":
        return desk.end() or None
    elif sign == "?":
        return "help"
    elif sign in STEPS and sign:
        desk.change(STEPS[sign])
    elif sign in STOP_STEPS and sign:
        desk.change_stop(STOP_STEPS[sign])
    elif sign:
        desk.line.insert(sign)
    return None


def taken_back(desk: Desk) -> str | None:
    """Drop the draft, or without one take the last decision back."""
    if desk.draft:
        desk.draft.clear()
        return None
    return "undo"
