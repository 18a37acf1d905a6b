"""Transcripts that were tampered with, each with the line and the code that must be named.

The operator signs what he likes, and in most of these all clients help him: they sign their links
and presence behind the forged line. So only the clause that a forgery is for can refuse it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from rubicon.dice.crypto import LONGEST, SHORTEST, canonical, digest, sign
from rubicon.dice.example import LENGTH
from rubicon.dice.lines.members import LaterDeposit, Lost
from rubicon.dice.lines.opening import End, Opened, Shown
from rubicon.dice.lines.request import Answer, GivenLink, LinksLine
from rubicon.dice.lines.state import (
    DICE_SERVER,
    SERVER,
    BattleAsk,
    BattleDraw,
    PickAsk,
    PickDraw,
    SealedAsk,
    SealedDraw,
    SeatsAsk,
    SeatsDraw,
    given_hash,
)
from tests.dice.forging import (
    OTHER,
    ROGUE,
    Forgery,
    Form,
    OtherFormat,
    Recipe,
    altered,
    before,
    certified,
    chain,
    changed,
    chosen_seal,
    end_with,
    given,
    later,
    left_out,
    listed,
    more_draws,
    other_card,
    other_face,
    other_salt,
    presence,
    private,
    redrawn,
    sealed_again,
    sealed_for,
    shown,
    signed_again,
    signed_by,
    signed_over,
    silent,
    some_deposit,
    twice,
    unlisted,
    weak,
    with_draws,
    with_link,
    with_participant,
    without_link,
    without_server,
)
from tests.dice.tables import forged, whole

GENESIS = [
    ("another format", "genesis", lambda table, body: [OtherFormat(body)]),
    ("a wait that is too long", "wrong-form", changed(roll_wait=3_601)),
    ("a set-up that waits too long", "wrong-form", changed(setup_wait=86_401)),
    ("a seat twice", "wrong-form", changed(seats=("red", "blue", "red"))),
    ("too many seats", "wrong-form", changed(seats=tuple(f"seat{n}" for n in range(17)))),
    ("a table without a name", "wrong-form", changed(table="")),
    ("no server among the participants", "participants", altered(without_server)),
    ("a seat that is called server", "participants", changed(seats=("red", "blue", SERVER))),
    ("a seat that is called dice", "participants", changed(seats=("red", "blue", DICE_SERVER))),
    ("another server key", "participants", changed(key=chain("", 64).key)),
    (
        "a participant without a seat",
        "participants",
        with_participant("pink", chain("pink", LENGTH).deposit()),
    ),
    (
        "a later chain in the genesis",
        "participants",
        with_participant("green.1", chain("green", LENGTH).deposit()),
    ),
    (
        "a deposit of one seat for another",
        "participants",
        with_participant("green", chain("pink", LENGTH).deposit()),
    ),
    (
        "a seat's deposit for the dice server",
        "participants",
        with_participant(DICE_SERVER, chain("green", LENGTH).deposit()),
    ),
    (
        "one key for two seats",
        "participants",
        with_participant("green", chain("green", LENGTH, key=private("red")).deposit()),
    ),
    (
        "a deposit for another table",
        "wrong-signature",
        with_participant("green", chain("green", LENGTH, table="other").deposit()),
    ),
    (
        "a deposit that is not signed",
        "wrong-signature",
        with_participant("green", replace(chain("green", LENGTH).deposit(), sig=bytes(64))),
    ),
    (
        "a deposit with another end",
        "wrong-signature",
        with_participant("green", replace(chain("green", LENGTH).deposit(), end=bytes(32))),
    ),
    (
        "a deposit with another nonce",
        "wrong-signature",
        with_participant("green", replace(chain("green", LENGTH).deposit(), nonce=bytes(16))),
    ),
    (
        "a chain that is too short",
        "chain-length",
        with_participant("green", chain("green", SHORTEST - 1).deposit()),
    ),
    (
        "a chain that is too long",
        "chain-length",
        with_participant("green", chain("green", LONGEST + 1).deposit()),
    ),
    (
        "a dice server's chain that is too short",
        "chain-length",
        with_participant(DICE_SERVER, chain("", LONGEST).deposit()),
    ),
    (
        "a key of small order",
        "weak-key",
        with_participant("green", weak(chain("green", LENGTH).deposit())),
    ),
]


DEPOSITS = [
    ("a later chain with another number", 0, "wrong-id", changed(id="red.2")),
    ("a later chain of no seat", 0, "seat", later(seat="pink")),
    ("a later chain of the server", 0, "seat", later(seat="")),
    ("a later chain for another table", 0, "wrong-signature", later(table="other")),
    ("a later chain of another length", 0, "chain-length", later(length=SHORTEST - 1)),
    (
        "a later chain with another seat's key",
        0,
        "participants",
        later(private_key=private("blue")),
    ),
    (
        "a later chain with the server's key",
        0,
        "participants",
        later(private_key=bytes(range(64, 96))),
    ),
    (
        "a chain that was deposited before",
        0,
        "chain-known",
        later(private_key=private("red"), secret=digest("red")),
    ),
    ("a certificate by another seat", 0, "wrong-signature", certified(private("blue"))),
    ("a certificate by the new key itself", 0, "wrong-signature", certified(private("red.1"))),
    ("a certificate for another seat", 0, "wrong-signature", certified(private("red"), "blue")),
    (
        "a certificate for another table",
        0,
        "wrong-signature",
        certified(private("red"), "red", "x"),
    ),
    (
        "a later chain with a weak key",
        0,
        "weak-key",
        altered(lambda _, body: replace(body, deposit=weak(body.deposit))),
    ),
]

# A line may not stand where it is put: before the line of a kind with this number.
MISPLACED = [
    ("joined, though it is in", "request", 1, "presence", presence("joined", "red")),
    ("joined, a stranger", "request", 1, "presence", presence("joined", "pink")),
    ("joined, the server", "request", 1, "presence", presence("joined", SERVER)),
    ("left, though it is not in", "joined", 0, "presence", presence("left", "red")),
    ("left twice", "request", 8, "presence", presence("left", "red.1")),
    ("lost, though it is not in", "joined", 0, "presence", lambda _: Lost("red")),
    ("lost, a stranger", "request", 1, "presence", lambda _: Lost("pink")),
    ("lost, the server", "request", 1, "presence", lambda _: Lost(SERVER)),
    ("lost, the bot", "request", 1, "presence", lambda _: Lost("green")),
    (
        "left, signed before it came back",
        "request",
        5,
        "stale-head",
        presence("left", "red", back=2),
    ),
    (
        "joined once more with the old signature",
        "request",
        9,
        "stale-head",
        presence("left", "red", back=3),
    ),
    ("joined behind two silences", "joined", 2, "out", presence("joined", "red")),
    (
        "a chain behind two silences",
        "joined",
        2,
        "out",
        lambda _: LaterDeposit("red.2", chain("red", LENGTH).deposit()),
    ),
    ("a deposit while a request waits", "answer", 1, "answer-owed", some_deposit),
    ("joined while a request waits", "answer", 4, "answer-owed", presence("joined", "red")),
    ("left while a request waits", "answer", 1, "answer-owed", presence("left", "red")),
    ("lost while a request waits", "answer", 1, "answer-owed", lambda _: Lost("red")),
    (
        "shown while a request waits",
        "answer",
        3,
        "answer-owed",
        lambda table: Shown(2, 0, table.cards[0][2]),
    ),
    (
        "an end that is not broken while a request waits",
        "answer",
        1,
        "broken",
        lambda table: End(False, table.secrets.seed, table.words, []),
    ),
    (
        "a card of a public pick",
        "request",
        3,
        "nothing-sealed",
        lambda table: Shown(0, 1, table.cards[0][2]),
    ),
    ("an answer to nothing", "request", 1, "nothing-owed", lambda _: Answer(0, {}, ())),
    ("links to nothing", "request", 1, "nothing-owed", lambda _: LinksLine(0, {})),
    ("links without a dice server", "answer", 0, "links", lambda _: LinksLine(0, {})),
]

PRESENCE = [
    ("joined with an unknown head", "joined", 0, "stale-head", signed_again(head=OTHER)),
    ("joined with the wrong number", "joined", 0, "stale-head", signed_again(seen=1)),
    ("joined with a head to come", "joined", 0, "stale-head", signed_again(seen=999)),
    (
        "joined, signed by another",
        "joined",
        0,
        "wrong-signature",
        altered(lambda table, _: presence("joined", "red", key=private("blue"))(table)),
    ),
    (
        "joined, signed as left",
        "joined",
        0,
        "wrong-signature",
        altered(lambda table, _: presence("joined", "red", signs="left")(table)),
    ),
    (
        "left, signed by nobody",
        "left",
        0,
        "wrong-signature",
        changed(sig=bytes(64)),
    ),
]

REQUEST_FORGERIES = [
    ("a request is missing", 1, "wrong-number", changed(n=2)),
    ("a request's number twice", 1, "wrong-number", changed(n=0)),
    ("a request of no seat", 1, "seat", changed(seat="pink")),
    ("a decision in the set-up", 0, "seat", changed(decision=1)),
    ("a request for no draws", 1, "wrong-form", changed(rolls=0)),
    ("a request for too many draws", 1, "wrong-form", changed(rolls=65)),
    ("too many dice", 1, "wrong-form", changed(ask=BattleAsk(17, 1))),
    ("no dice", 1, "wrong-form", changed(ask=BattleAsk(0, 1))),
    ("dice for nobody", 0, "seat", changed(ask=SeatsAsk(("red", "pink")))),
    ("dice for no seat", 0, "wrong-form", changed(ask=SeatsAsk(()))),
    ("a pick of too many", 0, "wrong-form", changed(ask=PickAsk(257))),
    ("a pick of nothing", 0, "wrong-form", changed(ask=PickAsk(0))),
    ("a card for nobody", 2, "seat", changed(ask=SealedAsk(3, "pink"))),
    ("a card of too many", 2, "wrong-form", changed(ask=SealedAsk(257, "red"))),
    ("the same decision asks again", 2, "asked-again", changed(seat="red", decision=3)),
    ("signed by one who is not in", 4, "signer-left-out", signed_by("red")),
    ("signed by an earlier chain", 6, "signer-left-out", signed_by("red")),
    ("signed by another seat", 1, "signer-left-out", signed_by("blue")),
    ("signed by the server", 1, "signer-left-out", signed_by(SERVER)),
    ("signed by a stranger", 1, "signer-left-out", signed_by("pink")),
    ("other words in the request", 1, "wrong-order", changed(order=OTHER)),
    ("an order with another signature", 1, "wrong-signature",
     signed_over("ATTACK alaska -> kamchatka", 3, bytes(32))),
    ("an order, signed for another decision", 1, "wrong-signature",
     signed_over("ATTACK alaska -> kamchatka UNTIL 3", 4, bytes(32))),
    ("an order, signed behind another head", 1, "wrong-signature",
     signed_over("ATTACK alaska -> kamchatka UNTIL 3", 3, OTHER)),
]  # fmt: skip

ANSWERS = [
    ("an answer to another request", 1, "other-request", changed(n=0)),
    ("a participant left out", 1, "participants", without_link("blue")),
    ("the server left out", 1, "participants", without_link(SERVER)),
    ("a participant who is not in", 4, "participants",
     with_link("red", lambda table, _: given(table, "red"))),
    ("a chain that another has replaced", 6, "participants",
     with_link("red", lambda table, _: given(table, "red"))),
    ("one who is lost", 8, "participants",
     with_link("blue.1", lambda table, _: given(table, "blue.1"))),
    ("one who has left", 8, "participants",
     with_link("red.1", lambda table, _: given(table, "red.1"))),
    ("a stranger", 1, "participants", with_link("pink", lambda table, _: given(table, "red"))),
    ("a silent server", 3, "links", silent(SERVER)),
    ("a silence and three rolls", 1, "rolls", silent("blue")),
    ("a link that is no link", 3, "wrong-link",
     with_link("blue", lambda table, _: replace(given(table, "blue"), link=OTHER))),
    ("a link that was used before", 3, "wrong-link",
     with_link("blue", lambda table, _: given(table, "blue", further=1))),
    ("a link too far back", 3, "wrong-link",
     with_link("blue", lambda table, _: given(table, "blue", further=-1))),
    ("another participant's link", 1, "wrong-link",
     with_link("blue", lambda table, _: given(table, "red"))),
    ("a server link that is no link", 1, "wrong-link",
     with_link(SERVER, lambda _, __: GivenLink(OTHER))),
    ("a server link that was used before", 1, "wrong-link",
     with_link(SERVER, lambda table, _: given(table, SERVER, further=1))),
    ("a link, signed by another", 1, "wrong-signature",
     with_link("blue", lambda table, _: given(table, "blue", key=private("red")))),
    ("a link, signed for another request", 1, "wrong-signature",
     with_link("blue", lambda table, _: given(table, "blue", n=0))),
    ("a link, signed behind another head", 1, "wrong-signature",
     with_link("blue", lambda table, _: given(table, "blue", head=OTHER))),
    ("a link, signed under another genesis", 1, "wrong-signature",
     with_link("blue", lambda table, _: given(table, "blue", genesis=OTHER))),
    ("a link without a signature", 1, "wrong-form",
     with_link("blue", lambda table, _: replace(given(table, "blue"), sig=b""))),
    ("a server link with a signature", 1, "wrong-form",
     with_link(SERVER, lambda table, _: replace(given(table, SERVER), sig=bytes(64)))),
    ("no draw", 1, "rolls", with_draws(list.clear)),
    ("more draws than were asked for", 5, "rolls", more_draws(1)),
    ("too many draws for any request", 1, "wrong-form", more_draws(70)),
    ("more dice than were asked for", 1, "other-draw",
     altered(lambda table, answer: redrawn(
         table, replace(answer, draws=[BattleDraw((1, 1, 1), (1,))])))),
    ("a card where dice were asked for", 1, "other-draw",
     with_draws(lambda draws: draws.insert(0, SealedDraw(OTHER, 3, "red")))),
    ("a card for another seat", 2, "other-draw",
     with_draws(lambda draws: draws.append(replace(draws.pop(), owner="blue")))),
    ("a card of fewer", 2, "other-draw",
     with_draws(lambda draws: draws.append(replace(draws.pop(), of=2)))),
    ("a changed die", 1, "wrong-dice",
     with_draws(lambda draws: draws.insert(0, other_face(draws.pop(0))))),
    ("a changed die of the last roll", 1, "wrong-dice",
     with_draws(lambda draws: draws.append(other_face(draws.pop())))),
    ("a roll dropped from the middle", 1, "wrong-dice", with_draws(lambda draws: draws.pop(1))),
    ("rolls in another order", 1, "wrong-dice", with_draws(list.reverse)),
    ("a changed die of a seat", 0, "wrong-dice",
     with_draws(lambda draws: draws.insert(0, SeatsDraw(
         tuple((seat, face % 6 + 1) for seat, face in draws.pop(0).faces))))),
    ("another pick", 0, "wrong-dice",
     with_draws(lambda draws: draws.insert(1, PickDraw(
         (draws[1].index + 1) % 3, 3, draws.pop(1).thing)))),
    ("a pick beyond the last", 0, "wrong-form",
     with_draws(lambda draws: draws.insert(1, PickDraw(3, 3, draws.pop(1).thing)))),
    ("a card of the operator's choice", 7, "wrong-sealed", other_card),
    ("a salt of the operator's choice", 7, "wrong-sealed", other_salt),
    ("a die of seven", 1, "wrong-form", with_draws(lambda draws: draws.append(
        BattleDraw((7,), (1,))))),
]  # fmt: skip

LINKS = [
    ("a list for another request", "links", 1, "other-request", changed(n=0)),
    ("a list without a participant", "links", 1, "participants", unlisted("blue")),
    ("a list with the dice server", "links", 1, "participants", listed(DICE_SERVER, OTHER)),
    ("a list with a stranger", "links", 1, "participants", listed("pink", OTHER)),
    ("a list without the server's link", "links", 1, "links", listed(SERVER, None)),
    ("a list that is missing", "answer", 1, "links", altered(lambda _, answer: answer)),
    ("another link than was listed", "answer", 3, "other-link",
     silent("blue")),
    ("a silent dice server", "answer", 3, "links", silent(DICE_SERVER)),
    ("the dice server left out", "answer", 1, "participants", without_link(DICE_SERVER)),
    ("a dice server's link behind the request", "answer", 1, "wrong-signature",
     with_link(DICE_SERVER, lambda table, _: given(table, DICE_SERVER))),
    ("a dice server's link that is no link", "answer", 1, "wrong-link",
     with_link(DICE_SERVER, lambda table, _: replace(given(table, DICE_SERVER), link=OTHER))),
    ("another chain's hash in the list", "answer", 1, "other-link",
     altered(lambda _, answer: answer)),
    ("a silence in the list only", "answer", 1, "other-link", altered(lambda _, answer: answer)),
]  # fmt: skip
LISTED = {
    "a list that is missing": ("links", 1, left_out),
    "another chain's hash in the list": ("links", 1, listed("blue", given_hash(OTHER))),
    "a silence in the list only": ("links", 1, listed("blue", None)),
}

PLACEMENTS = [
    ("a seal of no seat", "sealed", 1, "seat", changed(seat="pink")),
    ("a second seal of a seat", "sealed", 2, "sealed-again",
     before(sealed_again("red", "place alberta 3"))),
    ("a second seal behind an opening", "opened", 1, "sealed-again",
     before(sealed_again("red", "place alberta 3"))),
    ("a seal by another seat's client", "sealed", 0, "signer-left-out",
     sealed_for("place alaska 3")),
    ("a seal by a client that is not in", "sealed", 1, "signer-left-out",
     sealed_for("place siam 3", name="blue.1")),
    ("a seal by a stranger", "sealed", 1, "signer-left-out",
     sealed_for("place siam 3", name="pink")),
    ("a seal with a stranger's key", "sealed", 1, "wrong-signature",
     sealed_for("place siam 3", key="red")),
    ("a seal of another decision", "sealed", 1, "wrong-signature",
     sealed_for("place siam 3", decision=30)),
    ("a seal with another hash", "sealed", 1, "wrong-signature", changed(hash=OTHER)),
    ("a seal of the server for a decision", "sealed", 0, "wrong-form", changed(decision=3)),
    ("a client that seals nothing", "sealed", 1, "wrong-form", changed(hash=None)),
    ("a seal for an unknown head", "sealed", 1, "stale-head",
     altered(lambda _, body: replace(body, signed=replace(body.signed, head=OTHER)))),
    ("an opening before all are in", "sealed", 2, "opened-early",
     before(lambda _: Opened("blue", "place siam 3", digest("salt of", "blue")))),
    ("an opening of no seat", "opened", 0, "wrong-opening", changed(seat="pink")),
    ("an opening of one who places nothing", "opened", 0, "wrong-opening", changed(seat="green")),
    ("another opening than was sealed", "opened", 0, "wrong-opening",
     changed(text="place alberta 3")),
    ("another salt than was sealed", "opened", 0, "wrong-opening", changed(salt=OTHER)),
    ("an opening without a salt", "opened", 0, "wrong-opening", changed(salt=None)),
    ("a placement of the server not opened", "opened", 0, "wrong-opening",
     changed(text=None, salt=None)),
    ("played, but opened by nobody", "opened", 1, "placement-owed", left_out),
    ("who placed nothing plays on", "request", 10, "placed-nothing",
     changed(seat="green", signed=None)),
    ("who placed nothing attacks out of turn", "request", 10, "placed-nothing",
     changed(seat="green", decision=0, rolls=1, signed=None)),
    ("sealed while a request waits", "answer", 1, "answer-owed",
     before(sealed_again("red", "place alaska 3"))),
    ("a salt that the server has chosen", "sealed", 0, "wrong-sealed", chosen_seal),
]  # fmt: skip
SHIFTED = {"a salt that the server has chosen": 3}

ENDS = [
    ("an end that is called broken", "broken", changed(broken=True)),
    ("another seed", "wrong-seed", changed(seed=OTHER)),
    ("an order that is not opened", "not-opened",
     end_with(lambda end: replace(end, orders=end.orders[:-1]))),
    ("an order too many", "not-opened",
     end_with(lambda end: replace(end, orders=[*end.orders, "attack"]))),
    ("a card that is not opened", "not-opened",
     end_with(lambda end: replace(end, cards=end.cards[:-1]))),
    ("cards in another order", "not-opened",
     end_with(lambda end: replace(end, cards=end.cards[::-1]))),
    ("a card twice", "not-opened",
     end_with(lambda end: replace(end, cards=[end.cards[0], *end.cards]))),
]  # fmt: skip


def recipes() -> list[Recipe]:
    """All forgeries in which the clients help."""
    found = [Recipe(name, "genesis", 0, code, change) for name, code, change in GENESIS]
    found += [Recipe(name, "deposit", n, code, change) for name, n, code, change in DEPOSITS]
    found += [Recipe(*one[:4], before(one[4])) for one in MISPLACED]
    found += [Recipe(*one) for one in PRESENCE]
    found += [
        Recipe(name, "request", n, code, change) for name, n, code, change in REQUEST_FORGERIES
    ]
    found += [Recipe(name, "answer", n, code, change) for name, n, code, change in ANSWERS]
    found += [Recipe(*one, dice_server=True) for one in LINKS if one[0] not in LISTED]
    found += [Recipe(*one, SHIFTED.get(one[0], 0)) for one in PLACEMENTS]
    found += [Recipe(name, "end", 0, code, change) for name, code, change in ENDS]
    found += [
        Recipe("two beginnings", "genesis", 0, "genesis", twice, 1),
        Recipe("no beginning", "genesis", 0, "genesis", before(lambda _: Lost("red"))),
        Recipe("a request twice", "request", 1, "answer-owed", twice, 1),
        Recipe("an answer twice", "answer", 1, "nothing-owed", twice, 1),
        Recipe("an answer is missing", "answer", 1, "answer-owed", left_out),
        Recipe("a card shown twice", "shown", 0, "nothing-sealed", twice, 1),
        Recipe("a line behind the end", "end", 0, "closed", twice, 1),
        Recipe("two lists of links", "links", 1, "links", twice, 1, dice_server=True),
        Recipe("a chain deposited twice", "deposit", 0, "wrong-id", twice, 1),
        Recipe("a shown card of another number", "shown", 0, "nothing-sealed", changed(number=1)),
        Recipe("another shown card", "shown", 0, "wrong-card", shown(thing="ural")),
        Recipe("another place of a shown card", "shown", 0, "wrong-card", shown(index=9)),
        Recipe("another salt of a shown card", "shown", 0, "wrong-card", shown(salt=OTHER)),
    ]
    return found


# What an editor does to the file: `resigned` makes numbers, heads and the server's signatures fit.

HONEST = whole()
LINES = [entry.text() for entry in HONEST]
WITH_DICE_SERVER = [entry.text() for entry in whole(dice_server=True)]
HEADS = [f"{entry.seq}:{entry.head.hex()}" for entry in HONEST]
PRIVATE_KEY = bytes(range(64, 96))


def resigned(forms: list[Form], private_key: bytes = PRIVATE_KEY) -> list[str]:
    """The lines as the operator writes them again."""
    prev, lines = bytes(32), []
    for seq, form in enumerate(forms):
        bare = {"seq": seq, "prev": prev.hex(), "kind": form["kind"], "body": form["body"]}
        prev = digest("entry", canonical(bare))
        lines.append(canonical(bare | {"sig": sign(private_key, prev).hex()}))
    return lines


def forms() -> list[Form]:
    """The honest lines as JSON."""
    return [json.loads(line) for line in LINES]


def edited(name: str, seq: int, code: str, change: Callable[[list[Form]], object]) -> Forgery:
    """The operator changes the file, and signs all of it again."""
    changed_forms = forms()
    change(changed_forms)
    return Forgery(name, resigned(changed_forms), seq, code)


def naive(name: str, seq: int, code: str, change: Callable[[list[Form]], object]) -> Forgery:
    """Somebody changes the file, and leaves all heads and signatures as they were."""
    changed_forms = forms()
    change(changed_forms)
    return Forgery(name, [canonical(form) for form in changed_forms], seq, code)


def text(name: str, seq: int, code: str, change: Callable[[str], str]) -> Forgery:
    """One line is written otherwise."""
    lines = list(LINES)
    lines[seq] = change(lines[seq])
    return Forgery(name, lines, seq, code)


def all_forgeries() -> list[Forgery]:
    """Every forgery."""
    listed_ones = []
    for name, *_, code, _change in LINKS:
        if name in LISTED:
            first, at, change = LISTED[name]
            entries, places = forged({(first, at): change}, dice_server=True)
            shift = 0 if change is left_out else 1
            lines = [entry.text() for entry in entries]
            listed_ones.append(Forgery(name, lines, places[0] + shift, code))
    answer = next(entry.seq for entry in HONEST if entry.kind == "answer")
    third = [entry.seq for entry in HONEST if entry.kind == "request"][3]
    last = len(LINES) - 1
    rebuilt = forged({("request", 3): changed(rolls=7)})[0]
    return [
        *[recipe.make() for recipe in recipes()],
        *listed_ones,
        naive("a changed die, heads as they were", answer, "wrong-dice",
              lambda f: f[answer]["body"]["draws"][0]["seats"][0].__setitem__(
                  1, f[answer]["body"]["draws"][0]["seats"][0][1] % 6 + 1)),
        naive("a line left out", 2, "wrong-seq", lambda f: f.pop(2)),
        naive("lines in another order", 3, "wrong-seq", lambda f: f.insert(3, f.pop(4))),
        naive("another history before a line", 1, "wrong-prev",
              lambda f: f[1].update(prev=OTHER.hex())),
        naive("a genesis that nobody has signed", 0, "wrong-signature", lambda f: f[0].pop("sig")),
        naive("a line with another line's signature", 2, "wrong-signature",
              lambda f: f[2].update(sig=f[1]["sig"])),
        naive("an unsigned line that was changed", 4, "wrong-prev",
              lambda f: (f[3].pop("sig"), f[3]["body"].update(order=OTHER.hex()))),
        Forgery("all lines signed by another", resigned(forms(), ROGUE), 0, "wrong-signature"),
        edited("a request whose links are older", 8, "wrong-signature",
               lambda f: f[third]["body"].update(rolls=5)),
        edited("a field too many", 1, "wrong-form", lambda f: f[1]["body"].update(time=1)),
        edited("a field too few", 1, "wrong-form", lambda f: f[1]["body"].pop("signed")),
        edited("a kind that there is not", 1, "wrong-form", lambda f: f[1].update(kind="wish")),
        edited("a number that is text", 1, "wrong-form", lambda f: f[1]["body"].update(n="0")),
        edited("true for a number", 1, "wrong-form", lambda f: f[1]["body"].update(decision=True)),
        edited("a hash in capital letters", 1, "wrong-form",
               lambda f: f[1]["body"].update(order=f[1]["body"]["order"].upper())),
        text("a blank", 3, "not-canonical", lambda line: line.replace(":", ": ", 1)),
        text("fields in another order", 3, "not-canonical",
             lambda line: json.dumps(dict(reversed(json.loads(line).items())), ensure_ascii=False,
                                     separators=(",", ":"))),
        text("an escaped letter", 3, "not-canonical",
             lambda line: line.replace('"kind"', '"k\\u0069nd"')),
        text("a fraction", 3, "not-json", lambda line: line.replace('"seq":3', '"seq":3.0')),
        text("a field beside the body", 3, "wrong-form",
             lambda line: canonical(json.loads(line) | {"time": 1})),
        text("half a line", 3, "not-json", lambda line: line[:-5]),
        Forgery("a log cut behind a roll", LINES[:6], 6, "cut-log", (HEADS[8],)),
        Forgery("a log cut at the end", LINES[:last], last, "cut-log", (HEADS[last],)),
        Forgery("a history made anew", [one.text() for one in rebuilt], third, "other-history",
                (HEADS[third],)),
        Forgery("a history made anew, a short head", [one.text() for one in rebuilt], third,
                "other-history", (HEADS[third][:16],)),
    ]  # fmt: skip


FORGERIES = all_forgeries()
