"""Greetings above the orders, and closings with a signature below them: they are no orders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rubicon.orders.parse.verbs import GUESSED, MEANINGS

MOST_WORDS = 7  # of a greeting or a closing
MOST_SIGNATURE = 15  # lines below a closing

_WORD = re.compile(r"[^\W\d_]+")
_NO_PROSE = re.compile(r"[\d<>;=]|//")
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day|afternoon)|greetings|hallo|guten (?:tag"
    r"|morgen|abend)|moin|servus|liebe\w*|sehr geehrte|bonjour|bonsoir|salut|cher|hola|buenos"
    r"|buenas|ciao|buongiorno|salve|olá|oi|bom dia|goedendag|goedemorgen|beste|hej|hei|moi|cześć"
    r"|dzień dobry|ahoj|szia|привет|здравствуйте|merhaba|こんにちは|你好|안녕하세요"
    r"|(?:here (?:are|is|come)|these are|my|hier (?:sind|kommen)|meine|voici|mes|ecco|aquí)"
    r" .{0,40}(?:orders?|moves?|turn|befehle|züge|zug|ordres|ordini|órdenes)\b)(?!\w).{0,60}$",
    re.IGNORECASE,
)
_RULE = re.compile(r"[-*=_~\u2014\u2500]{2,}")
_CLOSING = re.compile(
    r"(?:(?:best|kind|warm|many)? ?regards|best(?: wishes)?|(?:many )?thanks|thank you|thx|cheers"
    r"|sincerely|yours|all the best|(?:viele|liebe|beste|schöne|herzliche) grü(?:ße|sse)"
    r"|mit (?:freundlichen|besten|lieben) grü(?:ßen|ssen)|mfg|lg|vg|gr[uü](?:ß|ss)e?|danke"
    r"|cordialement|bien à (?:vous|toi)|merci|amicalement|salutations|saludos|gracias|un saludo"
    r"|atentamente|(?:cordiali |distinti )?saluti|grazie|abraços?|obrigad[oa]|atenciosamente"
    r"|met vriendelijke groet(?:en)?|groet(?:en|jes)?|mvg|bedankt|(?:vänliga )?hälsningar|mvh"
    r"|(?:med )?venlig hilsen|hilsen|terveisin|kiitos|pozdrawiam|dziękuję|s pozdravem|üdv"
    r"|с уважением|спасибо|saygılar\w*|teşekkürler|よろしく|谢谢|감사합니다)(?!\w)"
    r"[^\w]*(?:.{0,40})$",
    re.IGNORECASE,
)


def begins_order(line: str) -> bool:
    """Whether the first word of a line is a verb of the order language, or cut short."""
    word = _first_word(line)
    cut = len(word) >= 3 and any(verb.startswith(word) for verb in GUESSED)
    return cut or word in MEANINGS


def begins_with_verb(line: str) -> bool:
    """Whether the first word of a line is a verb in full: `Ann` is none, though ANNOUNCE is."""
    return _first_word(line) in MEANINGS


def _first_word(line: str) -> str:
    found = _WORD.search(line)
    return found.group().casefold() if found else ""


def is_greeting(line: str) -> bool:
    """Whether a line above the orders is `Hi Rubicon,`, without anything that orders consist of."""
    return _is_short_prose(line) and _GREETING.match(line.strip()) is not None


def is_closing(line: str) -> bool:
    """Whether a line below the orders is `Kind regards`, or a rule of dashes or stars."""
    if _RULE.fullmatch(line.strip()):
        return True
    return _is_short_prose(line) and _CLOSING.match(line.strip()) is not None


def _is_short_prose(line: str) -> bool:
    return len(line.split()) <= MOST_WORDS and not _NO_PROSE.search(line)


def without_pleasantries(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines without greetings and closings, and those that are left out.

    Behind a closing stands a signature, often with a telephone number. It is cut off only if none
    of its lines may be an order.
    """
    kept, left_out = list(lines), []
    while (first := next((n for n, line in enumerate(kept) if line.strip()), None)) is not None:
        if not is_greeting(kept[first]):
            break
        left_out.append(kept.pop(first))
    end = _closing(kept)
    left_out += kept[end:]
    return kept[:end], [line.strip() for line in left_out if line.strip()]


def _closing(lines: Sequence[str]) -> int:
    """Where the closing begins; the number of lines where there is none."""
    ordered = False
    for at, line in enumerate(lines):
        if ordered and is_closing(line) and not begins_order(line):
            below = [each for each in lines[at + 1 :] if each.strip()]
            if len(below) <= MOST_SIGNATURE and not any(map(_may_be_order, below)):
                return at
        ordered = ordered or begins_order(line)
    return len(lines)


def _may_be_order(line: str) -> bool:
    numbered = begins_order(line) and any(map(str.isdigit, line))
    return begins_with_verb(line) or numbered or any(sign in line for sign in (">", "→", "//"))
