"""The bodies with which clients take part in the dice, as what the table understands."""

from __future__ import annotations

from rubicon.dice.lines.deposit import Deposit
from rubicon.dice.lines.placement import Opened, Sealed
from rubicon.dice.lines.presence import Presence
from rubicon.dice.lines.request import GivenLink, SignedOrder
from rubicon.web.api.requests import (
    ChangePresence,
    DepositChain,
    GiveLink,
    OpenPlacement,
    SealPlacement,
    SignedBy,
)

_bytes = bytes.fromhex  # the digits were checked when the body was read


def deposit_of(seat: str, body: DepositChain) -> Deposit:
    """The deposit of a seat's client."""
    return Deposit(
        seat=seat,
        key=_bytes(body.key),
        nonce=_bytes(body.nonce),
        end=_bytes(body.end),
        length=body.length,
        sig=_bytes(body.signature),
    )


def presence_of(body: ChangePresence) -> Presence:
    """A client that joins or leaves."""
    sig = _bytes(body.signature)
    return Presence(body.presence, body.id, body.seen, _bytes(body.head), sig)


def given_of(body: GiveLink) -> GivenLink:
    """A client's link."""
    return GivenLink(_bytes(body.link), _bytes(body.signature))


def sealed_of(seat: str, body: SealPlacement) -> Sealed:
    """What a seat's client has sealed."""
    signed = SignedOrder(body.id, _bytes(body.head), _bytes(body.signature))
    return Sealed(seat, body.decision, _bytes(body.hash), signed)


def opened_of(seat: str, body: OpenPlacement) -> Opened:
    """What a seat's client opens."""
    return Opened(seat, body.text, _bytes(body.salt))


def signed_order(body: SignedBy) -> SignedOrder:
    """A client's signature of its decision."""
    return SignedOrder(body.id, _bytes(body.head), _bytes(body.signature))
