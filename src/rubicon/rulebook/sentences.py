"""How the rulebook is put together: sections of sentences that depend on the options in force."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.option import Text, said
from rubicon.rules.options.registry import OPTIONS

Test: TypeAlias = Callable[[Chosen], bool]
Line: TypeAlias = Callable[[Chosen], str]  # a sentence or more, "" where there is nothing to say
Paragraph: TypeAlias = tuple[Line, ...]


@dataclass(frozen=True)
class Section:
    """A heading and its paragraphs; it is left out where no paragraph says anything.

    The last paragraph is made of the options that declare themselves a part of the section.
    """

    title: str
    paragraphs: tuple[Paragraph, ...]

    def texts(self, chosen: Chosen) -> list[str]:
        """The paragraphs under these options that say anything, as Markdown."""
        # So a new option has its sentence here without a change of this package.
        own = tuple(option.sentence for option in OPTIONS.values() if option.section == self.title)
        paragraphs = (*self.paragraphs, own)
        texts = [" ".join(filter(None, (line(chosen) for line in p))) for p in paragraphs]
        return list(filter(None, texts))

    def markdown(self, chosen: Chosen) -> str:
        """The section under these options; "" where it is left out."""
        body = "\n\n".join(self.texts(chosen))
        return f"## {self.title}\n\n{body}\n" if body else ""


def says(name: str, test: Test | None = None) -> Line:
    """The sentence that an option declares for its value in force."""
    option = OPTIONS[name]
    return option.sentence if test is None else where(test, option.sentence)


def say(text: Text) -> Line:
    """A sentence that is always there."""
    return lambda chosen: said(text, chosen)


def where(test: Test, text: Text, otherwise: Text = "") -> Line:
    """A sentence that depends on a test."""
    return lambda chosen: said(text if test(chosen) else otherwise, chosen)


def pick(name: str, texts: Mapping[str, Text]) -> Line:
    """A second sentence for an option's value, beside the declared one; "" for other values."""
    return lambda chosen: said(texts.get(chosen.text(name), ""), chosen)


def has(name: str, *values: str) -> Test:
    """Tests whether an option has one of these values."""
    return lambda chosen: chosen.has(name, *values)


def lacks(name: str, *values: str) -> Test:
    """Tests whether an option has none of these values."""
    return lambda chosen: not chosen.has(name, *values)


def both(first: Test, second: Test) -> Test:
    """Tests whether two tests hold."""
    return lambda chosen: first(chosen) and second(chosen)


def bullets(lines: Sequence[str]) -> str:
    """A list, one line each."""
    return "\n".join(f"- {line}" for line in lines)


def capitals(chosen: Chosen) -> bool:
    """Whether there are capitals."""
    return chosen.has("setup.capitals", "true")


def headquarters(chosen: Chosen) -> bool:
    """Whether the goal is headquarters."""
    return chosen.has("victory.goal", "headquarters")


def missions(chosen: Chosen) -> bool:
    """Whether there are secret missions."""
    return chosen.has_missions


def objectives(chosen: Chosen) -> bool:
    """Whether objectives are claimed."""
    return chosen.objectives_in_play


def stars(chosen: Chosen) -> bool:
    """Whether cards are traded for their stars."""
    return chosen.has("cards.deck", "stars42")


def sets(chosen: Chosen) -> bool:
    """Whether cards are traded in sets."""
    return not stars(chosen)
