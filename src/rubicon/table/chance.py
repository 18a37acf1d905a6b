"""What a game owes to chance, as a question to the dice, and the dice's answer as an outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rubicon.dice.asks import Ask, Battle, Faces, Gives, Pick, Picked, SeatDice, SecretPick, Throw
from rubicon.dice.bodies import Keeper, Opened, Request
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
from rubicon.rules import outcomes
from rubicon.rules.choices import CardVisibility
from rubicon.rules.game import Game
from rubicon.rules.outcomes import Outcome, Owed
from rubicon.rules.position import Chance, copy_position
from rubicon.rules.procedures.play import settle

NOT_HERE = b""  # in the store, in place of a seed that is somebody else's
SETUP_ORDER = "begin"  # the words of a request that no decision led to
KEPT_LINKS = 128  # of the chains that the dice side keeps: one enters each roll of another seat


@dataclass(frozen=True, slots=True)
class HeldSeeds:
    """What the store holds of a game's seeds; `dice` None where it is somebody else's."""

    dice: bytes | None = field(repr=False)
    table: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if self.dice is not None:
            Seeds(self.dice, self.table)

    @property
    def both(self) -> Seeds:
        """The two of them, where the dice are rolled here."""
        assert self.dice is not None
        return Seeds(self.dice, self.table)


def request(game: Game, chain: Chain, table_seed: bytes, order: Order) -> tuple[Entry, Opened]:
    """The chain's request for what is owed, and what it keeps hidden until the end."""
    owed = _owed(game)
    owner = owner_of(game, owed)
    what: Ask
    if owner is not None:
        what = hidden_pick(table_seed, chain.game, order, owner, owed.things)
    elif owed.chance == Chance.BATTLE:
        what = Battle(owed.attack_dice, owed.defence_dice)
    elif owed.chance == Chance.DICE:
        what = SeatDice(owed.seats)
    else:
        what = Pick(owed.things)
    entry = ask(chain, table_seed, order, what)
    assert isinstance(entry.body, Request)
    hidden = owed.things if owner is not None else ()
    return entry, Opened(entry.body.rid, order.text, hidden)


def used_up(chain: Chain, dice_seed: bytes | None) -> Iterator[Entry]:
    """New chains for the seats whose kept one is used up; each must be appended.

    None where the seed is not here: whoever has it deposited chains that last (`Promise`).
    """
    if dice_seed is None:
        return
    for seat, links in chain.state.links.items():
        if links.keeper is Keeper.DICE and not links.live:
            yield keep(chain, dice_seed, seat, KEPT_LINKS)


def opened_of(game: Game, rid: str, words: str) -> Opened:
    """What a request for what is owed keeps hidden until the end."""
    owed = _owed(game)
    hidden = owner_of(game, owed) is not None
    return Opened(bytes.fromhex(rid), words, owed.things if hidden else ())


def outcome(
    game: Game,
    chain: Chain,
    seeds: HeldSeeds,
    links: Mapping[str, bytes | None],
    reply: Reply | None = None,
) -> tuple[Entry, Outcome]:
    """The chain's answer to what it asks, from both seeds or a dice server's reply; the outcome.

    `links` are what the seats gave that keep their own chains; None for one that was silent.
    """
    assert chain.owed is not None
    rid, owed = chain.owed.rid, _owed(game)
    things = owed.things if isinstance(chain.owed.ask, SecretPick) else ()
    if reply is None:
        given, silent = told_apart(links)
        entry = answer(chain, seeds.both, links=given, silent=silent, things=things)
    else:
        if any(reply.links.get(seat) != link for seat, link in links.items()):
            message = "The dice were made with other links than the seats gave."
            raise DiceError("dice/other-links", message)
        entry = answer_from(chain, seeds.table, reply, things)
    chain.append(entry)
    return entry, outcome_of(chain, seeds.table, rid, owed)


def told_apart(links: Mapping[str, bytes | None]) -> tuple[dict[str, bytes], list[str]]:
    """The links that seats gave, and the seats that were silent."""
    given = {seat: link for seat, link in links.items() if link is not None}
    return given, [seat for seat, link in links.items() if link is None]


def owner_of(game: Game, owed: Owed) -> str | None:
    """Whose secret the pick is going to be; None where all may see it."""
    public = bool(game.rules.cards_visibility == CardVisibility.PUBLIC)
    if owed.chance == Chance.CARD and not public:
        return game.turn
    if owed.chance == Chance.MISSION or (owed.chance == Chance.STARTING_CARD and not public):
        return _receiver(game, owed)
    return None


def _receiver(game: Game, owed: Owed) -> str:
    """The seat that the next secret thing of the set-up goes to."""
    before = game.position
    for number, _ in enumerate(owed.things):
        after = copy_position(before)
        settle(after, game.rules, game.tables, number)
        for seat, colour in enumerate(game.colours):
            if (
                after.mission[seat] != before.mission[seat]
                or (after.card == seat).sum() > (before.card == seat).sum()
            ):
                return colour
    return game.colours[0]


def outcome_of(chain: Chain, table_seed: bytes, rid: bytes, owed: Owed) -> Outcome:
    """What the chain's answer to a request means for what was owed."""
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
            return outcomes.Pick(card(chain, table_seed, rid, owed.things).thing)


def _owed(game: Game) -> Owed:
    owed = game.owed
    assert owed is not None
    return owed
