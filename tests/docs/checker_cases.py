"""Transcripts for the checkers of docs/, good and bad, and what the one in Python says to them."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.docs.forged_transcripts import FORGERIES
from tests.docs.writing_transcripts import Participant, Writer

DOCS = Path(__file__).parents[2] / "docs"
VERDICTS = Path(__file__).with_name("verdicts.js")  # asks docs/check_dice.js

Verdict = str | list[Any]  # the table, or the number of the bad entry and why


@dataclass
class Case:
    """A transcript, and what the checkers are told beside it."""

    text: str
    heads: list[tuple[int, str]] = field(default_factory=list)
    key: str | None = None


def load_checker() -> Any:
    """docs/check_dice.py as a module."""
    spec = importlib.util.spec_from_file_location("check_dice", DOCS / "check_dice.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_dice"] = module  # its data classes look there
    spec.loader.exec_module(module)
    return module


checker = load_checker()


def in_python(case: Case) -> Verdict:
    """What docs/check_dice.py says."""
    lines = case.text.removesuffix("\n").split("\n") if case.text else []
    try:
        return str(checker.check(lines, case.heads, case.key))
    except checker.Bad as bad:
        return [bad.seq, bad.why]


def in_python_without_signatures(case: Case) -> Verdict:
    """What docs/check_dice.py says where `cryptography` is not installed."""
    with patch.object(checker, "Ed25519PublicKey", None):
        return in_python(case)


def honest(ending: str, *, dice: bool) -> Case:
    """An honest transcript, with a head and a key to look for."""
    writer = Writer(dice=dice).story(ending)
    return Case(writer.text, [(5, writer.heads[5].hex()[:16])], writer.all["red.1"].public.hex())


HONEST = {
    f"{ending}{', dice server' if dice else ''}": honest(ending, dice=dice)
    for ending in ("end", "broken", "none")
    for dice in (False, True)
}
OTHER_KEY = Participant("nobody", "", 0).public.hex()
WHOLE = HONEST["end"]
LAST = WHOLE.text.count("\n") - 1
BAD = {  # what no forged line shows: the case, the entry that is named, and words of why
    "an empty file": (Case(""), 0, "the file is empty"),
    "an end of line alone": (Case("\n"), 0, "empty"),
    "another format": (Case(WHOLE.text.replace("rdice/2", "rdice/1", 1)), 0, "no genesis of"),
    "no genesis": (Case("\n".join(WHOLE.text.split("\n")[1:])), 0, "no genesis of"),
    "two ends of line": (Case(WHOLE.text + "\n"), LAST + 1, "canonical"),
    "an end of line in between": (Case(WHOLE.text.replace("\n", "\n\n", 1)), 1, "canonical"),
    "a line left out": (Case(WHOLE.text.replace(WHOLE.text.split("\n")[3] + "\n", "")), 3, "seq"),
    "cut behind a line without signature": (
        Case("\n".join(WHOLE.text.split("\n")[:2])), 1, "last line is not signed"),
    "another head": (Case(WHOLE.text, [(4, "ab" * 32)]), 4, "another head"),
    "two heads of one entry": (
        Case(WHOLE.text, [*WHOLE.heads, (5, "ab" * 32)]), 5, "another head"),
    "a head behind the end": (
        Case(WHOLE.text, [(LAST + 1, "ab" * 32)]), LAST + 1, "ends before a head"),
    "joined with a head of 257 entries ago": (
        Case(Writer().long_story(140, 257, 1).text), 282, "more than 256 entries ago"),
    "an order signed with a head of 257 entries ago": (
        Case(Writer().long_story(140, 256, 257).text), 283, "no head of the last 256 entries"),
}  # fmt: skip
LONG = Case(Writer().long_story(140, 256, 256).text)


@cache
def all_cases() -> dict[str, Case]:
    """Every transcript by its name: honest ones, a long one, and bad ones."""
    forged = {forgery.name: Case(forgery.write().text) for forgery in FORGERIES}
    bad = {name: case for name, (case, *_) in BAD.items()}
    return forged | HONEST | bad | {"long": LONG}
