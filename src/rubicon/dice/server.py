"""The server's part of the dice."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rubicon.dice.crypto import NONCE_SIZE, REQUIRED_LENGTH, SIZE
from rubicon.dice.lines.members import Deposit, Genesis, OwnChain
from rubicon.dice.lines.opening import Card, Secrets, commitment_of
from rubicon.dice.lines.request import GivenLink, Request, SignedOrder, order_hash
from rubicon.dice.lines.state import (
    DICE_SERVER,
    SERVER,
    Ask,
    BattleAsk,
    Draw,
    Pending,
    PickAsk,
    PickDraw,
    SealedDraw,
    SeatsAsk,
    State,
    battle,
    card_hash,
    pick,
    roll_key,
    seat_dice,
)


@dataclass(frozen=True)
class ServerSecrets:
    """The secret seed, the server's hash chain and its private key, for one table.

    `links` are the checkpoints of the chain, one after the other: 65 links of 32 bytes.
    """

    table: str
    seed: bytes = field(repr=False)
    links: bytes = field(repr=False)
    nonce: bytes
    private_key: bytes = field(repr=False)

    @staticmethod
    def make(table: str, private_key: bytes) -> ServerSecrets:
        """New ones, for one game."""
        nonce, first = secrets.token_bytes(NONCE_SIZE), secrets.token_bytes(SIZE)
        fresh = ServerSecrets(table, secrets.token_bytes(SIZE), first, nonce, private_key)
        return replace(fresh, links=b"".join(fresh.chain.chain.stored_checkpoints()))

    @cached_property
    def chain(self) -> OwnChain:
        """The server's own hash chain."""
        stored = [self.links[i : i + SIZE] for i in range(0, len(self.links), SIZE)]
        return OwnChain(
            table=self.table,
            seat="",
            private_key=self.private_key,
            secret=stored[0],
            nonce=self.nonce,
            length=REQUIRED_LENGTH,
            checkpoints=stored if len(stored) > 1 else (),
        )

    def genesis(
        self,
        seats: Sequence[str],
        clients: Mapping[str, Deposit],
        *,
        rules: bytes,
        waits: tuple[int, int],
        dice_server: Deposit | None = None,
        earlier: Sequence[tuple[str, bytes]] = (),
    ) -> Genesis:
        """The first line of a game; `waits` are the seconds of a roll and of one in the set-up."""
        own = self.chain
        participants = {SERVER: own.deposit(), **clients}
        if dice_server is not None:
            participants[DICE_SERVER] = dice_server
        return Genesis(
            table=self.table,
            rules=rules,
            seats=tuple(seats),
            key=own.key,
            participants=participants,
            roll_wait=waits[0],
            setup_wait=waits[1],
            commitment=commitment_of(self.seed),
            earlier=tuple(earlier),
        )

    def request(
        self,
        state: State,
        decision: tuple[str, int, str],
        ask: Ask,
        rolls: int,
        signed: SignedOrder | None = None,
    ) -> Request:
        """The next request; `decision` is the seat, its number and its words."""
        seat, number, words = decision
        n = state.next_request
        salt = Secrets(self.seed, state.genesis).order_salt(n)
        return Request(n, seat, number, order_hash(salt, words), rolls, ask, signed)

    def own_link(self, state: State) -> GivenLink:
        """The server's link for the request that waits."""
        assert state.pending is not None
        server = state.participants[SERVER]
        return GivenLink(self.chain.link(server, state.pending.n))


@dataclass(frozen=True)
class Drawing:
    """The draws of one request, whose links are all known."""

    secrets: Secrets
    pending: Pending
    key: bytes = field(repr=False)
    most: int  # draws; one where a participant is silent
    draws: list[Draw] = field(default_factory=list)

    def draw(self, ask: Ask, things: Sequence[str] = ()) -> tuple[Draw, Card | None]:
        """The next draw, and the card of a sealed one; `things` are what is picked from."""
        number, n = len(self.draws), self.pending.n
        key = roll_key(self.key, number)
        card: Card | None = None
        draw: Draw
        match ask:
            case BattleAsk(attack, defence):
                draw = battle(key, attack, defence)
            case SeatsAsk(seats):
                draw = seat_dice(key, seats)
            case PickAsk(of):
                index = pick(key, of)
                draw = PickDraw(index, of, things[index])
            case _:
                index = self.secrets.pick(self.key, n, number, ask.of)
                card = Card(index, things[index], self.secrets.salt(n, number))
                hashed = card_hash(card.salt, index, card.thing)
                draw = SealedDraw(hashed, ask.of, ask.owner)
        self.draws.append(draw)
        return draw, card

    @property
    def left(self) -> int:
        """How many draws may follow."""
        return self.most - len(self.draws)
