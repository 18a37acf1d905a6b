"""The file of accounts: readable by its owner alone, and never lost."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rubicon.cli.hosted.start import accounts_file, keep_token, token_of
from rubicon.errors import RubiconError

HERE, THERE = "https://here.test", "https://there.test"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the file, which is empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "rubicon").mkdir()
    return tmp_path / "rubicon"


def mode(file: Path) -> int:
    """Who may do what with a file."""
    return stat.S_IMODE(file.stat().st_mode)


def test_a_file_that_others_can_read_is_closed_when_it_is_used() -> None:
    accounts_file().write_text(f'{{"{HERE}": "mine"}}')
    accounts_file().chmod(0o644)
    assert token_of(HERE) == "mine"
    assert mode(accounts_file()) == 0o600


def test_a_new_token_keeps_the_others_whatever_the_mask_is() -> None:
    before = os.umask(0)
    try:
        keep_token(HERE, "one")
        keep_token(f"{THERE}/", "two")
    finally:
        os.umask(before)
    assert (token_of(HERE), token_of(THERE)) == ("one", "two")
    assert mode(accounts_file()) == 0o600
    assert [file.name for file in accounts_file().parent.iterdir()] == ["accounts.json"]


def test_a_link_leads_a_token_nowhere_else(folder: Path) -> None:
    target = folder / "public.json"
    target.write_text("{}")
    accounts_file().symlink_to(target)
    keep_token(HERE, "mine")
    assert target.read_text() == "{}"
    assert mode(accounts_file()) == 0o600


@pytest.mark.parametrize("text", ['{"https://here.test": "mi', "[1]", "\udcff", "[" * 100_000])
def test_a_file_that_cannot_be_read_is_not_overwritten(text: str) -> None:
    accounts_file().write_text(text, errors="surrogateescape")
    with pytest.raises(RubiconError, match="cannot be read") as caught:
        token_of(HERE)
    assert caught.value.code == "play/accounts-unreadable"
    with pytest.raises(RubiconError, match="cannot be read"):
        keep_token(HERE, "mine")
    assert accounts_file().read_text(errors="surrogateescape") == text


def test_an_account_that_cannot_be_kept_is_told(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("a file where the folder should be")
    with pytest.raises(RubiconError):
        keep_token(HERE, "mine")
