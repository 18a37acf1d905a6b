"""Check a transcript of fair dice (format rdice/2).

python3 check_dice.py FILE [--head SEQ:HEX …] [--key HEX]

It needs Python 3.11 alone; where the package `cryptography` is installed it checks all signatures
as well. Exit status: 0 every line is good, 1 a line is bad (the first one is named), 2 the file is
no transcript.
"""

import argparse
import functools
import hashlib
import hmac
import json
import re
import sys
from dataclasses import dataclass, field

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    Ed25519PublicKey = None

MOST = 2**53 - 1  # the largest whole number that every reader of JSON knows
REQUIRED = 16_384  # links of the server's chain and of the dice server's
SEEN_WITHIN = 256  # entries between a head that was seen and the line that names it
SILENCES = 2  # of a seat, then it is out
PRIME, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME  # d of edwards25519, RFC 8032
# The y of all points of small order: 0, 1, -1 and the two of order 8.
SMALL = {0, 1, PRIME - 1} | {
    int.from_bytes(bytes.fromhex(y), "little")
    for y in (
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    )
}


class Bad(Exception):
    """Why a transcript is refused, and the number of the first bad entry, from 0."""

    def __init__(self, why, seq):
        super().__init__(why, seq)
        self.why, self.seq = why, seq


class NoTranscript(Bad):
    """The file is no transcript at all."""


def h(tag, *parts):
    """H of the format: SHA-256 over parts (bytes, text or numbers), each behind its length."""
    text = b""
    for part in (f"rdice/2/{tag}", *parts):
        raw = part if type(part) is bytes else str(part).encode()
        text += len(raw).to_bytes(8, "big") + raw
    return hashlib.sha256(text).digest()


def mac(key, message):
    return hmac.digest(key, message, "sha256")


def one_of(stream, k):
    """A number from 0 to k - 1; bytes that would make some numbers likelier are passed over."""
    return next(byte for byte in stream if byte < 256 - 256 % k) % k


def stream_of(key):
    counter = 0
    while True:
        yield from mac(key, counter.to_bytes(8, "big"))
        counter += 1


# Forms of values: a function, a dictionary (exactly these fields), [form of each], (one of these).


def fits(value, form):
    if type(form) is dict:
        same = type(value) is dict and value.keys() == form.keys()
        return same and all(fits(value[name], inner) for name, inner in form.items())
    if type(form) is list:
        return type(value) is list and all(fits(inner, form[0]) for inner in value)
    if type(form) is tuple:
        return any(fits(value, inner) for inner in form)
    return form(value)


def hexadecimal(size):
    digits = re.compile(f"[0-9a-f]{{{2 * size}}}")
    return lambda value: type(value) is str and digits.fullmatch(value) is not None


def number(low, high=MOST):
    return lambda value: type(value) is int and low <= value <= high


def sequence(*forms):
    def form_of(value):
        return type(value) is list and len(value) == len(forms) and all(map(fits, value, forms))

    return form_of


def mapping(form):
    return lambda value: type(value) is dict and all(fits(inner, form) for inner in value.values())


def text(value):
    return type(value) is str


def name(value):
    return type(value) is str and value != ""


def null(value):
    return value is None


def boolean(value):
    return type(value) is bool


def signature(value):
    """64 bytes whose second half is below the order of the group (RFC 8032, 5.1.7)."""
    return SIGNATURE(value) and int.from_bytes(bytes.fromhex(value[64:]), "little") < ORDER


def point(value):
    """A public key: canonical, on the curve and not of small order."""
    return HASH(value) and is_point(value)


