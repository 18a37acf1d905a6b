"""An account's own part in the dice of one game: chain, journal file, thread."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, cast

from rubicon.client.answers import (
    ApiError,
    DiceAlarm,
    FactAnswer,
    Json,
    answer_field,
    of_type,
    read_json,
)
from rubicon.client.session import ApiSession
from rubicon.dice import journal
from rubicon.dice.client import FEW_LINKS, DiceClient
from rubicon.dice.crypto import LONGEST, read_recovery_code
from rubicon.dice.errors import DiceError
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.state import Participant
from rubicon.dice.transcript import proof_of_loss
from rubicon.files import file_fault, lock
from rubicon.wording import quoted

# The file in which a client keeps its part in the dice of one game, locked while it is used.

SUFFIX = ".jsonl"
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # of a game or a seat


def journals_folder() -> Path:
    """The folder of the journals: below `$XDG_STATE_HOME`, or `~/.local/state`."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "rubicon" / "dice"


def default_file(game: str, seat: str) -> Path:
    """Where the journal of a seat is if the program names no file.

    DiceError `dice/bad-name` for names that a server must not choose: they would lead elsewhere.
    """
    if not (NAME.fullmatch(game) and NAME.fullmatch(seat)):
        message = f"A game {quoted(game)} with a seat {quoted(seat)} cannot have a journal."
        raise DiceError("dice/bad-name", message, "Do not trust this server.")
    return journals_folder() / f"{game}-{seat}{SUFFIX}"


class JournalFile:
    """A journal that only this object writes, until `close`; lines are only ever added.

    DiceError `dice/journal-locked` where another program uses it, `dice/cannot-write` where it
    cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            # The journal has the private key and the secret of the chain: others must not read it.
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise self._fault(error) from error
        try:
            lock(self._descriptor)
        except OSError as error:
            self.close()
            message = f"Another program takes part with the journal {str(path)[:200]!r}."
            hint = "End it first, or name another file: two programs must not use one hash chain."
            raise DiceError("dice/journal-locked", message, hint) from error

    def read(self) -> journal.Journal | None:
        """What was kept before; None for a new file."""
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):  # written while the machine went down: nothing was sent for it
            os.ftruncate(self._descriptor, whole)
        return journal.Journal.read(data[:whole].decode("utf-8", "replace")) if whole else None

    def add(self, lines: Sequence[dict[str, Any]], *, durable: bool = False) -> None:
        """Add lines; with `durable` they are on the disk when this returns."""
        text = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        try:
            while text:
                text = text[os.write(self._descriptor, text) :]
            if durable:
                os.fsync(self._descriptor)
        except OSError as error:
            raise self._fault(error) from error

    def close(self) -> None:
        """Let others use it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _fault(self, error: OSError) -> DiceError:
        message = f"The journal {str(self.path)[:200]!r} cannot be written: {file_fault(error)}."
        return DiceError("dice/cannot-write", message, "Name a file that may be written.")


# The part itself: its chain, and what it sends.

CHAIN_LENGTH = LONGEST  # links of a new chain
# Seconds for a message that the server keeps back while a request waits, perhaps for our own link.
PATIENCE = 5.0
LEAVE_INTERVAL = 0.1  # seconds between two attempts to leave
NOT_BEGUN = ("game/not-begun", "game/unknown")
TRY_AGAIN = (0, 409, 503)  # a request waits: the same message counts after its answer


