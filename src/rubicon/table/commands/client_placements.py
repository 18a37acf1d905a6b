"""Sealed placements of clients: sealed by each, and opened when all seats have sealed.

Nothing of a client's placement is at the table before that.
"""

from __future__ import annotations

from rubicon.dice.lines.placement import Opened, Sealed, placement_hash
from rubicon.engine.records.position import Phase
from rubicon.rules.actions import Action, Place, Seal
from rubicon.rules.notation.actions import parse_action
from rubicon.table.commands.dice_clients import check_allowed
from rubicon.table.commands.placements import add_opening, add_seal
from rubicon.table.commands.signatures import own_participant
from rubicon.table.commands.submit import check_decision, check_open, check_text
from rubicon.table.errors import TableError
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.submission import Answered
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.storage.event_log import NO_DECISION, LineKind


def take_seal(unit: UnitOfWork, sealed: Sealed) -> Answered:
    """The salted hash of a placement, from a seat's client; idempotent.

    TableError where the seat has nothing to seal, BadEntry where its client has not signed it.
    """
    hosted, seat = unit.hosted, sealed.seat
    known = hosted.transcript.state.placements.get(seat)
    if known is not None and known.hash == sealed.hash and known.id:
        return Answered(seat, sealed.decision, hosted.head + 1)
    check_open(hosted)
    check_allowed(hosted.settings)
    check_decision(hosted, seat, sealed.decision)
    if hosted.game.phase != Phase.SEALED or hosted.placements.text(seat):
        message = f"{seat} has nothing to seal: it is not placing, or has placed armies openly."
        raise TableError("dice/nothing-to-seal", message, "Take back what you have placed first.")
    if seat in hosted.running or seat in hosted.bots:
        message = f"Orders or a bot place for {seat}."
        raise TableError("dice/nothing-to-seal", message, "Take your seat back first.")
    assert sealed.signed is not None
    own_participant(hosted, seat, sealed.signed.id)
    hosted.counts.check(seat)
    first = hosted.head + 1
    add_seal(unit, sealed, check=True)
    return Answered(seat, sealed.decision, first)


def take_opening(unit: UnitOfWork, opened: Opened) -> Answered:
    """Text and salt of what a seat's client has sealed, which is played at once; idempotent.

    TableError before all have sealed, or where it is another placement; Refused where the rules do
    not allow it: then it is not opened, and the seat's time goes on.
    """
    hosted, seat = unit.hosted, opened.seat
    first = hosted.head + 1
    known = hosted.transcript.state.placements.get(seat)
    fits = known is not None and known.hash == _hash(opened)
    if fits and known is not None and known.opened and seat not in hosted.placements.failed:
        return Answered(seat, NO_DECISION, first)
    check_open(hosted)
    if seat not in hosted.placements.wanted:
        message = f"No placement of {seat} is to be opened now."
        raise TableError("dice/no-opening-wanted", message, "Wait until all seats have sealed.")
    if not fits:
        message = "This is not the placement that was sealed."
        raise TableError("dice/wrong-opening", message, "Send the text and the salt of the hash.")
    actions = placement_of(hosted, seat, opened.text or "")
    add_opening(unit, opened)
    for action in (*actions, Seal(seat)):
        decision = hosted.decisions[seat]
        unit.add_line(LineKind.ACTION, str(action), seat, decision, payload=action)
    return Answered(seat, NO_DECISION, first)


def placement_of(hosted: HostedGame, seat: str, text: str) -> list[Action]:
    """The actions of a whole placement, one a line, written exactly as the table writes them.

    RubiconError at the first line that the rules refuse: not many more are read than armies left.
    """
    check_text(text)
    game = hosted.game.copy()
    actions: list[Action] = []
    for line in text.split("\n"):
        action = parse_action(line, game.ruleset.board, game.colours, strict=True)
        if not isinstance(action, Place):
            message = f"'{action}' places no armies."
            raise TableError("dice/no-placement", message, "Write one 'place …' a line.")
        game.play(action, seat=seat)
        actions.append(action)
    game.play(Seal(seat), seat=seat)
    return actions


def _hash(opened: Opened) -> bytes:
    return placement_hash(opened.seat, opened.salt or b"", opened.text or "")
