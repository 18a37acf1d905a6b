"""How large a battle may be, and the refusals of what cannot be reckoned."""

from numbers import Real

from rubicon.rules.errors import RubiconError
from rubicon.rules.kinds import WrongKind, is_whole

MOST_ARMIES = 3_000  # on a side: nine million positions of one battle, about 150 MB
MOST_FOR_FRACTIONS = 150  # both sides together; each roll adds up to 13 bits to every number
MOST_TARGETS = 127  # a board has at most 128 territories


def check_whole(armies: object) -> None:
    """Refuse what cannot be counted with."""
    if not is_whole(armies):
        raise WrongKind("odds/not-whole", armies, "a whole number", "Armies are counted: 11, 10.")


def check_attack(attack: int) -> None:
    """Refuse an attacking territory without an army to spare, or with too many."""
    check_whole(attack)
    if attack < 2:
        raise RubiconError(
            "odds/attack-too-small",
            f"{_number(attack, 'army', 'armies')} cannot attack: one must stay behind.",
            "The first number is all that stands on the attacking territory: at least 2.",
        )
    check_size(attack)


def check_defend(defend: int) -> None:
    """Refuse a defended territory without an army, or with too many."""
    check_whole(defend)
    if defend < 1:
        raise RubiconError(
            "odds/defend-too-small",
            f"{_number(defend, 'army', 'armies')} cannot defend a territory.",
            "Every defended territory has at least 1.",
        )
    check_size(defend)


def check_size(armies: int) -> None:
    """Refuse more armies than a battle may have on one side."""
    if armies > MOST_ARMIES:
        raise RubiconError(
            "odds/too-large",
            f"{shown(armies)} armies are more than can be reckoned with.",
            f"The limit is {MOST_ARMIES:,} on each territory.",
        )


def check_fractions(attack: int, defend: int) -> None:
    """Refuse a battle whose fractions would fill pages."""
    if attack + defend > MOST_FOR_FRACTIONS:
        raise RubiconError(
            "odds/too-large-for-fractions",
            f"{attack} against {defend} is too large for fractions.",
            f"Fractions are for up to {MOST_FOR_FRACTIONS} armies in all; floats go on "
            f"to {MOST_ARMIES:,} a side.",
        )


def check_chance(chance: float) -> None:
    """Refuse what is no probability that could be asked for."""
    if not isinstance(chance, Real):
        raise WrongKind("odds/bad-chance", chance, "a number", "Write 0.8 for 80 %.")
    if not 0 < chance < 1:
        percent = chance if 1 < chance < 100 else 80
        meant = f"{percent / 100:.6g}, or {percent:.6g}%"
        raise RubiconError(
            "odds/bad-chance",
            f"{chance:.6g} is no chance to ask for.",
            f"A chance lies between 0 and 1: {meant}.",
        )


def check_at_least(value: int, least: int, what: str) -> None:
    """Refuse a number below its least."""
    check_whole(value)
    if value < least:
        raise RubiconError(
            "odds/bad-number", f"{what} cannot be {shown(value)}.", f"It is at least {least}."
        )
    check_size(value)


def shown(number: int) -> str:
    """A number in digits, unless it is absurdly long."""
    return f"{number:,}" if abs(number) < 10**15 else "So many"


def _number(count: int, one: str, many: str) -> str:
    return f"{shown(count)} {one if count == 1 else many}"
