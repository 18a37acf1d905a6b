"""Undoes what mail programs do to the lines of orders, before the order language reads them.

The order language itself normalizes characters (NFKC), arrows and list marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rubicon.orders.parse.verbs import MEANINGS

WRAPPED = 55  # characters from which a line may have been wrapped by a program
MOST_GREETING = 6  # words

# Outlook makes an arrow of Wingdings out of `-->` and `==>`; as plain text it is one of these.
_WINGDINGS_ARROW = re.compile(r"(?<=\S) (?:à|è|\uf0e0|\uf0e8) (?=\S)")
_EMPHASIS = re.compile(r"([*_]{1,2})(\S.*?\S|\S)\1")
_EMPTY_BOX = re.compile(r"\s*(?:\[[ _]?\]|[\u2610\u25a1])(?=\s)")
_TICKED_BOX = re.compile(r"^(\s*)[\u2611\u2612\u2705\u2713\u2714](?=\s)")
_WORD = re.compile(r"[^\W\d_]+")
_LINK = re.compile(r"\s*<(?:https?|mailto):[^<>\s]{1,500}>")
_GOES_ON = re.compile(
    r"\s*(?:->|\u2192|until\b|left\b|or\b|dice\b|but\b|odds\b|rounds\b|lost\b|won\b|%|,)",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"(?:->|\u2192|,|\b(?:until|or|left|dice|advance|but|to|from|odds|rounds|lost|<))\s*$",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day|afternoon)|greetings|hallo|guten (?:tag"
    r"|morgen|abend)|moin|servus|liebe\w*|sehr geehrte|bonjour|bonsoir|salut"
    r"|cher|hola|buenos|buenas|ciao|buongiorno|salve|olá|oi|bom dia|goedendag|goedemorgen"
    r"|beste|hej|hei|moi|cześć|dzień dobry"
    r"|ahoj|szia|привет|здравствуйте|merhaba|こんにちは|你好|안녕하세요)\b.{0,60}$",
    re.IGNORECASE,
)


def prepared(text: str) -> tuple[str, tuple[str, ...]]:
    """The text for the parser of orders, and the lines of it that were left out."""
    left_out: list[str] = []
    lines = [_tidy(line) for line in text.split("\n")]
    while (first := next((n for n, line in enumerate(lines) if line.strip()), None)) is not None:
        if not is_greeting(lines[first]):
            break
        left_out.append(lines.pop(first).strip())
    kept: list[str] = []
    for line in _unwrapped(lines):
        if _EMPTY_BOX.match(line):
            left_out.append(line.strip())
        else:
            kept.append(line)
    return "\n".join(kept).strip("\n"), tuple(left_out)


def is_greeting(line: str) -> bool:
    """Whether a line above the orders is `Hi Rubicon,`, without anything that orders consist of."""
    bare = line.strip()
    plain = not any(sign.isdigit() or sign in ">;" for sign in bare)
    return plain and len(bare.split()) <= MOST_GREETING and _GREETING.match(bare) is not None


def begins_order(line: str) -> bool:
    """Whether the first word of a line is a verb of the order language, or begins one."""
    found = _WORD.search(line)
    word = found.group().casefold() if found else ""
    return len(word) >= 3 and any(verb.startswith(word) for verb in MEANINGS)


def _tidy(line: str) -> str:
    line = _LINK.sub("", line.replace("\xa0", " "))
    line = _TICKED_BOX.sub(r"\1", line)
    bare = line.strip()
    emphasized = _EMPHASIS.match(bare)
    if emphasized:
        line = emphasized[2] + bare[emphasized.end() :]
    return _WINGDINGS_ARROW.sub(" -> ", line) if begins_order(line) else line


def _unwrapped(lines: Sequence[str]) -> Iterator[str]:
    """The lines; one that a program cut in two is one again.

    Only a long line can have been cut, and only a line that no order begins with is its rest.
    """
    whole: str | None = None
    last = 0
    for line in lines:
        if whole is not None and last >= WRAPPED and _is_rest(whole, line):
            whole, last = f"{whole.rstrip()} {line.strip()}", len(line)
            continue
        if whole is not None:
            yield whole
        whole, last = line, len(line)
    if whole is not None:
        yield whole


def _is_rest(line: str, following: str) -> bool:
    if not following.strip() or line.lstrip().startswith(("//", "#")):
        return False
    return bool(_GOES_ON.match(following) or _UNFINISHED.search(line))
