"""What clients send to a table: deposits, presence, links, signatures; and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rubicon.dice.client import DiceClient, receipt_message
from rubicon.dice.crypto import is_signed, sign
from rubicon.dice.lines.members import certificate_message
from rubicon.dice.lines.request import GivenLink
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.dice_participants import MOST_CHAINS
from rubicon.table.commands.submit import Status, Submission
from rubicon.table.game.log_lines import LineKind
from rubicon.table.lobby.listing import show_table
from rubicon.table.lobby.seats import leave
from rubicon.table.settings import Settings
from tests.table.dice_players import (
    CLOCKS,
    WAIT,
    DicePlayer,
    an_attack,
    entries,
    kinds,
    last,
    others,
    refused,
    rolling,
    seated,
    sweep,
    until,
    verdict,
)
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.lobby.lobbied import Lobbied, lobbied
from tests.table.timed import Time, set_time


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return set_time(monkeypatch, *CLOCKS)


@pytest.fixture
def game(tmp_path: Path, time: Time) -> Iterator[Hosted]:
    """A game before its first attack."""
    with hosted(tmp_path) as game:
        game.play(until="attack")
        yield game
        assert verify_store(game.table.store).damaged == {}


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as lobby:
        yield lobby


def participants(game: Hosted) -> set[str]:
    """Those of the genesis."""
    found = entries(game)[0].body["participants"]
    assert isinstance(found, dict)
    return set(found)


# Deposits.


def test_deposits_of_the_lobby_stand_in_the_genesis_and_the_set_up_waits(lobby: Lobbied) -> None:
    table = lobby.full()
    game = Hosted(lobby.table, table)
    players = [DicePlayer(game, seat, DiceClient(table, seat)) for seat in ("red", "blue")]
    for player, account in zip(players, ("ann", "bob"), strict=True):
        player.client.in_lobby = True
        kept = lobby.lobby.deposit(table, account, player.seat, player.client.deposit)
        assert kept.result(SOON)
    begun = lobby.lobby.start(table, "ann")
    until(lambda: lobby.table.store.read(lambda c: show_table(c, table)).state == "running")
    until(lambda: begun.done() or game.snapshot.waits_for == "links")
    assert participants(game) == {"server", "red", "blue"}
    while game.snapshot.waits_for == "links":
        for player in players:
            if player.seat in game.snapshot.links_wanted:
                player.give()
    assert game.snapshot.decisions
    found = verdict(game)
    assert found.seats["red"].took_part == found.seats["blue"].took_part == found.requests >= 1
    assert found.seats["red"].uncertified == 0
    late = lobby.lobby.deposit(table, "cid", "green", DiceClient(table, "green").deposit)
    assert late.result(SOON) is False


def test_a_deposit_of_one_who_left_the_lobby_is_not_taken(lobby: Lobbied) -> None:
    table = lobby.full()
    lobby.lobby.deposit(table, "bob", "blue", DiceClient(table, "blue").deposit).result(SOON)
    lobby.lobby.change(table, leave, "bob").result(SOON)
    lobby.join(table, "dot", "blue")
    lobby.lobby.start(table, "ann").result(SOON)
    game = Hosted(lobby.table, table)
    assert participants(game) == {"server"}


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_a_deposit_of_the_lobby_is_checked(lobby: Lobbied, seat: str) -> None:
    table = lobby.full()
    client = DiceClient(table if seat == "blue" else "other", "red")
    kept = lobby.lobby.deposit(table, "ann", seat, client.deposit)
    assert refused(kept) == ("dice/other-seat" if seat == "blue" else "dice/wrong-signature")


def test_a_later_deposit_takes_part_from_the_next_request_on(game: Hosted) -> None:
    game.submit(an_attack(game))
    attack = an_attack(game)
    (one,) = seated(game, others(game)[0])
    assert game.snapshot.dice_clients == {one.seat: f"{one.seat}.1"}
    submitted = rolling(game, attack)
    one.give()
    submitted.result(SOON)
    seat = verdict(game).seats[one.seat]
    assert (seat.took_part_uncertified, seat.chains, seat.uncertified) == (1, 1, 1)


def test_a_repeated_deposit_changes_nothing(game: Hosted) -> None:
    (one,) = seated(game, others(game)[0])
    head, before = game.snapshot.head, len(entries(game))
    again = game.table.deposit(GAME, one.seat, one.client.deposit).result(SOON)
    assert (game.snapshot.head, len(entries(game))) == (head, before)
    assert again.status is Status.DONE


def test_deposits_that_are_refused(game: Hosted) -> None:
    one, two = others(game)
    before = len(entries(game))
    foreign = DiceClient("other", one).deposit
    assert refused(game.table.deposit(GAME, one, foreign)) == "dice/wrong-signature"
    own = DiceClient(GAME, one)
    assert refused(game.table.deposit(GAME, two, own.deposit)) == "dice/other-seat"
    certified = game.table.deposit(GAME, one, own.deposit, bytes(64))
    assert refused(certified) == "dice/wrong-signature"
    short = replace(own.deposit, length=63)
    assert refused(game.table.deposit(GAME, one, short)) == "dice/chain-length"
    assert len(entries(game)) == before
    stolen = DiceClient(GAME, two, own.own.private_key)
    game.table.deposit(GAME, one, own.deposit).result(SOON)
    assert refused(game.table.deposit(GAME, two, stolen.deposit)) == "dice/participants"


def test_a_seat_deposits_so_many_chains_and_no_more(game: Hosted) -> None:
    seat = others(game)[0]
    for _ in range(MOST_CHAINS):
        game.table.deposit(GAME, seat, DiceClient(GAME, seat, length=64).deposit).result(SOON)
    more = game.table.deposit(GAME, seat, DiceClient(GAME, seat, length=64).deposit)
    assert refused(more) == "dice/too-many-chains"


def test_a_second_device_displaces_the_first(game: Hosted) -> None:
    attack = an_attack(game)
    seat = others(game)[0]
    old, new = DicePlayer(game, seat), DicePlayer(game, seat)
    old.deposit()
    message = certificate_message(GAME, seat, new.client.own.key)
    certificate = sign(old.client.own.private_key, message)
    # The first device's key is itself not certified: nobody can certify by it.
    done = game.table.deposit(GAME, seat, new.client.deposit, certificate)
    assert refused(done) == "dice/wrong-signature"
    new.deposit()
    submitted = rolling(game, attack)
    assert game.snapshot.links_wanted[seat].id == f"{seat}.2"
    # It may be a second device of its owner, or somebody else: nobody has vouched for the key.
    old.client.follow([entry.text() for entry in entries(game)][len(old.client.transcript) :])
    assert [alarm.code for alarm in old.client.alarms] == ["other-key"]
    assert old.client.wanted() is None
    new.give()
    submitted.result(SOON)


def test_a_seat_that_has_left_the_game_takes_no_part(game: Hosted) -> None:
    seat = others(game)[0]
    game.table.out_of_turn(GAME, seat, f"resign {seat}").result(SOON)
    done = game.table.deposit(GAME, seat, DiceClient(GAME, seat).deposit)
    assert refused(done) == "dice/not-in-game"


def test_a_chain_with_few_links_left_is_renewed(game: Hosted) -> None:
    seat = others(game)[0]
    player = DicePlayer(game, seat)
    player.deposit()
    renewed = DicePlayer(game, seat, player.client.next_chain())
    renewed.deposit()
    submitted = rolling(game, an_attack(game))
    renewed.give()
    submitted.result(SOON)
    assert renewed.client.own.key == player.client.own.key
    assert verdict(game).seats[seat].chains == 2


# Presence.


def test_who_has_left_is_not_waited_for_until_it_joins(game: Hosted) -> None:
    attack = an_attack(game)
    (one,) = seated(game, others(game)[0])
    one.presence("left").result(SOON)
    assert game.snapshot.dice_clients == {}
    assert game.submit(attack).status is Status.DONE
    one.presence("joined").result(SOON)
    submitted = rolling(game, an_attack(game))
    one.give()
    submitted.result(SOON)
    seat = verdict(game).seats[one.seat]
    assert (seat.left, seat.took_part_uncertified, seat.silent) == (1, 1, 0)


def test_presence_that_is_refused_changes_nothing(game: Hosted) -> None:
    one, two = seated(game, *others(game))
    before, head = len(entries(game)), game.snapshot.head
    assert refused(one.presence("joined")) == "dice/presence"
    form = one.follow().client.presence("left")
    stolen = DicePlayer(game, two.seat, one.client)
    assert form["id"] == f"{one.seat}.1"
    assert refused(stolen.presence("left")) == "dice/not-yours"
    assert (len(entries(game)), game.snapshot.head) == (before, head)


# Links.


def test_a_repeated_link_gets_the_same_signed_receipt(game: Hosted) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    submitted = rolling(game, attack)
    receipt = one.give()
    assert one.send(one.sent[0]).result(SOON) == receipt
    state = one.client.transcript.state
    link = bytes.fromhex(one.sent[0]["link"])
    message = receipt_message(state.genesis, receipt.n, receipt.id, link)
    assert is_signed(state.server_key, message, bytes.fromhex(receipt.signature))
    two.give()
    submitted.result(SOON)
    assert refused(one.send(one.sent[0])) == "dice/no-link-wanted"


def test_a_wrong_link_has_no_effect(game: Hosted) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    submitted = rolling(game, attack)
    head = game.snapshot.head
    good = one.follow().client.give()
    other = two.follow().client.give()
    assert good is not None
    assert other is not None
    n = good["n"]
    assert refused(one.send(good | {"link": other["link"]})) == "dice/wrong-link"
    assert refused(one.send(good | {"signature": "00" * 64})) == "dice/wrong-signature"
    assert refused(one.send(good | {"signature": other["signature"]})) == "dice/wrong-signature"
    assert refused(one.send(good | {"n": n + 1})) == "dice/no-link-wanted"
    given = GivenLink(bytes.fromhex(good["link"]), bytes.fromhex(good["signature"]))
    mover, _ = game.mover() if game.snapshot.decisions else ("", 0)
    stranger = next(
        seat for seat in game.snapshot.game().colours if seat not in (one.seat, two.seat)
    )
    assert mover in ("", stranger)
    assert refused(game.table.link(GAME, stranger, n, given)) == "dice/no-link-wanted"
    assert refused(game.table.link(GAME, two.seat, n, given)) == "dice/wrong-link"
    assert game.snapshot.head == head
    one.give()
    two.give()
    assert submitted.result(SOON).status is Status.DONE


def test_another_link_behind_the_given_one_is_refused(game: Hosted) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    submitted = rolling(game, attack)
    one.give()
    assert refused(one.send(one.sent[0] | {"link": "00" * 32})) == "dice/late-link"
    two.give()
    submitted.result(SOON)


def test_a_link_behind_the_wait_is_late(game: Hosted, time: Time) -> None:
    attack = an_attack(game)
    (one,) = seated(game, others(game)[0])
    submitted = rolling(game, attack)
    message = one.follow().client.give()
    assert message is not None
    time.pass_by(WAIT + 1)
    sweep(game)
    submitted.result(SOON)
    assert refused(one.send(message)) == "dice/no-link-wanted"
    one.client.follow([entry.text() for entry in entries(game)][len(one.client.transcript) :])
    assert one.client.alarms == []  # without a receipt it proves nothing
    assert any("silent" in note for note in one.client.journal)


def test_two_clients_that_give_at_once(game: Hosted) -> None:
    attack = an_attack(game)
    players = seated(game, *others(game))
    submitted = rolling(game, attack)
    messages = [player.follow().client.give() for player in players]
    sent = [player.send(m) for player, m in zip(players, messages, strict=True) if m is not None]
    assert [future.result(SOON).n for future in sent] == [last(game, "request")["n"]] * 2
    assert submitted.result(SOON).status is Status.DONE


# Signed orders.


def submit_signed(game: Hosted, player: DicePlayer, text: str, signed_text: str) -> Submission:
    """The mover's decision with its client's signature under a text."""
    decision = game.snapshot.decisions[player.seat]
    signed = player.signed(decision, signed_text)
    return Submission(game.game, player.seat, decision, text, signed=signed)


def test_a_request_carries_the_signature_of_its_order(game: Hosted) -> None:
    attack = an_attack(game)
    mover, decision = game.mover()
    (player,) = seated(game, mover)
    submitted = rolling(game, attack, signed=player.signed(decision, attack))
    asked = last(game, "request")
    assert asked["signed"]["id"] == f"{mover}.1"
    assert (asked["seat"], asked["decision"]) == (mover, decision)
    player.give()
    submitted.result(SOON)
    seat = verdict(game).seats[mover]
    assert (seat.signed, seat.unsigned) == (1, 0)
    for colour in game.snapshot.game().colours:
        if game.snapshot.ending is None:
            resigning = game.table.out_of_turn(GAME, colour, f"resign {colour}")
            until(lambda: resigning.done() or game.snapshot.waits_for == "links")  # noqa: B023
            while game.snapshot.waits_for == "links":
                player.give()
    assert verdict(game).opened  # and with it the signature was checked


@pytest.mark.parametrize("orders", [False, True])
def test_a_repeated_signed_decision_gets_the_same_receipt(game: Hosted, orders: bool) -> None:
    attack = an_attack(game)
    source, target = attack.split()[1], attack.split()[3]
    text = f"ATTACK {source} -> {target} UNTIL WON OR LEFT 1\nEND" if orders else attack
    mover, decision = game.mover()
    (player,) = seated(game, mover)
    sent = Submission(GAME, mover, decision, text, orders, player.signed(decision, text))
    submitted = game.table.submit(sent)
    until(lambda: submitted.done() or game.snapshot.waits_for == "links")
    while game.snapshot.waits_for == "links":
        player.give()
    receipt = submitted.result(SOON)
    answering = LineKind.ORDERS if orders else LineKind.ACTION
    assert kinds(game, receipt.first)[:1] == [answering]
    assert LineKind.OUTCOME in kinds(game, receipt.first)[: receipt.last - receipt.first + 1]
    again = game.table.submit(sent).result(SOON)
    assert (again.first, again.last) == (receipt.first, receipt.last)


def test_an_order_without_a_signature_is_counted(game: Hosted) -> None:
    attack = an_attack(game)
    mover, _ = game.mover()
    (player,) = seated(game, mover)
    submitted = rolling(game, attack)
    assert last(game, "request")["signed"] is None
    player.give()
    submitted.result(SOON)
    assert verdict(game).seats[mover].unsigned == 1


def test_a_wrong_signature_is_refused(game: Hosted) -> None:
    attack = an_attack(game)
    mover, decision = game.mover()
    player, other = seated(game, mover, others(game)[0])
    head = game.snapshot.head
    wrong = submit_signed(game, player, attack, "end attack")
    assert refused(game.table.submit(wrong)) == "dice/wrong-signature"
    foreign = replace(wrong, signed=other.signed(decision, attack))
    assert refused(game.table.submit(foreign)) == "dice/not-yours"
    assert game.snapshot.head == head
    assert LineKind.SIGNED not in kinds(game, 0)


def test_a_signature_of_a_client_that_takes_no_part_does_not_count(game: Hosted) -> None:
    attack = an_attack(game)
    mover, decision = game.mover()
    (player,) = seated(game, mover)
    signed = player.signed(decision, attack)
    player.presence("left").result(SOON)
    assert rolling(game, attack, signed=signed).result(SOON).status is Status.DONE
    assert last(game, "request")["signed"] is None


def test_a_fork_names_the_table_that_it_continues_and_begins_without_clients(
    lobby: Lobbied,
) -> None:
    from rubicon.table.commands.votes import vote  # noqa: PLC0415

    game = lobby.running(settings=Settings())
    game.play(until="attack")
    (player,) = seated(game, others(game)[0])
    motion = f"fork {game.snapshot.head - 2}"
    for seat in game.snapshot.game().colours:
        game.table.change(game.game, partial(vote, seat=seat, motion=motion)).result(SOON)
    again = Hosted(lobby.table, game.snapshot.forked)
    genesis = entries(again)[0].body
    assert genesis["earlier"] == [{"table": game.game, "head": entries(game)[0].head.hex()}]
    assert refused(
        game.table.deposit(game.game, player.seat, DiceClient(game.game, player.seat).deposit)
    ) == ("game/forked")
    stale = game.table.deposit(again.game, player.seat, player.client.deposit)
    assert refused(stale) == "dice/wrong-signature"
    fresh = DicePlayer(again, player.seat)
    fresh.deposit()
    assert fresh.client.takes_part
