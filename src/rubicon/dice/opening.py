"""What only the opened seeds can tell: whether every key, link, order and card was as promised."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.dice.asks import Sealed, SecretPick
from rubicon.dice.bodies import AnswerBody, Deposit, Genesis, Keeper, OpenedRequest, Request, Reveal
from rubicon.dice.entry import Entry
from rubicon.dice.errors import require, require_same
from rubicon.dice.question import roll_key
from rubicon.dice.seeds import (
    card_salt,
    commitment,
    kept_links,
    order_hash,
    sealed_card,
    secret_index,
    table_commitment,
    things_hash,
)


def check_opening(entries: Sequence[Entry], reveal: Reveal) -> None:
    """See that the seeds are the promised ones, and that every entry follows from them.

    BadEntry blames the first entry that does not; the reveal itself where its own words are wrong.
    """
    genesis = entries[0].body
    assert isinstance(genesis, Genesis)
    check_promises(genesis, reveal)
    requests = [entry.body for entry in entries if isinstance(entry.body, Request)]
    opened = _by_request(reveal, requests)
    SeedOpening(genesis, reveal, opened).check(entries)


def check_promises(genesis: Genesis, reveal: Reveal) -> None:
    """See that the seeds are the promised ones; BadEntry where one is not."""
    _check_promise("wrong-seed", "dice", genesis.commit, commitment(reveal.seed))
    _check_promise("wrong-table-seed", "table's", genesis.table, table_commitment(reveal.table))


def _check_promise(code: str, whose: str, wanted: bytes, found: bytes) -> None:
    message = f"The {whose} seed is not the one that was promised before the game."
    require_same(code, message, wanted, found)


def _by_request(reveal: Reveal, requests: Sequence[Request]) -> dict[bytes, OpenedRequest]:
    wanted, found = [body.rid for body in requests], [opened.rid for opened in reveal.opened]
    counts = f"{len(wanted)} requests", f"{len(found)}, not the same"
    require(wanted == found, "not-opened", "Every request is opened, in order.", *counts)
    return {opened.rid: opened for opened in reveal.opened}


class SeedOpening:
    """The check of all entries against the opened seeds."""

    def __init__(
        self, genesis: Genesis, reveal: Reveal, opened: dict[bytes, OpenedRequest]
    ) -> None:
        self.game = genesis.game
        self.seed = reveal.seed
        self.table = reveal.table
        self.opened = opened
        self.epochs = dict.fromkeys(genesis.seats, 0)

    def check(self, entries: Sequence[Entry]) -> None:
        """Every entry, the first bad one first."""
        for entry in entries:
            match entry.body:
                case Deposit():
                    self._check_deposit(entry.seq, entry.body)
                case Request():
                    self._check_order(entry.body)
                case AnswerBody():
                    self._check_answer(entry, entry.body)

    def _check_deposit(self, seq: int, body: Deposit) -> None:
        self.epochs[body.seat] += 1
        if body.keeper == Keeper.SEAT:
            return
        links = kept_links(self.seed, self.game, body.seat, self.epochs[body.seat], body.length)
        message = f"The chain kept for {body.seat} does not follow from the seed."
        require_same("kept-link", message, links[0], body.link, seq)

    def _check_order(self, body: Request) -> None:
        opened = self.opened[body.rid]
        order = order_hash(self.table, self.game, body.seat, body.duty, body.entry, opened.order)
        message = f"The order of log entry {body.entry} was another one."
        require_same("wrong-order", message, body.order, order)
        if isinstance(body.ask, SecretPick):
            things = things_hash(self.table, body.rid, opened.things)
            message = f"The things to pick from at log entry {body.entry} were others."
            require_same("wrong-things", message, body.ask.things, things)
            count, of = len(opened.things), body.ask.of
            require(count == of, "wrong-things", message, f"{of} things", str(count))
        else:
            message = "Only a secret pick has hidden things."
            require(not opened.things, "wrong-things", message, "none", str(opened.things))

    def _check_answer(self, entry: Entry, body: AnswerBody) -> None:
        key = roll_key(self.seed, self.game, entry.seq, entry.prev, body.rid, body.links)
        message = "The key does not follow from the seed."
        require_same("wrong-key", message, key, body.key, entry.seq)
        if isinstance(body.gives, Sealed):
            self._check_card(entry.seq, body, body.gives)

    def _check_card(self, seq: int, body: AnswerBody, gives: Sealed) -> None:
        things = self.opened[body.rid].things
        index = secret_index(self.table, body.key, len(things))
        wanted = sealed_card(card_salt(self.table, body.rid), index, things[index])
        message = "The sealed card is not the one that chance picked."
        require_same("wrong-sealed", message, wanted, gives.sealed, seq)
