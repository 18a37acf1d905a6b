"""The JSON bodies that clients send: validated when they are read, described in the schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rubicon.table.lobby.table_request import MAX_OPTIONS

MAX_NUMBER = 2**31 - 1  # the largest integer column of every database
ShortText = Annotated[str, Meta(max_length=60)]
LongText = Annotated[str, Meta(max_length=65_536)]
Secret = Annotated[str, Meta(max_length=64)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Signature = Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]
Language = Literal["en", "de"]  # of a rulebook
Number = Annotated[int, Meta(ge=-1, le=MAX_NUMBER)]


class Body(Struct, forbid_unknown_fields=True):
    """A request body. Unknown fields are errors, so that a misspelt one is not ignored."""


class CreateGuest(Body):
    """The name of a new guest."""

    name: ShortText


class UpdateAccount(Body):
    """A new name, used from the next table on; whether to send e-mails, and to show a page."""

    name: ShortText | None = None
    emails: bool | None = None
    listed: bool | None = None


class EmailAddress(Body):
    """An address to which an e-mail is sent."""

    email: Annotated[str, Meta(max_length=254)]


class MagicLinkToken(Body):
    """The token of a link from an e-mail: its last 26 characters."""

    token: Secret


class CreateToken(Body):
    """The label of a new token."""

    label: ShortText


class OpenTable(Body):
    """A new table: its ruleset and options, board, seats, bots, access and settings."""

    ruleset: ShortText = "classic"
    options: dict[str, Any] = {}
    board: ShortText = "world"
    seats: Annotated[int, Meta(ge=0, le=100)] | list[ShortText] = 3
    bots: dict[Annotated[str, Meta(pattern="^[0-9]$")], ShortText] = {}
    access: ShortText = "open"
    title: ShortText = ""
    settings: dict[str, Any] = {}


class CheckOptions(Body):
    """Options to change in a ruleset, and whether the rulebook of the result is wanted, and in
    which language."""

    ruleset: ShortText = "classic"
    options: Annotated[dict[str, Any], Meta(max_length=MAX_OPTIONS)] = {}
    board: ShortText = "world"
    rulebook: bool = True
    language: Language = "en"


class JoinTable(Body):
    """The seat to take (any free one by default), and the invite of a table that needs one."""

    colour: ShortText | None = None
    invite: Secret | None = None


class ChooseSeat(Body):
    """A seat."""

    colour: ShortText


class SwapSeats(Body):
    """Two seats that change places."""

    one: ShortText
    other: ShortText


class SeatBot(Body):
    """A bot for a seat."""

    colour: ShortText
    bot: ShortText


class RenewInvite(Body):
    """The seat whose invite is replaced; without one, the table's."""

    colour: ShortText | None = None


class Submit(Body):
    """A single decision (docs/notation.md), or with `orders` an order text (docs/orders.md).

    `action` is a decision as JSON, in place of `text`.
    """

    decision: Number
    text: LongText = ""
    orders: bool = False
    action: dict[str, Any] | None = None
    signed: SignedBy | None = None


class Undo(Body):
    """The id of the decision to take back."""

    decision: Number


class TextBody(Body):
    """A text."""

    text: LongText


class ActOutOfTurn(Body):
    """An action that needs no pending decision, as text or as JSON."""

    text: LongText = ""
    action: dict[str, Any] | None = None


class AskOdds(Body):
    """A territory that attacks, and how: its dice and stops as in an ATTACK, `UNTIL LEFT 3`.

    `armies` replaces the number of armies there. With a `target` only that one is answered, and
    with the odds of every stop.
    """

    source: ShortText
    stop: Annotated[str, Meta(max_length=200)] = ""
    armies: Annotated[int, Meta(ge=1, le=MAX_NUMBER)] | None = None
    target: ShortText | None = None


class CompleteOrders(Body):
    """An order text, and where the cursor stands in it: behind so many characters."""

    text: LongText
    cursor: Annotated[int, Meta(ge=0, le=65_536)]


class ReportDice(Body):
    """The result of physical dice, for the dice request at a log index."""

    index: Number
    outcome: Annotated[str, Meta(max_length=200)]


class DepositChain(Body):
    """The end of a hash chain that the client keeps (docs/fair-dice.md), signed by its key."""

    key: Hash
    nonce: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    end: Hash
    length: Number
    signature: Signature
    certificate: Signature | None = None


class ChangePresence(Body):
    """A client that joins the dice or leaves them: its signature over the head of line `seen`."""

    presence: Literal["joined", "left"]
    id: ShortText
    seen: Number
    head: Hash
    signature: Signature


class GiveLink(Body):
    """The link of the client's chain for a dice request, signed with the request's head."""

    n: Number
    link: Hash
    signature: Signature


class SealPlacement(Body):
    """The salted hash of a placement, signed by the client over the head of a recent line."""

    decision: Number
    hash: Hash
    id: ShortText
    head: Hash
    signature: Signature


class OpenPlacement(Body):
    """What was sealed: one action `place …` a line, and the salt."""

    text: LongText
    salt: Hash


class ShowLostLines(Body):
    """Lines of the dice transcript that the server has shown and lacks, up to one it has signed."""

    lines: Annotated[list[LongText], Meta(min_length=1, max_length=1_000)]


class SignedBy(Body):
    """A client's signature of its decision, over the head of the dice transcript that it saw."""

    id: ShortText
    head: Hash
    signature: Signature


class Vote(Body):
    """A motion; a client signs `vote MOTION` or `vote -MOTION` with the decision 0."""

    motion: ShortText
    withdrawn: bool = False
    signed: SignedBy | None = None


class SendChat(Body):
    """A chat line, to one seat or (by default) to all."""

    text: Annotated[str, Meta(max_length=500)]
    to: ShortText = ""