@functools.lru_cache
def is_point(value):
    y = int.from_bytes(bytes.fromhex(value), "little") & (2**255 - 1)
    square = (y * y - 1) * (CURVE * y * y + 1)  # x² times a square
    return y < PRIME and y not in SMALL and pow(square, (PRIME - 1) // 2, PRIME) == 1


HASH, SIGNATURE, COUNT, INDEX, DICE = (
    hexadecimal(32),
    hexadecimal(64),
    number(0),
    number(0, 255),
    number(1, 6),
)
OF, BATTLE = number(1, 256), number(1, 16)
DEPOSIT = {
    "seat": text,
    "key": point,
    "nonce": hexadecimal(16),
    "end": HASH,
    "length": COUNT,
    "sig": signature,
}
PRESENCE = {"id": name, "seen": COUNT, "head": HASH, "sig": signature}
SIGNED = (null, {"id": name, "head": HASH, "sig": signature})
ASK = (
    {"battle": sequence(BATTLE, BATTLE)},
    {"seats": [name]},
    {"pick": OF},
    {"secret": OF, "owner": name},
)
DRAW = (
    {"battle": sequence([DICE], [DICE])},
    {"seats": [sequence(name, DICE)]},
    {"pick": {"index": INDEX, "of": OF, "thing": text}},
    {"sealed": {"hash": HASH, "of": OF, "owner": name}},
)
BODIES = {
    "genesis": {
        "format": lambda value: value == "rdice/2",
        "table": name,
        "earlier": [{"table": name, "head": HASH}],
        "rules": HASH,
        "seats": [name],
        "key": point,
        "participants": mapping(DEPOSIT),
        "waits": {"roll": number(0, 3600), "setup": number(0, 86_400)},
        "commitment": HASH,
    },
    "deposit": DEPOSIT | {"id": name, "certificate": (null, signature)},
    "joined": PRESENCE,
    "left": PRESENCE,
    "lost": {"id": name},
    "request": {
        "n": COUNT,
        "seat": text,
        "decision": COUNT,
        "order": HASH,
        "rolls": number(1, 64),
        "ask": ASK,
        "signed": SIGNED,
    },
    "links": {"n": COUNT, "list": mapping((null, HASH))},
    "answer": {
        "n": COUNT,
        "links": mapping((null, {"link": HASH}, {"link": HASH, "sig": signature})),
        "draws": [DRAW],
    },
    "sealed": {"seat": name, "decision": COUNT, "hash": (null, HASH), "signed": SIGNED},
    "opened": {"seat": name, "text": (null, text), "salt": (null, HASH)},
    "shown": {"n": COUNT, "i": COUNT, "index": INDEX, "thing": text, "salt": HASH},
    "end": {
        "broken": boolean,
        "seed": HASH,
        "orders": [text],
        "cards": [sequence(COUNT, COUNT, text)],
    },
}
encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def whole(digits):
    """A whole number that every reader of JSON knows; no fraction, no NaN."""
    if len(digits) > 16 or (value := int(digits)) > MOST:
        raise ValueError(digits)
    return value


decode = json.JSONDecoder(parse_float=whole, parse_int=whole, parse_constant=whole).decode


def asked(draw):
    """The request that a draw fits."""
    ((what, value),) = draw.items()
    if what == "battle":
        return {"battle": [len(dice) for dice in value]}
    if what == "seats":
        return {"seats": [seat for seat, _ in value]}
    return (
        {"pick": value["of"]}
        if what == "pick"
        else {"secret": value["of"], "owner": value["owner"]}
    )


def drawn(key, i, draw):
    """Draw i of an answer with this key, in the shape of another draw."""
    stream = stream_of(mac(key, h("roll", i)))
    ((what, value),) = draw.items()
    if what == "battle":
        return {what: [[one_of(stream, 6) + 1 for _ in dice] for dice in value]}
    if what == "seats":
        return {what: [[seat, one_of(stream, 6) + 1] for seat, _ in value]}
    return {what: value | {"index": one_of(stream, value["of"])}} if what == "pick" else draw


def in_words(draw):
    """A draw as people read it."""
    ((what, value),) = draw.items()
    if what == "battle":
        return " against ".join(" ".join(map(str, dice)) for dice in value)
    if what == "seats":
        return ", ".join(f"{seat} {face}" for seat, face in value)
    return (
        f"number {value['index']} of {value['of']}"
        if what == "pick"
        else f"a sealed one of {value['of']}"
    )


@dataclass
class Chain:
    """A hash chain: the last link known has an index, the length at first (its end)."""

    id: str
    seat: str
    key: str
    number: bytes  # the chain id
    length: int
    start: int  # the first request that it may serve
    index: int
    link: bytes
    certified: bool  # its key, when the chain was deposited
    present: bool
    changed: int  # the entry of its last presence line

    def index_for(self, n):
        return self.length - 1 - (n - self.start)

    def forward(self, link, index, until):
        """The link with the index `until`, hashed forward from an earlier one."""
        for k in range(index + 1, until + 1):
            link = h("chain", self.number, k, link)
        return link


@dataclass
class Key:
    """A public key of a seat, and in how many answers a chain of it took part."""

    seat: str
    since: int
    certified: bool
    by_certificate: bool = False
    took: int = 0
    took_uncertified: int = 0


@dataclass
class Silence:
    """A roll without the link of a chain; draw is the roll that would have been, once known."""

    n: int
    chain: Chain
    links: dict
    given: dict  # the draw of the answer
    draw: dict | None = None


@dataclass
class Signature:
    """A signature to check over a message; it is by one of the keys."""

    seq: int
    what: str
    keys: list
    sig: str
    message: bytes


@dataclass
class Request:
    """A request with the chains that take part; key is the answer's."""

    n: int
    seq: int
    body: dict
    head: bytes
    chains: dict
    key: bytes | None = None
    draws: list = field(default_factory=list)
    complete: bool = False  # all rolls were used, or one was silent
    answered: int = 0  # the entry of the answer
    listed: dict | None = None
    listed_head: bytes = b""


@dataclass
class Placement:
    """What a seat has sealed; hash is None for a seat that is out."""

    hash: str | None
    by_client: bool
    opening: dict | None = None
    seq: int = 0  # the entry of the opening


@dataclass
class Report:
    """What a good transcript shows; str() is the table."""

    rows: list

    def __str__(self):
        width = max(len(title) for title, _ in self.rows)
        return "\n".join(f"{title:<{width}}  {words}" for title, words in self.rows)


class Checker:
    """The state behind the lines read so far."""

    def __init__(self, heads):
        self.known = heads  # (number of an entry, beginning of its head)
        self.heads, self.chains, self.keys, self.requests, self.pending = [], {}, {}, [], []
        self.prev, self.seq, self.open, self.ended, self.shown_draws = (
            bytes(32),
            0,
            None,
            None,
            set(),
        )
        self.signed_line, self.genesis_head, self.last_decisions = False, None, {}
        self.placements = {}  # by seat

    def need(self, good, why):
        if not good:
            raise Bad(why, self.seq)

    def sign(self, what, keys, sig, message):
        self.pending.append(Signature(self.seq, what, keys, sig, message))

    def line(self, seq, line):
        self.seq = seq
        try:
            entry = decode(line)
            canonical = encode(entry) == line
            line.encode()
        except (ValueError, RecursionError):
            entry, canonical = None, False
        self.need_transcript(seq, line)
        self.need(canonical, "not canonical JSON")
        signed = type(entry) is dict and "sig" in entry
        sig = entry.pop("sig") if signed else None
        form = {"body": lambda value: type(value) is dict, "kind": text, "prev": HASH, "seq": COUNT}
        self.need(fits(entry, form), "not the fields of an entry")
        self.need(entry["seq"] == seq, "wrong seq")
        self.need(bytes.fromhex(entry["prev"]) == self.prev, "prev is not the head before")
        self.need(not signed or signature(sig), "sig is no signature")
        head = h("entry", line[: -len(f',"sig":"{sig}"}}')] + "}" if signed else line)
        good = all(head.hex().startswith(start) for of, start in self.known if of == seq)
        self.need(good, "another head than the one given")
        kind, body = entry["kind"], entry["body"]
        self.need(kind in BODIES, "unknown kind")
        self.need(self.ended is None, "a line behind the end")
        self.need((kind == "genesis") is (seq == 0), "genesis is the first line, and only that")
        between = self.open is not None and kind not in ("links", "answer", "end")
        self.need(not between, "a request is open")
        self.need(fits(body, BODIES[kind]), f"not the form of {kind}")
        self.head = head
        getattr(self, kind)(body)
        self.signed_line = signed
        self.need(seq or signed, "the genesis is not signed")
        if signed:
            self.sign("the server's signature", [self.server], sig, head)
        self.heads.append(head.hex())
        self.prev = head

    def need_transcript(self, seq, line):
        """The first line must at least look like a genesis of this format."""
        try:
            first = json.loads(line, parse_constant=whole) if seq == 0 else None
        except (ValueError, RecursionError):
            first = ""
        form = type(first) is dict and first.get("kind") == "genesis" and first.get("body")
        if seq == 0 and not (type(form) is dict and form.get("format") == "rdice/2"):
            raise NoTranscript("the first line is no genesis of rdice/2", 0)

    def genesis(self, body):
        self.table, self.seats, self.server = body["table"], body["seats"], body["key"]
        self.genesis_head, self.body = self.head, body
        tables = [self.table, *(earlier["table"] for earlier in body["earlier"])]
        self.need(len(set(tables)) == len(tables), "a table stands twice here")
        good = not {"server", "dice"} & set(self.seats) and not any(
            "." in seat for seat in self.seats
        )
        good = good and len(set(self.seats)) == len(self.seats)
        self.need(self.seats and good, "wrong names of seats")
        participants = body["participants"]
        self.need("server" in participants, "the server is no participant")
        good = participants["server"]["key"] == self.server
        self.need(good, "the server's participant has another key")
        keys = {deposit["key"] for deposit in participants.values()}
        self.need(len(keys) == len(participants), "a key stands twice")
        self.counts = {seat: {"left": 0, "lost": 0} for seat in self.seats}
        self.silences = {seat: [] for seat in self.seats}
        self.deposits = dict.fromkeys(self.seats, 0)
        for id, deposit in participants.items():
            self.need(id in ("server", "dice", *self.seats), "a participant is no seat")
            seat = "" if id in ("server", "dice") else id
            self.need(deposit["seat"] == seat, "a participant's id is not its seat")
            self.keys[deposit["key"]] = Key(deposit["seat"], 0, True)
            self.add(id, deposit)

    def add(self, id, deposit):
        """Check a deposit, and take its chain in."""
        required = deposit["seat"] == ""
        low, high = (REQUIRED, REQUIRED) if required else (64, 4096)
        self.need(low <= deposit["length"] <= high, "a chain of a length that is not allowed")
        key, nonce, end = (bytes.fromhex(deposit[name]) for name in ("key", "nonce", "end"))
        number = h("chain-id", self.table, key, nonce)
        fresh = all(chain.number != number for chain in self.chains.values())
        self.need(fresh, "a chain id that is not new")
        message = h("deposit", self.table, deposit["seat"], key, nonce, end, deposit["length"])
        self.sign(f"the deposit of {id}", [deposit["key"]], deposit["sig"], message)
        self.enter(deposit["seat"])
        self.chains[id] = Chain(
            id=id,
            seat=deposit["seat"],
            key=deposit["key"],
            number=number,
            length=deposit["length"],
            start=len(self.requests),
            index=deposit["length"],
            link=end,
            certified=self.keys[deposit["key"]].certified,
            present=True,
            changed=self.seq,
        )

    def enter(self, seat):
        """A chain of the seat is to be in: the others are not any more."""
        for chain in self.chains.values():
            chain.present = chain.present and (seat == "" or chain.seat != seat)

    def deposit(self, body):
        seat, key = body["seat"], body["key"]
        self.need(seat in self.seats, "no such seat")
        self.need(body["id"] == f"{seat}.{self.deposits[seat] + 1}", "not the seat's next number")
        self.need(not self.out(seat), "the seat is out")
        known = self.keys.get(key)
        self.need(known is None or known.seat == seat, "a key of somebody else")
        earlier = [key for key, of in self.keys.items() if of.seat == seat and of.certified]
        certificate = body["certificate"]
        if known is None:
            known = self.keys[key] = Key(seat, self.seq, False)
        if certificate is not None:  # a key that is not certified certifies nobody
            message = h("device", self.table, seat, bytes.fromhex(key))
            self.need(earlier, "a certificate where the seat had no certified key")
            self.sign(f"the certificate of {body['id']}", earlier, certificate, message)
            known.by_certificate = known.by_certificate or not known.certified
            known.certified = True
        self.need_place(seat, known.certified)
        self.add(body["id"], body)
        self.deposits[seat] += 1

    def need_place(self, seat, certified):
        """A chain that nobody vouches for never takes the place of a certified one."""
        taken = any(c.seat == seat and c.present and c.certified for c in self.chains.values())
        self.need(certified or not taken, "an uncertified chain in the place of a certified one")

    def out(self, seat):
        return len(self.silences.get(seat, ())) >= SILENCES

    def chain(self, id):
        self.need(id in self.chains, "no such participant")
        return self.chains[id]

    def presence(self, word, body):
        chain, seen = self.chain(body["id"]), body["seen"]
        self.need(chain.seat != "", "the server and the dice server are always in")
        self.need(seen < self.seq, "a head that is still to come")
        self.need(self.heads[seen] == body["head"], "not the head of the entry that was seen")
        self.need(self.seq - seen <= SEEN_WITHIN, f"a head of more than {SEEN_WITHIN} entries ago")
        self.need(seen >= chain.changed, "a head older than the last presence line")
        state = "in already" if chain.present else "not in"
        self.need(chain.present is (word == "left"), f"it is {state}")
        message = h(word, self.genesis_head, chain.id, bytes.fromhex(body["head"]))
        self.sign(f"{word} of {chain.id}", [chain.key], body["sig"], message)
        chain.changed = self.seq
        return chain

    def joined(self, body):
        chain = self.presence("joined", body)
        self.need(chain.index_for(len(self.requests)) >= 0, "its chain has no link left")
        self.need(not self.out(chain.seat), "the seat is out")
        self.need_place(chain.seat, chain.certified)
        self.enter(chain.seat)
        chain.present = True

    def left(self, body):
        chain = self.presence("left", body)
        chain.present = False
        self.counts[chain.seat]["left"] += 1

    def lost(self, body):
        chain = self.chain(body["id"])
        self.need(chain.seat != "", "the server and the dice server are always in")
        self.need(chain.present, "it is not in")
        chain.present, chain.changed = False, self.seq
        self.counts[chain.seat]["lost"] += 1

    def request(self, body):
        n, seat, signed = len(self.requests), body["seat"], body["signed"]
        self.need(body["n"] == n, "not the next request")
        self.need(seat in (*self.seats, ""), "no such seat")
        self.need(seat or body["decision"] == 0, "a decision of no seat")
        self.need_ask(body["ask"])
        self.need(not self.unopened(), "a sealed placement is not opened")
        ask = body["ask"]
        leaves = body["decision"] == 0 and "battle" not in ask  # picks may follow a resignation
        seats = {None if leaves else seat, ask.get("owner"), *ask.get("seats", ())}
        good = all(of not in seats or one.hash is not None for of, one in self.placements.items())
        self.need(good, "a seat plays that sealed no placement")
        self.need_decision(body)
        chains = {id: c for id, c in self.chains.items() if c.present and c.index_for(n) >= 0}
        whole = all(c.seat or c.id in chains for c in self.chains.values())
        self.need(whole, "a required participant has no link left")
        if signed is not None:
            chain = self.chain(signed["id"])
            self.need(chain.id in chains, "the signer takes no part")
            self.need(seat and chain.seat == seat, "the signer is of another seat")
            good = signed["head"] in self.heads[-SEEN_WITHIN:]
            self.need(good, f"signed for no head of the last {SEEN_WITHIN} entries")
        self.open = Request(n, self.seq, body, self.head, chains)
        self.requests.append(self.open)

    def need_decision(self, body):
        """The decisions of a seat come in their order; 0 of a seat is out of turn, at any time."""
        seat, decision = body["seat"], body["decision"]
        if seat and decision == 0:
            self.need(body["rolls"] == 1, "a decision out of turn has one roll")
            return
        before = self.last_decisions.get(seat, -1)
        self.need(decision >= before, "a decision that is older than the last one of its seat")
        if decision == before:
            last = self.requests[-1]
            same = (last.body["seat"], last.body["decision"]) == (seat, decision)
            self.need(same, "a decision asks again, not directly behind its own request")
            self.need(last.complete, "a decision asks again, with rolls left")
        self.last_decisions[seat] = decision

    def need_ask(self, ask):
        self.need(fits(ask, ASK), "a draw that cannot be asked for")
        seats = ask.get("seats", [ask["owner"]] if "owner" in ask else self.seats)
        good = set(seats) <= set(self.seats) and len(set(seats)) == len(seats)
        self.need(seats and good, "wrong seats of a draw")

    def of_request(self, body, links):
        """The open request of an answer, of which just the participants give a link or null."""
        self.need(self.open is not None, "no request is open")
        self.need(body["n"] == self.open.n, "of another request")
        self.need(links.keys() == self.open.chains.keys(), "not exactly the participants")
        silent = [self.open.chains[id] for id, link in links.items() if link is None]
        self.need(all(chain.seat for chain in silent), "a required participant is silent")
        return self.open

    def links(self, body):
        self.need("dice" in self.chains, "there is no dice server")
        good = self.open is not None and self.open.listed is None
        self.need(good, "not directly behind a request")
        self.need("dice" not in body["list"], "the dice server's own link in the list")
        self.of_request(body, body["list"] | {"dice": ""})
        self.open.listed, self.open.listed_head = body["list"], self.head

    def answer(self, body):
        request = self.of_request(body, body["links"])
        listed = request.listed
        self.need("dice" not in self.chains or listed is not None, "the list of links is missing")
        links = {}
        for id, given in sorted(body["links"].items()):
            links[id] = b"" if given is None else self.link(request, request.chains[id], given)
            wanted = None if given is None else h("given", links[id]).hex()
            good = listed is None or id == "dice" or listed[id] == wanted
            self.need(good, "not the link of the list")
        draws, silent = body["draws"], [id for id, link in links.items() if not link]
        most = 1 if silent else request.body["rolls"]
        self.need(1 <= len(draws) <= most, "too few or too many draws")
        fit = encode(asked(draws[0])) == encode(request.body["ask"])
        self.need(fit, "the first draw is not what was asked")
        request.key = self.key_of(request, links)
        for i, draw in enumerate(draws):
            self.need_ask(asked(draw))
            same = encode(drawn(request.key, i, draw)) == encode(draw)
            self.need(same, f"draw {i} does not follow from the links")
        request.draws, request.answered, self.open = draws, self.seq, None
        request.complete = bool(silent) or len(draws) == most
        for id in silent:
            chain = request.chains[id]
            chain.present, chain.changed = False, self.seq
            self.silences[chain.seat].append(Silence(request.n, chain, links, draws[0]))

    def key_of(self, request, links):
        parts = (part for id in sorted(links) for part in (id, links[id]))
        return h("key", self.genesis_head, request.n, *parts)

    def link(self, request, chain, given):
        """Check a link; silences of its chain learn the roll that would have been."""
        link, index = bytes.fromhex(given["link"]), chain.index_for(request.n)
        good = chain.forward(link, index, chain.index) == chain.link
        self.need(good, f"not the link of {chain.id}")
        good = ("sig" in given) is (chain.id != "server")
        self.need(good, "all but the server sign their links")
        if "sig" in given:
            head = request.listed_head if chain.id == "dice" else request.head
            message = h("link", self.genesis_head, request.n, head, link)
            self.sign(f"the link of {chain.id}", [chain.key], given["sig"], message)
        for silence in self.silences.get(chain.seat, ()):
            if silence.chain is chain and silence.draw is None:
                withheld = chain.forward(link, index, chain.index_for(silence.n))
                key = self.key_of(self.requests[silence.n], silence.links | {chain.id: withheld})
                silence.draw = drawn(key, 0, silence.given)
        key = self.keys[chain.key]
        key.took += key.certified
        key.took_uncertified += not key.certified
        chain.link, chain.index = link, index
        return link

    def unopened(self):
        placements = self.placements.values()
        return [one for one in placements if one.hash is not None and one.opening is None]

    def sealed(self, body):
        seat, signed = body["seat"], body["signed"]
        self.need(seat in self.seats, "no such seat")
        self.need(seat not in self.placements, "sealed a second time")
        self.need(signed or body["decision"] == 0, "the server seals for no decision")
        if signed is not None:
            chain = self.chain(signed["id"])
            self.need(chain.seat == seat and chain.present, "sealed by no client of the seat")
            good = signed["head"] in self.heads[-SEEN_WITHIN:]
            self.need(good, f"sealed for no head of the last {SEEN_WITHIN} entries")
            self.need(body["hash"] is not None, "a client seals nothing")
            parts = (body["decision"], bytes.fromhex(signed["head"]), bytes.fromhex(body["hash"]))
            message = h("seal", self.genesis_head, *parts)
            self.sign(f"the seal of {seat}", [chain.key], signed["sig"], message)
        self.placements[seat] = Placement(body["hash"], signed is not None)

    def opened(self, body):
        seat, salt = body["seat"], body["salt"]
        good = all(seat in self.placements for seat in self.seats)
        self.need(good, "opened before all have sealed")
        self.need(seat in self.seats, "no such seat")
        sealed = self.placements[seat]
        self.need(sealed in self.unopened(), "nothing is left to open")
        if body["text"] is None or salt is None:
            good = body["text"] is None and salt is None and sealed.by_client
            self.need(good, "only a client leaves its placement unopened")
        else:
            found = h("sealed", seat, bytes.fromhex(salt), body["text"]).hex()
            self.need(found == sealed.hash, "not the placement that was sealed")
        sealed.opening, sealed.seq = body, self.seq

    def shown(self, body):
        n, i = body["n"], body["i"]
        good = n < len(self.requests) and i < len(self.requests[n].draws)
        self.need(good and "sealed" in self.requests[n].draws[i], "no such sealed draw")
        self.need((n, i) not in self.shown_draws, "shown before")
        self.shown_draws.add((n, i))
        sealed = self.requests[n].draws[i]["sealed"]
        self.need(body["index"] < sealed["of"], "an index that is too large")
        card = h("card", bytes.fromhex(body["salt"]), body["index"], body["thing"])
        self.need(card.hex() == sealed["hash"], "not the card that was sealed")

    def end(self, body):
        seed = bytes.fromhex(body["seed"])
        good = body["broken"] is (self.open is not None)
        self.need(good, "broken is not whether a request is open")
        good = h("commit", seed).hex() == self.body["commitment"]
        self.need(good, "the seed does not fit the commitment")
        self.need(len(body["orders"]) == len(self.requests), "not the words of every request")
        draws = [(r.n, i) for r in self.requests for i, d in enumerate(r.draws) if "sealed" in d]
        good = [tuple(card[:2]) for card in body["cards"]] == draws
        self.need(good, "not the card of every sealed draw")
        things = {(n, i): thing for n, i, thing in body["cards"]}
        for request, words in zip(self.requests, body["orders"], strict=True):
            self.order(seed, request, words)
            for i, draw in enumerate(request.draws):
                if "sealed" in draw:
                    self.card(seed, request, i, draw["sealed"], things[request.n, i])
        for seat, placed in self.placements.items():
            if placed.opening is not None and not placed.by_client:
                salt = mac(seed, h("salt/placement", self.genesis_head, seat))
                if salt.hex() != placed.opening["salt"]:
                    raise Bad(f"the salt of the placement of {seat} is a chosen one", placed.seq)
        self.ended = body

    def card(self, seed, request, i, sealed, thing):
        """A sealed draw follows from the key and the seed; else its answer is to blame."""
        salt = mac(seed, h("salt", self.genesis_head, request.n, i))
        picked = mac(request.key, mac(seed, h("pick", self.genesis_head, request.n, i)))
        card = h("card", salt, one_of(stream_of(picked), sealed["of"]), thing)
        if card.hex() != sealed["hash"]:
            why = f"the sealed draw {i} of request {request.n} is another one"
            raise Bad(why, request.answered)

    def order(self, seed, request, words):
        """The words of an order, its hash, and its signature; else the request is to blame."""
        salt = mac(seed, h("salt/order", self.genesis_head, request.n))
        if h("order-hash", salt, words).hex() != request.body["order"]:
            raise Bad(f"the words of request {request.n} are other ones", request.seq)
        signed = request.body["signed"]
        if signed is not None:
            parts = (request.body["decision"], bytes.fromhex(signed["head"]), words)
            message, what = (
                h("order", self.genesis_head, *parts),
                f"the order of request {request.n}",
            )
            keys = [self.chains[signed["id"]].key]
            self.pending.append(Signature(request.seq, what, keys, signed["sig"], message))

    def finish(self):
        self.need(self.signed_line, "the last line is not signed")
        self.seq += 1
        good = all(seq < self.seq for seq, _ in self.known)
        self.need(good, "the file ends before a head that was given")

    def verify(self, before=None):
        """Check the signatures of all entries before one, in order."""
        pending = sorted(self.pending, key=lambda each: each.seq)
        for each in pending if Ed25519PublicKey is not None else ():
            if before is not None and each.seq >= before:
                return
            if not any(valid(key, each.sig, each.message) for key in each.keys):
                raise Bad(f"{each.what} is wrong", each.seq)


@functools.lru_cache
def public_key(key):
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))


