"""One forgery for each clause of the format `rdice/2`: where, how, and why it is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.docs.writing_transcripts import (
    TABLE,
    Body,
    Forge,
    ForgeText,
    Participant,
    Writer,
    canonical,
    hmac_hash,
    joined_hash,
)

PRIME = 2**255 - 19
OTHER = "ef" * 32
OTHER_SIG = "11" * 32 + "00" * 32
HIGH_SIG = "11" * 32 + "ff" * 32  # its number is above the order of the group
BEYOND = 1 << 60


@dataclass(frozen=True)
class Forgery:
    """The line with the label is forged; `found` is the label of the line that is refused."""

    name: str
    at: str
    forge: Forge | None
    why: str
    forge_text: ForgeText | None = None
    dice: bool = False
    found: str = ""

    def write(self) -> Writer:
        """The forged transcript."""
        goes_on = bool(self.found)
        writer = Writer(self.at, self.forge, self.forge_text, goes_on=goes_on, dice=self.dice)
        return writer.story()

    def line(self, writer: Writer) -> int:
        """The number of the entry that must be named."""
        return writer.labels.index(self.found or self.at)


def changed(**fields: Any) -> Forge:
    """The body with other values."""
    return lambda _, kind, body: (kind, body | fields)


def edited(edit: Callable[[Writer, Body], Any]) -> Forge:
    """The body after an edit in place."""

    def forge(writer: Writer, kind: str, body: Body) -> tuple[str, Body]:
        copy = json.loads(canonical(body))
        edit(writer, copy)
        return kind, copy

    return forge


def instead(kind: str, body: Callable[[Writer], Body]) -> Forge:
    """Another line in its place."""
    return lambda writer, *_: (kind, body(writer))


def without(name: str) -> Forge:
    """The body without a field."""
    return edited(lambda _, body: body.pop(name))


def deposit_of(id: str, start: int, **options: Any) -> Callable[[Writer], Body]:
    """A later deposit with no certificate."""
    new = Participant(id, id.partition(".")[0], start, **options)
    return lambda _: new.deposit() | {"id": id, "certificate": None}


def presence(word: str, id: str, back: int = 1) -> Forge:
    """A signed line joined or left; back: how many entries ago its head was."""
    return instead(word, lambda w: w.presence_body(word, id, len(w.heads) - back))


def participant(id: str, **fields: Any) -> Forge:
    """The genesis with other values of a participant."""
    return edited(lambda _, body: body["participants"][id].update(fields))


def new_participant(id: str, like: Participant) -> Forge:
    """The genesis with another participant's deposit."""
    return edited(lambda _, body: body["participants"].update({id: like.deposit()}))


def draw(i: int, value: Body) -> Forge:
    """The answer with another draw."""
    return edited(lambda _, body: body["draws"].__setitem__(i, value))


def answer_links(edit: Callable[[Writer, Body], Any]) -> Forge:
    """The answer with other links."""
    return edited(lambda writer, body: edit(writer, body["links"]))


def silent(name: str, *, draws: int = 1) -> Forge:
    """The answer with a null and the draws that follow."""

    def edit(writer: Writer, body: Body) -> None:
        body["links"][name] = None
        key = writer.key([name])
        body["draws"] = [writer.draw(key, i, writer.ask) for i in range(draws)]

    return edited(edit)


def more_draws(writer: Writer, body: Body) -> None:
    """One draw more than the request allows."""
    body["draws"].append(writer.draw(writer.key(()), len(body["draws"]), writer.ask))


def with_key_parts(*parts: bytes | str | int) -> Forge:
    """The answer with dice of another key."""

    def edit(writer: Writer, body: Body) -> None:
        key = joined_hash("key", writer.genesis_head, writer.n, *parts)
        body["draws"] = [writer.draw(key, 0, writer.ask)]

    return edited(edit)


def other_link_signature(writer: Writer, links: Body) -> None:
    """A link signed for another head."""
    message = joined_hash(
        "link", writer.genesis_head, writer.n, writer.genesis_head, writer.all["red"].link(writer.n)
    )
    links["red"]["sig"] = writer.all["red"].sign(message)


def dice_signs_request(writer: Writer, links: Body) -> None:
    """The dice server signs the head of the request, not of the list."""
    link = writer.all["dice"].link(writer.n)
    message = joined_hash("link", writer.genesis_head, writer.n, writer.request_head, link)
    links["dice"]["sig"] = writer.all["dice"].sign(message)


