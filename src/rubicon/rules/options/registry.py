"""All options: what they imply, where they conflict, and the form that shows them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypedDict

from rubicon.errors import RubiconError
from rubicon.rules.options.armies import ARMIES, NEUTRAL, PIECES
from rubicon.rules.options.attack import ATTACK, FORTIFY
from rubicon.rules.options.cards import CARDS
from rubicon.rules.options.goals import MISSIONS, OBJECTIVES, WINNING
from rubicon.rules.options.kinds import EMPTY, Number, Value, value_text
from rubicon.rules.options.option import Chosen, Conflict, Option
from rubicon.rules.options.setup import SETUP
from rubicon.wording import nearest, quoted

# All options: their declarations in order, and by name.
#
# Command-line flags, web forms, ruleset files, the engine's record of rules, the rulebook and
# `docs/options.md` are made from these declarations.

GROUPS = (SETUP, ARMIES, CARDS, ATTACK, FORTIFY, NEUTRAL, WINNING, MISSIONS, OBJECTIVES, PIECES)

OPTIONS: MappingProxyType[str, Option] = MappingProxyType(
    {option.name: option for group in GROUPS for option in group.options}
)

# Decisions after the dice are seen, each of which would need its own phase (rulebook 3.10).
LEFT_OUT = MappingProxyType(
    {
        "card_attack_reroll": "roll a die again while you hold the card of the battle's territory",
        "commander": "turn one of your attack dice to a 6, once a turn",
    }
)

# Names that people look for among the options, and where to find what they mean.
ELSEWHERE = MappingProxyType(
    {"dice.source": "Who rolls the dice is a setting of the table: `dice` (sealed or typed)."}
)


# Which combinations of values are refused.

CONFLICTS: tuple[Conflict, ...] = tuple(
    conflict for option in OPTIONS.values() for conflict in option.conflicts
)


def conflicts(chosen: Chosen) -> Iterator[Conflict]:
    """Every conflict among these options."""
    return (conflict for conflict in CONFLICTS if conflict.when(chosen))


# Values that come along with others: stating one option need not state those that go with it.
#
# An implied value replaces another only where none was stated alongside the option or later.

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


# The data from which a form for options is made. A program that shows the form needs no list of
# options of its own.


class ValueForm(TypedDict):
    """One value in a word or two, its meaning, and the values of other options that it implies."""

    value: str
    label: str
    help: str
    implies: list[str]


class OptionForm(TypedDict):
    """An option as a form shows it.

    `type` is `choice`, `flag`, `number`, `words`, `ids`, `counts` or `pairs`; `range` has what
    that type needs (`low`, `high`, `only`, `words`, `keys`, `of`). Values and the default are
    texts. `only_if` are conditions such as `setup.capitals=true`: the field can be hidden unless
    all are met. `fixed` says why the option has one value only, or is empty.
    """

    name: str
    label: str
    group: str
    help: str
    type: str
    range: dict[str, Any]
    values: list[ValueForm]
    default: str
    implies: list[str]
    only_if: list[str]
    fixed: str
    use: str
    sources: list[str]


def option_form(name: str) -> OptionForm:
    """The form data of an option; raises RubiconError, `ruleset/unknown-option`."""
    if name not in OPTIONS:
        hint = nearest(name, OPTIONS) or "docs/options.md lists all options."
        raise RubiconError("ruleset/unknown-option", f"Unknown option {quoted(name)}.", hint)
    option = OPTIONS[name]
    kind = option.kind.form()
    return {
        "name": name,
        "label": option.label,
        "group": option.group,
        "help": option.meaning,
        "type": kind.pop("type"),
        "range": kind,
        "values": _values(option),
        "default": option.text(option.default),
        "implies": list(option.implies),
        "only_if": list(option.only_if),
        "fixed": option.why_fixed,
        "use": option.use.value,
        "sources": list(option.sources),
    }


def option_forms() -> Sequence[OptionForm]:
    """The form data of every option, in the order of the declarations."""
    return [option_form(name) for name in OPTIONS]


def _values(option: Option) -> list[ValueForm]:
    """The values that have their own meaning, and all where few are allowed."""
    meanings = {
        value: ValueForm(
            value=value,
            label=meaning.label or value_label(value),
            help=meaning.text,
            implies=list(meaning.implies),
        )
        for value, meaning in option.values.items()
    }
    if isinstance(option.kind, Number) and option.kind.only:
        for value in (*map(str, option.kind.only), *option.kind.words):
            plain = ValueForm(value=value, label=value_label(value), help="", implies=[])
            meanings.setdefault(value, plain)
    return list(meanings.values())


def value_label(value: str) -> str:
    """A value as people read it: `Yes` for true, `One each round` for one_each_round."""
    words = {"true": "Yes", "false": "No"}.get(value, value.replace("_", " "))
    return words[:1].upper() + words[1:]
