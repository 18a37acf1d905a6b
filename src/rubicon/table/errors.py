"""The errors of a table. `code` is stable and part of the HTTP API."""

from rubicon.errors import NotAllowed, NotFound, RubiconError, TooMany, Unavailable


class TableError(RubiconError):
    """A table refuses something; the code begins with the part of the table that it concerns."""


class TableNotFound(TableError, NotFound):
    """Something that is named does not exist here."""


class TableNotAllowed(TableError, NotAllowed):
    """Others may do this at the table: its host, or who has its link."""


class TableTooMany(TableError, TooMany):
    """The same was asked too often."""


class TextTooLong(TableError):
    """A text that is too long to be read."""

    status = 413


class NoSuchGame(TableNotFound):
    """The game does not exist, or is not visible to the client."""

    def __init__(self, game: str) -> None:
        super().__init__(
            "game/unknown", f"There is no game {game[:40]!r}.", "Check the link or the game's id."
        )


class Stale(TableError):
    """A submission for a decision that is not pending; `decision` is the pending one, or None."""

    status = 409

    def __init__(self, submitted: int, decision: int | None) -> None:
        self.decision = decision
        now = (
            f"Decision {decision} is pending now."
            if decision is not None
            else "You have nothing to decide now."
        )
        message = f"Decision {submitted} has been made already, or is no longer open."
        super().__init__("decision/stale", message, f"{now} Look at the game, and decide again.")

    def as_dict(self) -> dict[str, object]:
        """With the decision that is pending."""
        return super().as_dict() | {"decision": self.decision}


class DiceUnavailable(TableError, Unavailable):
    """The dice are not available; a committed request stays pending, and the server repeats it."""

    def __init__(self, why: str = "") -> None:
        message = "The dice are not available yet" + (f": {why}." if why else ".")
        super().__init__(
            "dice/unavailable",
            message,
            "Nothing is lost. The server repeats the request by itself.",
        )


class DiceRefused(DiceUnavailable):
    """An independent dice server refuses, or its answer does not hold: the game is stopped.

    `reason` is a code. The question is repeated now and then, in case a setting is corrected.
    """

    def __init__(self, reason: str, message: str, suggestion: str = "") -> None:
        self.reason = reason
        told = f"The game is stopped by its dice server ({reason}): {message}"
        hint = suggestion or "Ask the operator of the table, and look at the dice server's log."
        TableError.__init__(self, "dice/refused", told, hint)


class StoreUnavailable(TableError, Unavailable):
    """The database does not answer, or its disk is full; nothing was acknowledged."""

    def __init__(self, why: str) -> None:
        super().__init__(
            "database/unavailable",
            f"The database is unavailable: {why}.",
            "Try again. Nothing is done twice.",
        )


class StoreOutcomeUnknown(StoreUnavailable):
    """The connection to the database broke during a commit, which may or may not have succeeded."""

    # What was asked for may be done already: repeated without a look, it could act twice.
    retry = False

    def __init__(self, why: str) -> None:
        message = f"The database failed during the commit, which may or may not be done: {why}."
        suggestion = "Check the current state first. Decisions and orders can always be repeated."
        TableError.__init__(self, "database/outcome-unknown", message, suggestion)
