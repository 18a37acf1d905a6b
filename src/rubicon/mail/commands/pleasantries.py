"""Greetings above the orders, and closings with a signature below them: they are no orders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rubicon.mail.commands.account_lines import account_line
from rubicon.mail.commands.order_lines import begins_order, may_be_order
from rubicon.mail.commands.order_reader import OrderReader
from rubicon.mail.commands.postscripts import find_postscript
from rubicon.orders.parse.verbs import MEANINGS
from rubicon.suggestions import nearest

MOST_WORDS = 7  # of a greeting or a closing
MOST_GREETINGS = 4  # lines
MOST_SIGNATURE = 15  # lines below a closing

_WORD = re.compile(r"[^\W\d_]+")
_NO_PROSE = re.compile(r"[\d<>;=]|//")
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day|afternoon)|greetings|hallo|guten (?:tag"
    r"|morgen|abend)|moin|servus|liebe\w*|sehr geehrte|bonjour|bonsoir|salut|cher|hola|buenos"
    r"|buenas|ciao|buongiorno|salve|olá|oi|bom dia|boa (?:tarde|noite)|goedendag|goedemorgen|hoi"
    r"|hallo|beste|hej|hei|moi|cześć|witam|dzień dobry|ahoj|dobrý den|szia|bok|merhaba|selam"
    r"|xin chào|halo|καλ[ηό]\w+|γεια|привет|здравствуйте|добрый (?:день|вечер)|こんにちは|你好"
    r"|您好|안녕하세요"
    r"|(?:here (?:are|is|come)|these are|my|hier|meine|voici|mes|ecco|aquí|här|her)"
    r" .{0,40}(?:orders?|moves?|turn|befehle|züge|zug|ordres|ordini|órdenes)\b)(?!\w).{0,60}$",
    re.IGNORECASE,
)
_ENDS_OF_GREETINGS = (",", "!", ":", "\uff0c", "\uff01", "\uff1a", "\u3002", "\u3001", "\u060c")
_PLACEMENT = re.compile(r"[^\d+(]*[^\W\d]\W+\d{1,4}\W*$|\W*\d{1,4} [^\W\d]")  # `alaska 3`, `3 kam`
_CONTACT = re.compile(r"(?:\+|\b0)\d[\d ()/.-]{6,}\d|\bwww\.|https?://|\S@\S")
_RULE = re.compile(r"[-*=_~\u2014\u2500]{2,}|[:;=]['-]?[()DPp]+")  # or a smiley
_CLOSING = re.compile(
    r"(?:(?:best|kind|warm|many)? ?regards|best(?: wishes)?|(?:many )?thanks|thank you|thx|cheers"
    r"|sincerely|yours|all the best|(?:viele|liebe|beste|schöne|herzliche) grü(?:ße|sse)"
    r"|mit (?:freundlichen|besten|lieben) grü(?:ßen|ssen)|mfg|lg|vg|gr[uü](?:ß|ss)e?|danke"
    r"|cordialement|bien à (?:vous|toi)|merci|amicalement|salutations|saludos|gracias|un saludo"
    r"|atentamente|(?:cordiali |distinti )?saluti|grazie|abraços?|obrigad[oa]|atenciosamente"
    r"|met vriendelijke groet(?:en)?|groet(?:en|jes)?|mvg|bedankt"
    r"|(?:med )?(?:vänliga |bästa )?hälsningar|mvh|ystävällisin terveisin"
    r"|s pozdravom|lep pozdrav|cu stimă|üdvözlettel"
    r"|(?:med )?venlig hilsen|hilsen|terveisin|kiitos|pozdrawiam|dziękuję|s pozdravem|üdv"
    r"|с уважением|спасибо|saygılar\w*|teşekkürler|よろしく|谢谢|감사합니다)(?!\w)"
    r"[^\w]*(?:.{0,40})$",
    re.IGNORECASE,
)


def is_greeting(line: str) -> bool:
    """Whether a line above the orders is `Hi Rubicon,`, without anything that orders consist of."""
    return _is_short_prose(line) and _GREETING.match(line.strip()) is not None


def _opens_message(line: str) -> bool:
    """Whether the first line speaks to a reader, in a language that is not known here.

    It ends like a greeting, and none of its words is, or resembles, one that an order begins with.
    """
    if not _is_short_prose(line) or not line.rstrip().endswith(_ENDS_OF_GREETINGS):
        return False
    words = [word.casefold() for word in _WORD.findall(line)]
    return bool(words) and not any(word in MEANINGS or nearest(word, MEANINGS) for word in words)


def is_closing(line: str) -> bool:
    """Whether a line below the orders is `Kind regards`, a smiley, or a rule of dashes or stars."""
    if _RULE.fullmatch(line.strip()):
        return True
    return _is_short_prose(line) and _CLOSING.match(line.strip()) is not None


def _is_short_prose(line: str) -> bool:
    return len(line.split()) <= MOST_WORDS and not _NO_PROSE.search(line)


def without_pleasantries(lines: Sequence[str], reader: OrderReader) -> tuple[list[str], list[str]]:
    """The lines without greetings, closings and a postscript, and those that are left out.

    Behind a closing stands a signature, often with a telephone number. It is cut off only if none
    of its lines may be an order; so is a postscript.
    """
    kept, left_out = list(lines), []
    for _ in range(MOST_GREETINGS):
        first = next((n for n, line in enumerate(kept) if line.strip()), None)
        if first is None or not (is_greeting(kept[first]) or _opens_message(kept[first])):
            break
        left_out.append(kept.pop(first))
    postscript = find_postscript(kept, reader)
    certain = postscript is not None and not postscript.doubtful
    end = _closing(kept[: postscript.at] if postscript and certain else kept)
    left_out += kept[end:]
    return kept[:end], [line.strip() for line in left_out if line.strip()]


def _closing(lines: Sequence[str]) -> int:
    """Where the closing begins; the number of lines where there is none."""
    last = _contact_paragraph(lines)
    ordered = False
    for at, line in enumerate(lines):
        if ordered and (at == last or (is_closing(line) and not begins_order(line))):
            below = [each for each in lines[at + (at != last) :] if each.strip()]
            if len(below) <= MOST_SIGNATURE and not any(map(may_be_order, below)):
                return at
        ordered = ordered or begins_order(line) or account_line(line) is not None
    return len(lines)


def _contact_paragraph(lines: Sequence[str]) -> int:
    """Where the last paragraph begins, if it has a telephone number or an address; else -1."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    first = end
    while first and lines[first - 1].strip():
        first -= 1
    paragraph = lines[first:end]
    ordered = any(map(_PLACEMENT.match, paragraph))
    return first if any(map(_CONTACT.search, paragraph)) and not ordered else -1
