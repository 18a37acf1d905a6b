"""`make demo-mail`: a whole game by e-mail, told as it is played.

With ARGS=--quick a short one; as root with ARGS=--opensmtpd a short one through OpenSMTPD, and with
ARGS=--dovecot one by a mailbox at Dovecot.
"""

from __future__ import annotations

import sys
import time

from tests.mail.whole_game.mail_game import FULL, MAILBOX, QUICK, REAL, play

if __name__ == "__main__":
    began = time.monotonic()
    plans = {"--quick": QUICK, "--opensmtpd": REAL, "--dovecot": MAILBOX}
    plan = next((plans[word] for word in sys.argv if word in plans), FULL)
    played = play(plan, print)
    seconds = time.monotonic() - began
    print(
        f"{played.messages} e-mails of players, {len(played.sent)} of the server, {seconds:.0f} s"
    )
