"""Votes, the rules of motions, and forks: how the people of a game change its course together."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import select, update

from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.request import SignedOrder
from rubicon.dice.transcript import check_proof
from rubicon.rules.game import Game
from rubicon.rules.record import headers_of
from rubicon.table.commands.advance import DRAW, Close, finish
from rubicon.table.commands.submit import (
    Answered,
    check_not_forked,
    lines_lost,
    signature_lines,
)
from rubicon.table.errors import DiceUnavailable, TableError, TableNotFound
from rubicon.table.game import log_lines
from rubicon.table.game.game_cache import as_of, dice_texts
from rubicon.table.game.hosted_game import FORK, REPLACE, HostedGame
from rubicon.table.game.log_lines import NO_DECISION, Lines, NewLine
from rubicon.table.game.snapshot import Snapshot, is_playing, people, people_in_game, time_is_over
from rubicon.table.game.unit_of_work import FORK_CHECK, UnitOfWork
from rubicon.table.lobby.lifecycle import new_table
from rubicon.table.lobby.seats import RUNNING, copy_seats, secret
from rubicon.table.lobby.start import begin_game
from rubicon.table.settings import Clock, Master, Settings, TimeoutPolicy
from rubicon.table.storage import schema

# The rules of motions: whose votes each needs, how many, and when it is possible.
#
# This table is the only statement of these rules. Votes are carried by it, `rubicon table verify`
# checks the log by it, and docs/tables.md is made from it. A vote belongs to a person: a seat
# keeps its owner's vote while a stand-in bot plays it or its owner is away. The seats of the
# server's bots have none, nor have seats whose owner has erased their account.


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
    """The others who are there, or all others if no one is; and the owner whose time is not over.

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
        condition="The game is paused. One vote is enough: no player can be kept in a pause.",
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


# Forks: all people agree to continue from an earlier log index, as a new game with new dice.
#
# The old game is not changed. Its secrets are revealed only when the new game is over, because
# both have the same hands and missions.

# Each fork begins a new chain, and its first line names all games before it.
MOST_FORKS = 100  # of one table, one after the other
MOST_MOTIONS = 8  # for which a seat has voted at once: each is looked at after every command


def check_fork(hosted: HostedGame, seat: str, index: str, last: int) -> None:
    """TableError where a seat may not vote for a fork from this log index; `last` is the last."""
    if seat not in people(hosted):
        message = f"{seat} has no vote: the seat has no owner."
        raise TableError("vote/not-yours", message, "")
    number = int(index) if index.isascii() and index.isdecimal() and len(index) < 10 else -1
    if str(number) != index or not 0 <= number <= last:
        message = f"{index[:20]!r} is no earlier log index of this game."
        raise TableError("fork/index", message, f"Indexes run from 0 to {last}.")


def check_limits(hosted: HostedGame, seat: str) -> None:
    """TableError where a seat may not vote for one more fork, or none may follow this game.

    DiceUnavailable before the dice have begun: a fork names the first line of their transcript.
    Not part of `check_fork`, as logs without these limits are right too.
    """
    if not hosted.has_genesis:
        raise DiceUnavailable("the dice have not begun")
    if hosted.transcript.state.earlier >= MOST_FORKS:
        message = f"This game has been forked {MOST_FORKS} times, which is the limit."
        raise TableError("fork/too-many", message, "Play on, or open a new table.")
    voted = [one for one, seats in hosted.votes.items() if seat in seats]
    forks = [one for one in voted if one.startswith(FORK)]
    if len(forks) >= MOST_MOTIONS:
        message = f"{seat} has voted for {MOST_MOTIONS} forks, which is the limit."
        raise TableError("fork/too-many-votes", message, f"Withdraw a vote first: {forks[0]}.")


def fork(unit: UnitOfWork, index: int) -> str:
    """Begin the new game in the same transaction, and close this one; the new game's id."""
    hosted, connection = unit.hosted, unit.connection
    earlier = as_of(connection, hosted.id, index)
    row = connection.execute(select(schema.game).where(schema.game.c.id == hosted.id)).one()
    game = new_table(
        connection,
        host=row.host,
        title=row.title,
        access=row.access,
        headers=json.loads(row.ruleset),
        settings=hosted.settings,
        invite=secret() if row.invite is not None else None,
        before=hosted.id,
        master=row.master,
    )
    copy_seats(connection, hosted.id, game)
    again = Game.from_position(hosted.game.ruleset, earlier.game.position)
    headers = headers_of(again)
    begin_game(connection, game, headers, hosted.settings, hosted.server_bots, continues=hosted.id)
    unit.begun = game
    unit.add_line(log_lines.Forked(index, game))
    return game


