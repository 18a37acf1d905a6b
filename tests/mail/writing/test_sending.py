"""The outbox sends what this writer writes, of a notification of a real game."""

from __future__ import annotations

from pathlib import Path

from rubicon.mail.writing.game_emails import game_emails
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from tests.mail.writing.test_turn_email import text_of
from tests.server.mail.mailing import IDENTITY, mail_fixture


def test_a_decision_is_sent_once_as_a_turn_e_mail(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/table.db")
    schema.metadata.create_all(store.engine)
    try:
        with mail_fixture(store) as mail:
            writer = game_emails(store, IDENTITY, mail.unsubscribe.path)
            outbox = mail.another(mail.table, writer)
            try:
                hosted = mail.begin()
                mail.clock.pass_by(120_000)
                (message,) = mail.sweep(outbox)
                assert mail.sweep(outbox) == []
            finally:
                outbox.close()
            seat, _ = hosted.mover()
        assert message["To"] == f"{seat}@abcdefghij.example"
        assert message["Subject"].startswith("Your turn in Friday")
        assert "What is due" in text_of(message).replace("\n", " ")
    finally:
        store.close()
