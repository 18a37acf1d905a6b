"""A postscript below the orders of an e-mail: prose, unless an order stands in it or below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rubicon.mail.commands.account_lines import account_line
from rubicon.mail.commands.order_lines import ARROWS, begins_order, may_be_order
from rubicon.mail.commands.order_reader import OrderReader

MOST_LINES = 40  # below the first one: each of them is parsed
# P.S., PS, P.P.S.; not `ps 3` or `ps 3, alaska 4`, which place armies where a territory is so
# called.
_MARK = re.compile(r"\s*(?:p[. -]{0,2}){1,3}s\b(?!\W*\d{1,4}(?:\W*$|\s*[,;+]))", re.IGNORECASE)
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
        if _MARK.match(lines[at]) and not reader.is_order(lines[at]):
            said = [line for line in lines[at:] if line.strip()]
            # The number is compared first: to parse a long text line by line takes long.
            doubtful = len(said) > MOST_LINES + 1 or any(_has_order(each, reader) for each in said)
            return Postscript(at, doubtful)
    return None


def _has_order(line: str, reader: OrderReader) -> bool:
    """Whether a line of a postscript may be an order; prose with a verb behind the mark is none."""
    if reader.finds_orders(line):
        return True
    mark = _MARK.match(line)
    if mark is None:
        return may_be_order(line) or (begins_order(line) and reader.names_territory(line))
    said = line[mark.end() :].strip(_AROUND)
    arrow = any(sign in said for sign in ARROWS) and reader.names_territory(said)
    return arrow or account_line(said) is not None or reader.finds_orders(said)
