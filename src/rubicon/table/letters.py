"""Which notices lead to a letter. `notice.sent` says how far it is:

None: no letter, or no letter any more; 0: one waits; below 0: it is being sent or rests after a
failure, and nobody touches it before that moment (without the sign); above 0: when it was sent.
"""

from __future__ import annotations

from rubicon.table.live import Live
from rubicon.table.settings import Clock

WAITS = 0
KINDS = frozenset({"duty", "deadline", "over"})


def letter_for(live: Live, seat: str, kind: str) -> int | None:
    """What `notice.sent` begins with; what only the accounts know is looked at when it is sent.

    No letters to spectators, bots and seats that a stand-in plays, nor where a letter comes too
    late, nor of the end of a game that goes on as another, nor of what follows at once from the
    seat's own decision.
    """
    if kind not in KINDS or not seat or seat in live.house_bots or seat in live.bots:
        return None
    if kind == "duty" and seat == live.there:
        return None
    return None if live.forked or live.settings.clock is Clock.LIVE else WAITS
