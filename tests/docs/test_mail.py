"""`docs/internals/mail.md` is executed, and its table of failures is that of the corpus."""

import re
from pathlib import Path

from tests.mail.corpus_messages import FAILURES

PAGE = Path(__file__).parents[2] / "docs" / "internals" / "mail.md"


def test_the_example() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert program.count("assert ") >= 5
    exec(compile(program, str(PAGE), "exec"), {"__name__": "example"})


def test_the_failures_are_those_of_the_corpus() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert rows == list(FAILURES)
