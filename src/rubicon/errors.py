"""The base class of every error that a user may meet."""

from typing import Any


class RubiconError(Exception):
    """A request that cannot be carried out, and why.

    `code` is stable and meant for programs (`board/unknown-neighbour`); `message` is a sentence for
    people that says what is wrong; `suggestion` says what to do instead, or is "".
    """

    def __init__(self, code: str, message: str, suggestion: str = "") -> None:
        self.code = code
        self.message = message
        self.suggestion = suggestion
        super().__init__(f"{message} {suggestion}".strip())

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which would call a subclass with the sentence alone."""
        return _restored, (type(self), self.args, self.__dict__)

    def as_dict(self) -> dict[str, object]:
        """The error as programs get it."""
        return {"code": self.code, "message": self.message, "suggestion": self.suggestion}


def _restored(kind: type[RubiconError], args: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(fields)
    return error
