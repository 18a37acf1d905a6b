"""A program's own hand in the dice, over the API: deposits, links, and what they prove."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from rubicon.client import ApiError, Client, Entropy
from rubicon.dice.bodies import AnswerBody
from rubicon.dice.seeds import links_from
from rubicon.dice.transcript import entries_of
from rubicon.dice.verify import verify
from tests.web.conftest import RunningServer

SMALL = {"board": "skerries", "seats": 3}
BOTS = {1: "greedy", 2: "greedy"}
PATIENT = {"entropy_wait": 60}  # however slow the machine is


def begun(client: Client, **wish: Any) -> str:
    """A game against two bots that has begun."""
    game = client.open_table(**(SMALL | {"bots": BOTS} | wish))["game"]
    client.start(game)
    return str(game)


def play(client: Client, game: str, enough: Callable[[], bool]) -> None:
    """Attack nobody, so that the others roll."""
    while not enough():
        turn = client.wait(game)
        if turn is None:  # one of the others has conquered the board in a single turn
            assert enough()
            return
        peaceful = [text for text in turn.legal if text.startswith("end")]
        client.submit(game, turn.decision, (peaceful or turn.legal)[0])


def resign(client: Client, game: str) -> None:
    """Leave it to the others, unless it is over."""
    seen = client.game(game)
    if seen["result"] is None:
        client.out_of_turn(game, f"resign {seen['you']}")


@pytest.mark.parametrize("length", [1, 7, 512])
def test_the_client_makes_the_chain_of_the_dice(length: int) -> None:
    secret = bytes(range(32))
    links = links_from(secret, length)
    entropy = Entropy(secret, length)
    assert entropy.deposit == links[0].hex()
    given = [entropy.give(n, f"r{n}", f"w{n}") for n in range(1, length + 1)]
    assert given == [link.hex() for link in links[1:]]
    assert len(entropy.witnesses) == length
    assert Entropy().secret != Entropy().secret


def test_a_link_is_given_for_one_request_only_and_in_its_turn() -> None:
    entropy = Entropy(length=9)
    first = entropy.give(1, "one", "3:aa")
    assert entropy.give(1, "one", "3:aa") == first
    for wanted in ((1, "other", "3:aa"), (1, "one", "3:bb"), (3, "one", "3:aa"), (0, "a", "b")):
        with pytest.raises(ValueError, match=r"link|Link"):
            entropy.give(*wanted)
    assert entropy.give(2, "two", "5:cc") != first
    assert entropy.witnesses == ["3:aa", "5:cc"]
    restarted = Entropy(entropy.secret, 9, given=2)
    assert restarted.give(3, "three", "7:dd") == entropy.give(3, "three", "7:dd")
    again = entropy.next()
    assert again.secret != entropy.secret
    assert again.witnesses == ["3:aa", "5:cc", "7:dd"]
    for secret, length in ((b"short", 9), (bytes(32), 0), (bytes(32), 4097)):
        with pytest.raises(ValueError, match="secret of 32 bytes"):
            Entropy(secret, length)


def test_own_links_enter_the_dice_of_bots(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann, settings=PATIENT)
        entropy = ann.deposit(game, Entropy(length=3))  # soon used up: another one follows
        witnesses = entropy.witnesses
        play(ann, game, lambda: len(witnesses) > 4)
        seat = ann.game(game)["you"]
        resign(ann, game)
        entries = list(entries_of(ann.transcript(game)))
        verdict = verify(entries, known_heads=witnesses)
        assert verdict.ok
        assert verdict.mixed >= len(witnesses) - 1
        answers = [index.body for index in entries if isinstance(index.body, AnswerBody)]
        assert [body.links[seat] for body in answers if body.links.get(seat)]


def test_links_are_given_in_a_thread_while_nobody_waits(server: RunningServer) -> None:
    with server.client() as ann, server.connect(ann.token) as giver:
        game = begun(ann, settings=PATIENT)
        entropy = giver.deposit(game)
        giving = threading.Thread(target=giver.give_links, args=(game,), daemon=True)
        giving.start()
        play(ann, game, lambda: len(entropy.witnesses) > 2)
        verdict = verify(entries_of(ann.transcript(game)), known_heads=entropy.witnesses[:2])
        assert verdict.ok
        assert verdict.mixed >= 2
        resign(ann, game)
        while ann.wait(game) is not None:
            pass
        giving.join(30)
        assert not giving.is_alive()


def test_entropy_needs_a_seat_and_valid_hashes(server: RunningServer) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        game = begun(ann)
        with pytest.raises(ApiError) as refused:
            bob.deposit(game)
        assert (refused.value.status, refused.value.code) == (403, "seat/required")
        with pytest.raises(ApiError) as refused:
            ann._session.post(f"/games/{game}/entropy", link="AB" * 32, length=9)
        assert refused.value.status == 400
        with pytest.raises(ApiError) as refused:
            ann._session.post(f"/games/{game}/entropy", link="ab" * 32, length=5000)
        assert refused.value.code == "dice/wrong-form"
        with pytest.raises(ApiError) as refused:
            ann._session.post(f"/games/{game}/link", request="ab" * 32, link="ab" * 32)
        assert refused.value.code == "dice/other-request"
        ann.deposit(game)
        with pytest.raises(ApiError) as refused:
            ann.deposit(game)
        assert refused.value.code == "dice/deposit-too-soon"
        shown = bob.game(game)
        assert shown["link"] is None
        assert list(shown["entropy"]) == [ann.game(game)["you"]]


def test_a_silent_program_delays_the_game_only_once(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann, settings={"entropy_wait": 1})
        chain = Entropy(length=9)
        ann._session.post(f"/games/{game}/entropy", link=chain.deposit, length=chain.length)
        play(ann, game, lambda: not ann.game(game)["entropy"])  # without giving any link
        assert ann.game(game)["entropy"] == {}
        told = [
            event
            for fact in ann.past_events(game)
            for event in fact["body"]
            if fact["kind"] == "events"
        ]
        kinds = [event.get("event") for event in told if event.get("kind") == "table"]
        assert kinds.count("deposit") == kinds.count("silent") == 1
        verdict = verify(entries_of(ann.transcript(game)))
        assert (verdict.ok, verdict.silent) == (True, 1)
