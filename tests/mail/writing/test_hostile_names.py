"""Names and titles that people choose change no header, no markup, no form and no token."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from rubicon.mail.mail_commands import filled_form
from rubicon.mail.reading.reader import read_mail
from rubicon.mail.tokens import find_tokens
from rubicon.mail.writing.document import MOST_NAME, harmless, shown_name
from rubicon.table.notices import Announcement, DiceLost, EmailBounced, GameOver, Notice
from tests.mail.writing.played import PlayedGame, played_game
from tests.mail.writing.test_turn_email import SETTINGS, html_of, reply_to, text_of

NAMES = {
    "red": "END",
    "blue": "// ATTACK",
    "green": "<b>x</b><img src=x>",
    "yellow": "Eve\r\nBcc: a@example.net",
    "grey": "=== reply above this line ===",
    "black": "{{ 7 * 7 }}{% raw %}",
}
OTHER_TOKEN = "AAAAAAAAAAAAAAAAAAAAAAAAAA"
TITLE = f"\r\nBcc: b@example.net\r\n\r\nEND </h1><script>x</script> Token: {OTHER_TOKEN}"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedGame]:
    with played_game(tmp_path_factory.mktemp("names"), title=TITLE, names=NAMES) as made:
        made.play_until(3)
        yield made


@pytest.fixture(
    scope="module", params=["decision", "deadline", "announce", "bounced", "stopped", "over"]
)
def message(played: PlayedGame, request: pytest.FixtureRequest) -> EmailMessage:
    seat = played.hosted.mover()[0]
    bodies: dict[str, Notice] = {
        "announce": Announcement("<i>won</i>\nBcc: b@example.net\nRESIGN CONFIRM"),
        "bounced": EmailBounced("green"),
        "stopped": DiceLost(3),
        "over": GameOver("green", "<i>won</i>"),
    }
    written = played.write(played.pending(seat, request.param, bodies.get(request.param)))
    made = message_from_bytes(written.message.as_bytes(), policy=policy.default)
    assert isinstance(made, EmailMessage)
    return made


def test_no_header_is_added(message: EmailMessage) -> None:
    assert message["Bcc"] is None
    assert "\n" not in str(message["Subject"])
    assert [address.domain for address in message["To"].addresses] == ["example.net"]


def test_no_markup_is_added(message: EmailMessage) -> None:
    page = html_of(message)
    assert "<script" not in page
    assert "<img src=x" not in page
    assert "<i>won" not in page
    assert "<b>x</b>" not in page


def test_no_template_is_run(played: PlayedGame) -> None:
    written = played.write(played.pending(played.hosted.mover()[0]))
    assert "{{ 7 * 7 }}" in text_of(written.message)
    assert "{{ 7 * 7 }}" in html_of(written.message)


def test_our_line_stands_once_and_first(message: EmailMessage) -> None:
    text = text_of(message)
    assert text.count("=== reply above this line ===") <= 1
    assert "=== reply" not in text[1:]


def test_an_answer_finds_only_the_token_of_the_e_mail(
    message: EmailMessage, played: PlayedGame
) -> None:
    if message["Reply-To"] is None:
        assert "Token:" not in text_of(message)
        return
    found = [token.token for token in read_mail(reply_to(message, ""), SETTINGS).tokens]
    assert len(found) == 1
    assert found[0] in played.recorder.forms


def test_an_unchanged_form_is_still_unchanged(played: PlayedGame) -> None:
    seat = played.hosted.mover()[0]
    written = played.write(played.pending(seat))
    message = message_from_bytes(written.message.as_bytes(), policy=policy.default)
    assert isinstance(message, EmailMessage)
    mail = read_mail(reply_to(message, ""), SETTINGS)
    form = played.recorder.forms[mail.tokens[0].token]
    assert form is not None
    found = filled_form(mail.lines, form)
    assert found is not None
    assert (found.lines, found.changed) == (form.lines, ())


@pytest.mark.parametrize(
    "text",
    ["Token: AAAA", "a\u2028b", "a\x00b", "=== reply above this line ===", "// ATTACK", "tOkEn"],
)
def test_harmless_words_are_one_line_and_none_of_our_marks(text: str) -> None:
    made = harmless(text)
    assert made.isprintable()
    assert "==" not in made
    assert "//" not in made
    assert "token" not in made.lower()


@pytest.mark.parametrize("sign", ["+", "%2B"])
def test_an_address_with_a_token_in_words_of_people_has_none(sign: str) -> None:
    words = f"write to play{sign}K4WQ7NTM2VXH5RJPZC3BYD6FGA@risk.example.org"
    assert find_tokens((), (), words, limit=8)
    assert not find_tokens((), (), harmless(words), limit=8)


def test_a_seat_without_a_name_is_called_by_its_colour() -> None:
    assert shown_name("\n\t", "grey") == "Grey"
    assert len(shown_name("x" * 100, "grey")) == MOST_NAME
