"""The rulebook of a ruleset, put together from its chapters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, TypedDict
from xml.sax.saxutils import escape

from rubicon.rulebook.chapters import (
    AIM,
    ARMIES,
    ATTACK,
    BOARD,
    CARDS,
    ELIMINATION,
    FORTIFY,
    OCCUPATION,
    PIECES,
    SETUP,
    TURN,
)
from rubicon.rulebook.goals import (
    EXPERT,
    HEADQUARTERS,
    MISSIONS,
    NEUTRAL,
    OBJECTIVES,
    RESIGNATION,
    WINNING,
)
from rubicon.rules.board.board import Board
from rubicon.rules.board.geometry import Geometry, TerritoryShape
from rubicon.rules.options.kinds import Number
from rubicon.rules.options.option import Chosen, Option, Use
from rubicon.rules.options.registry import ANY_VALUE, CONFLICTS, GROUPS, IMPLIED, LEFT_OUT, OPTIONS
from rubicon.rules.refusals import REASONS
from rubicon.rules.ruleset.file import PRESETS, preset_options
from rubicon.rules.ruleset.ruleset import DEFAULT_BOARD, Ruleset, presets
from rubicon.wording import listed

# A picture of a board as SVG, drawn from the board's own geometry.

# Land colours, one for each continent in the order of the board; light enough for black names.
FILLS = ("#e8c878", "#e2a07c", "#a9c4de", "#d6b48c", "#b3cf9c", "#cdaed2", "#9fd0c5", "#d9d38f")
SEA = "#f4f7f9"
LINE = "#5b6670"
FONT = 11  # units of the drawing; the world is 1200 wide
LINE_HEIGHT = 12
DOT = 2.5


def picture(board: Board) -> str:
    """The SVG; raises what `Board.geometry` raises."""
    return "\n".join(_lines(board, board.geometry())) + "\n"


def _lines(board: Board, geometry: Geometry) -> Iterator[str]:
    width, height = geometry["width"], geometry["height"]
    fills = {each.id: FILLS[each.continent % len(FILLS)] for each in board.territories}
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="{FONT}" text-anchor="middle">'
    )
    yield f"<title>{escape(board.title or board.name)}</title>"
    yield f'<rect width="100%" height="100%" fill="{SEA}"/>'
    lanes = "".join(path for lane in geometry["lanes"] for path in lane["d"])
    yield f'<path d="{lanes}" fill="none" stroke="{LINE}" stroke-dasharray="4 4"/>'
    for territory in geometry["territories"]:
        fill = fills[territory["id"]]
        yield f'<path d="{territory["d"]}" fill="{fill}" stroke="{LINE}" stroke-width="0.7"/>'
    for territory in geometry["territories"]:
        yield _label(territory)
    yield f'<text x="{width / 2:g}" y="{height - 8:g}">{escape(geometry["credit"])}</text>'
    yield "</svg>"


def _label(territory: TerritoryShape) -> str:
    """A dot, and below it the name of the territory in the lines that its drawing asks for."""
    label = territory["label"]
    x, y = territory["disc"]
    left = x + label["dx"]
    top = y + DOT + FONT + label["dy"]
    spans = "".join(
        f'<tspan x="{left:g}" y="{top + LINE_HEIGHT * i:g}">{escape(text)}</tspan>'
        for i, text in enumerate(label["lines"])
    )
    return f'<circle cx="{x:g}" cy="{y:g}" r="{DOT}" fill="{LINE}"/><text>{spans}</text>'


# The table of refusals in `docs/cases.md`: a row for every refusal, with its code and sentence.


def with_refusals(page: str) -> str:
    """The page with its table of refusals written anew; the rest is as it was.

    The table is the block of rows that holds `action/malformed`. Raises ValueError without one.
    """
    lines = page.splitlines()
    somewhere = next((i for i, line in enumerate(lines) if "| `action/malformed` |" in line), None)
    if somewhere is None:
        raise ValueError("the page has no table of refusals")
    start = end = somewhere
    while lines[start - 1].startswith("| `"):
        start -= 1
    while end < len(lines) and lines[end].startswith("| `"):
        end += 1
    rows = sorted(f"| `{reason.code}` | {reason.sentence} |" for reason in REASONS.values())
    return "\n".join([*lines[:start], *rows, *lines[end:]]) + "\n"


# `docs/options.md`: all options, in words.

INTRODUCTION = """\
# Options

