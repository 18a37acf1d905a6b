"""`docs/options.md`: all options, in words."""

from rubicon.rules.options.conflicts import CONFLICTS
from rubicon.rules.options.implied import ANY_VALUE, IMPLIED
from rubicon.rules.options.kinds import Number
from rubicon.rules.options.option import Option, Use
from rubicon.rules.options.registry import GROUPS, LEFT_OUT
from rubicon.rules.ruleset.file import PRESETS, preset_options
from rubicon.wording import listed

INTRODUCTION = """\
# Options

Wherever the sources disagree or are silent, the rule is an option. A preset states the values that
differ from the defaults (`classic` has all defaults); a ruleset file ([rulesets.md](rulesets.md))
or a call of `Ruleset.load` states others: `Ruleset.load("email", {"cards.forced": "none"})`. The
[glossary](glossary.md#rule-ids) explains the ids in brackets.

This page is generated from the declarations in `src/rubicon/rules/options/`. `option_form(name)` in
`rubicon.rules.options.form` gives the same as data, for forms.
"""
AT_THE_TABLE = " It changes what is shown, not the course of the game."


def options_page() -> str:
    """All options: values, presets that differ, implied values, conflicts."""
    parts = [INTRODUCTION]
    for group in GROUPS:
        parts.append(f"## {group.title}\n")
        parts.extend(entry(option) for option in group.options)
    parts.extend((implied(), impossible(), left_out()))
    return "\n".join(parts)


def entry(option: Option) -> str:
    """One option."""
    ids = ", ".join(option.sources)
    note = AT_THE_TABLE if option.use is Use.TABLE else ""
    lines = [f"### `{option.name}`", "", f"{option.meaning}{note} [{ids}]", ""]
    lines.extend((*values(option), ""))
    if option.only_if:
        conditions = listed([_either(condition) for condition in option.only_if])
        lines.extend((f"It matters only with {conditions}.", ""))
    stated = preset_values(option)
    return "\n".join([*lines, *stated, ""] if stated else lines)


def _either(condition: str) -> str:
    """The condition `cards.deck=44 42` in Markdown, with a word between the values."""
    return listed([f"`{value}`" for value in condition.split(" ")], "or")


def values(option: Option) -> list[str]:
    """A line for every value that has a meaning of its own, and the range of the others."""
    default = option.text(option.default)
    if option.fixed:
        return [f"- `{default}`, the only value: {option.why_fixed}."]
    lines = [
        f"- `{value}`{' (default)' if value == default else ''}: {meaning.text}"
        for value, meaning in option.values.items()
    ]
    if default not in option.values:
        lines.append(f"- {option.kind.allowed()}; default `{default}`")
    elif isinstance(option.kind, Number) and not option.kind.only:
        lines.append(f"- other values: {option.kind.allowed()}")
    return lines


def preset_values(option: Option) -> list[str]:
    """The presets that state another value than the default."""
    default = option.text(option.default)
    by_value: dict[str, list[str]] = {}
    for preset in PRESETS:
        value = option.text(preset_options(preset)[option.name])
        if value != default:
            by_value.setdefault(value, []).append(f"`{preset}`")
    return [f"{listed(names)}: `{value}`." for value, names in by_value.items()]


def implied() -> str:
    """The values that a stated one implies."""
    rows = [
        "## Values that imply others",
        "",
        "When you state one option, the options that go with it change too, unless you state them "
        "beside it\nor later. An implied value can imply others in turn.",
        "",
        "| stating | implies | if it is now |",
        "| --- | --- | --- |",
    ]
    for row in IMPLIED:
        stated = f"{row.option}={'…' if row.value == ANY_VALUE else row.value}"
        condition = listed([f"`{value}`" for value in row.only_from], "or") or "anything else"
        rows.append(f"| `{stated}` | `{row.then}={row.becomes}` | {condition} |")
    return "\n".join(rows) + "\n"


def impossible() -> str:
    """The combinations that are refused, and why."""
    rows = [
        "## Values that cannot be combined",
        "",
        "Such a ruleset is refused with the reason (`ruleset/impossible`).",
        "",
        "| options | reason |",
        "| --- | --- |",
    ]
    for conflict in CONFLICTS:
        names = ", ".join(f"`{name}`" for name in conflict.options)
        rows.append(f"| {names} | {conflict.reason} |")
    return "\n".join(rows) + "\n"


def left_out() -> str:
    """Variations that are known and not built."""
    rows = [
        "## Variations that are not built",
        "",
        "Two expert variations of the 1993 book are decisions after the dice are seen. Each would "
        "need a phase\nof its own. [3.10]",
        "",
        *(f"- `{name}`: {meaning}." for name, meaning in LEFT_OUT.items()),
    ]
    return "\n".join(rows) + "\n"
