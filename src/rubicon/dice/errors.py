"""What is wrong with an entry, and which one it is."""

import hmac
from dataclasses import asdict, dataclass
from reprlib import Repr

from rubicon.errors import NotAllowed, NotFound, RubiconError, TooMany

LONGEST = 200  # characters that are shown of what was found
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = 8


class DiceError(RubiconError):
    """Something that cannot be done with these dice, or a file that is no transcript."""


class DiceConflict(DiceError):
    """Something else than before, or than what comes next: it is refused for ever."""

    status = 409


class NoSuchDice(DiceError, NotFound):
    """The game is not known to the dice server."""


class OthersDice(DiceError, NotAllowed):
    """The game belongs to another table."""


class TooManyDice(DiceError, TooMany):
    """One table has opened too many games."""


class BadEntry(DiceError):
    """An entry that does not belong where it stands.

    `seq` is the entry to blame where it is an earlier one than the entry that showed it.
    """

    def __init__(
        self, code: str, message: str, expected: str = "", found: str = "", seq: int | None = None
    ) -> None:
        self.expected = expected
        self.found = found
        self.seq = seq
        wanted = f"Expected {expected}, found {found}." if expected else ""
        super().__init__(f"dice/{code}", message, wanted)


@dataclass(frozen=True, slots=True)
class DiceFault:
    """The first bad entry of a chain: its number, a stable code, what is wrong with it."""

    seq: int
    code: str
    message: str
    expected: str = ""
    found: str = ""

    @property
    def line(self) -> int:
        """The line of the transcript that the entry is on."""
        return self.seq + 1

    def as_dict(self) -> dict[str, str | int]:
        """The fault as programs get it."""
        return {"line": self.line, **asdict(self), "code": f"dice/{self.code}"}


def fault_of(bad: BadEntry, seq: int) -> DiceFault:
    """The fault of a line; `seq` is the line to blame where the error names none."""
    code = bad.code.removeprefix("dice/")
    return DiceFault(
        seq if bad.seq is None else bad.seq, code, bad.message, bad.expected, bad.found
    )


def quoted(value: object) -> str:
    """What was found, safe to print and not too long."""
    return _SHORT.repr(value).encode("ascii", "backslashreplace").decode("ascii")


def require(right: bool, code: str, message: str, expected: str, found: str) -> None:
    """Raise BadEntry where something is not right."""
    if not right:
        safe = len(found) <= LONGEST and found.isascii() and found.isprintable()
        raise BadEntry(code, message, expected, found if safe else quoted(found))


def require_same(
    code: str, message: str, expected: bytes, found: bytes, seq: int | None = None
) -> None:
    """Raise BadEntry where two hashes differ; the time it takes does not tell where."""
    if not hmac.compare_digest(expected, found):
        raise BadEntry(code, message, expected.hex(), found.hex(), seq)
