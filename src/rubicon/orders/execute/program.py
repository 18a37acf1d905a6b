"""Orders as a flat list of steps, what one step results in, and the seat that executes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from rubicon.engine.apply import apply
from rubicon.engine.codes import Refusal
from rubicon.engine.legality import refusal
from rubicon.engine.ownership import acts
from rubicon.engine.records import TERRITORIES, Position, Seat, copy_position
from rubicon.errors import RubiconError
from rubicon.orders import syntax
from rubicon.rules.actions import Action, action_of, code_of
from rubicon.rules.game import Game
from rubicon.rules.legal import Legal
from rubicon.rules.refusals import REASONS

# Compiles orders into a flat list of steps, so that progress is one small value.


class Progress(NamedTuple):
    """How far a program is executed: its whole state alongside the position."""

    at: int = 0  # the index of the step
    part: int = 0  # of the step: the leg of a path, the placement of a list
    rolled: int = 0  # rolls of this attack, capped at its ROUNDS (1 without ROUNDS)
    placed: int = 0  # armies of this placement that are placed already
    traded: int = 0  # sets traded by this TRADE
    start: int = 0  # the seat's armies on the board when an attack with LOST began
    attack: int = -1  # the step of the last attack, where a later IF WON needs it; else -1

    def behind(self, to: int | None = None) -> Progress:
        """The progress at the beginning of the next step, or of step `to`."""
        return Progress(self.at + 1 if to is None else to, attack=self.attack)


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """One order; `line` is its number in the text, from 1."""

    line: int
    order: syntax.SimpleOrder


@dataclass(frozen=True, slots=True)
class AllTaken:
    """Whether the seat owns all these territories is what is `expected`."""

    territories: tuple[str, ...]
    expected: bool


@dataclass(frozen=True, slots=True)
class LastTaken:
    """Whether the seat owns the whole path of the last attack is what is `expected`.

    Without an attack so far, it does not.
    """

    expected: bool


Test: TypeAlias = (
    AllTaken | LastTaken | syntax.Holds | syntax.CardEarned | syntax.EliminatedCondition
)


@dataclass(frozen=True, slots=True)
class ConditionalJump:
    """Go on with the next step where the test holds, otherwise with step `otherwise`."""

    line: int
    test: Test
    otherwise: int


@dataclass(frozen=True, slots=True)
class Jump:
    """Go on with step `to`."""

    to: int


Program: TypeAlias = tuple[ProgramStep | ConditionalJump | Jump, ...]


def compile_orders(orders: tuple[syntax.Order, ...]) -> Program:
    """The program of some orders; RubiconError where WON or FAILED has no attack before it."""
    program: list[ProgramStep | ConditionalJump | Jump] = []
    for line, order in enumerate(orders, 1):
        if not isinstance(order, syntax.IfOrder):
            program.append(ProgramStep(line, order))
            continue
        then = [ProgramStep(line, simple) for simple in order.then]
        otherwise = [ProgramStep(line, simple) for simple in order.otherwise]
        start = len(program) + 1
        behind = start + len(then) + 1
        program.append(ConditionalJump(line, _test(order, program), behind))
        program += [*then, Jump(behind + len(otherwise)), *otherwise]
    return tuple(program)


def _test(order: syntax.IfOrder, before: list[ProgramStep | ConditionalJump | Jump]) -> Test:
    condition = order.condition
    if not isinstance(condition, syntax.WonCondition | syntax.FailedCondition):
        return condition
    expected = isinstance(condition, syntax.WonCondition)
    if condition.territory:
        return AllTaken((condition.territory,), expected)
    if not any(
        isinstance(step, ProgramStep) and isinstance(step.order, syntax.AttackOrder)
        for step in before
    ):
        raise RubiconError(
            "orders/no-attack-before",
            f"'IF {condition}' means the last attack, but there is no attack before it.",
            "Name the territory: IF WON kamchatka",
        )
    return LastTaken(expected)


# A game from one seat: its rules and names, for positions that hide what the seat may not see.


class SeatView:
    """The parts of a game that stay the same while a seat's orders are executed.

    Methods take the position: the seat's view of a running game, or one that a preview explores.
    """

    def __init__(self, game: Game, colour: str) -> None:
        self.game = game
        self.rules = game.rules
        self.tables = game.tables
        self.colour = colour
        self.seat = game.seat(colour)
        self._number = {name: t for t, name in enumerate(game.territories)}

    def territory(self, name: str) -> int:
        """The index of a territory by its id; KeyError for an unknown id."""
        return self._number[name]

    def label(self, name: str) -> str:
        """The name of a territory as the board spells it."""
        return self.game.ruleset.board.territories[self._number[name]].name

    def holds(self, position: Position, name: str) -> bool:
        """Whether the seat owns a territory."""
        return bool(position.owner[self._number[name]] == self.seat)

    def armies(self, position: Position, name: str) -> int:
        """The armies on a territory."""
        return int(position.armies[self._number[name]])

    def own_armies(self, position: Position) -> int:
        """All armies of the seat on the board."""
        return int(position.armies[position.owner[:TERRITORIES] == self.seat].sum())

    def unplaced(self, position: Position) -> int:
        """Armies that the seat has received and not placed."""
        return int(position.unplaced[self.seat])

    def acts(self, position: Position) -> bool:
        """Whether a decision of the seat is pending."""
        return bool(acts(position, self.seat))

    def deciding(self, position: Position) -> tuple[str, ...]:
        """The colours of all seats with a pending decision."""
        colours = enumerate(self.game.colours)
        return tuple(colour for seat, colour in colours if acts(position, seat))

    def is_out(self, position: Position, colour: str) -> bool:
        """Whether a player is eliminated or has resigned."""
        return position.status[self.game.seat(colour)] in (Seat.ELIMINATED, Seat.RESIGNED)

    def code(self, action: Action) -> int:
        """The engine's code of an action."""
        return code_of(action, self.game)

    def action(self, code: int) -> Action:
        """The action of an engine code."""
        return action_of(code, self.game)

    def refusal(self, position: Position, code: int) -> Refusal:
        """Why an action is not legal, or LEGAL."""
        return Refusal(refusal(position, self.rules, self.tables, code))

    def applied(self, position: Position, action: Action) -> Position:
        """The position after a legal action; the one before stays as it is."""
        after = copy_position(position)
        apply(after, self.rules, self.tables, self.code(action))
        return after

    def sentence(self, reason: Refusal) -> str:
        """A refusal in words."""
        return REASONS[reason].sentence

    def legal(self, position: Position) -> Legal:
        """The legal actions of the seat in a position."""
        return Legal(position, self.game.ruleset, self.game.ids, self.seat)


