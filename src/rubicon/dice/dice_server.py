"""An independent dice server, and the public log by which anyone can follow it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

from rubicon.dice.client import DiceClient, receipt_message
from rubicon.dice.crypto import NONCE_SIZE, REQUIRED_LENGTH, SIZE, is_signed, same, sign
from rubicon.dice.errors import BadEntry, DiceConflict, DiceError, quoted
from rubicon.dice.lines import forms
from rubicon.dice.lines.entry import LONGEST_LINE, Entry
from rubicon.dice.lines.members import Deposit, Genesis, OwnChain
from rubicon.dice.lines.request import Answer, GivenLink, LinksLine
from rubicon.dice.lines.state import DICE_SERVER, SERVER, given_hash, link_message

# The core of an independent dice server: one hash chain a game, given link by link, in order.
#
# It knows a game by an opaque id; it knows no cards, names or positions. It does no input or
# output: its caller stores each game after a change, before the answer goes out.

MOST_KEYS = 1_000  # of the clients of one game, all their chains together
MOST_REFUSALS = 100  # that are kept of one game: the first ones prove as much as all


def _keys(given: forms.Fields, name: str) -> dict[str, bytes]:
    return {one: key for one, key in given.hashes_by_name(name).items() if key is not None}


KEYS = forms.FieldForm(_keys, lambda keys: {name: key.hex() for name, key in keys.items()})


@dataclass(frozen=True, slots=True)
class LinkQuestion(forms.Written):
    """What a table tells of a request: its links line as it is signed, and of the genesis the head
    and the keys of the other participants."""

    game: str  # no part of the JSON: the address has it
    genesis: forms.Hash
    server_key: forms.Hash
    keys: Annotated[Mapping[str, bytes], KEYS]  # those of earlier requests need not be repeated
    n: Annotated[int, forms.whole(0, REQUIRED_LENGTH - 1)]
    line: Annotated[str, forms.text(LONGEST_LINE)]


@dataclass
class DiceServerGame:
    """One game of the dice server; `bound` is what its first question has fixed for ever."""

    game: str
    private_key: bytes = field(repr=False)
    secret: bytes = field(repr=False)
    nonce: bytes
    bound: tuple[bytes, bytes] | None = None  # genesis head and the table server's key
    keys: dict[str, bytes] = field(default_factory=dict)
    heads: list[bytes] = field(default_factory=list)  # of the links lines that were answered
    handed: dict[str, bytes] = field(default_factory=dict)  # by id, for the next request
    refusals: list[str] = field(default_factory=list)  # public

    @staticmethod
    def begin(game: str, private_key: bytes) -> DiceServerGame:
        """A new game with its own chain."""
        nonce = secrets.token_bytes(NONCE_SIZE)
        return DiceServerGame(game, private_key, secrets.token_bytes(SIZE), nonce)

    @cached_property
    def own(self) -> OwnChain:
        """The chain."""
        return OwnChain(
            table=self.game,
            seat="",
            private_key=self.private_key,
            secret=self.secret,
            nonce=self.nonce,
            length=REQUIRED_LENGTH,
        )

    @property
    def next_request(self) -> int:
        """The number of the request that is answered next."""
        return len(self.heads)

    def deposit(self) -> Deposit:
        """What the table puts into its genesis; the same for ever."""
        return self.own.deposit()

    def answer(self, question: LinkQuestion) -> GivenLink:
        """The link for the next request, or once more for an earlier one; DiceError refuses.

        A second line for a request that was answered is refused for ever, and noted for all to see.
        """
        entry, body = self._read(question)
        self._check_bound(question, entry)
        if body.n < self.next_request:
            if not same(entry.head, self.heads[body.n]):
                message = f"Request {body.n} was answered after another line than {_short(entry)}."
                raise self._refuse("dice/answered", message)
        elif body.n == self.next_request:
            self._check_handed(entry, body)
            self._take_keys(question)
            self.bound = question.genesis, question.server_key
            self.heads.append(entry.head)
            self.handed.clear()
        else:
            message = f"Request {self.next_request} comes next, not {body.n}."
            raise DiceConflict("dice/out-of-order", message, "Ask for every request, in order.")
        return self.given(question.genesis, body.n)

    def given(self, genesis: bytes, n: int) -> GivenLink:
        """The signed link for a request that was answered."""
        link = self.own.chain.link(REQUIRED_LENGTH - 1 - n)
        return GivenLink(
            link, sign(self.private_key, link_message(genesis, n, self.heads[n], link))
        )

    def hand_in(
        self, name: str, n: int, head: bytes, given: GivenLink, receipt: bytes | None = None
    ) -> None:
        """A client's own copy of its link: no list may call it missing. DiceError refuses.

        With the table server's `receipt`, its signed word that it has the link. A dice server that
        anyone may reach insists on one: else a player could stop a game by giving his link here
        and not to the table.
        """
        key = self.keys.get(name)
        if self.bound is None or key is None:
            raise DiceError("dice/unknown", f"No client {name[:40]!r} is known here.")
        if n != self.next_request:
            raise DiceConflict("dice/out-of-order", f"Request {self.next_request} comes next.")
        genesis, server_key = self.bound
        if not is_signed(key, link_message(genesis, n, head, given.link), given.sig):
            raise DiceError("dice/wrong-signature", f"The link is not signed by {name}.")
        received = receipt_message(genesis, n, name, given.link)
        if receipt is not None and not is_signed(server_key, received, receipt):
            message = "The receipt is not signed by the table server for this link."
            raise DiceError("dice/wrong-receipt", message, "Send the receipt that you were given.")
        self.handed[name] = given_hash(given.link)

    def _read(self, question: LinkQuestion) -> tuple[Entry, LinksLine]:
        entry = Entry.parse(question.line)
        body = LinksLine.read(forms.Fields(entry.body, "entry.links"))
        right = entry.kind == LinksLine.kind and body.n == question.n
        if not right or not is_signed(question.server_key, entry.head, entry.sig):
            raise DiceError("dice/wrong-line", "This is no signed links line of this request.")
        if body.given.get(SERVER) is None:
            raise DiceError("dice/wrong-line", "The links line does not fix the server's link.")
        return entry, body

    def _check_bound(self, question: LinkQuestion, entry: Entry) -> None:
        if self.bound in (None, (question.genesis, question.server_key)):
            return
        assert self.bound is not None
        message = f"The game has another genesis than {question.genesis.hex()[:16]}."
        # Of anyone, or the public line of an earlier request: it proves nothing against the table.
        if question.server_key != self.bound[1] or entry.head in self.heads:
            raise DiceConflict("dice/other-genesis", message)
        raise self._refuse("dice/other-genesis", message)

    def _take_keys(self, question: LinkQuestion) -> None:
        for name, key in question.keys.items():
            if self.keys.get(name, key) != key:
                raise self._refuse("dice/other-key", f"{name[:40]} has had another key before.")
        keys = {**self.keys, **question.keys}
        if len(keys) > MOST_KEYS:
            raise DiceError("dice/too-many-keys", f"A game has at most {MOST_KEYS:,} chains.")
        self.keys = keys

    def _check_handed(self, entry: Entry, body: LinksLine) -> None:
        for name, handed in self.handed.items():
            if body.given.get(name) != handed:
                message = f"Line {_short(entry)} for request {body.n} hides the link of {name}."
                raise self._refuse("dice/hidden-link", message)

    def _refuse(self, code: str, message: str) -> DiceConflict:
        if message not in self.refusals and len(self.refusals) < MOST_REFUSALS:
            self.refusals.append(message)
        return DiceConflict(code, message, "The refusal is public.")


def _short(entry: Entry) -> str:
    """A line, as a refusal names it."""
    return entry.head.hex()[:16]


# What an independent dice server shows to everyone of a game, and how a transcript fits it.

MOST_SHOWN = 1_000  # answered requests in one response
LONGEST_REFUSAL = 1_000  # characters


@dataclass(frozen=True, slots=True)
class AnsweredRequest(forms.Written):
    """A request that the dice server gave its link for: the head of the links line, the link."""

    n: Annotated[int, forms.whole(0, REQUIRED_LENGTH - 1)]
    head: forms.Hash
    link: forms.Hash


def _refusals(given: forms.Fields, name: str) -> Iterator[str]:
    for value in given.items(name, MOST_REFUSALS):
        if not isinstance(value, str) or len(value) > LONGEST_REFUSAL:
            expected = f"a text of at most {LONGEST_REFUSAL:,} characters"
            raise BadEntry(
                "wrong-form", "A refusal has not the right form.", expected, quoted(value)
            )
        yield value


HASH_OR_NONE = forms.FieldForm(
    lambda given, name: given.hash(name) if given.maybe(name) else b"",
    lambda value: value.hex() or None,
)
REFUSALS = forms.FieldForm(lambda given, name: tuple(_refusals(given, name)), list)


@dataclass(frozen=True, slots=True)
class PublicLog(forms.Written):
    """The public log of a game, or a part of it: `answered` from some request on."""

    game: forms.Name  # as the table has named it; the dice server knows no more of it
    genesis: Annotated[bytes, HASH_OR_NONE]  # its head; b"" before the first request
    total: Annotated[
        int, forms.whole(0, REQUIRED_LENGTH)
    ]  # of requests answered, shown here or not
    answered: Annotated[tuple[AnsweredRequest, ...], forms.inners(AnsweredRequest, REQUIRED_LENGTH)]
    refusals: Annotated[tuple[str, ...], REFUSALS]

    def joined(self, later: PublicLog) -> PublicLog:
        """This part of a log with the part after it."""
        return replace(later, answered=(*self.answered, *later.answered))

    def problems(self, transcript: Iterable[Entry]) -> Iterator[str]:
        """Where the whole log and the transcript of the game differ, in sentences; and refusals.

        An honest table gives no reason for a refusal, so each of them is named.
        """
        yield from self.differences(transcript)
        yield from self.refusals

    def differences(self, transcript: Iterable[Entry]) -> Iterator[str]:
        """Where the whole log and the transcript of the game differ, in sentences.

        The transcript may end before the answer to the last request.
        """
        ours: dict[int, AnsweredRequest] = {}
        given: dict[int, bytes] = {}  # heads of the links lines
        for entry in transcript:
            fields = forms.Fields(entry.body, "entry")
            if entry.kind == Genesis.kind:
                yield from self._other_game(Genesis.read(fields), entry.head)
            elif entry.kind == LinksLine.kind:
                given[LinksLine.read(fields).n] = entry.head
            elif entry.kind == Answer.kind:
                answer = Answer.read(fields)
                link = answer.bare.get(DICE_SERVER) or b""
                ours[answer.n] = AnsweredRequest(answer.n, given.get(answer.n, b""), link)
        yield from self._out_of_order()
        theirs = {one.n: one for one in self.answered}
        for n in sorted(ours.keys() | theirs.keys()):
            if n not in theirs:
                yield f"Request {n} is missing in the dice server's log."
            elif n not in ours and n not in given:
                yield f"Request {n} is in the dice server's log, but not in the transcript."
            elif ours.get(n) != theirs[n] and (n in ours or given[n] != theirs[n].head):
                yield f"Request {n} is different in the dice server's log."

    def _other_game(self, genesis: Genesis, head: bytes) -> Iterator[str]:
        if DICE_SERVER not in genesis.participants:
            yield "The transcript has no independent dice server."
        if genesis.table != self.game:
            yield f"The dice server's log is of game {quoted(self.game)}, not of {genesis.table}."
        if head != self.genesis and self.total:
            yield "The dice server has answered for another genesis."

    def _out_of_order(self) -> Iterator[str]:
        """What the log does not show once, in order from request 0 to the last one."""
        last, seen = -1, set()
        for one in self.answered:
            if one.n in seen:
                yield f"Request {one.n} is in the dice server's log twice."
            elif one.n < last:
                yield f"Request {one.n} comes after request {last} in the dice server's log."
            seen.add(one.n)
            last = max(last, one.n)
        if len(seen) != self.total:
            yield (
                f"The dice server has answered {self.total:,} requests; its log as it was given"
                f" here has {len(seen):,} of them."
            )


def handed_in(client: DiceClient, link: Mapping[str, Any], receipt: str) -> dict[str, Any]:
    """What a client sends to a dice server behind the table's receipt for its link.

    `link` is the message of `DiceClient.give`, for the request that still waits. From then on the
    dice server refuses a list that hides the link.
    """
    me, pending = client.me, client.transcript.state.pending
    if me is None or pending is None or pending.n != link["n"]:
        raise DiceError("dice/no-request", "No request waits for this link.")
    return {
        "id": me.id,
        "n": pending.n,
        "head": pending.head.hex(),
        "link": link["link"],
        "sig": link["signature"],
        "receipt": receipt,
    }
