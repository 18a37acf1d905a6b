"""What clients get of a ruleset, and of options that they want to combine."""

from __future__ import annotations

from typing import TypedDict

from rubicon.rulebook.structure import RulebookChapter


class RulesetView(TypedDict):
    """A ruleset; `players` is the minimum and the maximum, `description` one line.

    `label` is its title in a word or two.
    """

    name: str
    title: str
    label: str
    description: str
    version: int
    players: list[int]


class OptionValueView(TypedDict):
    """An option's value as text, beside the default of all rulesets and the ruleset's own value."""

    name: str
    value: str
    default: str
    preset: str


class RulesetDetailView(TypedDict):
    """A ruleset with the value of every option, and its rulebook on the board."""

    name: str
    title: str
    label: str
    description: str
    version: int
    players: list[int]
    sources: list[str]
    board: str
    options: list[OptionValueView]
    rulebook: list[RulebookChapter]


class OptionsProblemView(TypedDict):
    """Why options are impossible, and the options that it is about."""

    code: str
    message: str
    suggestion: str
    options: list[str]


class CheckedOptionsView(TypedDict):
    """Whether options can be played, and what results.

    `options` has every value, those that come along with the given ones included; `differences`
    are the options that make the result out of the ruleset, as `POST /tables` takes them. With a
    problem `players`, `differences` and `rulebook` are empty.
    """

    possible: bool
    problems: list[OptionsProblemView]
    players: list[int]
    options: list[OptionValueView]
    differences: dict[str, str]
    rulebook: list[RulebookChapter]