# The result of one step of an order program in a position.

REFUSED = "refused"  # the code of the note of an action that the rules do not allow


@dataclass(frozen=True, slots=True)
class Note:
    """Why an order did nothing, or less than it says; `line` is its number in the text, from 1."""

    line: int
    code: str  # stable; the message may change
    message: str

    def __str__(self) -> str:
        return f"order {self.line}: {self.message}"


def is_refusal(note: Note) -> bool:
    """Whether a note quotes the rules, which refuse an action."""
    return note.code == f"orders/{REFUSED}"


class StepResult(NamedTuple):
    """An action and the progress once it is applied; or no action, and the progress all the same.

    `pause` is the decision that must come first and that the orders leave open, or "".
    """

    action: Action | None
    progress: Progress
    notes: tuple[Note, ...] = ()
    pause: str = ""


class StepContext(NamedTuple):
    """What a step depends on: the seat's view, the position, the order's line and the progress."""

    seat_view: SeatView
    position: Position
    line: int
    progress: Progress

    def done(self, *notes: Note) -> StepResult:
        """The step ends without an action."""
        return StepResult(None, self.progress.behind(), notes)

    def last(self, action: Action) -> StepResult:
        """The step ends with this action."""
        return self.attempt(action, self.progress.behind())

    def attempt(self, action: Action, then: Progress) -> StepResult:
        """The action if it is legal; otherwise the step ends, and a note has the reason."""
        reason = self.refused(action)
        if reason is None:
            return StepResult(action, then)
        return self.done(reason)

    def refused(self, action: Action, order: object = None) -> Note | None:
        """Why an action is not legal, as a note that quotes its order; None where it is legal."""
        try:
            code = self.seat_view.code(action)
        except RubiconError as error:
            return self.note(error.code.partition("/")[2], error.message)
        refusal = self.seat_view.refusal(self.position, code)
        if refusal == Refusal.LEGAL:
            return None
        sentence = self.seat_view.sentence(refusal)
        return self.note(REFUSED, f"'{order or action}' is not possible: {sentence}")

    def note(self, code: str, message: str) -> Note:
        """A note on this order."""
        return Note(self.line, f"orders/{code}", message)

    def wait(self, reason: str) -> StepResult:
        """The step cannot go on before another decision of the seat."""
        return StepResult(None, self.progress, (), reason)
