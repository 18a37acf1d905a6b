"""How the rulebook is put together: sentences that depend on the options in force."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rubicon.rules.impossible import Chosen
from rubicon.rules.option import EMPTY

Test: TypeAlias = Callable[[Chosen], bool]
Text: TypeAlias = str | Callable[[Chosen], str]
Line: TypeAlias = Callable[[Chosen], str]  # a sentence or more, "" where there is nothing to say
Paragraph: TypeAlias = tuple[Line, ...]

DIGITS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Section:
    """A heading and its paragraphs; without any it is left out."""

    title: str
    paragraphs: tuple[Paragraph, ...]

    def markdown(self, chosen: Chosen) -> str:
        """The section under these options, "" where it has nothing to say."""
        texts = [" ".join(filter(None, (line(chosen) for line in p))) for p in self.paragraphs]
        body = "\n\n".join(filter(None, texts))
        return f"## {self.title}\n\n{body}\n" if body else ""


def say(text: Text) -> Line:
    """A sentence that is always there."""
    return lambda chosen: text if isinstance(text, str) else text(chosen)


def where(test: Test, text: Text, otherwise: Text = "") -> Line:
    """A sentence that depends on a test."""
    return lambda chosen: say(text if test(chosen) else otherwise)(chosen)


def pick(name: str, texts: Mapping[str, Text], test: Test | None = None) -> Line:
    """The sentence for the value of an option."""
    line: Line = lambda chosen: say(texts[chosen.text(name)])(chosen)  # noqa: E731
    return line if test is None else where(test, line)


def has(name: str, *values: str) -> Test:
    """Whether an option has one of these values."""
    return lambda chosen: chosen.has(name, *values)


def lacks(name: str, *values: str) -> Test:
    """Whether an option has none of these values."""
    return lambda chosen: not chosen.has(name, *values)


def both(first: Test, second: Test) -> Test:
    """Whether two tests hold."""
    return lambda chosen: first(chosen) and second(chosen)


def word(number: int) -> str:
    """A small number in words."""
    return DIGITS[number] if 0 <= number < len(DIGITS) else str(number)


def plural(number: int, one: str, many: str = "") -> str:
    """`one army`, `two armies`."""
    return f"{word(number)} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *rest, end = words or [""]
    return f"{', '.join(rest)} {last} {end}" if rest else end


def bullets(lines: Sequence[str]) -> str:
    """A list, one line each."""
    return "\n".join(f"- {line}" for line in lines)


def custom(chosen: Chosen, name: str) -> str:
    """The entries of a table of one’s own, `` `alaska` cavalry, `alberta` infantry``."""
    text = chosen.text(name)
    entries = [] if text == EMPTY else text.split()
    return ", ".join(" ".join(entry.replace("_", " ").split(":")) for entry in entries)


def territories(chosen: Chosen) -> int:
    """How many territories the board has."""
    return len(chosen.board.territories)


def players(chosen: Chosen) -> str:
    """`two`, `three to six`."""
    fewest, most = word(chosen.players.start), word(chosen.players.stop - 1)
    return fewest if fewest == most else f"{fewest} to {most}"


def several_counts(chosen: Chosen) -> bool:
    """Whether the number of players is not fixed."""
    return len(chosen.players) > 1


def capitals(chosen: Chosen) -> bool:
    """Whether there are capitals."""
    return chosen.has("setup.capitals", "true")


def headquarters(chosen: Chosen) -> bool:
    """Whether the goal is headquarters."""
    return chosen.has("victory.goal", "headquarters")


def missions(chosen: Chosen) -> bool:
    """Whether there are secret missions."""
    return not chosen.has("missions.deck", "none")


def stars(chosen: Chosen) -> bool:
    """Whether cards bear stars."""
    return chosen.has("cards.deck", "stars42")


def sets(chosen: Chosen) -> bool:
    """Whether cards are traded in sets."""
    return not stars(chosen)


def objectives(chosen: Chosen) -> bool:
    """Whether objectives are claimed."""
    return chosen.objectives_in_play


def neutral_at_start(chosen: Chosen) -> bool:
    """Whether neutral armies stand on the board from the start."""
    return not chosen.has("neutral.layout", "none")


def rebels(chosen: Chosen) -> bool:
    """Whether there may be rebels."""
    return not chosen.has("rebels.setup", "none")


def outsiders(chosen: Chosen) -> str:
    """What armies of nobody are called."""
    return "rebel" if rebels(chosen) else "neutral"
