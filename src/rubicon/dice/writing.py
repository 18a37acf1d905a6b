"""Makes the entries of a chain; each is returned, and stands in the chain once it is appended.

begin(seeds, game, seats)            genesis
begin_with(promise, table, …)        genesis and kept chains, where the dice are somebody else's
deposit / keep                       a seat's hash chain, its own or one kept for it
ask(chain, seeds.table, …)           accept: the request, committed before anybody can answer
answer(chain, seeds, …)              ask and settle: the answer, once more the same if repeated
rolled / show / reveal               what a batch used, a card for all, the end
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rubicon.dice.asks import Ask, Gives, Sealed, SecretPick, Throw
from rubicon.dice.bodies import (
    LONGEST_ORDER,
    MOST_LINKS,
    AnswerBody,
    Body,
    Deposit,
    Genesis,
    Keeper,
    OpenedRequest,
    Request,
    Reveal,
    RolledDice,
    Shown,
)
from rubicon.dice.chain import Chain
from rubicon.dice.draws import BYTE
from rubicon.dice.entry import Entry
from rubicon.dice.errors import DiceError
from rubicon.dice.hashing import same
from rubicon.dice.question import KeptLink, Promise, Question, Reply, roll_key, size_of
from rubicon.dice.reading import Fields
from rubicon.dice.seeds import (
    Seeds,
    card_salt,
    commitment,
    kept_links,
    next_down,
    order_hash,
    request_id,
    sealed_card,
    secret_index,
    table_commitment,
    things_hash,
)

LINKS = 1024  # of a chain that the dice side keeps, unless said otherwise


@dataclass(frozen=True, slots=True)
class Order:
    """Which order needs chance: its seat ("" for the game itself), duty, log entry and words."""

    seat: str
    duty: int
    entry: int
    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """A secret pick as its owner gets it, with the salt that proves it."""

    index: int
    thing: str
    salt: bytes


def begin(seeds: Seeds, game: str, seats: Sequence[str]) -> Entry:
    """The genesis of a game's chain."""
    table = table_commitment(seeds.table)
    return Chain().entry(Genesis(game, commitment(seeds.dice), table, tuple(seats)))


def begin_with(promise: Promise, table: bytes, game: str, seats: Sequence[str]) -> list[Entry]:
    """The genesis and a kept chain a seat, where the dice seed is somebody else's.

    `table` is the table's seed. BadEntry or DiceError where the promise is not one for these seats.
    """
    if set(promise.links) != set(seats):
        raise DiceError("dice/seat", "The promise of the dice is for other seats.")
    chain = Chain()
    bodies: list[Body] = [Genesis(game, promise.commit, table_commitment(table), tuple(seats))]
    for seat in seats:
        bodies.append(Deposit(seat, Keeper.DICE, promise.length, promise.links[seat]))
    for body in bodies:
        chain.append(chain.entry(body))
    return chain.entries


def deposit(chain: Chain, seat: str, link: bytes, length: int) -> Entry:
    """The end of the chain that a seat keeps itself."""
    return chain.entry(Deposit(seat, Keeper.SEAT, length, link))


def keep(chain: Chain, seed: bytes, seat: str, length: int = LINKS) -> Entry:
    """A chain that the dice side keeps for a seat, of at most 4096 links."""
    if not 1 <= length <= MOST_LINKS:
        message = f"A chain of {length} links is too long or too short."
        raise DiceError("dice/too-many", message, f"At most {MOST_LINKS:,}.")
    before = chain.state.links.get(seat)
    epoch = before.epoch + 1 if before else 1
    link = kept_links(seed, chain.game, seat, epoch, length)[0]
    return chain.entry(Deposit(seat, Keeper.DICE, length, link))


def request_of(table: bytes, game: str, order: Order) -> bytes:
    """The request id of an order: look it up in the chain before asking anew."""
    words = order_hash(table, game, order.seat, order.duty, order.entry, order.text)
    return request_id(game, order.seat, order.duty, order.entry, words)


def hidden_pick(
    table: bytes, game: str, order: Order, owner: str, things: Sequence[str]
) -> SecretPick:
    """What to ask for a secret pick: the things are fixed now and named at the end."""
    Fields({"things": list(things)}, "pick").texts("things", BYTE)
    hidden = things_hash(table, request_of(table, game, order), things)
    return SecretPick(owner, len(things), hidden)


def ask(chain: Chain, table: bytes, order: Order, what: Ask) -> Entry:
    """The request of an order.

    BadEntry `dice/asked-before` where the log entry has asked already: its answer stands in the
    chain, or is owed.
    """
    if len(order.text) > LONGEST_ORDER:
        message = (
            f"An order has at most {LONGEST_ORDER:,} characters; this has {len(order.text):,}."
        )
        raise DiceError("dice/order-too-long", message)
    words = order_hash(table, chain.game, order.seat, order.duty, order.entry, order.text)
    rid = request_id(chain.game, order.seat, order.duty, order.entry, words)
    return chain.entry(Request(rid, order.seat, order.duty, order.entry, words, what), made=True)


