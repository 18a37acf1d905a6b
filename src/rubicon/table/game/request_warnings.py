"""What a server answers to the requests in an order text: it carries out orders only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rubicon.orders.errors import OrderProblem
from rubicon.orders.order_text import OrderText
from rubicon.orders.requests import (
    AbsenceRequest,
    Ask,
    AskRequest,
    ConfirmRequest,
    HelpRequest,
    HistoryRequest,
    MasterAct,
    MasterRequest,
    PressRequest,
    Request,
    ResignRequest,
    VoteRequest,
)
from rubicon.table.errors import TableError

NOT_DONE = "orders/request-not-done"
UNCONFIRMED = "orders/unconfirmed"  # a code of the parser
NOT_HERE = "is not done here: the server carries out only the orders of a text."
CONTRADICTED = "orders/request-against-orders"
# These say what becomes of the orders beside them. Carrying the orders out would do the opposite,
# and dice cannot be taken back.
ABOUT_THE_ORDERS: Mapping[Ask, str] = {
    Ask.PREVIEW: "Send the text without PREVIEW to POST /api/v1/games/{game}/orders/preview.",
    Ask.WAIT: "Send the orders without WAIT when they may be carried out.",
    Ask.CLEAR: "Send only the orders that may be carried out.",
    Ask.UNDO: "POST /api/v1/games/{game}/undo first, then send the orders.",
}
READ_STATE = "GET /api/v1/games/{game}/ shows it."
ASKED: Mapping[Ask, str] = {
    Ask.STATUS: READ_STATE,
    Ask.MAP: READ_STATE,
    Ask.HAND: READ_STATE,
    Ask.LEGAL: "GET /api/v1/games/{game}/legal lists it.",
    Ask.RULES: "GET /api/v1/rulesets lists the rulesets.",
}
VOTE = "POST /api/v1/games/{game}/vote"
CHAT = "POST /api/v1/games/{game}/chat sends messages."
BY_MASTER: Mapping[MasterAct, str] = {
    MasterAct.PROCESS: "The table's timeout policy does it when the time of a player is over.",
    MasterAct.FORK: f"{VOTE} with the motion fork INDEX.",
    MasterAct.EXTEND: f"{VOTE} with the motion extend.",
    MasterAct.REPLACE: f"{VOTE} with the motion replace COLOUR.",
    MasterAct.BOT: f"{VOTE} with the motion replace COLOUR.",
    MasterAct.ANNOUNCE: CHAT,
}


def warnings_of(text: OrderText) -> tuple[str, ...]:
    """The warnings about an order text on a server: those of the parser, and its requests.

    To add CONFIRM to a request would change nothing here, so no warning advises it.
    """
    parsed = (warning for warning in text.warnings if warning.code != UNCONFIRMED)
    problems = sorted((*parsed, *requests_not_done(text)), key=lambda problem: problem.line)
    return tuple(f"{problem} [{problem.code}]" for problem in problems)


def requests_not_done(text: OrderText) -> tuple[OrderProblem, ...]:
    """A warning for each request of a text, by its line: what to do instead."""
    return tuple(
        OrderProblem(line, column, NOT_DONE, f"{_named(request)} {NOT_HERE}", instead(request))
        for (line, column), request in zip(text.request_places, text.requests, strict=True)
    )


def check_requests(text: OrderText) -> None:
    """TableError where a request forbids the orders beside it to be carried out now."""
    for (line, _), request in zip(text.request_places, text.requests, strict=True):
        if isinstance(request, AskRequest) and request.ask in ABOUT_THE_ORDERS:
            message = f"Line {line}: {request} {NOT_HERE} Nothing was done."
            raise TableError(CONTRADICTED, message, ABOUT_THE_ORDERS[request.ask])


def instead(request: Request) -> str:
    """How a person or a program gets what a request asks for."""
    match request:
        case AskRequest(ask):
            return ABOUT_THE_ORDERS[ask] if ask in ABOUT_THE_ORDERS else ASKED[ask]
        case HistoryRequest():
            return "GET /api/v1/games/{game}/events lists it."
        case HelpRequest():
            return "docs/orders.md explains the orders."
        case ResignRequest():
            return "POST /api/v1/games/{game}/out-of-turn with the text resign COLOUR."
        case VoteRequest(motion):
            return f"{VOTE} with the motion {motion.lower()}."
        case AbsenceRequest():
            return "POST /api/v1/games/{game}/absence with the days, and a bot if one plays."
        case PressRequest():
            return CHAT
        case ConfirmRequest():
            return "Open the link of the e-mail."
        case MasterRequest(act):
            return BY_MASTER[act]


def _named(request: Request) -> str:
    """A request in one line: of a message only its first."""
    if isinstance(request, PressRequest):
        request = replace(request, text="")
    return str(request).splitlines()[0]
