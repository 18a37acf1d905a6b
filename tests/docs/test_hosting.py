"""`docs/hosting.md`: its examples are executed, on a store with one game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.server.mail.messages import decision_email
from tests.server.mail.mailing import IDENTITY
from tests.server.mail.test_messages import GAME_EMAIL
from tests.table.hosted import GAME, hosted

PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"
CONSOLES = re.findall(
    r"```console\n\$ rubicon (table [^\n]*)\n(.*?)```", PAGE.read_text("utf-8"), re.S
)


def test_the_email_on_the_page_is_a_real_one() -> None:
    shown = re.findall(r"```text\nSubject: ([^\n]*)\n\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    letter = decision_email(IDENTITY, GAME_EMAIL)
    assert shown == [(letter["Subject"], letter.get_content().replace("\r\n", "\n"))]


def numberless(text: str) -> str:
    """Every game has other dice and another checkpoint, and every day another date."""
    text = re.sub(r"\b[0-9a-f]{32}\b", "N", text)
    return re.sub(r"[\d,]*\d", "N", text)


def test_the_examples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RUBICON_STORE", raising=False)
    monkeypatch.setattr("tests.table.hosted.schema.metadata.create_all", lambda _: None)
    assert [command.split()[1] for command, _ in CONSOLES] == [
        "migrate",
        "verify",
        "backup",
        "restore",
        "export",
    ]
    for command, output in CONSOLES:
        if command == "table verify":
            (tmp_path / "rubicon.db").rename(tmp_path / "table.db")
            with hosted(tmp_path) as game:
                game.play()
            (tmp_path / "table.db").rename(tmp_path / "rubicon.db")
        capsys.readouterr()
        assert main(command.replace("GAME", GAME).split()) == 0
        assert numberless(capsys.readouterr().out) == numberless(output)
