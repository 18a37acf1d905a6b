"""Lines of an e-mail that change what the player is told, and when: they are no orders of a game.

A line counts only in a form that prose has hardly ever. The settings themselves check its values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class AccountWord(StrEnum):
    """The words that such lines begin with."""

    TIMEZONE = "TIMEZONE"
    NEWS = "NEWS"
    QUIET = "QUIET"


@dataclass(frozen=True, slots=True)
class AccountLine:
    """A setting for all games of the account; `value` has single spaces, "" where it is missing."""

    word: AccountWord
    value: str

    def __str__(self) -> str:
        return f"{self.word} {self.value}".strip()


_FORMS = (
    (
        AccountWord.TIMEZONE,
        re.compile(r"time[ -]?zone\b[ :=]*((?:[\w/+-]+(?: [\w/+-]+){0,2})?)", re.I),
    ),
    (AccountWord.NEWS, re.compile(r"news[ :=]+(at once|[\w-]+)", re.I)),
    (
        AccountWord.QUIET,
        re.compile(
            r"quiet(?: hours)?\b[ :=]*((?:(?:from )?\d[\d:.]*[\w:. -]{0,30}|[\w:]+)?)", re.I
        ),
    ),
)
_COMMENT = re.compile(r"(?://|#).*$")
_MARK = re.compile(r"^[-*\u2022]\s+")
_END = re.compile(r"\s*end\b", re.IGNORECASE)
_PRESS = re.compile(r"\s*press\b", re.IGNORECASE)
_ENDPRESS = re.compile(r"\s*endpress\b", re.IGNORECASE)


def account_line(line: str) -> AccountLine | None:
    """The setting that a line asks for; None where it is another line."""
    bare = " ".join(_MARK.sub("", _COMMENT.sub("", line).strip()).split()).rstrip(" .;!")
    for word, form in _FORMS:
        found = form.fullmatch(bare)
        if found is not None:
            return AccountLine(word, found[1].strip())
    return None


def split_account_lines(text: str) -> tuple[tuple[AccountLine, ...], str]:
    """The settings that a text asks for, and the text with empty lines instead of them.

    Not those below END, nor in a message to other players: both belong to no setting.
    """
    found: dict[AccountLine, None] = {}
    lines = text.split("\n")
    in_message = False
    for at, line in enumerate(lines):
        if not in_message and _END.match(line):
            break
        in_message = not _ENDPRESS.match(line) and (in_message or bool(_PRESS.match(line)))
        asked = None if in_message else account_line(line)
        if asked is not None:
            found.pop(asked, None)  # of a line that is there twice, the last one counts
            found[asked] = None
            lines[at] = ""
    return tuple(found), "\n".join(lines)
