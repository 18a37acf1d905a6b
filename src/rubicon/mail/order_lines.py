"""Which lines of an e-mail may be orders."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rubicon.orders.errors import OrdersError
from rubicon.orders.parse.parser import NO_NAMES, read_orders
from rubicon.orders.parse.places import GUESSED, MEANINGS
from rubicon.orders.parse.words import territory_index
from rubicon.orders.syntax import OrderText
from rubicon.rules.board.board import Board
from rubicon.wording import nearest

# Lines of an e-mail that change the player's notifications: they are no orders of a game.
#
# A line counts only in a form that prose has hardly ever. The settings themselves check its
# values.


class AccountWord(StrEnum):
    """The words that such lines begin with."""

    TIMEZONE = "TIMEZONE"
    NEWS = "NEWS"
    QUIET = "QUIET"


@dataclass(frozen=True, slots=True)
class AccountLine:
    """A setting for all games of the account; `value` has single spaces, "" where it is missing."""

    word: AccountWord
    value: str

    def __str__(self) -> str:
        return f"{self.word} {self.value}".strip()


_FORMS = (
    (
        AccountWord.TIMEZONE,
        re.compile(r"time[ -]?zone\b[ :=]*((?:[\w/+-]+(?: [\w/+-]+){0,2})?)", re.I),
    ),
    (AccountWord.NEWS, re.compile(r"news[ :=]+(at once|[\w-]+)", re.I)),
    (
        AccountWord.QUIET,
        re.compile(
            r"quiet(?: hours)?\b[ :=]*((?:(?:from )?\d[\d:.]*[\w:. -]{0,30}|[\w:]+)?)", re.I
        ),
    ),
)
_COMMENT = re.compile(r"(?://|#).*$")
_MARK = re.compile(r"^[-*\u2022]\s+")
_END = re.compile(r"\s*end\b", re.IGNORECASE)
_PRESS = re.compile(r"\s*press\b", re.IGNORECASE)
_ENDPRESS = re.compile(r"\s*endpress\b", re.IGNORECASE)


def account_line(line: str) -> AccountLine | None:
    """The setting that a line asks for; None where it is another line."""
    bare = " ".join(_MARK.sub("", _COMMENT.sub("", line).strip()).split()).rstrip(" .;!")
    for word, form in _FORMS:
        found = form.fullmatch(bare)
        if found is not None:
            return AccountLine(word, found[1].strip())
    return None


def split_account_lines(text: str) -> tuple[tuple[AccountLine, ...], str]:
    """The settings that a text asks for, and the text with empty lines instead of them.

    Not those below END, nor in a message to other players: both belong to no setting.
    """
    found: dict[AccountLine, None] = {}
    lines = text.split("\n")
    in_message = False
    for at, line in enumerate(lines):
        if not in_message and _END.match(line):
            break
        in_message = not _ENDPRESS.match(line) and (in_message or bool(_PRESS.match(line)))
        asked = None if in_message else account_line(line)
        if asked is not None:
            found.pop(asked, None)  # of a line that is there twice, the last one counts
            found[asked] = None
            lines[at] = ""
    return tuple(found), "\n".join(lines)


# Which lines of an e-mail may be orders, by the look of them.

ARROWS = (">", "\u2192")
_WORD = re.compile(r"[^\W\d_]+")


def begins_order(line: str) -> bool:
    """Whether the first word of a line is a verb of the order language, or cut short."""
    word = _first_word(line)
    cut = len(word) >= 3 and any(verb.startswith(word) for verb in GUESSED)
    return cut or word in MEANINGS


def begins_with_verb(line: str) -> bool:
    """Whether the first word of a line is a verb in full: `Ann` is none, though ANNOUNCE is."""
    return _first_word(line) in MEANINGS


def may_be_order(line: str) -> bool:
    """Whether a line looks like an order, a request or a setting."""
    numbered = begins_order(line) and any(map(str.isdigit, line))
    asked = begins_with_verb(line) or account_line(line) is not None
    return asked or numbered or any(sign in line for sign in (*ARROWS, "//"))


def _first_word(line: str) -> str:
    found = _WORD.search(line)
    return found.group().casefold() if found else ""


# Reads orders as the players of one game write them.


@dataclass(frozen=True, slots=True)
class OrderReader:
    """What the order language must know of a game: its board, seats and names."""

    board: Board
    colours: Sequence[str]
    names: Mapping[str, str] = field(default_factory=lambda: NO_NAMES)
    # A text is first asked whether it has orders, and then what they are.
    _known: dict[str, OrderText | OrdersError] = field(default_factory=dict, init=False)

    def read(self, text: str) -> OrderText:
        """The parsed text, each text parsed once; OrdersError where anything in it is wrong."""
        if text not in self._known:
            self._known[text] = self._parsed(text)
        found = self._known[text]
        if isinstance(found, OrdersError):
            raise found
        return found

    def _parsed(self, text: str) -> OrderText | OrdersError:
        try:
            return read_orders(text, self.board, self.colours, names=self.names)
        except OrdersError as error:
            return error

    def is_order(self, line: str) -> bool:
        """Whether a line is an order or a request without any mistake."""
        try:
            found = self.read(line)
        except OrdersError:
            return False
        return bool(found.orders or found.requests)

    def finds_orders(self, text: str) -> bool:
        """Whether an order, a request or END is in a text, perhaps misspelt or beside mistakes."""
        try:
            found = self.read(text)
        except OrdersError as error:
            understood = (line.strip() for line in error.corrected.split("\n"))
            return any(line and not line.startswith("//") for line in understood)
        return bool(found.orders or found.requests or found.ended)

    def names_territory(self, line: str) -> bool:
        """Whether a word of a line, of at least three letters, begins a name of the board."""
        return any(map(territory_index(self.board).begins, line.split()))


# A postscript below the orders of an e-mail: prose, unless there is an order in it or below it.

MOST_LINES = 40  # below the first one: each of them is parsed
# P.S., PS, P.P.S.; not `ps 3` or `ps 3, alaska 4`, which place armies where a territory is so
# called.
_POSTSCRIPT = re.compile(
    r"\s*(?:p[. -]{0,2}){1,3}s\b(?!\W*\d{1,4}(?:\W*$|\s*[,;+]))", re.IGNORECASE
)
_AROUND = " \t.:,;!?()-"  # signs around what a postscript says


@dataclass(frozen=True, slots=True)
class Postscript:
    """The index of the line where a postscript begins, and whether it may have an order."""

    at: int
    doubtful: bool


def find_postscript(lines: Sequence[str], reader: OrderReader) -> Postscript | None:
    """The first postscript below another line; None where there is none."""
    written = [at for at, line in enumerate(lines) if line.strip()]
    for at in written[1:]:
        if _POSTSCRIPT.match(lines[at]) and not reader.is_order(lines[at]):
            said = [line for line in lines[at:] if line.strip()]
            # The number is compared first: to parse a long text line by line takes long.
            doubtful = len(said) > MOST_LINES + 1 or any(_has_order(each, reader) for each in said)
            return Postscript(at, doubtful)
    return None


def _has_order(line: str, reader: OrderReader) -> bool:
    """Whether a line of a postscript may be an order; prose with a verb after the mark is none."""
    if reader.finds_orders(line):
        return True
    mark = _POSTSCRIPT.match(line)
    if mark is None:
        return may_be_order(line) or (begins_order(line) and reader.names_territory(line))
    said = line[mark.end() :].strip(_AROUND)
    arrow = any(sign in said for sign in ARROWS) and reader.names_territory(said)
    return arrow or account_line(said) is not None or reader.finds_orders(said)


# Greetings above the orders, and closings with a signature below them: they are no orders.

MOST_WORDS = 7  # of a greeting or a closing
MOST_GREETINGS = 4  # lines
MOST_SIGNATURE = 15  # lines below a closing


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

    After a closing comes a signature, often with a telephone number. It is cut off only if none
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


# Undoes what mail programs do to the lines of orders, before the order language reads them.
#
# The order language itself normalizes characters (NFKC), arrows and list marks.

WRAPPED = 55  # characters from which a line may have been wrapped by a program
LAST_WORDS = 40  # characters that show whether a line is unfinished: it may be all lines so far

# Outlook makes an arrow of Wingdings out of `-->` and `==>`; as plain text it is one of these.
_WINGDINGS_ARROW = re.compile(r"(?<=\S) (?:à|è|\uf0e0|\uf0e8) (?=\S)")
_EMPHASIS = re.compile(r"([*_]{1,2})(\S.*?\S|\S)\1")
_EMPTY_BOX = re.compile(r"\s*(?:\[[ _]?\]|[\u2610\u25a1])(?=\s)")
_TICKED_BOX = re.compile(r"^(\s*)[\u2611\u2612\u2705\u2713\u2714](?=\s)")
# Copied from our e-mail by players whose mail program drops the quotation.
_TOKEN_LINE = re.compile(r"\s*token\s*:\s*[a-z2-7 ]{26,40}\s*$", re.IGNORECASE)
_QUOTED = re.compile(r"^\s*[\u201c\u201e\u2018\u00ab\"'](.*)[\u201c\u201d\u2019\u00bb\"']\s*$")

_ENDPRESS_LINE = re.compile(r"\s*endpress\s*", re.IGNORECASE)

_PREVIEW = re.compile(r"\bpreview\W*$", re.IGNORECASE)
_LINK = re.compile(r"\s*<(?:https?|mailto):[^<>\s]{1,500}>")
_GOES_ON = re.compile(
    r"\s*(?:->|\u2192|until\b|left\b|or\b|dice\b|but\b|odds\b|rounds\b|lost\b|won\b|%|,)",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"(?:->|\u2192|,|\b(?:until|or|left|dice|advance|but|to|from|odds|rounds|lost|<))\s*$",
    re.IGNORECASE,
)


def prepared(text: str, reader: OrderReader) -> tuple[str, tuple[str, ...]]:
    """The text for the parser of orders, and the lines of it that were left out."""
    written, messages = _without_messages(text.split("\n"))
    tidy = [_tidy(line) for line in written if not _TOKEN_LINE.match(line)]
    lines, left_out = without_pleasantries(tidy, reader)
    kept: list[str] = []
    for line in _unwrapped(lines):
        if _EMPTY_BOX.match(line):
            left_out.append(line.strip())
        else:
            kept.append(line)
    whole = "\n".join(messages.get(line, line) for line in kept)
    return whole.strip("\n"), tuple(left_out)


def doubtful_postscript(clean: str, reader: OrderReader) -> int | None:
    """The number of the line where a postscript begins that may have an order; None without one.

    What is below END is not read, unless it asks for a preview.
    """
    lines, messages = _without_messages(clean.split("\n"))
    found = find_postscript(lines, reader)
    if found is None or not found.doubtful:
        return None
    if any(map(_END.match, lines[: found.at])) and not _PREVIEW.search(lines[found.at]):
        return None
    above = (messages.get(line, line) for line in lines[: found.at])
    return 1 + sum(1 + line.count("\n") for line in above)


def _without_messages(lines: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The lines with a mark instead of each message to players, and the messages by their marks.

    What is between PRESS and ENDPRESS is sent as it was written.
    """
    kept: list[str] = []
    messages: dict[str, str] = {}
    ends = [n for n, line in enumerate(lines) if _ENDPRESS_LINE.fullmatch(line)]
    at = 0
    while at < len(lines):
        kept.append(lines[at])
        at += 1
        if not _PRESS.match(kept[-1]):
            continue
        following = bisect_left(ends, at)
        end = ends[following] if following < len(ends) else at
        if end > at:
            mark = f"\0{len(messages)}"  # nothing that an e-mail can have in its text
            messages[mark] = "\n".join(lines[at:end])
            kept.append(mark)
            at = end
    return kept, messages


