"""What proves that a server has lost lines of its dice, and what does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from rubicon.dice.crypto import canonical, public_key, sign
from rubicon.dice.errors import DiceError
from rubicon.dice.example import TABLE, example_entries
from rubicon.dice.lines.entry import Entry
from rubicon.dice.transcript import MOST_LINES, check_proof, proof_of_loss, still_shown

ENTRIES = list(example_entries())
LINES = [entry.text() for entry in ENTRIES]
SERVER_KEY = bytes.fromhex(str(ENTRIES[0].body["key"]))
STRANGER = bytes(range(32))


def heads(entries: Sequence[Entry]) -> Callable[[int], bytes | None]:
    """The heads of a store with these lines."""
    return lambda seq: entries[seq].head if 0 <= seq < len(entries) else None


def fault(texts: Sequence[str], stored: int, table: str = TABLE) -> str:
    """Why lines prove nothing to a store that has the first `stored` lines."""
    with pytest.raises(DiceError) as refused:
        check_proof(texts, table, SERVER_KEY, heads(ENTRIES[:stored]))
    assert refused.value.suggestion
    return f"{refused.value.code}: {refused.value.message}"


@pytest.mark.parametrize("stored", range(1, len(LINES)))
def test_a_store_that_ends_earlier_is_proved(stored: int) -> None:
    proof = proof_of_loss(LINES, LINES[:stored])
    assert proof == LINES[stored : stored + len(proof)]
    assert [bool(Entry.parse(line).sig) for line in proof] == [False] * (len(proof) - 1) + [True]
    assert check_proof(proof, TABLE, SERVER_KEY, heads(ENTRIES[:stored])) == stored


def test_another_history_is_proved() -> None:
    other = replace(ENTRIES[5], kind="lost", body={"id": "red"})
    stored = [*ENTRIES[:5], other]
    proof = proof_of_loss(LINES, [*LINES[:5], other.text()])
    assert check_proof(proof, TABLE, SERVER_KEY, heads(stored)) == 5


def test_another_genesis_of_the_same_table_is_proved() -> None:
    other = replace(ENTRIES[0], body=ENTRIES[0].body | {"commitment": "ab" * 32})
    proof = proof_of_loss(LINES, [other.text()])
    assert proof == LINES[:1]
    assert check_proof(proof, TABLE, SERVER_KEY, heads([other])) == 0
    with pytest.raises(DiceError, match="does not follow"):
        check_proof(proof, "another", SERVER_KEY, heads([other]))


def test_what_is_there_proves_nothing() -> None:
    assert proof_of_loss(LINES, LINES) == []
    assert proof_of_loss(LINES[:4], LINES) == []
    bare = [Entry(e.seq, e.prev, e.kind, e.body).text() for e in ENTRIES]
    assert proof_of_loss(LINES, bare) == []  # the same lines, shown without a signature
    assert "dice/no-proof: Line 3 is stored" in fault(LINES[3:], len(LINES))


def test_lines_without_a_signature_prove_nothing() -> None:
    bare = [Entry(e.seq, e.prev, e.kind, e.body).text() for e in ENTRIES]
    assert proof_of_loss(bare, bare[:7]) == []
    assert "is not signed by this server" in fault(bare[7:9], 7)


def test_a_strangers_signature_proves_nothing() -> None:
    assert public_key(STRANGER) != SERVER_KEY
    forged = replace(ENTRIES[7], body={}).signed(sign(STRANGER, replace(ENTRIES[7], body={}).head))
    assert "is not signed by this server" in fault([forged.text()], 7)


def test_signed_lines_of_another_game_prove_nothing() -> None:
    private = bytes(range(64, 96))  # the server's own, which signs all its games
    assert public_key(private) == SERVER_KEY
    foreign = Entry(7, bytes(32), "lost", {"id": "red"})
    foreign = foreign.signed(sign(private, foreign.head))
    assert "does not follow a stored line" in fault([foreign.text()], 7)
    assert "does not follow the line before" in fault([LINES[7], foreign.text()], 7)


def test_a_gap_proves_nothing() -> None:
    assert "does not follow a stored line" in fault(LINES[9:], 7)
    assert "does not follow the line before" in fault([LINES[7], *LINES[9:]], 7)


def test_no_lines_and_too_many_prove_nothing() -> None:
    assert "dice/no-proof" in fault([], 7)
    assert "dice/no-proof" in fault(LINES[7:8] * (MOST_LINES + 1), 7)
    assert "no line of a transcript" in fault(["a line"], 7)


def test_what_is_no_line_is_another_line() -> None:
    assert still_shown(LINES[3], LINES[3:4])
    assert not still_shown(LINES[3], ["a line"])
    assert not still_shown(LINES[3], [canonical({"seq": 3})])
    assert not still_shown(LINES[3], [])
