"""What the server says when it starts."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rubicon.mail.writing.game_emails import game_emails
from rubicon.server.server import Server
from rubicon.server.settings import ServerSettings

MAIL: dict[str, Any] = {"mail_server": "smtp://127.0.0.1:1", "mail_from": "risk@example.org"}


@pytest.mark.parametrize(
    ("public_url", "warned"), [("", True), ("https://risk.example.org", False)]
)
def test_mail_without_a_public_url_is_warned_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, public_url: str, warned: bool
) -> None:
    settings = replace(
        ServerSettings(), store=f"sqlite:///{tmp_path}/games.db", public_url=public_url, **MAIL
    )
    with caplog.at_level(logging.WARNING, "rubicon.server.server"):
        server = Server(settings, game_emails)
        server.start()
        server.close()
    assert any("public_url is not set" in line for line in caplog.messages) == warned
