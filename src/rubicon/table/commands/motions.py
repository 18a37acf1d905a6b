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

from rubicon.engine.records.position import Seat
from rubicon.table.game.clocks import SECOND
from rubicon.table.game.hosted_game import REPLACE, HostedGame
from rubicon.table.settings import Clock

# Without a clock a seat is out of time after this part of `void_after`: else it could let the game
# be closed by doing nothing.
VOID_SHARE = 2


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


def people(hosted: HostedGame) -> set[str]:
    """The seats that a person owns, also those that are out of the game."""
    return set(hosted.game.colours) - hosted.server_bots.keys() - hosted.erased


def people_in_game(hosted: HostedGame) -> set[str]:
    """The seats that a person owns and that are still in the game."""
    return {seat for seat in people(hosted) if is_playing(hosted, seat)}


def is_playing(hosted: HostedGame, seat: str) -> bool:
    """Whether a seat exists and is still in the game."""
    colours = hosted.game.colours
    return seat in colours and bool(
        hosted.game.position.status[colours.index(seat)] == Seat.PLAYING
    )


def time_is_over(hosted: HostedGame, seat: str, at: int) -> bool:
    """Whether a seat has had its time, so that the others may have it replaced.

    `at` is in milliseconds since 1970.
    """
    if seat in hosted.late or seat in hosted.erased:
        return True
    since = hosted.clocks.seats[seat].since
    if hosted.settings.clock is not Clock.NONE or since is None or hosted.paused:
        return False
    return at - since >= hosted.settings.void_after * SECOND // VOID_SHARE


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
