"""A mailbox that a program can read by IMAP (RFC 3501), as far as the poller needs it."""

from __future__ import annotations

import re
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

FETCH = re.compile(
    r"FETCH (\d+) \((RFC822\.SIZE|BODY\.PEEK\[(?:HEADER)?\])(?:<0\.(\d+)>)?\)", re.IGNORECASE
)
MOVE = re.compile(r'(?:MOVE|COPY) ([\d,]+) "?([^"]+)"?', re.IGNORECASE)


class ImapServer(socketserver.ThreadingTCPServer):
    """Messages by number in INBOX, and those that were moved; `user` and `secret` sign in."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(
        self,
        *,
        can_move: bool = True,
        tls: ssl.SSLContext | None = None,
        session: type[socketserver.StreamRequestHandler] | None = None,
    ) -> None:
        super().__init__(("127.0.0.1", 0), session or Session)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.can_move = can_move
        self.validity = 1
        self.inbox: dict[int, bytes] = {}
        self.moved: dict[int, bytes] = {}
        self.folders = {"INBOX"}
        self.signed_in: list[str] = []
        self.fetched: list[str] = []
        self.late: list[bytes] = []  # messages that come in while INBOX is searched
        self.lock = threading.Lock()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def put(self, raw: bytes) -> int:
        """A new message in INBOX."""
        with self.lock:
            number = max([*self.inbox, *self.moved], default=0) + 1
            self.inbox[number] = raw
            return number


class Session(socketserver.StreamRequestHandler):
    """One connection."""

    server: ImapServer
    tag = ""

    def handle(self) -> None:
        """Answer commands until the client leaves, or is gone."""
        with suppress(ConnectionError):
            self.converse()

    def converse(self) -> None:
        """Answer commands."""
        self.say("* OK ready")
        while line := self.rfile.readline(10_000):
            self.tag, _, command = line.decode().strip().partition(" ")
            word = command.split()[0].upper()
            if word == "UID":
                self.by_number(command[4:])
            else:
                getattr(self, f"do_{word.lower()}", self.unknown)(command)
            if word == "LOGOUT":
                return

    def say(self, text: str) -> None:
        """Send a line."""
        self.wfile.write(text.encode() + b"\r\n")

    def done(self, text: str = "OK done") -> None:
        """End the answer to a command."""
        self.say(f"{self.tag} {text}")

    def unknown(self, command: str) -> None:
        """Refuse a command."""
        self.done("BAD unknown")

    def do_capability(self, _: str) -> None:
        """What the server can do."""
        self.say("* CAPABILITY IMAP4rev1")
        self.done()

    def do_login(self, command: str) -> None:
        """Sign in."""
        self.server.signed_in.append(command)
        right = command.replace('"', "") == "LOGIN user secret"
        self.done("OK done" if right else "NO [AUTHENTICATIONFAILED] wrong password")

    def do_select(self, _: str) -> None:
        """Open INBOX."""
        self.say(f"* {len(self.server.inbox)} EXISTS")
        self.say(f"* OK [UIDVALIDITY {self.server.validity}] numbers")
        self.done("OK [READ-WRITE] done")

    def do_noop(self, _: str) -> None:
        """Do nothing."""
        self.done()

    def do_expunge(self, _: str) -> None:
        """Remove what was copied elsewhere."""
        self.done()

    def do_list(self, command: str) -> None:
        """The folders that a pattern names."""
        wanted = command.rsplit(maxsplit=1)[-1].strip('"')
        for folder in self.server.folders & {wanted}:
            self.say(f'* LIST (\\HasNoChildren) "/" "{folder}"')
        self.done()

    def do_create(self, command: str) -> None:
        """Make a folder."""
        self.server.folders.add(command.split(maxsplit=1)[1].strip('"'))
        self.done()

    def do_logout(self, _: str) -> None:
        """Leave."""
        self.say("* BYE")
        self.done()

    def by_number(self, command: str) -> None:
        """SEARCH, FETCH, MOVE, COPY and STORE by UID."""
        self.server.fetched.append(command)
        if command.upper().startswith("SEARCH"):
            self.say("* SEARCH " + " ".join(map(str, sorted(self.server.inbox))))
            if self.server.late:
                self.server.put(self.server.late.pop())
                self.say(f"* {len(self.server.inbox)} EXISTS")
            self.done()
        elif found := FETCH.match(command):
            self.fetch(int(found[1]), found[2].upper(), int(found[3] or 0))
        elif found := MOVE.match(command):
            self.move(found[1], found[2])
        else:
            self.done()

    def fetch(self, number: int, part: str, most: int) -> None:
        """A message, its header or its size; `most` bytes of it, or all for 0."""
        raw = self.server.inbox.get(number)
        if raw is not None and part == "RFC822.SIZE":
            self.say(f"* 1 FETCH (UID {number} RFC822.SIZE {len(raw)})")
        elif raw is not None:
            text = raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if "HEADER" in part else raw
            text = text[:most] if most else text
            name = part.replace(".PEEK", "") + ("<0>" if most else "")
            self.wfile.write(f"* 1 FETCH (UID {number} {name} {{{len(text)}}}\r\n".encode())
            self.wfile.write(text + b")\r\n")
        self.done()

    def move(self, numbers: str, folder: str) -> None:
        """Move messages to a folder."""
        if not self.server.can_move:
            self.done("NO not allowed")
            return
        with self.server.lock:
            for number in map(int, numbers.split(",")):
                if number in self.server.inbox:
                    self.server.moved[number] = self.server.inbox.pop(number)
        self.done()


@contextmanager
def imap_server(
    *,
    can_move: bool = True,
    tls: ssl.SSLContext | None = None,
    session: type[Session] | None = None,
) -> Iterator[ImapServer]:
    """A running server; `session` answers its commands."""
    with ImapServer(can_move=can_move, tls=tls, session=session) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
