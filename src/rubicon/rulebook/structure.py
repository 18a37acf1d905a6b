"""The rulebook as data: chapters of texts, lists and tables, each sentence with its sources."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Literal, TypedDict

from rubicon.rulebook.rulebook import SECTIONS
from rubicon.rules.options.chosen import Chosen
from rubicon.rules.ruleset.ruleset import Ruleset, presets

_SOURCES = re.compile(r"\s*\[([^\]]+)\]\s*")
_DOCUMENT = re.compile(r"S00\d(?=-\d\d)")
_DASHES = re.compile(r"[|\s-]+")


class RuleSource(TypedDict):
    """The id of a rule; `outside`: the ruleset does not follow its document, which fills a gap."""

    id: str
    outside: bool


class RuleText(TypedDict):
    """A sentence or a few, and the rules that they rest on."""

    text: str
    sources: list[RuleSource]


class RulebookBlock(TypedDict):
    """A paragraph (`text`), a list with an entry for each text, or a table.

    `rows` are those of a table, the first one its head; other blocks have none.
    """

    kind: Literal["text", "list", "table"]
    texts: list[RuleText]
    rows: list[list[str]]


class RulebookChapter(TypedDict):
    """A chapter of the rulebook."""

    title: str
    blocks: list[RulebookBlock]


def rulebook_chapters(ruleset: Ruleset) -> list[RulebookChapter]:
    """The rules in force, as `rulebook` prints them."""
    own = set(ruleset.sources or presets()[ruleset.preset].sources)
    return list(_chapters(ruleset.chosen, own))


def _chapters(chosen: Chosen, own: Collection[str]) -> Iterator[RulebookChapter]:
    for section in SECTIONS:
        blocks = [
            _block(text, own)
            for paragraph in section.texts(chosen)
            for text in paragraph.split("\n\n")
        ]
        if blocks:
            yield {"title": section.title, "blocks": blocks}


def _block(text: str, own: Collection[str]) -> RulebookBlock:
    lines = text.splitlines()
    if lines[0].startswith("|"):
        rows = [_cells(line) for line in lines if not _DASHES.fullmatch(line)]
        return {"kind": "table", "texts": [], "rows": rows}
    if lines[0].startswith("- "):
        entries = [rule for line in lines for rule in _rules(line.removeprefix("- "), own)]
        return {"kind": "list", "texts": entries, "rows": []}
    return {"kind": "text", "texts": list(_rules(text, own)), "rows": []}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _rules(text: str, own: Collection[str]) -> Iterator[RuleText]:
    """The sentences of a text, parted behind the ids that each rests on."""
    parts = _SOURCES.split(text)
    for words, ids in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if words or ids:
            yield {"text": words, "sources": [_source(name, own) for name in _ids(ids)]}


def _ids(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")] if text else []


def _source(name: str, own: Collection[str]) -> RuleSource:
    document = _DOCUMENT.match(name)
    return {"id": name, "outside": document is not None and document[0] not in own}
