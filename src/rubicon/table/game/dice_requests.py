"""Turns the pending chance of a game into a dice request, and the answer into an outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rubicon.dice.asks import (
    Ask,
    BattleRequest,
    Faces,
    Gives,
    Picked,
    PickRequest,
    SeatDice,
    SecretPick,
    Throw,
)
from rubicon.dice.bodies import Keeper, OpenedRequest, Request
from rubicon.dice.chain import Chain
from rubicon.dice.entry import Entry
from rubicon.dice.errors import DiceError
from rubicon.dice.question import Reply
from rubicon.dice.seeds import Seeds
from rubicon.dice.writing import (
    Order,
    answer,
    answer_from,
    ask,
    card,
    hidden_pick,
    keep,
)
from rubicon.engine.apply import settle
from rubicon.engine.records.choices import CardVisibility
from rubicon.engine.records.position import Chance, copy_position
from rubicon.rules import outcomes
from rubicon.rules.game.game import Game
from rubicon.rules.outcomes import Outcome, PendingChance

NOT_HERE = b""  # stored in place of a seed that a remote dice server holds
SETUP_ORDER = "begin"  # the order of a request that no decision led to
LINKS_PER_CHAIN = (
    128  # of the chains that the dice side keeps: one enters each roll of another seat
)


@dataclass(frozen=True, slots=True)
class HeldSeeds:
    """The stored seeds of a game; `dice` is None where a remote dice server holds it."""

    dice: bytes | None = field(repr=False)
    table: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if self.dice is not None:
            Seeds(self.dice, self.table)

    @property
    def both(self) -> Seeds:
        """Both seeds, where this server rolls the dice."""
        assert self.dice is not None
        return Seeds(self.dice, self.table)


def request(
    game: Game, chain: Chain, table_seed: bytes, order: Order
) -> tuple[Entry, OpenedRequest]:
    """The chain's request for the pending chance, and what it hides until the end."""
    pending = _pending(game)
    owner = owner_of(game, pending)
    what: Ask
    if owner is not None:
        what = hidden_pick(table_seed, chain.game, order, owner, pending.things)
    elif pending.chance == Chance.BATTLE:
        what = BattleRequest(pending.attack_dice, pending.defence_dice)
    elif pending.chance == Chance.DICE:
        what = SeatDice(pending.seats)
    else:
        what = PickRequest(pending.things)
    dice_entry = ask(chain, table_seed, order, what)
    assert isinstance(dice_entry.body, Request)
    hidden = pending.things if owner is not None else ()
    return dice_entry, OpenedRequest(dice_entry.body.rid, order.text, hidden)


def used_up(chain: Chain, dice_seed: bytes | None) -> Iterator[Entry]:
    """New hash chains for the seats whose chain is used up; the caller must append each at once.

    None without the seed: a remote dice server deposits chains that last for the whole game.
    """
    if dice_seed is None:
        return
    for seat, links in chain.state.links.items():
        if links.keeper is Keeper.DICE and not links.live:
            yield keep(chain, dice_seed, seat, LINKS_PER_CHAIN)


def opened_of(game: Game, rid: str, words: str) -> OpenedRequest:
    """What the request for the pending chance hides until the end."""
    pending = _pending(game)
    hidden = owner_of(game, pending) is not None
    return OpenedRequest(bytes.fromhex(rid), words, pending.things if hidden else ())


def outcome(
    game: Game,
    chain: Chain,
    seeds: HeldSeeds,
    links: Mapping[str, bytes | None],
    reply: Reply | None = None,
) -> tuple[Entry, Outcome]:
    """The chain's answer to its pending request, and the outcome that it means.

    It comes from both seeds, or from the `reply` of a remote dice server. `links` are those of the
    seats that contribute randomness; None for a seat that timed out.
    """
    assert chain.owed is not None
    rid, pending = chain.owed.rid, _pending(game)
    things = pending.things if isinstance(chain.owed.ask, SecretPick) else ()
    if reply is None:
        given, silent = split_links(links)
        dice_entry = answer(chain, seeds.both, links=given, silent=silent, things=things)
    else:
        if any(reply.links.get(seat) != link for seat, link in links.items()):
            message = "The dice contain other links than the seats gave."
            raise DiceError("dice/other-links", message)
        dice_entry = answer_from(chain, seeds.table, reply, things)
    chain.append(dice_entry)
    return dice_entry, outcome_of(chain, seeds.table, rid, pending)


def split_links(links: Mapping[str, bytes | None]) -> tuple[dict[str, bytes], list[str]]:
    """The links that seats gave, and the seats that timed out."""
    given = {seat: link for seat, link in links.items() if link is not None}
    return given, [seat for seat, link in links.items() if link is None]


def owner_of(game: Game, pending: PendingChance) -> str | None:
    """The seat that alone may see the pick; None where all may see it."""
    public = bool(game.rules.cards_visibility == CardVisibility.PUBLIC)
    if pending.chance == Chance.CARD and not public:
        return game.turn
    if pending.chance == Chance.MISSION or (pending.chance == Chance.STARTING_CARD and not public):
        return _receiver(game, pending)
    return None


def _receiver(game: Game, pending: PendingChance) -> str:
    """The seat that gets the next secret card or mission of the set-up.

    The rules alone know the order, so this tries each outcome on a copy until a seat gets one.
    """
    before = game.position
    for number, _ in enumerate(pending.things):
        after = copy_position(before)
        settle(after, game.rules, game.tables, number)
        for seat, colour in enumerate(game.colours):
            if (
                after.mission[seat] != before.mission[seat]
                or (after.card == seat).sum() > (before.card == seat).sum()
            ):
                return colour
    return game.colours[0]


def outcome_of(chain: Chain, table_seed: bytes, rid: bytes, pending: PendingChance) -> Outcome:
    """The outcome that the chain's answer to a request means for the pending chance."""
    answered = chain.answer(rid)
    assert answered is not None
    gives: Gives = answered.gives
    match gives:
        case Throw(attack, defence):
            return outcomes.Roll(attack, defence)
        case Faces(faces):
            return outcomes.Dice(faces)
        case Picked(_, thing):
            return outcomes.Pick(thing)
        case _:
            return outcomes.Pick(card(chain, table_seed, rid, pending.things).thing)


def _pending(game: Game) -> PendingChance:
    pending = game.pending
    assert pending is not None
    return pending
