"""An e-mail as plain text of 72 columns, in ASCII where it draws."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rubicon.mail.writing.layout.document import (
    Block,
    Buttons,
    Chips,
    Code,
    DiceOfRoll,
    EmailContent,
    FactTable,
    FixedLines,
    Heading,
    Inline,
    Lines,
    Link,
    Panel,
    Paragraph,
    Picture,
    Steps,
    Strong,
    Tile,
    Words,
)

WIDE = 72
GAP = 2  # columns between two of a table
MARGIN = "    "  # of orders


def as_text(content: EmailContent) -> str:
    """The text of an e-mail. The token stands above the signature: replies lose what is below."""
    first = f"{content.reply_mark} {content.news}".strip()
    lines = [first, ""] + ([content.greeting, ""] if content.greeting else [])
    for panel in content.text or content.panels:
        lines += _panel(panel)
    if content.token_line:
        lines += ["", content.token_line]
    lines += ["", "-- "]
    if content.url:
        lines.append(f"{content.game} at {content.url}" if content.game else content.url)
    if content.why:
        lines += wrapped(plain(content.why))
    return _tidy(lines)


def plain(words: Words) -> str:
    """Text within a line, without what only HTML can show."""
    parts = words if isinstance(words, tuple) else (words,)
    text = " ".join("".join(map(_inline, parts)).split())
    return text.replace("\u2212", "-").replace("\u2192", "->").replace("\u00a0", " ")


def wrapped(text: str, first: str = "", rest: str | None = None) -> list[str]:
    """A paragraph in lines; links are not cut."""
    return textwrap.wrap(
        text,
        WIDE,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _inline(part: Inline) -> str:
    match part:
        case str():
            return part
        case Strong(text):
            return text
        case Tile(said=said):
            return said
        case Link(text, url, shown):
            return f"{text}: {url}" if shown else text
        case DiceOfRoll():
            return f"{_faces(part.attack)} v {_faces(part.defence)}"


def _faces(dice: Sequence[tuple[int, bool]]) -> str:
    return " ".join(str(face) for face, _ in dice)


def panel_lines(panel: Panel) -> tuple[str, ...]:
    """A panel without its title, as lines of plain text."""
    return tuple(_tidy(list(_panel(replace(panel, title="")))).splitlines())


def _panel(panel: Panel) -> Iterator[str]:
    if panel.title:
        yield ""
        yield f"{panel.title.upper()} {'-' * (WIDE - len(panel.title) - 1)}"
        yield ""
    before = False  # whether the block before was an item of a list
    for block in panel.blocks:
        lines = _block(block)
        bullet = isinstance(block, Paragraph) and block.bullet
        if lines and before and not bullet:
            yield ""
        yield from lines
        if lines and not bullet:
            yield ""
        before = bullet if lines else before
    if before:
        yield ""


def _block(block: Block) -> list[str]:
    match block:
        case Paragraph(words, _, bullet, in_text):
            text = in_text or plain(words)
            return wrapped(text, "* ", "  ") if bullet else wrapped(text)
        case Steps(lines):
            numbered = enumerate(map(plain, lines), 1)
            return [line for n, text in numbered for line in wrapped(text, f"  {n}. ", "     ")]
        case FactTable():
            return _table(block)
        case Code(lines):
            return [MARGIN + line for line in lines]
        case FixedLines(lines):
            return list(lines)
        case Lines(lines):
            return [part for line in lines for part in _fitting(line)]
        case Heading() | Buttons() | Picture() | Chips():
            return []


def _fitting(line: str) -> list[str]:
    """A line that is wide enough for no column; a longer one goes on below, a little indented."""
    if len(line) <= WIDE:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return wrapped(line.strip(), indent, indent + " " * GAP)


def _table(table: FactTable) -> list[str]:
    rows = [tuple(map(plain, row)) for row in (table.head, *table.rows) if row]
    columns = max(map(len, rows))
    widths = [max(len(row[n]) for row in rows if len(row) == columns) for n in range(columns)]
    room = WIDE - GAP * (columns - 1)
    # The widest column that is no figure gives way where the table is too wide.
    loose = [n for n in range(columns) if n not in table.right] or [0]
    while sum(widths) > room:
        widest = max(loose, key=lambda n: widths[n])
        widths[widest] -= 1
    lines: list[str] = []
    for row in rows:
        if len(row) < columns:
            lines += [row[0]]
        else:
            lines += _row(row, widths, table.right)
    return lines


def _row(row: Sequence[str], widths: Sequence[int], right: frozenset[int]) -> list[str]:
    """A row; a cell that is too long goes on in the next line."""
    cells = [
        textwrap.wrap(cell, max(width, 1)) or [""] for cell, width in zip(row, widths, strict=True)
    ]
    lines = []
    for n in range(max(map(len, cells))):
        parts = [cell[n] if n < len(cell) else "" for cell in cells]
        aligned = (
            part.rjust(width) if at in right else part.ljust(width)
            for at, (part, width) in enumerate(zip(parts, widths, strict=True))
        )
        lines.append((" " * GAP).join(aligned).rstrip())
    return lines


def _tidy(lines: Sequence[str]) -> str:
    """At most two empty lines together, none at the end, and no space there but of the dashes."""
    out: list[str] = []
    for line in lines:
        bare = line if line == "-- " else line.rstrip()
        if bare or out[-2:] != ["", ""]:
            out.append(bare)
    return "\n".join(out).strip("\n") + "\n"
