"""The rules of motions: whose votes each needs, how many, and when it is possible.

This table is the only statement of these rules. Votes are carried by it, `rubicon table verify`
checks the log by it, and docs/tables.md is made from it. A vote belongs to a person: a seat keeps
its owner's vote while a stand-in bot plays it or its owner is away. The seats of the server's bots
have none, nor have seats whose owner has erased their account.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from rubicon.table.game.hosted_game import REPLACE, HostedGame
from rubicon.table.game.people import is_playing, people, people_in_game, time_is_over
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.settings import Clock, Settings, TimeoutPolicy


class Threshold(StrEnum):
    """How many of the voters must be for a motion."""

    ALL = "all"
    ONE = "one"


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionRule:
    """One kind of motion; `shown`, `of`, `condition` and `effect` are the row of docs/tables.md."""

    word: str
    shown: str
    threshold: Threshold
    of: str
    voters: Callable[[HostedGame, str, int], set[str]]  # of a motion, at a time
    effect: str
    condition: str = ""


def _in_game(hosted: HostedGame, _: str, __: int) -> set[str]:
    return people_in_game(hosted)


def _all(hosted: HostedGame, _: str, __: int) -> set[str]:
    return people(hosted)


def _present(hosted: HostedGame, motion: str, at: int) -> set[str]:
    """The others who are there, or all others if nobody is; and the owner whose time is not over.

    Votes of absent people are not needed here: two absent people would hold the game up for ever.
    """
    seat = motion.removeprefix(REPLACE)
    if not is_playing(hosted, seat) or seat in hosted.bots:
        return set()  # eliminated since the votes, or replaced already
    others = people_in_game(hosted) - {seat}
    absent = {
        other
        for other in others
        if other in hosted.bots
        or time_is_over(hosted, other, at)
        or (other in hosted.away and hosted.away[other].covers(at))
    }
    owner = set() if time_is_over(hosted, seat, at) else {seat}
    return (others - absent or others) | owner


RULES = (
    MotionRule(
        word="draw",
        shown="draw",
        threshold=Threshold.ALL,
        of="people in the game",
        voters=_in_game,
        effect="ends the game without a winner",
    ),
    MotionRule(
        word="pause",
        shown="pause",
        threshold=Threshold.ALL,
        of="people in the game",
        voters=_in_game,
        condition="The game is not paused.",
        effect="stops the clocks",
    ),
    MotionRule(
        word="resume",
        shown="resume",
        threshold=Threshold.ONE,
        of="people in the game",
        voters=_in_game,
        condition="The game is paused. One vote is enough: nobody can be kept in a pause.",
        effect="starts the clocks again",
    ),
    MotionRule(
        word="extend",
        shown="extend",
        threshold=Threshold.ALL,
        of="people in the game",
        voters=_in_game,
        condition="The table has a clock.",
        effect="gives each player with a pending decision another `decision_time`",
    ),
    MotionRule(
        word=REPLACE.strip(),
        shown="replace COLOUR",
        threshold=Threshold.ALL,
        of="people in the game who are there: without those who are away, out of time, or for whom"
        " a bot plays",
        voters=_present,
        condition="`timeout_policy` is `wait`. The seat's time is over, or its owner votes for it"
        " too. At a table without a clock, its time is over after half of `void_after`.",
        effect="lets the bot `substitute` play until the player takes the seat back",
    ),
    MotionRule(
        word="fork",
        shown="fork INDEX",
        threshold=Threshold.ALL,
        of="people, also those who are out of the game",
        voters=_all,
        condition="INDEX is an earlier log index.",
        effect="starts a new game from there, with the same seats and new dice",
    ),
)
MOTIONS = {rule.word: rule for rule in RULES}


def is_carried(hosted: HostedGame, motion: str, at: int) -> bool:
    """Whether a motion has the votes that it needs; `at` is in milliseconds since 1970."""
    rule = MOTIONS[motion.partition(" ")[0]]
    voters, for_it = rule.voters(hosted, motion, at), hosted.votes.get(motion, set())
    if rule.threshold is Threshold.ONE:
        return bool(voters & for_it)
    return bool(voters) and voters <= for_it


def offered(snapshot: Snapshot, settings: Settings, seat: str, at: int) -> list[str]:
    """The motions that make sense now for a seat, without those that others are for, and forks.

    Fewer than can be voted for: a table without a clock is not offered a pause, which would stop
    nothing. `at` is in milliseconds since 1970.
    """
    if snapshot.ending is not None or snapshot.forked or seat not in snapshot.voters:
        return []
    if snapshot.waits_for == "lines-lost":
        return ["draw"]
    clocked = settings.clock is not Clock.NONE
    motions = ["draw"]
    if snapshot.paused:
        motions.append("resume")
    elif clocked:
        motions.append("pause")
    if clocked:
        motions.append("extend")
    if settings.timeout_policy is TimeoutPolicy.WAIT:
        late = (other for other, since in snapshot.out_of_time.items() if since <= at)
        motions += [REPLACE + other for other in late if other != seat]
    return motions