def chosen_card(writer: Writer, body: Body) -> None:
    """A sealed draw with an index that was chosen, and its card sealed with the right salt."""
    index, salt = writer.sealed(writer.key(()), 2, 44)
    other = (index + 1) % 44
    body["draws"][2]["sealed"]["hash"] = joined_hash("card", salt, other, f"card {index}").hex()


def chosen_salt(writer: Writer, body: Body) -> None:
    """A sealed draw with a salt that was chosen."""
    index, salt = writer.sealed(writer.key(()), 2, 44)
    other = hmac_hash(salt, b"")
    body["draws"][2]["sealed"]["hash"] = joined_hash("card", other, index, f"card {index}").hex()


def signed_by(id: str, seat: str = "") -> Forge:
    """A request whose order another participant signed."""

    def edit(writer: Writer, body: Body) -> None:
        body["seat"] = seat or body["seat"]
        body["signed"] = writer.signed_order(id, body["decision"], writer.orders[-1])

    return edited(edit)


def other_words_signed(writer: Writer, body: Body) -> None:
    """An order whose signature is for other words."""
    body["signed"] = writer.signed_order("red", body["decision"], "other words")


def unknown_head(writer: Writer, body: Body) -> None:
    """An order signed for a head of another history."""
    head = bytes.fromhex(OTHER)
    message = joined_hash("order", writer.genesis_head, 1, head, writer.orders[-1])
    body["signed"] = {"id": "red", "head": OTHER, "sig": writer.all["red"].sign(message)}


def self_made_certificate(writer: Writer) -> Body:
    """A deposit whose certificate is by the new key itself."""
    new = Participant("red.1", "red", writer.n + 1)
    return new.deposit() | {"id": "red.1", "certificate": new.certificate(new)}


def certificate_of_nobody(writer: Writer) -> Body:
    """A certificate where the seat had no key before."""
    new = Participant("green.1", "green", writer.n + 1)
    return new.deposit() | {"id": "green.1", "certificate": new.certificate(new)}


def old_chain(writer: Writer) -> Body:
    """The chain of the genesis once more."""
    return writer.all["red"].deposit() | {"id": "red.1", "certificate": None}


def twin(seat: str, key: str) -> Participant:
    """A participant with the key of another one."""
    return Participant("twin", seat, 0, key=key)


def lie_in_joined(writer: Writer) -> Body:
    """A joined line signed as left."""
    return writer.presence_body("left", "red", len(writer.heads) - 1)


SMALL_KEY = "00" * 32
HIGH_KEY = (PRIME + 3).to_bytes(32, "little").hex()
OFF_CURVE = (2).to_bytes(32, "little").hex()
BATTLE: Body = {"battle": [3, 2]}

LINES = [
    Forgery("not JSON", "shown", None, "canonical", lambda line: line[:-1]),
    Forgery("a blank", "shown", None, "canonical", lambda line: line.replace(":", ": ", 1)),
    Forgery("an end of line too many", "shown", None, "canonical", lambda line: line + "\r"),
    Forgery("an escape", "shown", None, "canonical", lambda x: x.replace("card", "\\u0063ard")),
    Forgery("half a character", "shown", None, "canonical", lambda x: x.replace("card", "\\ud800")),
    Forgery("a field twice", "shown", None, "canonical", lambda x: x.replace("{", '{"seq":8,', 1)),
    Forgery("fields out of order", "shown", None, "canonical",
            lambda x: canonical({"seq": 0})[:-1] + "," + x[1:]),
    Forgery("a fraction", "shown", changed(i=0.0), "canonical"),
    Forgery("a number too large", "shown", changed(i=BEYOND), "canonical"),
    Forgery("true for one", "shown", changed(n=True), "form"),
    Forgery("not a number", "shown", None, "canonical", lambda x: x.replace('"n":1', '"n":NaN')),
    Forgery("an entry that is a list", "shown", None, "fields", lambda _: "[]"),
    Forgery("a field too many in the entry", "shown", None, "fields",
            lambda x: canonical(json.loads(x) | {"time": 1})),
    Forgery("a number left out", "shown", None, "wrong seq",
            lambda x: canonical(json.loads(x) | {"seq": 9})),
    Forgery("another history", "shown", None, "prev",
            lambda x: canonical(json.loads(x) | {"prev": OTHER})),
    Forgery("a signature of the server that is none", "shown", None, "the server's signature",
            lambda x: canonical(json.loads(x) | {"sig": OTHER_SIG})),
    Forgery("a signature with a high number", "shown", None, "sig is no",
            lambda x: canonical(json.loads(x) | {"sig": HIGH_SIG})),
    Forgery("a signature that is null", "shown", None, "sig is no",
            lambda x: canonical(json.loads(x) | {"sig": None})),
    Forgery("no signature in the last line", "shown", None, "not signed",
            lambda x: canonical({k: v for k, v in json.loads(x).items() if k != "sig"})),
    Forgery("a line behind the end", "behind the end",
            instead("lost", lambda _: {"id": "red"}), "behind the end"),
    Forgery("an unknown kind", "shown", instead("vote", lambda _: {}), "unknown kind"),
    Forgery("a kind of every object", "shown", instead("__proto__", lambda _: {}), "unknown kind"),
    Forgery("a field too many", "shown", changed(time=1), "form of shown"),
    Forgery("a field missing", "shown", without("salt"), "form of shown"),
    Forgery("capital digits", "shown", changed(salt="AB" * 32), "form of shown"),
    Forgery("digits and an end of line", "shown", changed(salt="a" * 63 + "\n"), "form of shown"),
    Forgery("a second genesis", "shown",
            instead("genesis", lambda w: json.loads(w.lines[0])["body"]), "genesis"),
]  # fmt: skip

