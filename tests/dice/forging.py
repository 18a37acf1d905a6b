"""How lines of a transcript are forged: changes of one line, with the signatures that fit.

The operator signs what he likes, and in most of these all clients help him: they sign their links
and presence behind the forged line. So only the clause that a forgery is for can refuse it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rubicon.dice.crypto import digest, sign
from rubicon.dice.example import LENGTH, TABLE
from rubicon.dice.lines.members import (
    Deposit,
    Genesis,
    LaterDeposit,
    OwnChain,
    Presence,
    certificate_message,
    presence_message,
)
from rubicon.dice.lines.opening import End, Sealed, placement_hash, seal_message
from rubicon.dice.lines.request import Answer, GivenLink, Request, SignedOrder, order_message
from rubicon.dice.lines.state import (
    SERVER,
    BattleDraw,
    SealedDraw,
    battle,
    card_hash,
    key_of,
    link_message,
    roll_key,
)
from rubicon.dice.transcript import LineBody
from tests.dice.tables import Change, Forger, forged

Form = dict[str, Any]
OTHER = bytes(range(100, 132))
ROGUE = digest("rogue key")
SMALL_ORDER = bytes([1]) + bytes(31)  # the neutral point
REQUESTS = 11


@dataclass(frozen=True)
class Forgery:
    """What was done, and which line must be blamed for what."""

    name: str
    lines: list[str]
    seq: int
    code: str
    heads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recipe:
    """How a forgery is made; `shift` lines behind the first forged one is the one to blame."""

    name: str
    kind: str
    number: int
    code: str
    change: Change
    shift: int = 0
    dice_server: bool = False

    def make(self) -> Forgery:
        """The forged lines."""
        changes = {(self.kind, self.number): self.change}
        entries, places = forged(changes, dice_server=self.dice_server)
        seq = places[0] + self.shift
        return Forgery(self.name, [entry.text() for entry in entries], seq, self.code)


def changed(**values: object) -> Change:
    """Some fields of a line have other values."""
    return lambda _, body: [replace(body, **values)]


def altered(change: Callable[[Forger, Any], LineBody]) -> Change:
    """A line is another one."""
    return lambda table, body: [change(table, body)]


def before(make: Callable[[Forger], LineBody]) -> Change:
    """A line stands before this one that may not be there."""
    return lambda table, body: [make(table), body]


def left_out(_: Forger, __: LineBody) -> list[LineBody]:
    """A line is missing."""
    return []


def twice(_: Forger, body: LineBody) -> list[LineBody]:
    """A line stands there twice."""
    return [body, body]


# Deposits and the genesis.


def chain(seat: str, length: int, *, table: str = TABLE, key: bytes = ROGUE) -> OwnChain:
    """A chain that nobody at the table has."""
    return OwnChain(
        table=table, seat=seat, private_key=key, secret=OTHER, nonce=OTHER[:16], length=length
    )


def with_participant(name: str, deposit: Deposit) -> Change:
    """Another deposit in the genesis."""
    return altered(
        lambda _, genesis: replace(genesis, participants={**genesis.participants, name: deposit})
    )


def without_server(_: Forger, genesis: Genesis) -> LineBody:
    """The server takes no part itself."""
    rest = {name: one for name, one in genesis.participants.items() if name != SERVER}
    return replace(genesis, participants=rest)


def weak(deposit: Deposit) -> Deposit:
    """A deposit with a key whose signatures fit everything: R = the neutral point, S = 0."""
    return replace(deposit, key=SMALL_ORDER, sig=SMALL_ORDER + bytes(32))


def later(**values: object) -> Change:
    """The deposit of a running game with other values, and with a signature for them."""

    def change(table: Forger, body: LaterDeposit) -> list[LineBody]:
        own = replace(table.chains[body.id], **values)  # type: ignore[arg-type]
        table.chains[body.id] = own
        deposit = replace(own.deposit(), seat=own.seat)
        return [replace(body, deposit=deposit)]

    return change


def certified(by: bytes, seat: str = "red", table_id: str = TABLE) -> Change:
    """A certificate by another key, or for something else."""

    def change(_: Forger, body: LaterDeposit) -> list[LineBody]:
        message = certificate_message(table_id, seat, body.deposit.key)
        return [replace(body, certificate=sign(by, message))]

    return change


def private(name: str) -> bytes:
    """The private key of a client of the example."""
    return digest("example/key", name)


def some_deposit(table: Forger) -> LineBody:
    """A deposit of green, which has none."""
    return LaterDeposit("green.1", chain("green", LENGTH).deposit())


# Presence.


def presence(kind: str, name: str, *, back: int = 1, key: bytes = b"", signs: str = "") -> Any:
    """A presence line, signed so many lines back."""

    def make(table: Forger) -> LineBody:
        state = table.transcript.state
        head = state.recent[-back]
        message = presence_message(signs or kind, state.genesis, name, head)
        sig = sign(key or private(name), message)
        return Presence(kind, name, state.seq - back, head, sig)

    return make


def signed_again(**values: object) -> Change:
    """A presence line with another head, which the client has signed."""

    def change(table: Forger, body: Presence) -> list[LineBody]:
        other = replace(body, **values)  # type: ignore[arg-type]
        genesis = table.transcript.state.genesis
        message = presence_message(other.kind, genesis, other.id, other.head)
        return [replace(other, sig=sign(private(other.id), message))]

    return change


# Requests and answers.


def signed_by(name: str, seat: str = "red") -> Change:
    """A request whose order another participant has signed."""

    def change(table: Forger, body: Request) -> list[LineBody]:
        assert body.signed is not None
        return [replace(body, signed=replace(body.signed, id=name), seat=seat)]

    return change


def signed_over(words: str, decision: int, head: bytes) -> Change:
    """The signature of an order over something else."""

    def change(table: Forger, body: Request) -> list[LineBody]:
        assert body.signed is not None
        genesis = table.transcript.state.genesis
        sig = sign(private(body.signed.id), order_message(genesis, decision, head, words))
        return [replace(body, signed=replace(body.signed, sig=sig))]

    return change


def redrawn(table: Forger, answer: Answer) -> Answer:
    """The answer with the battle dice that its links give."""
    key = key_of(table.transcript.state.genesis, answer.n, answer.bare)
    draws = [
        battle(roll_key(key, i), len(draw.attack), len(draw.defence))
        if isinstance(draw, BattleDraw)
        else draw
        for i, draw in enumerate(answer.draws)
    ]
    return replace(answer, draws=draws)


def with_link(name: str, make: Callable[[Forger, Answer], GivenLink | None]) -> Change:
    """An answer with another link, or none, and with the dice that follow."""

    def change(table: Forger, answer: Answer) -> list[LineBody]:
        links = {**answer.links, name: make(table, answer)}
        return [redrawn(table, replace(answer, links=links))]

    return change


def without_link(name: str) -> Change:
    """An answer that leaves a participant out."""

    def change(table: Forger, answer: Answer) -> list[LineBody]:
        links = {one: link for one, link in answer.links.items() if one != name}
        return [redrawn(table, replace(answer, links=links))]

    return change


def silent(name: str) -> Change:
    """A participant is called silent."""
    return with_link(name, lambda _, __: None)


def given(table: Forger, name: str, *, further: int = 0, **signs: Any) -> GivenLink:
    """A participant's link, so many links further, signed for this request or for another."""
    state = table.transcript.state
    pending = state.pending
    assert pending is not None
    own = table.secrets.chain if name == SERVER else table.chains[name]
    number = state.participants[name].number(pending.n)
    link = own.chain.link(number + further)
    if name == SERVER:
        return GivenLink(link)
    asked: Form = {"genesis": state.genesis, "n": pending.n, "head": pending.head, "link": link}
    asked |= signs
    key = asked.pop("key", own.private_key)
    return GivenLink(link, sign(key, link_message(*asked.values())))


