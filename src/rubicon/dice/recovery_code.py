"""The recovery code of a seat: its device's private key as text that a person can write down.

A person who has it can certify a further device, and so play for the seat.
"""

from __future__ import annotations

import base64
import binascii

from rubicon.dice.errors import DiceError
from rubicon.dice.hashing import SIZE, digest, same

CHECK_SIZE = 3  # bytes of the check sum: with the key 35 bytes, which are 56 letters and digits
GROUP = 4  # letters and digits between two hyphens


def recovery_code(table: str, seat: str, private_key: bytes) -> str:
    """The code: 14 groups of 4, letters and the digits 2 to 7 (RFC 4648, base32)."""
    text = base64.b32encode(private_key + _check_sum(table, seat, private_key)).decode()
    return "-".join(text[i : i + GROUP] for i in range(0, len(text), GROUP))


def read_recovery_code(table: str, seat: str, code: str) -> bytes:
    """The private key of a code; hyphens, blanks and the size of the letters do not matter.

    DiceError `dice/bad-recovery-code` where it is mistyped, or of another game or seat.
    """
    text = "".join(sign for sign in code.upper() if sign != "-" and not sign.isspace())
    try:
        data = base64.b32decode(text)
    except (binascii.Error, ValueError):
        data = b""
    key, found = data[:SIZE], data[SIZE:]
    if len(data) == SIZE + CHECK_SIZE and same(found, _check_sum(table, seat, key)):
        return key
    message = f"This is no recovery code of {seat} in game {table}."
    hint = "Each game and seat has its own: 14 groups of 4 letters and digits. Compare every sign."
    raise DiceError("dice/bad-recovery-code", message, hint)


def _check_sum(table: str, seat: str, private_key: bytes) -> bytes:
    return digest("recovery-code", table, seat, private_key)[:CHECK_SIZE]
