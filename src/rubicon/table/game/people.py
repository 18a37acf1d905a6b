"""The people of a game: who is in it, and whose time is over."""

from __future__ import annotations

from rubicon.engine.records.position import Seat
from rubicon.table.game.clocks import SECOND
from rubicon.table.game.hosted_game import FORK, REPLACE, HostedGame
from rubicon.table.settings import Clock

# Without a clock a seat is out of time after this part of `void_after`: else it could let the game
# be closed by doing nothing.
VOID_SHARE = 2


def people(hosted: HostedGame) -> set[str]:
    """The seats that a person owns, also those that are out of the game."""
    ownerless = hosted.erased | hosted.master.freed
    return set(hosted.game.colours) - hosted.server_bots.keys() - ownerless


def people_in_game(hosted: HostedGame) -> set[str]:
    """The seats that a person owns and that are still in the game."""
    return {seat for seat in people(hosted) if is_playing(hosted, seat)}


def open_votes(hosted: HostedGame) -> dict[str, frozenset[str]]:
    """The votes that count now, by motion: seats that are out still count for a fork alone."""
    counted = {}
    for motion, seats in hosted.votes.items():
        voters = people(hosted) if motion.startswith(FORK) else people_in_game(hosted)
        pointless = motion.startswith(REPLACE) and not is_playing(
            hosted, motion.removeprefix(REPLACE)
        )
        if (counting := seats & voters) and not pointless:
            counted[motion] = frozenset(counting)
    return counted


def is_playing(hosted: HostedGame, seat: str) -> bool:
    """Whether a seat exists and is still in the game."""
    colours = hosted.game.colours
    return seat in colours and bool(
        hosted.game.position.status[colours.index(seat)] == Seat.PLAYING
    )


def replaceable(hosted: HostedGame) -> list[str]:
    """The seats in the game that a bot could take over: none plays them yet."""
    bots = hosted.server_bots.keys() | hosted.bots.keys()
    return [seat for seat in hosted.game.colours if is_playing(hosted, seat) and seat not in bots]


def out_of_time_from(hosted: HostedGame, seat: str) -> int | None:
    """From when on a seat has had its time, in milliseconds since 1970; None while no time runs.

    0 where it is over already: the sweep of deadlines has said so, or its owner is gone.
    """
    if seat in hosted.late or seat in hosted.erased:
        return 0
    since = hosted.clocks.seats[seat].since
    if hosted.settings.clock is not Clock.NONE or since is None or hosted.paused:
        return None
    return since + hosted.settings.void_after * SECOND // VOID_SHARE


def time_is_over(hosted: HostedGame, seat: str, at: int) -> bool:
    """Whether a seat has had its time, so that the others may have it replaced.

    `at` is in milliseconds since 1970.
    """
    since = out_of_time_from(hosted, seat)
    return since is not None and at >= since