def close_behind_fork(unit: UnitOfWork) -> None:
    """Reveal the secrets of a forked game when the game that replaces it is over."""
    hosted, games = unit.hosted, schema.game.c
    state = select(games.state).where(games.id == hosted.forked)
    if unit.connection.execute(state).scalar_one() != RUNNING:
        finish(unit, Close(f"continued as {hosted.forked}"))
        return
    later = update(schema.game).where(games.id == hosted.id)
    unit.connection.execute(later.values(void=unit.at + FORK_CHECK))


# Votes: a seat votes, and a motion that has its votes is carried out (`motions` has the rules).


def vote(
    unit: UnitOfWork,
    seat: str,
    motion: str,
    *,
    withdrawn: bool = False,
    signed: SignedOrder | None = None,
) -> None:
    """Vote for a motion or withdraw the vote; a motion that has its votes is carried at once.

    A vote that was given already adds nothing to the log. The seat's client signs `vote MOTION`, or
    `vote -MOTION`, with the decision 0.
    """
    hosted = unit.hosted
    motion = motion.strip().lower()
    cast = CastVote(seat, motion, withdrawn, signed, last=unit.first - 2)
    if not withdrawn and motion.startswith(FORK) and seat not in hosted.votes.get(motion, ()):
        cast.decide(hosted, unit.at)  # its refusals come first
        check_limits(hosted, seat)
    if unit.perform(cast) and not withdrawn:
        carry(unit, motion)


