"""Values that come along with others: stating one option need not state those that go with it.

An implied value replaces another only where none was stated beside the option or later.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rubicon.rules.options.kinds import EMPTY, Value, value_text
from rubicon.rules.options.option import Option
from rubicon.rules.options.registry import OPTIONS

ANY_VALUE = "*"  # any value but an empty table or list


@dataclass(frozen=True)
class Implied:
    """Stating `option` as `value` moves `then` to `becomes`, if it is one of `only_from`."""

    option: str
    value: str
    then: str
    becomes: str
    only_from: tuple[str, ...] = ()  # empty: from any value

    @staticmethod
    def read(option: str, value: str, text: str) -> "Implied":
        """From a text such as `setup.claim = draft if deal_cards random`."""
        target, _, condition = text.partition(" if ")
        then, _, becomes = target.partition(" = ")
        return Implied(option, value, then, becomes, tuple(condition.split()))


def _rows(option: Option) -> Iterable[Implied]:
    for value, meaning in option.values.items():
        yield from (Implied.read(option.name, value, text) for text in meaning.implies)
    yield from (Implied.read(option.name, ANY_VALUE, text) for text in option.implies)


IMPLIED: tuple[Implied, ...] = tuple(row for option in OPTIONS.values() for row in _rows(option))


def with_implied(options: Mapping[str, Value], stated: Mapping[str, Value]) -> dict[str, Value]:
    """The options with those stated, and the values that these imply, step by step."""
    result = {**options, **stated}
    settled = set(stated)
    waiting = [name for name in OPTIONS if name in stated]
    while waiting:
        for row in _moving(waiting.pop(0), result, settled):
            settled.add(row.then)
            waiting.append(row.then)
            result[row.then] = OPTIONS[row.then].read(row.becomes)
    return result


def _moving(name: str, options: Mapping[str, Value], settled: set[str]) -> Iterable[Implied]:
    """The rows of an option whose conditions are met."""
    value = value_text(options[name])
    for row in IMPLIED:
        if row.option != name or row.then in settled:
            continue
        if value != row.value and (row.value != ANY_VALUE or value == EMPTY):
            continue
        now = value_text(options[row.then])
        if now != row.becomes and (not row.only_from or now in row.only_from):
            yield row