def valid(key, sig, message):
    try:
        public_key(key).verify(bytes.fromhex(sig), message)
    except InvalidSignature:
        return False
    return True


def seat_rows(checker, seat):
    """The rows of a seat: how often its client took part, and its silences."""
    answered = sum(request.key is not None for request in checker.requests)
    keys = [key for key in checker.keys.values() if key.seat == seat]
    took = sum(key.took for key in keys)
    strange = sum(key.took_uncertified for key in keys)
    more = f" ({strange} more with an uncertified key)" if strange else ""
    counts, silences = checker.counts[seat], checker.silences[seat]
    gone = (
        f"left {counts['left']}, lost on the server's word {counts['lost']}, silent {len(silences)}"
    )
    yield seat, f"took part in {took} of {answered}{more}; {gone}" if keys else "no client"
    for silence in silences:
        roll = "withheld" if silence.draw is None else f"would have been {in_words(silence.draw)}"
        yield "", f"request {silence.n} without {silence.chain.id}: {roll}"


def placement_rows(checker):
    """Who sealed the placements, and whether they were opened."""
    sealed = {seat: one for seat, one in checker.placements.items() if one.hash is not None}
    if sealed:
        clients = ", ".join(seat for seat, one in sealed.items() if one.by_client) or "none"
        server = ", ".join(seat for seat, one in sealed.items() if not one.by_client) or "none"
        opened = sum(bool(one.opening and one.opening["salt"]) for one in sealed.values())
        words = f"sealed by clients: {clients}; by the server: {server}"
        yield "placements", f"{opened} of {len(sealed)} opened, {words}"