def _tidy(line: str) -> str:
    line = _LINK.sub("", line.replace("\xa0", " "))
    line = _QUOTED.sub(r"\1", _with_plain_digits(line))
    line = _TICKED_BOX.sub(r"\1", line)
    bare = line.strip()
    emphasized = _EMPHASIS.match(bare)
    if emphasized:
        line = emphasized[2] + bare[emphasized.end() :]
    return _WINGDINGS_ARROW.sub(" -> ", line) if begins_order(line) else line


def _with_plain_digits(line: str) -> str:
    """The line with the digits of other scripts, as Arabic and Persian keyboards write them."""
    if line.isascii() or not begins_order(line):
        return line
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in line)


def _unwrapped(lines: Sequence[str]) -> Iterator[str]:
    """The lines; one that a program cut in two is one again.

    Only a long line can have been cut, and only a line that no order begins with is its rest.
    """
    whole: str | None = None
    last = 0
    for line in lines:
        if whole is not None and last >= WRAPPED and _is_rest(whole, line):
            whole, last = f"{whole.rstrip()} {line.strip()}", len(line)
            continue
        if whole is not None:
            yield whole
        whole, last = line, len(line)
    if whole is not None:
        yield whole


def _is_rest(line: str, following: str) -> bool:
    if not following.strip() or line.lstrip().startswith(("//", "#")):
        return False
    return bool(_GOES_ON.match(following) or _UNFINISHED.search(line[-LAST_WORDS:]))