GENESIS = [
    Forgery("the first prev", "genesis", None, "prev",
            lambda x: canonical(json.loads(x) | {"prev": OTHER})),
    Forgery("a genesis without signature", "genesis", None, "genesis is not signed",
            lambda x: canonical({k: v for k, v in json.loads(x).items() if k != "sig"})),
    Forgery("no table", "genesis", changed(table=""), "form of genesis"),
    Forgery("this table as an earlier one", "genesis",
            changed(earlier=[{"table": TABLE, "head": OTHER}]), "table stands twice"),
    Forgery("an earlier table without head", "genesis", changed(earlier=[{"table": "x"}]), "form"),
    Forgery("rules without hash", "genesis", changed(rules="revised"), "form of genesis"),
    Forgery("a seat twice", "genesis", changed(seats=["blue", "red", "red"]), "names of seats"),
    Forgery("a seat called dice", "genesis", changed(seats=["blue", "red", "dice"]), "names"),
    Forgery("a seat with a dot", "genesis", changed(seats=["blue", "red", "red.1"]), "names"),
    Forgery("no server", "genesis", edited(lambda _, b: b["participants"].pop("server")), "server"),
    Forgery("another key of the server", "genesis",
            edited(lambda w, b: b.update(key=Participant("x", "", 0).public.hex())), "another key"),
    Forgery("a participant of no seat", "genesis", new_participant("pink", twin("pink", "pink")),
            "no seat"),
    Forgery("two participants of a seat", "genesis",
            new_participant("green", Participant("x", "red", 0)), "not its seat"),
    Forgery("a key of two seats", "genesis", new_participant("green", twin("green", "red")),
            "key stands twice"),
    Forgery("a seat with the server's key", "genesis",
            new_participant("green", twin("green", "server")), "key stands twice"),
    Forgery("the dice server with the server's key", "genesis",
            new_participant("dice", Participant("x", "", 0, 16_384, "server")), "stands twice"),
    Forgery("a deposit of another table", "genesis", participant("red", sig=OTHER_SIG),
            "the deposit of red"),
    Forgery("another end than deposited", "genesis", participant("red", end=OTHER),
            "the deposit of red"),
    Forgery("a short chain", "genesis", new_participant("red", Participant("red", "red", 0, 63)),
            "length"),
    Forgery("a long chain", "genesis", new_participant("red", Participant("red", "red", 0, 4097)),
            "length"),
    Forgery("a short chain of the server", "genesis",
            new_participant("server", Participant("server", "", 0, 16_383)), "length"),
    Forgery("a long chain of the dice server", "genesis",
            new_participant("dice", Participant("dice", "", 0, 16_385)), "length", dice=True),
    Forgery("a key of small order", "genesis", participant("red", key=SMALL_KEY), "form of"),
    Forgery("a key that is not canonical", "genesis", participant("red", key=HIGH_KEY), "form of"),
    Forgery("a key beside the curve", "genesis", participant("red", key=OFF_CURVE), "form of"),
    Forgery("a key that is a list", "genesis", participant("red", key=[]), "form of"),
    Forgery("a long wait", "genesis", changed(waits={"roll": 3601, "setup": 0}), "form of"),
    Forgery("a long wait in the set-up", "genesis", changed(waits={"roll": 0, "setup": 86_401}),
            "form of"),
    Forgery("no commitment", "genesis", without("commitment"), "form of"),
]  # fmt: skip

