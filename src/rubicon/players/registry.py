"""All bots: their names and numbers, and a line on each: five levels, and characters."""

from dataclasses import dataclass

from rubicon.players.level_play import FIRST_LEVEL, GREEDY, RANDOM
from rubicon.players.level_play import LEVELS as LEVEL_NAMES
from rubicon.players.scripted.characters import CHARACTERS, FIRST_SCRIPTED

USUAL_LEVEL = "medium"  # where nobody has chosen


@dataclass(frozen=True, slots=True)
class BuiltInBot:
    """A bot: `policy` is its number for `arena.choose`, `line` says how it plays."""

    name: str
    policy: int
    line: str


LEVEL_LINES = {
    "beginner": "Makes any legal moves in three of four rounds: a child can beat it.",
    "easy": "Attacks where it is stronger, and is careless in one round of eight.",
    "medium": "Plans its turns, and counts who can be eliminated.",
    "hard": "Plays several plans on in its mind in one round of four.",
    "expert": "Plays several plans on in its mind before every decision.",
}
# From the weakest to the strongest.
LEVELS = tuple(
    BuiltInBot(name, number, LEVEL_LINES[name])
    for number, name in enumerate(LEVEL_NAMES, FIRST_LEVEL)
)
SCRIPTED = {
    one.name: BuiltInBot(one.name, number, one.line)
    for number, one in enumerate(CHARACTERS, FIRST_SCRIPTED)
}
# The strongest first, as `benchmarks/bots.py` measures them.
CHARACTER_BOTS = (
    SCRIPTED["hunter"],
    SCRIPTED["turtle"],
    SCRIPTED["kingslayer"],
    SCRIPTED["economist"],
    SCRIPTED["farmer"],
    SCRIPTED["expander"],
    SCRIPTED["peaceful"],
    BuiltInBot("greedy", GREEDY, "Wants continents, and attacks where it is stronger."),
    BuiltInBot("random", RANDOM, "Any legal move: easy, to learn the rules."),
)
BOTS = (*LEVELS[::-1], *CHARACTER_BOTS)  # levels first, the strongest first in both groups
NAMES = {bot.name: bot.policy for bot in BOTS}
STRONGEST_LEVEL = LEVELS[-1]
STRONGEST = "strongest"  # another name of the strongest level, whichever that is
# By every name that a bot may be asked for by, the name that it has in lists and at tables.
FULL_NAMES = {name: name for name in NAMES} | {STRONGEST: STRONGEST_LEVEL.name}


def full_name(name: str) -> str:
    """The name that a bot has in lists and at tables; any other name stays."""
    return FULL_NAMES.get(name, name)


def policy_of(name: str) -> int | None:
    """The number of a built-in bot; None for any other player."""
    return NAMES.get(full_name(name))
