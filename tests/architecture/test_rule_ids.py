"""Every rule of the rulebook, and every option, is shown by a case."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from rubicon.casebook.parser import Case, read_cases
from rubicon.casebook.run import prepare
from rubicon.rules.options.option import Use
from rubicon.rules.options.registry import OPTIONS

CASES = Path(__file__).parents[1] / "cases"
WITHOUT = CASES / "rules-without-consequence.txt"

SENTENCES = {"S000": 25, "S001": 80, "S002": 55, "S003": 44, "S004": 35}
LAST_QUESTION = 94
QUESTIONS_IN_PARTS = ("A-18b", "A-22b", "A-22c", "A-22d")
# The catalogue of edge cases, chapter 6 of the rulebook.
CATALOGUE = """
    001 003 004 006 007 009 010 012 013 015 016 018 019 021 022 024 025 027 028 030 031 033 034
    036 037 041 042 044 045 047 048 050 051 053 054 056 060 062 063 065 066 068 069 071 072 074
    075 077 078 080 081 083 084 090 091 093 094 096 097 099 100 110 111 113 114 116 117 119 120
    122 123 125 126 128 129 131 132 134 135 137 138 140 150 152 153 155 156 158 159 161 162 164
    170 172 173 175 176 178 179 181 182 184 185 187 188 190 191 193 194 196 197 199 200 202 203
    205 206 207 209 210 212 213 215 216 218 219 221 222 224 225 227 228 230 231 233 234 236
"""
CHAPTERS = re.compile(r"[1-5]\.\d|RW[1-7]")


def rule_ids() -> list[str]:
    """The ids of the rulebook, in its order."""
    sentences = [f"{seed}-{n:02}" for seed, last in SENTENCES.items() for n in range(1, last + 1)]
    questions = [f"A-{n:02}" for n in range(1, LAST_QUESTION + 1)]
    return [*sentences, *questions, *QUESTIONS_IN_PARTS]


def catalogue() -> list[str]:
    """The ids of the catalogue's cases."""
    return [f"T{number}" for number in CATALOGUE.split()]


@cache
def all_cases() -> list[Case]:
    cases: list[Case] = []
    for path in sorted(CASES.rglob("*.case")):
        found, errors = read_cases(path.read_text(encoding="utf-8"), path.name)
        assert not errors
        cases += found
    return cases


def exceptions() -> dict[str, str]:
    """The rules that no case shows, and why."""
    lines = [line for line in WITHOUT.read_text(encoding="utf-8").splitlines() if line.strip()]
    pairs = [line.split(" ", 1) for line in lines if not line.startswith("#")]
    assert all(len(pair) == 2 and pair[1].strip() for pair in pairs)
    return {pair[0]: pair[1] for pair in pairs}


def shown() -> set[str]:
    return {rule for case in all_cases() for rule in case.rules}


def test_every_rule_is_shown_by_a_case_or_has_no_consequence() -> None:
    missing = [rule for rule in rule_ids() if rule not in shown() and rule not in exceptions()]
    assert missing == []


def test_every_case_of_the_catalogue_exists_or_is_listed_as_an_exception() -> None:
    names = {case.name.partition("-")[0] for case in all_cases()}
    assert [name for name in catalogue() if name not in names and name not in exceptions()] == []
    assert sorted(name for name in names if name[0] == "T" and name not in catalogue()) == []


def test_exceptions_are_known_and_needed() -> None:
    names = {case.name.partition("-")[0] for case in all_cases()}
    assert sorted((shown() | names) & set(exceptions())) == []
    assert set(exceptions()) <= {*rule_ids(), *catalogue()}


def test_cases_name_only_rules_that_exist() -> None:
    known = set(rule_ids())
    assert sorted(rule for rule in shown() if rule not in known and not CHAPTERS.match(rule)) == []


def test_every_case_has_rules_and_a_title() -> None:
    assert [case.name for case in all_cases() if not (case.rules and case.title)] == []


def test_every_option_of_the_game_is_set_by_a_case() -> None:
    """Options of the table are read by the server and the display, never by the game."""
    named = {name for case in all_cases() for _, name, _ in case.options}
    game = {name for name, option in OPTIONS.items() if option.use != Use.TABLE}
    assert sorted(game - named) == []


def test_every_value_of_every_choice_is_in_force_in_some_case() -> None:
    shown = {(name, text) for options in in_force() for name, text in options.items()}
    missing = [
        f"{option.name}={text}"
        for option in OPTIONS.values()
        for text in option.values
        if option.use != Use.TABLE and (option.name, text) not in shown
    ]
    assert missing == []


def in_force() -> list[dict[str, str]]:
    """The options of every ruleset that a case is tried under, as texts."""
    prepared = [prepared for case in all_cases() for prepared in prepare(opening_only(case))[0]]
    rulesets = {id(prepared.context.ruleset): prepared.context.ruleset for prepared in prepared}
    return [
        {name: OPTIONS[name].text(value) for name, value in ruleset.options.items()}
        for ruleset in rulesets.values()
    ]


def opening_only(case: Case) -> Case:
    """As much of a case as decides its rulesets and seats."""
    steps = tuple(step for step in case.steps if step.keyword == "start")
    return replace(case, position=(), steps=steps)
