"""Every link on every page leads somewhere, and every path in the glossary exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "rubicon"
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "changelog.d").glob("*.md")]
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
# Not in code: regular expressions in the grammar of orders look like links.
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def links(page: Path) -> list[str]:
    """The targets of a page's links that lead into the repository."""
    found = LINK.findall(CODE.sub("", page.read_text("utf-8")))
    return [link for link in found if "://" not in link and not link.startswith("mailto:")]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def glossary_rows() -> list[list[str]]:
    """The cells of every row of the glossary."""
    lines = GLOSSARY.read_text("utf-8").splitlines()
    rows = [line.strip("|").split("|") for line in lines if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows]


def test_there_are_pages_with_links() -> None:
    assert len(PAGES) > 30
    assert sum(len(links(page)) for page in PAGES) > 100


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_every_path_of_the_glossary_exists() -> None:
    paths = [
        path for row in glossary_rows() if len(row) == 3 for path in re.findall("`(.+?)`", row[2])
    ]
    assert len(paths) > 50
    assert [
        path for path in paths if not ((SOURCE / path).exists() or (ROOT / path).exists())
    ] == []


def test_terms_are_in_alphabetical_order_and_defined_once() -> None:
    text = GLOSSARY.read_text("utf-8")
    sections = text.partition("\n## Rule ids")[0].split("\n## ")[1:]
    seen: list[str] = []
    for section in sections:
        rows = [row for row in section.splitlines() if row.startswith("| ")][2:]
        terms = [re.split(r"[,(`]", row.strip("| ").partition(" | ")[0])[0].strip() for row in rows]
        assert terms == sorted(terms, key=str.lower)
        seen += terms
    assert len(seen) == len(set(seen))
