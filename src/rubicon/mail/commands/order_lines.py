"""Which lines of an e-mail may be orders, by the look of them."""

from __future__ import annotations

import re

from rubicon.mail.commands.account_lines import account_line
from rubicon.orders.parse.verbs import GUESSED, MEANINGS

ARROWS = (">", "\u2192")
_WORD = re.compile(r"[^\W\d_]+")


def begins_order(line: str) -> bool:
    """Whether the first word of a line is a verb of the order language, or cut short."""
    word = _first_word(line)
    cut = len(word) >= 3 and any(verb.startswith(word) for verb in GUESSED)
    return cut or word in MEANINGS


def begins_with_verb(line: str) -> bool:
    """Whether the first word of a line is a verb in full: `Ann` is none, though ANNOUNCE is."""
    return _first_word(line) in MEANINGS


def may_be_order(line: str) -> bool:
    """Whether a line looks like an order, a request or a setting."""
    numbered = begins_order(line) and any(map(str.isdigit, line))
    asked = begins_with_verb(line) or account_line(line) is not None
    return asked or numbered or any(sign in line for sign in (*ARROWS, "//"))


def _first_word(line: str) -> str:
    found = _WORD.search(line)
    return found.group().casefold() if found else ""
