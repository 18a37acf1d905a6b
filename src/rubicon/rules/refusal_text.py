"""The words of a refusal, which an option may declare and `rubicon.rules.refusals` collects."""

from dataclasses import KW_ONLY, dataclass


@dataclass(frozen=True, slots=True)
class RefusalText:
    """The words of a refusal: what is wrong (`sentence`), then what to do (`hint`, or "")."""

    code: str
    sentence: str
    hint: str = ""
    _: KW_ONLY
    rules: tuple[str, ...] = ()
