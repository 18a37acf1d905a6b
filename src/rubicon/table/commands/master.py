"""What the game master and the operator may do to a running game."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.table.commands.advance import Close, FollowOrders, finish
from rubicon.table.commands.submit import check_not_forked, check_open
from rubicon.table.errors import TableError
from rubicon.table.game.hosted_game import FORK, REPLACE, HostedGame
from rubicon.table.game.limits import HOUR
from rubicon.table.game.log_lines import (
    Lines,
    MasterOrder,
    MasterWord,
    NewLine,
    StandIn,
    Undone,
)
from rubicon.table.game.requests import MOST_BANNER, MOST_HOURS, MOST_WORDS
from rubicon.table.game.snapshot import (
    check_undo_by_master,
    is_playing,
    people_in_game,
    time_is_over,
    undone_seat,
)
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.lifecycle import BY_OPERATOR
from rubicon.table.lobby.people import free_for_another
from rubicon.table.lobby.table_request import is_legible
from rubicon.table.settings import Clock, Master

# The game master's requests: what each may do and when, and how it is carried out.
#
# Each is a line of the log first, then the lines that follow from it. `check_order` is the one
# rule, for the command and for `rubicon table verify`. A game master never touches dice, cards,
# armies or orders: between a dice request and its answer no such line can stand, and what a die
# or a hidden card has followed is not taken back.

MASTER = ""  # the game master among the seats whose changes are counted


def carry_out(unit: UnitOfWork, order: MasterOrder) -> str:
    """Write the request to the log, and do it; the invite of a seat that is free now, or "".

    TableError where it is refused.
    """
    lines = unit.perform(OrderByMaster(order))
    if lines and order.word is MasterWord.REPLACE:
        return free_for_another(unit.connection, unit.hosted.id, order.seat)
    return ""


@dataclass(frozen=True, slots=True)
class OrderByMaster:
    """A request of the game master."""

    order: MasterOrder

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The request and what follows from it; () for a banner that is there already."""
        order, substitute = self.order, StandIn(state.settings.substitute)
        check_open(state)
        check_order(state, order, at)
        lines = [NewLine(order)]
        match order.word:
            case MasterWord.BANNER if order.words == state.master.banner:
                return ()
            case MasterWord.PROCESS:
                lines += [NewLine(substitute, seat) for seat in seats_over_time(state, at)]
            case MasterWord.BOT:
                lines.append(NewLine(StandIn(order.words), order.seat))
            case MasterWord.REPLACE if order.seat not in state.bots:
                lines.append(NewLine(substitute, order.seat))
            case MasterWord.UNDO:
                why = "the game master took a decision back"
                for seat in state.running:
                    lines += FollowOrders(seat, why).decide(state, at)
                lines.append(NewLine(Undone(state.undoable[-1]), undone_seat(state)))
        return tuple(lines)


def check_order(hosted: HostedGame, order: MasterOrder, at: int) -> None:
    """TableError where the game master may not do that at a time, in milliseconds since 1970."""
    if hosted.settings.master is Master.NONE:
        message = "No person is game master here: the software runs this table."
        hint = "Vote instead (docs/tables.md), or choose a game master when you open a table."
        raise TableError("master/none", message, hint)
    hosted.counts.check(MASTER)
    match order.word:
        case MasterWord.EXTEND:
            _check_extend(hosted, order.number, at)
        case MasterWord.PROCESS:
            _check_process(hosted, at)
        case MasterWord.BOT | MasterWord.REPLACE:
            _check_seat(hosted, order, at)
        case MasterWord.UNDO:
            _check_undo(hosted, at)
        case MasterWord.ANNOUNCE:
            _check_words(order.words, "An announcement", 1, MOST_WORDS)
        case MasterWord.BANNER:
            _check_words(order.words, "A banner", 0, MOST_BANNER)
        case MasterWord.FORK:
            _check_fork(hosted, order.number)


def seats_over_time(hosted: HostedGame, at: int) -> list[str]:
    """The seats that must decide, whose time is over, and that no bot plays yet."""
    asked = (*hosted.decisions, *hosted.placements.wanted)
    return [
        seat
        for seat in hosted.game.colours
        if seat in asked
        and seat not in hosted.bots
        and seat not in hosted.server_bots
        and time_is_over(hosted, seat, at)
    ]


