"""The sender's own text comes back, whatever program quotes below it, in whatever language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.mail.reading.incoming_mail import LineRole, joined
from rubicon.mail.reading.quotation import is_footer, says_wrote, with_roles
from rubicon.mail.reading.text_part import plain_lines

QUOTED = "=== reply above this line === Your turn\n\nDEPLOY 18 brazil\n\nToken: abc"
UNMARKED = "Hello Ann,\n\nDEPLOY 18 brazil\nEND"
ORDERS = (
    "TRADE BEST",
    "DEPLOY 18 ontario",
    "dep 3 kam, 2 ala",
    "ATTACK ontario -> western_united_states UNTIL LEFT 3",
    "att ont > w us",
    "IF WON: FORTIFY alaska -> alberta ALL",
    "ABSENCE 2026-11-24 2026-11-29",
    "VOTE EXTEND",
    "// a comment: with a colon",
    "peru 3",
    "",
    "END",
)
INTRODUCTIONS = (
    "On Sun, Nov 22, 2026 at 8:58 PM Rubicon <play@risk.example.org> wrote:",
    "On Sun, 22 Nov 2026 at 20:58, Rubicon <\nplay@risk.example.org> wrote:",
    "Am 22.11.26 um 20:58 schrieb Rubicon:",
    "Le 22/11/2026 à 20:58, Rubicon a écrit :",
    "El 22/11/2026 a las 20:58, Rubicon escribió:",
    "Il 22/11/2026 20:58, Rubicon ha scritto:",
    "Em 22/11/2026 20:58, Rubicon escreveu:",
    "Op 22-11-2026 om 20:58 schreef Rubicon:",
    "Den 2026-11-22 kl. 20:58, skrev Rubicon:",
    "W dniu 22.11.2026 o 20:58, Rubicon pisze:",
    "Dne 22. 11. 26 v 20:58 Rubicon napsal(a):",
    "22.11.2026 20:58, Rubicon пишет:",
    "2026. 11. 22. 20:58 keltezéssel, Rubicon írta:",
    "22.11.2026 20:58 tarihinde Rubicon yazdı:",
    "Στις 22/11/2026 20:58, ο/η Rubicon έγραψε:",
    "2026/11/22 20:58, Rubicon 写道:",
    "---- On Sun, 22 Nov 2026 20:58:00 +0100 Rubicon <play@risk.example.org> wrote ----",
)
SEPARATORS = (
    "-----Original Message-----",
    "-----Ursprüngliche Nachricht-----",
    "-------- Message d'origine --------",
    "-----Mensaje original-----",
    "From: Rubicon <play@risk.example.org>\nSent: Sunday\nTo: Ann\nSubject: turn",
    "*Von:* Rubicon\n*Gesendet:* Sonntag\n*An:* Ann\n*Betreff:* Zug",
    "De : Rubicon\nEnvoyé : dimanche\nÀ : Ann\nObjet : tour",
    "________________________________\nFrom: Rubicon\nSent: Sunday\nTo: Ann",
)
ENDINGS = (
    "",
    "-- \nAnn\nDEPLOY 1 brazil",
    "Sent from my iPhone",
    "—\nAnn",
    "Von meinem iPad gesendet",
)
own_texts = st.lists(st.sampled_from(ORDERS), min_size=1, max_size=6).map("\n".join)


def own(text: str) -> str:
    """The own text of a plain text."""
    lines = with_roles(plain_lines(text))
    return joined(line for line in lines if line.role is LineRole.OWN).strip()


def marked(text: str) -> str:
    """The text with a mark before each line."""
    return "\n".join(f"> {line}" for line in text.split("\n"))


@given(own_texts, st.sampled_from(ENDINGS), st.sampled_from(INTRODUCTIONS))
def test_text_above_a_marked_quotation(text: str, ending: str, introduction: str) -> None:
    assert own(f"{text}\n\n{ending}\n\n{introduction}\n{marked(QUOTED)}\n") == text.strip()


@given(own_texts, st.sampled_from(ENDINGS), st.sampled_from(INTRODUCTIONS))
def test_text_above_an_unmarked_quotation(text: str, ending: str, introduction: str) -> None:
    assert own(f"{text}\n\n{ending}\n\n{introduction}\n\n{UNMARKED}\n") == text.strip()


@given(own_texts, st.sampled_from(ENDINGS), st.sampled_from(SEPARATORS))
def test_text_above_a_separator(text: str, ending: str, separator: str) -> None:
    assert own(f"{text}\n\n{ending}\n{separator}\n\n{UNMARKED}\n") == text.strip()


@given(own_texts, st.sampled_from(INTRODUCTIONS))
def test_text_below_a_marked_quotation(text: str, introduction: str) -> None:
    assert own(f"{introduction}\n{marked(QUOTED)}\n\n{text}\n\n-- \nAnn") == text.strip()


@given(own_texts)
def test_text_above_our_own_line(text: str) -> None:
    assert own(f"{text}\n{QUOTED}") == text.strip()


@given(own_texts, st.sampled_from(INTRODUCTIONS))
def test_an_introduction_directly_below_the_orders(text: str, introduction: str) -> None:
    assert own(f"{text}\n{introduction}\n{marked(QUOTED)}") == text.strip()


@pytest.mark.parametrize(
    "line",
    [
        "ATTACK alaska -> kamchatka UNTIL LEFT 3",
        "announce On Monday 22 Tom wrote:",
        "PRESS TO red",
        "Shall we meet at 20:58?",
        "The plan is simple: attack",
        "DEPLOY 18 ontario // from my hand",
    ],
)
def test_orders_and_prose_are_own_text(line: str) -> None:
    assert own(f"{line}\n\n{INTRODUCTIONS[0]}\n{marked(QUOTED)}") == line


# In languages that reading has no words of.
@pytest.mark.parametrize(
    "introduction",
    [
        "23.11.2026, 20:14, Rubicon <play@risk.example.org> xyzzy:",
        "Xxx: Rubicon\nYyy: 2026-11-23 20:14\nZzz: Ann\nWww: turn",
        "Rubicon --- 23.11.2026 20:14 --- turn\n\nFrom: Rubicon\nSent: Sunday\nTo: Ann",
        "Rubicon <play@risk.example.org>\n23/11/2026 20:14\n\nTo\tAnn",
        ">>> Rubicon 23.11.2026 20:14 >>>",
        "---- xyzzy ----\n| xxx | Rubicon |\n| yyy | 2026-11-23 |",
    ],
)
def test_text_above_an_unknown_introduction(introduction: str) -> None:
    assert own(f"DEPLOY 3 alaska\n\n{introduction}\n\n{UNMARKED}") == "DEPLOY 3 alaska"


def test_a_message_of_another_player_hides_nothing_below_its_quotation() -> None:
    email = marked(f"Otto writes:\n>>> Otto 23.11.2026 20:14 >>>\n{UNMARKED}")
    assert own(f"{email}\n\nDEPLOY 3 alaska") == "DEPLOY 3 alaska"


@pytest.mark.parametrize("heading", [*SEPARATORS, QUOTED])
@pytest.mark.parametrize("words", ["ADDRESS ann@example.org", "JOIN Ann 20:58", "address: a@b.org"])
def test_what_only_an_email_can_ask_for_is_own_text(words: str, heading: str) -> None:
    assert own(f"{words}\n\n{heading}\n\n{UNMARKED}") == words


def test_conditions_are_no_quoted_header() -> None:
    text = "IF WON: END ATTACK\nELSE: FORTIFY alaska -> alberta 10\nIF alaska = 5: END TURN"
    assert own(text) == text


def test_a_message_to_a_player_may_quote_and_be_signed() -> None:
    text = "PRESS TO red\nOn 1 May 2026 you wrote:\n> Peace?\nYes.\n-- \nAnn\nENDPRESS\nEND"
    assert own(f"{text}\n\n{INTRODUCTIONS[0]}\n{marked(QUOTED)}") == text


@pytest.mark.parametrize("older", [marked("x\nENDPRESS"), f"{QUOTED}\nENDPRESS"])
def test_a_message_without_an_end_takes_nothing_of_the_quotation(older: str) -> None:
    assert "abc" not in own(f"PRESS TO red\nhello\n\n{older}")
    assert own(f"PRESS TO red\nhello\n\n{older}") == "PRESS TO red\nhello"


def test_forwarded_messages_are_not_own_text() -> None:
    text = "---------- Forwarded message ---------\nFrom: Otto\n\nDEPLOY 3 alaska"
    roles = {line.role for line in with_roles(plain_lines(text))}
    assert roles == {LineRole.INTRODUCTION, LineRole.FORWARDED}


@pytest.mark.parametrize("text", ["wrote:", "Tom wrote", "", "wrote: " * 200])
def test_no_introduction(text: str) -> None:
    assert not says_wrote(text)


@pytest.mark.parametrize(
    ("text", "footer"),
    [
        ("Sent from my iPhone", True),
        ("Get Outlook for iOS", True),
        ("Envoyé depuis mon téléphone", True),
        ("Wysłane z iPhone’a", True),
        ("Pobierz Outlook dla systemu Android<https://aka.ms/x>", True),
        ("CAUTION: This email originated from outside of the organization.", True),
        ("www.example.net", True),
        ("ATTACK alaska -> kamchatka", False),
        ("outlook 3", False),
        ("from a galaxy -> alaska", False),
        ("Caution! Otto is strong", False),
        ("send 3 armies", False),
        ("", False),
    ],
)
def test_footers(text: str, footer: bool) -> None:
    assert is_footer(text) == footer