DEPOSITS = [
    Forgery("a deposit while a request is open", "battle answer",
            instead("deposit", deposit_of("red.1", 3)), "request is open"),
    Forgery("a deposit of no seat", "late deposit", instead("deposit", deposit_of("pink.1", 3)),
            "no such seat"),
    Forgery("a deposit of the server", "late deposit",
            instead("deposit", lambda w: Participant("x", "", 3, 16_384).deposit()
                    | {"id": ".1", "certificate": None}), "no such seat"),
    Forgery("a deposit with a number left out", "late deposit",
            instead("deposit", deposit_of("red.2", 3)), "next number"),
    Forgery("a deposit with a number twice", "late deposit",
            instead("deposit", deposit_of("blue.1", 3)), "next number"),
    Forgery("a chain again", "uncertified deposit", instead("deposit", old_chain), "not new"),
    Forgery("a deposit of a seat that is out", "uncertified deposit",
            instead("deposit", deposit_of("blue.2", 6)), "out"),
    Forgery("a deposit with a wrong signature", "late deposit", changed(sig=OTHER_SIG),
            "the deposit of green.1"),
    Forgery("a deposit with another seat's key", "late deposit",
            instead("deposit", deposit_of("green.1", 3, key="red")), "somebody else"),
    Forgery("a deposit with the server's key", "late deposit",
            instead("deposit", deposit_of("green.1", 3, key="server")), "somebody else"),
    Forgery("a later chain that is too short", "late deposit",
            instead("deposit", deposit_of("green.1", 3, length=63)), "length"),
    Forgery("an uncertified chain in the place of a certified one", "left for another device",
            instead("deposit", deposit_of("red.1", 6)), "in the place of a certified one"),
    Forgery("an uncertified chain in the place of a certified later one", "late deposit",
            instead("deposit", deposit_of("blue.2", 3)), "in the place of a certified one"),
    Forgery("a certificate by nobody", "certified deposit", changed(certificate=OTHER_SIG),
            "the certificate of blue.1"),
    Forgery("a certificate by the new key", "uncertified deposit",
            instead("deposit", self_made_certificate), "the certificate of red.1"),
    Forgery("a certificate where no key was", "late deposit",
            instead("deposit", certificate_of_nobody), "no certified key"),
    Forgery("a certificate by a key without certificate", "third device",
            edited(lambda w, b: b.update(certificate=w.all["red.1"].sign(
                joined_hash("device", TABLE, "red", bytes.fromhex(b["key"]))))),
            "the certificate of red.2"),
    Forgery("a later key of small order", "late deposit", changed(key=SMALL_KEY), "form of"),
]  # fmt: skip

PRESENCE = [
    Forgery("joined while a request is open", "first player answer", presence("joined", "red"),
            "request is open"),
    Forgery("lost while a request is open", "battle answer",
            instead("lost", lambda _: {"id": "red"}), "request is open"),
    Forgery("joined of nobody", "joined", changed(id="pink"), "no such participant"),
    Forgery("joined that is in already", "late deposit", presence("joined", "red"), "in already"),
    Forgery("left that is not in", "joined", presence("left", "red"), "not in"),
    Forgery("left of the server", "late deposit", presence("left", "server"), "always in"),
    Forgery("left of the dice server", "late deposit", presence("left", "dice"), "always in",
            dice=True),
    Forgery("lost that is not in", "joined", instead("lost", lambda _: {"id": "red"}), "not in"),
    Forgery("lost of nobody", "lost", changed(id="pink"), "no such participant"),
    Forgery("lost of the server", "lost", changed(id="server"), "always in"),
    Forgery("joined with the signature of left", "joined", instead("joined", lie_in_joined),
            "joined of red"),
    Forgery("left with a wrong signature", "left", changed(sig=OTHER_SIG), "left of red"),
    Forgery("a head that is not that entry's", "joined", changed(head=OTHER), "not the head"),
    Forgery("a head that is still to come", "joined", changed(seen=999), "still to come"),
    Forgery("a head older than left", "joined", presence("joined", "red", 3), "older than"),
    Forgery("a head older than a silence", "return", presence("joined", "blue.1", 3), "older than"),
    Forgery("a head older than lost", "certified deposit", presence("joined", "blue", 2), "older"),
    Forgery("joined of a seat that is out", "uncertified deposit", presence("joined", "blue.1"),
            "out"),
]  # fmt: skip

