"""A table's way: accept, ask, settle; the chain rebuilt from what was stored at any moment."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubicon.dice.asks import (
    Ask,
    Batch,
    BattleRequest,
    PickRequest,
    SeatDice,
    SecretPick,
    Throw,
    batch_roll,
)
from rubicon.dice.bodies import MOST_LINKS, AnswerBody, Keeper, OpenedRequest, Request
from rubicon.dice.chain import Chain
from rubicon.dice.entry import Entry
from rubicon.dice.errors import BadEntry, DiceError
from rubicon.dice.example import BLUE, CARDS, DRAW, GAME, ROLL, SEEDS, example_chain
from rubicon.dice.seeds import Seeds, commitment, links_from, next_down
from rubicon.dice.verify import verify
from rubicon.dice.writing import (
    Order,
    answer,
    ask,
    begin,
    card,
    deposit,
    hidden_pick,
    keep,
    question,
    request_of,
    reveal,
    rolled,
    show,
)

SEATS = ("red", "blue", "green")


def stored(chain: Chain) -> Chain:
    """The chain as it is rebuilt from the stored lines."""
    return Chain([Entry.parse(entry.text()) for entry in list(chain)])


def fresh(*, length: int = 4, seats: tuple[str, ...] = SEATS) -> Chain:
    """A chain whose seats are all kept by the dice side."""
    chain = Chain([begin(SEEDS, "g1", seats)])
    for seat in seats:
        chain.append(keep(chain, SEEDS.dice, seat, length))
    return chain


def settled(chain: Chain, order: Order, what: Ask, **given: object) -> AnswerBody:
    """Ask and answer."""
    chain.append(ask(chain, SEEDS.table, order, what))
    chain.append(answer(chain, SEEDS, **given))  # type: ignore[arg-type]
    body = chain.entries[-1].body
    assert isinstance(body, AnswerBody)
    return body


def test_the_promise_is_the_published_one() -> None:
    promised = "41c38037fc662430d8a52f51b780ed3a0daa680b73e83bf5a816533423fdb434"
    assert commitment(bytes(range(32))).hex() == promised


def test_a_chain_is_rebuilt_from_any_prefix_and_goes_on_the_same() -> None:
    honest = example_chain().entries
    for length in range(len(honest)):
        chain = Chain(map(Entry.parse, [entry.text() for entry in honest[:length]]))
        for entry in honest[length:]:
            chain.append(entry)
        assert chain.head == honest[-1].head


def test_after_a_crash_anybody_asks_again_and_gets_the_same() -> None:
    chain = Chain(example_chain().entries[:10])
    again = stored(chain)
    assert again.owed is not None
    links = {"blue": BLUE[4]}
    assert answer(chain, SEEDS, links=links) == answer(again, SEEDS, links=links)


def test_a_request_finds_its_answer_for_ever() -> None:
    chain = example_chain()
    rid = request_of(SEEDS.table, GAME, ROLL)
    found = chain.answer(rid)
    assert found is not None
    assert str(found.gives) == "4 4 6 v 4 3"
    asked = chain.request(rid)
    assert asked is not None
    assert asked.ask == BattleRequest(3, 2)
    assert chain.answer(bytes(32)) is None


def test_the_same_request_is_never_rolled_twice() -> None:
    chain = Chain(example_chain().entries[:11])
    with pytest.raises(BadEntry, match="asks once") as refused:
        ask(chain, SEEDS.table, ROLL, BattleRequest(3, 2))
    assert refused.value.code == "dice/asked-before"
    other_words = Order(ROLL.seat, ROLL.duty, ROLL.entry, "attack alaska -> kamchatka dice 2")
    with pytest.raises(BadEntry, match="asks once"):
        ask(chain, SEEDS.table, other_words, BattleRequest(2, 2))
    later = Order(ROLL.seat, ROLL.duty, ROLL.entry + 1, ROLL.text)
    assert ask(chain, SEEDS.table, later, BattleRequest(3, 2)).kind == "request"


def test_a_chain_that_owes_an_answer_takes_nothing_else() -> None:
    chain = Chain(example_chain(close=False).entries[:10])
    drawn = request_of(SEEDS.table, GAME, DRAW)
    tries: list[Callable[[], Entry]] = [
        lambda: ask(chain, SEEDS.table, Order("red", 2, 8, "attack"), BattleRequest(1, 1)),
        lambda: keep(chain, SEEDS.dice, "blue"),
        lambda: deposit(chain, "blue", bytes(32), 3),
        lambda: reveal(chain, SEEDS, []),
        lambda: show(chain, drawn, card(chain, SEEDS.table, drawn, CARDS)),
    ]
    for make in tries:
        with pytest.raises(BadEntry) as refused:
            make()
        assert refused.value.code == "dice/answer-owed"
        assert len(chain) == 10


def test_nothing_is_answered_that_was_not_asked() -> None:
    chain = fresh()
    tries: list[Callable[[], Entry]] = [
        lambda: answer(chain, SEEDS),
        lambda: rolled(chain, [Throw((1,), (1,))]),
    ]
    for make in tries:
        with pytest.raises(DiceError) as refused:
            make()
        assert refused.value.code == "dice/nothing-owed"


def test_an_append_that_is_refused_changes_nothing() -> None:
    chain = Chain(example_chain().entries[:10])
    head = chain.head
    with pytest.raises(BadEntry):
        chain.append(example_chain().entries[12])
    assert (len(chain), chain.head) == (10, head)
    assert chain.owed is not None


def test_the_others_links_enter_never_the_movers() -> None:
    chain = fresh()
    body = settled(chain, Order("red", 1, 1, "attack"), BattleRequest(1, 1))
    assert set(body.links) == {"blue", "green"}
    body = settled(chain, Order("", 1, 2, "first"), SeatDice(SEATS))
    assert set(body.links) == set(SEATS)


def test_the_dice_depend_on_every_link() -> None:
    """Blue's secret is drawn by blue alone: another secret, other dice."""
    keys = set()
    for secret in (bytes(32), bytes(31) + b"\x01"):
        links = links_from(secret, 4)
        chain = Chain([begin(SEEDS, "g1", ("red", "blue"))])
        chain.append(keep(chain, SEEDS.dice, "red", 4))
        chain.append(deposit(chain, "blue", links[0], 4))
        body = settled(
            chain, Order("red", 1, 1, "a"), BattleRequest(3, 2), links={"blue": links[1]}
        )
        keys.add(body.key)
    assert len(keys) == 2


