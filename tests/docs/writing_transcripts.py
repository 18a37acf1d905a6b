"""A writer of `rdice/2` transcripts, from the format alone: honest ones and forged ones."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Body = dict[str, Any]
Forge = Callable[["Writer", str, Body], tuple[str, Body]]
ForgeText = Callable[[str], str]
TABLE = "table-7"
SEATS = ["blue", "green", "red"]  # green is a bot at first
SEED = hashlib.sha256(b"secret seed").digest()


class ForgedLine(Exception):
    """The forged line is written: the story ends."""


def joined_hash(tag: str, *parts: bytes | str | int) -> bytes:
    """H of the format."""
    total = hashlib.sha256()
    for part in (f"rdice/2/{tag}", *parts):
        raw = part if isinstance(part, bytes) else str(part).encode()
        total.update(len(raw).to_bytes(8, "big") + raw)
    return total.digest()


def hmac_hash(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256."""
    return hmac.new(key, message, hashlib.sha256).digest()


def canonical(value: object) -> str:
    """Canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def numbers(key: bytes, k: int) -> Iterator[int]:
    """Numbers below k from the stream of a key."""
    for counter in range(1000):
        for byte in hmac_hash(key, counter.to_bytes(8, "big")):
            if byte < 256 - 256 % k:
                yield byte % k


@cache
def chain_links(number: bytes, secret: bytes, length: int) -> list[bytes]:
    """All links of a chain, from c_0 to c_L."""
    links = [secret]
    for k in range(1, length + 1):
        links.append(joined_hash("chain", number, k, links[-1]))
    return links


def private_key(name: str) -> Ed25519PrivateKey:
    """The same key for the same name."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


class Participant:
    """Who keeps a chain and a key."""

    def __init__(self, name: str, seat: str, start: int, length: int = 64, key: str = "") -> None:
        self.name, self.seat, self.start, self.length = name, seat, start, length
        self.private = private_key(key or name)
        self.public = self.private.public_key().public_bytes_raw()
        self.nonce = hashlib.sha256(f"nonce {name}".encode()).digest()[:16]

    def links(self) -> list[bytes]:
        """All links of the chain."""
        number = joined_hash("chain-id", TABLE, self.public, self.nonce)
        return chain_links(number, hashlib.sha256(self.name.encode()).digest(), self.length)

    def link(self, n: int) -> bytes:
        """The link for a request."""
        return self.links()[self.length - 1 - (n - self.start)]

    def sign(self, message: bytes) -> str:
        """A signature in hexadecimal digits."""
        return self.private.sign(message).hex()

    def deposit(self) -> Body:
        """The signed deposit."""
        end = self.links()[-1]
        parts = (TABLE, self.seat, self.public, self.nonce, end, self.length)
        return {
            "seat": self.seat,
            "key": self.public.hex(),
            "nonce": self.nonce.hex(),
            "end": end.hex(),
            "length": self.length,
            "sig": self.sign(joined_hash("deposit", *parts)),
        }

    def certificate(self, by: Participant) -> str:
        """A certificate of this key by another one."""
        return by.sign(joined_hash("device", TABLE, self.seat, self.public))


