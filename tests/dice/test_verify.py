"""What a check says of each participant, and of a transcript that is not at its end."""

from __future__ import annotations

import json

import pytest

from rubicon.dice.errors import DiceError
from rubicon.dice.example import ExampleTable
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.state import BattleAsk, BattleDraw, battle, key_of, roll_key
from rubicon.dice.verify import verify
from tests.dice.tables import EARLIER, whole

ENTRIES = whole()


def rolled(table: ExampleTable, decision: int, *, silent: tuple[str, ...] = ()) -> BattleDraw:
    """A roll of green's."""
    order = ("green", decision, "attack")
    answer = table.roll(order, BattleAsk(3, 2), silent=silent, rolls=1)
    (draw,) = answer.draws
    assert isinstance(draw, BattleDraw)
    return draw


def test_what_everybody_did() -> None:
    found = verify(ENTRIES)
    assert found.ok
    red, blue, green = (found.seats[seat] for seat in ("red", "blue", "green"))
    assert (red.took_part, red.left, red.lost, red.silent) == (6, 1, 0, 2)
    assert (blue.took_part, blue.left, blue.lost, blue.silent) == (8, 0, 2, 0)
    assert (red.took_part_uncertified, blue.took_part_uncertified) == (0, 1)
    assert (green.took_part, green.chains, green.unsigned) == (0, 0, 0)
    assert (red.chains, red.uncertified, blue.chains, blue.uncertified) == (2, 0, 2, 1)
    assert (red.signed, red.unsigned, blue.signed, blue.unsigned) == (3, 1, 3, 1)
    assert (found.requests, found.without_clients, found.dice_server) == (11, 2, 0)
    assert (found.opened, found.broken, found.waiting, found.trailing) == (True, False, False, 0)
    assert found.earlier == list(EARLIER)
    assert found.witness == f"{len(ENTRIES) - 1}:{ENTRIES[-1].head.hex()}"


def test_the_dice_server_is_counted() -> None:
    found = verify(whole(dice_server=True))
    assert found.dice_server == found.requests == 11


def test_the_roll_that_would_have_been_is_that_of_the_withheld_link() -> None:
    """Nobody can pretend afterwards: the link of the next request leads back to it."""
    table = ExampleTable()
    rolled(table, 1, silent=("red",))
    state = table.transcript.state
    table.presence("joined", "red")
    rolled(table, 2)
    (silence,) = verify(table.entries).silences
    withheld = table.chains["red"].chain.link(63)
    given = {name: table.chains[name].chain.link(63) for name in ("blue",)}
    server = table.secrets.chain.chain.link(16_383)
    links: dict[str, bytes | None] = {"server": server, "red": withheld, **given}
    dice = battle(roll_key(key_of(state.genesis, 0, links), 0), 3, 2)
    assert silence.roll == (
        f"{' '.join(map(str, dice.attack))} v {' '.join(map(str, dice.defence))}"
    )


def test_a_link_that_was_never_shown_is_withheld() -> None:
    table = ExampleTable()
    rolled(table, 1, silent=("red",))
    rolled(table, 2)
    found = verify(table.entries)
    assert [(one.id, one.n, one.roll) for one in found.silences] == [("red", 0, "withheld")]
    assert found.seats["red"].silent == 1


def test_a_transcript_that_waits() -> None:
    found = verify(ENTRIES[:2])
    assert found.waiting
    assert not found.opened
    assert not verify(ENTRIES[:3]).waiting


def test_a_game_that_was_broken_off() -> None:
    table = ExampleTable()
    table.write(table.secrets.request(table.transcript.state, ("", 0, "x"), BattleAsk(1, 1), 1))
    table.words.append("x")
    table.end()
    found = verify(table.entries)
    assert found.ok
    assert found.broken
    assert not found.waiting


def test_lines_behind_the_last_signature_are_counted() -> None:
    bare = [*ENTRIES[:8], *(entry.signed(b"") for entry in ENTRIES[8:11])]
    assert verify(bare).trailing == 3
    assert verify([*bare, ENTRIES[11]]).trailing == 0


def test_your_own_key_is_found_or_not() -> None:
    key = ENTRIES[0].body["participants"]["red"]["key"]  # type: ignore[index, call-overload]
    assert isinstance(key, str)
    assert verify(ENTRIES, key=key).key_found is True
    assert verify(ENTRIES, key=key.upper()).key_found is True
    assert verify(ENTRIES, key="00" * 32).key_found is False
    assert verify(ENTRIES).key_found is None


def test_nothing_is_no_transcript() -> None:
    fault = verify([]).fault
    assert fault is not None
    assert fault.code == "genesis"


@pytest.mark.parametrize(
    "head", ["", "yesterday", "12", "12:", "12:abc", "x:0123456789", "1:zzzzzzzz"]
)
def test_what_is_no_head(head: str) -> None:
    with pytest.raises(DiceError) as refused:
        verify(ENTRIES, known_heads=[head])
    assert refused.value.code == "dice/bad-head"


def test_a_head_of_another_game_is_named() -> None:
    head = f"{len(ENTRIES) - 1}:{ENTRIES[-1].head.hex()}"
    assert verify(ENTRIES, known_heads=[f"example:{head}"]).ok
    fault = verify(ENTRIES, known_heads=[f"another:{head}"]).fault
    assert fault is not None
    assert (fault.code, fault.expected, fault.found) == ("other-game", "another", "example")


def test_the_verdict_for_programs() -> None:
    found = json.loads(json.dumps(verify(ENTRIES).as_dict()))
    assert (found["ok"], found["fault"], found["requests"]) == (True, None, 11)
    assert found["seats"]["red"]["silent"] == 2
    forged = verify([ENTRIES[0], Entry.parse(ENTRIES[2].text())]).as_dict()
    assert forged["ok"] is False
    assert forged["fault"]["code"] == "dice/wrong-seq"