REQUESTS = [
    Forgery("a request while one is open", "battle answer",
            instead("request", lambda w: json.loads(w.lines[-1])["body"] | {"n": w.n + 1}),
            "request is open"),
    Forgery("a request left out", "battle request", changed(n=3), "next request"),
    Forgery("a request twice", "battle request", changed(n=1), "next request"),
    Forgery("a request of no seat", "battle request", changed(seat="pink"), "no such seat"),
    Forgery("a decision without seat", "battle request", changed(seat="", signed=None), "no seat"),
    Forgery("the same decision with rolls left", "second silence request",
            changed(seat="green", decision=2), "rolls left"),
    Forgery("the same decision behind another seat's", "second silence request",
            changed(seat="red", decision=1), "not directly behind"),
    Forgery("the same decision behind one out of turn", "last request",
            changed(decision=6, signed=None), "not directly behind"),
    Forgery("an older decision of the seat", "last request", changed(decision=5, signed=None),
            "older than the last one"),
    Forgery("an older decision directly behind", "first device request", changed(decision=4),
            "older than the last one"),
    Forgery("two rolls out of turn", "out of turn request", changed(rolls=2), "has one roll"),
    Forgery("the set-up again behind a decision", "second silence request",
            changed(seat="", decision=0), "not directly behind"),
    Forgery("the set-up again with rolls left", "first player request", changed(rolls=2),
            "rolls left", found="cards request"),
    Forgery("no rolls", "battle request", changed(rolls=0), "form of"),
    Forgery("too many rolls", "battle request", changed(rolls=65), "form of"),
    Forgery("too many dice", "battle request", changed(ask={"battle": [17, 1]}), "form of"),
    Forgery("no dice", "battle request", changed(ask={"battle": [0, 1]}), "form of"),
    Forgery("two asks in one", "battle request", changed(ask={"pick": 2, "battle": [1, 1]}),
            "form of"),
    Forgery("a pick of none", "battle request", changed(ask={"pick": 0}), "form of"),
    Forgery("a pick of too many", "battle request", changed(ask={"pick": 257}), "form of"),
    Forgery("a die for no seat", "battle request", changed(ask={"seats": ["pink"]}), "seats of"),
    Forgery("dice for nobody", "battle request", changed(ask={"seats": []}), "seats of"),
    Forgery("a seat's die twice", "battle request", changed(ask={"seats": ["red", "red"]}),
            "seats of"),
    Forgery("a card for no seat", "cards request", changed(ask={"secret": 4, "owner": "pink"}),
            "seats of"),
    Forgery("signed by another seat", "battle request", signed_by("blue.1"), "another seat"),
    Forgery("signed by one who is not in", "return request", signed_by("blue", "blue"), "no part"),
    Forgery("signed by nobody", "battle request",
            changed(signed={"id": "pink", "head": OTHER, "sig": OTHER_SIG}), "no such participant"),
    Forgery("signed by the server", "first player request", signed_by("server"), "another seat"),
    Forgery("signed for another history", "battle request", edited(unknown_head),
            "signed for no head"),
    Forgery("signed for other words", "battle request", edited(other_words_signed),
            "the order of request 2", found="battle request"),
    Forgery("another order", "battle request", changed(order=OTHER), "words of request 2",
            found="battle request"),
]  # fmt: skip

