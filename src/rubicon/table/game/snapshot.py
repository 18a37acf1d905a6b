"""A hosted game as readers see it, and who is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubicon.engine.records import Position, Seat, copy_position
from rubicon.errors import RubiconError
from rubicon.rules.actions import Resign
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.game.hosted_game import FORK, REPLACE, HostedGame, LinkWanted
from rubicon.table.game.limits import SECOND
from rubicon.table.game.log_lines import GameEnding
from rubicon.table.game.unit_of_work import for_each_reader
from rubicon.table.settings import Clock

# The people of a game: who is in it, and whose time is over.

# Without a clock a seat is out of time after this part of `void_after`: else it could let the game
# be closed by doing nothing.
VOID_SHARE = 2
_PLAYING = int(Seat.PLAYING)


def people(hosted: HostedGame) -> set[str]:
    """The seats that a person owns, also those that are out of the game."""
    ownerless = hosted.erased | hosted.master.freed
    return set(hosted.game.colours) - hosted.server_bots.keys() - ownerless


def people_in_game(hosted: HostedGame) -> set[str]:
    """The seats that a person owns and that are still in the game."""
    return people(hosted) & seats_playing(hosted)


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


def seats_playing(hosted: HostedGame) -> set[str]:
    """The seats that are still in the game."""
    # One list instead of a look into the array for each seat: this is asked after every order.
    status = hosted.game.position.status.tolist()
    return {seat for seat, now in zip(hosted.game.colours, status, strict=False) if now == _PLAYING}


def is_playing(hosted: HostedGame, seat: str) -> bool:
    """Whether a seat exists and is still in the game."""
    return seat in seats_playing(hosted)


def replaceable(hosted: HostedGame) -> list[str]:
    """The seats in the game that a bot could take over: none plays them yet."""
    free = seats_playing(hosted) - hosted.server_bots.keys() - hosted.bots.keys()
    return [seat for seat in hosted.game.colours if seat in free]


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


# Whether a seat can take its last decision back: the one rule for the command and for readers.


def check_undo(hosted: HostedGame, seat: str) -> int | None:
    """Until when a seat can take its last decision back, in milliseconds since 1970.

    None where no clock runs. RubiconError where nothing can be taken back: it revealed something,
    it is another seat's, or the seat has changed its mind too often.
    """
    if not hosted.undoable:
        raise RubiconError("undo/nothing", "There is nothing to undo.", "")
    hosted.game.check_undo(seat)
    hosted.counts.check(seat)
    return hosted.clocks.due_after_undo()


def check_undo_by_master(hosted: HostedGame) -> int | None:
    """Until when the game master can take the last decision back, whoever made it; as `check_undo`.

    It may have passed the turn on, but nothing that was hidden may have come of it. RubiconError
    where nothing can be taken back.
    """
    if hosted.placing or not hosted.undoable:
        message = "There is nothing that can be taken back: a die, a card or a secret came since."
        hint = "All players together can begin a new game from an earlier line: FORK."
        raise RubiconError("master/undo", message, hint)
    last = hosted.game.check_undo(undone_seat(hosted), past_turn=True)
    if isinstance(last, Resign):
        message = "A resignation is not taken back."
        raise RubiconError("master/resigned", message, "All players together can FORK the game.")
    return hosted.clocks.due_after_undo()


def undone_seat(hosted: HostedGame) -> str:
    """Whose decision would be taken back next; there is one in `undoable`."""
    return hosted.clocks.before[-1][0]


def undone_by_master(hosted: HostedGame) -> str:
    """The seat whose last decision the game master can take back; "" for none."""
    if not hosted.undoable:
        return ""
    try:
        due = check_undo_by_master(hosted)
    except RubiconError:
        return ""
    in_time = due is None or due > hosted.changed
    return undone_seat(hosted) if in_time and not hosted.at_rest else ""


def undo_until(hosted: HostedGame) -> dict[str, int | None]:
    """The seats that can take their last decision back, each with the time as of `check_undo`."""
    found: dict[str, int | None] = {}
    for seat in hosted.decisions if hosted.undoable else ():
        try:
            found[seat] = check_undo(hosted, seat)
        except RubiconError:
            continue
    return found


# The snapshot: immutable, taken after each commit.


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The state of a game after a committed transaction. Immutable: any thread may read it."""

    id: str
    ruleset: Ruleset
    position: Position
    head: int  # the last log index
    decisions: dict[str, int]  # the pending decisions, by seat
    undo_until: dict[str, int | None]  # who can undo, until then in milliseconds (None: no clock)
    witness: str  # the head of the dice transcript, which players may save as a proof
    waits_for: str  # "dice", "links", "typed", "lines-lost" or ""
    thrower: str  # the seat that must enter real dice, or ""
    openings: tuple[str, ...]  # the seats whose client is to open its sealed placement
    links_wanted: dict[str, LinkWanted]  # of clients that take part in the dice
    dice_clients: dict[str, str]  # the participant of each seat that takes part
    opened: bool  # whether the secrets of the dice are public
    bots: dict[str, str]  # stand-in bots, by seat
    server_bots: dict[str, str]
    due: dict[str, int]  # the deadlines, in milliseconds since 1970
    bank_from: dict[str, int]  # from when on a pending decision uses the bank, the same
    banks: dict[str, int]  # the time left in each bank, in milliseconds; {} without clocks
    votes: dict[str, frozenset[str]]
    voters: frozenset[str]  # the seats of people who are in the game
    out_of_time: dict[str, int]  # from when on the others may have a seat replaced
    replaceable: tuple[str, ...]  # the seats in the game that no bot plays
    away: dict[str, int]  # the ends of absences that are announced and not over
    freed: frozenset[str]  # seats that wait for another player
    undone: str  # the seat whose decision the game master can take back, or ""
    banner: str  # the line of the game master above the pages of the game
    paused: bool
    forked: str  # the game that replaces this one, or ""
    ending: GameEnding | None

    def game(self) -> Game:
        """A copy of the game, which the caller may change."""
        return Game.from_position(self.ruleset, self.position)

    def can_undo(self, seat: str, at: int) -> bool:
        """Whether a seat can take its last decision back at a time, in milliseconds since 1970."""
        if seat not in self.undo_until or self.waits_for:
            return False
        until = self.undo_until[seat]
        return until is None or at < until


