"""All bots by name: levels and characters, their traits, and how much each thinks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from rubicon.engine.records import RecordLayout, record_dtype

# The numbers that make a character. Values and weights are in armies unless a comment says so.


class Traits(RecordLayout):
    """What a scripted bot values, fears and refuses."""

    # what a capture is worth
    land: Annotated[float, np.float64]  # any territory
    card: Annotated[float, np.float64]  # the card of the turn, as a share of a third of a set
    connection: Annotated[float, np.float64]  # each own neighbour of a target
    continent: Annotated[float, np.float64]  # a continent, in turns of its bonus
    progress: Annotated[float, np.float64]  # a territory of a promising continent, in its bonus
    breaking: Annotated[float, np.float64]  # another's continent, in turns of its bonus
    leader: Annotated[float, np.float64]  # a territory of the leading seat
    others: Annotated[float, np.float64]  # the factor of `land` for seats that do not lead
    grudge: Annotated[float, np.float64]  # a territory of a seat that has taken own territories
    elimination: Annotated[float, np.float64]  # a seat eliminated, cards apart
    spoils: Annotated[float, np.float64]  # an eliminated seat's cards, as a share of their worth
    # what an attack costs
    loss: Annotated[float, np.float64]  # an army lost
    fear: Annotated[float, np.float64]  # a threat to a continent, as a share of its armies
    caution: Annotated[float, np.float64]  # an army that is missing against the strongest neighbour
    battle_chance: Annotated[float, np.float64]  # the chance that a battle needs, 0 to 1
    plan_chance: Annotated[float, np.float64]  # the chance that a plan needs, 0 to 1
    captures: Annotated[float, np.float64]  # the most captures a turn, eliminations apart
    peace: Annotated[float, np.float64]  # 1: attacks only seats that have attacked it
    # where armies are
    guard: Annotated[float, np.float64]  # the share of a threat that a continent's border keeps
    gate: Annotated[float, np.float64]  # the weight of an army missing at such a border
    stack: Annotated[float, np.float64]  # the weight of an army that is there already
    target: Annotated[float, np.float64]  # the weight of what can be attacked from there
    # cards and the end
    patience: Annotated[float, np.float64]  # cards in the hand at which a rising set is traded
    closing: Annotated[
        float, np.float64
    ]  # the share of all armies from which it presses on, 0 to 1


TRAITS = record_dtype(Traits)


# The characters of the scripted bots: their names, one line each, and their traits.

FIRST_SCRIPTED = 2  # the number of the first of them, after `random` and `greedy`

USUAL = {
    "land": 1.0,
    "card": 1.0,
    "connection": 0.1,
    "continent": 3.0,
    "progress": 0.2,
    "breaking": 1.5,
    "leader": 0.2,
    "others": 1.0,
    "grudge": 0.2,
    "elimination": 6.0,
    "spoils": 1.0,
    "loss": 1.0,
    "fear": 0.5,
    "caution": 0.2,
    "battle_chance": 0.45,
    "plan_chance": 0.6,
    "captures": 99.0,
    "peace": 0.0,
    "guard": 0.5,
    "gate": 1.0,
    "stack": 0.2,
    "target": 1.0,
    "patience": 5.0,
    "closing": 0.55,
}


@dataclass(frozen=True, slots=True)
class Character:
    """A scripted bot.

    `traits` are those that differ from the usual ones, `rising` those that differ again where sets
    of cards bring more and more.
    """

    name: str
    line: str
    traits: dict[str, float]
    rising: dict[str, float] = field(default_factory=dict)


CHARACTERS = (
    Character(
        "hunter",
        "Checks whether it can eliminate a player this turn, and takes the cards.",
        # Found by a search in fields of the others, with fixed values and with rising ones.
        {
            "land": 0.75,
            "card": 9.7,
            "connection": 0.05,
            "continent": 2.1,
            "breaking": 1.0,
            "elimination": 10.0,
            "spoils": 0.2,
            "loss": 3.25,
            "caution": 1.0,
            "plan_chance": 0.75,
            "captures": 2.0,
            "guard": 1.0,
        },
        {
            "land": 1.0,
            "card": 1.0,
            "connection": 0.1,
            "continent": 3.0,
            "breaking": 1.5,
            "spoils": 1.5,
            "loss": 1.2,
            "caution": 0.5,
            "battle_chance": 0.6,
            "plan_chance": 0.6,
            "captures": 1.0,
            "guard": 0.5,
        },
    ),
    Character(
        "farmer",
        "Takes one safe territory a turn, for the card, and waits.",
        {"captures": 1.0, "plan_chance": 0.8, "battle_chance": 0.6},
    ),
    Character(
        "turtle",
        "Hoards armies behind its borders and never overextends.",
        {
            "caution": 1.2,
            "loss": 1.5,
            "guard": 1.2,
            "plan_chance": 0.85,
            "captures": 1.0,
            "elimination": 3.0,
            "spoils": 0.7,
        },
    ),
    Character(
        "kingslayer",
        "Holds down the leader.",
        {"leader": 1.4, "others": 0.3, "breaking": 3.0, "captures": 2.0, "caution": 0.4},
    ),
    Character(
        "economist",
        "Takes continents, holds them, and breaks those of others.",
        {"continent": 5.0, "breaking": 3.0, "guard": 1.0, "captures": 2.0, "caution": 0.7},
    ),
    Character(
        "expander",
        "Grows as one connected mass and guards its borders.",
        {"connection": 0.7, "land": 0.6, "guard": 0.8, "captures": 2.0, "caution": 0.7},
    ),
    Character(
        "peaceful",
        "Attacks only players who have attacked it.",
        {"peace": 1.0, "grudge": 1.0, "captures": 3.0, "caution": 0.5},
    ),
)


def traits_of(changes: Mapping[str, float]) -> Traits:
    """A record of traits: the usual ones with changes."""
    made = np.zeros(1, TRAITS)
    for name, value in (USUAL | dict(changes)).items():
        made[name] = value
    traits: Traits = made[0]
    return traits


# By character, and 1 where sets of cards bring more and more.
TRAITS_OF = np.array(
    [[traits_of(one.traits), traits_of(one.traits | one.rising)] for one in CHARACTERS], TRAITS
)


# How much, and how, the planner plays on in its mind.


class Thinking(RecordLayout):
    """How much, and how, the planner plays on in its mind."""

    samples: Annotated[int, np.int64]  # games that a proposal is played on, at most
    first_check: Annotated[int, np.int64]  # after so many the worst may be dropped; then twice, ...
    rounds: Annotated[int, np.int64]  # own turns that begin before the value model judges
    pool: Annotated[int, np.int64]  # opponents are drawn from so many of the first proposers
    # games played on for one decision; a round of all proposals that begins below it is ended
    budget: Annotated[int, np.int64]
    # the same for a claim or a starting army; 0 rounds: until the first turn of the game begins
    setup_samples: Annotated[int, np.int64]
    setup_rounds: Annotated[int, np.int64]
    doubt: Annotated[float, np.float64]  # standard errors by which a proposal trails to be dropped


THINKING = record_dtype(Thinking)

USUAL_THINKING = np.array([(64, 8, 1, 6, 1000, 64, 1, 2.0)], THINKING)


# The levels of bots: which policy decides a round, and how much the planner thinks in it.
#
# A weaker level is not a strong bot with noise in its decisions: for a whole round now and then,
# a weaker bot has its seat, from trading cards to the last move.

RANDOM, GREEDY = 0, 1  # policies that are neither characters nor levels
FIRST_LEVEL = FIRST_SCRIPTED + len(CHARACTERS)
CERTAIN = 1000  # out of so many rounds


class LevelPlay(RecordLayout):
    """How a level plays."""

    thinking: Annotated[Thinking, THINKING]  # of the planner, where it decides
    stronger: Annotated[int, np.int64]  # a policy
    weaker: Annotated[int, np.int64]  # the policy that decides some rounds instead
    weaker_rounds: Annotated[int, np.int64]  # out of a thousand, on the average


LEVEL_PLAY = record_dtype(LevelPlay)

# Where little is thought: fewer games for each proposal, and for a decision.
SHORT_THINKING = (16, 8, 1, 6, 200, 16, 1, 2.0)

HUNTER = FIRST_SCRIPTED + [one.name for one in CHARACTERS].index("hunter")
LEVEL_NAMES = ("beginner", "easy", "medium", "hard", "expert")
EXPERT = FIRST_LEVEL + LEVEL_NAMES.index("expert")
PLANNER = FIRST_LEVEL + len(LEVEL_NAMES)  # plays plans on; no bot of its own: levels have it
# Shares of rounds were set by matches of all levels: docs/strength.md has the ratings.
LEVEL_PLAYS = np.array(
    [
        (SHORT_THINKING, GREEDY, RANDOM, 750),
        (SHORT_THINKING, GREEDY, RANDOM, 220),
        (SHORT_THINKING, HUNTER, GREEDY, 0),
        (SHORT_THINKING, PLANNER, HUNTER, 900),
        (USUAL_THINKING[0].item(), PLANNER, HUNTER, 0),
    ],
    LEVEL_PLAY,
)


# All bots: their names and numbers, and a line on each: five levels, and characters.

USUAL_LEVEL = "medium"  # where no one has chosen


@dataclass(frozen=True, slots=True)
class BuiltInBot:
    """A bot: `policy` is its number for `player.choose`, `line` says how it plays."""

    name: str
    policy: int
    line: str


LEVEL_LINES = {
    "beginner": "Makes any legal moves in three of four rounds: a child can beat it.",
    "easy": "Attacks where it is stronger, and is careless in one round of eight.",
    "medium": "Plans its turns, and counts who can be eliminated.",
    "hard": "Thinks several plans through in one round of four.",
    "expert": "Thinks several plans through before every decision.",
}
# From the weakest to the strongest.
BUILT_IN_LEVELS = tuple(
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
BOTS = (*BUILT_IN_LEVELS[::-1], *CHARACTER_BOTS)  # levels first, the strongest first in both groups
NAMES = {bot.name: bot.policy for bot in BOTS}
STRONGEST_LEVEL = BUILT_IN_LEVELS[-1]
STRONGEST = "strongest"  # another name of the strongest level, whichever that is
# By every name that a bot may be asked for by, the name that it has in lists and at tables.
FULL_NAMES = {name: name for name in NAMES} | {STRONGEST: STRONGEST_LEVEL.name}


def full_name(name: str) -> str:
    """The name that a bot has in lists and at tables; any other name stays."""
    return FULL_NAMES.get(name, name)


def policy_of(name: str) -> int | None:
    """The number of a built-in bot; None for any other player."""
    return NAMES.get(full_name(name))


# Who proposes what the planner might do: characters, and others that would play badly alone.

PROPOSER_NAMES = (
    "hunter",
    "farmer",
    "turtle",
    "kingslayer",
    "economist",
    "expander",
)  # the usual one first
DARING = {"captures": 99.0, "caution": 0.2, "plan_chance": 0.5}
OTHERS = (
    DARING | {"guard": 0.3, "loss": 0.8},
    DARING | {"continent": 9.0, "fear": 0.2},
    DARING | {"breaking": 9.0},
    {"elimination": 30.0, "spoils": 2.5, "captures": 1.0, "plan_chance": 0.4, "guard": 0.3}
    | {"battle_chance": 0.35},
    # The same with sets that are traded as soon as there are any, and one that is held back.
    {"elimination": 30.0, "spoils": 2.5, "plan_chance": 0.3, "guard": 0.0, "caution": 0.0}
    | {"battle_chance": 0.3, "patience": 3.0},
    {"patience": 3.0, "captures": 2.0, "caution": 0.5, "plan_chance": 0.7},
    {"card": 0.0, "land": -2.0, "captures": 0.0, "elimination": 12.0, "guard": 1.2},
    {"captures": 3.0, "caution": 0.5, "loss": 1.2, "plan_chance": 0.7, "guard": 0.7, "stack": 0.5},
)
USUAL_PROPOSERS = [one for name in PROPOSER_NAMES for one in CHARACTERS if one.name == name]

# 1 where sets of cards bring more and more; then by proposer.
PROPOSERS = np.array(
    [
        [
            *(traits_of(one.traits | (one.rising if rising else {})) for one in USUAL_PROPOSERS),
            *(traits_of(other) for other in OTHERS),
        ]
        for rising in (False, True)
    ],
    TRAITS,
)
