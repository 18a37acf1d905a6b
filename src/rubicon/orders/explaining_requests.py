"""Requests in plain English."""

from __future__ import annotations

from collections.abc import Mapping

from rubicon.orders.request import (
    AbsenceRequest,
    Ask,
    AskRequest,
    ConfirmRequest,
    HelpRequest,
    HistoryRequest,
    MasterAct,
    MasterRequest,
    Motion,
    PressRequest,
    Request,
    ResignRequest,
    VoteRequest,
)

ASKED: Mapping[Ask, str] = {
    Ask.STATUS: "You ask how the game stands.",
    Ask.MAP: "You ask for the map.",
    Ask.PREVIEW: "You ask for the odds of these orders; nothing of them is done.",
    Ask.CLEAR: "Orders that wait are forgotten.",
    Ask.WAIT: "Your turn is held open though your orders are in.",
    Ask.UNDO: "You ask to take back what you did since the last die or hidden card.",
}
MOTIONS: Mapping[Motion, str] = {
    Motion.DRAW: "You vote for a draw",
    Motion.PAUSE: "You vote for a pause",
    Motion.EXTEND: "You vote for a later deadline",
}
UNCONFIRMED = ", which counts only with CONFIRM behind it"


def request_sentence(request: Request) -> str:
    """What a request asks for."""
    match request:
        case AskRequest(ask):
            return ASKED[ask]
        case HistoryRequest(None):
            return "You ask what has happened since your last turn."
        case HistoryRequest(entries):
            return f"You ask for the last {counted(entries or 0, 'entry', 'entries')} of the log."
        case HelpRequest(word):
            return f"You ask for help{f' about {word}' if word else ''}."
        case AbsenceRequest(first, last, bot):
            plays = f"; the bot {bot} plays for you meanwhile" if bot else ""
            return f"You are away from {first} to {last}{plays}."
        case VoteRequest(motion, confirmed):
            lacks = motion is Motion.DRAW and not confirmed
            return f"{MOTIONS[motion]}{UNCONFIRMED if lacks else ''}."
        case ResignRequest(confirmed):
            return f"You resign and leave the game{'' if confirmed else UNCONFIRMED}."
        case ConfirmRequest(code):
            return f"You confirm with the code {code} what you asked for before."
        case PressRequest(to, text):
            whom = {"ALL": "everybody", "GM": "the game master"}.get(to, to.capitalize())
            return f"You send {whom} a message of {counted(len(text.split()), 'word', 'words')}."
        case MasterRequest():
            return _master(request)


def _master(request: MasterRequest) -> str:
    lacks = "" if request.confirmed else UNCONFIRMED
    seat = (request.seat or "").capitalize()
    match request.act:
        case MasterAct.PROCESS:
            return "As game master: the game goes on without those who are silent."
        case MasterAct.FORK:
            return f"As game master: a new game begins at entry {request.number}{lacks}."
        case MasterAct.EXTEND:
            hours = counted(request.number or 0, "hour", "hours")
            return f"As game master: the deadline is {hours} later."
        case MasterAct.REPLACE:
            return f"As game master: {seat}'s seat is free for somebody else{lacks}."
        case MasterAct.BOT:
            return f"As game master: the bot {request.words} plays for {seat}."
        case MasterAct.ANNOUNCE:
            return f"As game master: you tell everybody: {request.words}"


def counted(number: int, one: str, many: str) -> str:
    """`1 word`, `2 words`."""
    return f"{number} {one if number == 1 else many}"
