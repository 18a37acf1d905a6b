"""What a client has sealed for its seat, against what the transcript says of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rubicon.dice.lines.placement import Opened, Sealed


@dataclass(frozen=True, slots=True)
class OwnPlacement:
    """A placement that was sealed; the salt in hexadecimal digits."""

    decision: int
    salt: str
    text: str


@dataclass(slots=True)
class OwnPlacements:
    """The placements that one device has sealed, by their hash in hexadecimal digits.

    The server may refuse one; what it has accepted must stand in the transcript. Once all have
    sealed it is told the text. When it has taken that, it must not say that nothing was opened.
    """

    kept: dict[str, OwnPlacement] = field(default_factory=dict)
    accepted: str = ""  # the hash
    opened: str = ""  # the hash whose text was sent
    opening_accepted: bool = False
    denied: bool = False  # the transcript says that nothing was opened, though it was sent

    def hash_of(self, decision: int, text: str) -> str:
        """The hash of what was sealed before for this decision; "" where it was not."""
        for name, one in self.kept.items():
            if (one.decision, one.text) == (decision, text):
                return name
        return ""

    def fault(self, body: Sealed | Opened) -> str:
        """What is wrong with a line of the own seat, in a sentence; "" for nothing."""
        if isinstance(body, Opened):
            if body.text is None and self.opening_accepted:
                return (
                    "The server says that this client did not open its sealed placement, though it"
                    " has taken the opening: somebody else has placed for it."
                )
        elif self.accepted and (body.hash is None or body.hash.hex() != self.accepted):
            return (
                f"The transcript has another placement of {body.seat} than the one that this client"
                " has sealed and the server has accepted."
            )
        return ""

    def doubt(self, body: Sealed | Opened) -> str:
        """What may be a fraud, or the end of its time, in a sentence; "" for nothing."""
        sent = bool(self.opened) and not self.opening_accepted
        if not sent or not isinstance(body, Opened) or body.text is not None:
            return ""
        return (
            "The server says that this client did not open its sealed placement. The opening was"
            " sent; the server did not say that it came in time."
        )
