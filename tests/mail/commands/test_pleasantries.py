"""Greetings and closings are left out; what may be an order never is."""

from collections.abc import Sequence

import pytest

from rubicon.mail import order_lines
from rubicon.mail.order_lines import is_closing, is_greeting
from tests.mail.corpus_messages import order_reader


def without_pleasantries(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is left of an e-mail in a game on the world, and what is left out."""
    return order_lines.without_pleasantries(lines, order_reader())


@pytest.mark.parametrize(
    "line",
    ["Hi", "Hello Rubicon,", "Sehr geehrte Damen und Herren", "Here are my orders:", "Bonjour !"],
)
def test_greetings(line: str) -> None:
    assert is_greeting(line)


@pytest.mark.parametrize(
    "line",
    ["Hi 3 alaska", "hello; end", "high ground", "Deploy", "dear " * 9, "my plan is to wait"],
)
def test_no_greetings(line: str) -> None:
    assert not is_greeting(line)


@pytest.mark.parametrize(
    "line", ["Regards", "Kind regards,", "Viele Grüße, Ann", "MfG", "Merci !", "Thanks a lot, Ann"]
)
def test_closings(line: str) -> None:
    assert is_closing(line)


@pytest.mark.parametrize("line", ["best 3", "thanksgiving", "lgo", "yours > mine", ""])
def test_no_closings(line: str) -> None:
    assert not is_closing(line)


def test_a_signature_behind_a_closing_is_left_out() -> None:
    lines = ["Hi,", "", "DEPLOY 3 alaska", "END", "", "Regards", "Ann", "Tel. 030 1234567"]
    kept, left_out = without_pleasantries(lines)
    assert kept == ["", "DEPLOY 3 alaska", "END", ""]
    assert left_out == ["Hi,", "Regards", "Ann", "Tel. 030 1234567"]


@pytest.mark.parametrize("below", ["ATTACK alaska -> kamchatka", "atack ala > kam", "end"])
def test_nothing_is_left_out_that_may_be_an_order(below: str) -> None:
    lines = ["DEPLOY 3 alaska", "Thanks", below]
    assert without_pleasantries(lines) == (lines, [])


@pytest.mark.parametrize("line", ["Добрый вечер!", "お疲れ様です。", "Hyvää iltaa,", "Labas,"])
def test_a_first_line_that_ends_like_a_greeting_is_left_out(line: str) -> None:
    assert without_pleasantries([line, "", "END"]) == (["", "END"], [line])


@pytest.mark.parametrize("line", ["atack alaska kamchatka!", "rezign!", "kam 3,", "Stop!"])
def test_a_first_line_that_may_be_an_order_is_kept(line: str) -> None:
    assert without_pleasantries([line, "", "END"]) == ([line, "", "END"], [])


def test_a_last_paragraph_with_a_telephone_number_is_left_out() -> None:
    lines = ["DEPLOY 3 alaska", "", "Ann Archer | Sales", "Phone +49 89 123456"]
    assert without_pleasantries(lines) == (lines[:2], lines[2:])


@pytest.mark.parametrize("order", ["alaska 3", "end"])
def test_an_order_above_a_telephone_number_is_kept(order: str) -> None:
    lines = ["DEPLOY 3 kamchatka", "", order, "Phone +49 89 123456"]
    assert order in without_pleasantries(lines)[0]


def test_a_closing_above_the_first_order_is_kept() -> None:
    lines = ["Thanks for the last turn", "DEPLOY 3 alaska"]
    assert without_pleasantries(lines) == (lines, [])


@pytest.mark.parametrize("rule", ["---", "***", "____", "\u2014\u2014", ";-)"])
def test_a_rule_begins_a_signature(rule: str) -> None:
    kept, left_out = without_pleasantries(["DEPLOY 3 alaska", rule, "Ann 030 1234"])
    assert (kept, left_out) == (["DEPLOY 3 alaska"], [rule, "Ann 030 1234"])
