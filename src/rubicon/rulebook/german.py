"""The rulebook in German: each sentence of the English one is replaced by its German counterpart.

`german.toml` holds the sentences. The English rulebook stays the only one that says when a
sentence is in force, so that the two cannot differ in their rules.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rubicon.rulebook.rulebook import RulebookBlock, RulebookChapter, RuleText
from rubicon.rules.board.board import Board

LANGUAGE = "de"
_FILE = Path(__file__).with_name("german.toml")
_TABLES = ("rulesets", "titles", "words", "cells")  # the others are chapters
_PLACEHOLDER = re.compile(r"\\{(\w+)\\}")
_NUMBERED = re.compile(r"(\d+\. )(.*)")
_SENTENCE_END = re.compile(r"(?<=[.:]) ")
_KEPT = re.compile(r"[\d,.: ★]+|[A-Z]+\d+")  # numbers and ids are the same in every language


class _Pattern(NamedTuple):
    """A sentence with gaps: what it is in English, and the German one with the same gaps."""

    english: re.Pattern[str]
    german: str


class _Texts(NamedTuple):
    """The contents of the file: sentences without gaps, sentences with gaps, and the tables."""

    sentences: Mapping[str, str]
    patterns: tuple[_Pattern, ...]
    tables: Mapping[str, Mapping[str, str]]
    rulesets: Mapping[str, tuple[str, str]]


def german_title(preset: str, title: str, description: str) -> tuple[str, str]:
    """Title and description of a preset in German; those given for other rulesets."""
    return _texts().rulesets.get(preset, (title, description))


def in_german(chapters: list[RulebookChapter], board: Board) -> list[RulebookChapter]:
    """The chapters in German; what has no German counterpart, as on other boards, stays English."""
    german = _German(board)
    return [german.chapter(chapter) for chapter in chapters]


def untranslated(chapters: list[RulebookChapter], board: Board) -> list[str]:
    """The texts of these chapters that have no German counterpart; [] where all have one."""
    german = _German(board)
    for chapter in chapters:
        german.chapter(chapter)
    return german.missing


class _German:
    """Translates the texts of a rulebook on one board."""

    def __init__(self, board: Board) -> None:
        self.missing: list[str] = []
        self.names = dict(_names(board))
        phrases = {**_texts().tables["words"], **self.names}
        # Longer phrases first: `the first player` before `the first one` before `one`.
        ordered = sorted(phrases, key=len, reverse=True)
        self.phrases = phrases
        self.phrase = re.compile(
            rf"\b(?:{'|'.join(map(re.escape, ordered))})(?!\w)|{_KEPT.pattern}"
        )

    def chapter(self, chapter: RulebookChapter) -> RulebookChapter:
        """A chapter with its title."""
        title = _texts().tables["titles"].get(chapter["title"])
        return {
            "title": title or self.left(chapter["title"]),
            "blocks": [self.block(block) for block in chapter["blocks"]],
        }

    def left(self, english: str) -> str:
        """A text that has no German counterpart."""
        self.missing.append(english)
        return english

    def block(self, block: RulebookBlock) -> RulebookBlock:
        """A paragraph, a list or a table."""
        return {
            "kind": block["kind"],
            "texts": [self.rule(rule) for rule in block["texts"]],
            "rows": [[self.cell(cell) for cell in row] for row in block["rows"]],
        }

    def rule(self, rule: RuleText) -> RuleText:
        """Some sentences with their sources; the lines of a list with numbers stay lines."""
        lines = [self.line(line) for line in rule["text"].split("\n")]
        return {"text": "\n".join(lines), "sources": rule["sources"]}

    def line(self, text: str) -> str:
        """Some sentences, or an entry of a list with numbers."""
        numbered = _NUMBERED.fullmatch(text)
        number, words = (numbered[1], numbered[2]) if numbered else ("", text)
        found = self.sentences(words) if words else ""
        return number + (self.left(words) if found is None else found)

    def sentences(self, text: str) -> str | None:
        """The text as a whole, or as the longest beginning that is known and the rest."""
        if (whole := self.sentence(text)) is not None:
            return whole
        for end in reversed([found.start() for found in _SENTENCE_END.finditer(text)]):
            first = self.sentence(text[:end])
            rest = self.sentences(text[end + 1 :]) if first is not None else None
            if rest is not None:
                return f"{first} {rest}"
        return None

    def sentence(self, text: str) -> str | None:
        """What the file has for a text, with its gaps filled."""
        if (found := _texts().sentences.get(text)) is not None:
            return found
        for pattern in _texts().patterns:
            if (match := pattern.english.fullmatch(text)) is not None:
                gaps = {name: self.words(value) for name, value in match.groupdict().items()}
                if None not in gaps.values():
                    return pattern.german.format(**gaps)
        return None

    def words(self, text: str) -> str | None:
        """What fills a gap: numbers, ids and known phrases; None if a word is unknown."""
        found, at = [], 0
        while at < len(text):
            match = self.phrase.match(text, at)
            if match is None:
                return None
            found.append(self.phrases.get(match[0], match[0]))
            at = match.end()
        return "".join(found)

    def cell(self, text: str) -> str:
        """A cell of a table: a name, a list of names, a design, or stars."""
        known = {**_texts().tables["cells"], **self.names}
        parts = text.split(", ") if text else []
        return ", ".join(
            part if _KEPT.fullmatch(part) else known.get(part) or self.left(part) for part in parts
        )


def _names(board: Board) -> Iterator[tuple[str, str]]:
    """The places of a board and the board by their English names; its own names else."""
    places = [(board.name, board.names)]
    places += [(continent.name, continent.names) for continent in board.continents]
    places += [(territory.name, territory.names) for territory in board.territories]
    for name, names in places:
        german = dict(names).get(LANGUAGE, name)
        yield name, german
        if name.startswith("The "):
            yield f"the {name[4:]}", german[:1].lower() + german[1:]


@cache
def _texts() -> _Texts:
    file = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    chapters = [table for title, table in file.items() if title not in _TABLES]
    sentences = {english: german for chapter in chapters for english, german in chapter.items()}
    patterns = tuple(
        _Pattern(_gaps(english), german) for english, german in sentences.items() if "{" in english
    )
    tables = {name: file[name] for name in _TABLES}
    rulesets = {name: (title, line) for name, (title, line) in file["rulesets"].items()}
    return _Texts(sentences, patterns, tables, rulesets)


def _gaps(english: str) -> re.Pattern[str]:
    """The sentence as a pattern; a gap that comes again must have the same words again."""
    seen: set[str] = set()

    def gap(found: re.Match[str]) -> str:
        name = found[1]
        again = name in seen
        seen.add(name)
        return f"(?P={name})" if again else f"(?P<{name}>.+?)"

    return re.compile(_PLACEHOLDER.sub(gap, re.escape(english)))
