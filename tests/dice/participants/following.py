"""A table in memory with real clients, which see every line that the server writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rubicon.dice.client import DiceClient, receipt_message
from rubicon.dice.crypto import digest, sign
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.opening import Secrets
from rubicon.dice.lines.request import Answer, GivenLink
from rubicon.dice.lines.state import SERVER, BattleAsk, key_of
from rubicon.dice.server import Drawing, ServerSecrets
from rubicon.dice.transcript import LineBody, Transcript

TABLE, SEATS = "table", ("red", "blue")


@dataclass
class Table:
    """The server's side; `write` shows nothing to anybody by itself."""

    clients: dict[str, DiceClient]
    secrets: ServerSecrets = field(
        default_factory=lambda: ServerSecrets.make(TABLE, digest("server"))
    )
    transcript: Transcript = field(default_factory=Transcript)
    lines: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Write the genesis with the deposits of all clients."""
        deposits = {seat: one.deposit for seat, one in self.clients.items()}
        genesis = self.secrets.genesis(SEATS, deposits, rules=bytes(32), waits=(20, 300))
        self.write(genesis)

    def write(self, body: LineBody) -> Entry:
        """Add a line."""
        entry = self.transcript.write(body, self.secrets.private_key)
        self.lines.append(entry.text())
        return entry

    def show(self) -> None:
        """Let every client follow to the last line."""
        for client in self.clients.values():
            client.follow(self.lines[len(client.transcript) :])

    def request(self, decision: int = 0, rolls: int = 1) -> None:
        """Ask for dice, and show the request."""
        number = decision or self.transcript.state.next_request + 1
        state = self.transcript.state
        made = self.secrets.request(state, ("red", number, "attack"), BattleAsk(2, 1), rolls)
        self.write(made)
        self.show()

    def answer(self, messages: dict[str, dict[str, Any] | None]) -> Answer:
        """Write the answer with these links of clients, by participant, and show it."""
        state = self.transcript.state
        pending = state.pending
        assert pending is not None
        links: dict[str, GivenLink | None] = {SERVER: self.secrets.own_link(state)}
        for name, message in messages.items():
            links[name] = None if message is None else link_of(message)
        bare = {name: None if one is None else one.link for name, one in links.items()}
        hidden = Secrets(self.secrets.seed, state.genesis)
        drawing = Drawing(hidden, pending, key_of(state.genesis, pending.n, bare), 1)
        drawing.draw(pending.ask)
        answer = Answer(pending.n, links, tuple(drawing.draws))
        self.write(answer)
        self.show()
        return answer

    def roll(self) -> Answer:
        """A whole roll with the links of all clients that take part."""
        self.request()
        given = {one.me.id: one.give() for one in self.clients.values() if one.me is not None}
        return self.answer(given)

    def receipt(self, client: DiceClient, n: int, message: dict[str, Any]) -> str:
        """The server's receipt for a link."""
        assert client.me is not None
        link = bytes.fromhex(message["link"])
        signed = receipt_message(self.transcript.state.genesis, n, client.me.id, link)
        return sign(self.secrets.private_key, signed).hex()


def link_of(message: dict[str, Any]) -> GivenLink:
    """The link of a client's message."""
    return GivenLink(bytes.fromhex(message["link"]), bytes.fromhex(message["signature"]))


def begun(length: int = 64) -> tuple[Table, DiceClient, DiceClient]:
    """A table that has begun with two clients."""
    clients = {seat: DiceClient(TABLE, seat, digest(seat), length) for seat in SEATS}
    for client in clients.values():
        client.in_lobby = True
    table = Table(clients)
    table.begin()
    table.show()
    return table, clients["red"], clients["blue"]