def test_a_missing_or_wrong_link_is_refused_before_the_dice_are_asked() -> None:
    chain = Chain(example_chain().entries[:10])
    for links, code in (({}, "link-missing"), ({"blue": BLUE[5]}, "wrong-link")):
        with pytest.raises(DiceError) as refused:
            question(chain, links)
        assert refused.value.code == f"dice/{code}"


def test_a_silent_seat_takes_part_again_after_a_new_deposit() -> None:
    chain = Chain(example_chain().entries[:9])
    body = settled(chain, ROLL, BattleRequest(3, 2), silent=["blue"])
    assert body.links == {"blue": None}
    body = settled(chain, Order("red", 2, 8, "again"), BattleRequest(3, 2))
    assert body.links == {}
    chain.append(keep(chain, SEEDS.dice, "blue", 2))
    body = settled(chain, Order("red", 2, 9, "again"), BattleRequest(3, 2))
    assert set(body.links) == {"blue"}
    verdict = verify(chain)
    assert verdict.ok
    assert verdict.silent == 1


def test_a_used_up_chain_is_followed_by_another() -> None:
    chain = fresh(length=1, seats=("red", "blue"))
    assert settled(chain, Order("red", 1, 1, "a"), BattleRequest(1, 1)).links.keys() == {"blue"}
    assert settled(chain, Order("red", 1, 2, "a"), BattleRequest(1, 1)).links == {}
    assert not chain.state.links["blue"].live
    chain.append(keep(chain, SEEDS.dice, "blue", 1))
    assert settled(chain, Order("red", 1, 3, "a"), BattleRequest(1, 1)).links.keys() == {"blue"}
    assert chain.state.links["blue"].epoch == 2
    assert chain.state.links["blue"].keeper == Keeper.DICE


