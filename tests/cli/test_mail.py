"""`rubicon mail`, and `rubicon serve` where e-mails are to be taken."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from rubicon.cli.main import main
from tests.ports import free_port


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "rubicon.toml"
    file.write_text('mail_from = "Rubicon <play@risk.example.org>"\nport = 0\n')
    return file


def test_a_server_that_nobody_can_answer_is_not_started(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mail", "serve", "--settings", str(settings)]) == 2
    assert "mail_receive is missing" in capsys.readouterr().err
    assert not (settings.parent / "rubicon.db").exists()


@pytest.mark.parametrize("command", [["serve"], ["mail", "serve"]])
def test_an_address_in_use_is_told_in_a_sentence(
    settings: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        url = f"lmtp://127.0.0.1:{used.getsockname()[1]}"
        settings.write_text(f'{settings.read_text()}mail_receive = "{url}"\n')
        assert main([*command, "--settings", str(settings)]) == 2
    told = capsys.readouterr().err
    assert "cannot be taken at" in told
    assert "Traceback" not in told


def test_a_check_tells_each_setting(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"lmtp://127.0.0.1:{free_port()}"
    settings.write_text(f'{settings.read_text()}mail_receive = "{url}"\n')
    assert main(["mail", "check", "--settings", str(settings)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert f"ok     mail_receive, {url}: the server can take e-mails here" in lines
    assert any(line.startswith("WRONG  mail_server: ") for line in lines)


def test_a_test_email_is_printed_without_a_mail_server(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mail", "send-test", "ann@example.org", "--settings", str(settings)]) == 0
    assert "this is a test of play by e-mail" in capsys.readouterr().out
    assert main(["mail", "send-test", "ann", "--settings", str(settings)]) == 2
    assert "not a valid e-mail address" in capsys.readouterr().err
