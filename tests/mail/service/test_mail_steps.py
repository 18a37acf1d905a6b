"""The steps of a text: what is carried out one by one."""

from __future__ import annotations

import pytest

from rubicon.mail.authority import MailAct
from rubicon.mail.mail_steps import steps_of
from tests.mail.corpus_messages import order_reader


@pytest.mark.parametrize(
    ("text", "decision", "acts"),
    [
        ("DEFEND 1 alaska", 7, [MailAct.STANDING]),
        # The e-mail asked for nothing: END ends nothing.
        ("DEFEND 1 alaska\nEND", -1, [MailAct.STANDING]),
        ("DEFEND 1 alaska\nEND", 7, [MailAct.ORDERS]),
        ("DEPLOY 3 alaska\nDEFEND 1 alaska", -1, [MailAct.ORDERS]),
    ],
)
def test_a_defence_waits_for_no_decision(text: str, decision: int, acts: list[MailAct]) -> None:
    steps = steps_of(order_reader().read(text), decision=decision)
    assert [step.act for step in steps] == acts
