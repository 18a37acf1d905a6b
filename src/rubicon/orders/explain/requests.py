"""Explains requests in plain English."""

from __future__ import annotations

from collections.abc import Mapping

from rubicon.orders.requests import (
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
from rubicon.wording import numbered

ASKED: Mapping[Ask, str] = {
    Ask.STATUS: "You ask for the state of the game.",
    Ask.MAP: "You ask for the map.",
    Ask.LEGAL: "You ask what you can do now.",
    Ask.HAND: "You ask for your cards, your mission and your rewards.",
    Ask.RULES: "You ask for the rules of this game.",
    Ask.PREVIEW: "You ask for the odds of these orders; none of them is carried out.",
    Ask.CLEAR: "You delete your orders that wait.",
    Ask.WAIT: "Your turn stays open although your orders are in.",
    Ask.UNDO: "You take back your last decision, if no die or hidden card came since.",
}
MOTIONS: Mapping[Motion, str] = {
    Motion.DRAW: "You vote for a draw",
    Motion.PAUSE: "You vote for a pause",
    Motion.EXTEND: "You vote for a later deadline",
}
UNCONFIRMED = ", but only if CONFIRM stands behind it"


def request_sentence(request: Request) -> str:
    """A request in a sentence."""
    match request:
        case AskRequest(Ask.MAP, str(territory)):
            return f"You ask for the neighbours of {territory}."
        case AskRequest(Ask.LEGAL, str(territory)):
            return f"You ask what you can do with {territory}."
        case AskRequest(ask):
            return ASKED[ask]
        case HistoryRequest(None):
            return "You ask for the events since your last turn."
        case HistoryRequest(entries):
            return f"You ask for the last {numbered(entries or 0, 'entry', 'entries')} of the log."
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
            return f"You confirm an earlier request with the code {code}."
        case PressRequest(to, text):
            whom = {"ALL": "all players", "GM": "the game master"}.get(to, to.capitalize())
            return f"You send {whom} a message of {numbered(len(text.split()), 'word', 'words')}."
        case MasterRequest():
            return _master(request)


def _master(request: MasterRequest) -> str:
    lacks = "" if request.confirmed else UNCONFIRMED
    seat = (request.seat or "").capitalize()
    match request.act:
        case MasterAct.PROCESS:
            return "As game master: the game goes on without the missing players."
        case MasterAct.FORK:
            return f"As game master: a new game begins at log index {request.number}{lacks}."
        case MasterAct.EXTEND:
            hours = numbered(request.number or 0, "hour", "hours")
            return f"As game master: the deadline is {hours} later."
        case MasterAct.REPLACE:
            return f"As game master: {seat}'s seat is free for another player{lacks}."
        case MasterAct.BOT:
            return f"As game master: the bot {request.words} plays for {seat}."
        case MasterAct.ANNOUNCE:
            return f"As game master: you announce to all players: {request.words}"
