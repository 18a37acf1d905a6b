"""A player's client: it gives its links in order, each for one history, and raises alarms."""

from __future__ import annotations

import json

import pytest

from rubicon.dice.client import DiceClient
from rubicon.dice.crypto import digest, is_signed
from rubicon.dice.dice_server import DiceServerGame
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.members import LaterDeposit, Lost, Presence
from rubicon.dice.lines.request import GivenLink, LinksLine, SignedOrder, order_message
from rubicon.dice.lines.state import BattleAsk, given_hash
from rubicon.dice.server import ServerSecrets
from rubicon.dice.verify import verify
from tests.dice.participants.following import SEATS, TABLE, Table, begun


def codes(client: DiceClient) -> list[str]:
    """The alarms of a client."""
    return [alarm.code for alarm in client.alarms]


def restarted(client: DiceClient) -> DiceClient:
    """The client as it comes back from what it has stored."""
    return DiceClient.restored(json.loads(json.dumps(client.saved())))


def test_clients_roll_with_the_server() -> None:
    table, red, blue = begun()
    for _ in range(3):
        table.roll()
    assert codes(red) == codes(blue) == []
    assert (red.answered, blue.takes_part) == (2, True)
    verdict = verify(map(Entry.parse, table.lines), key=red.own.key.hex())
    assert verdict.ok
    assert verdict.key_found
    assert [one.took_part for one in verdict.seats.values()] == [3, 3]


def test_it_gives_no_link_out_of_turn() -> None:
    table, red, _ = begun()
    assert red.wanted() is None
    assert red.give() is None
    table.roll()
    assert red.wanted() is None
    assert red.give() is None


def test_a_repeated_question_gets_the_same_link() -> None:
    table, red, _ = begun()
    table.request()
    assert red.wanted() == 0
    assert red.give() == red.give()
    assert red.wanted() is None
    again = restarted(red)
    again.follow(table.lines)
    assert again.give() == red.give()


def test_its_links_are_those_of_its_chain_backwards() -> None:
    table, red, _ = begun()
    found = []
    for _ in range(3):
        table.request()
        message = red.give()
        assert message is not None
        found.append(bytes.fromhex(message["link"]))
        table.answer({seat: one.give() for seat, one in table.clients.items()})
    assert found == [red.own.chain.link(64 - 1 - n) for n in range(3)]


def test_what_it_stores_is_enough_for_a_restart() -> None:
    table, red, _ = begun()
    table.roll()
    table.request()
    again = table.clients["red"] = restarted(red)
    again.follow(table.lines)
    assert again.wanted() == 1
    assert again.saved() | {"journal": []} == red.saved() | {"journal": []}
    table.answer({seat: one.give() for seat, one in table.clients.items()})
    assert codes(again) == []
    assert again.answered == 1


def test_a_bad_line_is_an_alarm() -> None:
    table, red, _ = begun()
    table.request()
    table.lines[-1] = table.lines[-1].replace('"rolls":1', '"rolls":2')
    red = restarted(red)
    raised = red.follow(table.lines)
    assert [alarm.code for alarm in raised] == codes(red) == ["bad-line"]
    assert "line 1" in str(raised[0])
    assert red.give() is None
    assert red.signed(3, "attack") is None
    assert red.follow(table.lines) == []


@pytest.mark.parametrize("restart", [True, False])
def test_two_geneses_are_an_alarm(restart: bool) -> None:
    table, red, _ = begun()
    other = Table(table.clients)
    other.begin()
    again = restarted(red) if restart else DiceClient(TABLE, "red", digest("red"), 64)
    again.follow(other.lines)
    assert codes(again) == (["two-geneses"] if restart else [])


def test_another_table_is_an_alarm() -> None:
    table, _, _ = begun()
    client = DiceClient("other", "green", digest("green"), 64)
    client.follow(table.lines)
    assert codes(client) == ["other-table"]


def test_another_key_for_its_seat_is_an_alarm() -> None:
    table, _, _ = begun()
    client = DiceClient(TABLE, "red", digest("mine"), 64)
    client.follow(table.lines)
    assert codes(client) == ["other-key"]


def test_a_deposit_that_was_left_out_is_an_alarm() -> None:
    red, blue = (DiceClient(TABLE, seat, digest(seat), 64) for seat in SEATS)
    red.in_lobby = True
    table = Table({"blue": blue})
    table.begin()
    red.follow(table.lines)
    assert codes(red) == ["left-out"]
    assert red.give() is None


