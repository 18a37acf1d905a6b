"""A chain that does not keep its entries: quick to resume, and the same as the whole one."""

from __future__ import annotations

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.dice.asks import BattleRequest, SeatDice, Throw
from rubicon.dice.bodies import AnswerBody, Request
from rubicon.dice.canonical import LARGEST, canonical
from rubicon.dice.chain import Chain
from rubicon.dice.entry import Entry
from rubicon.dice.errors import BadEntry
from rubicon.dice.example import SEEDS
from rubicon.dice.hashing import keyed
from rubicon.dice.seeds import links_from
from rubicon.dice.verify import verify
from rubicon.dice.writing import Order, answer, ask, begin, deposit, keep, reveal

SEATS = ("red", "blue", "green")
CHANGES = (('"attack":[', '"attack":[7,'), ('"duty":', '"duty":1'), ('"prev":"', '"prev":"0'))
HASHES = st.binary(min_size=32, max_size=32)
NUMBERS = st.integers(min_value=0, max_value=LARGEST)
NAMES = st.text(max_size=12).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text))
DICE = st.lists(st.integers(1, 6), max_size=5).map(tuple)


@given(HASHES, NAMES, NUMBERS, NUMBERS, st.integers(1, 16), st.integers(1, 16))
def test_the_text_of_a_battle_request_is_canonical(
    rid: bytes, seat: str, duty: int, entry: int, attack: int, defence: int
) -> None:
    body = Request(rid, seat, duty, entry, rid[::-1], BattleRequest(attack, defence))
    made = Entry(entry, rid, body)
    assert made.text() == canonical(made.form())


@given(HASHES, st.dictionaries(st.sampled_from(SEATS), HASHES | st.none()), DICE, DICE)
def test_the_text_of_a_battle_answer_is_canonical(
    rid: bytes, links: dict[str, bytes | None], attack: tuple[int, ...], defence: tuple[int, ...]
) -> None:
    made = Entry(7, rid, AnswerBody(rid, rid[::-1], links, Throw(attack, defence)))
    assert made.text() == canonical(made.form())


def test_numbers_that_json_does_not_keep_are_refused() -> None:
    body = Request(bytes(32), "red", LARGEST + 1, 1, bytes(32), BattleRequest(3, 2))
    with pytest.raises(ValueError, match="too large"):
        Entry(1, bytes(32), body).text()


@given(st.binary(max_size=100), st.binary(max_size=100))
def test_the_keyed_hash_is_hmac(key: bytes, message: bytes) -> None:
    assert keyed(key, message) == hmac.new(key, message, "sha256").digest()


def played(rolls: int = 6) -> list[Entry]:
    """The entries of a game in which blue keeps a chain of its own."""
    chain = Chain([begin(SEEDS, "g1", SEATS)])
    for seat in SEATS:
        chain.append(keep(chain, SEEDS.dice, seat, 100))
    links = links_from(bytes(range(32)), 50)
    chain.append(ask(chain, SEEDS.table, Order("", 0, 1, "begin"), SeatDice(SEATS)))
    chain.append(answer(chain, SEEDS))
    for number in range(2, rolls + 2):
        if number == 4:
            chain.append(deposit(chain, "blue", links[0], 50))
        order = Order("red" if number % 2 else "blue", number, number, f"attack {number}")
        chain.append(ask(chain, SEEDS.table, order, BattleRequest(3, 2)))
        own = number >= 4 and order.seat != "blue"
        given = {"blue": links[chain.state.links["blue"].used + 1]} if own else {}
        chain.append(answer(chain, SEEDS, links=given))
    return chain.entries


def links_in(chain: Chain) -> list[bytes]:
    """Every link that a chain has opened."""
    answers = [entry.body for entry in chain if isinstance(entry.body, AnswerBody)]
    return [link for body in answers for link in body.links.values() if link is not None]


def resumed(texts: list[str]) -> Chain:
    """A chain that does not keep its entries, from their texts."""
    chain = Chain(keeps_entries=False)
    chain.resume(texts)
    return chain


def test_a_resumed_chain_goes_on_like_the_whole_one() -> None:
    entries = played()
    for count in range(1, len(entries) + 1):
        whole = Chain(entries[:count])
        chain = resumed([entry.text() for entry in entries[:count]])
        assert (len(chain), chain.head, chain.witness) == (len(whole), whole.head, whole.witness)
        assert (chain.owed, chain.state.links) == (whole.owed, whole.state.links)
        assert len(chain.state.known_links) == len(whole.state.known_links)
        assert all(known in chain.state.known_links for known in links_in(whole))
        assert chain.entries == []
    order = Order("red", 90, 90, "attack")
    assert ask(chain, SEEDS.table, order, BattleRequest(1, 1)) == ask(
        whole, SEEDS.table, order, BattleRequest(1, 1)
    )


def test_it_holds_only_the_last_answer_and_those_with_a_link_of_a_seat() -> None:
    entries = played()
    chain = resumed([entry.text() for entry in entries])
    answers = [entry.body for entry in entries if isinstance(entry.body, AnswerBody)]
    own = [body.rid for body in answers[3:] if "blue" in body.links]
    assert len(own) == 2
    assert set(chain.state.answers) == {*own, answers[-1].rid}
    assert len(chain.state.requests) == 1


@pytest.mark.parametrize("number", range(12))
def test_a_stored_text_that_was_changed_is_found(number: int) -> None:
    texts = [entry.text() for entry in played()]
    place = len(texts) - 1 - number
    for old, new in CHANGES:
        changed = [*texts]
        changed[place] = texts[place].replace(old, new)
        if changed != texts:
            with pytest.raises(BadEntry):
                resumed(changed)


def test_an_entry_that_is_missing_or_twice_is_found() -> None:
    texts = [entry.text() for entry in played()]
    for number in range(1, len(texts) - 1):
        with pytest.raises(BadEntry):
            resumed(texts[:number] + texts[number + 1 :])
        with pytest.raises(BadEntry):
            resumed(texts[: number + 1] + texts[number:])


def test_its_reveal_must_be_of_the_promised_seeds() -> None:
    chain = Chain([begin(SEEDS, "g1", SEATS)], keeps_entries=False)
    other = type(SEEDS)(bytes(32), SEEDS.table)
    with pytest.raises(BadEntry) as refused:
        reveal(chain, other, [])
    assert refused.value.code == "dice/wrong-seed"
    chain.append(reveal(chain, SEEDS, []))
    assert chain.closed
    assert verify(Chain([begin(SEEDS, "g1", SEATS)])).ok
