"""What a declaration of an option holds: `Option`, and the parts it is made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from rubicon.engine.refusal import Refusal
from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.kinds import AnyKind, BadValue, Value, value_text
from rubicon.rules.refusal_text import RefusalText

Text: TypeAlias = str | Callable[[Chosen], str]


def said(text: Text, chosen: Chosen) -> str:
    """A text, computed where it depends on the options in force."""
    return text if isinstance(text, str) else text(chosen)


class Use(Enum):
    """Which part of the program reads an option."""

    RULES = "rules"  # the engine, as a field of `engine.records.tables.Rules`
    BOARD = "board"  # the board's arrays, or a derived field of `Rules`
    TABLE = "table"  # what players are shown and told; the course of the game never depends on it
    BUILT_IN = "built in"  # nothing: it has one value, and the engine follows it


@dataclass(frozen=True)
class Meaning:
    """What one value of an option means.

    `text` is one line for lists and forms, `rulebook` the sentence for players (with the ids it
    rests on in brackets), `implies` the values of other options that come along with it, written
    `setup.claim = draft if deal_cards random`: the words behind `if` are the values that give way.
    `label` is the value in a word or two; "" where the value itself will do.
    """

    text: str
    rulebook: Text = ""
    implies: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True)
class Conflict:
    """A combination of values that is refused: the options concerned, when, and why.

    `detail` adds the numbers of the case at hand to the reason.
    """

    options: tuple[str, ...]
    when: Callable[[Chosen], bool]
    reason: str
    detail: Text = ""

    def given(self, chosen: Chosen) -> str:
        """The values concerned, as people write them."""
        return ", ".join(f"{name}={chosen.text(name)}" for name in self.options)

    def explained(self, chosen: Chosen) -> str:
        """The reason for these options: a sentence or two."""
        return f"{self.reason} {said(self.detail, chosen)}".strip()


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option, declared in one place; everything else about it is derived from this.

    `values` has a meaning for each value of a choice, and for single values of the other kinds.
    `rulebook` is the sentence of kinds whose values have none of their own, `implies` what any
    value but an empty table or list implies. `only_if` names the
    options that must have certain values for this one to matter: `victory.goal=headquarters`.
    `refusals` are the refusals that exist because of this option, in words. `section` is the title
    of the rulebook's section that ends with its sentence, where no section names the option.
    """

    name: str
    label: str  # in a form: a few words
    group: str
    kind: AnyKind
    default: Value
    meaning: str
    sources: tuple[str, ...]
    values: Mapping[str, Meaning]
    rulebook: Text = ""
    section: str = ""
    implies: tuple[str, ...] = ()
    only_if: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    refusals: Mapping[Refusal, RefusalText] = field(default_factory=dict)
    use: Use = Use.RULES
    why_fixed: str = ""  # why there is no other value

    @property
    def field(self) -> str:
        """Its field in `engine.records.tables.Rules`."""
        return self.name.replace(".", "_")

    @property
    def fixed(self) -> bool:
        """Whether it has one value only."""
        return bool(self.why_fixed)

    def read(self, given: object) -> Value:
        """The Python form of a value in any form; raises BadValue."""
        try:
            return self.kind.read(given)
        except BadValue as error:
            if not self.why_fixed:
                raise
            raise BadValue(f"is not possible: {self.why_fixed}", error.suggestion) from error

    def text(self, value: Value) -> str:
        """The text of a value in Python form."""
        return value_text(value)

    def matters(self, chosen: Chosen) -> bool:
        """Whether any value of this option can make a difference beside the others."""
        return all(chosen.meets(condition) for condition in self.only_if)

    def sentence(self, chosen: Chosen) -> str:
        """What the rulebook says for the value in force; "" where the option does not matter."""
        if not self.matters(chosen):
            return ""
        meaning = self.values.get(chosen.text(self.name))
        text = meaning.rulebook if meaning is not None and meaning.rulebook else self.rulebook
        return said(text, chosen)
