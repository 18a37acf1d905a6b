"""The rulebook as data says exactly what the rulebook as text says."""

from __future__ import annotations

import pytest

from rubicon.rulebook.rulebook import (
    OUTSIDE,
    RulebookBlock,
    RuleText,
    chapters,
    rulebook_chapters,
    with_outside_sources,
)
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names


def text_of(rule: RuleText) -> str:
    """A sentence with its sources in brackets."""
    ids = [source["id"] + OUTSIDE * source["outside"] for source in rule["sources"]]
    return f"{rule['text']} [{', '.join(ids)}]" if ids else rule["text"]


def markdown_of(block: RulebookBlock) -> str:
    """A block as the page has it."""
    if block["kind"] == "table":
        head, *rows = (f"| {' | '.join(row)} |" for row in block["rows"])
        dashes = f"| {' | '.join(['---'] * len(block['rows'][0]))} |"
        return "\n".join([head, dashes, *rows])
    texts = [text_of(rule) for rule in block["texts"]]
    return "\n".join(f"- {text}" for text in texts) if block["kind"] == "list" else " ".join(texts)


@pytest.mark.parametrize("board", ["world", "skerries"])
@pytest.mark.parametrize("name", preset_names())
def test_the_page_can_be_made_from_the_data(name: str, board: str) -> None:
    ruleset = Ruleset.load(name, board=board)
    made = "\n".join(
        f"## {chapter['title']}\n\n" + "\n\n".join(map(markdown_of, chapter["blocks"])) + "\n"
        for chapter in rulebook_chapters(ruleset)
    )
    assert made == with_outside_sources(chapters(ruleset.chosen), ruleset.sources)


def test_sentences_have_their_sources() -> None:
    found = {chapter["title"]: chapter for chapter in rulebook_chapters(Ruleset.load("classic"))}
    texts = [rule for block in found["Aim"]["blocks"] for rule in block["texts"]]
    conquest = next(rule for rule in texts if rule["text"].startswith("Conquer the world"))
    assert conquest["sources"] == [
        {"id": "A-61", "outside": False},
        {"id": "S003-43", "outside": False},
    ]
    board = found["The board"]["blocks"]
    assert [block["kind"] for block in board[:4]] == ["text", "list", "text", "table"]
    assert board[3]["rows"][0] == ["North America", "borders", "card"]


def test_an_option_changes_the_chapters() -> None:
    changed = Ruleset.load("classic", {"attack.truce": 2})
    texts = [
        rule["text"]
        for chapter in rulebook_chapters(changed)
        for block in chapter["blocks"]
        for rule in block["texts"]
    ]
    assert any(text.startswith("There is a truce in the first two rounds") for text in texts)
