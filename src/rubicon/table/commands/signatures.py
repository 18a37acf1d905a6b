"""The signatures of players' clients under their decisions."""

from __future__ import annotations

import json

from rubicon.dice.lines.request import SignedOrder
from rubicon.dice.lines.state import Participant
from rubicon.table.errors import TableError
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.storage.event_log import LineKind


def take_signature(
    unit: UnitOfWork, seat: str, decision: int, words: str, signed: SignedOrder
) -> None:
    """Log a client's signature of the decision or vote that the next line holds.

    What answers no decision is signed with the decision 0.

    TableError where it is not the signature of a client of this seat under these words.
    """
    hosted = unit.hosted
    participant = own_participant(hosted, seat, signed.id)
    genesis = hosted.transcript.state.genesis
    if not signed.fits(participant.key, genesis, max(decision, 0), words):
        message = "The signature does not fit this decision and these words."
        raise TableError("dice/wrong-signature", message, "Sign the words that you send.")
    if signed.head not in hosted.transcript.state.recent:
        message = "The head under the signature is too old, or of no line of this game's dice."
        raise TableError("dice/stale-head", message, "Read the transcript, and sign again.")
    text = {
        "words": words,
        "id": signed.id,
        "head": signed.head.hex(),
        "signature": signed.sig.hex(),
    }
    unit.add_line(LineKind.SIGNED, json.dumps(text), seat, decision)


def own_participant(hosted: HostedGame, seat: str, name: str) -> Participant:
    """The participant with this id; TableError where it is none of the seat's."""
    participant = hosted.transcript.state.participants.get(name)
    if participant is None or participant.seat != seat:
        message = f"{name[:40]!r} is no participant of {seat}."
        raise TableError("dice/not-yours", message, "Deposit a chain first.")
    return participant