def report(checker, key):
    """The table of a transcript whose lines are all good."""
    requests, body = checker.requests, checker.body
    signed = sum(request.body["signed"] is not None for request in requests)
    setup = sum(request.body["seat"] == "" for request in requests)
    waiting = (
        ""
        if checker.ended or not signed
        else "; their signatures are checked when the words are open"
    )
    draws = sum(len(request.draws) for request in requests)
    unsigned = len(requests) - signed - setup
    broken = "; the game is broken" if checker.ended and checker.ended["broken"] else ""
    last = ", the last one open" if checker.open else ""
    rows = [("table", checker.table)]
    rows += [("earlier", f"{each['table']} {each['head'][:16]}") for each in body["earlier"]]
    rows += [] if body["earlier"] else [("earlier", "none")]
    rows += [("requests", f"{len(requests)}, {draws} draws{last}")]
    independent = "independent, in every roll" if "dice" in checker.chains else "none"
    rows += [("dice server", independent)]
    for seat in checker.seats:
        rows += seat_rows(checker, seat)
    rows += placement_rows(checker)
    for public, of in checker.keys.items():
        sure = "certified" if of.certified else f"uncertified since entry {of.since}"
        if of.by_certificate and Ed25519PublicKey is None:
            sure = "certificate not checked"
        rows += [("key", f"{of.seat} {public[:16]} {sure}")] if of.seat else []
    if key is not None:
        ids = [chain.id for chain in checker.chains.values() if chain.key == key]
        rows += [("your key", ", ".join(ids) or "is not here")]
    if checker.known:
        rows += [("your heads", f"{len(checker.known)}, all here")]
    checked = "not checked" if Ed25519PublicKey is None else f"{len(checker.pending)} checked"
    rows += [("signatures", checked)]
    rows += [("orders", f"{signed} signed, {unsigned} unsigned, {setup} of the set-up{waiting}")]
    rows += [("secrets", f"{'sealed' if checker.ended is None else 'open'}{broken}")]
    rows += [("head", f"{checker.seq - 1}:{checker.prev.hex()}")]
    return Report(rows)


