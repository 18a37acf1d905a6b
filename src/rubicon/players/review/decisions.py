"""What each decision of a game gave away, by what its seat could see then.

All decisions are screened with a few samples. Those that seem to give away most are measured anew,
with samples of their own, so that the choice of the best alternative by chance flatters nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.chance import Generator, generator
from rubicon.engine.codes import ActionKind, kind_of
from rubicon.engine.legality import actor_of
from rubicon.engine.observe import observe
from rubicon.engine.records import Phase, Position, copy_position
from rubicon.players.characters import PROPOSERS
from rubicon.players.memory import MEMORY
from rubicon.players.review.curve import Progress
from rubicon.players.review.judging import play_alternatives, propose
from rubicon.players.review.reason import Reason, reason_of
from rubicon.players.scripted.turn import sets_rise
from rubicon.rules.actions import Action, action_of, code_of
from rubicon.rules.game import Game

PHASES = (
    Phase.REINFORCE, Phase.TRADE, Phase.CONTINENTS, Phase.ATTACK, Phase.OCCUPY, Phase.FORTIFY,
)  # fmt: skip
ASIDE = (ActionKind.STANDING, ActionKind.RESIGN, ActionKind.REVEAL)
DICE_ASIDE = (1 << 21) - 1  # an attack is the same one with other dice: kind, source, target
CAREFUL, DARING = 0, 6  # the proposers that go on, in the screening, after what none has proposed
SCREENED = 60_000  # games played on for a turn, for all decisions of a game together
FEWEST, MOST = 4, 12  # samples by which a decision is screened
MEASURED = 60  # decisions that are measured
CHOOSING = 16  # samples by which who goes on, and the alternative, are chosen for each
SAMPLES = 96  # by which it is measured
SMALL = 0.01  # a chance that is given away and not counted
OFTEN = 0.5  # of the samples won before the next turn: then that is the reason
DOUBT = 2.0  # standard errors that a loss must exceed
CHOICE, MEASUREMENT = 0x5DEECE66D, 0x2545F4914F6CDD1D  # each has dice of its own
Rows = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A decision compared with a better one: their chances of a win, 0 to 1, for the seat.

    `entry` is its number in the history. `loss` is what the decision gave away, 0 where no
    alternative was clearly better; `error` is the standard error of the difference. The better
    action is None then. Its reason is also None where it speaks for itself.
    """

    entry: int
    seat: int
    chance: float
    better_chance: float
    error: float
    better: Action | None
    reason: Reason | None

    @property
    def loss(self) -> float:
        return 0.0 if self.better is None else self.better_chance - self.chance


@dataclass(frozen=True, slots=True)
class Screened:
    """A decision with the numbers of the rows that stand for it, and of the best other row."""

    entry: int
    own: int
    other: int
    loss: float