def may_be_replaced(hosted: HostedGame, seat: str, at: int, *, for_good: bool) -> bool:
    """Whether a bot may play a seat that is in the game: its owner is late, away, or agrees.

    `for_good`: whether the seat may be given to another player. Who has announced an absence keeps
    it; who was late and is replaced by a bot since does not.
    """
    if time_is_over(hosted, seat, at) or seat in hosted.votes.get(REPLACE + seat, ()):
        return True
    absence = hosted.away.get(seat)
    away = absence is not None and absence.covers(at)
    return seat in hosted.bots and not away if for_good else away


def _check_extend(hosted: HostedGame, hours: int, at: int) -> None:
    if hosted.settings.clock is Clock.NONE:
        message = "This table has no clock to extend."
        raise TableError("master/no-clock", message, "Players decide when they like.")
    if hosted.paused:
        raise TableError("master/paused", "The clocks are stopped: the game is paused.", "")
    if not 1 <= hours <= MOST_HOURS:
        message = f"A deadline cannot be moved by {hours} hours."
        raise TableError("master/hours", message, f"Write 1 to {MOST_HOURS} hours.")
    due = [hosted.clocks.due(seat) for seat in hosted.on_clock if seat not in hosted.bots]
    until = max((moment for moment in due if moment is not None), default=None)
    if until is None:
        raise TableError("master/nobody", "No player's clock is running.", "")
    most = at + MOST_HOURS * HOUR
    if max(until, at) + hours * HOUR > most + hosted.settings.decision_time * 1000:
        message = "The deadline would be too far away."
        hint = f"It can be {MOST_HOURS} hours and one `decision_time` from now at most."
        raise TableError("master/too-far", message, hint)


def _check_process(hosted: HostedGame, at: int) -> None:
    if not seats_over_time(hosted, at):
        message = "No player's time is over."
        hint = "Wait for the deadline, or let a player agree: VOTE with 'replace' and their colour."
        raise TableError("master/nobody-late", message, hint)


def _check_seat(hosted: HostedGame, order: MasterOrder, at: int) -> None:
    seat = order.seat
    if not is_playing(hosted, seat) or seat in hosted.server_bots or seat in hosted.erased:
        message = f"{seat[:20]!r} is no player in the game."
        playing = ", ".join(sorted(people_in_game(hosted)))
        raise TableError("master/seat", message, f"Players: {playing}.")
    has_bot = seat in hosted.bots
    if (has_bot and order.word is MasterWord.BOT) or seat in hosted.master.freed:
        message = f"A bot plays {seat} already."
        raise TableError("master/replaced", message, "The player can take the seat back.")
    for_good = order.word is MasterWord.REPLACE
    if not may_be_replaced(hosted, seat, at, for_good=for_good):
        message = f"{seat} is in time, is not away, and has not agreed."
        hint = (
            f"Wait until the time of {seat} is over, or ask {seat} to vote 'replace {seat}':"
            " that is the consent."
        )
        raise TableError("master/in-time", message, hint)


def _check_undo(hosted: HostedGame, at: int) -> None:
    due = check_undo_by_master(hosted)
    if due is not None and due <= at:
        message = "The time of the earlier decision is over: it cannot be taken back."
        raise TableError("undo/out-of-time", message, "Go on from here.")


def _check_words(words: str, what: str, least: int, most: int) -> None:
    if least <= len(words) <= most and (not words or is_legible(words)):
        return
    message = f"{what} of {len(words):,} characters cannot be shown."
    hint = f"It has {least} to {most} visible characters, on one line."
    raise TableError("master/words", message, hint)


def _check_fork(hosted: HostedGame, index: int) -> None:
    if not 0 <= index < hosted.head:
        message = f"{index} is no earlier log index of this game."
        hint = f"Indexes run from 0 to {hosted.head - 1}. Then all players vote '{FORK}{index}'."
        raise TableError("fork/index", message, hint)


# The operator closes a table; its players read why.


def close_by_operator(unit: UnitOfWork, reason: str) -> None:
    """End a game that runs, without a winner, and open its secrets; `reason` is checked.

    TableError where it is over, or another game replaces it: that one still has its secrets.
    """
    hosted = unit.hosted
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over.", "")
    check_not_forked(hosted)
    finish(unit, Close(f"{BY_OPERATOR}: {reason}"))
