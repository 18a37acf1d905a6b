"""`docs/hosting.md`: its examples are executed, on a store with one game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.mail.writing.game_emails import game_emails
from tests.mail.writing.played import IDENTITY, NAMES, played_game
from tests.table.hosted import GAME, hosted

PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"
CONSOLES = re.findall(
    r"```console\n\$ rubicon (table [^\n]*)\n(.*?)```", PAGE.read_text("utf-8"), re.S
)


VARYING = re.compile(
    r"\b[0-9a-f]{32}\b|\d+|\b[a-z]{10}:|\b(?:red|blue|green|yellow|grey|black)\b"
    r"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b"
)


def test_the_email_on_the_page_is_a_real_one(tmp_path: Path) -> None:
    ((subject, shown),) = re.findall(
        r"```text\nSubject: ([^\n]*)\n\n(.*?)```", PAGE.read_text("utf-8"), re.S
    )
    names = dict.fromkeys(NAMES, "Ann")
    with played_game(tmp_path, names=names) as played:
        seat = played.play_until(2)
        writer = game_emails(played.store, IDENTITY, lambda account, address: "/unsubscribe")
        at, snapshot = played.now(), played.hosted.snapshot
        message = writer.write(played.pending(seat), snapshot, at).message
    text = str(message.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    assert fixed_words(subject) == fixed_words(message["Subject"])
    begin, end = shown.split("…")
    assert fixed_words(text).startswith(fixed_words(begin))
    assert fixed_words(end) in fixed_words(text)


def fixed_words(text: str) -> str:
    """The words of an e-mail without its numbers, days and colours."""
    return " ".join(VARYING.sub("N", text).split())


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