def test_another_chain_of_its_own_key_is_an_alarm() -> None:
    """A deposit of an earlier day, which the operator has kept."""
    old, new = (DiceClient(TABLE, "red", digest("red"), 64) for _ in range(2))
    new.in_lobby = True
    table = Table({"red": old})
    table.begin()
    new.follow(table.lines)
    assert codes(new) == ["left-out"]


def test_to_be_called_lost_is_an_alarm() -> None:
    table, red, blue = begun()
    table.write(Lost("red"))
    table.show()
    assert codes(red) == ["left-out"]
    assert codes(blue) == []


def test_who_is_not_connected_expects_to_be_called_lost() -> None:
    table, red, blue = begun()
    red.connected = False
    table.write(Lost("red"))
    table.request()
    table.answer({"blue": blue.give()})
    assert codes(red) == []
    joined = red.presence("joined")
    kind = joined.pop("presence")
    table.write(Presence.read(Fields(joined, "presence"), kind=kind))
    table.roll()
    assert codes(red) == codes(blue) == []
    assert red.answered == 1
    assert verify(map(Entry.parse, table.lines)).seats["red"].took_part == 1


def test_a_client_that_leaves_is_asked_no_more() -> None:
    table, red, blue = begun()
    left = red.presence("left")
    kind = left.pop("presence")
    table.write(Presence.read(Fields(left, "presence"), kind=kind))
    table.request()
    assert red.wanted() is None
    assert red.give() is None
    table.answer({"blue": blue.give()})
    assert codes(red) == []


def test_two_histories_for_one_number_are_an_alarm() -> None:
    table, red, _ = begun()
    genesis = list(table.lines)
    table.request(decision=5)
    first = red.give()
    other = Table(table.clients, table.secrets)
    other.lines = list(genesis)
    other.transcript.append(Entry.parse(genesis[0]))
    state = other.transcript.state
    pending = table.transcript.state.pending
    assert pending is not None
    other.write(table.secrets.request(state, ("red", 6, "attack"), pending.ask, 1))
    again = restarted(red)
    again.follow(other.lines)
    assert first is not None
    assert codes(again) == ["two-histories"]
    assert again.give() is None


def test_a_false_silence_is_an_alarm() -> None:
    table, red, blue = begun()
    table.request()
    given = red.give()
    assert given is not None
    red.check_receipt(0, table.receipt(red, 0, given))
    table.answer({"red": None, "blue": blue.give()})
    assert codes(red) == ["false-silence"]
    assert codes(blue) == []
    assert any("receipt for request 0" in line for line in red.journal)


def test_a_true_silence_is_none() -> None:
    table, red, blue = begun()
    table.request()
    table.answer({"red": None, "blue": blue.give()})
    assert codes(red) == []
    assert not red.takes_part
    assert any("shown with its answer only" in line for line in red.journal)


@pytest.mark.parametrize(
    ("further", "head", "alarms"),
    [
        (0, "", []),  # the line that it knows
        (-1, "00" * 32, []),  # an earlier one: an event that was on its way for long
        (0, "00" * 32, ["two-histories"]),
        (1, "", ["hidden-lines"]),
    ],
)
def test_a_line_that_is_named_and_not_shown_is_an_alarm(
    further: int, head: str, alarms: list[str]
) -> None:
    table, red, _ = begun()
    table.request()
    seq, _, known = red.transcript.witness.partition(":")
    red.compare(f"{int(seq) + further}:{head or known}")
    assert codes(red) == alarms


@pytest.mark.parametrize("signature", ["00" * 64, "", "no digits"])
def test_an_unsigned_receipt_is_an_alarm(signature: str) -> None:
    table, red, _ = begun()
    table.request()
    assert red.give() is not None
    red.check_receipt(0, signature)
    assert codes(red) == ["no-receipt"]


def test_a_signed_receipt_is_kept() -> None:
    table, red, _ = begun()
    table.request()
    given = red.give()
    assert given is not None
    receipt = table.receipt(red, 0, given)
    red.check_receipt(0, receipt)
    assert codes(red) == []
    assert receipt in red.journal[-1]


