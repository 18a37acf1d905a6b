"""What an e-mail may do, from its token, its sender and what it asks for.

A token that leaks can at most play the orders of one turn: it names one decision, the sender must
still look like the player, and everything that cannot be taken back needs a one-time code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from rubicon.mail.identity.alignment import SenderAlignment
from rubicon.mail.identity.tokens import TokenScope
from rubicon.orders.order_text import OrderText
from rubicon.orders.requests import (
    Ask,
    AskRequest,
    ConfirmRequest,
    HelpRequest,
    HistoryRequest,
    MasterAct,
    MasterRequest,
    Motion,
    Request,
    ResignRequest,
    VoteRequest,
)
from rubicon.orders.syntax import DefendOrder

CHANGING = (Ask.CLEAR, Ask.WAIT, Ask.UNDO)  # requests of one word that change something


class MailAct(StrEnum):
    """Kinds of what an e-mail can ask for, by what they need."""

    INQUIRY = "inquiry"  # changes nothing; the answer goes to the registered address alone
    ORDERS = "orders"  # answers the pending decision
    STANDING = "standing"  # DEFEND, VOTE, PRESS, ABSENCE, TIMEZONE …: at any time of the game
    FINAL = "final"  # RESIGN, FORK, a change of address …: cannot be taken back
    CONFIRM = "confirm"  # brings the code itself


class MailVerdict(StrEnum):
    """What the server does."""

    ALLOWED = "allowed"
    STALE = "stale"  # the decision is answered: say so, and send the form of the newest one
    NEEDS_CODE = "needs-code"  # mail a code to the registered address
    UNKNOWN = "unknown"  # no valid token: the sender is a stranger


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownToken:
    """A token that the server issued; `expires_at` in milliseconds since 1970."""

    scope: TokenScope
    expires_at: int


def acts_of(text: OrderText) -> frozenset[MailAct]:
    """All kinds of acts in a text."""
    return frozenset(_acts(text))


def _acts(text: OrderText) -> Iterator[MailAct]:
    for order in text.orders:
        yield MailAct.STANDING if isinstance(order, DefendOrder) else MailAct.ORDERS
    for request in text.requests:
        yield _act_of(request)
    if text.ended and not text.requests and not text.orders:
        yield MailAct.ORDERS


def _act_of(request: Request) -> MailAct:
    match request:
        case AskRequest(ask=ask):
            return MailAct.STANDING if ask in CHANGING else MailAct.INQUIRY
        case HistoryRequest() | HelpRequest():
            return MailAct.INQUIRY
        case ConfirmRequest():
            return MailAct.CONFIRM
        case ResignRequest() | MasterRequest(act=MasterAct.FORK | MasterAct.REPLACE):
            return MailAct.FINAL
        case VoteRequest(motion=motion):
            return MailAct.FINAL if motion is Motion.DRAW else MailAct.STANDING
        case _:
            return MailAct.STANDING


def judge(
    act: MailAct,
    token: KnownToken | None,
    alignment: SenderAlignment,
    *,
    pending: int | None,
    now: int,
) -> MailVerdict:
    """What one kind of act gets; `pending` is the decision that the token's seat is asked now."""
    if token is None:
        return MailVerdict.UNKNOWN
    if now >= token.expires_at:
        return MailVerdict.STALE
    # The code was mailed to the registered address: who brings it, has read that mailbox.
    if act in (MailAct.INQUIRY, MailAct.CONFIRM):
        return MailVerdict.ALLOWED
    if act is MailAct.ORDERS and token.scope.decision != pending:
        return MailVerdict.STALE
    doubtful = alignment in (SenderAlignment.OTHER, SenderAlignment.FORGED)
    if doubtful or act is MailAct.FINAL:
        return MailVerdict.NEEDS_CODE
    return MailVerdict.ALLOWED
