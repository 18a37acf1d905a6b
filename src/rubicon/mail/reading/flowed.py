"""Lines of plain text with their depth of quotation; format=flowed by RFC 3676."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rubicon.mail.reading.incoming_mail import MailLine

_MARKS = re.compile(r"[ \t]{0,3}(?:[>|\uff1e][ \t]?)+")
_INITIALS = re.compile(r"[A-Z]{1,3}> ?")  # `TB> as I said`, of old mail programs
SIGNATURE_LINE = "-- "


def plain_lines(text: str) -> list[MailLine]:
    """Each line with its depth; the marks `>` and `|` are taken away."""
    return [marked_line(line) for line in text.split("\n")]


def marked_line(line: str) -> MailLine:
    """One line without its marks. A bar counts like an arrow: both begin no order."""
    found = _MARKS.match(line) or _INITIALS.match(line)
    if found is None:
        return MailLine(line)
    marks = found.group()
    depth = sum(marks.count(mark) for mark in ">|\uff1e")
    return MailLine(line[found.end() :], max(1, depth))


def flowed_lines(text: str, *, delete_space: bool) -> list[MailLine]:
    """The paragraphs of a flowed text as lines; `delete_space` is the parameter DelSp=yes.

    A line that ends with a space goes on in the next one of the same depth. The signature line
    is never joined.
    """
    found: list[MailLine] = []
    flowing = False
    for line in _unstuffed(text.split("\n")):
        goes_on = line.text.endswith(" ") and line.text != SIGNATURE_LINE
        body = line.text[:-1] if goes_on and delete_space else line.text
        fixed = line.text == SIGNATURE_LINE
        if flowing and not fixed and found and found[-1].depth == line.depth:
            found[-1] = MailLine(found[-1].text + body, line.depth)
        else:
            found.append(MailLine(body, line.depth))
        flowing = goes_on
    return found


def _unstuffed(lines: Iterable[str]) -> Iterable[MailLine]:
    """Depth and text of each line, without the space that guards `>` and `From` at its start."""
    for line in lines:
        bare = line.lstrip(">")
        depth = len(line) - len(bare)
        if depth == 0 and bare.startswith(("|", "> ")):
            yield marked_line(line)
        else:
            yield MailLine(bare[1:] if bare.startswith(" ") else bare, depth)
