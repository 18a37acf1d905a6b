"""The one shape of every error that a user may meet."""


class RubiconError(Exception):
    """Something that was asked cannot be done, and why.

    `code` is stable and meant for programs (`board/unknown-neighbour`); `message` is a
    sentence for people that quotes what was given; `suggestion` says what would do, or "".
    """

    def __init__(self, code: str, message: str, suggestion: str = "") -> None:
        self.code = code
        self.message = message
        self.suggestion = suggestion
        super().__init__(f"{message} {suggestion}".strip())

    def as_dict(self) -> dict[str, str]:
        """The error as programs get it."""
        return {"code": self.code, "message": self.message, "suggestion": self.suggestion}
