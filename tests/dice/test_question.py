"""The dice server's core: it knows no names and no positions, and never answers twice."""

import inspect
from dataclasses import fields, replace

import pytest

from rubicon.dice.asks import Batch, BattleRequest, PickRequest, SeatDice, SecretPick
from rubicon.dice.bodies import MOST_LINKS, AnswerBody
from rubicon.dice.chain import Chain
from rubicon.dice.errors import DiceError
from rubicon.dice.example import BLUE, CARDS, SEEDS, example_chain
from rubicon.dice.question import KeptLink, Question, Reply, promise, roll_key, serve, size_of
from rubicon.dice.writing import answer, answer_from, begin, begin_with, keep, question

OWED = Chain(example_chain().entries[:10])
ASKED = question(OWED, {"blue": BLUE[4]})


def test_the_table_needs_no_dice_seed() -> None:
    """The way over a server of its own ends in the same entry."""
    reply = serve(SEEDS.dice, ASKED)
    assert answer_from(OWED, SEEDS.table, reply) == answer(OWED, SEEDS, links={"blue": BLUE[4]})
    seats = ["red", "blue"]
    genesis, *kept = begin_with(promise(SEEDS.dice, "g", seats), SEEDS.table, "g", seats)
    assert genesis == begin(SEEDS, "g", seats)
    chain = Chain([genesis])
    for seat, entry in zip(seats, kept, strict=True):
        assert entry == keep(chain, SEEDS.dice, seat, MOST_LINKS)
        chain.append(entry)
    with pytest.raises(DiceError) as refused:
        begin_with(promise(SEEDS.dice, "g", ["red"]), SEEDS.table, "g", seats)
    assert refused.value.code == "dice/seat"


def test_a_question_tells_no_names_and_no_order() -> None:
    names = {field.name for field in fields(Question)}
    assert names == {"game", "seq", "prev", "rid", "n", "sides", "links", "kept"}
    assert "alaska" not in repr(ASKED)


def test_the_values_are_those_of_the_answer() -> None:
    reply = serve(SEEDS.dice, ASKED)
    body = answer_from(OWED, SEEDS.table, reply).body
    assert isinstance(body, AnswerBody)
    assert body.gives == BattleRequest(3, 2).given(reply.key)
    assert str(body.gives) == "4 4 6 v 4 3"
    assert reply.values == (3, 3, 5, 3, 2)


def test_the_same_request_gets_the_stored_reply() -> None:
    reply = serve(SEEDS.dice, ASKED)
    assert serve(SEEDS.dice, ASKED, reply) is reply
    without_link = replace(ASKED, links={"blue": None})
    assert serve(SEEDS.dice, without_link, reply) is reply
    assert serve(SEEDS.dice, without_link).key != reply.key


@pytest.mark.parametrize("change", [{"rid": bytes(32)}, {"prev": bytes(32)}])
def test_another_question_in_its_place_is_refused(change: dict[str, bytes]) -> None:
    reply = serve(SEEDS.dice, ASKED)
    with pytest.raises(DiceError) as refused:
        serve(SEEDS.dice, replace(ASKED, **change), reply)  # type: ignore[arg-type]
    assert refused.value.code == "dice/other-question"


def test_a_reply_to_another_request_is_refused() -> None:
    reply = replace(serve(SEEDS.dice, ASKED), prev=bytes(32))
    with pytest.raises(DiceError) as refused:
        answer_from(OWED, SEEDS.table, reply)
    assert refused.value.code == "dice/other-question"


def test_everything_enters_the_key_and_nothing_else() -> None:
    def key(question: Question, seed: bytes = SEEDS.dice) -> bytes:
        return serve(seed, question).key

    changed = [
        replace(ASKED, game="other"),
        replace(ASKED, seq=99),
        replace(ASKED, prev=bytes(32)),
        replace(ASKED, rid=bytes(32)),
        replace(ASKED, links={"blue": BLUE[5]}),
        replace(ASKED, links={}),
    ]
    keys = {key(ASKED), key(ASKED, bytes(32)), *map(key, changed)}
    assert len(keys) == len(changed) + 2
    assert key(replace(ASKED, n=1, sides=2)) == key(ASKED)
    assert list(inspect.signature(roll_key).parameters) == [
        "seed", "game", "seq", "prev", "rid", "links",
    ]  # fmt: skip


def test_sizes() -> None:
    assert size_of(BattleRequest(3, 2)) == (5, 6)
    assert size_of(SeatDice(("red", "blue"))) == (2, 6)
    assert size_of(PickRequest(CARDS)) == (1, 4)
    assert size_of(SecretPick("red", 4, bytes(32)))[0] == 0
    assert size_of(Batch(7))[0] == 0


@pytest.mark.parametrize(("n", "sides"), [(-1, 6), (10_001, 6), (1, 0), (1, 257)])
def test_what_cannot_be_drawn(n: int, sides: int) -> None:
    with pytest.raises(DiceError) as refused:
        serve(SEEDS.dice, replace(ASKED, n=n, sides=sides))
    assert refused.value.code == "dice/too-many"


@pytest.mark.parametrize("place", [(0, 8), (-1, 8), (9, 8), (1, 4097)])
def test_only_the_links_of_a_chain_are_opened(place: tuple[int, int]) -> None:
    number, length = place
    asked = replace(ASKED, kept={"red": KeptLink(1, length, number)})
    with pytest.raises(DiceError) as refused:
        serve(SEEDS.dice, asked)
    assert refused.value.code == "dice/too-many"
    with pytest.raises(DiceError):
        keep(Chain(OWED.entries[:1]), SEEDS.dice, "red", 10**12)


def test_a_reply_is_a_value() -> None:
    assert isinstance(serve(SEEDS.dice, ASKED), Reply)
    assert serve(SEEDS.dice, ASKED) == serve(SEEDS.dice, ASKED)
