"""What may have been meant: the suggestion of an error about an unknown word."""

import difflib
from collections.abc import Iterable

LONGEST = 100  # of a word that is compared
LIKENESS = 0.6


def nearest(word: str, known: Iterable[str]) -> str:
    """`Did you mean 'attack'?`, or "" where nothing known is near."""
    by_folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word[:LONGEST].casefold(), list(by_folded), 1, LIKENESS)
    return f"Did you mean {by_folded[close[0]]!r}?" if close else ""
