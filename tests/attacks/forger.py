"""The tools of a forger who holds the server's secrets: lines written and signed at will."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from click.testing import CliRunner

from rubicon.cli.verify import command
from rubicon.dice.client import DiceClient
from rubicon.dice.crypto import sign
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.opening import End, Secrets
from rubicon.dice.lines.request import Answer, GivenLink, SignedOrder
from rubicon.dice.lines.state import SERVER, Ask, BattleAsk, Draw, State, key_of
from rubicon.dice.server import Drawing, ServerSecrets
from rubicon.dice.transcript import LineBody, Transcript


class Forger:
    """A history of the operator's own: it begins with real lines, and goes on as he likes."""

    def __init__(self, lines: Sequence[str], secrets: ServerSecrets) -> None:
        self.lines = list(lines)
        self.secrets = secrets
        self.words: list[str] = []  # of all requests, and the cards: what the end opens
        self.cards: list[tuple[int, int, str]] = []
        self.transcript = Transcript()
        self.transcript.resume(lines)

    @property
    def state(self) -> State:
        """The state behind the last line."""
        return self.transcript.state

    def branch(self) -> Forger:
        """A second history with the same lines so far."""
        other = Forger(self.lines, self.secrets)
        other.words, other.cards = list(self.words), list(self.cards)
        return other

    def write(self, body: LineBody) -> str:
        """Write a line without any check, signed with the server's key."""
        entry = self.transcript.write(body, self.secrets.private_key)
        self.lines.append(entry.text())
        return self.lines[-1]

    def force(self, body: LineBody) -> str:
        """Write a line that cannot stand here at all; nothing can follow it."""
        state = self.state
        entry = Entry(state.seq, state.head, body.kind, body.form())
        self.lines.append(entry.signed(sign(self.secrets.private_key, entry.head)).text())
        return self.lines[-1]

    def request(
        self,
        seat: str,
        decision: int,
        ask: Ask | None = None,
        *,
        words: str = "attack",
        rolls: int = 1,
        signed: SignedOrder | None = None,
    ) -> str:
        """Write a request."""
        asked = BattleAsk(3, 2) if ask is None else ask
        made = self.secrets.request(self.state, (seat, decision, words), asked, rolls, signed)
        self.words.append(words)
        return self.write(made)

    def end(self) -> str:
        """Open everything."""
        broken = self.state.pending is not None
        return self.write(End(broken, self.secrets.seed, tuple(self.words), tuple(self.cards)))

    def show(self, *clients: DiceClient) -> None:
        """Let these clients follow to the last line."""
        for client in clients:
            if isinstance(client, DiceClient):
                client.follow(self.lines[len(client.transcript) :])
            else:  # a program on the wire, which reads its last known line again
                client.see(self.lines)

    def draws(self, links: Mapping[str, bytes | None], count: int = 1) -> Sequence[Draw]:
        """The draws of the request that waits, with these links and the server's own."""
        pending = self.state.pending
        assert pending is not None
        bare = {SERVER: self.secrets.own_link(self.state).link, **links}
        key = key_of(self.state.genesis, pending.n, bare)
        drawing = Drawing(Secrets(self.secrets.seed, self.state.genesis), pending, key, count)
        for _ in range(count):
            drawing.draw(pending.ask)
        return tuple(drawing.draws)

    def answer(self, links: Mapping[str, GivenLink | None], count: int = 1) -> str:
        """Write the answer with these links of clients."""
        pending = self.state.pending
        assert pending is not None
        bare = {name: None if one is None else one.link for name, one in links.items()}
        draws = self.draws(bare, count)
        given = {SERVER: self.secrets.own_link(self.state), **links}
        return self.write(Answer(pending.n, given, draws))

    @property
    def head(self) -> str:
        """Number and head of the last line, as mails quote them."""
        return self.transcript.witness


def verify_prints(lines: Sequence[str], record: str = "", heads: Sequence[str] = ()) -> str:
    """What `rubicon verify` prints of a transcript, and of a record where one is given."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "game.dice").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        arguments = [str(folder / "game.dice"), *(f"--head={head}" for head in heads)]
        if record:
            (folder / "record.txt").write_text(record, "utf-8")
            arguments.append(f"--record={folder / 'record.txt'}")
        return CliRunner().invoke(command, arguments).output


def verify_says(printed: str, *wanted: str) -> str:
    """The lines of `rubicon verify` that matter to an attack: the bad one, or those wanted."""
    bad = [line for line in printed.splitlines() if line.startswith("bad: ")]
    found = bad or [line for line in printed.splitlines() if any(word in line for word in wanted)]
    return "; ".join(found) or "no bad line"


def request_of(entry: Entry) -> int:
    """The number of the request that a line belongs to."""
    n = entry.body["n"]
    assert isinstance(n, int)
    return n
