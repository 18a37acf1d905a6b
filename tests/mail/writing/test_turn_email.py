"""The turn e-mail: parts, sizes, headers, token, form, and what its text and its HTML say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from rubicon.mail.mail_commands import filled_form
from rubicon.mail.reading.reader import ReadingSettings, read_mail
from rubicon.mail.reading.text_part import html_lines
from rubicon.mail.tokens import TokenPlace
from rubicon.mail.writing.game_emails import GameEmails
from rubicon.mail.writing.layout import WIDE
from rubicon.server.notifications import NotificationPreferences
from tests.mail.writing.played import IDENTITY, REBELS, PlayedGame, played_game

ROUND = 4
MOST_WHOLE, MOST_WITHOUT_PICTURE, MOST_HTML, MOST_PICTURE = 150_000, 100_000, 60_000, 60_000
ONLY_IN_HTML = (
    "filled won pair"
    " rubicon lyon from letters play on the web first button opens an with form below in it or to"
    " this e mail and write at top short names map work orders white rings are before you all"
    " answer they"
)
SETTINGS = ReadingSettings(addresses=frozenset({"play@risk.example.org"}))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedGame]:
    with played_game(tmp_path_factory.mktemp("turn"), rebels=REBELS) as made:
        made.play_until(ROUND)
        yield made


@pytest.fixture(scope="module")
def message(played: PlayedGame) -> EmailMessage:
    """The e-mail as a mail program gets it."""
    return received(played)


def received(
    played: PlayedGame, preferences: NotificationPreferences | None = None
) -> EmailMessage:
    seat = played.hosted.mover()[0]
    written = played.write(played.pending(seat, preferences=preferences))
    made = message_from_bytes(written.message.as_bytes(), policy=policy.default)
    assert isinstance(made, EmailMessage)
    return made


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def test_it_is_within_its_sizes_and_has_text_html_picture_and_calendar(
    message: EmailMessage,
) -> None:
    kinds = [part.get_content_type() for part in message.walk() if not part.is_multipart()]
    assert kinds == ["text/plain", "text/html", "image/png", "text/calendar"]
    assert len(message.as_bytes()) <= MOST_WHOLE
    assert len(html_of(message).encode()) <= MOST_HTML
    picture = next(p for p in message.walk() if p.get_content_type() == "image/png")
    assert len(picture.get_payload(decode=True) or b"") <= MOST_PICTURE


def test_what_is_due_and_until_when_comes_first(message: EmailMessage, played: PlayedGame) -> None:
    first = text_of(message).splitlines()[0]
    assert re.fullmatch(r"=== reply above this line === Your turn, \w+, until .*\d\d:\d\d", first)
    assert re.fullmatch(
        r"Your turn in Letters from Lyon, round \d+ \(until \w{3} \d\d:\d\d\)", message["Subject"]
    )
    assert len(message["Subject"]) <= 70


def test_lines_of_the_text_fit_into_72_columns(message: EmailMessage) -> None:
    long = [
        line for line in text_of(message).splitlines() if len(line) > WIDE and "://" not in line
    ]
    assert not long
    assert "\t" not in text_of(message)


def test_its_headers_thread_it_and_unsubscribe_in_one_click(message: EmailMessage) -> None:
    assert message["References"] == "<game.abcdefghij@risk.example.org>"
    assert message["List-Unsubscribe"].startswith("<https://risk.example.org/unsubscribe/")
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["List-Id"] == "<abcdefghij.risk.example.org>"


def test_the_token_stands_in_three_places_and_in_no_subject(
    message: EmailMessage, played: PlayedGame
) -> None:
    answer = read_mail(reply_to(message, "Hello"), SETTINGS)
    (token,) = [found.token for found in answer.tokens]
    assert token in played.recorder.forms
    assert token in message["Message-ID"]
    assert token.upper() in message["Reply-To"]
    assert f"Token: {token.upper()}\n" in text_of(message)
    assert token.upper() in html_of(message)
    assert token not in message["Subject"].lower()
    assert not re.search(rf"https?://\S*{token}", html_of(message), re.IGNORECASE)
    assert answer.tokens[0].place is TokenPlace.RECIPIENT


def test_an_unchanged_form_in_the_quotation_is_no_change_and_a_changed_line_is_one(
    message: EmailMessage, played: PlayedGame
) -> None:
    form = played.recorder.forms[read_mail(reply_to(message, ""), SETTINGS).tokens[0].token]
    assert form is not None
    assert form.before
    assert form.after
    whole = filled_form(read_mail(reply_to(message, ""), SETTINGS).lines, form)
    assert whole is not None
    assert whole.lines == form.lines
    assert whole.changed == ()
    attack = next(line for line in form.lines if line.startswith("// ATTACK"))
    changed = attack.removeprefix("// ")
    edited = read_mail(reply_to(message, "", (attack, changed)), SETTINGS)
    found = filled_form(edited.lines, form)
    assert found is not None
    assert found.changed == (changed,)


def reply_to(message: EmailMessage, words: str, change: tuple[str, str] | None = None) -> bytes:
    """An answer with a whole quotation, as a mail program writes it; bytes."""
    text = text_of(message)
    if change is not None:
        assert change[0] in text
        text = text.replace(*change, 1)
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    answer = EmailMessage(policy.SMTP)
    answer["From"] = "red@example.net"
    answer["To"] = message["Reply-To"]
    answer["Subject"] = f"Re: {message['Subject']}"
    answer["In-Reply-To"] = message["Message-ID"]
    answer["Message-ID"] = "<answer.1@example.net>"
    answer.set_content(f"{words}\n\nOn Sunday, Rubicon wrote:\n{quoted}\n")
    return answer.as_bytes()


def test_the_html_has_no_fact_that_the_text_has_not(message: EmailMessage) -> None:
    text = set(re.findall(r"[A-Za-z0-9]+", text_of(message).lower()))
    # Words of buttons, of the note beside them, of the heads of tables, of the picture's note, and
    # of how dice are drawn.
    only_html = set(ONLY_IN_HTML.split())
    page = " ".join(line.text for line in html_lines(html_of(message), 100_000))
    words = set(re.findall(r"[A-Za-z0-9]+", page.lower()))
    assert words - text - only_html == set()


def test_each_roll_against_the_recipient_is_told_with_its_number(
    message: EmailMessage, played: PlayedGame
) -> None:
    rolls = re.findall(r"^(\d+)(?:\.\d+)?\s.*\d v \d", text_of(message), re.MULTILINE)
    assert rolls
    assert len(set(rolls)) == len(rolls)
    numbers = list(map(int, rolls))
    assert max(numbers) < played.hosted.snapshot.head


def test_the_whole_map_and_all_neighbours_are_text(
    message: EmailMessage, played: PlayedGame
) -> None:
    text = text_of(message)
    for territory in played.hosted.snapshot.ruleset.board.territories:
        assert territory.name in text
    assert text.count("[") >= 2  # the recipient's own on the map, and the legend


def test_plain_text_alone_and_no_picture_are_preferences(played: PlayedGame) -> None:
    plain = received(played, NotificationPreferences(text_only=True))
    assert plain.get_body(("html",)) is None
    light = received(played, NotificationPreferences(picture=False))
    assert "image/png" not in [part.get_content_type() for part in light.walk()]
    assert "cid:" not in html_of(light)
    assert len(light.as_bytes()) < MOST_WITHOUT_PICTURE


def test_a_server_that_takes_no_answers_sends_no_form_and_no_token(played: PlayedGame) -> None:
    writer = GameEmails(played.store, IDENTITY, lambda account, address: "/unsubscribe/x/y")
    pending = played.pending(played.hosted.mover()[0])
    message = writer.write(pending, played.hosted.snapshot, played.now()).message
    text = str(message.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    assert message["Reply-To"] is None
    assert "Token:" not in text
    assert "YOUR ORDERS" not in text
    assert "https://risk.example.org/games/abcdefghij" in text


def test_a_retry_has_the_same_message_id_and_the_next_e_mail_another(played: PlayedGame) -> None:
    seat = played.hosted.mover()[0]
    ids = [
        played.write(played.pending(seat, number=number)).message["Message-ID"]
        for number in (7, 7, 8)
    ]
    assert ids[0] == ids[1] != ids[2]


def test_the_calendar_entry_is_at_the_deadline(message: EmailMessage, played: PlayedGame) -> None:
    part = next(p for p in message.walk() if p.get_content_type() == "text/calendar")
    entry = str(part.get_content())
    seat = played.hosted.mover()[0]
    due = played.hosted.snapshot.due[seat] // 1000
    assert f"DTSTART:{_utc(due)}" in entry
    assert all(len(line.encode()) <= 75 for line in entry.splitlines())
    assert "METHOD:PUBLISH" in entry


def _utc(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y%m%dT%H%M%SZ}"


def test_it_was_written_into_a_folder_of_its_own(tmp_path: Path) -> None:
    with played_game(tmp_path, "classic", 3, board="skerries") as small:
        seat = small.play_until(1)
        text = text_of(received(small))
    assert f"You play {seat}." in text
    assert "DEPLOY" in text
