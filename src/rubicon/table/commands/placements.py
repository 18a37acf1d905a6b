"""Sealed placements: what the server seals and opens itself, for seats without a client."""

from __future__ import annotations

import json

from rubicon.dice.lines.opening import Secrets
from rubicon.dice.lines.placement import Opened, Sealed, placement_hash
from rubicon.engine.records.position import Phase, Seat
from rubicon.table.errors import TableError
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.storage.event_log import LineKind


def seal_placements(unit: UnitOfWork) -> None:
    """Seal for the seats that have placed at the server; open what is the server's to open.

    A seat that is out, or that a bot plays since its client did not open in time, never opens.
    """
    hosted = unit.hosted
    if not hosted.placing:
        return
    placements = hosted.placements
    for seat in hosted.game.colours:
        if seat not in placements.sealers and _has_placed(hosted, seat):
            add_seal(unit, server_seal(hosted, seat))
    for seat in list(placements.owed) if placements.all_in else ():
        if not placements.sealers[seat]:
            add_opening(unit, Opened(seat, placements.text(seat), _salt(hosted, seat)))
        elif seat in hosted.bots or not _plays(hosted, seat):
            add_opening(unit, Opened(seat))


def check_may_place(hosted: HostedGame, seat: str) -> None:
    """TableError for the owner of a seat whose client has sealed a placement and not opened it.

    He knows what the others have placed: the bot that stands in places for him.
    """
    if seat in hosted.placements.failed and hosted.game.phase == Phase.SEALED:
        message = f"{seat} did not open its sealed placement in time: a bot places for it."
        raise TableError("dice/not-opened", message, "Play on when all have placed.")


def server_seal(hosted: HostedGame, seat: str) -> Sealed:
    """What the server seals of what a seat has placed; nothing of one that is out."""
    if not _plays(hosted, seat):
        return Sealed(seat, 0, None)
    text = hosted.placements.text(seat)
    return Sealed(seat, 0, placement_hash(seat, _salt(hosted, seat), text))


def add_seal(unit: UnitOfWork, body: Sealed, *, check: bool = False) -> None:
    """Write a seal into the transcript and the log; `check`: it comes from a client."""
    unit.add_dice(body, check=check)
    unit.add_line(LineKind.SEALED, json.dumps(body.form()), body.seat)


def add_opening(unit: UnitOfWork, body: Opened) -> None:
    """Write an opening into the transcript and the log."""
    unit.add_dice(body)
    unit.add_line(LineKind.OPENED, json.dumps(body.form()), body.seat)


def _salt(hosted: HostedGame, seat: str) -> bytes:
    genesis = hosted.transcript.state.genesis
    return Secrets(hosted.secrets.seed, genesis).placement_salt(seat)


def _plays(hosted: HostedGame, seat: str) -> bool:
    return bool(hosted.game.position.status[hosted.game.colours.index(seat)] == Seat.PLAYING)


def _has_placed(hosted: HostedGame, seat: str) -> bool:
    """Whether a seat places no more: it has finished, or is out."""
    number = hosted.game.colours.index(seat)
    finished = hosted.game.phase != Phase.SEALED or hosted.game.position.sealed[number]
    return bool(finished) or not _plays(hosted, seat)
