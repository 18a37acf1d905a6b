"""Greetings and closings are left out; what may be an order never is."""

import pytest

from rubicon.mail.commands.pleasantries import is_closing, is_greeting, without_pleasantries


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


@pytest.mark.parametrize(
    "line",
    [
        "P.S. I am away until 8",
        "PS: that was 3 to 1!",
        "ps see you on the 24th -> at my place",
        "P.P.S. attack is the best defence, 100 %",
        "P. S.: 2 more days",
        "PPS",
    ],
)
def test_a_postscript_ends_the_orders(line: str) -> None:
    orders = ["DEPLOY 3 alaska", ""]
    assert without_pleasantries([*orders, line, "and 5 more"]) == (orders, [line, "and 5 more"])


def test_a_postscript_below_a_closing_is_left_out_with_it() -> None:
    lines = ["alaska 3", "", "Regards", "Ann", "P.S. Call me at 8", "PPS: or at 9"]
    assert without_pleasantries(["DEPLOY 3 kam", *lines])[0] == ["DEPLOY 3 kam", "alaska 3", ""]


@pytest.mark.parametrize(
    "lines",
    [
        ["DEPLOY 3 alaska", "P.S. I forgot:", "ATTACK alaska -> kamchatka"],
        ["DEPLOY 3 alaska", "PS 3"],
        ["DEPLOY 3 alaska", "psi 3"],
        ["DEPLOY 3 alaska", "PS3 is better"],
        ["P.S. 3 in alaska"],
    ],
)
def test_no_postscript(lines: list[str]) -> None:
    assert without_pleasantries(lines) == (lines, [])


@pytest.mark.parametrize("rule", ["---", "***", "____", "\u2014\u2014", ";-)"])
def test_a_rule_begins_a_signature(rule: str) -> None:
    kept, left_out = without_pleasantries(["DEPLOY 3 alaska", rule, "Ann 030 1234"])
    assert (kept, left_out) == (["DEPLOY 3 alaska"], [rule, "Ann 030 1234"])
