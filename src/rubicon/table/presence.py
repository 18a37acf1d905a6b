"""Who is there: whoever has just decided something needs no letter about what is asked next."""

from __future__ import annotations

from collections.abc import Mapping

from rubicon.table.lines import ANSWERS, Kind, Line

NOBODY = ""


def there_behind(line: Line, there: str, ordered: Mapping[str, Line]) -> str:
    """The seat that is there behind a line, where `there` was before; `""` for none.

    It has decided something itself, and no other seat has decided anything since. What orders
    do (`ordered` are the last ones of each seat) counts from when they were handed in: where
    somebody else has decided something since, their owner was not there.
    """
    if line.kind not in ANSWERS:
        return there
    orders = ordered.get(line.seat)
    by_orders = line.kind is Kind.ACTION and orders is not None and orders.duty == line.duty
    return NOBODY if by_orders and there != line.seat else line.seat