@dataclass(frozen=True, slots=True)
class CastVote:
    """A vote for a motion, or its withdrawal; `last` is the last index that a fork may begin at."""

    seat: str
    motion: str
    withdrawn: bool = False
    signed: SignedOrder | None = None
    last: int | None = None

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The vote; () where it was given already, or there is none to withdraw."""
        voted = self.seat in state.votes.get(self.motion, ())
        if not (self.withdrawn and voted and (state.stopped or not state.at_rest)):
            last = state.head - 1 if self.last is None else self.last
            check_vote(state, self.seat, self.motion, last=last, at=at)
            if self.withdrawn or voted:
                return ()
            state.counts.check(self.seat)
        says = log_lines.VoteCast(self.motion, self.withdrawn)
        words = f"vote {says.text()}"
        signature = signature_lines(state, self.seat, NO_DECISION, words, self.signed)
        return (*signature, NewLine(says, self.seat))


def carry(unit: UnitOfWork, motion: str) -> None:
    """Carry out a motion if it has its votes.

    While a dice request waits for its answer the motion waits too: it could end the game, and with
    it a roll that has been requested.
    """
    hosted, command = unit.hosted, Carry(motion)
    if hosted.awaits_dice:
        return
    if motion == "draw":
        finish(unit, command)
    elif motion.startswith(FORK):
        if command.decide(hosted, unit.at):
            fork(unit, int(motion.removeprefix(FORK)))
    else:
        unit.perform(command)


@dataclass(frozen=True, slots=True)
class Carry:
    """What a motion leads to when it has its votes."""

    motion: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """Its effect; a fork names no game yet."""
        motion = self.motion
        if not is_carried(state, motion, at):
            return ()
        match motion:
            case "draw":
                return (NewLine(log_lines.GameEnding(DRAW, "agreed")),)
            case "pause" | "resume":
                wanted = (motion == "resume") == state.paused
                return (NewLine(log_lines.Paused(motion == "pause")),) if wanted else ()
            case "extend":
                return (NewLine(log_lines.Extended()),)
            case _ if motion.startswith(FORK):
                return (NewLine(log_lines.Forked(int(motion.removeprefix(FORK)), "")),)
        return (
            NewLine(log_lines.StandIn(state.settings.substitute), motion.removeprefix(REPLACE)),
        )


def carry_all(unit: UnitOfWork) -> None:
    """Carry every motion that has enough votes now, after a seat has left the game."""
    for motion in list(unit.hosted.votes):  # a copy: carrying a motion removes it
        if not unit.hosted.at_rest:
            carry(unit, motion)


def check_vote(hosted: HostedGame, seat: str, motion: str, *, last: int, at: int) -> None:
    """TableError where a seat may not vote for a motion at a time, in milliseconds since 1970.

    `last` is the last earlier log index, from which a fork is possible.
    """
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over: there is nothing to vote for.", "")
    check_not_forked(hosted)
    if motion.startswith(FORK):
        check_fork(hosted, seat, motion.removeprefix(FORK), last)
        return
    if hosted.lost_lines is not None and motion != "draw":
        raise lines_lost(hosted.lost_lines)
    if seat not in people_in_game(hosted):
        message = f"{seat} has no vote: the seat has no owner, or is out of the game."
        raise TableError("vote/not-yours", message, "")
    if motion.startswith(REPLACE):
        _check_replace(hosted, seat, motion.removeprefix(REPLACE), at)
    elif motion not in MOTIONS or MOTIONS[motion].shown != motion:
        raise TableNotFound("vote/unknown", f"There is no motion {motion[:40]!r}.", _wanted())
    elif motion == "extend" and hosted.settings.clock is Clock.NONE:
        message = "This table has no clock to extend."
        raise TableError(
            "vote/no-use", message, "Motions here: draw, pause, resume, replace COLOUR."
        )
    elif motion == ("resume" if not hosted.paused else "pause"):
        raise TableError(
            "vote/no-use", f"The game is {'paused' if hosted.paused else 'not paused'} already.", ""
        )


def _check_replace(hosted: HostedGame, seat: str, colour: str, at: int) -> None:
    if not is_playing(hosted, colour) or colour in hosted.server_bots or colour in hosted.bots:
        raise TableNotFound("vote/unknown", f"{colour[:20]!r} cannot be replaced.", _wanted())
    if seat == colour and hosted.settings.master is not Master.NONE:
        return  # the consent that the game master needs
    if hosted.settings.timeout_policy is not TimeoutPolicy.WAIT:
        message = "The server replaces late players at this table."
        raise TableError("vote/not-here", message, "")
    agreed = colour in hosted.votes.get(REPLACE + colour, ())
    if seat != colour and not agreed and not time_is_over(hosted, colour, at):
        message = f"{colour} is in time and has not agreed to be replaced."
        hint = f"Vote when the time of {colour} is over, or after {colour} has voted for it."
        raise TableError("vote/in-time", message, hint)


def _wanted() -> str:
    return f"Motions: {', '.join(rule.shown for rule in RULES)}."


# A client shows that lines of the dice are lost: the game stops, and goes on as a fork only.
#
# After a restore the database may end before dice that players have seen. To ask for them again
# under the same genesis would be a second roll, so nothing is asked there any more.


def take_lost_lines(unit: UnitOfWork, seat: str, lines: Sequence[str]) -> Answered:
    """Stop the game where these lines were signed here and are not stored; idempotent.

    DiceError where they prove nothing of the kind.
    """
    hosted = unit.hosted
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over: no further dice are rolled.", "")
    check_not_forked(hosted)
    if hosted.lost_lines is not None:
        return Answered(seat, NO_DECISION, hosted.lost_lines.index)

    def head_of(seq: int) -> bytes | None:
        if not 0 <= seq < len(hosted.transcript):  # also numbers that no database knows
            return None
        return Entry.stored(dice_texts(unit.connection, hosted.id, seq, most=1)[0]).head

    first = check_proof(lines, hosted.id, hosted.secrets.chain.key, head_of)
    line = unit.add_line(log_lines.LostLines(first, tuple(lines)), seat)
    return Answered(seat, NO_DECISION, line.index)


def fork_stopped(unit: UnitOfWork) -> None:
    """Continue a stopped game from its last stored position, by the operator; without votes."""
    check_not_forked(unit.hosted)
    for line in ContinueStopped().decide(unit.hosted, unit.at):
        if isinstance(line.says, log_lines.Forked):
            fork(unit, line.says.index)


@dataclass(frozen=True, slots=True)
class ContinueStopped:
    """The operator lets a game that has lost lines of its dice go on as another one."""

    def decide(self, state: HostedGame, at: int) -> Lines:
        """A fork at the last stored position; it names no game yet."""
        if state.lost_lines is None or state.ending is not None:
            message = "The game has not stopped: no lost dice lines were shown to it."
            hint = "Only its players can fork it, by a vote: fork INDEX."
            raise TableError("fork/not-stopped", message, hint)
        return (NewLine(log_lines.Forked(state.lost_lines.index - 1, "")),)
