"""A small transcript with fixed secrets: for the documentation, tests, and to try `verify`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rubicon.dice.crypto import REQUIRED_LENGTH, digest, sign
from rubicon.dice.lines import members
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.opening import (
    Card,
    End,
    Opened,
    Sealed,
    Secrets,
    Shown,
    placement_hash,
    seal_message,
)
from rubicon.dice.lines.request import Answer, GivenLink, LinksLine, SignedOrder, order_message
from rubicon.dice.lines.state import (
    DICE_SERVER,
    SERVER,
    BattleAsk,
    PickAsk,
    SealedAsk,
    SeatsAsk,
    given_hash,
    key_of,
    link_message,
)
from rubicon.dice.server import Drawing, ServerSecrets
from rubicon.dice.transcript import LineBody, Transcript

TABLE = "example"
SEATS = ("red", "blue", "green")
CARDS = ("alaska", "siam", "joker")
LENGTH = 64  # of the clients' chains


class ExampleTable:
    """A table with two clients, red's and blue's; green is a bot. Perhaps with a dice server."""

    def __init__(
        self, *, dice_server: bool = False, earlier: Sequence[tuple[str, bytes]] = ()
    ) -> None:
        self.secrets = ServerSecrets(
            table=TABLE,
            seed=bytes(range(32)),
            links=bytes(range(32, 64)),
            nonce=bytes(16),
            private_key=bytes(range(64, 96)),
        )
        self.chains = {seat: _chain(seat, seat, LENGTH) for seat in SEATS[:2]}  # by id
        self.transcript = Transcript()
        self.entries: list[Entry] = []
        self.words: list[str] = []
        self.cards: list[tuple[int, int, Card]] = []
        genesis = self.secrets.genesis(
            SEATS,
            {seat: own.deposit() for seat, own in self.chains.items()},
            rules=digest("rules", "classic"),
            waits=(20, 300),
            dice_server=self._dice_server().deposit() if dice_server else None,
            earlier=earlier,
        )
        self.write(genesis)

    def write(self, body: LineBody, *, signed: bool = True) -> Entry:
        """Add the server's next line."""
        entry = self.transcript.write(body, self.secrets.private_key if signed else None)
        self.entries.append(entry)
        return entry

    def roll(
        self,
        decision: tuple[str, int, str],
        *asks: BattleAsk | SeatsAsk | PickAsk | SealedAsk,
        silent: Sequence[str] = (),
        things: Sequence[str] = CARDS,
        rolls: int = 8,
    ) -> Answer:
        """A request, the links of who takes part, and the answer with these draws."""
        state = self.transcript.state
        signed = self._signed(decision)
        self.write(self.secrets.request(state, decision, asks[0], rolls, signed))
        self.words.append(decision[2])
        pending = state.pending
        assert pending is not None
        links: dict[str, GivenLink | None] = {SERVER: self.secrets.own_link(state)}
        for name in pending.participants:
            if name not in (SERVER, DICE_SERVER):
                links[name] = None if name in silent else self._given(name, pending.head)
        if DICE_SERVER in pending.participants:
            given = {
                name: None if one is None else given_hash(one.link) for name, one in links.items()
            }
            line = self.write(LinksLine(pending.n, given))
            links[DICE_SERVER] = self._given(DICE_SERVER, line.head)
        bare = {name: None if one is None else one.link for name, one in links.items()}
        hidden = Secrets(self.secrets.seed, state.genesis)
        key = key_of(state.genesis, pending.n, bare)
        drawing = Drawing(hidden, pending, key, 1 if silent else rolls)
        for number, ask in enumerate(asks):
            _, card = drawing.draw(ask, things)
            if card is not None:
                self.cards.append((pending.n, number, card))
        answer = Answer(pending.n, links, tuple(drawing.draws))
        self.write(answer)
        return answer

    def presence(self, kind: str, name: str) -> None:
        """A client's own line."""
        state = self.transcript.state
        message = members.presence_message(kind, state.genesis, name, state.head)
        sig = sign(self.chains[name].private_key, message)
        self.write(members.Presence(kind, name, state.seq - 1, state.head, sig))

    def lost(self, name: str) -> None:
        """The server's word that a client's connection is gone."""
        self.write(members.Lost(name))

    def deposit(self, seat: str, *, certified_by: str = "") -> None:
        """A later chain of a seat with a new key, perhaps certified by an earlier participant."""
        name = members.next_id(self.transcript.state, seat)
        own = self.chains[name] = _chain(name, seat, LENGTH)
        certificate = None
        if certified_by:
            message = members.certificate_message(TABLE, seat, own.key)
            certificate = sign(self.chains[certified_by].private_key, message)
        self.write(members.LaterDeposit(name, own.deposit(), certificate))

    def place(self, decision: int, texts: Mapping[str, str], unopened: Sequence[str] = ()) -> None:
        """All seats seal and open their placements; a seat without a text places nothing.

        A seat's client seals where it takes part. Who is `unopened` does not open in time.
        """
        for seat in SEATS:
            text = texts.get(seat)
            if text is None:
                self.write(Sealed(seat, 0, None))
                continue
            sealed = placement_hash(seat, self.placement_salt(seat), text)
            signed = self._signed_seal(seat, decision, sealed)
            self.write(Sealed(seat, 0 if signed is None else decision, sealed, signed))
        for seat, text in texts.items():
            gone = seat in unopened
            salt = self.placement_salt(seat)
            self.write(Opened(seat) if gone else Opened(seat, text, salt))

    def placement_salt(self, seat: str) -> bytes:
        """The salt of a seat's placement."""
        if self.transcript.state.of_seat(seat) is not None:
            return digest("salt of", seat)
        return Secrets(self.secrets.seed, self.transcript.state.genesis).placement_salt(seat)

    def _signed_seal(self, seat: str, decision: int, sealed: bytes) -> SignedOrder | None:
        state = self.transcript.state
        one = state.of_seat(seat)
        if one is None:
            return None
        message = seal_message(state.genesis, decision, state.head, sealed)
        return SignedOrder(one.id, state.head, sign(self.chains[one.id].private_key, message))

    def end(self) -> None:
        """Open everything."""
        cards = [(n, number, card.thing) for n, number, card in self.cards]
        waits = self.transcript.state.pending is not None
        self.write(End(waits, self.secrets.seed, tuple(self.words), cards))

    def _dice_server(self) -> members.OwnChain:
        own = self.chains[DICE_SERVER] = _chain(DICE_SERVER, "", REQUIRED_LENGTH)
        return own

    def _given(self, name: str, head: bytes) -> GivenLink:
        """A participant's link for the request that waits, signed after a head."""
        state, own = self.transcript.state, self.chains[name]
        assert state.pending is not None
        link = own.link(state.participants[name], state.pending.n)
        message = link_message(state.genesis, state.pending.n, head, link)
        return GivenLink(link, sign(own.private_key, message))

    def _signed(self, decision: tuple[str, int, str]) -> SignedOrder | None:
        seat, number, words = decision
        state = self.transcript.state
        one = state.of_seat(seat) if seat else None
        if one is None:
            return None
        message = order_message(state.genesis, number, state.head, words)
        sig = sign(self.chains[one.id].private_key, message)
        return SignedOrder(one.id, state.head, sig)