def with_draws(change: Callable[[list[Any]], Any]) -> Change:
    """An answer with other draws."""

    def changed_draws(_: Forger, answer: Answer) -> list[LineBody]:
        draws = list(answer.draws)
        change(draws)
        return [replace(answer, draws=draws)]

    return changed_draws


def more_draws(count: int) -> Change:
    """So many more draws, with the dice that follow."""

    def change(table: Forger, answer: Answer) -> list[LineBody]:
        draws = [*answer.draws, *[BattleDraw((1,), (1,))] * count]
        return [redrawn(table, replace(answer, draws=draws))]

    return change


def other_face(draw: BattleDraw) -> BattleDraw:
    """One die has fallen otherwise."""
    first, *rest = draw.defence
    return replace(draw, defence=(first % 6 + 1, *rest))


def other_card(table: Forger, answer: Answer) -> list[LineBody]:
    """The operator seals the card that he likes, with the right salt."""
    (draw,) = answer.draws
    assert isinstance(draw, SealedDraw)
    card = table.cards[-1][2]
    index = (card.index + 1) % draw.of
    return [replace(answer, draws=[replace(draw, hash=card_hash(card.salt, index, card.thing))])]


def other_salt(table: Forger, answer: Answer) -> list[LineBody]:
    """The right card with a salt of the operator's choice: it could be told to a friend."""
    (draw,) = answer.draws
    assert isinstance(draw, SealedDraw)
    card = table.cards[-1][2]
    sealed = card_hash(OTHER, card.index, card.thing)
    return [replace(answer, draws=[replace(draw, hash=sealed)])]


