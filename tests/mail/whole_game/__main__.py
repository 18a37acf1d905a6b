"""`make demo-mail`: a whole game by e-mail, told as it is played.

With ARGS=--quick a short one; with ARGS=--opensmtpd a short one through OpenSMTPD, as root.
"""

from __future__ import annotations

import sys
import time

from tests.mail.whole_game.mail_game import FULL, QUICK, REAL, play

if __name__ == "__main__":
    began = time.monotonic()
    plan = QUICK if "--quick" in sys.argv else REAL if "--opensmtpd" in sys.argv else FULL
    played = play(plan, print)
    seconds = time.monotonic() - began
    print(
        f"{played.messages} e-mails of players, {len(played.sent)} of the server, {seconds:.0f} s"
    )