def _chain(name: str, seat: str, length: int) -> members.OwnChain:
    return members.OwnChain(
        table=TABLE,
        seat=seat,
        private_key=digest("example/key", name),
        secret=digest(name),
        nonce=bytes(16),
        length=length,
    )


def example_entries() -> list[Entry]:
    """The lines of the example."""
    table = ExampleTable()
    begin = ("", 0, "begin")
    table.roll(begin, SeatsAsk(SEATS), PickAsk(3), PickAsk(2), PickAsk(1))
    table.place(2, {"red": "place alaska 3", "blue": "place siam 3", "green": "place peru 3"})
    table.roll(("red", 3, "ATTACK alaska -> kamchatka UNTIL 3"), *[BattleAsk(3, 2)] * 3)
    table.roll(("red", 9, "END"), SealedAsk(3, "red"))
    table.roll(("blue", 12, "attack siam -> india"), BattleAsk(2, 1), silent=["red"], rolls=1)
    table.presence("joined", "red")
    table.roll(("green", 17, "attack peru -> brazil"), BattleAsk(1, 1), rolls=1)
    table.presence("left", "blue")
    n, number, card = table.cards[0]
    table.write(Shown(n, number, card))
    table.roll(("red", 25, "attack alaska -> alberta"), BattleAsk(3, 1), rolls=1)
    table.end()
    return table.entries
