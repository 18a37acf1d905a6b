"""`make demo-mail`: a whole game by e-mail, told as it is played."""

from __future__ import annotations

import sys
import time

from tests.mail.whole_game.mail_game import FULL, QUICK, play

if __name__ == "__main__":
    began = time.monotonic()
    played = play(QUICK if "--quick" in sys.argv else FULL, print)
    seconds = time.monotonic() - began
    print(
        f"{played.messages} e-mails of players, {len(played.sent)} of the server, {seconds:.0f} s"
    )
