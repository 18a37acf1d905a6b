"""Short ways to write the declarations of options, group by group."""

from collections.abc import Mapping
from enum import IntEnum
from typing import NotRequired, TypedDict, Unpack

from rubicon.engine.refusal import Refusal
from rubicon.rules.options.kinds import AnyKind, Choice, Flag
from rubicon.rules.options.option import Conflict, Meaning, Option, Text, Use
from rubicon.rules.refusal_text import RefusalText


class Extras(TypedDict):
    """The label, and the parts of a declaration that many options do without: see `Option`."""

    label: str
    implies: NotRequired[tuple[str, ...]]
    only_if: NotRequired[tuple[str, ...]]
    conflicts: NotRequired[tuple[Conflict, ...]]
    refusals: NotRequired[Mapping[Refusal, RefusalText]]
    rulebook: NotRequired[Text]
    section: NotRequired[str]
    use: NotRequired[Use]
    why_fixed: NotRequired[str]


class Group:
    """One chapter of the options, and its declarations in order."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.options: list[Option] = []

    def choice(
        self,
        name: str,
        enum: type[IntEnum] | None,
        sources: str,
        meaning: str,
        values: Mapping[str, Meaning],
        *,
        default: str = "",
        **extras: Unpack[Extras],
    ) -> None:
        """One word of several; the first is the default unless another is named.

        The words are the names of the enumeration in lower case, in its order.
        """
        kind = Choice(tuple(values), enum)
        self.row(name, kind, default or kind.words[0], sources, meaning, values=values, **extras)

    def flag(
        self,
        name: str,
        default: bool,
        sources: str,
        meaning: str,
        *,
        yes: Meaning,
        no: Meaning,
        **extras: Unpack[Extras],
    ) -> None:
        """True or false, and what each means."""
        values = {"true": yes, "false": no}
        self.row(name, Flag(), default, sources, meaning, values=values, **extras)

    def built_in(
        self, name: str, value: str, sources: str, meaning: str, reason: str, *, label: str
    ) -> None:
        """An option with one value, and why it has no other."""
        kind = Flag((value == "true",)) if value in {"true", "false"} else Choice((value,))
        only = {value: Meaning(meaning)}
        fixed: Extras = {"label": label, "why_fixed": reason, "use": Use.BUILT_IN}
        self.row(name, kind, value, sources, meaning, values=only, **fixed)

    def row(
        self,
        name: str,
        kind: AnyKind,
        default: object,
        sources: str,
        meaning: str,
        *,
        values: Mapping[str, Meaning] | None = None,
        **extras: Unpack[Extras],
    ) -> None:
        """An option of any kind; the default may be written in any form.

        `sources` are ids of the collection of rules, or `own` for a rule that is in no source.
        """
        self.options.append(
            Option(
                name=name,
                group=self.title,
                kind=kind,
                default=kind.read(default),
                meaning=meaning,
                sources=tuple(sources.split()),
                values=dict(values or {}),
                **extras,
            )
        )