def test_a_secret_pick_is_known_to_its_owner_and_proven_at_the_end() -> None:
    chain = fresh()
    order = Order("red", 1, 4, "draw")
    body = settled(chain, order, hidden_pick(SEEDS.table, "g1", order, "red", CARDS), things=CARDS)
    drawn = card(chain, SEEDS.table, body.rid, CARDS)
    assert drawn.thing == CARDS[drawn.index]
    assert drawn.thing not in "".join(entry.text() for entry in chain)
    chain.append(show(chain, body.rid, drawn))
    chain.append(reveal(chain, SEEDS, [OpenedRequest(body.rid, order.text, CARDS)]))
    assert verify(chain).ok


def test_neither_the_key_nor_the_tables_seed_alone_says_the_card() -> None:
    """With either of them fixed, all cards come up."""
    order = Order("red", 1, 4, "draw")

    def drawn(seeds: Seeds) -> str:
        chain = Chain([begin(seeds, "g1", ("red",))])
        chain.append(keep(chain, seeds.dice, "red", 1))
        chain.append(
            ask(chain, seeds.table, order, hidden_pick(seeds.table, "g1", order, "red", CARDS))
        )
        chain.append(answer(chain, seeds, things=CARDS))
        return card(chain, seeds.table, request_of(seeds.table, "g1", order), CARDS).thing

    others = [bytes([number]) * 32 for number in range(40)]
    assert {drawn(Seeds(SEEDS.dice, other)) for other in others} == set(CARDS)
    assert {drawn(Seeds(other, SEEDS.table)) for other in others} == set(CARDS)


def test_a_secret_pick_wants_the_things_it_was_asked_for() -> None:
    chain = fresh()
    order = Order("red", 1, 4, "draw")
    chain.append(
        ask(chain, SEEDS.table, order, hidden_pick(SEEDS.table, "g1", order, "red", CARDS))
    )
    for things in ((), CARDS[::-1], CARDS[:3]):
        with pytest.raises(DiceError) as refused:
            answer(chain, SEEDS, things=things)
        assert refused.value.code == "dice/wrong-things"
    with pytest.raises(DiceError) as refused:
        card(chain, SEEDS.table, request_of(SEEDS.table, "g1", order), CARDS)
    assert refused.value.code == "dice/nothing-sealed"


def test_a_batch_gives_as_many_rolls_as_are_used() -> None:
    chain = fresh()
    body = settled(chain, Order("red", 1, 1, "until"), Batch(3))
    with pytest.raises(BadEntry, match="only what it owes") as refused:
        keep(chain, SEEDS.dice, "red")
    assert refused.value.code == "dice/rolled-owed"
    rolls = [batch_roll(body.key, 0, 3, 2), batch_roll(body.key, 1, 2, 1)]
    chain.append(rolled(chain, rolls))
    assert verify(chain).dice == 8
    assert len(set(map(str, (batch_roll(body.key, n, 3, 2) for n in range(20))))) > 15


@pytest.mark.parametrize(
    ("what", "code"),
    [
        (BattleRequest(0, 1), "wrong-form"),
        (BattleRequest(17, 1), "wrong-form"),
        (SeatDice(()), "wrong-form"),
        (SeatDice(("red", "red")), "wrong-form"),
        (SeatDice(("pink",)), "seat"),
        (PickRequest(()), "wrong-form"),
        (PickRequest(("a", "a")), "wrong-form"),
        (PickRequest(tuple(map(str, range(257)))), "wrong-form"),
        (PickRequest(("\ud800",)), "wrong-form"),
        (SecretPick("pink", 3, bytes(32)), "seat"),
        (SecretPick("red", 0, bytes(32)), "wrong-form"),
        (Batch(0), "wrong-form"),
    ],
)
def test_what_cannot_be_asked(what: Ask, code: str) -> None:
    with pytest.raises(BadEntry) as refused:
        ask(fresh(), SEEDS.table, Order("red", 1, 1, "a"), what)
    assert refused.value.code == f"dice/{code}"


