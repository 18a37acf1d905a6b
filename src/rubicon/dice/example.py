"""A small chain to try everything out: known seeds, one of every kind of entry."""

from __future__ import annotations

from rubicon.dice.asks import Ask, Batch, BattleRequest, PickRequest, SeatDice, Throw, batch_roll
from rubicon.dice.bodies import OpenedRequest
from rubicon.dice.chain import Chain
from rubicon.dice.seeds import Seeds, links_from
from rubicon.dice.writing import (
    Order,
    answer,
    ask,
    begin,
    card,
    deposit,
    hidden_pick,
    keep,
    request_of,
    reveal,
    rolled,
    show,
)

GAME = "example"
SEATS = ("red", "blue")
SEEDS = Seeds(bytes(range(32)), bytes(range(32, 64)))
BLUE = links_from(bytes(range(64, 96)), 8)  # blue's own chain: the deposit and eight links
CARDS = ("alaska", "kamchatka", "siam", "ural")

FIRST = Order("", 0, 1, "who begins")
DEAL = Order("", 0, 2, "a territory for red")
DRAW = Order("red", 1, 5, "draw")
ROLL = Order("red", 2, 7, "attack alaska -> kamchatka dice 3")
UNTIL = Order("blue", 3, 9, "attack ural -> siberia until 3")


def example_chain(*, close: bool = True) -> Chain:
    """The chain of docs/fair-dice.md; with `close=False` the envelope is still sealed."""
    chain = Chain([begin(SEEDS, GAME, SEATS)])
    chain.append(keep(chain, SEEDS.dice, "red", 8))
    chain.append(deposit(chain, "blue", BLUE[0], 8))
    _roll(chain, FIRST, SeatDice(SEATS), BLUE[1])
    _roll(chain, DEAL, PickRequest(CARDS), BLUE[2])
    _roll(chain, DRAW, hidden_pick(SEEDS.table, GAME, DRAW, "red", CARDS), BLUE[3])
    _roll(chain, ROLL, BattleRequest(3, 2), BLUE[4])
    _roll(chain, UNTIL, Batch(5), None)
    chain.append(rolled(chain, _two_rolls(chain)))
    rid = request_of(SEEDS.table, GAME, DRAW)
    chain.append(show(chain, rid, card(chain, SEEDS.table, rid, CARDS)))
    if close:
        chain.append(reveal(chain, SEEDS, opened()))
    return chain


def opened() -> list[OpenedRequest]:
    """What the example's reveal opens."""
    orders = (FIRST, DEAL, DRAW, ROLL, UNTIL)
    return [
        OpenedRequest(
            request_of(SEEDS.table, GAME, order), order.text, CARDS if order is DRAW else ()
        )
        for order in orders
    ]


def _roll(chain: Chain, order: Order, what: Ask, link: bytes | None) -> None:
    chain.append(ask(chain, SEEDS.table, order, what))
    links = {"blue": link} if link else {}
    chain.append(answer(chain, SEEDS, links=links, things=CARDS))


def _two_rolls(chain: Chain) -> list[Throw]:
    key = list(chain.state.answers.values())[-1].key
    return [batch_roll(key, number, 3, 2) for number in range(2)]
