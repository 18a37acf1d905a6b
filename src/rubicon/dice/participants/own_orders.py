"""What a client has signed for its seat's decisions, against what the requests say was played."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from rubicon.dice.lines.request import Request


@dataclass(slots=True)
class OwnOrders:
    """The signatures of one device under its decisions, and which of them the server accepted.

    An honest server can leave out a signature that came too late, for a decision that somebody
    else has made meanwhile. It cannot leave out one that it has accepted, play one that it has
    refused, nor invent one.
    """

    # By decision and signature: the participant, and the words.
    signed: dict[int, dict[str, tuple[str, str]]] = field(default_factory=dict)
    accepted: dict[int, set[str]] = field(default_factory=dict)  # words by decision

    def sign(self, decision: int, name: str, signature: str, words: str) -> None:
        """Remember a signature, in hexadecimal digits, of this device's participant `name`."""
        self.signed.setdefault(decision, {})[signature] = name, words

    def accept(self, decision: int, words: str) -> None:
        """Remember that the server has accepted these words."""
        self.accepted.setdefault(decision, set()).add(words)

    def fault(self, request: Request, own: Collection[str], links: Collection[str]) -> str:
        """What is wrong with a request of the own seat, in a sentence; "" for nothing.

        `own` are the participants with this device's key, `links` those of the request.
        """
        mine, under = self.signed.get(request.decision, {}), f"decision {request.decision}"
        accepted = self.accepted.get(request.decision)
        found = None if request.signed is None else mine.get(request.signed.sig.hex())
        if found is not None:
            if accepted is None or found[1] in accepted:
                return ""
            return f"Request {request.n} has an order under {under} that the server has refused."
        if request.signed is not None and request.signed.id in own:
            return f"Request {request.n} has a signature under {under} that this client never gave."
        if accepted is not None and any(name in links for name, _ in mine.values()):
            return (
                f"Request {request.n} follows from {under} without the signature of this client,"
                " whose order the server has accepted: it has played another one, or somebody has"
                " sent one for the seat before."
            )
        return ""
