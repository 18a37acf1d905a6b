"""Which notifications lead to an e-mail. `notification.sent` holds the state of the delivery:

None: no e-mail, or it is no longer needed; 0: pending; below 0: being sent, or delivery failed, and
the next attempt is not before that time (without the sign); above 0: the time when it was sent.
"""

from __future__ import annotations

from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.settings import Clock

EMAIL_PENDING = 0
EVENTS = "events"  # the kind of a notification of what has happened
KINDS = frozenset({"decision", "opening", "deadline", "late", "announce", "stopped", "over"})


def email_for(hosted: HostedGame, seat: str, kind: str) -> int | None:
    """The first value of `notification.sent`; the mailer decides by the account's settings later.

    There is no e-mail for spectators, bots and seats with a stand-in bot, at live tables, where it
    would come too late, for a game that was forked, and for what is asked of a seat at once behind
    its own decision.
    """
    if kind not in KINDS or not seat or seat in hosted.server_bots or seat in hosted.bots:
        return None
    if kind in ("decision", "opening") and seat == hosted.present:
        return None
    return None if hosted.forked or hosted.settings.clock is Clock.LIVE else EMAIL_PENDING


AWARDS = ('"event":"awarded"', '"event":"received"')
ROLLS = ('"event":"rolled"',)


def news_for(hosted: HostedGame, seat: str, body: str) -> int | None:
    """The first `notification.sent` of events: pending where they hold an award or a roll.

    The ruleset decides whether players are told of them by e-mail (S002-14, -34). Where one person
    plays against bots, the e-mail of the next decision tells everything.
    """
    if not seat or hosted.settings.clock is Clock.LIVE or hosted.forked:
        return None
    if hosted.game.ruleset.options["gm.notices"] is not True:
        return None
    if len(hosted.game.colours) - len(hosted.server_bots) < 2:
        return None
    return EMAIL_PENDING if any(mark in body for mark in (*AWARDS, *ROLLS)) else None
