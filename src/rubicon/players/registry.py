"""All bots: their names and numbers, and a line on each."""

from dataclasses import dataclass

from rubicon.players.scripted.characters import CHARACTERS, FIRST_SCRIPTED

RANDOM, GREEDY = 0, 1
STRATEGIST = FIRST_SCRIPTED + len(CHARACTERS)


@dataclass(frozen=True, slots=True)
class BuiltInBot:
    """A bot: `policy` is its number for `arena.choose`, `line` says how it plays."""

    name: str
    policy: int
    line: str


SCRIPTED = {
    one.name: BuiltInBot(one.name, number, one.line)
    for number, one in enumerate(CHARACTERS, FIRST_SCRIPTED)
}
# The strongest first, as `benchmarks/bots.py` measures them.
BOTS = (
    BuiltInBot(
        "strategist",
        STRATEGIST,
        "Plays several plans on in its mind, and takes the one that wins most.",
    ),
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
NAMES = {bot.name: bot.policy for bot in BOTS}
