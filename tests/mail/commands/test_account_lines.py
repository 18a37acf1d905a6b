"""Settings of an account in an e-mail: how they are written, and what is prose or a message."""

from __future__ import annotations

import pytest

from rubicon.mail.order_lines import account_line, split_account_lines


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("TIMEZONE Europe/Berlin", "TIMEZONE Europe/Berlin"),
        ("time zone: america/new york.", "TIMEZONE america/new york"),
        ("TIMEZONE", "TIMEZONE"),
        ("NEWS DIGEST", "NEWS DIGEST"),
        ("* news at once", "NEWS at once"),
        ("QUIET 22:00 07:00  // my nights", "QUIET 22:00 07:00"),
        ("Quiet hours from 22.00 to 7", "QUIET from 22.00 to 7"),
        ("quiet off", "QUIET off"),
    ],
)
def test_a_line_sets_something(line: str, read: str) -> None:
    assert str(account_line(line)) == read


@pytest.mark.parametrize(
    "line",
    [
        "News from me: I am ill",
        "Quiet evening here",
        "My time zone is Europe/Berlin",
        "// NEWS NEVER",
        "NEWS",
        "",
    ],
)
def test_prose_and_comments_set_nothing(line: str) -> None:
    assert account_line(line) is None


def test_the_other_lines_keep_their_places() -> None:
    settings, others = split_account_lines("NEWS EACH\nSTATUS\nQUIET OFF\nNEWS EACH\nEND\nNEWS OFF")
    assert [str(line) for line in settings] == ["QUIET OFF", "NEWS EACH"]
    assert others == "\nSTATUS\n\n\nEND\nNEWS OFF"


def test_a_message_to_others_is_left_as_it_is() -> None:
    text = "PRESS TO ALL\nNEWS OFF\nENDPRESS\nNEWS DAILY"
    settings, others = split_account_lines(text)
    assert [str(line) for line in settings] == ["NEWS DAILY"]
    assert others == "PRESS TO ALL\nNEWS OFF\nENDPRESS\n"