class DicePart:
    """The part of one seat in one game. One thread follows the game; any thread may sign.

    `path` is its journal, by default a file of the user's state folder, which is named after the
    game and the seat. A journal that exists is gone on with.
    """

    def __init__(self, session: ApiSession, game: str, seat: str, path: Path | None = None) -> None:
        self.session, self.game = session, game
        self._chosen = path
        self._lock = threading.RLock()
        self._raised = 0  # alarms that the caller knows of
        self._noted = self._alarms_kept = 0  # notes and alarms that are in the journal
        self._next: DiceClient | None = None  # a chain that follows when it was taken
        self._certificate: bytes | None = None  # of this device's key, by an earlier one
        self._leaving = False  # then it does not join again by itself
        self.on_alarm: Callable[[], None] = lambda: None
        self.read_at = 0.0
        self._open(seat)

    def _open(self, seat: str) -> None:
        path = self._chosen or default_file(self.game, seat)
        self.file = JournalFile(path)
        try:
            kept = self.file.read()
            lines: Sequence[str] = ()
            if kept is not None and (kept.chain["table"], kept.chain["seat"]) == (self.game, seat):
                self.client, lines = kept.client(), kept.lines
            else:
                self.client = DiceClient(self.game, seat, length=CHAIN_LENGTH)
                self.client.further_device = True  # perhaps: `begin` looks
                # On the disk before it is deposited: the game would wait for a lost chain's links.
                self.file.add([journal.chain_line(self.client)], durable=True)
        except BaseException:
            self.file.close()
            raise
        self.client.connected = False  # until it follows the game live
        self.client.follow(lines)
        self._lines_kept = len(self.client.lines)
        self._noted, self._alarms_kept = len(self.client.journal), len(self.client.alarms)

    @property
    def seat(self) -> str:
        """The seat's colour."""
        return self.client.own.seat

    def close(self) -> None:
        """Let another program go on with the journal."""
        with self._lock:
            self.file.close()

    def sit(self, seat: str) -> None:
        """Take another seat, in the lobby: with another chain, as each is signed for its seat."""
        with self._lock:
            if seat != self.seat:
                self.file.close()
                self._open(seat)

    def raise_alarm(self) -> None:
        """DiceAlarm where there is one that was not raised yet."""
        alarms = self.client.alarms[self._raised :]
        if alarms:
            self._raised = len(self.client.alarms)
            raise DiceAlarm(self.game, alarms, self.file.path)

    def begin(self, recovery_code: str = "", *, uncertified: bool = False) -> None:
        """Deposit the chain, or go on with that of the journal.

        In a running game the recovery code of an earlier device certifies this one's key;
        `uncertified`: there is no code. DiceError where neither is said, and there was such a
        device.
        """
        recovered = recovery_code and read_recovery_code(self.game, self.seat, recovery_code)
        try:
            self.read()
        except ApiError as error:
            if error.code != "game/not-begun" and error.status != 404:
                raise
        me = self.client.me
        if recovered and len(self.client.transcript):
            self._certificate = self.client.certify(recovered)
        if len(self.client.transcript) and me is None:
            self._check_device(said=bool(recovered or uncertified))
        try:
            if me is None:
                self.deposit()
            elif self._certificate is not None and not me.certified:
                self._renew(me)
        except ApiError as error:
            if error.status not in TRY_AGAIN:
                raise
        if len(self.client.transcript):
            self.give()
            self.stay()

    def _check_device(self, *, said: bool) -> None:
        """DiceError where a certified key stands for the seat, and no one has said whose it is."""
        if self.client.transcript.state.seats[self.seat].keys and not said:
            message = f"Another device's key represents {self.seat} in this game."
            hint = (
                "If it is yours, give its recovery code, or uncertified=True if you lost the code."
                " If not, someone else is playing for you: warn the other players."
            )
            raise DiceError("dice/other-device", message, hint)

    def deposit(self) -> None:
        """Deposit the chain: in the lobby for the genesis, or in the running game."""
        begun = answer_field(self._send("deposit", self._deposit_body(self.client)), "begun", bool)
        if begun:
            self.read()
        elif not self.client.in_lobby:
            with self._lock:
                self.client.in_lobby, self.client.further_device = True, False
                self.file.add([journal.chain_line(self.client)], durable=True)

    def read(self, witness: str = "") -> None:
        """Read and check the new lines of the transcript, unless its head is known already."""
        with self._lock:
            client = self.client
            known = client.transcript
            if client.alarms or (witness and witness == known.witness):
                return
            first = not len(known)
            try:
                lines = self._shown(len(known) - 2)  # with the last one that it knows
                if not client.stands(lines):
                    self._show_lost_lines()
                    return
            except ApiError as error:
                if first or error.code not in NOT_BEGUN:
                    raise
                client.lines_lost(0)  # nothing is stored that the proof could be tied to
                self._keep()
                return
            client.follow(lines if first else lines[1:])
            if self._next is not None and self._next.me is not None:  # the server has taken it
                self._next.answered, self._next.alarms = self.client.answered, self.client.alarms
                self.client, self._next = self._next, None
            self.read_at = time.monotonic()
            if first and len(known):
                self.file.add([{"genesis": known.state.genesis.hex()}])
            self._keep()

    def _shown(self, after: int) -> list[str]:
        """The lines of the transcript after a number, as the server shows them now."""
        path, parameters = f"/games/{self.game}/transcript", {"after": max(-1, after)}
        text = self.session.call("GET", path, params=parameters).text
        return text.removesuffix("\n").split("\n") if text else []  # a text may have other breaks

    def _show_lost_lines(self) -> None:
        """Prove to the server that it has lost lines, which stops the game; and raise an alarm."""
        client = self.client
        proof = proof_of_loss(client.lines, self._shown(-1))
        if not proof:
            return  # they are there
        try:
            self._send("ahead", {"lines": proof})
        except ApiError as error:
            if error.status in (0, 429, 503):
                raise  # it is shown again
            client.note(f"the server takes no proof of the lines that it has lost: {error}")
        client.lines_lost(Entry.stored(proof[0]).seq)
        self._keep()

    def give(self, witness: str = "") -> None:
        """Give the link for the request that waits, if it waits for ours.

        An alarm where the server names a line, the `witness`, that it does not show.
        """
        before = -1
        while before < len(self.client.transcript):  # it shows a part of many lines at once
            before = len(self.client.transcript)
            self.read(witness)
        with self._lock:
            client = self.client
            client.compare(witness)
            message = client.give()
            pending, me = client.transcript.state.pending, client.me
            if message is None or pending is None or me is None or pending.n in client.receipts:
                self._keep()
                return
            seq = client.transcript.state.seq - 1
            line = journal.given_line(message["n"], seq, pending.head, message["link"])
            # Before anybody sees the link: after a crash the same link is given, never another.
            self.file.add([line], durable=True)
        try:
            receipt = self._send("link", message)
        except ApiError as error:
            # Too late, or answered meanwhile: the transcript tells.
            if error.status in TRY_AGAIN or error.code.startswith(("dice/", "game/")):
                return
            raise
        with self._lock:
            client.check_receipt(message["n"], str(receipt["signature"]))
            kept = journal.KeptReceipt(
                message["n"], me.id, message["link"], str(receipt["signature"])
            )
            self.file.add([journal.receipt_line(kept)])
            self._keep()

    @property
    def unsettled(self) -> bool:
        """Whether it has to join again, or to renew its chain.

        Not where its part is over, or where another device of this seat has joined later.
        """
        client = self.client
        state, me = client.transcript.state, client.me
        if self._leaving or client.alarms or not len(client.transcript) or state.closed:
            return False
        seat, other = state.seats[self.seat], state.of_seat(self.seat)
        if seat.out or (other is not None and other is not me):
            return False
        return me is None or not me.present or me.number(state.next_request) < FEW_LINKS

    def stay(self) -> None:
        """Join again where it is out and may, and renew a chain that ends soon.

        Nothing is done while a request waits: it is tried again after the answer.
        """
        with self._lock:
            client = self.client
            state, me = client.transcript.state, client.me
            if not self.unsettled or state.pending:
                return
            renew = me is None or me.number(state.next_request) < FEW_LINKS
            message = None if renew or (me and me.present) else client.presence("joined")
        try:
            if renew:
                self._renew(me)
            elif message is not None:
                self._send("presence", _presence_body(message), once=True, timeout=PATIENCE)
                self.read()
        except ApiError as error:
            if error.status not in TRY_AGAIN and not error.code.startswith(("dice/", "game/")):
                raise

    def _renew(self, me: Participant | None) -> None:
        """Deposit the chain that follows."""
        if me is not None and self._next is None:
            self._next = self.client.next_chain()
            self.file.add([journal.chain_line(self._next)], durable=True)
        new = self._next or self.client
        self._send("deposit", self._deposit_body(new), once=True, timeout=PATIENCE)
        self.read()

    def signed(self, decision: int, words: str) -> dict[str, str] | None:
        """Its signature of a decision; None where it takes no part."""
        with self._lock:
            signed = self.client.signed(decision, words.strip())
            if signed is not None:
                line = journal.signed_line(
                    decision, signed["id"], signed["signature"], words.strip()
                )
                # Before anybody sees the signature: after a crash it must know what it signed.
                self.file.add([line], durable=True)
            self._keep()
            return signed

    def accepted(self, decision: int, words: str) -> None:
        """Note that the server has accepted what was signed for a decision."""
        with self._lock:
            self.file.add([journal.accepted_line(decision, words.strip())])
            self.client.accepted(decision, words.strip())
            self._keep()

    def seal(self, decision: int, text: str) -> Json:
        """Seal the seat's whole placement, one action a line; the server's receipt.

        It is opened by `open_placement` when all seats have sealed.
        """
        self.read()
        with self._lock:
            message = self.client.seal(decision, text)
            name = str(message["hash"])
            kept = self.client.placements.kept[name]
            # Before anybody sees the hash: without what is kept, nobody could open the placement.
            self.file.add([journal.sealed_line(name, kept)], durable=True)
        receipt = self._send("sealed", message)
        self.read()
        with self._lock:
            self.file.add([journal.seal_accepted_line(name)])
            self.client.seal_accepted(name)
            self._keep()
        return receipt

    def open_placement(self) -> None:
        """Open what was sealed, when all seats have sealed; ApiError where the server is away."""
        with self._lock:
            message = self.client.opening()
            if message is None:
                return
            name = self.client.placements.opened
            self.file.add([journal.opened_line(name)], durable=True)
        try:
            self._send("opened", message)
        except ApiError as error:
            if error.status in (*TRY_AGAIN, 429):
                raise  # to be tried again: no event of the game would remind of it
            self.client.note(f"the server takes no opening of the placement: {error}")
        else:
            with self._lock:
                self.file.add([journal.opening_accepted_line(name)])
                self.client.opening_accepted()
        self.read()
        with self._lock:
            self._keep()

    def leave(self) -> None:
        """Say farewell, so that no roll waits for this program; after a request that waits.

        Where that takes too long, nothing is said, and the server finds the connection gone.
        """
        self._leaving = True
        session = self.session
        before = session.attempts, session.timeout
        session.attempts, session.timeout = 1, PATIENCE
        if self._lock.acquire(timeout=PATIENCE):  # else a request has it that no one answers
            self._lock.release()
            self._say_farewell()
        session.attempts, session.timeout = before

    def _say_farewell(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(ApiError):
                self.read()
                if self._left():
                    return
            time.sleep(LEAVE_INTERVAL)

    def _left(self) -> bool:
        """Whether it takes no part any more; False while a request waits."""
        with self._lock:
            client = self.client
            state = client.transcript.state
            if not client.takes_part or client.alarms or state.closed:
                return True
            if state.pending:
                return False
            message = _presence_body(client.presence("left"))
        self._send("presence", message, once=True, timeout=PATIENCE)
        return True

    def live(self, connected: bool) -> None:
        """Note whether it follows the game live: only then is being left out an alarm."""
        with self._lock:
            self.client.connected = connected

    def _keep(self) -> None:
        """Write new notes and alarms into the journal; the caller holds the lock."""
        client = self.client
        notes = client.journal[self._noted :]
        lines = [journal.shown_line(text) for text in client.lines[self._lines_kept :]]
        lines += [{"note": note} for note in notes]
        self._lines_kept = len(client.lines)
        self._noted = len(client.journal)
        kept, self._alarms_kept = self._alarms_kept, len(client.alarms)
        lines += [journal.alarm_line(alarm) for alarm in client.alarms[kept:]]
        if lines:
            self.file.add(lines, durable=len(client.alarms) > kept)
        if len(client.alarms) > kept:
            self.on_alarm()

    def _deposit_body(self, client: DiceClient) -> Json:
        form = client.deposit.form()
        body = {name: form[name] for name in ("key", "nonce", "end", "length")}
        certificate = None if self._certificate is None else self._certificate.hex()
        return body | {"signature": form["sig"], "certificate": certificate}

    def _send(self, what: str, body: Json, **more: Any) -> Json:
        path = f"/games/{self.game}/dice/{what}"
        return of_type(read_json(self.session.call("POST", path, json=body, **more).content), dict)


def _presence_body(message: Json) -> Json:
    body = dict(message)
    signature = body.pop("sig")
    return body | {"signature": signature}


# Follows one game and gives links, in its own thread: an order waits for its own dice.

RETRY = 2.0  # seconds until the next attempt while the server is away
LOOK = 10.0  # seconds after which the transcript is read again when something happens
AWAY = (0, 408, 409, 429, 500, 502, 503, 504)  # statuses that do not last
JOIN_TIMEOUT = 5.0


class DiceThread:
    """Keeps a part in the dice alive until the game is over, or until `stop`."""

    def __init__(self, session: ApiSession, part: DicePart) -> None:
        self.session, self.part = session, part  # its own session: one stream is always open
        self.game = part.game
        self.failure: Exception | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self._stopped = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"dice {self.game}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and let go of the connection and the journal."""
        self._stopped.set()
        self.session.hang_up()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(JOIN_TIMEOUT)
        self.part.close()
        self.session.close()

    def wait(self) -> None:
        """Wait until it has ended, or do its work here; what ended it before its time is raised."""
        if self._thread.ident is None:
            self._run()
        self._done.wait()
        self.part.raise_alarm()
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                try:
                    if not self._follow():
                        return
                except ApiError as error:
                    if error.status not in AWAY:
                        raise
                    self._stopped.wait(RETRY)
                self.part.live(False)
        except Exception as error:
            if not self._stopped.is_set():
                self.failure = error
                self.on_failure()
        finally:
            self._done.set()

    def _follow(self) -> bool:
        """Follow the game until the stream ends; False where no more dice follow."""
        try:
            state = cast(Json, self.session.get(f"/games/{self.game}/"))
        except ApiError as error:
            if error.code != "game/not-begun":
                raise
            return self._lobby()
        if state["you"] not in (None, self.part.seat):
            self.part.sit(state["you"])  # exchanged just before the start
        if state["result"] is not None:
            self.part.read()
            return False
        self._look()
        if self.part.client.alarms:
            return False
        stream = self.session.stream(
            "/events", {"games": self.game, "after": f"{self.game}:{state['index']}"}
        )
        return self._listen(stream)

    def _look(self) -> None:
        """Catch up: give a link that waits, join again."""
        self.part.give()
        self.part.open_placement()
        self.part.stay()
        self.part.live(self.part.client.takes_part)

    def _listen(self, stream: Generator[Json, None, None]) -> bool:
        with closing(stream):
            for event in stream:
                if self._stopped.is_set() or self.part.client.alarms:
                    return False
                kind = event["kind"]
                if kind == "link":
                    self.part.give(event["body"]["witness"])
                elif kind in ("over", "fork"):
                    self.part.read()
                    return False
                elif self._concerns(event):
                    self._look()
        return True

    def _concerns(self, event: Json) -> bool:
        """Whether an event may have changed our part, or the last look was long ago."""
        if self.part.unsettled or time.monotonic() - self.part.read_at > LOOK:
            return True
        facts = of_type(event["body"], list[FactAnswer]) if event["kind"] == "events" else []
        return any(
            (one.get("event") in ("presence", "silent") and one.get("seat") == self.part.seat)
            or one.get("event") == "sealed"  # of any seat: it may have been the last one
            for one in facts
        )

    def _lobby(self) -> bool:
        """Wait for the start; our deposit follows us to another seat. False for a closed table."""
        # From the first index on: so a start between two calls is heard too.
        parameters = {"games": self.game, "after": f"{self.game}:0"}
        # The table is read after the opening: so an exchange of seats between them is heard too.
        stream = self.session.stream("/events", parameters, opened=True)
        with closing(stream):
            while not self._stopped.is_set() and next(stream, None) is not None:
                table = cast(Json, self.session.get(f"/tables/{self.game}"))
                if table["state"] != "lobby":
                    return bool(table["state"] == "running")
                seat = table["your_seat"]
                if seat is not None and seat != self.part.seat:
                    self.part.sit(seat)
                    self.part.deposit()
        return True
