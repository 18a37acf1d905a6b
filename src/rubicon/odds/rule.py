"""A dice rule and tables of one roll under it; stop rules; limits on the size of a calculation."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from numbers import Real
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from rubicon.engine.attack import (
    MOST_ATTACK_DICE,
    MOST_DEFENCE_DICE,
    bonus_dice,
    capture,
    most_attack_dice,
    most_defence_dice,
)
from rubicon.engine.chance import MOST_DICE, battle_losses
from rubicon.engine.records import NEUTRAL, NONE, Position, Rules, empty_position, unlocked
from rubicon.errors import RubiconError, WrongType, is_whole
from rubicon.rules.actions import faces_code
from rubicon.rules.ruleset.ruleset import Ruleset, check_ruleset

# Limits on the size of battles and campaigns, and their errors.

MOST_ARMIES = 3_000  # on a side: nine million positions of one battle, about 150 MB
MOST_FOR_FRACTIONS = 150  # both sides together; each roll adds up to 13 bits to a denominator
MOST_TARGETS = 127  # a board has at most 128 territories


def check_whole(armies: object) -> None:
    """WrongType for all but a whole number."""
    if not is_whole(armies):
        raise WrongType("odds/not-whole", armies, "a whole number", "Armies are counted: 11, 10.")


def check_attack(attack: int) -> None:
    """RubiconError for fewer than two attackers, or too many."""
    check_whole(attack)
    if attack < 2:
        raise RubiconError(
            "odds/attack-too-small",
            f"{_number(attack, 'army', 'armies')} cannot attack: one must stay behind.",
            "The first number is all armies on the attacking territory: at least 2.",
        )
    check_size(attack)


def check_defend(defend: int) -> None:
    """RubiconError for no defender, or too many."""
    check_whole(defend)
    if defend < 1:
        raise RubiconError(
            "odds/defend-too-small",
            f"{_number(defend, 'army', 'armies')} cannot defend a territory.",
            "Every defended territory has at least 1.",
        )
    check_size(defend)


def check_size(armies: int) -> None:
    """RubiconError for more armies than one side may have."""
    if armies > MOST_ARMIES:
        raise RubiconError(
            "odds/too-large",
            f"{shown(armies)} armies are too many.",
            f"The limit is {MOST_ARMIES:,} on each territory.",
        )


def check_fractions(attack: int, defend: int) -> None:
    """RubiconError for a battle that is too large for fractions."""
    if attack + defend > MOST_FOR_FRACTIONS:
        raise RubiconError(
            "odds/too-large-for-fractions",
            f"{attack} against {defend} is too large for fractions.",
            f"Fractions are for up to {MOST_FOR_FRACTIONS} armies in all; floats go on "
            f"to {MOST_ARMIES:,} a side.",
        )


def check_chance(chance: float) -> None:
    """RubiconError unless 0 < chance < 1."""
    if not isinstance(chance, Real):
        raise WrongType("odds/bad-chance", chance, "a number", "Write 0.8 for 80 %.")
    if not 0 < chance < 1:
        raise RubiconError(
            "odds/bad-chance",
            f"A chance is above 0 and below 1, that is below 100 %; {chance:.6g} is not.",
            "Write 0.8 for 80 %.",
        )


def check_at_least(value: int, least: int, what: str) -> None:
    """RubiconError for a number below its minimum."""
    check_whole(value)
    if value < least:
        raise RubiconError(
            "odds/bad-number", f"{what} cannot be {shown(value)}.", f"It is at least {least}."
        )
    check_size(value)


def shown(number: int) -> str:
    """A number in digits, unless it has too many of them."""
    return f"{number:,}" if abs(number) < 10**15 else "So many"


def _number(count: int, one: str, many: str) -> str:
    return f"{shown(count)} {one if count == 1 else many}"


# Stop rules: when an attack ends before the capture.


@dataclass(frozen=True, slots=True)
class Stop:
    """The attack ends as soon as one of these holds; without any it goes on to the end.

    `left`: at most this many armies are left on the attacking territory. `lost`: the attacker
    lost this many armies in the battle. `rounds`: this many rolls were made. `odds`: the chance
    to capture, if the attack goes on to the end under `left` and `lost`, is below this.

    Raises RubiconError: `odds/bad-number`, `odds/bad-chance`, `odds/not-whole`.
    """

    left: int = 1
    lost: int | None = None
    rounds: int | None = None
    odds: float | None = None

    def __post_init__(self) -> None:
        check_at_least(self.left, 1, "The number of armies left")
        for value, what in (
            (self.lost, "The number of armies lost"),
            (self.rounds, "The number of rounds"),
        ):
            if value is not None:
                check_at_least(value, 1, what)
        if self.odds is not None:
            check_chance(self.odds)

    def left_of(self, attack: int) -> int:
        """The number of armies at which an attack that began with `attack` armies ends."""
        return self.left if self.lost is None else max(self.left, attack - self.lost)

    def __str__(self) -> str:
        parts = [f"{self.left} left"] if self.left > 1 else []
        parts += [] if self.lost is None else [f"{self.lost} lost"]
        parts += [] if self.rounds is None else [f"{self.rounds} rounds"]
        parts += [] if self.odds is None else [f"odds below {100 * self.odds:.4g} %"]
        return " or ".join(parts) or "the end"


TO_THE_END = Stop()


def check_stop(given: object) -> None:
    """WrongType, `odds/not-a-stop`, for anything but a Stop."""
    if not isinstance(given, Stop):
        raise WrongType("odds/not-a-stop", given, "a stop rule", "Write Stop(left=3).")


# A dice rule: everything about two territories that decides how their battle is rolled.

Dice = int | Literal["most", "best"]


@dataclass(frozen=True, slots=True)
class DiceRule:
    """A ruleset, what matters about two territories, and how many dice each side chooses.

    `attack_dice` is 1, 2 or 3 (fewer where the armies allow no more), "most" (as many as the
    rules allow) or "best" (the number with the highest chance, for each roll). `defend_dice` is
    1, 2, "most" or "best": the answer to each roll that is worst for the attacker, who names the
    dice first. `neutral`: neutral armies or rebels defend (A-28). The others are rewards (RW1,
    RW5, RW6): a bonus die, an airfield in range.

    Raises RubiconError: `odds/bad-dice`, and `odds/no-rewards` where the ruleset has none.
    """

    ruleset: Ruleset
    attack_dice: Dice = "most"
    defend_dice: Dice = "most"
    neutral: bool = False
    attack_die: bool = False
    defence_die: bool = False
    attack_airfield: bool = False
    defence_airfield: bool = False

    def __post_init__(self) -> None:
        check_ruleset(self.ruleset)
        _check_dice(self.attack_dice, MOST_ATTACK_DICE, "attacker")
        _check_dice(self.defend_dice, MOST_DEFENCE_DICE, "defender")
        if self.rewarded and not self.ruleset.rules.objectives_in_play:
            raise RubiconError(
                "odds/no-rewards",
                f"The ruleset {self.ruleset.name} has neither bonus dice nor airfields.",
                "The rulesets revised and revised-conquest have.",
            )

    @classmethod
    def of(cls, preset: str = "classic", **facts: Any) -> Self:
        """The rule of a preset, or of a ruleset file; `facts` are the other fields."""
        return cls(Ruleset.load(preset), **facts)

    @classmethod
    def between(
        cls,
        ruleset: Ruleset,
        position: Position,
        source: int,
        target: int,
        *,
        attack_dice: Dice = "most",
        defend_dice: Dice = "most",
    ) -> Self:
        """The rule for an attack from `source` to `target` in a position or a seat's view of it.

        Territories are indices on the board. The position says who defends, and which bonus dice
        and airfields count. Standing orders are ignored, since the attacker may not see them.
        """
        # The engine fills in the bonus dice of an attack; on a copy, as if it were this one.
        trial = position.copy()
        trial.turn = trial.owner[source]
        trial.attack_extra = trial.defence_extra = 0
        trial.attack_plus = trial.defence_plus = 0
        if ruleset.rules.objectives_in_play:
            bonus_dice(trial, ruleset.rules, ruleset.tables, source, target)
        return cls(
            ruleset,
            attack_dice,
            defend_dice,
            neutral=bool(trial.owner[target] == NEUTRAL),
            attack_die=bool(trial.attack_extra),
            defence_die=bool(trial.defence_extra),
            attack_airfield=bool(trial.attack_plus),
            defence_airfield=bool(trial.defence_plus),
        )

    def __hash__(self) -> int:
        facts = (self.attack_die, self.defence_die, self.attack_airfield, self.defence_airfield)
        # Rulesets with equal rules give equal odds, whatever their names: the bytes are the key.
        rules = np.asarray(self.ruleset.rules).tobytes()
        return hash((rules, self.attack_dice, self.defend_dice, self.neutral, facts))

    @property
    def rewarded(self) -> bool:
        """Whether a reward changes the dice of a side."""
        dice = self.attack_die or self.defence_die
        return dice or self.attack_airfield or self.defence_airfield

    def __str__(self) -> str:
        parts = [self.ruleset.name, *(f"{n}={v}" for n, v in self.ruleset.differences.items())]
        for side, chosen in (("attack", self.attack_dice), ("defend", self.defend_dice)):
            parts += [] if chosen == "most" else [f"{side} dice: {chosen}"]
        for fact in ("neutral", "attack_die", "defence_die", "attack_airfield", "defence_airfield"):
            parts += [fact.replace("_", " ")] if getattr(self, fact) else []
        return ", ".join(parts)


def check_rule(given: object) -> None:
    """WrongType, `odds/not-a-rule`, for anything but a DiceRule."""
    if not isinstance(given, DiceRule):
        suggestion = 'Write DiceRule.of("classic"), or DiceRule(ruleset).'
        raise WrongType("odds/not-a-rule", given, "a dice rule", suggestion)


def _check_dice(dice: Dice, most: int, who: str) -> None:
    if dice in ("most", "best") or (type(dice) is int and 1 <= dice <= most):
        return
    numbers = ", ".join(str(number) for number in range(1, most + 1))
    raise RubiconError(
        "odds/bad-dice",
        f"The {who} cannot roll {str(dice)[:20]!r} dice.",
        f"Write {numbers}, most or best.",
    )


# Tables of one roll: every roll of the dice is counted through the engine's battle rule.

Numbers = npt.NDArray[np.int64]
Chances = npt.NDArray[np.float64]

# Armies on a territory above which nothing about a roll changes: no ruleset allows more dice, or
# makes more armies move in, from six armies on. Tables therefore end at six.
AMPLE = 6
LOSSES = 4  # armies lost in one roll, 0 to 3
ATTACK_NUMBERS = MOST_ATTACK_DICE + 1  # numbers of dice, 0 included
DEFENCE_NUMBERS = MOST_DEFENCE_DICE + 1
SOURCE, TARGET, ELSEWHERE = 0, 1, 2


def _falling_rolls() -> tuple[Numbers, Numbers]:
    """For each number of dice: the codes of sorted rolls, highest die first, and their weights.

    The weight is the number of orders in which the same faces can fall; 0 fills the rows. Sorted
    rolls are few: 252 instead of 7,776 for five dice.
    """
    rolls = [
        Counter(tuple(sorted(faces, reverse=True)) for faces in product(range(1, 7), repeat=count))
        for count in range(MOST_DICE + 1)
    ]
    codes = np.zeros((MOST_DICE + 1, len(rolls[-1])), np.int64)
    weights = np.zeros_like(codes)
    for count, falling in enumerate(rolls):
        codes[count, : len(falling)] = [faces_code(faces) for faces in falling]
        weights[count, : len(falling)] = list(falling.values())
    return codes, weights


CODES, WEIGHTS = _falling_rolls()


@unlocked
def count_rolls(
    game: Position,
    rules: Rules,
    attack_extra: int,
    defence_extra: int,
    attack_plus: int,
    defence_plus: int,
    counts: Numbers,
) -> None:
    """Count the rolls by their losses: counts[attackers, defenders, dice, dice, lost, won].

    `game` is a scratch position, on which the engine says how many dice the armies allow.
    """
    for attackers in range(2, AMPLE + 1):
        for defenders in range(1, AMPLE + 1):
            game.armies[SOURCE] = attackers
            game.armies[TARGET] = defenders
            for attack in range(1, most_attack_dice(game, rules, SOURCE) + 1):
                for defence in range(1, most_defence_dice(game, rules, TARGET) + 1):
                    for i in range(CODES.shape[1]):
                        for j in range(CODES.shape[1]):
                            weight = WEIGHTS[attack + attack_extra, i]
                            weight *= WEIGHTS[defence + defence_extra, j]
                            if weight == 0:
                                break
                            lost, won = battle_losses(
                                rules,
                                attackers,
                                defenders,
                                attack,
                                defence,
                                attack_extra,
                                defence_extra,
                                attack_plus,
                                defence_plus,
                                CODES[attack + attack_extra, i],
                                CODES[defence + defence_extra, j],
                            )
                            counts[attackers, defenders, attack, defence, lost, won] += weight


@dataclass(frozen=True, slots=True, eq=False)
class RollTable:
    """The losses of one roll under a dice rule. Armies above `AMPLE` count as `AMPLE`.

    `counts[attackers, defenders, attack dice, defence dice, lost, won]` are numbers of rolls out
    of `totals[attack dice, defence dice]`. `chances[row, n]` and `losses[row, n]`, which is
    (lost, won), are the same with the first four axes as one, possible losses first.
    `attack_choice[attackers]` and `defend_choice[defenders]` are the fewest and the most dice
    that the side may choose. `occupy[left, dice]` is the fewest armies that must move in.
    """

    counts: Numbers
    totals: Numbers
    chances: Chances
    losses: Numbers
    attack_choice: Numbers
    defend_choice: Numbers
    occupy: Numbers


@lru_cache(maxsize=256)
def roll_table(rule: DiceRule) -> RollTable:
    """The table of a dice rule; cached, since counting takes some milliseconds."""
    counts = _counts(rule)
    totals = np.zeros((ATTACK_NUMBERS, DEFENCE_NUMBERS), np.int64)
    for attack, defence in product(range(1, ATTACK_NUMBERS), range(1, DEFENCE_NUMBERS)):
        extra = rule.attack_die + rule.defence_die
        totals[attack, defence] = 6 ** (attack + defence + extra)
    chances, losses = _steps(counts, totals)
    rolled = counts.sum(axis=(4, 5))
    return RollTable(
        counts=counts,
        totals=totals,
        chances=chances,
        losses=losses,
        attack_choice=_choice(rolled.sum(axis=(1, 3)), rule.attack_dice),
        defend_choice=_choice(rolled.sum(axis=(0, 2)), rule.defend_dice),
        occupy=_occupation(rule),
    )


def _counts(rule: DiceRule) -> Numbers:
    shape = (AMPLE + 1, AMPLE + 1, ATTACK_NUMBERS, DEFENCE_NUMBERS, LOSSES, LOSSES)
    counts = np.zeros(shape, np.int64)
    game = empty_position()
    game.owner[TARGET] = NEUTRAL if rule.neutral else 1
    extra = int(rule.attack_die), int(rule.defence_die)
    plus = int(rule.attack_airfield), int(rule.defence_airfield)
    count_rolls(game, rule.ruleset.rules, *extra, *plus, counts)
    return counts


def _steps(counts: Numbers, totals: Numbers) -> tuple[Chances, Numbers]:
    """The counts as chances, without the impossible losses."""
    # Dense counts waste time in the recursions: a row of four (chance, losses) pairs is enough.
    shares = (counts / np.maximum(totals, 1)[..., None, None]).reshape(-1, LOSSES, LOSSES)
    chances = np.zeros((len(shares), LOSSES))
    losses = np.zeros((len(shares), LOSSES, 2), np.int64)
    filled: Counter[int] = Counter()
    for row, lost, won in np.argwhere(shares).tolist():
        chances[row, filled[row]] = shares[row, lost, won]
        losses[row, filled[row]] = lost, won
        filled[row] += 1
    return chances, losses


def _choice(allowed: Numbers, dice: Dice) -> Numbers:
    """The fewest and the most dice that a side chooses from, for each number of armies."""
    most = np.array([max(np.flatnonzero(row), default=0) for row in allowed], np.int64)
    if isinstance(dice, int):
        most = np.minimum(most, dice)
    # A side that chooses has a range of dice; otherwise fewest and most are the same.
    fewest = np.minimum(most, 1) if dice == "best" else most
    return np.ascontiguousarray(np.stack([fewest, most], axis=1))


def _occupation(rule: DiceRule) -> Numbers:
    """The fewest armies that must move in, by armies left and dice rolled, from the engine."""
    fewest = np.zeros((AMPLE + 1, ATTACK_NUMBERS), np.int64)
    for left, dice in product(range(2, AMPLE + 1), range(1, ATTACK_NUMBERS)):
        game = _about_to_fall(left, dice)
        capture(game, rule.ruleset.rules, rule.ruleset.tables, SOURCE, TARGET)
        fewest[left, dice] = game.occupy_minimum
    return fewest


def _about_to_fall(left: int, dice: int) -> Any:
    """A position in which the last army on `TARGET` was just lost, and no seat is eliminated."""
    game = empty_position()
    game.seats = 2
    game.owner[TARGET] = game.owner[ELSEWHERE] = 1
    game.armies[SOURCE] = left
    game.armies[ELSEWHERE] = 1
    game.territories[0] = 1
    game.territories[1] = 2
    game.attack_dice = dice
    game.capital[:] = NONE  # the capture takes no headquarters
    return game
