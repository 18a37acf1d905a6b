"""Players who read and write e-mails, and know nothing else."""

from __future__ import annotations

import re
from email.message import EmailMessage

from rubicon.rules.board.board import Board
from tests.mail.service.mail_table import form_in, text_of

FORM = re.compile(r"^YOUR ORDERS -", re.MULTILINE)
ATTACK = re.compile(r"// ATTACK (.+?) -> (.+?) UNTIL .*")


class MailPlayer:
    """Answers e-mails with the form in them: attacks as often as the form has an example."""

    def __init__(self, address: str, board: Board) -> None:
        self.address = address
        self._board = board
        self.answered: set[str] = set()

    def orders_for(self, email: EmailMessage) -> str:
        """The orders of a turn: those of the form, with its attacks and one on condition."""
        lines = form_in(email).splitlines()
        return "\n".join(order for line in lines for order in self._orders(line))

    def _orders(self, line: str) -> list[str]:
        found = ATTACK.fullmatch(line)
        if not found:
            return [] if line.startswith("//") else [line]
        source, target = found[1], found[2]
        beyond = self._neighbour(target, source)
        attack = f"ATTACK {source} -> {target} UNTIL LEFT 2 ADVANCE ALL"
        return [attack, f"IF WON {target}: ATTACK {target} -> {beyond} UNTIL LEFT 2 ADVANCE ALL"]

    def _neighbour(self, territory: str, other: str) -> str:
        """Another neighbour of a territory."""
        board = self._board
        at, behind = board.index(territory), board.index(other)
        near = [n for pair in board.borders for n in pair if at in pair and n not in (at, behind)]
        return board.territories[near[0] if near else behind].id

    def wants_orders(self, email: EmailMessage) -> bool:
        """Whether an e-mail asks this player for orders, and was not answered yet."""
        mine = email["To"] == self.address and str(email["Message-ID"]) not in self.answered
        return mine and email["Reply-To"] is not None and bool(FORM.search(text_of(email)))
