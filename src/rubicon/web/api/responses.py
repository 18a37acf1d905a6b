"""The JSON bodies that clients get, field by field: the OpenAPI document is made from these.

Some classes of the table are sent as they are: the receipt, the table, the chat line.
"""

from __future__ import annotations

from typing import Any, TypedDict

from litestar.openapi.datastructures import ResponseSpec
from litestar.plugins import ReceiveRoutePlugin
from litestar.routes import BaseRoute, HTTPRoute

from rubicon.orders.errors import OrderProblem
from rubicon.table.game.hosted_game import LinkWanted
from rubicon.web.api.game_views.legal_bodies import DecisionView
from rubicon.web.api.game_views.position_bodies import PositionView


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
    """A deposit that was taken; `begun` tells whether its chain takes part already."""

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

    `rules` has the ids of the rules behind a 422.
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
