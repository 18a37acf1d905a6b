"""HISTORY tells who did what."""

from __future__ import annotations

import pytest

from rubicon.mail.message_work import history_line


@pytest.mark.parametrize(
    ("kind", "event", "seat", "text", "line"),
    [
        ("event", "decided", "red", "red: place peru 3", "red: place peru 3"),
        ("table", "vote", "blue", "extend", "blue: vote extend"),
        ("table", "away", "grey", "2026-12-24 2026-12-31", "grey: away 2026-12-24 2026-12-31"),
        ("table", "master", "", "EXTEND 12 HOURS", "the game master: EXTEND 12 HOURS"),
        ("table", "presence", "red", "deposit red.1", ""),
        ("table", "sealed", "red", "", ""),
    ],
)
def test_a_line_names_its_seat(kind: str, event: str, seat: str, text: str, line: str) -> None:
    assert history_line({"kind": kind, "event": event, "seat": seat, "text": text}) == line
