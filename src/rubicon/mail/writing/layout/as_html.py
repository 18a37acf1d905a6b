"""An e-mail as HTML: tables for layout, all styles inline, dark mode in a small style block.

`templates/email.html` has the markup; this module has the colours. Losing the style block loses
nothing: it holds only rules for phones and for the dark.
"""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rubicon.mail.writing.layout.document import (
    DiceOfRoll,
    EmailContent,
    Inline,
    Link,
    Strong,
    Tile,
    Words,
)
from rubicon.mail.writing.seats import LETTERS

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


def as_html(content: EmailContent) -> str:
    """The HTML of an e-mail."""
    return _environment().get_template("email.html").render(content=content)


def rich(words: Words) -> Markup:
    """Text within a line, escaped."""
    parts = words if isinstance(words, tuple) else (words,)
    return Markup("").join(map(_inline, parts))


def _inline(part: Inline) -> Markup:
    match part:
        case str():
            return Markup.escape(part)
        case Strong(text):
            return Markup("<b>{}</b>").format(text)
        case Tile(colour, text):
            return _tile(colour, text or LETTERS[colour])
        case Link(text, url):
            style = f"color:{ACCENT}"
            return Markup('<a class="ac" href="{}" style="{}">{}</a>').format(url, style, text)
        case DiceOfRoll(small=True):
            sides = ("\u00a0".join(str(face) for face, _ in d) for d in (part.attack, part.defence))
            return Markup("<b>{}</b>\u00a0v\u00a0<b>{}</b>").format(*sides)
        case DiceOfRoll():
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
        loader=PackageLoader("rubicon.mail.writing.layout"),
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
