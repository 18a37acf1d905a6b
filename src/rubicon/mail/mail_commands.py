"""What an e-mail asks for: its orders, or the form that was filled in."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rubicon.mail.order_lines import (
    AccountLine,
    OrderReader,
    account_line,
    begins_with_verb,
    doubtful_postscript,
    prepared,
    split_account_lines,
)
from rubicon.mail.reading.incoming_mail import IncomingMail, LineRole, MailLine
from rubicon.orders.errors import OrderProblem, OrdersError
from rubicon.orders.parse.repair import NOT_UNDERSTOOD
from rubicon.orders.syntax import OrderText
from rubicon.wording import printable

# A form that a player filled in inside the quotation, instead of above it.
#
# It counts only where a line differs from the form that was sent. An answer with the form as it
# was may be a click on "send" by mistake, and a form that is cut off may be no more than a tidy
# quotation: in both cases the player is asked.

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
    """First line and the one after the last, by the lines around the form, or by its own.

    The first such place counts: below it are older e-mails with older forms.
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


# What an e-mail asks for: finds the orders in it, and has the order language read them.
#
# Orders above the quotation count, and then nothing else does. Without them a form that was
# filled in counts, then what is below the quotation, then what is between its lines.
# Everything is read before anything is done: one mistake, and nothing is done.

MOST_PASSED_OVER = 20
_ADDRESS = re.compile(
    r"^[ \t]*(?:change\s+)?address[ \t:]+<?([^\s@<>]{1,64}@[^\s@<>]{1,253}?)>?[ \t.]*$", re.I | re.M
)

_END = re.compile(r"end\b", re.IGNORECASE)
_PREVIEW = re.compile(r"preview\W*$", re.IGNORECASE)
_PRESS = re.compile(r"^\s*press\b", re.IGNORECASE | re.MULTILINE)


class CommandPlace(StrEnum):
    """Where in an e-mail the orders are."""

    ABOVE = "above"  # the quotation, or there is none
    FORM = "form"  # filled in inside the quotation
    BELOW = "below"  # the quotation
    BETWEEN = "between"  # its lines
    NOWHERE = "nowhere"


class MailQuestion(StrEnum):
    """What the player is asked where nothing may be done."""

    UNCHANGED_FORM = "unchanged-form"  # "Send the form as it is?"
    NO_ORDERS = "no-orders"  # the e-mail has words, but no order
    SEVERAL_PLACES = "several-places"  # orders below and between the quoted lines
    WORDS_OF_OTHERS = "words-of-others"  # orders in another player's message
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailCommands:
    """What an e-mail asks for: exactly one of `orders`, `mistakes` and `question` is set.

    `text` is what the parser read, and what `mistakes` counts lines of. `new_address` is set by a
    line `ADDRESS ann@example.org`, which is no order; nor are `settings`. `passed_over` has lines
    that were left out although the player wrote them, `below_end` those that look like orders and
    are below END.
    """

    place: CommandPlace = CommandPlace.NOWHERE
    text: str = ""
    orders: OrderText | None = None
    mistakes: OrdersError | None = None
    question: MailQuestion | None = None
    new_address: str = ""
    settings: tuple[AccountLine, ...] = ()
    passed_over: tuple[str, ...] = ()
    below_end: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what is asked for, the same for other spacing and letter case.

        With game, seat and decision it recognises orders that a player sends twice, under two
        Message-IDs: the second e-mail gets the stored answer, and no new dice.
        """
        words = " ".join([*self.text.casefold().split(), self.new_address])
        return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()


@dataclass(slots=True)
class _Blocks:
    """What the sender wrote, by its place to the quotation."""

    above: list[str] = field(default_factory=list)
    between: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)


def read_commands(
    mail: IncomingMail, reader: OrderReader, form: SentForm | None = None
) -> MailCommands:
    """What a person's e-mail asks for.

    `form` must be that of the e-mail which the token names: a newer form would make every line of
    an older one a change.
    """
    blocks = _blocks(mail.lines)
    above, between, below = (
        "\n".join(lines) for lines in (blocks.above, blocks.between, blocks.below)
    )
    if has_orders(above, reader):
        others = _with_words([*blocks.between, *blocks.below])
        return _read(above, CommandPlace.ABOVE, reader, others)
    returned = filled_form(mail.lines, form) if form else None
    if returned and returned.changed:
        return _read(returned.text, CommandPlace.FORM, reader, _with_words(blocks.above))
    places = ((below, CommandPlace.BELOW), (between, CommandPlace.BETWEEN))
    found = [(text, place) for text, place in places if has_orders(text, reader)]
    if len(found) > 1:
        return MailCommands(question=MailQuestion.SEVERAL_PLACES, text=f"{between}\n{below}")
    for text, place in found:
        return _read(text, place, reader, _with_words(blocks.above))
    return _question(returned, _with_words([*blocks.above, *blocks.between, *blocks.below]))


def has_orders(text: str, reader: OrderReader) -> bool:
    """Whether there is an order in a text, well or badly written, and not prose alone.

    Prose with an arrow in it counts: the player gets it back, and knows.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or any(_like_order(line) for line in lines):
        return bool(lines)
    return reader.finds_orders(prepared(text, reader)[0])


