"""What an e-mail asks for: finds the orders in it, and has the order language read them.

Orders above the quotation count, and then nothing else does. Without them a form that was filled
in counts, then what stands below the quotation, then what stands between its lines. Everything is
read before anything is done: one mistake, and nothing is done.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rubicon.mail.commands.account_lines import (
    AccountLine,
    account_line,
    split_account_lines,
)
from rubicon.mail.commands.filled_form import FilledForm, SentForm, filled_form
from rubicon.mail.commands.order_lines import begins_with_verb
from rubicon.mail.commands.order_reader import OrderReader
from rubicon.mail.commands.preparation import doubtful_postscript, prepared
from rubicon.mail.reading.incoming_mail import IncomingMail, LineRole, MailLine
from rubicon.orders.errors import OrderProblem, OrdersError
from rubicon.orders.order_text import OrderText
from rubicon.orders.parse.repair import NOT_UNDERSTOOD
from rubicon.wording import printable

MOST_PASSED_OVER = 20
_ADDRESS = re.compile(
    r"^[ \t]*(?:change\s+)?address[ \t:]+<?([^\s@<>]{1,64}@[^\s@<>]{1,253}?)>?[ \t.]*$", re.I | re.M
)

_END = re.compile(r"end\b", re.IGNORECASE)
_PREVIEW = re.compile(r"preview\W*$", re.IGNORECASE)
_PRESS = re.compile(r"^\s*press\b", re.IGNORECASE | re.MULTILINE)


class CommandPlace(StrEnum):
    """Where the orders stand in an e-mail."""

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
    WORDS_OF_OTHERS = "words-of-others"  # orders that stand in another player's message
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailCommands:
    """What an e-mail asks for: exactly one of `orders`, `mistakes` and `question` is set.

    `text` is what the parser read, and what `mistakes` counts lines of. `new_address` is set by a
    line `ADDRESS ann@example.org`, which is no order; nor are `settings`. `passed_over` has lines
    that were left out although the player wrote them, `below_end` those that look like orders and
    stand below END.
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
    """OrdersError where a postscript may have an order: nobody knows whether it was meant.

    The parser itself passes over `P.S. PREVIEW` as prose, and would go on with the dice.
    """
    number = doubtful_postscript(clean, reader)
    if number is None:
        return
    message = "A postscript begins here, but an order stands in it or below it."
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
