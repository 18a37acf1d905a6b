"""Finding a territory or a continent by the name that a person types."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

_APOSTROPHE = re.compile(r"['\u2019]")
_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> tuple[str, ...]:
    """The words of a name, without case, accents, apostrophes and separators."""
    bare = _APOSTROPHE.sub("", text)
    # Decomposed letters lose their accents: `Côte` and `Cote` are one name.
    if not bare.isascii():
        letters = unicodedata.normalize("NFKD", bare)
        bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return tuple(_WORD.findall(bare.casefold()))


def compact(text: str) -> str:
    """The words run together: two names with equal compact forms are the same name."""
    return "".join(words(text))


class BoardNames:
    """All spellings of a list of things; each thing is its index.

    `translated` has their names in other languages. A text is looked for among them only where no
    spelling fits it, so that a translation makes no abbreviation ambiguous.
    """

    __slots__ = ("_exact", "_spellings", "_translated")

    def __init__(
        self, spellings: Iterable[Iterable[str]], translated: Iterable[Iterable[str]] = ()
    ) -> None:
        others = list(translated)
        self._translated = BoardNames(others) if others else None
        named = [
            (words(text), index, text) for index, texts in enumerate(spellings) for text in texts
        ]
        self._spellings = [("".join(parts), parts, index, text) for parts, index, text in named]
        self._exact = {joined: index for joined, _, index, _ in self._spellings}

    def find(self, text: str) -> dict[int, str]:
        """The things that a text may mean: the one with exactly this name, else all that begin so.

        `text` may shorten a name as a whole (`kam`) or word by word (`e aus`). The values are the
        spellings that matched.
        """
        typed = words(text)
        if not typed:
            return {}
        run = "".join(typed)
        if (exact := self._exact.get(run)) is not None:
            return {exact: text}
        met = [
            (at, name)
            for joined, parts, at, name in self._spellings
            if joined.startswith(run) or (len(typed) > 1 and _begins(parts, typed))
        ]
        if not met and self._translated is not None:
            return self._translated.find(text)
        # Of several spellings of one thing the first in the file is shown.
        return dict(reversed(met))

    def nearest(self, text: str, most: int = 3) -> tuple[int, ...]:
        """The things with the most similar spelling, the most similar first; may be empty."""
        close = get_close_matches(compact(text)[:100], list(self._exact), 2 * most, 0.6)
        return tuple(dict.fromkeys(self._exact[name] for name in close))[:most]


def _begins(name: tuple[str, ...], typed: tuple[str, ...]) -> bool:
    """Whether each word begins the word of a name in the same place."""
    pairs = zip(name, typed, strict=False)
    return len(typed) <= len(name) and all(whole.startswith(part) for whole, part in pairs)
