"""Limits on the size of battles and campaigns, and their errors."""

from numbers import Real

from rubicon.arguments import WrongType, is_whole
from rubicon.errors import RubiconError

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
            "The first number is all that stands on the attacking territory: at least 2.",
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
