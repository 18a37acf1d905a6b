"""Requests of the game master, and what a server answers to requests in a text of orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rubicon.orders import syntax
from rubicon.orders.errors import OrderProblem
from rubicon.table.errors import TableError, TableNotFound
from rubicon.table.game.log_lines import LineKind, LogLine, MasterOrder, MasterWord, said

# Requests of the game master: a line of the log each, which every player can read.
#
# `MasterOrder` is a request as the table carries it out; `order_of` makes one of what the
# language of orders has (docs/orders.md), whose word `UNDO` everyone shares.

MOST_HOURS = 14 * 24  # of one request
MOST_WORDS = 500  # characters of an announcement
MOST_BANNER = 140


@dataclass(slots=True)
class MasterState:
    """What requests of the game master have changed in a game, alongside its clocks."""

    order: MasterOrder | None = None  # the request that the next lines of the log carry out
    banner: str = ""  # the line above the pages of the game
    # Seats that wait for another player: a bot plays them until someone takes them back.
    freed: set[str] = field(default_factory=set)

    @property
    def takes_back(self) -> bool:
        """Whether the game master has just asked to take the last decision back."""
        return self.order is not None and self.order.word is MasterWord.UNDO


def announced(line: LogLine) -> str:
    """The words that a line of the log announces to all players; "" for any other line."""
    if line.kind is not LineKind.MASTER:
        return ""
    order = said(line, MasterOrder)
    return order.words if order.word is MasterWord.ANNOUNCE else ""


def order_of(request: syntax.MasterRequest | syntax.AskRequest) -> MasterOrder:
    """What a request of the language asks for.

    TableError `master/unconfirmed` for one that counts only with CONFIRM, and `master/unknown` for
    a request that is not the game master's.
    """
    if isinstance(request, syntax.AskRequest):
        if request.ask is not syntax.Ask.UNDO:
            message = f"{request} is no request of the game master."
            raise TableNotFound("master/unknown", message, f"There are: {', '.join(MasterWord)}.")
        return MasterOrder(MasterWord.UNDO)
    if request.act in (syntax.MasterAct.REPLACE, syntax.MasterAct.FORK) and not request.confirmed:
        message = f"{request} counts only with CONFIRM: nothing was done."
        raise TableError("master/unconfirmed", message, f"Write: {request} CONFIRM")
    word = MasterWord(request.act.value)
    return MasterOrder(word, request.seat or "", request.number or 0, request.words or "")


# Requests in an order text: a server carries out orders only, and says so.

NOT_DONE = "orders/request-not-done"
UNCONFIRMED = "orders/unconfirmed"  # a code of the parser
NOT_HERE = "is not done here: the server carries out only the orders of a text."
CONTRADICTED = "orders/request-against-orders"
# These say what becomes of the orders beside them. Carrying the orders out would do the opposite,
# and dice cannot be taken back.
ABOUT_THE_ORDERS: Mapping[syntax.Ask, str] = {
    syntax.Ask.PREVIEW: (
        "Send the text without PREVIEW to POST /api/v1/games/{game}/orders/preview."
    ),
    syntax.Ask.WAIT: "Send the orders without WAIT when they may be carried out.",
    syntax.Ask.CLEAR: "Send only the orders that may be carried out.",
    syntax.Ask.UNDO: "POST /api/v1/games/{game}/undo first, then send the orders.",
}
READ_STATE = "GET /api/v1/games/{game}/ shows it."
ASKED: Mapping[syntax.Ask, str] = {
    syntax.Ask.STATUS: READ_STATE,
    syntax.Ask.MAP: READ_STATE,
    syntax.Ask.HAND: READ_STATE,
    syntax.Ask.LEGAL: "GET /api/v1/games/{game}/legal lists it.",
    syntax.Ask.RULES: "GET /api/v1/rulesets lists the rulesets.",
}
VOTE = "POST /api/v1/games/{game}/vote"
CHAT = "POST /api/v1/games/{game}/chat sends messages."
BY_MASTER: Mapping[syntax.MasterAct, str] = {
    syntax.MasterAct.PROCESS: (
        "The table's timeout policy does it when the time of a player is over."
    ),
    syntax.MasterAct.FORK: f"{VOTE} with the motion fork INDEX.",
    syntax.MasterAct.EXTEND: f"{VOTE} with the motion extend.",
    syntax.MasterAct.REPLACE: f"{VOTE} with the motion replace COLOUR.",
    syntax.MasterAct.BOT: f"{VOTE} with the motion replace COLOUR.",
    syntax.MasterAct.ANNOUNCE: CHAT,
}


def warnings_of(text: syntax.OrderText) -> tuple[str, ...]:
    """The warnings about an order text on a server: those of the parser, and its requests.

    To add CONFIRM to a request would change nothing here, so no warning advises it.
    """
    parsed = (warning for warning in text.warnings if warning.code != UNCONFIRMED)
    problems = sorted((*parsed, *requests_not_done(text)), key=lambda problem: problem.line)
    return tuple(f"{problem} [{problem.code}]" for problem in problems)


def requests_not_done(text: syntax.OrderText) -> tuple[OrderProblem, ...]:
    """A warning for each request of a text, by its line: what to do instead."""
    return tuple(
        OrderProblem(line, column, NOT_DONE, f"{_named(request)} {NOT_HERE}", instead(request))
        for (line, column), request in zip(text.request_places, text.requests, strict=True)
    )


def check_requests(text: syntax.OrderText) -> None:
    """TableError where a request forbids the orders alongside it to be carried out now."""
    for (line, _), request in zip(text.request_places, text.requests, strict=True):
        if isinstance(request, syntax.AskRequest) and request.ask in ABOUT_THE_ORDERS:
            message = f"Line {line}: {request} {NOT_HERE} Nothing was done."
            raise TableError(CONTRADICTED, message, ABOUT_THE_ORDERS[request.ask])


def instead(request: syntax.Request) -> str:
    """How a person or a program gets what a request asks for."""
    match request:
        case syntax.AskRequest(ask):
            return ABOUT_THE_ORDERS[ask] if ask in ABOUT_THE_ORDERS else ASKED[ask]
        case syntax.HistoryRequest():
            return "GET /api/v1/games/{game}/events lists it."
        case syntax.HelpRequest():
            return "docs/orders.md explains the orders."
        case syntax.ResignRequest():
            return "POST /api/v1/games/{game}/out-of-turn with the text resign COLOUR."
        case syntax.VoteRequest(motion):
            return f"{VOTE} with the motion {motion.lower()}."
        case syntax.AbsenceRequest():
            return "POST /api/v1/games/{game}/absence with the days, and a bot if one plays."
        case syntax.PressRequest():
            return CHAT
        case syntax.ConfirmRequest():
            return "Open the link of the e-mail."
        case syntax.MasterRequest(act):
            return BY_MASTER[act]


def _named(request: syntax.Request) -> str:
    """A request in one line: of a message only its first."""
    if isinstance(request, syntax.PressRequest):
        request = replace(request, text="")
    return str(request).splitlines()[0]
