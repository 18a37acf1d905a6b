"""What the person at the screen has selected and typed, and the order that it stands for."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from rubicon.cli.screen.choices import Choices, choices_of
from rubicon.cli.screen.compass import neighbour_towards
from rubicon.cli.screen.line_editor import LineEditor
from rubicon.cli.screen.map.tints import neighbours_of
from rubicon.cli.screen.odds import STOPS, USUAL_STOP, StopChoice, chance_at
from rubicon.cli.screen.typed_order import Reading, read_line
from rubicon.cli.terminal.display.choices import order_for
from rubicon.cli.terminal.quick_setup import QuickSetup
from rubicon.cli.terminal.session import SETUP_PHASES
from rubicon.engine.records.position import NONE, Phase, Position
from rubicon.rules.board.geometry import Geometry
from rubicon.rules.game.game import Game


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
