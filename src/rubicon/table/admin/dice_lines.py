"""Checks the dice transcript and the signatures of a stored game, line by line with its log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.members import Genesis
from rubicon.dice.lines.opening import Sealed, Secrets
from rubicon.dice.lines.request import Answer, GivenLink, check_given
from rubicon.dice.lines.state import key_of
from rubicon.dice.server import Drawing
from rubicon.dice.verify import verify
from rubicon.orders.parse.action import read_action
from rubicon.table.commands.advance import server_seal, types_dice
from rubicon.table.errors import TableError
from rubicon.table.game import log_lines
from rubicon.table.game.dice import ask_of, outcome_of, pending_of
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.log_lines import LineKind, LogLine, payload_of, said

# The first fault of a stored game, as the audit names it.


class Damaged(TableError):
    """The first fault of a game: at a log index, or None where it belongs to no line."""

    def __init__(
        self, index: int | None, code: str, message: str, expected: str = "", found: str = ""
    ) -> None:
        self.index = index
        self.expected = expected[:300]
        self.found = found[:300]
        super().__init__(code, message, "Restore a backup; docs/hosting.md explains how.")


def require_same(index: int, code: str, message: str, expected: object, found: object) -> None:
    """Damaged where two things are not written alike."""
    if str(expected) != str(found):
        raise Damaged(index, code, message, str(expected), str(found))


# Checks the signatures of players' clients in a stored log.


class SignatureAudit:
    """Compares each signature with the line that follows it."""

    def __init__(self, hosted: HostedGame) -> None:
        self.hosted = hosted
        self._signature: tuple[str, int, str] | None = None  # seat, decision and words
        self.unsigned_votes = 0  # of seats whose client takes part in the dice

    def check(self, line: LogLine) -> None:
        """Check a signature, and that the line after it is what was signed."""
        before, self._signature = self._signature, None
        if line.kind is LineKind.SIGNED:
            self._signature = self._signature_of(line)
            return
        if before is not None:
            seat, decision, words = before
            same = (line.seat, line.decision) == (seat, decision)
            if not same or not _says(line, words, self.hosted):
                message = "The line is not the one that its signature covers."
                raise Damaged(line.index, "log/other-words", message, words, line.text)
        elif line.kind is LineKind.VOTE and line.seat in self.hosted.dice_clients:
            self.unsigned_votes += 1

    def _signature_of(self, line: LogLine) -> tuple[str, int, str]:
        says, state = said(line, log_lines.Signed), self.hosted.transcript.state
        participant = state.participants.get(says.id)
        decision, words = max(line.decision, 0), says.words
        if (
            participant is None
            or participant.seat != line.seat
            or not says.order.fits(participant.key, state.genesis, decision, words)
        ):
            message = f"This is no signature of {line.seat}'s client."
            raise Damaged(line.index, "log/wrong-signature", message)
        return line.seat, line.decision, words


def _says(line: LogLine, words: str, hosted: HostedGame) -> bool:
    """Whether a line is what was signed with these words."""
    match payload_of(line, hosted.game):
        case log_lines.VoteCast():
            return words == f"vote {line.text}"
        case log_lines.Acted(action):
            return read_action(words, hosted.game.ruleset.board, hosted.game.colours) == action
        case log_lines.Orders():
            return words == line.text
        case _:
            return False


# The transcript, line by line.


class DiceAudit:
    """The transcript alongside the log: `hosted` is the game after the lines that were checked."""

    def __init__(self, hosted: HostedGame, lines: Sequence[str]) -> None:
        self.hosted = hosted
        self._lines = lines
        self._checked = 0  # lines
        self._drawing: Drawing | None = None  # what the last answer gives
        self._left = 0  # draws of the last answer that have no outcome yet

    def begin(self) -> None:
        """Check the genesis: it is that of this game, of its seats and of its stored secrets."""
        dice_entry = self._next()
        if dice_entry is None:
            return  # an independent dice server has not sent its deposit yet
        genesis = self._take("genesis")
        assert isinstance(genesis, Genesis)
        if genesis.table != self.hosted.id:
            raise Damaged(0, "log/other-dice", "The dice transcript belongs to another game.")
        own = self.hosted.secrets.genesis(genesis.seats, {}, rules=genesis.rules, waits=(0, 0))
        message = "The stored secret seed does not fit its commitment."
        require_same(0, "dice/wrong-seed", message, genesis.commitment.hex(), own.commitment.hex())
        message = "The server's hash chain does not fit its stored secrets."
        require_same(
            0,
            "dice/wrong-chain",
            message,
            genesis.participants["server"].end.hex(),
            own.participants["server"].end.hex(),
        )
        seats = ", ".join(self.hosted.game.colours)
        require_same(
            0, "dice/seat", "The dice are for other seats.", seats, ", ".join(genesis.seats)
        )

    def request(self, line: LogLine) -> None:
        """Check that the rules demand exactly what the request asks for, for this decision."""
        hosted, n = self.hosted, said(line, log_lines.Requested).n
        instead = hosted.awaits_typed and n is not None  # of dice that were not entered
        if hosted.game.pending is None or not (hosted.requested is None or instead):
            raise Damaged(line.index, "log/nothing-pending", "No chance is pending here.")
        self._check_roller(line, n)
        self.require_drawn(line)
        if n is None:
            return
        state, decided = hosted.transcript.state, hosted.decided
        ask = ask_of(hosted.game, pending_of(hosted.game))
        decision = decided.seat, decided.decision, decided.words
        found = self._next()
        rolls = found.body.get("rolls") if found is not None else None
        wanted = hosted.secrets.request(
            state, decision, ask, rolls if isinstance(rolls, int) else 1
        )
        request = self._take("request")
        message = "The request does not match the pending chance and the decision before it."
        require_same(line.index, "log/other-request", message, wanted.n, n)
        expected = wanted.form() | {"signed": None}
        require_same(
            line.index, "log/other-request", message, expected, request.form() | {"signed": None}
        )
        if request.signed is not None and request.signed != decided.signed:
            message = "The log holds no such signature of the decision."
            raise Damaged(line.index, "log/other-signature", message)

    def _check_roller(self, line: LogLine, n: int | None) -> None:
        """The table rolls what a person rolls only when that person's time is over."""
        hosted = self.hosted
        if hosted.awaits_typed:
            due = hosted.clocks.due(hosted.thrower)
            in_time = due is None or due > line.at
            if in_time and hosted.thrower in hosted.typists:
                message = f"The table rolled the dice of {hosted.thrower}, whose time was not over."
                raise Damaged(line.index, "log/unfounded", message)
        elif types_dice(hosted) != (n is None):
            message = "At this table someone else rolls these dice."
            raise Damaged(line.index, "log/unfounded", message)

    def outcome(self, line: LogLine) -> None:
        hosted = self.hosted
        if hosted.game.pending is None:
            raise Damaged(line.index, "log/nothing-pending", "No dice are pending here.")
        if hosted.awaits_typed:
            return
        if hosted.requested is not None:
            self._answer(line)
        if not self._left or self._drawing is None:
            raise Damaged(line.index, "log/more-outcomes", "No draw of the dice is left for this.")
        pending = pending_of(hosted.game)
        drawn, card = self._drawing.draw(ask_of(hosted.game, pending), pending.things)
        self._left -= 1
        message = "The dice gave another outcome."
        require_same(line.index, "log/other-outcome", message, outcome_of(drawn, card), line.text)

    def _answer(self, line: LogLine) -> None:
        """Take the answer that waits; its draws are compared with the outcomes that follow."""
        hosted = self.hosted
        if hosted.links_wanted:
            seats = ", ".join(hosted.links_wanted)
            message = f"The dice were rolled before {seats} gave a link or timed out."
            raise Damaged(line.index, "log/link-missing", message)
        self._take_links_line()
        state = hosted.transcript.state
        pending = state.pending
        assert pending is not None
        answer = self._take("answer")
        assert isinstance(answer, Answer)
        for name, link in hosted.links.items():
            message = f"The dice contain another link of {name} than the log."
            require_same(
                line.index, "log/other-link", message, _hex(link), _hex(answer.links.get(name))
            )
        key = key_of(state.genesis, pending.n, answer.bare)
        hidden = Secrets(hosted.secrets.seed, state.genesis)
        self._drawing = Drawing(hidden, pending, key, len(answer.draws))
        self._left = len(answer.draws)

    def presence(self, line: LogLine) -> None:
        self.require_drawn(line)
        says = said(line, log_lines.DicePresence)
        body = self._take(says.word)
        message = "The dice transcript says something else of who takes part."
        require_same(line.index, "log/other-presence", message, says.id, getattr(body, "id", ""))

    def placement(self, line: LogLine) -> None:
        """Check that a placement is sealed and opened as the transcript says, by who may."""
        self.require_drawn(line)
        body = self._take(line.kind.value)
        message = "The dice transcript says something else of this placement."
        says = payload_of(line)
        assert isinstance(says, log_lines.SealedPlacement | log_lines.OpenedPlacement)
        require_same(line.index, "log/other-placement", message, body.form(), says.body.form())
        if isinstance(body, Sealed) and body.signed is None:
            message = "The server has sealed something else than the seat has placed."
            wanted = server_seal(self.hosted, body.seat).form()
            require_same(line.index, "log/other-placement", message, wanted, body.form())

    def link(self, line: LogLine) -> None:
        """Check that a link was wanted, and that it belongs to its hash chain."""
        hosted = self.hosted
        wanted = hosted.links_wanted.get(line.seat)
        says = payload_of(line)
        assert isinstance(says, log_lines.LinkGiven | log_lines.Silent)
        if wanted is None or wanted.id != says.id:
            message = f"No link of {line.seat or 'any seat'} is wanted."
            raise Damaged(line.index, "log/no-link-wanted", message)
        if isinstance(says, log_lines.LinkGiven):
            state = hosted.transcript.state
            assert state.pending is not None
            check_given(state, state.pending, says.id, says.given)

    def require_drawn(self, line: LogLine) -> None:
        if self._left:
            message = "The answer before has more draws than the log has outcomes."
            raise Damaged(line.index, "log/more-dice", message)

    def end(self, line: LogLine) -> None:
        """The game ends: everything that it drew is settled, and its secrets are opened."""
        self.require_drawn(line)
        self._take_links_line()
        if self.hosted.has_genesis:
            self._take("end")

    def finish(self) -> None:
        """Check that nothing is left behind the last line of the log."""
        at = self.hosted.head
        if self._left:
            message = "The last answer of the dice has more draws than the log has outcomes."
            raise Damaged(at, "log/more-dice", message)
        self._take_links_line()
        found = self._next()
        if found is not None:
            message = f"Line {found.seq} of the dice transcript belongs to no line of the log."
            raise Damaged(at, "log/more-dice", message)

    def _take_links_line(self) -> None:
        found = self._next()
        if found is not None and found.kind == "links":
            self._take("links")

    def _next(self) -> Entry | None:
        """The next line of the dice transcript, without taking it."""
        if self._checked == len(self._lines):
            return None
        return Entry.parse(self._lines[self._checked])

    def _take(self, kind: str) -> Any:
        """The body of the next line of the dice transcript, checked as any reader checks it."""
        dice_entry = self._next()
        if dice_entry is None:
            raise Damaged(
                self.hosted.head + 1,
                "log/dice-missing",
                "The dice transcript ends before this line.",
            )
        if dice_entry.kind != kind:
            message = f"Line {dice_entry.seq} of the dice transcript does not belong here."
            raise Damaged(self.hosted.head + 1, "log/other-dice", message, kind, dice_entry.kind)
        self._checked += 1
        return self.hosted.transcript.append(dice_entry)


def check_transcript(lines: Sequence[str], heads: Iterable[str]) -> None:
    """Check a transcript by itself, as any reader can; Damaged where it is wrong."""
    if not lines:
        return
    fault = verify(map(Entry.parse, lines), known_heads=list(heads)).fault
    if fault is not None:
        message = f"Line {fault.seq} of the dice transcript: {fault.message}"
        raise Damaged(None, f"dice/{fault.code}", message, fault.expected, fault.found)


def _hex(link: GivenLink | None) -> str:
    return "" if link is None else link.link.hex()
