"""The rulebook: the rules in force, in words, with their sources in brackets.

The sentences are chosen by the options, so that a rulebook never describes a rule that is not
played. `regenerate` writes one for every preset to `docs/rulebook/`, a picture of the world
beside them, the table of options to `docs/options.md`, and the table of refusals into
`docs/cases.md`.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from rubicon.rulebook.battle import ATTACK, ELIMINATION, FORTIFY, OCCUPATION
from rubicon.rulebook.board import BOARD
from rubicon.rulebook.goals import (
    EXPERT,
    HEADQUARTERS,
    MISSIONS,
    NEUTRAL,
    OBJECTIVES,
    RESIGNATION,
    WINNING,
)
from rubicon.rulebook.opening import AIM, PIECES, SETUP
from rubicon.rulebook.options_page import options_page
from rubicon.rulebook.picture import picture
from rubicon.rulebook.refusals_table import with_refusals
from rubicon.rulebook.turn import ARMIES, CARDS, TURN
from rubicon.rules.board.board import Board
from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.ruleset import DEFAULT_BOARD, Ruleset, presets

SECTIONS = (
    AIM,
    BOARD,
    PIECES,
    SETUP,
    TURN,
    ARMIES,
    CARDS,
    ATTACK,
    OCCUPATION,
    ELIMINATION,
    FORTIFY,
    NEUTRAL,
    OBJECTIVES,
    MISSIONS,
    HEADQUARTERS,
    WINNING,
    RESIGNATION,
    EXPERT,
)

DOCS = Path(__file__).parents[3] / "docs"
PICTURE = f"{DEFAULT_BOARD}.svg"
OUTSIDE = "*"  # marks a source that the game itself does not follow

_SEED = re.compile(r"\b(S00\d)-\d\d")
_BRACKETS = re.compile(r"\[[^\]]+\]")


def rulebook(ruleset: Ruleset, picture_path: str = "") -> str:
    """The rules of a ruleset, as Markdown; at its end the value of every option.

    `picture_path` is the path of a picture of the board, relative to the page.
    """
    drawn = f"![The board]({picture_path})\n\n" if picture_path else ""
    sources = ruleset.sources or presets()[ruleset.preset].sources
    rules = with_outside_sources(chapters(ruleset.chosen), sources)
    return f"{heading(ruleset)}\n{drawn}{rules}\n{appendix(ruleset)}"


def heading(ruleset: Ruleset) -> str:
    """Title, description and how to read the ids in brackets."""
    sources = f"It follows {', '.join(ruleset.sources)}. " if ruleset.sources else ""
    return (
        f"# {ruleset.title}\n\n{ruleset.description}\n\n"
        f"{sources}The ids in brackets name what each rule rests on: `S` a sentence of a source, "
        "`A` a question that the sources leave open, a number a chapter, `own` a rule of Rubicon; "
        f"docs/glossary.md has more. `{OUTSIDE}` marks a source that this game does not itself "
        "follow: it fills a gap or says the same.\n"
    )


def chapters(chosen: Chosen) -> str:
    """The rules themselves, without title and appendix."""
    return "\n".join(filter(None, (section.markdown(chosen) for section in SECTIONS)))


def with_outside_sources(text: str, sources: Iterable[str]) -> str:
    """The text with a mark behind every source that is not among these: `S003-12*`."""
    own = set(sources)

    def marked(found: re.Match[str]) -> str:
        return found[0] if found[1] in own else found[0] + OUTSIDE

    return _BRACKETS.sub(lambda group: _SEED.sub(marked, group[0]), text)


def appendix(ruleset: Ruleset) -> str:
    """Every option with its value and its default; values that differ are bold."""
    rows = [
        "## All options",
        "",
        f"Ruleset `{ruleset.name}`, version {ruleset.version}, on the board "
        f"`{ruleset.board.id}`, version {ruleset.board.version}.",
        "",
        "| option | value | default |",
        "| --- | --- | --- |",
    ]
    for name, option in OPTIONS.items():
        value, default = ruleset.option_text(name), option.text(option.default)
        shown = f"`{value}`" if value == default else f"**`{value}`**"
        rows.append(f"| `{name}` | {shown} | `{default}` |")
    return "\n".join(rows) + "\n"


def generated() -> Mapping[str, str]:
    """The generated files, by their paths below `docs/`."""
    books = {
        f"rulebook/{name}.md": rulebook(ruleset, PICTURE) for name, ruleset in presets().items()
    }
    drawn = {f"rulebook/{PICTURE}": picture(Board.load(DEFAULT_BOARD))}
    cases = with_refusals((DOCS / "cases.md").read_text(encoding="utf-8"))
    return {"options.md": options_page(), "cases.md": cases, **books, **drawn}


def regenerate(docs: Path = DOCS) -> None:
    """Write the generated files."""
    for name, text in generated().items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
