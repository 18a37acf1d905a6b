"""The rulebook: the rules in force, in words, with their sources in brackets.

The sentences are chosen by the options, so that no rulebook speaks of what is not played.
`regenerate` writes one for every preset to `docs/rulebook/`, and the table of options to
`docs/options.md`.
"""

from collections.abc import Mapping
from pathlib import Path

from rubicon.rules.impossible import Chosen
from rubicon.rules.options import OPTIONS
from rubicon.rules.options_page import options_page
from rubicon.rules.rulebook_battle import ATTACK, ELIMINATION, FORTIFY, OCCUPATION
from rubicon.rules.rulebook_goals import (
    EXPERT,
    HEADQUARTERS,
    MISSIONS,
    NEUTRAL,
    OBJECTIVES,
    RESIGNATION,
    WINNING,
)
from rubicon.rules.rulebook_opening import AIM, PIECES, SETUP
from rubicon.rules.rulebook_turn import ARMIES, CARDS, TURN
from rubicon.rules.ruleset import Ruleset, presets

SECTIONS = (
    AIM,
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


def rulebook(ruleset: Ruleset) -> str:
    """The rules of a ruleset, as Markdown; at its end the value of every option."""
    return f"{heading(ruleset)}\n{chapters(ruleset.chosen)}\n{appendix(ruleset)}"


def heading(ruleset: Ruleset) -> str:
    """Title, description and what the sentences rest on."""
    sources = f"It follows {', '.join(ruleset.sources)}. " if ruleset.sources else ""
    return (
        f"# {ruleset.title}\n\n{ruleset.description}\n\n"
        f"{sources}In brackets stands what a rule rests on: `S` a source, `A` a question that the "
        "sources leave open and its answer, a number a chapter of the collection of rules.\n"
    )


def chapters(chosen: Chosen) -> str:
    """The rules themselves, without title and appendix."""
    return "\n".join(filter(None, (section.markdown(chosen) for section in SECTIONS)))


def appendix(ruleset: Ruleset) -> str:
    """Every option with its value and its default; what differs is bold."""
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
    """The generated pages, by their paths below `docs/`."""
    books = {f"rulebook/{name}.md": rulebook(ruleset) for name, ruleset in presets().items()}
    return {"options.md": options_page(), **books}


def regenerate(docs: Path = DOCS) -> None:
    """Write the generated pages."""
    for name, text in generated().items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
