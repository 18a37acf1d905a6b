"""Six people play by e-mail to the end, whatever happens to their e-mails and to the servers."""

from __future__ import annotations

import pytest

from rubicon.server.mail.mailer import SEND_BATCH
from tests.conftest import FULL as FULL_SIZE
from tests.mail.whole_game.mail_game import FULL, QUICK, play


@pytest.mark.timeout(1500)
def test_a_whole_game_by_email_verifies() -> None:
    plan = FULL if FULL_SIZE else QUICK
    played = play(plan)
    assert (played.away, played.bounced, played.repeated, played.restarted) == (True,) * 4
    assert played.result
    assert "1 of 1 games" in played.verified
    assert "none of them wrong" in played.dice
    assert "secrets: open; every order and every card was recomputed" in played.dice
    assert "requests, the transcript's, in order" in played.dice  # of the dice server's own log
    # What was under way when the servers were killed is sent again, and can be recognised.
    told = {
        (str(mail["Message-ID"]), str(mail["To"]), str(mail["Subject"])) for mail in played.sent
    }
    assert len({identifier for identifier, _, _ in told}) == len(told)
    assert len(played.sent) - len(told) <= SEND_BATCH
    if FULL_SIZE:
        assert played.eliminated
        assert played.forced_trade