ANSWERS = [
    Forgery("an answer without request", "shown",
            instead("answer", lambda _: {"n": 2, "links": {}, "draws": []}), "no request is open"),
    Forgery("an answer of another request", "battle answer", changed(n=1), "another request"),
    Forgery("a participant left out", "battle answer", answer_links(lambda _, x: x.pop("red")),
            "exactly the participants"),
    Forgery("a participant too many", "battle answer",
            answer_links(lambda _, x: x.update(blue=None)), "exactly the participants"),
    Forgery("a silent one without joined", "second silence request",
            instead("joined", lambda w: w.presence_body("joined", "blue.1", len(w.heads) - 1)),
            "in already"),
    Forgery("one that was silent", "device answer",
            answer_links(lambda w, x: x.update({"blue.1": w.given("blue.1")})), "exactly the"),
    Forgery("the device before", "device answer",
            answer_links(lambda w, x: x.update(red=w.given("red"))), "exactly the participants"),
    Forgery("the later device behind joined of the first", "first device answer",
            answer_links(lambda w, x: x.update({"red.1": w.given("red.1")})), "exactly the"),
    Forgery("the server silent", "battle answer", silent("server"), "required"),
    Forgery("another link", "battle answer",
            answer_links(lambda _, x: x["red"].update(link=OTHER)), "not the link of red"),
    Forgery("another link of the server", "battle answer",
            answer_links(lambda _, x: x["server"].update(link=OTHER)), "not the link of server"),
    Forgery("the link of the request before", "battle answer",
            answer_links(lambda w, x: x["red"].update(link=w.all["red"].link(1).hex())),
            "not the link of red"),
    Forgery("the link of the next request", "battle answer",
            answer_links(lambda w, x: x["red"].update(link=w.all["red"].link(3).hex())),
            "not the link of red"),
    Forgery("a return on another link", "return answer",
            answer_links(lambda w, x: x["blue.1"].update(link=w.all["blue.1"].link(3).hex())),
            "not the link of blue.1"),
    Forgery("a link without signature", "battle answer",
            answer_links(lambda _, x: x["red"].pop("sig")), "sign their links"),
    Forgery("a link signed by the server", "battle answer",
            answer_links(lambda _, x: x["server"].update(sig=OTHER_SIG)), "sign their links"),
    Forgery("a link signed wrongly", "battle answer",
            answer_links(lambda _, x: x["red"].update(sig=OTHER_SIG)), "the link of red is"),
    Forgery("a link signed for another head", "battle answer", answer_links(other_link_signature),
            "the link of red is"),
    Forgery("no draws", "battle answer", changed(draws=[]), "too few"),
    Forgery("too many draws", "first player answer", edited(more_draws), "too few or too many"),
    Forgery("two draws with a silence", "battle answer", silent("blue.1", draws=2), "too many"),
    Forgery("another draw than asked", "first player answer", draw(0, {"pick": {"index": 0, "of": 4,
            "thing": "x"}}), "not what was asked"),
    Forgery("other numbers of dice than asked", "battle answer",
            draw(0, {"battle": [[6, 6], [1, 1]]}), "not what was asked"),
    Forgery("a card for another owner", "cards answer",
            edited(lambda _, b: b["draws"][0]["sealed"].update(owner="blue")),
            "not what was asked"),
    Forgery("other dice", "battle answer", draw(0, {"battle": [[6, 6, 6], [1, 1]]}), "draw 0"),
    Forgery("other dice later", "battle answer", draw(1, {"battle": [[6, 6, 6], [1, 1]]}),
            "draw 1"),
    Forgery("a seven", "battle answer", draw(0, {"battle": [[7, 6, 6], [1, 1]]}), "form of"),
    Forgery("true for a one", "battle answer", draw(0, {"battle": [[6, 6, 6], [True, 1]]}),
            "form of"),
    Forgery("other dice for seats", "silence answer", draw(0, {"seats": [["red", 6], ["blue", 6]]}),
            "draw 0"),
    Forgery("dice for seats in another order", "silence answer",
            edited(lambda _, b: b["draws"][0]["seats"].reverse()), "not what was asked"),
    Forgery("another pick", "first player answer",
            edited(lambda _, b: b["draws"][0]["pick"].update(
                index=(b["draws"][0]["pick"]["index"] + 1) % 3)), "draw 0"),
    Forgery("a later draw of no seat", "cards answer",
            edited(lambda _, b: b["draws"][1]["sealed"].update(owner="pink")), "seats of"),
    Forgery("a later draw of too many dice", "battle answer",
            draw(1, {"battle": [[6] * 17, [1]]}), "cannot be asked"),
    Forgery("dice of the server's link alone", "battle answer", with_key_parts("server", b""),
            "draw 0"),
    Forgery("an answer behind its answer", "shown",
            instead("answer", lambda w: json.loads(w.lines[-1])["body"]), "no request is open"),
]  # fmt: skip

