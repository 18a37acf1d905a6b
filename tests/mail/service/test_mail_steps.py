"""The steps of a text: what is carried out one by one."""

from __future__ import annotations

import pytest

from rubicon.errors import RubiconError
from rubicon.mail.authority import MailAct
from rubicon.mail.mail_commands import MailCommands
from rubicon.mail.mail_steps import answer_of_results, steps_of
from rubicon.mail.step_runner import refused
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


@pytest.mark.parametrize(
    ("code", "kind"), [("mail/code", "code-wrong"), ("seat/not-playing", "refused")]
)
def test_a_wrong_code_has_an_answer_of_its_own(code: str, kind: str) -> None:
    result = refused("CODE 123456", RubiconError(code, "This is not possible."))
    assert answer_of_results([result], None, (), MailCommands()).kind == kind
