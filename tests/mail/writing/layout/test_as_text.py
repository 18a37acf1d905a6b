"""Plain text has 72 columns, whatever an answer lists."""

from __future__ import annotations

from rubicon.mail.writing.document import EmailContent, Lines, Panel
from rubicon.mail.writing.layout import GAP, WIDE, as_text


def test_long_lines_of_a_list_go_on_below_a_little_indented() -> None:
    words = "DEPLOY 3 alaska: " + "put armies on your territories, " * 5
    fixed = "Alaska                 R3   NWT, Alb, Kam"
    email = EmailContent(
        subject="", news="", greeting="", panels=(Panel((Lines((words, "  " + words, fixed)),)),)
    )
    lines = as_text(email).splitlines()
    assert max(map(len, lines)) <= WIDE
    assert fixed in lines
    assert sum(line.startswith("DEPLOY") for line in lines) == 1
    assert any(line.startswith(f"{GAP * ' '}") and "put armies" in line for line in lines)
