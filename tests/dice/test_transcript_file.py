"""Reading a file that may be anything."""

from io import BytesIO

import pytest

from rubicon.dice import transcript
from rubicon.dice.errors import BadEntry, DiceError
from rubicon.dice.example import example_entries
from rubicon.dice.transcript import entries_of, read_transcript
from rubicon.dice.verify import verify

LINES = [entry.text() for entry in example_entries()]
TEXT = "".join(f"{line}\n" for line in LINES)


def test_a_file_is_read() -> None:
    assert [entry.text() for entry in read_transcript(BytesIO(TEXT.encode()))] == LINES


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_of_mail_programs(line_end: str) -> None:
    text = line_end.join(LINES)
    assert verify(entries_of(text)).ok
    assert verify(entries_of(text + line_end)).ok


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"\xff\xfe", "not-utf8"),
        (b"hello\n", "not-a-transcript"),
        (b"[1, 2]\n", "not-a-transcript"),
        (b'{"body":{"format":7}}\n', "not-a-transcript"),
        (TEXT.replace("rdice/2", "rdice/3").encode(), "newer"),
        (TEXT[:-3].encode(), "cut"),
        (TEXT[: len(TEXT) // 2].encode(), "cut"),
    ],
)
def test_what_is_no_transcript(data: bytes, code: str) -> None:
    with pytest.raises(DiceError) as refused:
        read_transcript(BytesIO(data))
    assert refused.value.code == f"dice/{code}"
    assert refused.value.message


def test_a_bad_line_is_named() -> None:
    with pytest.raises(BadEntry) as refused:
        entries_of("\n".join([*LINES[:4], "[]", *LINES[5:]]))
    assert refused.value.seq == 4
    assert "Line 5" in refused.value.message


def test_a_file_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "LARGEST_FILE", 1_000)
    with pytest.raises(DiceError) as refused:
        read_transcript(BytesIO(TEXT.encode()))
    assert refused.value.code == "dice/too-large"
