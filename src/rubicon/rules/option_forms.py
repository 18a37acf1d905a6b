"""Short ways to write the rows of the table of options."""

from collections.abc import Mapping
from enum import IntEnum

from rubicon.rules.option import AnyKind, Choice, Flag, Option, Use


class Group:
    """One part of the table, and its rows in order."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.options: list[Option] = []

    def choice(
        self,
        name: str,
        enum: type[IntEnum] | None,
        sources: str,
        meaning: str,
        values: Mapping[str, str],
        *,
        use: Use = Use.RULES,
        default: str = "",
    ) -> None:
        """One word of several; the first is the default unless another is named."""
        kind = Choice(tuple(values), enum)
        self.row(name, kind, default or kind.words[0], sources, meaning, values, use=use)

    def flag(
        self,
        name: str,
        default: bool,
        sources: str,
        meaning: str,
        yes: str,
        no: str,
        *,
        use: Use = Use.RULES,
    ) -> None:
        """True or false, and what each means."""
        self.row(name, Flag(), default, sources, meaning, {"true": yes, "false": no}, use=use)

    def built_in(self, name: str, value: str, sources: str, meaning: str, reason: str) -> None:
        """One value, and why there is no other."""
        kind = Flag((value == "true",)) if value in {"true", "false"} else Choice((value,))
        self.row(name, kind, value, sources, meaning, {value: meaning}, reason, Use.BUILT_IN)

    def row(
        self,
        name: str,
        kind: AnyKind,
        default: object,
        sources: str,
        meaning: str,
        values: Mapping[str, str] | None = None,
        why_fixed: str = "",
        use: Use = Use.RULES,
    ) -> None:
        """Any kind of option; the default may be written in any form."""
        ids = tuple(sources.split())
        texts = dict(values or {})
        value = kind.read(default)
        self.options.append(
            Option(name, self.title, kind, value, meaning, ids, texts, use, why_fixed)
        )
