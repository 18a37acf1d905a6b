"""Checks the signatures of players' clients in a stored log."""

from __future__ import annotations

import json

from rubicon.dice.lines.request import SignedOrder
from rubicon.rules.notation.actions import parse_action
from rubicon.table.admin.damage import Damaged
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.storage.event_log import LineKind, LogLine


class SignatureAudit:
    """Compares each signature with the line that follows it."""

    def __init__(self, hosted: HostedGame) -> None:
        self.hosted = hosted
        self._signature: tuple[str, int, str] | None = None  # seat, decision and words
        self.unsigned_votes = 0  # of seats whose client takes part in the dice

    def check(self, line: LogLine) -> None:
        """Check a signature, and that the line behind it is what was signed."""
        before, self._signature = self._signature, None
        if line.kind is LineKind.SIGNED:
            self._signature = self._signature_of(line)
            return
        if before is not None:
            seat, decision, words = before
            same = (line.seat, line.decision) == (seat, decision)
            if not same or not _says(line, words, self.hosted):
                message = "The line behind a signature is not what was signed."
                raise Damaged(line.index, "log/other-words", message, words, line.text)
        elif line.kind is LineKind.VOTE and line.seat in self.hosted.dice_clients:
            self.unsigned_votes += 1

    def _signature_of(self, line: LogLine) -> tuple[str, int, str]:
        parts, state = json.loads(line.text), self.hosted.transcript.state
        participant = state.participants.get(parts["id"])
        head, sig = bytes.fromhex(parts["head"]), bytes.fromhex(parts["signature"])
        signed = SignedOrder(parts["id"], head, sig)
        decision, words = max(line.decision, 0), parts["words"]
        if (
            participant is None
            or participant.seat != line.seat
            or not signed.fits(participant.key, state.genesis, decision, words)
        ):
            message = f"This is no signature of {line.seat}'s client."
            raise Damaged(line.index, "log/wrong-signature", message)
        return line.seat, line.decision, words


def _says(line: LogLine, words: str, hosted: HostedGame) -> bool:
    """Whether a line is what was signed with these words."""
    match line.kind:
        case LineKind.VOTE:
            return words == f"vote {line.text}"
        case LineKind.ACTION:
            board, colours = hosted.game.ruleset.board, hosted.game.colours
            return str(parse_action(words, board, colours)) == line.text
        case _:
            return line.kind is LineKind.ORDERS and words == line.text