DICE_SERVER = [
    Forgery("links without dice server", "battle answer",
            instead("links", lambda w: {"n": w.n, "list": {}}), "no dice server"),
    Forgery("links without request", "shown", instead("links", lambda w: {"n": 1, "list": {}}),
            "not directly behind", dice=True),
    Forgery("links twice", "battle answer",
            instead("links", lambda w: json.loads(w.lines[-1])["body"]), "not directly", dice=True),
    Forgery("links of another request", "battle links", changed(n=1), "another request", dice=True),
    Forgery("links without a participant", "battle links",
            edited(lambda _, b: b["list"].pop("red")), "exactly the participants", dice=True),
    Forgery("links with the dice server's own", "battle links",
            edited(lambda _, b: b["list"].update(dice=OTHER)), "own link", dice=True),
    Forgery("links without the server's", "battle links",
            edited(lambda _, b: b["list"].update(server=None)), "required", dice=True),
    Forgery("an answer without links", "battle links",
            instead("answer", lambda w: {"n": w.n, "draws": [], "links": {
                id: w.given(id) for id in w.present}}), "list of links is missing", dice=True),
    Forgery("another link than listed", "battle links",
            edited(lambda _, b: b["list"].update(red=OTHER)), "not the link of the list", dice=True,
            found="battle answer"),
    Forgery("a link that was null", "battle links",
            edited(lambda _, b: b["list"].update(red=None)), "not the link of the list", dice=True,
            found="battle answer"),
    Forgery("silent although listed", "battle answer", silent("red"), "not the link of the list",
            dice=True),
    Forgery("the dice server silent", "battle answer", silent("dice"), "required", dice=True),
    Forgery("another link of the dice server", "battle answer",
            answer_links(lambda _, x: x["dice"].update(link=OTHER)), "not the link of dice",
            dice=True),
    Forgery("the dice server's link without signature", "battle answer",
            answer_links(lambda _, x: x["dice"].pop("sig")), "sign their links", dice=True),
    Forgery("the dice server signed the request", "battle answer", answer_links(dice_signs_request),
            "the link of dice is", dice=True),
]  # fmt: skip

SHOWN = [
    Forgery("shown while a request is open", "battle answer",
            instead("shown", lambda w: json.loads(w.lines[w.labels.index("shown")])["body"]),
            "request is open"),
    Forgery("a card of no request", "shown", changed(n=9), "no such sealed draw"),
    Forgery("a card of no draw", "shown", changed(i=3), "no such sealed draw"),
    Forgery("a card that was no card", "shown", changed(n=0), "no such sealed draw"),
    Forgery("a card shown twice", "shown too",
            instead("shown", lambda w: json.loads(w.lines[-1])["body"]), "shown before"),
    Forgery("another card shown", "shown", changed(thing="wild"), "not the card"),
    Forgery("a card with another salt", "shown", changed(salt=OTHER), "not the card"),
    Forgery("a card with another index", "shown",
            edited(lambda _, b: b.update(index=(b["index"] + 1) % 44)), "not the card"),
    Forgery("a card with a large index", "shown", changed(index=44), "too large"),
]  # fmt: skip


def sealed_by(seat: str, client: str, decision: int = 3) -> Forge:
    """A seal by another client, or over another decision than the line's."""
    text = f"place {seat}land 3"
    return lambda w, kind, _: (kind, w.seal_body(seat, text, client, decision) | {"decision": 3})


def out_of_the_game(writer: Writer, body: Body) -> None:
    """A seat that the server calls out of the game."""
    writer.out = "green"
    body["hash"] = None


def chosen_placement_salt(writer: Writer, _: str, __: Body) -> tuple[str, Body]:
    """The server seals for a seat with a salt that it has told somebody."""
    writer.server_salt = bytes(32)
    return "sealed", writer.seal_body("green", "place greenland 3")


