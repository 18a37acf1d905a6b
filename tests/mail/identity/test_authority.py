"""What a token and a sender may do."""

import pytest

from rubicon.mail.authority import KnownToken, MailAct, MailVerdict, SenderAlignment, acts_of, judge
from rubicon.mail.tokens import TokenScope
from tests.mail.corpus_messages import order_reader

NOW = 1_000
SCOPE = TokenScope(game="lyon", seat="blue", decision=640, notification=7)
TOKEN = KnownToken(scope=SCOPE, expires_at=NOW + 1)
TRUSTED = (SenderAlignment.PROVED, SenderAlignment.LIKELY)
DOUBTED = (SenderAlignment.FORGED, SenderAlignment.OTHER)


def verdict(act: MailAct, alignment: SenderAlignment, pending: int | None = 640) -> MailVerdict:
    """The verdict with the token of decision 640."""
    return judge(act, TOKEN, alignment, pending=pending, now=NOW)


@pytest.mark.parametrize("alignment", TRUSTED)
def test_the_player_may_play_the_orders_of_the_pending_decision(alignment: SenderAlignment) -> None:
    assert verdict(MailAct.ORDERS, alignment) is MailVerdict.ALLOWED
    assert verdict(MailAct.ORDERS, alignment, pending=700) is MailVerdict.STALE
    assert verdict(MailAct.ORDERS, alignment, pending=None) is MailVerdict.STALE


@pytest.mark.parametrize("alignment", TRUSTED)
def test_an_older_token_serves_standing_orders(alignment: SenderAlignment) -> None:
    assert verdict(MailAct.STANDING, alignment, pending=700) is MailVerdict.ALLOWED


@pytest.mark.parametrize("alignment", list(SenderAlignment))
def test_what_cannot_be_taken_back_always_needs_a_code(alignment: SenderAlignment) -> None:
    assert verdict(MailAct.FINAL, alignment) is MailVerdict.NEEDS_CODE


@pytest.mark.parametrize("act", [MailAct.ORDERS, MailAct.STANDING])
@pytest.mark.parametrize("alignment", DOUBTED)
def test_a_doubtful_sender_needs_a_code(act: MailAct, alignment: SenderAlignment) -> None:
    assert verdict(act, alignment) is MailVerdict.NEEDS_CODE


@pytest.mark.parametrize("act", [MailAct.INQUIRY, MailAct.CONFIRM])
@pytest.mark.parametrize("alignment", list(SenderAlignment))
def test_inquiries_and_codes_need_the_token_alone(act: MailAct, alignment: SenderAlignment) -> None:
    assert verdict(act, alignment, pending=None) is MailVerdict.ALLOWED


@pytest.mark.parametrize("act", list(MailAct))
def test_without_a_valid_token_nothing_is_allowed(act: MailAct) -> None:
    proved = SenderAlignment.PROVED
    assert judge(act, None, proved, pending=640, now=NOW) is MailVerdict.UNKNOWN
    assert judge(act, TOKEN, proved, pending=640, now=NOW + 1) is MailVerdict.STALE


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("DEPLOY 3 alaska\nEND", {MailAct.ORDERS}),
        ("END", {MailAct.ORDERS}),
        ("IF alaska > 3: ATTACK alaska -> kamchatka", {MailAct.ORDERS}),
        ("DEFEND 1 alaska", {MailAct.STANDING}),
        ("VOTE EXTEND", {MailAct.STANDING}),
        ("VOTE DRAW CONFIRM", {MailAct.FINAL}),
        ("RESIGN", {MailAct.FINAL}),
        ("FORK 120 CONFIRM", {MailAct.FINAL}),
        ("PROCESS", {MailAct.STANDING}),
        ("STATUS\nHELP\nHISTORY 3\nPREVIEW", {MailAct.INQUIRY}),
        ("CLEAR", {MailAct.STANDING}),
        ("UNDO", {MailAct.STANDING}),
        ("ABSENCE 2026-12-24 2026-12-26", {MailAct.STANDING}),
        ("CONFIRM 7G3K-QQ4M", {MailAct.CONFIRM}),
        ("PRESS TO ALL\nhello\nENDPRESS\nRESIGN CONFIRM", {MailAct.STANDING, MailAct.FINAL}),
    ],
)
def test_acts_of_a_text(text: str, acts: set[MailAct]) -> None:
    assert acts_of(order_reader().read(text)) == acts
