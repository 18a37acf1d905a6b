"""A form that a player filled in inside the quotation, instead of above it.

It counts only where a line differs from the form that was sent. An answer with the form as it was
may be a click on "send" by mistake, and a form that is cut off may be no more than a tidy
quotation: in both cases the player is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rubicon.mail.reading.incoming_mail import LineRole, MailLine

MOST_ADDED = 100  # lines that a player may add to a form
MOST_WRAPS = 3  # pieces into which a program cuts a line
END = "end"  # the last line of every form
_COMMENT = re.compile(r"//|#")


@dataclass(frozen=True, slots=True)
class SentForm:
    """The lines of the form in an e-mail, orders and comments.

    `before` and `after` are the lines of the text directly around it, by which it is found even
    if its first and last lines were changed; "" where unknown.
    """

    lines: tuple[str, ...]
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class FilledForm:
    """The form as it came back. `changed` has the lines that were not in it when it was sent."""

    lines: tuple[str, ...]
    changed: tuple[str, ...]

    @property
    def text(self) -> str:
        """The orders of the form, for the parser."""
        return "\n".join(self.lines)


def filled_form(lines: Sequence[MailLine], form: SentForm) -> FilledForm | None:
    """The form in the quotation of an e-mail; None where it is not there."""
    if not form.lines:
        return None
    quoted = _from_quotation(lines)
    region = _region(quoted, form)
    if region is None:
        return None
    found = [line.text.strip() for line in quoted[region[0] : region[1]] if line.text.strip()]
    known = {plain_line(line) for line in form.lines}
    whole = _unwrapped(found, known)
    # Without a line of this form it is another one, such as that of an older e-mail. Of a form with
    # one order nothing else can be expected to stay.
    orders = known - {END}
    if len(orders) > 1 and not any(plain_line(line) in orders for line in whole):
        return None
    return FilledForm(tuple(whole), tuple(_differing(whole, form.lines)))


def _from_quotation(lines: Sequence[MailLine]) -> list[MailLine]:
    """The quotation, and what the sender wrote between its lines."""
    first = next((n for n, line in enumerate(lines) if line.role is LineRole.QUOTED), len(lines))
    roles = (LineRole.QUOTED, LineRole.OWN)
    return [line for line in lines[first:] if line.role in roles]


def _region(lines: Sequence[MailLine], form: SentForm) -> tuple[int, int] | None:
    """First line and the one behind the last, by the lines around the form, or by its own.

    The first such place counts: below it stand older e-mails with older forms.
    """
    plain = [plain_line(line.text) for line in lines]
    known = {plain_line(line) for line in form.lines}
    ours = [
        line.role is LineRole.QUOTED and text in known
        for line, text in zip(lines, plain, strict=True)
    ]
    most = len(form.lines) * MOST_WRAPS + MOST_ADDED
    start = _index(plain, plain_line(form.before), 0) + 1 if form.before else 0
    if start == 0:
        start = next((n for n, known_line in enumerate(ours) if known_line), -1)
        if start < 0:
            return None
    stop = _index(plain, plain_line(form.after), start) if form.after else -1
    if 0 <= stop <= start + most:
        return start, stop
    inside = [n for n in range(start, min(start + most, len(plain))) if ours[n]]
    return (start, inside[-1] + 1) if inside else None


def _index(plain: Sequence[str], sought: str, start: int) -> int:
    return next((n for n in range(start, len(plain)) if sought and plain[n] == sought), -1)


def _unwrapped(found: Sequence[str], known: set[str]) -> list[str]:
    """The lines; pieces that together are a line of the form are that line again."""
    whole: list[str] = []
    at = 0
    while at < len(found):
        for pieces in range(MOST_WRAPS, 0, -1):
            joined = " ".join(found[at : at + pieces])
            if pieces == 1 or plain_line(joined) in known:
                whole.append(joined)
                at += min(pieces, len(found) - at)
                break
    return whole


def _differing(whole: Sequence[str], sent: Sequence[str]) -> list[str]:
    """The lines that the form did not have, in their order; a line twice counts twice."""
    left = Counter(plain_line(line) for line in sent)
    differing = []
    for line in whole:
        plain = plain_line(line)
        if left[plain]:
            left[plain] -= 1
        elif not _is_comment(plain):
            differing.append(line)
    return differing


def _is_comment(plain: str) -> bool:
    return _COMMENT.match(plain) is not None


def plain_line(line: str) -> str:
    """The line as it is compared: spacing, letter case and forms of characters do not count."""
    text = unicodedata.normalize("NFKC", line.replace("\xa0", " ")).casefold()
    for arrow in ("→", "–>", "—>", "-->"):
        text = text.replace(arrow, "->")
    return " ".join("".join(s for s in text if unicodedata.category(s) != "Cf").split())