PLACEMENTS = [
    Forgery("a placement of no seat", "red sealed", changed(seat="pink"), "no such seat"),
    Forgery("a second seal of a seat", "green sealed",
            instead("sealed", lambda w: w.seal_body("red", "place elsewhere 3", "red")),
            "a second time"),
    Forgery("a second seal behind an opening", "green opened",
            instead("sealed", lambda w: w.seal_body("green", "place elsewhere 3")),
            "a second time"),
    Forgery("sealed by a stranger's key", "red sealed", sealed_by("red", "blue"),
            "no client of the seat"),
    Forgery("sealed with another key's signature", "red sealed",
            edited(lambda w, b: b["signed"].update(
                sig=w.seal_body("red", "place redland 3", "blue")["signed"]["sig"])),
            "the seal of red"),
    Forgery("a seal of another decision", "red sealed", sealed_by("red", "red", 4),
            "the seal of red"),
    Forgery("a seal with another hash", "red sealed", changed(hash=OTHER), "the seal of red"),
    Forgery("a seal by nobody", "red sealed",
            edited(lambda _, b: b["signed"].update(id="pink")), "no such participant"),
    Forgery("a seal for an unknown head", "red sealed",
            edited(lambda _, b: b["signed"].update(head=OTHER)), "sealed for no head"),
    Forgery("a seal of the server for a decision", "green sealed", changed(decision=3),
            "for no decision"),
    Forgery("a client that seals nothing", "red sealed", changed(hash=None), "seals nothing"),
    Forgery("an opening before all are in", "blue sealed",
            instead("opened", lambda w: w.opening_body("red")), "before all"),
    Forgery("an opening of no seat", "red opened", changed(seat="pink"), "no such seat"),
    Forgery("another opening than was sealed", "red opened", changed(text="place nowhere 3"),
            "not the placement"),
    Forgery("another salt than was sealed", "red opened", changed(salt=OTHER), "not the placement"),
    Forgery("an opening of another seat's placement", "red opened", changed(seat="green"),
            "not the placement"),
    Forgery("an opening twice", "green opened",
            instead("opened", lambda w: w.opening_body("red")), "nothing is left"),
    Forgery("a placement of the server not opened", "green opened",
            changed(text=None, salt=None), "only a client leaves"),
    Forgery("a text without a salt", "blue opened", changed(text="x"), "only a client leaves"),
    Forgery("played, but opened by nobody", "blue opened",
            instead("request", lambda w: {
                "n": w.n + 1, "seat": "red", "decision": 1, "order": OTHER, "rolls": 1,
                "ask": {"battle": [3, 2]}, "signed": None}),
            "is not opened"),
    Forgery("a placement of one who sealed nothing", "green sealed", changed(hash=None),
            "nothing is left", found="green opened"),
    Forgery("who sealed nothing plays on", "green sealed", edited(out_of_the_game),
            "sealed no placement", found="silence request"),
    Forgery("a salt that the server chose", "green sealed", chosen_placement_salt,
            "the salt of the placement of green", found="green opened"),
]  # fmt: skip

ENDS = [
    Forgery("broken although all is answered", "end", changed(broken=True), "broken"),
    Forgery("not broken although a request is open", "last answer",
            instead("end", lambda w: {"broken": False, "seed": OTHER, "orders": [], "cards": []}),
            "broken"),
    Forgery("broken is a number", "end", changed(broken=0), "form of end"),
    Forgery("another seed", "end", changed(seed=OTHER), "commitment"),
    Forgery("words missing", "end", edited(lambda _, b: b["orders"].pop()), "words of every"),
    Forgery("words too many", "end", edited(lambda _, b: b["orders"].append("")), "words of every"),
    Forgery("words in another order", "end", edited(lambda _, b: b["orders"].reverse()),
            "words of request 0", found="first player request"),
    Forgery("other words", "end", edited(lambda _, b: b["orders"].__setitem__(3, "x")),
            "words of request 3", found="silence request"),
    Forgery("a card missing", "end", edited(lambda _, b: b["cards"].pop()), "card of every"),
    Forgery("cards in another order", "end", edited(lambda _, b: b["cards"].reverse()), "of every"),
    Forgery("a card of another draw", "end",
            edited(lambda _, b: b["cards"][0].__setitem__(1, 1)), "card of every"),
    Forgery("another card", "end", edited(lambda _, b: b["cards"][2].__setitem__(2, "wild")),
            "sealed draw 2 of request 1", found="cards answer"),
    Forgery("a chosen card", "cards answer", edited(chosen_card), "sealed draw 2 of request 1",
            found="cards answer"),
    Forgery("a chosen salt", "cards answer", edited(chosen_salt), "sealed draw 2 of request 1",
            found="cards answer"),
]  # fmt: skip

FORGERIES = [
    *LINES, *GENESIS, *DEPOSITS, *PRESENCE, *REQUESTS, *ANSWERS, *DICE_SERVER, *SHOWN,
    *PLACEMENTS, *ENDS,
]  # fmt: skip
