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


class VersionedName(TypedDict):
    """A ruleset or a board, and its version."""

    name: str
    version: int


class _PositionFields(TypedDict):
    kind: str
    version: int
    ruleset: VersionedName
    options: dict[str, str]
    board: VersionedName
    territories: dict[str, str]
    seats: list[dict[str, str]]
    table: dict[str, str]


class PositionView(_PositionFields, total=False):
    """A position in the notation of docs/notation.md; hidden information is `?`.

    `pieces`, by territory and kind, comes only on request.
    """

    pieces: dict[str, dict[str, int]]


class GameSeatView(TypedDict):
    """A seat of a running game; `substitute` is the bot that plays for an absent owner."""

    colour: str
    name: str
    bot: str | None
    substitute: str | None


class GameView(TypedDict):
    """The state of a game. Times are milliseconds since 1970 UTC.

    `deadlines` has the seats that must decide, or enter real dice; null where no clock runs.
    `waiting_reason` says in sentences why the game waits for an independent dice server, and is
    empty otherwise.
    """

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
    decision: int | None
    waiting_for: str
    waiting_reason: str
    paused: bool
    votes: dict[str, list[str]]
    witness: str
    dice_clients: dict[str, str]
    link: LinkWanted | None
    opened: bool
    result: str | None
    reason: str | None
    position: PositionView


class DepositView(TypedDict):
    """A deposit that was taken; `begun` tells whether its chain takes part already."""

    game: str
    seat: str
    begun: bool


class ActionRangeView(TypedDict):
    """Legal actions that differ in one number only, from `lowest` to `highest`."""

    text: str
    size: int
    lowest: str
    highest: str
    action: dict[str, Any]


class LegalActionsView(TypedDict):
    """The legal actions for the pending decision, and those that are legal out of turn."""

    decision: int | None
    ranges: list[ActionRangeView]
    out_of_turn: list[str]


class EventView(TypedDict):
    """An event as the seat saw it, also in the event stream."""

    index: int
    kind: str
    at: int
    body: Any


class ExplanationView(TypedDict):
    """Orders as they were read, in plain words; `ignored`: why lines are not carried out."""

    orders: str
    explained: list[str]
    ignored: list[str]


class PreviewView(TypedDict):
    """Orders as they were read, and their possible results; `ignored` lines contain no order."""

    orders: str
    lines: list[str]
    ignored: list[str]


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


class RulesetView(TypedDict):
    """A ruleset; `players` is the minimum and the maximum."""

    name: str
    title: str
    version: int
    players: list[int]


class BoardView(TypedDict):
    """A board."""

    name: str
    title: str
    territories: int


class SettingView(TypedDict):
    """A setting of a table."""

    name: str
    values: str
    default: str
    meaning: str


class BattleOddsView(TypedDict):
    """The chance to win a battle (0 to 1), and the average number of armies that it costs."""

    attack: int
    defend: int
    win: float
    expected_attack_losses: float
    expected_defend_losses: float


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
