"""What is wrong with a ruleset, all at once."""

from collections.abc import Sequence
from typing import NamedTuple

from rubicon.rules.errors import RubiconError


class Problem(NamedTuple):
    """One thing that is wrong, with what would do, or ""."""

    code: str
    message: str
    suggestion: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.suggestion}".strip()


class RulesetError(RubiconError):
    """A ruleset that cannot be played; `problems` has every reason.

    Its code is that of the problem, or `ruleset/invalid` where there are several kinds.
    """

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
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

    def __reduce__(self) -> tuple[type["RulesetError"], tuple[str, tuple[Problem, ...]]]:
        return type(self), (self.source, self.problems)