def check(lines, heads=(), key=None):
    """Check the lines (texts without their ends) of a transcript.

    heads: pairs of an entry's number and its head in hexadecimal digits, or the beginning of it;
    key: a public key to look for. Raises Bad at the first bad line.
    """
    checker, lines = Checker(tuple(heads)), list(lines)
    try:
        if lines in ([], [""]):
            raise NoTranscript("the file is empty", 0)
        for seq, line in enumerate(lines):
            checker.line(seq, line)
        checker.finish()
    except Bad as bad:
        checker.verify(before=bad.seq)
        raise
    checker.verify()
    return report(checker, key)


def head_of(argument):
    """An argument SEQ:HEX, of at least 16 digits."""
    seq, _, digits = argument.partition(":")
    if not re.fullmatch("[0-9]{1,9}", seq) or not re.fullmatch("[0-9a-f]{16,64}", digits):
        raise argparse.ArgumentTypeError("a head is SEQ:HEX, with at least 16 digits")
    return int(seq), digits


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--head", action="append", default=[], type=head_of, metavar="SEQ:HEX")
    parser.add_argument("--key", metavar="HEX")
    given = parser.parse_args()
    try:
        with open(given.file, encoding="utf-8", newline="") as file:
            lines = file.read().removesuffix("\n").split("\n")
        print(check(lines, given.head, given.key))
    except (OSError, UnicodeDecodeError) as error:
        print(f"no transcript: {type(error).__name__}")
        return 2
    except NoTranscript as bad:
        print(f"no transcript: {bad.why}")
        return 2
    except Bad as bad:
        print(f"bad line {bad.seq + 1} (entry {bad.seq}): {bad.why}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