class Decisions:
    """The decisions of a game, and what they are compared with."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.positions = game.positions
        self.proposers = PROPOSERS[int(sets_rise(game.rules))].copy()
        self.codes = dict(self._judged())
        # First what the proposers would do; then what was done, and each of them goes on.
        self.minds: Rows = np.zeros(2 * len(self.proposers), MEMORY)
        self.actions = np.zeros(len(self.minds), np.int64)

    def _judged(self) -> Iterator[tuple[int, int]]:
        """The entries that are judged, with the engine's integers."""
        for entry, (action, before) in enumerate(
            zip(self.game.history, self.positions, strict=True)
        ):
            if isinstance(action, Action) and before.round_number > 0 and before.phase in PHASES:
                code = code_of(action, self.game.ids)
                own = int(actor_of(before, code)) == int(before.turn)
                if own and kind_of(code) not in ASIDE:
                    yield entry, code

    def screen(self, progress: Progress) -> list[Screened]:
        """The decisions for which something else seems better."""
        samples = max(FEWEST, min(MOST, SCREENED // (5 * max(1, len(self.codes)))))
        found = []
        for number, entry in enumerate(self.codes):
            screened = self.screen_one(entry, samples)
            if screened is not None and screened.loss > 0.0:
                found.append(screened)
            if number % 50 == 0:
                progress(number / len(self.codes))
        return found

    def screen_one(self, entry: int, samples: int) -> Screened | None:
        """A decision and its best alternative; None where the proposers would do the same."""
        view, rng = self._propose(entry)
        own, others = self._rows(entry)
        count = len(self.proposers)
        usual = [count + CAREFUL, count + DARING]
        return self._best(entry, view, rng, (own or usual, others), samples)

    def choose(self, screened: Screened) -> Screened:
        """A decision screened again, where each of the proposers goes on after what was done."""
        view, rng = self._propose(screened.entry)
        rng.second = rng.second ^ np.uint64(CHOICE)
        own, others = self._rows(screened.entry)
        own += range(len(self.proposers), len(self.minds))
        return self._best(screened.entry, view, rng, (own, others), CHOOSING) or screened

    def _best(
        self,
        entry: int,
        view: Position,
        rng: Generator,
        rows: tuple[list[int], list[int]],
        samples: int,
    ) -> Screened | None:
        """The best of the rows that do what was done, and the best of the others."""
        own, others = rows
        if not others:
            return None
        chances = self._play_on(entry, view, rng, [*own, *others], samples).mean(axis=1)
        mine, best = int(chances[: len(own)].argmax()), int(chances[len(own) :].argmax())
        loss = float(chances[len(own) + best] - chances[mine])
        return Screened(entry, own[mine], others[best], loss)

    def measure(self, screened: Screened, samples: int = SAMPLES) -> Judgement:
        """A decision judged with new samples."""
        screened = self.choose(screened)
        view, rng = self._propose(screened.entry)
        rng.second = rng.second ^ np.uint64(MEASUREMENT)
        rows = [screened.own, screened.other]
        found = self._play_on(screened.entry, view, rng, rows, samples)
        gain = found[1] - found[0]
        error = float(gain.std(ddof=1) / np.sqrt(samples))
        chance, better_chance = found.mean(axis=1).tolist()
        clear = better_chance - chance > max(SMALL, DOUBT * error)
        seat, better, reason = int(view.turn), None, None
        if clear:
            better = action_of(int(self.actions[screened.other]), self.game.ids)
            won = float((found[1] == 1.0).mean())  # the model itself is never certain
            if won >= OFTEN:
                reason = Reason("wins", chance=won)
            else:
                mind = self.minds[screened.other]
                reason = reason_of(self.game, view, seat, better, mind)
        return Judgement(
            entry=screened.entry,
            seat=seat,
            chance=chance,
            better_chance=better_chance,
            error=error,
            better=better,
            reason=reason,
        )

    def _propose(self, entry: int) -> tuple[Position, Generator]:
        """Fill `minds` and `actions` for a decision: the proposals, then what was done."""
        game, before = self.game, self.positions[entry]
        view, seat = copy_position(before), int(before.turn)
        observe(before, game.rules, game.tables, seat, view)
        rng = generator(entry)
        count = len(self.proposers)
        here = view, game.rules, game.tables, seat, rng, self.proposers
        propose(*here, self.minds[:count], self.actions[:count])
        self.minds[count:] = np.zeros(count, MEMORY)
        self.minds["traits"][count:] = self.proposers
        self.actions[count:] = self.codes[entry]
        return view, rng

    def _rows(self, entry: int) -> tuple[list[int], list[int]]:
        """The proposals that are what was done, and one row for each other action."""
        done = same_action(self.codes[entry])
        own: list[int] = []
        others: dict[int, int] = {}
        for row, code in enumerate(self.actions[: len(self.proposers)].tolist()):
            if same_action(code) == done:
                own.append(row)
            else:
                others.setdefault(same_action(code), row)
        return own, list(others.values())

    def _play_on(
        self, entry: int, view: Position, rng: Generator, rows: list[int], samples: int
    ) -> npt.NDArray[np.float64]:
        """The chances of the seat: shape (rows, samples)."""
        game = self.game
        found = np.zeros((len(rows), samples))
        here = view, game.rules, game.tables, int(view.turn), rng, self.proposers
        play_alternatives(*here, self.minds[rows], self.actions[rows], found)
        return found


def same_action(code: int) -> int:
    """An integer that is the same for the same attack with other dice."""
    return code & DICE_ASIDE if kind_of(code) == ActionKind.ATTACK else code


def judged_decisions(decisions: Decisions, progress: Progress) -> dict[int, Judgement]:
    """By entry, the decisions that were measured: those that seem to have given away most."""
    found = decisions.screen(lambda share: progress(0.8 * share))
    found.sort(key=lambda one: (-one.loss, one.entry))
    judged = {}
    for number, one in enumerate(found[:MEASURED]):
        judged[one.entry] = decisions.measure(one)
        progress(0.8 + 0.2 * number / MEASURED)
    return judged
