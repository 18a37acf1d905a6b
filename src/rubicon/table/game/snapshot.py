"""A hosted game as readers see it: immutable, taken after each commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubicon.engine.records.position import Position, copy_position
from rubicon.rules.game.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.game.hosted_game import TYPED, GameEnding, HostedGame, LinkWanted
from rubicon.table.game.people import open_votes, out_of_time_from, people_in_game, replaceable
from rubicon.table.game.undo import undo_until, undone_by_master
from rubicon.table.game.unit_of_work import for_each_reader
from rubicon.table.settings import Clock


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
    due = {seat: clocks.due(seat) for seat in timed}
    bank_from = {seat: clocks.bank_from(seat) for seat in timed}
    over = {seat: out_of_time_from(hosted, seat) for seat in replaceable(hosted)}
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
        due={seat: at for seat, at in due.items() if at is not None},
        bank_from={seat: at for seat, at in bank_from.items() if at is not None},
        banks={seat: clock.bank for seat, clock in clocks.seats.items()} if clocked else {},
        votes=open_votes(hosted),
        voters=frozenset(people_in_game(hosted)),
        out_of_time={seat: since for seat, since in over.items() if since is not None},
        replaceable=tuple(replaceable(hosted)),
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
    return "typed" if hosted.requested == TYPED else "dice"
