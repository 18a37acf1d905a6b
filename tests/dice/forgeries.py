"""Chains that were tampered with, each with the entry and the code that must be named.

A forger who edits the file leaves heads that do not fit; one who knows what he does hashes again
from there (`rehashed`), and one with the seeds makes new answers as well (`remade`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rubicon.dice.asks import BattleRequest
from rubicon.dice.bodies import OpenedRequest
from rubicon.dice.canonical import canonical
from rubicon.dice.chain import Chain
from rubicon.dice.entry import Entry
from rubicon.dice.example import BLUE, CARDS, GAME, SEEDS, example_chain, opened
from rubicon.dice.hashing import digest
from rubicon.dice.seeds import kept_links, links_from
from rubicon.dice.writing import Order, answer, ask, request_of, reveal

Form = dict[str, Any]

HONEST = example_chain()
LINES = [entry.text() for entry in HONEST]
(FACES_ASK, FACES, PICK_ASK, PICK, DRAW_ASK, DRAWN, ROLL_ASK, ROLL, BATCH_ASK, BATCH) = range(3, 13)
ROLLED, SHOWN, REVEAL = 13, 14, 15
OTHER = bytes(range(100, 132))


def forms() -> list[Form]:
    """The honest entries as JSON."""
    return [json.loads(line) for line in LINES]


def lines_of(entries: list[Form]) -> list[str]:
    """The lines as they stand, heads unchanged."""
    return [canonical(entry) for entry in entries]


def rehashed(entries: list[Form]) -> list[str]:
    """The lines with numbers and heads made to fit."""
    body = entries[0]["body"]
    hashes = [bytes.fromhex(body[name]) for name in ("commit", "table")]
    prev = digest("genesis", body["game"], *hashes)
    for seq, entry in enumerate(entries):
        entry |= {"seq": seq, "prev": prev.hex()}
        prev = digest("entry", canonical(entry))
    return lines_of(entries)


@dataclass(frozen=True)
class Forgery:
    """What was done, and which entry must be blamed for what."""

    name: str
    lines: list[str]
    seq: int
    code: str
    heads: tuple[str, ...] = ()


def edited(name: str, seq: int, code: str, change: Callable[[list[Form]], object]) -> Forgery:
    """A forgery by an editor: `change` is applied to the forms, the heads are made to fit."""
    entries = forms()
    change(entries)
    return Forgery(name, rehashed(entries), seq, code)


def naive(name: str, seq: int, code: str, change: Callable[[list[Form]], object]) -> Forgery:
    """A forgery that leaves the heads as they were."""
    entries = forms()
    change(entries)
    return Forgery(name, lines_of(entries), seq, code)


def put(seq: int, value: object, *path: str | int) -> Callable[[list[Form]], object]:
    """Sets one value in the body of an entry."""

    def change(entries: list[Form]) -> None:
        place = entries[seq]["body"]
        for step in path[:-1]:
            place = place[step]
        assert place[path[-1]] != value
        place[path[-1]] = value

    return change


def without(*seqs: int) -> Callable[[list[Form]], object]:
    """Leaves entries out."""

    def change(entries: list[Form]) -> None:
        entries[:] = [entry for seq, entry in enumerate(entries) if seq not in seqs]

    return change


def swapped(one: int, other: int) -> Callable[[list[Form]], object]:
    """Lets two entries change places."""

    def change(entries: list[Form]) -> None:
        entries[one], entries[other] = entries[other], entries[one]

    return change


def doubled(seq: int, count: int, at: int) -> Callable[[list[Form]], object]:
    """Writes entries a second time."""

    def change(entries: list[Form]) -> None:
        entries[at:at] = json.loads(json.dumps(entries[seq : seq + count]))

    return change


def remade() -> list[str]:
    """A history made anew by who has the seeds: red attacked with another order."""
    table = SEEDS.table
    chain = Chain(HONEST.entries[:ROLL_ASK])
    order = Order("red", 2, 7, "attack alaska -> kamchatka dice 2")
    chain.append(ask(chain, table, order, BattleRequest(2, 2)))
    chain.append(answer(chain, SEEDS, links={"blue": BLUE[4]}))
    words = opened()[:3]
    last = OpenedRequest(request_of(table, GAME, order), order.text)
    chain.append(reveal(chain, SEEDS, [*words, last]))
    return [entry.text() for entry in chain]


def own_link(entries: list[Form]) -> None:
    """Red's own link enters red's roll."""
    red = kept_links(SEEDS.dice, GAME, "red", 1, 8)
    entries[ROLL]["body"]["links"] = {"red": red[3].hex(), "blue": BLUE[4].hex()}


def no_entropy(entries: list[Form]) -> None:
    """Nobody's link enters red's roll."""
    entries[ROLL]["body"]["links"] = {}


def false_silence(entries: list[Form]) -> None:
    """Blue opened its link, and the table says that it did not: other dice."""
    del entries[ROLL + 1 :]
    entries[ROLL]["body"]["links"]["blue"] = None
    entries.append(forms()[REVEAL])
    entries[-1]["body"]["opened"].pop()


def other_index(entries: list[Form]) -> None:
    """The table seals the card it likes, and shows it."""
    salt = bytes.fromhex(entries[SHOWN]["body"]["salt"])
    sealed = digest("sealed", salt, 3, "ural").hex()
    entries[DRAWN]["body"]["gives"]["sealed"] = sealed
    entries[SHOWN]["body"] |= {"index": 3, "thing": "ural"}


def reordered_things(entries: list[Form]) -> None:
    """At the end the things are said to have lain in another order."""
    things = entries[REVEAL]["body"]["opened"][2]["things"]
    assert tuple(things) == CARDS
    things.reverse()


def other_key(entries: list[Form]) -> None:
    """A key of the dice side's liking, with the dice that follow from it."""
    key = OTHER
    entries[ROLL]["body"]["key"] = key.hex()
    entries[ROLL]["body"]["gives"] = BattleRequest(3, 2).given(key).form()


