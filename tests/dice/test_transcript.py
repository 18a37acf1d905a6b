"""The state machine where it needs many lines: old heads, used-up chains, and a restart."""

from __future__ import annotations

import pytest

from rubicon.dice.crypto import sign
from rubicon.dice.errors import BadEntry
from rubicon.dice.example import LENGTH, ExampleTable
from rubicon.dice.lines.members import Lost, Presence, presence_message
from rubicon.dice.lines.state import LOOK_BACK, BattleAsk
from rubicon.dice.transcript import Transcript
from rubicon.dice.verify import verify
from tests.dice.tables import whole


def roll(table: ExampleTable, decision: int) -> None:
    """A roll of green's."""
    table.roll(("green", decision, "attack"), BattleAsk(1, 1), rolls=1)


def joined(table: ExampleTable, back: int) -> Presence:
    """Red joins with the head of a line so far back."""
    state = table.transcript.state
    head = state.recent[-back]
    message = presence_message("joined", state.genesis, "red", head)
    sig = sign(table.chains["red"].private_key, message)
    return Presence("joined", "red", state.seq - back, head, sig)


def come_and_go(table: ExampleTable) -> None:
    """More lines than a head may be old, without a request."""
    for _ in range(LOOK_BACK // 2 + 1):
        table.presence("left", "blue")
        table.presence("joined", "blue")


@pytest.mark.parametrize("back", [1, 2, LOOK_BACK - 1, LOOK_BACK])
def test_a_head_may_be_256_lines_old(back: int) -> None:
    table = ExampleTable()
    table.write(Lost("red"))
    come_and_go(table)
    table.transcript.write(joined(table, back), check=True)
    assert table.transcript.state.of_seat("red") is not None


def test_an_older_head_is_refused() -> None:
    table = ExampleTable()
    table.write(Lost("red"))
    come_and_go(table)
    state = table.transcript.state
    old = table.entries[state.seq - LOOK_BACK - 1]
    message = presence_message("joined", state.genesis, "red", old.head)
    sig = sign(table.chains["red"].private_key, message)
    with pytest.raises(BadEntry) as refused:
        table.transcript.write(Presence("joined", "red", old.seq, old.head, sig), check=True)
    assert refused.value.code == "dice/stale-head"
    assert state.of_seat("red") is None


def test_a_used_up_chain_takes_no_part_and_cannot_join() -> None:
    table = ExampleTable()
    for n in range(LENGTH):
        roll(table, n)
    assert table.transcript.state.in_request() == ("server",)
    roll(table, 999)
    table.presence("left", "red")
    with pytest.raises(BadEntry) as refused:
        table.transcript.write(joined(table, 1), check=True)
    assert refused.value.code == "dice/presence"
    table.deposit("red", certified_by="red")
    assert table.transcript.state.in_request() == ("red.1", "server")
    roll(table, 1000)
    found = verify(table.entries)
    assert found.ok
    assert found.seats["red"].took_part == LENGTH + 1


def test_a_chain_that_was_out_keeps_the_place_of_its_links() -> None:
    """Whether or not it took part in between: link n belongs to request n."""
    table = ExampleTable()
    table.presence("left", "red")
    for n in range(3):
        roll(table, n)
    table.presence("joined", "red")
    roll(table, 4)
    red = table.transcript.state.participants["red"]
    assert red.known == LENGTH - 1 - 3
    assert verify(table.entries).ok


@pytest.mark.parametrize("dice_server", [False, True])
def test_a_server_that_resumes_has_the_same_state(dice_server: bool) -> None:
    entries = whole(dice_server=dice_server)
    followed, resumed = Transcript(entries), Transcript()
    resumed.resume(entry.text() for entry in entries)
    assert resumed.state == followed.state
    assert resumed.witness == followed.witness
    assert len(resumed) == len(entries)


def test_what_a_client_sends_wrongly_changes_nothing() -> None:
    table = ExampleTable()
    roll(table, 1)
    before = Transcript(table.entries).state
    with pytest.raises(BadEntry):
        table.transcript.write(joined(table, 1), check=True)
    assert table.transcript.state == before