def listed(name: str, value: bytes | None) -> Change:
    """Another hash in the list of links."""
    return altered(lambda _, body: replace(body, given={**body.given, name: value}))


def unlisted(name: str) -> Change:
    """A participant stands not in the list of links."""
    return altered(
        lambda _, body: replace(
            body, given={one: link for one, link in body.given.items() if one != name}
        )
    )


# Placements: the server has sealed for red, blue's client for blue; green places nothing.


def sealed_for(text: str, *, decision: int = 31, name: str = "blue", key: str = "") -> Change:
    """A seal of another text, signed by another key, or over another decision than it names."""

    def change(table: Forger, body: Sealed) -> list[LineBody]:
        head, genesis = table.transcript.state.head, table.transcript.state.genesis
        sealed = placement_hash(body.seat, table.placement_salt(body.seat), text)
        sig = sign(private(key or name), seal_message(genesis, decision, head, sealed))
        return [Sealed(body.seat, 31, sealed, SignedOrder(name, head, sig))]

    return change


def sealed_again(seat: str, text: str) -> Callable[[Forger], LineBody]:
    """The server seals for a seat."""
    return lambda table: Sealed(seat, 0, placement_hash(seat, table.placement_salt(seat), text))


def chosen_seal(table: Forger, body: Sealed) -> list[LineBody]:
    """The server seals and opens with a salt that it has told a friend."""
    table.salts[body.seat] = OTHER
    return [replace(body, hash=placement_hash(body.seat, OTHER, "place alaska 2\nplace alberta 1"))]


# The end.


def end_with(change: Callable[[End], End]) -> Change:
    """Another end."""
    return altered(lambda _, end: change(end))


def words(n: int, text: str) -> Callable[[End], End]:
    """Other words for one order."""
    return lambda end: replace(end, orders=[*end.orders[:n], text, *end.orders[n + 1 :]])


@dataclass(frozen=True)
class OtherFormat:
    """A genesis of another format."""

    genesis: Genesis
    kind = "genesis"

    def form(self) -> Form:
        return self.genesis.form() | {"format": "rdice/1"}

    def apply(self, state: Any, *, trusted: bool) -> None:
        self.genesis.apply(state, trusted=trusted)


def shown(**values: Any) -> Change:
    """Another card is shown."""
    return altered(lambda _, body: replace(body, card=replace(body.card, **values)))