def other_kept_chain(entries: list[Form]) -> None:
    """The dice side keeps a chain of its liking for red."""
    links = links_from(OTHER, 8)
    entries[1]["body"]["link"] = links[0].hex()
    uses = [
        entry["body"]["links"]
        for entry in entries
        if entry["kind"] == "answer" and "red" in entry["body"]["links"]
    ]
    for number, place in enumerate(uses, 1):
        place["red"] = links[number].hex()


def second_deposit(entries: list[Form]) -> None:
    """A kept chain is replaced while it has links left: a way to choose among dice."""
    other = json.loads(json.dumps(entries[1]))
    other["body"]["link"] = OTHER.hex()
    entries.insert(3, other)


def copied_deposit(entries: list[Form]) -> None:
    """Blue deposits what red has deposited."""
    entries[2]["body"]["link"] = entries[1]["body"]["link"]


def other_seeds(entries: list[Form]) -> None:
    """At the end other seeds are opened."""
    entries[REVEAL]["body"]["seed"] = OTHER.hex()


def heads_of(lines: list[str]) -> list[str]:
    """The heads that letters quoted."""
    return [f"{seq}:{Entry.parse(line).head.hex()}" for seq, line in enumerate(lines)]


def dropped_roll(entries: list[Form]) -> None:
    """A roll is left out everywhere."""
    entries[REVEAL]["body"]["opened"].pop(3)
    del entries[ROLL_ASK : ROLL + 1]


def swapped_dice(entries: list[Form]) -> None:
    """The same dice, the last of the attack first."""
    gives = entries[ROLL]["body"]["gives"]
    gives["attack"].reverse()


HEADS = heads_of(LINES)
KNOWN = HEADS[ROLL]

