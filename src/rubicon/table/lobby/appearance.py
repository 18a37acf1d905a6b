"""How texts of people look: what nobody can see or read in them, and names that look alike."""

from __future__ import annotations

import unicodedata
from itertools import groupby

MOST_MARKS = 3  # combining marks on one letter: more of them cover the lines above and below
# Signs without any ink that Unicode calls letters, marks or symbols, so that they are printable.
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
)
VARIANTS = {*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0))}
COLOURED = "\ufe0f"  # asks for the coloured form of a sign: many emoji end with it
# Letters of two other alphabets, and digits, that look like Latin ones in most fonts.
ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХѴԜԚаеѕіјкорсухѵԝԛԁһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαικνρυ01I|",
    "ABESIJKMHOPCTYXVWQaesijkopcyxvwqdhlABEZHIKMNOPTYXoaikvpuolll",
)


def is_legible(text: str) -> bool:
    """Whether a text has nothing invisible in it, and no heaps of marks."""
    hidden = (VARIANTS - {COLOURED}) | BLANK
    if not text.isprintable() or any(sign in hidden for sign in text):
        return False
    kinds = (unicodedata.category(sign) in ("Mn", "Me") for sign in text)
    return all(not mark or len(list(run)) <= MOST_MARKS for mark, run in groupby(kinds))


def look(name: str) -> str:
    """The same for names that a reader takes for each other."""
    shown = "".join(sign for sign in name if sign not in BLANK | VARIANTS)
    plain = unicodedata.normalize("NFKC", shown).translate(ALIKE)
    return " ".join(plain.casefold().split())