def test_what_could_not_be_opened_at_the_end_is_refused_at_once() -> None:
    chain = fresh()
    order = Order("red", 1, 1, "x" * 20_001)
    with pytest.raises(DiceError) as refused:
        ask(chain, SEEDS.table, order, BattleRequest(1, 1))
    assert refused.value.code == "dice/order-too-long"
    with pytest.raises(DiceError) as refused:
        ask(chain, SEEDS.table, Order("red", 1, 1, "\ud800"), BattleRequest(1, 1))
    assert refused.value.code == "dice/not-text"
    with pytest.raises(DiceError) as refused:
        hidden_pick(SEEDS.table, "g1", DRAW, "red", ["alaska", "alaska"])
    assert refused.value.code == "dice/wrong-form"


@pytest.mark.parametrize(
    ("game", "seats"), [("", SEATS), ("g", ()), ("g", ("Red!",)), ("g" * 201, SEATS)]
)
def test_a_game_has_a_name_and_seats(game: str, seats: tuple[str, ...]) -> None:
    with pytest.raises(BadEntry) as refused:
        begin(SEEDS, game, seats)
    assert refused.value.code == "dice/wrong-form"


def test_seeds_are_32_bytes_two_and_not_shown() -> None:
    with pytest.raises(DiceError, match="32 bytes"):
        Seeds(b"short", bytes(32))
    with pytest.raises(DiceError, match="differ"):
        Seeds(bytes(32), bytes(32))
    assert SEEDS.dice.hex() not in repr(SEEDS)
    assert repr(SEEDS) == "Seeds()"


@given(st.binary(min_size=32, max_size=32), st.integers(1, 50))
def test_every_link_leads_to_the_one_before(secret: bytes, length: int) -> None:
    links = links_from(secret, length)
    assert len(links) == length + 1
    assert links[-1] == secret
    assert all(next_down(b) == a for a, b in pairwise(links))
    assert length <= MOST_LINKS


ASKS = st.one_of(
    st.builds(BattleRequest, st.integers(1, 4), st.integers(1, 3)),
    st.just(SeatDice(SEATS)),
    st.builds(
        PickRequest, st.lists(st.text(min_size=1, max_size=9), min_size=1, unique=True).map(tuple)
    ),
    st.builds(Batch, st.integers(1, 9)),
    st.none(),  # a secret pick
)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(ASKS, st.sampled_from(["", *SEATS]), st.text(max_size=30), st.booleans()),
        max_size=12,
    ),
    st.binary(min_size=32, max_size=32),
    st.integers(1, 5),
)
def test_any_game_is_verified_and_rebuilt(
    turns: list[tuple[Ask | None, str, str, bool]], seed: bytes, length: int
) -> None:
    seeds = Seeds(seed, bytes(31) + b"\xff" if seed[:31] != bytes(31) else b"\x01" * 32)
    own = links_from(seed, 40)
    chain = Chain([begin(seeds, "g1", SEATS)])
    chain.append(deposit(chain, "red", own[0], 40))
    for seat in SEATS[1:]:
        chain.append(keep(chain, seeds.dice, seat, length))
    words = []
    for number, (what, seat, text, silent) in enumerate(turns):
        order = Order(seat, number // 2, number, text)
        things = () if what else CARDS
        asked = what or hidden_pick(seeds.table, "g1", order, "blue", CARDS)
        chain.append(ask(chain, seeds.table, order, asked))
        place = chain.state.links["red"]
        quiet = ["red"] if silent else []
        links = {} if silent else {"red": own[place.used + 1]}
        chain.append(answer(chain, seeds, links=links, silent=quiet, things=things))
        if chain.state.unrolled:
            key = chain.state.answers[chain.state.unrolled.rid].key
            chain.append(rolled(chain, [batch_roll(key, 0, 3, 1)]))
        words.append(OpenedRequest(request_of(seeds.table, "g1", order), text, things))
        for other in SEATS[1:]:
            if not chain.state.links[other].live:
                chain.append(keep(chain, seeds.dice, other, length))
    chain.append(reveal(chain, seeds, words))
    assert verify(chain, known_heads=[chain.witness]).ok
    assert stored(chain).entries == chain.entries
    asked_ids = [entry.body.rid for entry in chain if isinstance(entry.body, Request)]
    assert all(chain.answer(rid) for rid in asked_ids)
