"""The README's example is executed."""

import doctest
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_readme_example() -> None:
    results = doctest.testfile(str(README), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.attempted >= 8
    assert results.failed == 0


def test_readme_links_exist() -> None:
    text = README.read_text(encoding="utf-8")
    for link in text.split("](")[1:]:
        target = link.partition(")")[0].partition("#")[0]
        assert (README.parent / target).exists(), target
