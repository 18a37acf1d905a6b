"""The data from which a form for options is made: `option_form`.

    >>> option_form("attack.dice_cap")["type"]
    'choice'

A program that shows the form needs no list of options of its own.
"""

from collections.abc import Sequence
from typing import Any, TypedDict

from rubicon.errors import RubiconError
from rubicon.rules.options.kinds import Number
from rubicon.rules.options.option import Option
from rubicon.rules.options.registry import OPTIONS
from rubicon.suggestions import nearest
from rubicon.wording import quoted


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
    """The values that have a meaning of their own, and all where few are allowed."""
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