@dataclass(frozen=True, slots=True)
class GameUpdate:
    """What a committed transaction added to a game, for its watchers."""

    snapshot: Snapshot
    stored: Sequence[Mapping[str, Any]]  # notifications; one may be for everyone
    since: int  # the log index before the transaction's first line
    colours: Sequence[str]

    @property
    def notifications(self) -> list[dict[str, Any]]:
        """The notifications of each reader, with the log index as `index`."""
        rows = for_each_reader(self.stored, self.colours)
        return [{**row, "index": row["log_index"]} for row in rows]


def snapshot_of(hosted: HostedGame) -> Snapshot:
    """A snapshot of a hosted game. Runs on the writer thread."""
    wanted = hosted.links_wanted
    clocks = hosted.clocks
    timed = hosted.on_clock
    due, bank_from, over = dict[str, int](), dict[str, int](), dict[str, int]()
    for seat in timed if clocks.running else ():
        if (at := clocks.due(seat)) is not None:
            due[seat] = at
        if (at := clocks.bank_from(seat)) is not None:
            bank_from[seat] = at
    free = replaceable(hosted)
    for seat in free:
        if (at := out_of_time_from(hosted, seat)) is not None:
            over[seat] = at
    clocked = clocks.settings.clock is not Clock.NONE
    return Snapshot(
        id=hosted.id,
        ruleset=hosted.game.ruleset,
        position=copy_position(hosted.game.position),
        head=hosted.head,
        decisions=dict(hosted.decisions),
        undo_until=undo_until(hosted),
        witness=hosted.transcript.witness,
        waits_for="links" if wanted else waits_for(hosted),
        thrower=hosted.thrower,
        openings=() if hosted.at_rest else hosted.placements.wanted,
        links_wanted=wanted,
        dice_clients=hosted.dice_clients,
        opened=hosted.transcript.state.closed,
        bots=dict(hosted.bots),
        server_bots=hosted.server_bots,
        due=due,
        bank_from=bank_from,
        banks={seat: clock.bank for seat, clock in clocks.seats.items()} if clocked else {},
        votes=open_votes(hosted),
        voters=frozenset(people_in_game(hosted)),
        out_of_time=over,
        replaceable=tuple(free),
        away={
            seat: absence.until
            for seat, absence in hosted.away.items()
            if absence.covers(hosted.changed)
        },
        freed=frozenset(hosted.master.freed),
        undone=undone_by_master(hosted),
        banner=hosted.master.banner,
        paused=hosted.paused,
        forked=hosted.forked,
        ending=hosted.ending,
    )


def waits_for(hosted: HostedGame) -> str:
    """What the next decision waits for: "typed" dice, "dice" of the chain, or nothing ("").

    "lines-lost" where the game has stopped, and waits for a fork.
    """
    if hosted.stopped:
        return "lines-lost"
    if hosted.requested is None:
        # An independent dice server sends its deposit after the start.
        return "" if hosted.has_genesis or hosted.at_rest else "dice"
    return "typed" if hosted.awaits_typed else "dice"
