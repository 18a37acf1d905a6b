"""Which combinations of values are refused."""

from collections.abc import Iterator

from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.option import Conflict
from rubicon.rules.options.registry import OPTIONS

CONFLICTS: tuple[Conflict, ...] = tuple(
    conflict for option in OPTIONS.values() for conflict in option.conflicts
)


def conflicts(chosen: Chosen) -> Iterator[Conflict]:
    """Every conflict among these options."""
    return (conflict for conflict in CONFLICTS if conflict.when(chosen))