def test_it_gives_nothing_when_the_list_of_links_is_closed() -> None:
    red = DiceClient(TABLE, "red", digest("red"), 64)
    secrets = ServerSecrets.make(TABLE, digest("server"))
    dice = DiceServerGame.begin(TABLE, digest("dice"))
    table = Table({"red": red}, secrets)
    table.write(
        secrets.genesis(
            SEATS, {"red": red.deposit}, rules=bytes(32), waits=(1, 1), dice_server=dice.deposit()
        )
    )
    table.request()
    own = secrets.own_link(table.transcript.state)
    table.write(LinksLine(0, {"server": given_hash(own.link), "red": None}))
    table.show()
    assert red.wanted() is None
    assert red.give() is None
    assert codes(red) == []


def test_a_used_up_chain_is_no_alarm_and_a_new_one_follows() -> None:
    table, red, _ = begun()
    for _ in range(64):
        table.roll()
    assert codes(red) == []
    table.request()
    assert red.wanted() is None
    assert codes(red) == []
    table.answer({})
    new = red.next_chain()
    table.clients["red"] = new
    table.write(LaterDeposit("red.1", new.deposit))
    table.request()
    assert new.wanted() == 65
    table.answer({"red.1": new.give()})
    assert codes(new) == []


def test_a_signed_order_is_over_what_it_has_seen() -> None:
    table, red, _ = begun()
    table.roll()
    signed = red.signed(7, "attack")
    assert signed is not None
    state = table.transcript.state
    message = order_message(state.genesis, 7, state.head, "attack")
    assert (signed["id"], signed["head"]) == ("red", state.head.hex())
    assert is_signed(red.own.key, message, bytes.fromhex(signed["signature"]))
    assert "attack" in red.journal[-1]


def asked_with(table: Table, signed: dict[str, str] | None, decision: int) -> None:
    """A request of red's decision with a signature, which all see."""
    made = table.secrets.request(
        table.transcript.state,
        ("red", decision, "attack"),
        BattleAsk(2, 1),
        1,
        None
        if signed is None
        else SignedOrder("red", *(bytes.fromhex(signed[name]) for name in ("head", "signature"))),
    )
    table.write(made)
    table.show()


@pytest.mark.parametrize("restart", [True, False])
def test_its_own_signature_under_its_decision_is_right(restart: bool) -> None:
    table, red, _ = begun()
    signed = red.signed(7, "attack")
    if restart:
        red = table.clients["red"] = restarted(red)
    asked_with(table, signed, 7)
    red.accepted(7, "attack")
    assert codes(red) == []


@pytest.mark.parametrize("accepted", ["before", "after", "never"])
def test_an_accepted_order_that_is_not_the_one_played_is_an_alarm(accepted: str) -> None:
    """An unsigned one can be a bot's that was faster, unless the server has accepted the signed."""
    table, red, blue = begun()
    assert red.signed(7, "attack") is not None
    if accepted == "before":
        red.accepted(7, "attack")
    asked_with(table, None, 7)
    if accepted == "after":
        red.accepted(7, "attack")
    assert codes(red) == ([] if accepted == "never" else ["other-order"])
    assert codes(blue) == []


def test_a_signature_that_it_never_gave_is_an_alarm() -> None:
    table, red, _ = begun()
    signed = red.signed(6, "attack")
    asked_with(table, signed, 7)
    assert codes(red) == ["other-order"]


@pytest.mark.parametrize("restart", [True, False])
def test_a_refused_order_that_is_played_is_an_alarm(restart: bool) -> None:
    table, red, _ = begun()
    refused = red.signed(7, "attack")
    assert red.signed(7, "end attack") is not None
    red.accepted(7, "end attack")
    if restart:
        red = table.clients["red"] = restarted(red)
    asked_with(table, refused, 7)
    assert codes(red) == ["other-order"]


def test_who_is_not_in_the_request_expects_no_signature() -> None:
    table, red, _ = begun()
    assert red.signed(7, "attack") is not None
    red.accepted(7, "attack")
    red.connected = False
    table.write(Lost("red"))
    asked_with(table, None, 7)
    assert codes(red) == []


def test_its_messages_hold_no_secret() -> None:
    table, red, _ = begun()
    table.request()
    own = red.own
    hidden = [own.private_key.hex(), own.secret.hex(), own.chain.link(62).hex()]
    shown = json.dumps(
        [red.give(), red.deposit.form(), red.journal, repr(own), repr(red.own.chain)]
    )
    assert not [secret for secret in hidden if secret in shown]
    assert GivenLink(own.chain.link(63)).link.hex() in shown
