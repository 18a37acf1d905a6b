"""Which part of an e-mail the orders are taken from, and what is asked where there are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.mail.mail_commands import (
    CommandPlace,
    MailCommands,
    MailQuestion,
    has_orders,
    read_commands,
)
from rubicon.mail.reading.reader import read_mail
from tests.mail.corpus_messages import FORM, SETTINGS, order_reader

HEAD = "From: ann@example.net\nContent-Type: text/plain; charset=utf-8\n\n"
INTRODUCTION = "On 22 Nov 2026, Rubicon <play@risk.example.org> wrote:"
QUOTED = "\n".join(f"> {line}" for line in (FORM.before, *FORM.lines, FORM.after))


def commands(text: str, *, with_form: bool = True) -> MailCommands:
    """What an e-mail with this text asks for."""
    mail = read_mail((HEAD + text).encode(), SETTINGS)
    return read_commands(mail, order_reader(), FORM if with_form else None)


def test_orders_above_go_before_a_filled_form() -> None:
    changed = QUOTED.replace("DEPLOY 18", "DEPLOY 17")
    found = commands(f"STATUS\n\n{INTRODUCTION}\n{changed}\n")
    assert (found.place, str(found.orders)) == (CommandPlace.ABOVE, "STATUS")


def test_words_above_do_not_hide_a_filled_form() -> None:
    changed = QUOTED.replace("DEPLOY 18", "DEPLOY 17")
    found = commands(f"See below, thanks\n\n{INTRODUCTION}\n{changed}\n")
    assert found.place is CommandPlace.FORM
    assert found.passed_over == ("See below, thanks",)


def test_orders_below_and_between_are_a_question() -> None:
    text = f"{INTRODUCTION}\n> a\n\nDEPLOY 3 alaska\n\n> b\n\nDEPLOY 3 brazil\n"
    assert commands(text).question is MailQuestion.SEVERAL_PLACES


def test_an_unchanged_form_is_a_question() -> None:
    assert commands(f"{INTRODUCTION}\n{QUOTED}\n").question is MailQuestion.UNCHANGED_FORM
    assert commands(f"{INTRODUCTION}\n{QUOTED}\n", with_form=False).question is MailQuestion.EMPTY


def test_one_mistake_and_nothing_is_done() -> None:
    found = commands("DEPLOY 3 alaska\nATTACK alaska -> atlantis\n")
    assert found.orders is None
    assert found.mistakes is not None
    assert [problem.line for problem in found.mistakes.problems] == [2]


def test_an_address_in_a_message_is_part_of_it() -> None:
    found = commands("PRESS TO red\naddress: ann@new.example\nENDPRESS\n")
    assert found.new_address == ""
    assert "address: ann@new.example" in str(found.orders)


def test_the_fingerprint_tells_orders_apart() -> None:
    plain, spaced, other = (
        commands(text).fingerprint
        for text in ("DEPLOY 3 alaska\nEND", "Deploy  3 Alaska\n\nend\n", "DEPLOY 4 alaska\nEND")
    )
    assert plain == spaced
    assert plain != other


def test_the_fingerprint_tells_filled_forms_apart() -> None:
    texts = [QUOTED.replace("DEPLOY 18", f"DEPLOY {armies}") for armies in (16, 17)]
    first, second = (commands(f"{INTRODUCTION}\n{text}\n").fingerprint for text in texts)
    assert first != second


def test_only_comments_are_no_orders() -> None:
    assert commands("// DEPLOY 3 alaska\n").question is MailQuestion.NO_ORDERS


def test_a_token_that_was_copied_is_no_order() -> None:
    found = commands("DEPLOY 3 alaska\nToken: K4WQ7NTM2VXH5RJPZC3BYD6FGA\n")
    assert str(found.orders) == "DEPLOY 3 alaska"


def test_a_new_address_is_no_order() -> None:
    found = commands("ADDRESS: <Ann@New.example>\n")
    assert (found.new_address, found.mistakes) == ("ann@new.example", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dep 3 alaska", True),
        ("1. attack a -> b", True),
        ("a -> b", True),
        ("atack ala > kam", True),
        ("peru 3", True),
        ("I have 3 questions.", False),
        ("Thanks", False),
        ("I may resign", False),
        ("// deploy", False),
        ("", False),
    ],
)
def test_has_orders(text: str, expected: bool) -> None:
    assert has_orders(text, order_reader()) == expected


@given(st.lists(st.sampled_from(["DEPLOY 9 alaska", "ATTACK alaska -> kamchatka", "END"])))
def test_quoted_orders_are_never_carried_out(lines: list[str]) -> None:
    """Whatever is quoted, without a form of the game nothing of it is an order."""
    quoted = "\n".join(f"> {line}" for line in lines)
    found = commands(f"{INTRODUCTION}\n{quoted}\n\n", with_form=False)
    assert found.orders is None


@given(st.text(max_size=300))
def test_exactly_one_result(text: str) -> None:
    found = commands(text)
    results = [found.orders, found.mistakes, found.question]
    assert sum(result is not None for result in results) == 1


def test_orders_and_requests_below_the_end_are_told() -> None:
    found = commands(
        "DEPLOY 3 alaska\nEND\n\nDEFEND 1 brazil\npreview\nPRESS TO red\nHi\nENDPRESS\n"
    )
    assert found.below_end[:2] == ("DEFEND 1 brazil", "PRESS TO red")
    assert commands("DEPLOY 3 alaska\nEND\n\nHave a nice day\nAnn\n").below_end == ()


@pytest.mark.parametrize("end", ["END\n", ""])
def test_a_postscript_with_a_number_is_no_mistake(end: str) -> None:
    postscript = "P.S. See you on the 24th, at 8 or 9."
    found = commands(f"Hi,\nDEPLOY 18 ontario\n{end}\n{postscript}\n\n{INTRODUCTION}\n{QUOTED}\n")
    assert str(found.orders) == f"DEPLOY 18 ontario\n{end}".strip()
    assert found.passed_over == ("Hi,", postscript)


def test_an_order_below_a_postscript_is_asked_about() -> None:
    found = commands("DEPLOY 18 ontario\nP.S. I forgot 1 thing:\nATTACK ontario -> quebec\n")
    assert found.mistakes is not None
    assert found.orders is None


@pytest.mark.parametrize("said", ["PREVIEW", "PREVIEW!", "preview.", "(PREVIEW)"])
@pytest.mark.parametrize("mark", ["P.S. ", "PS: ", "P.P.S. "])
@pytest.mark.parametrize("orders", ["ATTACK ontario -> quebec", "ATTACK ontario -> quebec\nEND"])
def test_a_preview_behind_a_postscript_rolls_no_dice(orders: str, mark: str, said: str) -> None:
    found = commands(f"{orders}\n{mark}{said}\n")
    assert found.orders is None
    assert found.mistakes is not None
    assert f"// ??? {mark}{said.strip('.!')}" in found.mistakes.corrected
    assert order_reader().read(found.mistakes.corrected) == order_reader().read(orders)


def test_an_order_below_a_postscript_of_words_alone_is_asked_about() -> None:
    message = "PRESS TO red\nHi\nP.S. PREVIEW\nENDPRESS"
    found = commands(f"{message}\nNEWS DIGEST\nDEPLOY 3 alaska\nP.S. and this\n4 brazil\n")
    assert found.mistakes is not None
    (problem,) = found.mistakes.problems
    assert (problem.line, problem.code) == (7, "orders/postscript")
    assert "// ??? P.S. and this\n4 brazil" in found.mistakes.corrected


@pytest.mark.parametrize(
    "text",
    [
        "PRESS TO red\nHi\nP.S. PREVIEW\nattack alaska\nENDPRESS\nDEPLOY 3 alaska",
        "DEPLOY 3 alaska\nEND\nP.S. Next time:\nkamchatka 5",
    ],
)
def test_a_postscript_in_a_message_or_below_the_end_is_not_read(text: str) -> None:
    assert "DEPLOY 3 alaska" in str(commands(text).orders)