Wherever the sources disagree or are silent, the rule is an option. A preset states the values that
differ from the defaults (`classic` has all defaults); a ruleset file ([rulesets.md](rulesets.md))
or a call of `Ruleset.load` states others: `Ruleset.load("email", {"cards.forced": "none"})`. The
[glossary](glossary.md#rule-ids) explains the ids in brackets.

This page is generated from the declarations in `src/rubicon/rules/options/`. `option_form(name)` in
`rubicon.rules.options.registry` gives the same as data, for forms.
"""
AT_THE_TABLE = " It changes what is shown, not the course of the game."


def options_page() -> str:
    """All options: values, presets that differ, implied values, conflicts."""
    parts = [INTRODUCTION]
    for group in GROUPS:
        parts.append(f"## {group.title}\n")
        parts.extend(entry(option) for option in group.options)
    parts.extend((implied(), impossible(), left_out()))
    return "\n".join(parts)


def entry(option: Option) -> str:
    """One option."""
    ids = ", ".join(option.sources)
    note = AT_THE_TABLE if option.use is Use.TABLE else ""
    lines = [f"### `{option.name}`", "", f"{option.meaning}{note} [{ids}]", ""]
    lines.extend((*values(option), ""))
    if option.only_if:
        conditions = listed([_either(condition) for condition in option.only_if])
        lines.extend((f"It matters only with {conditions}.", ""))
    stated = preset_values(option)
    return "\n".join([*lines, *stated, ""] if stated else lines)


def _either(condition: str) -> str:
    """The condition `cards.deck=44 42` in Markdown, with a word between the values."""
    return listed([f"`{value}`" for value in condition.split(" ")], "or")


def values(option: Option) -> list[str]:
    """A line for every value that has its own meaning, and the range of the others."""
    default = option.text(option.default)
    if option.fixed:
        return [f"- `{default}`, the only value: {option.why_fixed}."]
    lines = [
        f"- `{value}`{' (default)' if value == default else ''}: {meaning.text}"
        for value, meaning in option.values.items()
    ]
    if default not in option.values:
        lines.append(f"- {option.kind.allowed()}; default `{default}`")
    elif isinstance(option.kind, Number) and not option.kind.only:
        lines.append(f"- other values: {option.kind.allowed()}")
    return lines


def preset_values(option: Option) -> list[str]:
    """The presets that state another value than the default."""
    default = option.text(option.default)
    by_value: dict[str, list[str]] = {}
    for preset in PRESETS:
        value = option.text(preset_options(preset)[option.name])
        if value != default:
            by_value.setdefault(value, []).append(f"`{preset}`")
    return [f"{listed(names)}: `{value}`." for value, names in by_value.items()]


def implied() -> str:
    """The values that a stated one implies."""
    rows = [
        "## Values that imply others",
        "",
        "When you state one option, the options that go with it change too, unless you state them "
        "beside it\nor later. An implied value can imply others in turn.",
        "",
        "| stating | implies | if it is now |",
        "| --- | --- | --- |",
    ]
    for row in IMPLIED:
        stated = f"{row.option}={'…' if row.value == ANY_VALUE else row.value}"
        condition = listed([f"`{value}`" for value in row.only_from], "or") or "anything else"
        rows.append(f"| `{stated}` | `{row.then}={row.becomes}` | {condition} |")
    return "\n".join(rows) + "\n"


def impossible() -> str:
    """The combinations that are refused, and why."""
    rows = [
        "## Values that cannot be combined",
        "",
        "Such a ruleset is refused with the reason (`ruleset/impossible`).",
        "",
        "| options | reason |",
        "| --- | --- |",
    ]
    for conflict in CONFLICTS:
        names = ", ".join(f"`{name}`" for name in conflict.options)
        rows.append(f"| {names} | {conflict.reason} |")
    return "\n".join(rows) + "\n"


def left_out() -> str:
    """Variations that are known and not built."""
    rows = [
        "## Variations that are not built",
        "",
        "Two expert variations of the 1993 book are decisions after the dice are seen. Each would "
        "need a phase\nof its own. [3.10]",
        "",
        *(f"- `{name}`: {meaning}." for name, meaning in LEFT_OUT.items()),
    ]
    return "\n".join(rows) + "\n"


# The rulebook: the rules in force, in words, with their sources in brackets.
#
# The sentences are chosen by the options, so that a rulebook never describes a rule that is not
# played. `regenerate` writes one for every preset to `docs/rulebook/`, a picture of the world
# next to them, the table of options to `docs/options.md`, and the table of refusals into
# `docs/cases.md`.

SECTIONS = (
    AIM,
    BOARD,
    PIECES,
    SETUP,
    TURN,
    ARMIES,
    CARDS,
    ATTACK,
    OCCUPATION,
    ELIMINATION,
    FORTIFY,
    NEUTRAL,
    OBJECTIVES,
    MISSIONS,
    HEADQUARTERS,
    WINNING,
    RESIGNATION,
    EXPERT,
)

DOCS = Path(__file__).parents[3] / "docs"
PICTURE = f"{DEFAULT_BOARD}.svg"
OUTSIDE = "*"  # marks a source that the game itself does not follow

_SEED = re.compile(r"\b(S00\d)-\d\d")
_BRACKETS = re.compile(r"\[[^\]]+\]")


def rulebook(ruleset: Ruleset, picture_path: str = "") -> str:
    """The rules of a ruleset, as Markdown; at its end the value of every option.

    `picture_path` is the path of a picture of the board, relative to the page.
    """
    drawn = f"![The board]({picture_path})\n\n" if picture_path else ""
    sources = ruleset.sources or presets()[ruleset.preset].sources
    rules = with_outside_sources(chapters(ruleset.chosen), sources)
    return f"{heading(ruleset)}\n{drawn}{rules}\n{appendix(ruleset)}"


def heading(ruleset: Ruleset) -> str:
    """Title, description and how to read the ids in brackets."""
    sources = f"It follows {', '.join(ruleset.sources)}. " if ruleset.sources else ""
    return (
        f"# {ruleset.title}\n\n{ruleset.description}\n\n"
        f"{sources}The ids in brackets name what each rule rests on: `S` a sentence of a source, "
        "`A` a question that the sources leave open, a number a chapter, `own` a rule of Rubicon; "
        f"docs/glossary.md has more. `{OUTSIDE}` marks a source that this game does not itself "
        "follow: it fills a gap or says the same.\n"
    )


def chapters(chosen: Chosen) -> str:
    """The rules themselves, without title and appendix."""
    return "\n".join(filter(None, (section.markdown(chosen) for section in SECTIONS)))


def with_outside_sources(text: str, sources: Iterable[str]) -> str:
    """The text with a mark after every source that is not among these: `S003-12*`."""
    own = set(sources)

    def marked(found: re.Match[str]) -> str:
        return found[0] if found[1] in own else found[0] + OUTSIDE

    return _BRACKETS.sub(lambda group: _SEED.sub(marked, group[0]), text)


def appendix(ruleset: Ruleset) -> str:
    """Every option with its value and its default; values that differ are bold."""
    rows = [
        "## All options",
        "",
        f"Ruleset `{ruleset.name}`, version {ruleset.version}, on the board "
        f"`{ruleset.board.id}`, version {ruleset.board.version}.",
        "",
        "| option | value | default |",
        "| --- | --- | --- |",
    ]
    for name, option in OPTIONS.items():
        value, default = ruleset.option_text(name), option.text(option.default)
        shown = f"`{value}`" if value == default else f"**`{value}`**"
        rows.append(f"| `{name}` | {shown} | `{default}` |")
    return "\n".join(rows) + "\n"


def generated() -> Mapping[str, str]:
    """The generated files, by their paths below `docs/`."""
    books = {
        f"rulebook/{name}.md": rulebook(ruleset, PICTURE) for name, ruleset in presets().items()
    }
    drawn = {f"rulebook/{PICTURE}": picture(Board.load(DEFAULT_BOARD))}
    cases = with_refusals((DOCS / "cases.md").read_text(encoding="utf-8"))
    return {"options.md": options_page(), "cases.md": cases, **books, **drawn}


def regenerate(docs: Path = DOCS) -> None:
    """Write the generated files."""
    for name, text in generated().items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


# The rulebook as data: chapters of texts, lists and tables, each sentence with its sources.

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
    """The sentences of a text, parted after the ids that each rests on."""
    parts = _SOURCES.split(text)
    for words, ids in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if words or ids:
            yield {"text": words, "sources": [_source(name, own) for name in _ids(ids)]}


def _ids(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")] if text else []


def _source(name: str, own: Collection[str]) -> RuleSource:
    document = _DOCUMENT.match(name)
    return {"id": name, "outside": document is not None and document[0] not in own}
