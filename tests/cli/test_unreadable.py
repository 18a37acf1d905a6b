"""Files that are no text, or not there: every command says so in its own words."""

from pathlib import Path

import pytest

from rubicon.cli.main import main


@pytest.fixture
def noise(tmp_path: Path) -> Path:
    """A file of bytes that are no text."""
    file = tmp_path / "noise.case"
    file.write_bytes(b"\xff\xfe\x00\x80" * 50)
    return file


@pytest.mark.parametrize("command", ["position", "cases", "rules", "play", "replay"])
def test_what_is_no_text_is_called_so(
    command: str, noise: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(noise)]) == 2
    said = capsys.readouterr().err
    assert "not UTF-8 text" in said
    assert "codec" not in said


def test_cases_that_are_not_there(noise: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cases", str(noise.parent / "nowhere")]) == 2
    said = capsys.readouterr().err
    assert "No such file or directory" in said
    assert said.endswith("1 file cannot be read; nothing was run.\n")
    broken = noise.with_name("broken.case")
    broken.write_text("case\nhello\n")
    assert main(["cases", str(noise), str(broken)]) == 2
    said = capsys.readouterr().err
    assert "1 file cannot be read, " in said
    assert "cannot be understood; nothing was run." in said
