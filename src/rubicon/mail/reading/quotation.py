"""Gives each line its role: the sender's own words, quotation, signature, forwarded message.

What is in doubt is no own text: a line that is wrongly left out costs the player one more e-mail,
a line that is wrongly taken costs armies.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.mail.reading.incoming_mail import LineRole, MailLine
from rubicon.mail.reading.quotation_words import (
    OWN_MARK,
    PGP_SIGNATURE,
    SIGNATURE_MARKS,
    bare,
    has_address,
    has_date,
    has_time,
    is_between_marks,
    is_footer,
    is_forward,
    is_header,
    is_header_field,
    is_labelled,
    is_ruler,
    is_separator,
    may_open,
    may_separate,
    says_wrote,
    tells_sender_and_date,
)
from rubicon.orders.parse.verbs import MEANINGS

INTRODUCTION_LINES = 4  # over which mail programs wrap an introduction
WRAPPED = 40  # characters from which a quoted line may have been cut
PRESS_LINES = 200  # of a message to another player
MOST_MARKS = 5
ENDPRESS = "endpress"
# What only an e-mail can ask for.
OF_EMAILS = frozenset({"address", "change", "join", "leave", "colour", "color"})
HEADER_LINES = 6  # within which a quoted header shows a second field
LABELLED_LINES = 3  # are a header, in a language that is not known here
LINES_ABOVE = 6  # of a heading, that may belong to it


# The older message stands below without marks: everything to the end belongs to it.
UNMARKED = (LineRole.QUOTED, LineRole.FORWARDED)


def with_roles(lines: Sequence[MailLine]) -> tuple[MailLine, ...]:
    """The same lines with their roles."""
    return _RoleFinder(lines).all()


class _RoleFinder:
    """Goes through lines from the first to the last; `_below` is the role of unmarked ones here."""

    def __init__(self, lines: Sequence[MailLine]) -> None:
        self._lines = lines
        self._found: list[MailLine] = []  # one for each line that has been gone through
        self._below = LineRole.OWN

    def all(self) -> tuple[MailLine, ...]:
        """All lines with their roles."""
        while (at := len(self._found)) < len(self._lines):
            if self._lines[at].depth:
                self._take_marked(at)
            elif self._below is LineRole.OWN and (end := _end_of_press(self._lines, at)):
                self._found += [_with_marks(each) for each in self._lines[at:end]]
            elif self._below not in UNMARKED and (heading := _heading(self._lines, at)):
                self._take_heading(at, *heading)
            else:
                self._take_plain(at)
        return tuple(self._found)

    def _take_marked(self, at: int) -> None:
        if _begins_without_marks(self._lines, at):
            self._below = LineRole.QUOTED
        elif self._below not in UNMARKED:
            self._below = LineRole.OWN
        role = self._below if self._below in UNMARKED else LineRole.QUOTED
        self._found.append(self._lines[at]._replace(role=role))

    def _take_heading(self, at: int, count: int, below: LineRole) -> None:
        self._below = below
        if below in UNMARKED:
            _claim_lines_above(self._found)
        heading = self._lines[at : at + count]
        self._found += [each._replace(role=LineRole.INTRODUCTION) for each in heading]

    def _take_plain(self, at: int) -> None:
        line = self._lines[at]
        if self._below is LineRole.OWN and _begins_signature(line):
            self._below = LineRole.SIGNATURE
        rest = self._below is LineRole.OWN and _is_wrapped_rest(self._lines, at)
        role = LineRole.QUOTED if rest else _role(line, self._below)
        self._found.append(line._replace(role=role))


def _begins_without_marks(lines: Sequence[MailLine], at: int) -> bool:
    """Whether the only marks are around this line, and an older message stands below it."""
    if not is_between_marks(lines[at].text):
        return False
    following = _next_text(lines, at + 1)
    alone = following < len(lines) and not lines[following].depth
    return alone and not any(line.depth for line in lines[:at])


def _claim_lines_above(found: list[MailLine]) -> None:
    """Lines with a date or an address directly above a heading are its beginning."""
    first = len(found)
    for at in range(len(found) - 1, max(-1, len(found) - 1 - LINES_ABOVE), -1):
        line = found[at]
        if line.role is not LineRole.OWN or _is_order(line.text):
            break
        if has_address(line.text) or (has_date(line.text) and has_time(line.text)):
            first = at
        elif line.text.strip():
            break
    found[first:] = [line._replace(role=LineRole.INTRODUCTION) for line in found[first:]]


def _end_of_press(lines: Sequence[MailLine], at: int) -> int:
    """Behind the ENDPRESS of a message to another player that begins here; 0 where none does.

    Everything between is the message, also what looks like a signature or a quotation. Only our own
    line and a quoted header cannot be in it: there an older e-mail begins.
    """
    if lines[at].text.split(None, 1)[:1] not in (["PRESS"], ["press"], ["Press"]):
        return 0
    behind = range(at + 1, min(at + PRESS_LINES, len(lines)))
    end = next((n for n in behind if _is_endpress(lines[n])), 0)
    older = any(OWN_MARK.search(lines[n].text) or _header_at(lines, n) for n in range(at + 1, end))
    return end + 1 if end and not older else 0


def _is_endpress(line: MailLine) -> bool:
    return not line.depth and line.text.strip().casefold() == ENDPRESS


def _with_marks(line: MailLine) -> MailLine:
    return MailLine("> " * min(line.depth, MOST_MARKS) + line.text)


def _role(line: MailLine, below: LineRole) -> LineRole:
    added = is_footer(line.text) and not _is_order(line.text)
    if below is LineRole.OWN and (line.role is LineRole.SIGNATURE or added):
        return LineRole.SIGNATURE
    return below


def _is_wrapped_rest(lines: Sequence[MailLine], at: int) -> bool:
    """Whether a line is the rest of a long quoted line that a program cut without a second mark."""
    if not 0 < at < len(lines) - 1 or not lines[at].text.strip() or _is_order(lines[at].text):
        return False
    before, after = lines[at - 1], lines[at + 1]
    return before.depth > 0 and after.depth > 0 and len(before.text.rstrip()) >= WRAPPED


def _begins_signature(line: MailLine) -> bool:
    text = line.text
    return text.rstrip() in SIGNATURE_MARKS or text.startswith(PGP_SIGNATURE) or is_ruler(text)


def _heading(lines: Sequence[MailLine], at: int) -> tuple[int, LineRole] | None:
    """How many lines introduce older mail here, and the role of unmarked lines below them."""
    text = lines[at].text
    if not text.strip():
        return None
    if OWN_MARK.search(text):
        return 1, LineRole.QUOTED
    if attribution := _attribution(lines, at):
        return attribution
    if is_forward(text):
        return 1, LineRole.FORWARDED
    if is_separator(text):
        return 1, LineRole.QUOTED
    following = _next_text(lines, at + 1)
    if (is_ruler(text) or may_separate(text)) and _header_at(lines, following):
        return 1, LineRole.QUOTED
    if may_separate(text) and following < len(lines) and lines[following].depth:
        return 1, LineRole.QUOTED
    if has_address(text) and following == at + 1 < len(lines) and _is_date(lines[following]):
        return 1, LineRole.QUOTED  # old Notes: a name with its address, and the date below
    return (1, LineRole.QUOTED) if _header_at(lines, at) else None


def _header_at(lines: Sequence[MailLine], at: int) -> bool:
    """Whether a quoted header begins here: a From line and another field, in any order."""
    found = [line.text for line in lines[at : at + HEADER_LINES] if not line.depth]
    if not found or _is_order(found[0]):
        return False
    if _is_labelled_block(found):
        return True
    if not (is_header(found[0]) or is_header_field(found[0])):
        return False
    fields = sum(is_header(text) or is_header_field(text) for text in found)
    return fields >= 2 and any(is_header(text) for text in found)


def _is_labelled_block(texts: Sequence[str]) -> bool:
    """Whether lines are a header in a language that is not known here."""
    block = texts[:LABELLED_LINES]
    labelled = all(is_labelled(text) and not _is_order(text) for text in block)
    if len(block) < LABELLED_LINES or not labelled:
        return False
    return any(has_address(text) or has_date(text) or has_time(text) for text in block)


def _is_date(line: MailLine) -> bool:
    return (
        not line.depth and len(line.text) < WRAPPED and has_date(line.text) and has_time(line.text)
    )


def _attribution(lines: Sequence[MailLine], at: int) -> tuple[int, LineRole] | None:
    """An introduction of up to four lines.

    Marked lines below it: only they are quoted. None: it stands at the head of an unmarked
    quotation, if its words say that somebody wrote.
    """
    if _is_order(lines[at].text):
        return None
    words: list[str] = []
    for count in range(1, INTRODUCTION_LINES + 1):
        if at + count > len(lines):
            return None
        line = lines[at + count - 1]
        if line.depth or not line.text.strip():
            return None
        words.append(bare(line.text))
        joined = " ".join(words)
        following = _next_text(lines, at + count)
        marked = following < len(lines) and lines[following].depth > 0
        if says_wrote(joined, above_marks=marked) or tells_sender_and_date(joined):
            return count, LineRole.OWN if marked else LineRole.QUOTED
        # In a language that is not known here, a date or an address and a colon above marked
        # lines are enough.
        if marked and joined.endswith((":", "：")) and may_open(joined):
            return count, LineRole.OWN
        if not may_open(words[0]):
            return None
    return None


def _is_order(text: str) -> bool:
    """Whether a line begins with a verb of the order language, or of e-mails: `ADDRESS a@b.org`."""
    first = text.split(None, 1)[:1]
    word = first[0].casefold().rstrip(":") if first else ""
    return word in MEANINGS or word in OF_EMAILS


def _next_text(lines: Sequence[MailLine], at: int) -> int:
    """The index of the next line that is not blank; the number of lines where there is none."""
    while at < len(lines) and not lines[at].text.strip():
        at += 1
    return at
