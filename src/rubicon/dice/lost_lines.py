"""Lines that a server has signed and no longer has: they prove that its database is older.

The proof is short: the lines from the first that differs up to the next one that the server has
signed. The hash before them ties them to a game whose earlier lines are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from rubicon.dice.errors import BadEntry, DiceError
from rubicon.dice.hashing import SIZE, same
from rubicon.dice.keys import is_signed
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.genesis import Genesis

MOST_LINES = 1_000  # of a proof


def proof_of_loss(known: Sequence[str], shown: Sequence[str]) -> list[str]:
    """The proof that a transcript lacks lines; empty where it has all, or none of them is signed.

    `known` are the lines that somebody has kept from the first one on, `shown` those that the
    server shows now.
    """
    first = next(
        (n for n, line in enumerate(known) if not still_shown(line, shown[n : n + 1])), None
    )
    if first is None:
        return []
    signed = (n for n in range(first, len(known)) if Entry.stored(known[n]).sig)
    return list(known[first : next(signed, first - 1) + 1])


def still_shown(line: str, shown: Sequence[str]) -> bool:
    """Whether a line is the one that is shown; a line may be shown with its signature or without.

    What is shown but is no line of a transcript is another line.
    """
    if line in shown:
        return True
    try:
        return [Entry.parse(text).head for text in shown] == [Entry.stored(line).head]
    except BadEntry:
        return False


def check_proof(
    texts: Sequence[str], table: str, server_key: bytes, head_of: Callable[[int], bytes | None]
) -> int:
    """Check that lines prove a loss; the number of the first one.

    `head_of` gives the head of a line that is stored, or None. DiceError `dice/no-proof` where the
    lines prove nothing.
    """
    if not 1 <= len(texts) <= MOST_LINES:
        raise _no_proof(f"A proof has 1 to {MOST_LINES:,} lines, not {len(texts):,}.")
    try:
        entries = [Entry.parse(text) for text in texts]
    except BadEntry as bad:
        raise _no_proof(f"One of the lines is no line of a transcript: {bad.message}") from bad
    first, last = entries[0], entries[-1]
    here, before = head_of(first.seq), head_of(first.seq - 1)
    if first.seq == 0:  # another genesis of the same table
        is_genesis = first.kind == Genesis.kind and first.body.get("table") == table
        before = bytes(SIZE) if is_genesis else None
    if before is None or not same(before, first.prev):
        raise _no_proof(f"Line {first.seq} does not follow a stored line of this game.")
    for one, following in pairwise(entries):
        if following.seq != one.seq + 1 or not same(following.prev, one.head):
            raise _no_proof(f"Line {following.seq} does not follow the line before it.")
    if here is not None and same(here, first.head):
        raise _no_proof(f"Line {first.seq} is stored: nothing is lost.")
    if not is_signed(server_key, last.head, last.sig):
        raise _no_proof(f"Line {last.seq}, the last one, is not signed by this server.")
    return first.seq


def _no_proof(message: str) -> DiceError:
    hint = "Send the lines from the first one that the server lacks to the next that it has signed."
    return DiceError("dice/no-proof", message, hint)
