"""What programs get, by the names of its parts: the schema is made from these, mypy checks them.

Where a noun of the table is sent as it is (a receipt, a table, a line of the chat), its own class
is the description.
"""

from __future__ import annotations

from typing import Any, TypedDict

from litestar.openapi.datastructures import ResponseSpec
from litestar.plugins import ReceiveRoutePlugin
from litestar.routes import BaseRoute, HTTPRoute

from rubicon.orders.problems import Problem
from rubicon.table.live import LinkWanted


class Named(TypedDict):
    """A ruleset or a board, and its version."""

    name: str
    version: int


class PositionTold(TypedDict):
    """A position in the words of docs/notation.md, without what is hidden from whoever asks."""

    kind: str
    version: int
    ruleset: Named
    options: dict[str, str]
    board: Named
    territories: dict[str, str]
    seats: list[dict[str, str]]
    table: dict[str, str]


class SeatTold(TypedDict):
    """Who sits at a seat; `stand_in` is the bot that plays in the owner's place."""

    colour: str
    name: str
    bot: str | None
    stand_in: str | None


class GameTold(TypedDict):
    """How a game stands. Times are milliseconds since 1970, `asked` says until when."""

    id: str
    title: str
    state: str
    you: str | None
    seats: list[SeatTold]
    settings: dict[str, Any]
    head: int
    phase: str
    turn: str | None
    round: int
    asked: dict[str, int | None]
    duty: int | None
    waits_for: str
    paused: bool
    votes: dict[str, list[str]]
    witness: str
    entropy: dict[str, int]
    link: LinkWanted | None
    opened: bool
    result: str | None
    reason: str | None
    position: PositionTold


class FamilyTold(TypedDict):
    """Decisions that differ in one number only."""

    text: str
    size: int
    lowest: str
    highest: str
    action: dict[str, Any]


class LegalTold(TypedDict):
    """What a seat may decide for its duty, and what answers none."""

    duty: int | None
    families: list[FamilyTold]
    asides: list[str]


class NoticeTold(TypedDict):
    """Something that a seat was told, as in the live stream."""

    entry: int
    kind: str
    at: int
    body: Any


class ExplainedTold(TypedDict):
    """Orders as they were read, and in plain words; `passed_over` was taken for no order."""

    orders: str
    explained: list[str]
    passed_over: list[str]


class PreviewTold(TypedDict):
    """Orders as they were read, and what they may come to; `passed_over` was taken for no order."""

    orders: str
    lines: list[str]
    passed_over: list[str]


class AccountTold(TypedDict):
    """Who one is; `email` is null for a guest, `letters` whether any are wished for."""

    account: str
    name: str
    admin: bool
    email: str | None
    letters: bool


class IssuedTold(TypedDict):
    """A new account; its token is shown this once."""

    account: str
    name: str
    token: str


class OpenedTold(TypedDict):
    """A table that stands, and the secrets of its links: the table's, or one a seat."""

    game: str
    invite: str | None
    invites: dict[str, str]


class RulesetTold(TypedDict):
    """A ruleset; `players` are the fewest and the most."""

    name: str
    title: str
    version: int
    players: list[int]


class BoardTold(TypedDict):
    """A board."""

    name: str
    title: str
    territories: int


class OptionTold(TypedDict):
    """An option of the rules, and the ids of its sources."""

    name: str
    meaning: str
    sources: list[str]


class SettingTold(TypedDict):
    """A setting of a table."""

    name: str
    values: str
    default: str
    meaning: str


class OddsTold(TypedDict):
    """How a battle ends: the chance to win it, and the armies that it costs on average."""

    attack: int
    defend: int
    win: float
    expected_attack_losses: float
    expected_defend_losses: float


class _Refused(TypedDict):
    code: str
    message: str
    suggestion: str


class RefusedTold(_Refused, total=False):
    """Every error. `duty` comes with 409, `problems` and `corrected` with orders that are none."""

    duty: int | None
    problems: list[Problem]
    corrected: str | None


REFUSALS = {
    400: "What was sent cannot be read, or cannot be.",
    401: "Nobody is signed in.",
    403: "It is not for whoever asks.",
    404: "There is none, or it is not for whoever asks.",
    405: "This is not done here.",
    409: "Something else is asked by now.",
    413: "It is too large.",
    422: "The rules refuse it.",
    429: "It was too much at once; Retry-After says when to come again.",
    431: "The head of the request is too large.",
    503: "The store or the dice are away; Retry-After says when to come again.",
}


class RefusalsDocumented(ReceiveRoutePlugin):
    """Writes into the schema of every route what may be refused, and how that looks."""

    __slots__ = ()

    def receive_route(self, route: BaseRoute) -> None:
        """A route of the application."""
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                handler.responses = _SPECIFIED | dict(handler.responses or {})


_SPECIFIED = {
    status: ResponseSpec(RefusedTold, generate_examples=False, description=description)
    for status, description in REFUSALS.items()
}
