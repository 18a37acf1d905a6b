"""Answers to e-mails: what was done comes first, every die has its number, the form comes again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rubicon.mail.mail_steps import LineMistake, MailAnswer
from rubicon.mail.one_time_codes import CodePurpose
from rubicon.mail.writing.answers import (
    AnswerEmails,
    AnswerRecipient,
    CodeToWrite,
    IncomingIds,
)
from tests.mail.writing.played import NAMES, PlayedGame, played_game
from tests.mail.writing.test_forms import form_for
from tests.mail.writing.test_turn_email import html_of, text_of
from tests.table.hosted import GAME, SOON

IDS = IncomingIds("<answer.1@example.net>", ("<root@example.net>",))
MOST_SHORT = 25_000


def answer_of(kind: str, headline: str = "Nothing was done.", **more: Any) -> MailAnswer:
    """An answer as the service of incoming e-mail gives it."""
    return MailAnswer(kind=kind, headline=headline, **more)


@pytest.fixture
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedGame]:
    with played_game(tmp_path_factory.mktemp("answers")) as made:
        made.play_until(3)
        made.add_accounts()
        yield made


@pytest.fixture
def writer(played: PlayedGame) -> AnswerEmails:
    return played.answer_writer()


def recipient(played: PlayedGame, subject: str = "") -> AnswerRecipient:
    return AnswerRecipient(game=GAME, seat=played.hosted.mover()[0], message=3, subject=subject)


def test_done_tells_each_die_by_its_number_and_what_changed(
    played: PlayedGame, writer: AnswerEmails
) -> None:
    to = recipient(played)
    form = form_for(played, to.seat)
    orders = "\n".join(line.removeprefix("// ") for line in form.lines)
    receipt = played.hosted.submit(orders, seat=to.seat, orders=True)
    given = answer_of("done", "Your orders are carried out.", orders=orders)
    snapshot, at = played.hosted.snapshot, played.now()
    lines = receipt.first, receipt.last
    message = writer.write_answer(given, to, IDS, snapshot, at, lines=lines).message
    text = text_of(message)
    assert text.startswith("=== reply above this line === Your orders are carried out.")
    assert "YOUR DICE" in text
    assert "WHAT CHANGED" in text
    assert "You place" in text
    assert "Nothing is due from you now." in text
    assert message["In-Reply-To"] == IDS.message_id
    assert message["References"].split()[-1] == IDS.message_id
    assert message["Auto-Submitted"] == "auto-replied"
    assert len(message.as_bytes()) <= MOST_SHORT


@pytest.mark.parametrize("kind", ["question", "stale", "code-wrong"])
def test_who_is_still_asked_gets_the_whole_form_again(
    played: PlayedGame, writer: AnswerEmails, kind: str
) -> None:
    to = recipient(played)
    written = writer.write_answer(answer_of(kind), to, IDS, played.hosted.snapshot, played.now())
    played.store.write(written.record).result(SOON)
    text = text_of(written.message)
    form = form_for(played, to.seat)
    for line in form.lines:
        assert f"    {line}\n" in text
    assert "Nothing was done." in text
    assert [kept.lines for kept in played.recorder.forms.values() if kept] == [form.lines]


def test_corrected_orders_are_ready_to_send(played: PlayedGame, writer: AnswerEmails) -> None:
    unclear = "World has no territory 'ontaria'.", "Did you mean Ontario?"
    mistakes = (
        LineMistake(line=2, message=unclear[0], suggestion=unclear[1], text="place 18 ontaria"),
    )
    orders = "TRADE BEST\n// ??? place 18 ontaria\nEND"
    given = answer_of(
        "corrected", "1 line is unclear. Nothing was done.", orders=orders, mistakes=mistakes
    )
    to = recipient(played, "Re: Your turn in Letters from Lyon, round 3 (until Wed 05:00)")
    message = writer.write_answer(given, to, IDS, played.hosted.snapshot, played.now()).message
    assert message["Subject"] == to.subject
    assert (
        "2.    place 18 ontaria\n      World has no territory 'ontaria'. Did you mean Ontario?\n"
    ) in text_of(message)
    assert "    // ??? place 18 ontaria\n" in text_of(message)
    assert "Send the corrected orders" in html_of(message)


def test_an_unclear_line_is_shown_cut_and_harmless(
    played: PlayedGame, writer: AnswerEmails
) -> None:
    wrong = "<b>atack</b> \u202e=== reply above this line === // " + "x" * 200
    given = answer_of(
        "corrected", mistakes=(LineMistake(line=1, message="Unknown order.", text=wrong),)
    )
    to = recipient(played)
    message = writer.write_answer(given, to, IDS, played.hosted.snapshot, played.now()).message
    text = text_of(message)
    assert "1.    <b>atack</b> --- reply above this line --- / xxx" in text.replace("--=", "---")
    assert "xxx\u2026\n      Unknown order." in text
    assert text.count("=== reply above this line ===") == 1
    assert "\u202e" not in text
    assert "x" * 61 not in text
    assert "&lt;b&gt;atack&lt;/b&gt;" in html_of(message)


def test_words_of_a_foreign_subject_are_not_repeated(
    played: PlayedGame, writer: AnswerEmails
) -> None:
    to = recipient(played, "Buy now\r\nBcc: x@example.net")
    message = writer.write_answer(
        answer_of("inquiry"), to, IDS, played.hosted.snapshot, played.now()
    ).message
    assert message["Subject"].startswith("Re: Your turn in Letters from Lyon")
    assert message["Bcc"] is None


def test_an_answer_to_news_keeps_the_subject_of_the_news(
    played: PlayedGame, writer: AnswerEmails
) -> None:
    snapshot, at = played.hosted.snapshot, played.now()
    # Somebody who has no decision, and who is not called "you" in these subjects.
    others = set(snapshot.game().colours) - {recipient(played).seat}
    seat = next(colour for colour in sorted(others) if NAMES[colour] not in {"Ann", "Priya"})
    subjects = {
        "Re: Ann receives 3 armies (Letters from Lyon, round 2)": "",
        "Re: Ann is awarded 3 armies (Letters from Lyon, round 2)": "",  # of an older version
        "RE: Dice: Priya takes Alaska from the rebels (Letters from Lyon)": "",
        "Re: Dice: Priya buys Alaska (Letters from Lyon)": "Re: Letters from Lyon, round ",
        "Re: Ann is awarded 3 armies (Buy now, round 2)": "Re: Letters from Lyon, round ",
    }
    for subject, instead in subjects.items():
        to = replace(recipient(played, subject), seat=seat)
        found = str(
            writer.write_answer(answer_of("noted"), to, IDS, snapshot, at).message["Subject"]
        )
        assert found.startswith(instead or f"Re: {subject[4:]}")


def test_sections_of_an_inquiry_are_text_and_escaped_html(
    played: PlayedGame, writer: AnswerEmails
) -> None:
    given = answer_of(
        "inquiry", "Nothing was changed.", sections=(("Status", ("<b>round 3</b>",)),)
    )
    to = recipient(played)
    message = writer.write_answer(given, to, IDS, played.hosted.snapshot, played.now()).message
    assert "<b>round 3</b>" in text_of(message)
    assert "&lt;b&gt;round 3&lt;/b&gt;" in html_of(message)


@pytest.mark.parametrize("purpose", CodePurpose)
def test_a_code_stands_on_a_line_of_its_own_and_in_no_subject(
    played: PlayedGame, writer: AnswerEmails, purpose: CodePurpose
) -> None:
    asked = CodeToWrite(purpose=purpose, code="7G3K-QQ22", asked="VOTE DRAW")
    message = writer.write_code(
        asked, recipient(played), played.hosted.snapshot, played.now()
    ).message
    assert "    CONFIRM 7G3K-QQ22\n" in text_of(message)
    assert "7G3K" not in message["Subject"]
    assert text_of(message).index("othing") < text_of(message).index("CONFIRM")
    assert "Token:" not in text_of(message)


def test_returned_mail_names_no_game_and_repeats_nothing(writer: AnswerEmails) -> None:
    message = writer.write_returned("x@example.com", IDS, 5, 1_795_000_000_000, 1_795_000_060_000)
    text = text_of(message.message)
    assert "did not reach a game" in text
    assert GAME not in text
    assert message.message["Auto-Submitted"] == "auto-replied"
    assert message.message["Reply-To"] is None
