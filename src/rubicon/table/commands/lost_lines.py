"""A client shows that lines of the dice are lost: the game stops, and goes on as a fork only.

After a restore the database may end before dice that players have seen. To ask for them again under
the same genesis would be a second roll, so nothing is asked there any more.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.dice.lines.entry import Entry
from rubicon.dice.lost_lines import check_proof
from rubicon.table.commands.fork import fork
from rubicon.table.commands.submit import check_not_forked
from rubicon.table.errors import TableError
from rubicon.table.game.game_cache import dice_texts
from rubicon.table.game.submission import Answered
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.storage.event_log import NO_DECISION, LineKind


def take_lost_lines(unit: UnitOfWork, seat: str, lines: Sequence[str]) -> Answered:
    """Stop the game where these lines were signed here and are not stored; idempotent.

    DiceError where they prove nothing of the kind.
    """
    hosted = unit.hosted
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over: no dice are rolled in it any more.", "")
    check_not_forked(hosted)
    if hosted.lost_lines is not None:
        return Answered(seat, NO_DECISION, hosted.lost_lines.index)

    def head_of(seq: int) -> bytes | None:
        if not 0 <= seq < len(hosted.transcript):  # also numbers that no database knows
            return None
        return Entry.stored(dice_texts(unit.connection, hosted.id, seq, most=1)[0]).head

    first = check_proof(lines, hosted.id, hosted.secrets.chain.key, head_of)
    line = unit.add_line(LineKind.LOST_LINES, "\n".join((str(first), *lines)), seat)
    return Answered(seat, NO_DECISION, line.index)


def fork_stopped(unit: UnitOfWork) -> None:
    """Continue a stopped game from its last stored position, by the operator; without votes."""
    hosted = unit.hosted
    check_not_forked(hosted)
    if hosted.lost_lines is None or hosted.ending is not None:
        message = "The game has not stopped: no lost dice lines were shown to it."
        hint = "Only its players can fork it, by a vote: fork INDEX."
        raise TableError("fork/not-stopped", message, hint)
    fork(unit, hosted.lost_lines.index - 1)
