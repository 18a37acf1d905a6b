"""Transcripts: exact, strict, and never a traceback whatever is in the file."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rubicon.dice.transcript as module
from rubicon.dice.canonical import canonical, parse
from rubicon.dice.entry import Entry
from rubicon.dice.errors import BadEntry, DiceError
from rubicon.dice.example import example_chain
from rubicon.dice.transcript import entries_of, read_transcript, transcript
from rubicon.dice.verify import Verdict, verify
from rubicon.errors import RubiconError
from tests.dice.forgeries import HONEST, LINES, REVEAL, ROLL

TEXT = transcript(HONEST)
WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLE | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc_"), inner, max_size=4)
    ),
    max_leaves=8,
)


def verified(data: bytes) -> Verdict:
    return verify(read_transcript(io.BytesIO(data)))


def code_of(data: bytes) -> str:
    """What is wrong with a file; "" if nothing is."""
    try:
        verdict = verified(data)
    except RubiconError as error:
        return error.code
    return verdict.fault.code if verdict.fault else ""


def test_text_and_entries_are_inverses() -> None:
    assert list(entries_of(TEXT)) == HONEST.entries
    assert transcript(entries_of(TEXT)) == TEXT


@given(VALUES)
def test_canonical_json_is_the_only_text_of_a_value(value: object) -> None:
    text = canonical(value)  # type: ignore[arg-type]
    assert parse(text) == value
    assert canonical(parse(text)) == text


def test_canonical_json_as_in_rfc_8785() -> None:
    value = {"b": 'é€\n"\\/\x0f\x7f', "a": [1, None, True], "B": -0}
    assert canonical(value) == '{"B":0,"a":[1,null,true],"b":"é€\\n\\"\\\\/\\u000f\x7f"}'  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [2**53, {"é": 1}, ["\ud800"]])
def test_what_has_no_canonical_text(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        canonical(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_of_mail_programs(line_end: str) -> None:
    assert verified(TEXT.replace("\n", line_end).encode()).ok
    assert verified(TEXT.rstrip("\n").replace("\n", line_end).encode()).ok


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"\xff\xfe\x00binary", "not-utf8"),
        (b"\x1f\x8b\x08\x00zip", "not-utf8"),
        (b"hello\n", "not-a-transcript"),
        (b"[Rubicon \"1\"]\n", "not-a-transcript"),
        (b"[]\n", "not-a-transcript"),
        (b"{}\n", "not-a-transcript"),
        (b'{"body":[]}\n', "not-a-transcript"),
        (b'{"body":{"format":1}}\n', "not-a-transcript"),
        (b"[" * 100_000 + b"\n", "not-a-transcript"),
        (TEXT.replace("rdice/1", "rdice/2").encode(), "newer"),
        (TEXT[: len(TEXT) // 2].encode(), "cut"),
        (TEXT[:-3].encode(), "cut"),
    ],
)  # fmt: skip
def test_what_is_no_transcript(data: bytes, code: str) -> None:
    with pytest.raises(DiceError) as refused:
        verified(data)
    assert refused.value.code == f"dice/{code}"
    assert refused.value.message


def test_a_file_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 100)
    with pytest.raises(DiceError) as refused:
        verified(TEXT.encode())
    assert refused.value.code == "dice/too-large"


def with_line(number: int, line: str) -> bytes:
    """The transcript with another line."""
    return "".join(f"{x}\n" for x in [*LINES[:number], line, *LINES[number + 1 :]]).encode()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "not-json"),
        ("{", "not-json"),
        ("NaN", "not-json"),
        ('{"seq":1.5}', "not-json"),
        ("9" * 5000, "not-json"),
        ("[" * 100_000, "not-json"),
        ("[]", "wrong-form"),
        ("{}", "wrong-form"),
        (LINES[ROLL].replace(":", ": ", 1), "not-canonical"),
        (LINES[ROLL].replace('"seq":10', '"seq":10,"seq":10'), "not-canonical"),
        (LINES[ROLL].replace("answer", "\\u0061nswer"), "not-canonical"),
        (LINES[ROLL].replace('"seq":10', '"seq":true'), "wrong-form"),
        (LINES[ROLL].replace('"seq":10', '"seq":-1'), "wrong-form"),
        (LINES[ROLL].replace('"seq":10', '"seq":10,"time":1'), "wrong-form"),
        (LINES[ROLL].replace('"blue"', '"\\ud800"'), "wrong-form"),
        (LINES[ROLL].replace('"links":{', '"links":{"b":7,'), "wrong-form"),
        (LINES[ROLL].replace('"kind":"answer"', '"kind":"\\ud800"'), "wrong-form"),
        (LINES[ROLL].replace('"kind":"answer"', '"kind":"reveal"'), "wrong-form"),
    ],
)
def test_a_line_that_is_no_entry_is_the_first_bad_one(line: str, code: str) -> None:
    verdict = verified(with_line(ROLL, line))
    assert verdict.fault is not None
    assert (verdict.fault.seq, verdict.fault.line) == (ROLL, ROLL + 1)
    assert verdict.fault.code == f"dice/{code}"


def test_what_is_found_is_safe_to_print() -> None:
    line = LINES[REVEAL].replace('"things":[]', '"things":["\\u001b[31m' + "x" * 5000 + '"]', 1)
    verdict = verified(with_line(REVEAL, line))
    assert verdict.fault is not None
    shown = json.dumps(verdict.fault.as_dict(), ensure_ascii=False)
    assert "\x1b" not in shown
    assert len(shown) < 1000


def test_a_signature_has_room_and_does_not_change_the_head() -> None:
    entry = HONEST.entries[ROLL]
    signed = Entry(entry.seq, entry.prev, entry.body, sig="ed25519:AAAA")
    assert signed.head == entry.head
    assert Entry.parse(signed.text()) == signed
    verdict = verified(with_line(ROLL, signed.text()))
    assert verdict.ok
    assert verdict.signatures == 1


@given(st.binary(max_size=60), st.integers(0, len(TEXT)), st.integers(0, 60))
def test_damage_is_a_fault_or_an_error_never_a_traceback(
    noise: bytes, place: int, removed: int
) -> None:
    data = TEXT.encode()
    damaged = data[:place] + noise + data[place + removed :]
    untouched = damaged.rstrip(b"\r\n") == data.rstrip(b"\n")
    assert code_of(damaged).startswith("" if untouched else "dice/")


@given(st.data())
def test_no_single_character_can_be_changed(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(TEXT) - 2).filter(lambda at: TEXT[at] != "\n"))
    other = data.draw(st.characters(min_codepoint=32, max_codepoint=126))
    damaged = TEXT[:place] + other + TEXT[place + 1 :]
    assert (code_of(damaged.encode()) == "") == (other == TEXT[place])


@given(VALUES)
def test_any_json_as_a_body_is_refused_politely(value: object) -> None:
    for entry in HONEST.entries[:4]:
        form = entry.form() | {"body": value}
        with pytest.raises(BadEntry):
            Entry.parse(json.dumps(form))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12:",
        "xyz",
        "1:x:" + "a" * 16,
        "g::" + "a" * 16,
        "a" * 15,
        "a" * 65,
        "-1:" + "a" * 16,
        "\ud800",
        "²:" + "a" * 16,
    ],
)
def test_a_known_head_must_be_one(text: str) -> None:
    with pytest.raises(DiceError) as refused:
        verify(HONEST, known_heads=[text])
    assert refused.value.code == "dice/bad-head"


def test_a_chain_can_be_verified_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "dice.jsonl"
    file.write_text(TEXT, "utf-8", newline="\n")
    with file.open("rb") as stream:
        assert verify(read_transcript(stream)) == verify(HONEST) == verify(example_chain())
    assert verify([]).ok
