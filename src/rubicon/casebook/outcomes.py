"""Outcomes of chance in a case: `6 5 4 v 1`, `dice 6 6 4`, `china`, `any`, `wins`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rubicon.casebook.actions import StepFailed
from rubicon.casebook.names import CaseContext, whole_number
from rubicon.casebook.parser import case_error
from rubicon.engine.records.position import Chance, Phase
from rubicon.errors import RubiconError
from rubicon.rules.actions import DefendWith
from rubicon.rules.events import Event
from rubicon.rules.game.game import Game
from rubicon.rules.outcomes import Dice, Outcome, PendingChance, Pick, Roll

ANY = "any"
WINS = "wins"
LOSES = "loses"


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """An outcome as a case writes it: dice, the name of a thing, or a word for a usual one."""

    text: str
    attack: tuple[int, ...] = ()
    defence: tuple[int, ...] = ()
    faces: tuple[int, ...] = ()
    thing: str = ""
    word: str = ""

    def fit(self, pending: PendingChance) -> Outcome:
        """The outcome that is meant where `pending` waits for one."""
        if pending.chance == Chance.BATTLE:
            return Roll(*self._battle(pending))
        if pending.chance == Chance.DICE:
            first, others = (6,), (1,) * (len(pending.seats) - 1)
            return Dice(first + others if self.word else self.faces)
        return Pick(pending.things[0] if self.word else self._among(pending.things))

    def as_written(self) -> Outcome:
        """The outcome itself, whatever is pending; for one that must be refused."""
        if self.attack or self.defence:
            return Roll(self.attack, self.defence)
        return Dice(self.faces) if self.faces else Pick(self.thing or self.word)

    def _battle(self, pending: PendingChance) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if not self.word:
            return self.attack, self.defence
        attack = 6 if self.word == WINS else 1
        return (attack,) * pending.attack_dice, (7 - attack,) * pending.defence_dice

    def _among(self, things: Sequence[str]) -> str:
        """The thing named; of two alike, `major_airfield` and `major_airfield_2`, the first."""
        alike = [t for t in things if t.removeprefix("major_").removesuffix("_2") == self.thing]
        return self.thing if self.thing in things or not alike else alike[0]


def read_outcome(context: CaseContext, text: str, *, unknown_thing: bool = False) -> CaseOutcome:
    """`6 5 4 v 1`, `dice 6 6 4`, `[pick] china`, `any`, `wins`, `loses`.

    With `unknown_thing` an unknown name stays as it is written, to be refused later.
    """
    bare = text.lower().removeprefix("dice ").removeprefix("pick ").strip()
    if bare in (ANY, WINS, LOSES):
        return CaseOutcome(text, word=bare)
    attack, versus, defence = bare.partition(" v ")
    if versus:
        return CaseOutcome(text, attack=_faces(attack), defence=_faces(defence))
    if bare[:1].isdecimal():
        return CaseOutcome(text, faces=_faces(bare))
    if not bare:
        raise case_error(
            "outcome", "Expected dice, a thing, `any`, `wins` or `loses` after a colon."
        )
    return CaseOutcome(text, thing=_thing(context, bare, unknown_thing))


def _thing(context: CaseContext, name: str, unknown: bool) -> str:
    try:
        return context.find(name)
    except RubiconError:
        if not unknown:
            raise
        return name


def _faces(text: str) -> tuple[int, ...]:
    faces = tuple(whole_number(word, 1) for word in text.split())
    if not faces or max(faces) > 6:
        raise case_error("dice", f"{text!r} are not dice: a die shows 1 to 6.")
    return faces


def give_outcome(game: Game, given: CaseOutcome) -> Sequence[Event]:
    """Hand in an outcome; a defender who is asked first announces the number of dice given."""
    events: Sequence[Event] = ()
    if game.position.phase == Phase.DEFEND:
        events = game.play(DefendWith(_defence(game, given)))
    if game.pending is None:
        raise StepFailed(f"{given.text!r} to answer something", "no chance is pending")
    return (*events, *game.settle(given.fit(game.pending)))


def _defence(game: Game, given: CaseOutcome) -> int:
    """The number of dice to announce so that those given are rolled."""
    # The numbers are tried on a copy: rules may give bonus dice or a fixed number of dice.
    most = max(n for n in (1, 2) if n == 1 or game.refusal(DefendWith(n)) is None)
    if given.word:
        return most
    for number in range(1, most + 1):
        prepared = game.copy()
        prepared.play(DefendWith(number))
        if prepared.pending is not None and prepared.pending.defence_dice == len(given.defence):
            return number
    return len(given.defence)
