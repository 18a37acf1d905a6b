"""`docs/options.md`: the table of options, in words."""

from rubicon.rules.followers import ANY, FOLLOWERS
from rubicon.rules.impossible import IMPOSSIBLE
from rubicon.rules.option import Number, Option, Use
from rubicon.rules.options import GROUPS, LEFT_OUT
from rubicon.rules.rulebook_words import listed
from rubicon.rules.ruleset_file import PRESETS, preset_options

INTRODUCTION = """\
# Options

Every rule on which the documents differ, or are silent, is an option. A preset states a value for
each; a ruleset file ([rulesets.md](rulesets.md)) or a call of `Ruleset.load` states others:
`Ruleset.load("email", {"cards.forced": "none"})`. The ids in brackets are those of the collection
of rules: `S` a source, `A` a question and its answer, a number a chapter.

This page is generated from the table in `src/rubicon/rules/options.py`.
"""
AT_THE_TABLE = " It matters to the host and the display, not to the course of the game."


def options_page() -> str:
    """All options with their values, what the presets state, what follows, what cannot be."""
    parts = [INTRODUCTION]
    for group in GROUPS:
        parts.append(f"## {group.title}\n")
        parts.extend(entry(option) for option in group.options)
    parts.extend((followers(), impossible(), left_out()))
    return "\n".join(parts)


def entry(option: Option) -> str:
    """One option."""
    ids = ", ".join(option.sources)
    note = AT_THE_TABLE if option.use is Use.TABLE else ""
    lines = [f"### `{option.name}`", "", f"{option.meaning}{note} [{ids}]", ""]
    lines.extend((*values(option), ""))
    stated = preset_values(option)
    return "\n".join([*lines, *stated, ""] if stated else lines)


def values(option: Option) -> list[str]:
    """A line for every value that has a meaning of its own, and the range of the others."""
    default = option.text(option.default)
    if option.fixed:
        return [f"- `{default}`, and nothing else: {option.why_fixed}."]
    lines = [
        f"- `{value}`{' (default)' if value == default else ''}: {meaning}"
        for value, meaning in option.values.items()
    ]
    if default not in option.values:
        lines.append(f"- {option.kind.allowed()}; default `{default}`")
    elif isinstance(option.kind, Number) and not option.kind.only:
        lines.append(f"- in all, {option.kind.allowed()}")
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


def followers() -> str:
    """What follows from stating an option."""
    rows = [
        "## What follows from what",
        "",
        "Whoever states one option need not state those that go with it: they move along, unless "
        "they are\nstated beside it or later. What has moved may move others in turn.",
        "",
        "| stating | moves | if it is |",
        "| --- | --- | --- |",
    ]
    for row in FOLLOWERS:
        stated = f"{row.option}={'…' if row.value == ANY else row.value}"
        condition = listed([f"`{value}`" for value in row.only_from], "or") or "anything else"
        rows.append(f"| `{stated}` | `{row.then}={row.becomes}` | {condition} |")
    return "\n".join(rows) + "\n"


def impossible() -> str:
    """What is refused, and why."""
    rows = [
        "## What cannot go together",
        "",
        "Such a ruleset is refused (`ruleset/impossible`), with the reason.",
        "",
        "| options | reason |",
        "| --- | --- |",
    ]
    for row in IMPOSSIBLE:
        names = ", ".join(f"`{name}`" for name in row.options)
        rows.append(f"| {names} | {row.reason} |")
    return "\n".join(rows) + "\n"


def left_out() -> str:
    """Variations that are known and not built."""
    rows = [
        "## What is left out",
        "",
        "Two expert variations of the 1993 book are decisions after the dice are seen and would "
        "cost a phase\nof their own; they are not built. [3.10]",
        "",
        *(f"- `{name}`: {meaning}." for name, meaning in LEFT_OUT.items()),
    ]
    return "\n".join(rows) + "\n"
