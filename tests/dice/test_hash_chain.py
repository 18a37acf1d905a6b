"""Hash chains: every link leads to the next one, and none leads back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.dice.crypto import REQUIRED_LENGTH, HashChain, chain_id_of, digest, forward
from rubicon.dice.errors import DiceError

CHAIN_ID = chain_id_of("table", bytes(32), bytes(16))
CHAIN = HashChain(bytes(range(32)), CHAIN_ID, 3_000)


def test_a_link_is_the_hash_of_the_one_before() -> None:
    assert CHAIN.link(0) == bytes(range(32))
    for number in (1, 2, 127, 128, 129, 1_023, 1_024, 1_025, 2_048, 2_999, 3_000):
        hashed = digest("chain", CHAIN_ID, number, CHAIN.link(number - 1))
        assert CHAIN.link(number) == hashed
    assert CHAIN.end == CHAIN.link(3_000)


@given(st.integers(0, 3_000), st.data())
def test_forward(number: int, data: st.DataObject) -> None:
    steps = data.draw(st.integers(0, 3_000 - number))
    assert forward(CHAIN_ID, CHAIN.link(number), number, steps) == CHAIN.link(number + steps)


def test_the_id_enters_every_link() -> None:
    other = chain_id_of("other", bytes(32), bytes(16))
    assert HashChain(CHAIN.secret, other, 3_000).link(1) != CHAIN.link(1)
    ids = {chain_id_of(*parts) for parts in [("a", b"bc", b"d"), ("a", b"b", b"cd")]}
    assert len(ids) == 2


def test_checkpoints_give_the_same_links() -> None:
    stored = HashChain(CHAIN.secret, CHAIN_ID, 3_000, CHAIN.stored_checkpoints())
    assert [stored.link(n) for n in (0, 1_500, 3_000)] == [CHAIN.link(n) for n in (0, 1_500, 3_000)]


@pytest.mark.parametrize("length", [1, 64, 128, 1_024, 4_096, REQUIRED_LENGTH])
def test_chains_of_every_size_end(length: int) -> None:
    chain = HashChain(bytes(32), CHAIN_ID, length)
    assert chain.end == forward(CHAIN_ID, chain.link(length - 1), length - 1, 1)


@pytest.mark.parametrize("number", [-1, 3_001])
def test_there_are_no_other_links(number: int) -> None:
    with pytest.raises(DiceError) as refused:
        CHAIN.link(number)
    assert refused.value.code == "dice/no-link"


@pytest.mark.parametrize(("secret", "length"), [(31, 64), (33, 64), (32, 0), (32, 16_385)])
def test_chains_of_other_sizes_are_refused(secret: int, length: int) -> None:
    with pytest.raises(DiceError) as refused:
        HashChain(bytes(secret), CHAIN_ID, length)
    assert refused.value.code == "dice/chain-size"


def test_the_secret_is_not_shown() -> None:
    assert repr(bytes(range(32))) not in repr(CHAIN)