def question(
    chain: Chain, links: Mapping[str, bytes] | None = None, silent: Collection[str] = ()
) -> Question:
    """What to ask of the dice side now.

    `links` are what the seats opened that keep their own chains; `silent` are those of them that
    did not open theirs in time: their chain ends.
    """
    owed = _owed(chain)
    opened, kept = _links(chain, links or {}, silent)
    n, sides = size_of(owed.ask)
    return Question(chain.game, len(chain), chain.head, owed.rid, n, sides, opened, kept)


def _links(
    chain: Chain, given: Mapping[str, bytes], silent: Collection[str]
) -> tuple[dict[str, bytes | None], dict[str, KeptLink]]:
    """The links that the seats opened, and which ones the dice side is to open."""
    opened: dict[str, bytes | None] = {}
    kept = {}
    for seat in chain.contributors():
        place = chain.state.links[seat]
        if place.keeper == Keeper.DICE:
            kept[seat] = KeptLink(place.epoch, place.length, place.used + 1)
        elif seat not in given and seat not in silent:
            message = f"The next link of {seat} is needed, or word that it stays silent."
            raise DiceError("dice/link-missing", message)
        else:
            opened[seat] = None if seat in silent else _checked(seat, given[seat], place.link)
    return opened, kept


def answer(
    chain: Chain,
    seeds: Seeds,
    *,
    links: Mapping[str, bytes] | None = None,
    silent: Collection[str] = (),
    things: Sequence[str] = (),
) -> Entry:
    """The answer to what is owed, with both seeds at hand; `things` for a secret pick."""
    owed = _owed(chain)
    entropy, kept = _links(chain, links or {}, silent)
    for seat, link in kept.items():
        opened = kept_links(seeds.dice, chain.game, seat, link.epoch, link.length)
        entropy[seat] = opened[link.number]
    key = roll_key(seeds.dice, chain.game, len(chain), chain.head, owed.rid, entropy)
    return _answer(chain, seeds.table, owed.rid, key, entropy, things)


def answer_from(chain: Chain, table: bytes, reply: Reply, things: Sequence[str] = ()) -> Entry:
    """The answer that a reply of the dice side makes."""
    _owed(chain)
    if not same(reply.prev, chain.head):
        raise DiceError("dice/other-question", "The reply is to another request.")
    return _answer(chain, table, reply.rid, reply.key, dict(reply.links), things)


def _answer(
    chain: Chain,
    table: bytes,
    rid: bytes,
    key: bytes,
    links: Mapping[str, bytes | None],
    things: Sequence[str],
) -> Entry:
    """The answer with this key, and what follows from it."""
    owed = _owed(chain)
    if isinstance(owed.ask, SecretPick):
        card = _card(table, owed.rid, owed.ask, key, things)
        gives: Gives = Sealed(sealed_card(card.salt, card.index, card.thing))
    else:
        gives = owed.ask.given(key)
    return chain.entry(AnswerBody(rid, key, links, gives), made=True)


def card(chain: Chain, table: bytes, rid: bytes, things: Sequence[str]) -> Card:
    """What an answered secret pick gave its owner."""
    asked, answered = chain.request(rid), chain.answer(rid)
    if asked is None or answered is None or not isinstance(asked.ask, SecretPick):
        raise DiceError("dice/nothing-sealed", "No secret pick was answered under this id.")
    return _card(table, rid, asked.ask, answered.key, things)


def rolled(chain: Chain, rolls: Sequence[Throw]) -> Entry:
    """The rolls of the batch that were used."""
    if chain.state.unrolled is None:
        raise DiceError("dice/nothing-owed", "No batch waits for its rolls.")
    return chain.entry(RolledDice(chain.state.unrolled.rid, tuple(rolls)))


def show(chain: Chain, rid: bytes, card: Card) -> Entry:
    """A card that all may now see."""
    return chain.entry(Shown(rid, card.index, card.thing, card.salt))


def reveal(chain: Chain, seeds: Seeds, opened: Sequence[OpenedRequest]) -> Entry:
    """The end: both seeds, and the words (and hidden things) of every request in order."""
    return chain.entry(Reveal(seeds.dice, seeds.table, tuple(opened)))


def _checked(seat: str, link: bytes, before: bytes) -> bytes:
    """The link, if it is the right one: what the dice side has answered cannot be asked again."""
    if not same(next_down(link), before):
        message = f"The link of {seat} does not lead to the one before it."
        raise DiceError("dice/wrong-link", message)
    return link


def _owed(chain: Chain) -> Request:
    if chain.owed is None:
        raise DiceError("dice/nothing-owed", "No request waits for its answer.")
    return chain.owed


def _card(table: bytes, rid: bytes, ask: SecretPick, key: bytes, things: Sequence[str]) -> Card:
    if len(things) != ask.of or not same(things_hash(table, rid, things), ask.things):
        message = "These are not the things that the request was made for."
        raise DiceError("dice/wrong-things", message)
    index = secret_index(table, key, ask.of)
    return Card(index, things[index], card_salt(table, rid))
