"""The problems of a ruleset, reported together."""

from collections.abc import Sequence
from typing import NamedTuple

from rubicon.errors import RubiconError


class RulesetProblem(NamedTuple):
    """One problem: a code, what is wrong, and what to do about it (or "")."""

    code: str
    message: str
    suggestion: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.suggestion}".strip()


class RulesetError(RubiconError):
    """A ruleset that cannot be played, with all its problems.

    Its code is that of the problems, or `ruleset/invalid` where they have different codes.
    """

    def __init__(self, source: str, problems: Sequence[RulesetProblem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        codes = {problem.code for problem in self.problems}
        code = codes.pop() if len(codes) == 1 else "ruleset/invalid"
        if len(self.problems) == 1:
            only = self.problems[0]
            super().__init__(code, f"{source}: {only.message}", only.suggestion)
            return
        found = "".join(f"\n  {problem} [{problem.code}]" for problem in self.problems)
        super().__init__(code, f"{source}: {len(self.problems)} problems found.{found}")

    def __reduce__(self) -> tuple[type["RulesetError"], tuple[str, tuple[RulesetProblem, ...]]]:
        return type(self), (self.source, self.problems)