def _like_order(line: str) -> bool:
    bare = line.strip()
    if bare.startswith(("//", "#")):
        return False
    if account_line(bare) is not None or _ADDRESS.match(bare):
        return True
    return begins_with_verb(bare) or "->" in bare or "\u2192" in bare


def _blocks(lines: Sequence[MailLine]) -> _Blocks:
    blocks = _Blocks()
    quoted = [
        n for n, line in enumerate(lines) if line.role not in (LineRole.OWN, LineRole.SIGNATURE)
    ]
    first, last = (quoted[0], quoted[-1]) if quoted else (len(lines), len(lines))
    for at, line in enumerate(lines):
        if line.role is LineRole.OWN:
            target = blocks.above if at < first else blocks.below if at > last else blocks.between
            target.append(line.text)
    return blocks


def _read(
    text: str, place: CommandPlace, reader: OrderReader, passed_over: tuple[str, ...]
) -> MailCommands:
    press = _PRESS.search(text)
    # In a message to another player such a line is part of the message.
    found = _ADDRESS.search(text, 0, press.start() if press else len(text))
    new_address = found[1].lower() if found else ""
    if found:
        text = text[: found.start()] + text[found.end() :]
    clean, left_out = prepared(text, reader)
    passed_over = (*left_out, *passed_over)[:MOST_PASSED_OVER]
    settings, others = split_account_lines(clean)
    try:
        orders = reader.read(others)
        _check_postscript(others, clean, reader)
    except OrdersError as error:
        mistakes = _with_settings(error, settings)
        return MailCommands(place=place, text=clean, mistakes=mistakes, passed_over=passed_over)
    if not (orders.orders or orders.requests or orders.ended or new_address or settings):
        return MailCommands(question=MailQuestion.NO_ORDERS, text=clean, passed_over=passed_over)
    return MailCommands(
        place=place,
        text=clean,
        orders=orders,
        new_address=new_address,
        settings=settings,
        passed_over=passed_over,
        below_end=_below_end(clean) if orders.ended else (),
    )


def _check_postscript(text: str, clean: str, reader: OrderReader) -> None:
    """OrdersError where a postscript may have an order: no one knows whether it was meant.

    The parser itself passes over `P.S. PREVIEW` as prose, and would go on with the dice.
    """
    number = doubtful_postscript(clean, reader)
    if number is None:
        return
    message = "A postscript begins here, but there is an order in it or below it."
    hint = "Delete P.S. if the order counts; else delete the postscript."
    problem = OrderProblem(number, 1, "orders/postscript", message, hint)
    lines = text.split("\n")
    lines[number - 1] = NOT_UNDERSTOOD + printable(lines[number - 1])
    raise OrdersError((problem,), "\n".join(lines))


def _with_settings(error: OrdersError, settings: Sequence[AccountLine]) -> OrdersError:
    """The error with the settings in its corrected text: sent again, that asks for them too."""
    corrected = "\n".join([*map(str, settings), error.corrected])
    return OrdersError(error.problems, corrected, error.more, error.warnings)


def _below_end(text: str) -> tuple[str, ...]:
    """Lines below END that begin with a word of the order language."""
    lines = [line.strip() for line in text.split("\n")]
    end = next((n for n, line in enumerate(lines) if _END.match(line)), len(lines))
    below = (line for line in lines[end + 1 :] if begins_with_verb(line) or account_line(line))
    return tuple(line for line in below if not _PREVIEW.match(line))[:MOST_PASSED_OVER]


def _question(returned: FilledForm | None, words: tuple[str, ...]) -> MailCommands:
    if words:
        return MailCommands(question=MailQuestion.NO_ORDERS, passed_over=words)
    question = MailQuestion.UNCHANGED_FORM if returned else MailQuestion.EMPTY
    return MailCommands(question=question)


def _with_words(lines: Sequence[str]) -> tuple[str, ...]:
    found = (line.strip() for line in lines)
    return tuple(line for line in found if line)[:MOST_PASSED_OVER]