FORGERIES = [
    naive("a changed die", ROLL, "wrong-dice", put(ROLL, 5, "gives", "attack", 0)),
    edited("a changed die, hashed again", ROLL, "wrong-dice", put(ROLL, 1, "gives", "defence", 0)),
    edited("dice in another order", ROLL, "wrong-dice", swapped_dice),
    edited("a changed die of a seat", FACES, "wrong-dice", put(FACES, 6, "gives", "faces", 0)),
    edited(
        "a changed die of a batch", ROLLED, "wrong-dice", put(ROLLED, 6, "rolls", 1, "attack", 0)
    ),
    edited(
        "the first roll of a batch dropped",
        ROLLED,
        "wrong-dice",
        lambda entries: entries[ROLLED]["body"]["rolls"].pop(0),
    ),
    edited(
        "more rolls than were asked",
        ROLLED,
        "rolls",
        lambda entries: entries[ROLLED]["body"]["rolls"].extend(
            [{"attack": [1], "defence": [1]}] * 4
        ),
    ),
    edited("a batch without a roll", ROLLED, "rolls", put(ROLLED, [], "rolls")),
    edited("a roll without a defence", ROLLED, "rolls", put(ROLLED, [], "rolls", 0, "defence")),
    edited(
        "the rolls of another request", ROLLED, "other-request", put(ROLLED, OTHER.hex(), "rid")
    ),
    edited(
        "another pick", PICK, "wrong-dice", put(PICK, {"index": 1, "thing": "kamchatka"}, "gives")
    ),
    edited("a pick of another name", PICK, "wrong-dice", put(PICK, "ural", "gives", "thing")),
    edited(
        "a secret pick that is told",
        DRAWN,
        "wrong-gives",
        put(DRAWN, {"index": 0, "thing": "alaska"}, "gives"),
    ),
    edited("another key", ROLL, "wrong-key", other_key),
    naive("another key, heads as they were", ROLL + 1, "wrong-prev", other_key),
    Forgery("a log cut at the end", LINES[:REVEAL], REVEAL, "cut-log", (HEADS[REVEAL],)),
    Forgery("a log cut behind a roll", LINES[:ROLL], ROLL, "cut-log", (KNOWN,)),
    Forgery(
        "a cut log, the number not known",
        LINES[:ROLL],
        ROLL,
        "unknown-head",
        (KNOWN.partition(":")[2],),
    ),
    Forgery("a history made anew with the seeds", remade(), ROLL, "other-history", (KNOWN,)),
    Forgery("the same, a short head", remade(), ROLL, "other-history", (KNOWN[:24],)),
    Forgery(
        "the same, the number not known",
        remade(),
        ROLL + 2,
        "unknown-head",
        (KNOWN.partition(":")[2],),
    ),
    edited("no link at all", ROLL, "links", no_entropy),
    edited("other seeds", REVEAL, "wrong-seed", other_seeds),
    edited(
        "another seed of the table", REVEAL, "wrong-table-seed", put(REVEAL, OTHER.hex(), "table")
    ),
    edited("another promise", REVEAL, "wrong-seed", put(0, OTHER.hex(), "commit")),
    naive("a dropped roll", ROLL_ASK, "wrong-seq", without(ROLL_ASK, ROLL)),
    edited("a dropped roll, hashed again", REVEAL - 2, "not-opened", without(ROLL_ASK, ROLL)),
    edited("a dropped roll, not opened either", BATCH - 2, "wrong-key", dropped_roll),
    naive("a dropped answer", ROLL, "wrong-seq", without(ROLL)),
    edited("a dropped answer, hashed again", ROLL, "answer-owed", without(ROLL)),
    edited("dropped rolls of a batch", ROLLED, "rolled-owed", without(ROLLED)),
    naive("a repeated roll", ROLL + 1, "wrong-seq", doubled(ROLL_ASK, 2, ROLL + 1)),
    edited(
        "a repeated roll, hashed again", ROLL + 1, "asked-before", doubled(ROLL_ASK, 2, ROLL + 1)
    ),
    edited("a repeated answer", ROLL + 1, "nothing-owed", doubled(ROLL, 1, ROLL + 1)),
    naive("swapped entries", 1, "wrong-seq", swapped(1, 2)),
    edited("swapped answers, hashed again", FACES, "other-request", swapped(FACES, PICK)),
    edited("swapped requests, hashed again", FACES, "other-request", swapped(FACES_ASK, PICK_ASK)),
    naive("a changed request", ROLL, "wrong-prev", put(ROLL_ASK, 2, "ask", "attack")),
    edited(
        "a changed request, hashed again", ROLL, "wrong-dice", put(ROLL_ASK, 2, "ask", "attack")
    ),
    edited("a larger batch, hashed again", BATCH, "wrong-key", put(BATCH_ASK, 6, "ask", "rolls")),
    edited("a request of another seat", ROLL_ASK, "wrong-rid", put(ROLL_ASK, "blue", "seat")),
    edited("a request of another duty", ROLL_ASK, "wrong-rid", put(ROLL_ASK, 8, "duty")),
    edited(
        "a request of another order", ROLL_ASK, "wrong-rid", put(ROLL_ASK, OTHER.hex(), "order")
    ),
    edited("dice for nobody", FACES_ASK, "seat", put(FACES_ASK, ["red", "pink"], "ask", "seats")),
    edited("an answer to another request", ROLL, "other-request", put(ROLL, OTHER.hex(), "rid")),
    edited("a card that was not sealed", SHOWN, "wrong-card", put(SHOWN, "ural", "thing")),
    edited("a wrong salt", SHOWN, "wrong-card", put(SHOWN, OTHER.hex(), "salt")),
    edited("a card of no secret pick", SHOWN, "nothing-sealed", put(SHOWN, OTHER.hex(), "rid")),
    edited("a card shown twice", SHOWN + 1, "nothing-sealed", doubled(SHOWN, 1, SHOWN)),
    edited("a card of the table's liking", DRAWN, "wrong-sealed", other_index),
    edited("the things in another order", REVEAL, "wrong-things", reordered_things),
    edited(
        "other words of an order",
        REVEAL,
        "wrong-order",
        put(REVEAL, "attack", "opened", 3, "order"),
    ),
    edited(
        "an order that is not opened",
        REVEAL,
        "not-opened",
        lambda entries: entries[REVEAL]["body"]["opened"].pop(),
    ),
    edited(
        "hidden things where there are none",
        REVEAL,
        "wrong-things",
        put(REVEAL, ["alaska"], "opened", 3, "things"),
    ),
    edited("a wrong link", ROLL, "wrong-link", put(ROLL, OTHER.hex(), "links", "blue")),
    edited("a link too far", ROLL, "wrong-link", put(ROLL, BLUE[5].hex(), "links", "blue")),
    edited("the mover's own link", ROLL, "own-link", own_link),
    edited("a link of a stranger", ROLL, "links", put(ROLL, {"pink": OTHER.hex()}, "links")),
    edited("a seat that was not silent", ROLL, "wrong-key", false_silence),
    edited("the dice side silent", BATCH, "silent", put(BATCH, {"red": None}, "links")),
    edited("a kept chain of the dice side's liking", 1, "kept-link", other_kept_chain),
    edited("a kept chain replaced too soon", 3, "deposit-too-soon", second_deposit),
    edited("a copied deposit", 2, "link-known", copied_deposit),
    edited("a seat without a chain", 2, "no-deposit", without(2)),
    edited("a deposit of a stranger", 2, "seat", put(2, "pink", "seat")),
    edited("two beginnings", 1, "genesis", doubled(0, 1, 1)),
    edited("an entry behind the end", REVEAL + 1, "closed", doubled(SHOWN, 1, REVEAL + 1)),
    naive("another game", 0, "wrong-prev", put(0, "other", "game")),
    edited("another game, hashed again", FACES_ASK, "wrong-rid", put(0, "other", "game")),
    edited("a field too many", ROLL, "wrong-form", put(ROLL, {"seven": 7}, "gives")),
    naive("an unknown kind", 5, "wrong-form", lambda entries: entries[5].update(kind="wish")),
    edited("a die of seven", ROLL, "wrong-form", put(ROLL, 7, "gives", "attack", 0)),
]
