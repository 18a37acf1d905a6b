"""Six people play by e-mail to the end, whatever happens to their e-mails and to the servers."""

from __future__ import annotations

import pytest

from rubicon.server.notification_emails import NotificationQueue
from tests.conftest import FULL as FULL_SIZE
from tests.mail.receiving import dovecot
from tests.mail.whole_game.mail_game import FULL, MAILBOX, QUICK, REAL, Played, play
from tests.mail.whole_game.opensmtpd import WHY_NOT, is_there


@pytest.mark.timeout(1500)
def test_a_whole_game_by_email_verifies() -> None:
    check(play(FULL if FULL_SIZE else QUICK))


@pytest.mark.timeout(1500)
@pytest.mark.skipif(not FULL_SIZE, reason="takes two minutes: only at full size (make test-all)")
@pytest.mark.skipif(not is_there(), reason=WHY_NOT)
def test_a_game_through_opensmtpd_verifies() -> None:
    check(play(REAL))


@pytest.mark.timeout(1500)
@pytest.mark.skipif(not FULL_SIZE, reason="takes two minutes: only at full size (make test-all)")
@pytest.mark.skipif(not dovecot.is_there(), reason=dovecot.WHY_NOT)
def test_a_game_by_a_mailbox_at_dovecot_verifies() -> None:
    check(play(MAILBOX))


def check(played: Played) -> None:
    """All that was to happen has happened, and everything verifies."""
    assert (played.away, played.bounced, played.repeated, played.restarted) == (True,) * 4
    assert played.result
    assert "1 of 1 games" in played.verified
    assert "none of them wrong" in played.dice
    assert "secrets: open; every order and every card was recomputed" in played.dice
    assert "requests, the transcript's, in order" in played.dice  # of the dice server's own log
    # What was under way when the servers were killed is sent again, and can be recognised.
    told = {(str(mail["Message-ID"]), str(mail["To"])) for mail in played.sent}
    assert len({identifier for identifier, _ in told}) == len(told)
    assert len(played.sent) - len(told) <= NotificationQueue.batch
    if played.messages > FULL.restart_at:  # a whole game on the world board
        assert played.eliminated
        assert played.forced_trade
