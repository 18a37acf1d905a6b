"""The JSON bodies that clients send and get, field by field: the OpenAPI document is made
from these.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from litestar.openapi.datastructures import ResponseSpec
from litestar.plugins import ReceiveRoutePlugin
from litestar.routes import BaseRoute, HTTPRoute
from msgspec import Meta, Struct

from rubicon.orders.errors import OrderProblem
from rubicon.table.game.hosted_game import LinkWanted
from rubicon.table.lobby.table_request import MAX_OPTIONS
from rubicon.web.api.decisions import DecisionView
from rubicon.web.api.position import PositionView

# The JSON bodies that clients send: validated when they are read, described in the schema.

MOST_QUESTIONS = 4  # for odds, with one order
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

    `action` is a decision as JSON, in place of `text`. `odds` asks about the position that follows;
    the answers come with `next=true`.
    """

    decision: Number
    text: LongText = ""
    orders: bool = False
    action: dict[str, Any] | None = None
    signed: SignedBy | None = None
    odds: Annotated[list[AskOdds], Meta(max_length=MOST_QUESTIONS)] = []


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

    `left` stops with so many armies left, or with one fewer than are there: one roll is always
    possible. `armies` replaces the number of armies there. With a `target` only that one is
    answered, and with the odds of every stop.
    """

    source: ShortText
    stop: Annotated[str, Meta(max_length=200)] = ""
    left: Annotated[int, Meta(ge=1, le=MAX_NUMBER)] | None = None
    armies: Annotated[int, Meta(ge=1, le=MAX_NUMBER)] | None = None
    target: ShortText | None = None


class CompleteOrders(Body):
    """An order text, and where the cursor is in it: after so many characters."""

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


# Bodies that clients get. Some classes of the table are sent as they are: the receipt, the table,
# the chat line.


class SeatClockView(TypedDict):
    """The clock of a seat: `bank` is the time left in its bank, in milliseconds.

    While a decision is pending, `bank_from` is the time at which it begins to use the bank, and
    `deadline` the time at which the bank is used up; both null where no clock runs.
    """

    bank: int
    bank_from: int | None
    deadline: int | None


class GameSeatView(TypedDict):
    """A seat of a running game; `substitute` is the bot that plays for an absent owner.

    `last_seen` says when its owner was: `now` (in the last two minutes), `lately` (fifteen
    minutes), `today` (24 hours) or `earlier`; null for a bot. `clock` is null without clocks.
    """

    colour: str
    name: str
    bot: str | None
    substitute: str | None
    last_seen: str | None
    clock: SeatClockView | None


class _GameFields(TypedDict):
    id: str
    title: str
    state: str
    you: str | None
    seats: list[GameSeatView]
    settings: dict[str, Any]
    index: int
    phase: str
    turn: str | None
    round: int
    deadlines: dict[str, int | None]
    now: int
    decision: int | None
    undoable: bool
    about: DecisionView | None
    waiting_for: str
    waiting_reason: str
    paused: bool
    votes: dict[str, list[str]]
    motions: list[str]
    witness: str
    dice_clients: dict[str, str]
    link: LinkWanted | None
    links_pending: dict[str, int]
    opened: bool
    result: str | None
    reason: str | None
    position: PositionView


class GameView(_GameFields, total=False):
    """The state of a game. Times are milliseconds since 1970 UTC; `now` is the server's.

    `deadlines` has the seats that must decide, or enter real dice; null where no clock runs.
    `motions` are those that make sense for the asker now, without forks and those in `votes`.
    `undoable`: whether the asker can take their own last decision back now.
    `about` says what the asker's own pending decision is about. `waiting_reason` says in sentences
    why the game waits for an independent dice server, and is empty otherwise. `links_pending` has
    the seats whose programs have not yet given their link for the pending roll, each with the time
    until which the server waits for it. `text` is the position as the asker may see it, as one line
    (docs/notation.md); only where it was asked for.
    """

    text: str


class DepositView(TypedDict):
    """A deposit that was taken; `begun`: whether its chain takes part already."""

    game: str
    seat: str
    begun: bool


class EventView(TypedDict):
    """An event as the seat saw it, also in the event stream."""

    index: int
    kind: str
    at: int
    body: Any


class AccountView(TypedDict):
    """The signed-in account; `email` is null for a guest, `emails` whether it wants any.

    `listed`: whether the account has a public page, as soon as it is saved.
    """

    account: str
    name: str
    admin: bool
    email: str | None
    emails: bool
    listed: bool


class UpdatedAccountView(TypedDict):
    """The account after a change."""

    account: str
    name: str
    emails: bool
    listed: bool


class IssuedTokenView(TypedDict):
    """An account and its new token, which is shown only this once."""

    account: str
    name: str
    token: str


class ApiTokenView(TypedDict):
    """A new token for a program, which is shown only this once."""

    label: str
    token: str


class TokenView(TypedDict):
    """A token without its secret."""

    label: str
    kind: str
    created: int


class OpenedTableView(TypedDict):
    """A new table, and its invites: one for the table, or one for each seat."""

    game: str
    invite: str | None
    invites: dict[str, str]


class _ErrorFields(TypedDict):
    code: str
    message: str
    suggestion: str


class ErrorView(_ErrorFields, total=False):
    """Every error. `decision` comes with 409, `problems` and `corrected` with unreadable orders.

    `rules` has the ids of the rules that a 422 rests on.
    """

    decision: int | None
    problems: list[OrderProblem]
    corrected: str | None
    rules: list[str]


ERRORS = {
    400: "The request cannot be read, or is not possible.",
    401: "The request needs a token.",
    403: "You may not do this.",
    404: "It does not exist, or is not visible to you.",
    405: "The path does not support this method.",
    409: "The decision is stale: another one is pending now.",
    413: "The body is too large.",
    422: "The rules do not allow it.",
    429: "Rate limit exceeded; Retry-After says when to try again.",
    431: "The headers are too large.",
    503: "The database or the dice are unavailable; Retry-After says when to try again.",
}


# A plugin sees the handlers of all controllers before the document is made.
class DocumentErrors(ReceiveRoutePlugin):
    """Adds the errors to the OpenAPI description of every route."""

    __slots__ = ()

    def receive_route(self, route: BaseRoute) -> None:
        """Called by Litestar for each route."""
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                handler.responses = _ERROR_SPECS | dict(handler.responses or {})


_ERROR_SPECS = {
    status: ResponseSpec(ErrorView, generate_examples=False, description=description)
    for status, description in ERRORS.items()
}
