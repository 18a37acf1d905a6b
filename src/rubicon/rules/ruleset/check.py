"""Whether options can be combined: every problem with the options that it is about."""

from collections.abc import Mapping
from typing import NamedTuple

from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board
from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.conflicts import conflicts
from rubicon.rules.options.implied import with_implied
from rubicon.rules.options.kinds import Value
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.file import option_problem, preset_options
from rubicon.rules.ruleset.ruleset import Ruleset


class OptionsProblem(NamedTuple):
    """One problem: its code, what is wrong, what to do (or ""), and the options involved."""

    code: str
    message: str
    suggestion: str
    options: tuple[str, ...]


class CheckedOptions(NamedTuple):
    """The result of a check: every option's value in Python form, and all problems.

    `ruleset` is None where there is a problem. Options that cannot be read keep the values that
    they have without being named.
    """

    options: Mapping[str, Value]
    problems: tuple[OptionsProblem, ...]
    ruleset: Ruleset | None


def check_options(preset: str, given: Mapping[str, object], board: Board) -> CheckedOptions:
    """A preset with other values for some options, on a board; impossible values are no error.

    Raises RubiconError, `ruleset/unknown-preset`.
    """
    found: list[OptionsProblem] = []
    stated: dict[str, Value] = {}
    for name, value in given.items():
        problem = option_problem(name, value)
        if problem is None:
            stated[name] = OPTIONS[name].read(value)
        else:
            found.append(OptionsProblem(*problem, (name,)))
    options = with_implied(preset_options(preset), stated)
    chosen = Chosen(options, board)
    for conflict in conflicts(chosen):
        message = f"{conflict.given(chosen)}: {conflict.explained(chosen)}"
        found.append(OptionsProblem("ruleset/impossible", message, "", conflict.options))
    if found:
        return CheckedOptions(options, tuple(found), None)
    try:
        return CheckedOptions(options, (), Ruleset.load(preset, given, board=board))
    except RubiconError as error:  # a name that the board does not have
        problem_of = OptionsProblem(error.code, error.message, error.suggestion, ())
        return CheckedOptions(options, (problem_of,), None)
