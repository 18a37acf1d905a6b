"""Suggestions for unknown words in error messages: `Did you mean 'attack'?`."""

import difflib
from collections.abc import Iterable

LONGEST = 100  # letters that are compared: difflib takes time with the square of the length
LIKENESS = 0.6  # of difflib, from 0 to 1; below it suggestions are rarely what was meant


def nearest(word: str, known: Iterable[str]) -> str:
    """`Did you mean 'attack'?`, or "" where no known word is similar."""
    by_folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word[:LONGEST].casefold(), list(by_folded), 1, LIKENESS)
    return f"Did you mean {by_folded[close[0]]!r}?" if close else ""
