"""A document as plain text, as HTML with inline styles, and as a message with headers and
parts.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rubicon.mail.writing import document
from rubicon.server.emails import POLICY, EmailIdentity, one_line

# An e-mail as plain text of 72 columns, in ASCII where it draws.

WIDE = 72
GAP = 2  # columns between two of a table
MARGIN = "    "  # of orders


def as_text(content: document.EmailContent) -> str:
    """The text of an e-mail. The token is above the signature: replies lose what is below."""
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


def plain(words: document.Words) -> str:
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


def _inline(part: document.Inline) -> str:
    match part:
        case str():
            return part
        case document.Strong(text):
            return text
        case document.Tile(said=said):
            return said
        case document.Link(text, url, shown):
            return f"{text}: {url}" if shown else text
        case document.DiceOfRoll():
            return f"{_faces(part.attack)} v {_faces(part.defence)}"


def _faces(dice: Sequence[tuple[int, bool]]) -> str:
    return " ".join(str(face) for face, _ in dice)


def panel_lines(panel: document.Panel) -> tuple[str, ...]:
    """A panel without its title, as lines of plain text."""
    return tuple(_tidy(list(_panel(replace(panel, title="")))).splitlines())


def _panel(panel: document.Panel) -> Iterator[str]:
    if panel.title:
        yield ""
        yield f"{panel.title.upper()} {'-' * (WIDE - len(panel.title) - 1)}"
        yield ""
    before = False  # whether the block before was an item of a list
    for block in panel.blocks:
        lines = _block(block)
        bullet = isinstance(block, document.Paragraph) and block.bullet
        if lines and before and not bullet:
            yield ""
        yield from lines
        if lines and not bullet:
            yield ""
        before = bullet if lines else before
    if before:
        yield ""


def _block(block: document.Block) -> list[str]:
    match block:
        case document.Paragraph(words, _, bullet, in_text):
            text = in_text or plain(words)
            return wrapped(text, "* ", "  ") if bullet else wrapped(text)
        case document.Steps(lines):
            numbered = enumerate(map(plain, lines), 1)
            return [line for n, text in numbered for line in wrapped(text, f"  {n}. ", "     ")]
        case document.FactTable():
            return _table(block)
        case document.Code(lines):
            return [MARGIN + line for line in lines]
        case document.FixedLines(lines):
            return list(lines)
        case document.Lines(lines):
            return [part for line in lines for part in _fitting(line)]
        case document.Heading() | document.Buttons() | document.Picture() | document.Chips():
            return []


def _fitting(line: str) -> list[str]:
    """A line that is wide enough for no column; a longer one goes on below, a little indented."""
    if len(line) <= WIDE:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return wrapped(line.strip(), indent, indent + " " * GAP)


def _table(table: document.FactTable) -> list[str]:
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


# An e-mail as HTML: tables for layout, all styles inline, dark mode in a small style block.
#
# `templates/email.html` has the markup; this module has the colours. Losing the style block loses
# nothing: it holds only rules for phones and for the dark.

PAPER, CARD, SUNK, INK, INK_2, INK_3, LINE = (
    "#faf8f3", "#ffffff", "#f1ede4", "#16212c", "#465462", "#5d6a77", "#e0dacd",
)  # fmt: skip
ACCENT = "#7a2463"
# By colour: ground, text on it, edge.
SOLID = {
    "red": ("#b02a1b", "#ffffff", "#d9614f"),
    "blue": ("#2f5fc0", "#ffffff", "#5f86d6"),
    "green": ("#58a87c", "#0b2318", "#3f8a61"),
    "yellow": ("#f4cf2b", "#2b2200", "#c39c14"),
    "grey": ("#b4c1cd", "#18222b", "#8494a3"),
    "black": ("#20262f", "#ffffff", "#7d8894"),
    "neutral": ("#fbf8f0", "#16212c", "#9a937f"),
}
# The outline imitates the seat's shape on the map.
ROUND = {
    "red": "2px 2px 7px 7px",
    "blue": "10px",
    "green": "2px 9px 2px 9px",
    "yellow": "9px 2px 9px 2px",
    "grey": "0",
    "black": "2px 2px 10px 10px",
    "neutral": "10px",
}
FONT = (
    "font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif;"
    "font-variant-numeric:lining-nums tabular-nums"
)
SERIF = "font-family:Optima,'Palatino Linotype',Palatino,'Book Antiqua','Noto Serif',Georgia,serif"
MONO = (
    "font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Courier New',monospace"
)
DARK = {  # by class: what it becomes in the dark
    "bg": "background:#0e151c",
    "cd": "background:#16202a;border-color:#273542",
    "sk": "background:#0a1015;border-color:#273542",
    "i": "color:#eef2f5",
    "i2": "color:#b3bfca",
    "i3": "color:#8d9ba8",
    "ln": "border-color:#273542",
    "ac": "color:#e5a5d3",
    "bt": "background:#a33f88;border-color:#a33f88;color:#ffffff",
    "b2": "background:#16202a;border-color:#6c7b89;color:#eef2f5",
    "di": "color:#b3bfca;border-color:#6c7b89",
}


def as_html(content: document.EmailContent) -> str:
    """The HTML of an e-mail."""
    return _environment().get_template("email.html").render(content=content)


def rich(words: document.Words) -> Markup:
    """Text within a line, escaped."""
    parts = words if isinstance(words, tuple) else (words,)
    return Markup("").join(map(_html_of, parts))


def _html_of(part: document.Inline) -> Markup:
    match part:
        case str():
            return Markup.escape(part)
        case document.Strong(text):
            return Markup("<b>{}</b>").format(text)
        case document.Tile(colour, text):
            return _tile(colour, text or document.LETTERS[colour])
        case document.Link(text, url):
            style = f"color:{ACCENT}"
            return Markup('<a class="ac" href="{}" style="{}">{}</a>').format(url, style, text)
        case document.DiceOfRoll(small=True):
            sides = ("\u00a0".join(str(face) for face, _ in d) for d in (part.attack, part.defence))
            return Markup("<b>{}</b>\u00a0v\u00a0<b>{}</b>").format(*sides)
        case document.DiceOfRoll():
            attack = [_die(face, part.attacker, won) for face, won in part.attack]
            defence = [_die(face, part.defender, won) for face, won in part.defence]
            both = Markup(" ").join(attack), Markup(" ").join(defence)
            return Markup('<span style="white-space:nowrap">{} v {}</span>').format(*both)


def _tile(colour: str, text: str) -> Markup:
    fill, on, edge = SOLID[colour]
    style = (
        f"padding:0 5px;border:1px solid {edge};border-radius:{ROUND[colour]};"
        f"background:{fill};color:{on};font-size:12px"
    )
    return Markup('<b style="{}">{}</b>').format(style, text.replace(" ", "\u00a0"))


def _die(face: int, colour: str, won: bool) -> Markup:
    """Winners are filled; losers, and dice without a partner, have a dashed outline."""
    fill, on, edge = SOLID[colour]
    shape = "padding:1px 5px;border-radius:4px;"
    if won:
        style = f"{shape}border:1px solid {edge};background:{fill};color:{on}"
        return Markup('<b style="{}">{}</b>').format(style, face)
    style = f"{shape}border:1px dashed {edge};color:{INK_2}"
    return Markup('<span class="di" style="{}">{}</span>').format(style, face)


def _style_block() -> str:
    def rules(prefix: str, backgrounds: bool | None) -> str:
        return "".join(
            f"{prefix}.{name}{{{style.replace(';', '!important;')}!important}}"
            for name, style in DARK.items()
            if backgrounds is None or ("background" in style) is backgrounds
        )

    return (
        ":root{color-scheme:light dark;supported-color-schemes:light dark}"
        "body{margin:0;padding:0;-webkit-text-size-adjust:100%}"
        "@media (max-width:480px){.p{padding-left:12px!important;padding-right:12px!important}"
        ".tc{padding-right:4px!important}"
        ".h{font-size:25px!important}.full{display:block!important;width:auto!important;"
        "margin:0 0 8px!important;text-align:center!important}}"
        "@media (prefers-color-scheme:dark){"
        + rules("", None)
        + ".mp{filter:brightness(.84)}}"
        # Outlook marks what it has recoloured: text, and grounds.
        + rules("[data-ogsc] ", False)
        + rules("[data-ogsb] ", True)
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("rubicon.mail.writing"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["rich"] = rich
    environment.filters["kind"] = lambda block: type(block).__name__
    environment.globals |= {
        "STYLE": Markup(_style_block()),  # our own text
        "FONT": Markup(FONT),
        "SERIF": Markup(SERIF),
        "MONO": Markup(MONO),
        "PAPER": PAPER,
        "CARD": CARD,
        "SUNK": SUNK,
        "INK": INK,
        "INK_2": INK_2,
        "INK_3": INK_3,
        "LINE": LINE,
        "ACCENT": ACCENT,
    }
    return environment


# The message around a content: headers, parts, sizes.
#
# Text first, then HTML with its picture, then the calendar entry (RFC 2045 to 2049). All e-mails
# of a game refer to one root, so that mail programs show them together (RFC 5322, 3.6.4).

MOST_SUBJECT = 70  # characters
MOST_HTML = 60_000  # bytes: a content with more goes out as text alone
MOST_PICTURE = 60_000  # bytes
MARK = "=== reply above this line ==="
GENERATED, REPLIED = "auto-generated", "auto-replied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """Who gets an e-mail, and how it is threaded; times in milliseconds since 1970.

    `references` are Message-IDs with brackets, oldest first. `unsubscribe` is the URL of the signed
    page ("" for none); a POST to it turns the e-mails off (RFC 8058).
    """

    address: str
    at: int
    message_id: str
    reply_to: Address | None = None
    references: Sequence[str] = ()
    in_reply_to: str = ""
    unsubscribe: str = ""
    list_id: str = ""  # without brackets
    text_only: bool = False
    automatic: str = GENERATED
    picture: bytes = b""
    calendar: str = ""


def root_id(identity: EmailIdentity, game: str) -> str:
    """The Message-ID that all e-mails of a game refer to."""
    return f"<game.{game}@{identity.sender.domain}>"


def message_of(
    identity: EmailIdentity, content: document.EmailContent, posting: Posting
) -> EmailMessage:
    """The message, ready to be sent."""
    message = EmailMessage(POLICY)
    message["From"] = identity.sender
    message["To"] = Address(addr_spec=posting.address)
    if posting.reply_to is not None:
        message["Reply-To"] = posting.reply_to
    message["Subject"] = _cut(one_line(content.subject))
    message["Date"] = format_datetime(datetime.fromtimestamp(posting.at / 1000, UTC))
    message["Message-ID"] = posting.message_id
    if posting.in_reply_to:
        message["In-Reply-To"] = posting.in_reply_to
    if posting.references:
        message["References"] = " ".join(posting.references)
    if posting.list_id:
        message["List-Id"] = f"<{posting.list_id}>"
    if posting.unsubscribe:
        message["List-Unsubscribe"] = f"<{posting.unsubscribe}>"
        if posting.unsubscribe.startswith("https:"):  # RFC 8058 allows it over https only
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message["Auto-Submitted"] = posting.automatic  # RFC 3834
    message.set_content(as_text(content), cte="quoted-printable")
    if not posting.text_only:
        _add_html(message, content, posting)
    if posting.calendar:
        entry = posting.calendar.encode()
        message.add_attachment(entry, "text", "calendar", filename="deadline.ics",
                               params={"method": "PUBLISH", "charset": "utf-8"})  # fmt: skip
    return message


def _add_html(message: EmailMessage, content: document.EmailContent, posting: Posting) -> None:
    page = as_html(content)
    if len(page.encode()) > MOST_HTML:
        return  # Gmail cuts long ones; the text has everything
    message.add_alternative(page, subtype="html", cte="quoted-printable")
    if posting.picture:
        html = message.get_payload()[1]  # type: ignore[index]
        assert isinstance(html, EmailMessage)
        html.add_related(posting.picture, "image", "png", cid="<map>", filename="map.png",
                         disposition="inline")  # fmt: skip


def _cut(subject: str) -> str:
    return subject if len(subject) <= MOST_SUBJECT else subject[: MOST_SUBJECT - 3].rstrip() + "..."