class Writer:
    """Writes a transcript; the line with one label may be forged, and is then the last one.

    forge changes the kind and the body before the line is hashed and signed, forge_text the
    text of the line behind that; with goes_on the lines after it are written all the same.
    """

    def __init__(
        self,
        at: str = "",
        forge: Forge | None = None,
        forge_text: ForgeText | None = None,
        *,
        goes_on: bool = False,
        dice: bool = False,
    ) -> None:
        self.at, self.forge, self.forge_text, self.goes_on = at, forge, forge_text, goes_on
        self.dice = dice
        self.lines: list[str] = []
        self.labels: list[str] = []
        self.heads: list[bytes] = []
        self.server = Participant("server", "", 0, 16_384)
        self.all = {"server": self.server}
        self.all |= {seat: Participant(seat, seat, 0) for seat in ("red", "blue")}
        if dice:
            self.all["dice"] = Participant("dice", "", 0, 16_384)
        self.present = set(self.all)
        self.n = -1
        self.request_head = self.links_head = b""
        self.ask: Body = {}
        self.orders: list[str] = []
        self.cards: list[list[object]] = []
        self.out = ""  # the seat that seals nothing
        self.server_salt = b""  # of the placement that the server seals, where it chooses one

    @property
    def genesis_head(self) -> bytes:
        """The head of the genesis."""
        return self.heads[0]

    @property
    def text(self) -> str:
        """The transcript."""
        return "\n".join(self.lines) + "\n"

    def write(self, label: str, kind: str, body: Body, *, signed: bool = True) -> None:
        """Write a line."""
        here = label == self.at
        if here and self.forge is not None:
            kind, body = self.forge(self, kind, body)
        prev = self.heads[-1] if self.heads else bytes(32)
        entry: Body = {"body": body, "kind": kind, "prev": prev.hex(), "seq": len(self.lines)}
        head = joined_hash("entry", canonical(entry))
        if signed or here:
            entry["sig"] = self.server.sign(head)
        line = canonical(entry)
        if here and self.forge_text is not None:
            line = self.forge_text(line)
        self.lines.append(line)
        self.labels.append(label)
        self.heads.append(head)
        if here and not self.goes_on:
            raise ForgedLine

    def genesis(self) -> None:
        """The first line."""
        body = {
            "format": "rdice/2",
            "table": TABLE,
            "earlier": [{"table": "table-6", "head": "ab" * 32}],
            "rules": "cd" * 32,
            "seats": SEATS,
            "key": self.server.public.hex(),
            "participants": {id: each.deposit() for id, each in self.all.items()},
            "waits": {"roll": 20, "setup": 600},
            "commitment": joined_hash("commit", SEED).hex(),
        }
        self.write("genesis", "genesis", body)

    def deposit(self, label: str, id: str, key: str = "", by: Participant | None = None) -> None:
        """A later deposit, with a certificate where somebody gives one."""
        seat = id.partition(".")[0]
        new = Participant(id, seat, self.n + 1, key=key)
        certificate = None if by is None else new.certificate(by)
        self.all[id] = new
        body = new.deposit() | {"id": id, "certificate": certificate}
        self.write(label, "deposit", body)
        self.present = {each for each in self.present if self.all[each].seat != seat} | {id}

    def presence_body(self, word: str, id: str, seen: int) -> Body:
        """The body of joined or left, signed."""
        head = self.heads[seen]
        sig = self.all[id].sign(joined_hash(word, self.genesis_head, id, head))
        return {"id": id, "seen": seen, "head": head.hex(), "sig": sig}

    def presence(self, word: str, id: str, label: str = "") -> None:
        """A line joined or left, behind the last line."""
        body = self.presence_body(word, id, len(self.heads) - 1)
        self.write(label or word, word, body)
        seat = self.all[id].seat
        self.present = {each for each in self.present if self.all[each].seat != seat}
        self.present |= {id} if word == "joined" else set()

    def signed_order(self, id: str, decision: int, words: str, back: int = 1) -> Body:
        """What `signed` of a request holds; back: how many entries ago its head was."""
        head = self.heads[-back]
        message = joined_hash("order", self.genesis_head, decision, head, words)
        return {"id": id, "head": head.hex(), "sig": self.all[id].sign(message)}

    def request(self, label: str, seat: str, decision: int, ask: Body, rolls: int = 1,
                signer: str = "", back: int = 1) -> None:  # fmt: skip
        """A request, and with a dice server the list of links is the answer's business."""
        self.n += 1
        self.ask = ask
        words = f"order {self.n} of {seat}"
        self.orders.append(words)
        salt = hmac_hash(SEED, joined_hash("salt/order", self.genesis_head, self.n))
        body = {
            "n": self.n,
            "seat": seat,
            "decision": decision,
            "order": joined_hash("order-hash", salt, words).hex(),
            "rolls": rolls,
            "ask": ask,
            "signed": self.signed_order(signer, decision, words, back) if signer else None,
        }
        self.write(f"{label} request", "request", body, signed=False)
        self.request_head = self.heads[-1]

    def key(self, silent: Sequence[str]) -> bytes:
        """The key of the open request."""
        parts: list[bytes | str] = []
        for id in sorted(self.present):
            parts += [id, b"" if id in silent else self.all[id].link(self.n)]
        return joined_hash("key", self.genesis_head, self.n, *parts)

    def draw(self, key: bytes, i: int, ask: Body) -> Body:
        """Draw i of the open request."""
        rolled = hmac_hash(key, joined_hash("roll", i))
        if "battle" in ask:
            dice = numbers(rolled, 6)
            return {"battle": [[next(dice) + 1 for _ in range(k)] for k in ask["battle"]]}
        if "seats" in ask:
            dice = numbers(rolled, 6)
            return {"seats": [[seat, next(dice) + 1] for seat in ask["seats"]]}
        if "pick" in ask:
            index = next(numbers(rolled, ask["pick"]))
            return {"pick": {"index": index, "of": ask["pick"], "thing": f"thing {index}"}}
        index, salt = self.sealed(key, i, ask["secret"])
        self.cards.append([self.n, i, f"card {index}"])
        sealed = joined_hash("card", salt, index, f"card {index}").hex()
        return {"sealed": {"hash": sealed, "of": ask["secret"], "owner": ask["owner"]}}

    def sealed(self, key: bytes, i: int, of: int) -> tuple[int, bytes]:
        """The index and the salt of a sealed draw."""
        pick = hmac_hash(SEED, joined_hash("pick", self.genesis_head, self.n, i))
        salt = hmac_hash(SEED, joined_hash("salt", self.genesis_head, self.n, i))
        return next(numbers(hmac_hash(key, pick), of)), salt

    def links_list(self, label: str, silent: Sequence[str]) -> None:
        """The list of links for the dice server."""
        given = {
            id: None if id in silent else joined_hash("given", self.all[id].link(self.n)).hex()
            for id in self.present - {"dice"}
        }
        self.write(f"{label} links", "links", {"n": self.n, "list": given}, signed=False)
        self.links_head = self.heads[-1]

    def given(self, id: str) -> Body:
        """A link with its signature, as an answer holds it."""
        link = self.all[id].link(self.n)
        if id == "server":
            return {"link": link.hex()}
        head = self.links_head if id == "dice" else self.request_head
        sig = self.all[id].sign(joined_hash("link", self.genesis_head, self.n, head, link))
        return {"link": link.hex(), "sig": sig}

    def answer(self, label: str, more: Sequence[Body] = (), silent: Sequence[str] = ()) -> None:
        """The answer, with draws for what was asked and for more."""
        if self.dice:
            self.links_list(label, silent)
        key = self.key(silent)
        body = {
            "n": self.n,
            "links": {id: None if id in silent else self.given(id) for id in self.present},
            "draws": [self.draw(key, i, ask) for i, ask in enumerate([self.ask, *more])],
        }
        self.write(f"{label} answer", "answer", body)
        self.present -= set(silent)

    def show(self, label: str, n: int, i: int, key: bytes) -> None:
        """Open a sealed draw of the last request."""
        index, salt = self.sealed(key, i, 44)
        body = {"n": n, "i": i, "index": index, "thing": f"card {index}", "salt": salt.hex()}
        self.write(label, "shown", body)

    def end(self, *, broken: bool) -> None:
        """Open all secrets."""
        body = {"broken": broken, "seed": SEED.hex(), "orders": self.orders, "cards": self.cards}
        self.write("end", "end", body)

    def story(self, ending: str = "end") -> Writer:
        """A small game with everything in it; ending is `end`, `broken` or `none`."""
        try:
            self.setup()
            self.battles()
            self.silences()
            self.finish(ending)
        except ForgedLine:
            pass
        return self

    def setup(self) -> None:
        """The first player and two cards."""
        self.genesis()
        self.request("first player", "", 0, {"pick": 3})
        self.answer("first player")
        self.request("cards", "", 0, {"secret": 44, "owner": "red"}, 3)
        key = self.key(())
        self.answer("cards", [{"secret": 44, "owner": "blue"}, {"secret": 44, "owner": "red"}])
        self.show("shown", 1, 0, key)
        self.show("shown too", 1, 1, key)
        self.place()

    def seal_body(self, seat: str, text: str, client: str = "", decision: int = 3) -> Body:
        """The body of a line that seals a placement, by a client or by the server."""
        sealed, head = joined_hash("sealed", seat, self.placement_salt(seat), text), self.heads[-1]
        body: Body = {"seat": seat, "decision": 0, "hash": sealed.hex(), "signed": None}
        if client:
            message = joined_hash("seal", self.genesis_head, decision, head, sealed)
            signed = {"id": client, "head": head.hex(), "sig": self.all[client].sign(message)}
            body |= {"decision": decision, "signed": signed}
        return body

    def placement_salt(self, seat: str) -> bytes:
        """The salt of a seat's placement; that of green is the server's."""
        if seat == "green":
            return self.server_salt or hmac_hash(
                SEED, joined_hash("salt/placement", self.genesis_head, seat)
            )
        return joined_hash("some salt", seat)

    def opening_body(self, seat: str) -> Body:
        """The body of a line that opens a placement."""
        salt = self.placement_salt(seat).hex()
        return {"seat": seat, "text": f"place {seat}land 3", "salt": salt}

    def place(self) -> None:
        """Red and blue seal, the server seals for green; blue does not open in time."""
        for seat, client in (("red", "red"), ("green", ""), ("blue", "blue")):
            self.write(
                f"{seat} sealed", "sealed", self.seal_body(seat, f"place {seat}land 3", client)
            )
        self.write("red opened", "opened", self.opening_body("red"))
        if not self.out:
            self.write("green opened", "opened", self.opening_body("green"), signed=False)
        self.write("blue opened", "opened", {"seat": "blue", "text": None, "salt": None})

    def battles(self) -> None:
        """Red leaves and comes back, blue is lost and comes with another device."""
        self.presence("left", "red")
        self.presence("joined", "red")
        self.write("lost", "lost", {"id": "blue"})
        self.present.remove("blue")
        self.deposit("certified deposit", "blue.1", by=self.all["blue"])
        self.request("battle", "red", 1, {"battle": [3, 2]}, 60, "red")
        self.answer("battle", [{"battle": [3, 2]}, {"battle": [3, 1]}])

    def silences(self) -> None:
        """Blue is silent, comes back on the same chain, and is silent again."""
        self.deposit("late deposit", "green.1")
        self.request("silence", "green", 2, {"seats": ["red", "blue"]}, 5)
        self.answer("silence", silent=["blue.1"])
        self.presence("joined", "blue.1", "return")
        self.request("return", "green", 2, {"battle": [1, 1]}, 2)
        self.answer("return")
        self.request("second silence", "blue", 4, {"battle": [2, 2]}, 1)
        self.answer("second silence", silent=["blue.1"])

    def finish(self, ending: str) -> None:
        """Red has another device without a certificate, goes back to the first, has a third one."""
        self.presence("left", "red", "left for another device")
        self.deposit("uncertified deposit", "red.1")
        self.request("device", "red", 5, {"pick": 256}, 1, "red.1")
        self.answer("device")
        self.presence("joined", "red", "first device joined")
        self.request("first device", "red", 6, {"battle": [2, 1]})
        self.answer("first device")
        self.request("out of turn", "red", 0, {"pick": 3})
        self.answer("out of turn")
        self.deposit("third device", "red.2", by=self.all["red"])
        self.request("last", "red", 7, {"battle": [16, 16]}, 1, "red.2")
        if ending == "none":
            self.lines[-1] = canonical(
                json.loads(self.lines[-1]) | {"sig": self.server.sign(self.heads[-1])}
            )
            return
        if ending == "end":
            self.answer("last")
        self.end(broken=ending == "broken")
        if self.at == "behind the end":
            self.write("behind the end", "end", {})

    def long_story(self, requests: int, joined_back: int, signed_back: int) -> Writer:
        """Set-up alone, longer than red's chain; then blue comes back, and signs a decision.

        Both are signed with heads of so many entries ago.
        """
        self.all["blue"] = Participant("blue", "blue", 0, 4096)
        self.genesis()
        self.write("lost", "lost", {"id": "blue"})
        self.present.remove("blue")
        for n in range(requests):
            if n == self.all["red"].length:  # used up: it takes no part, but is still in
                self.present.remove("red")
            self.request(f"{n}", "", 0, {"pick": 2})
            self.answer(f"{n}")
        body = self.presence_body("joined", "blue", len(self.heads) - joined_back)
        self.write("joined", "joined", body)
        self.present.add("blue")
        self.request("signed", "blue", 1, {"pick": 2}, signer="blue", back=signed_back)
        self.answer("signed")
        return self
