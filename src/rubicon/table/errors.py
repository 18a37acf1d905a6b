"""What a table refuses."""

from rubicon.rules.errors import RubiconError


class TableError(RubiconError):
    """Something that a table does not do, and why; `code` begins with what is concerned."""


class NoSuchGame(TableError):
    """There is no such game, or it is not for whoever asks."""

    def __init__(self, game: str) -> None:
        super().__init__(
            "game/unknown", f"There is no game {game[:40]!r}.", "Check the link or the game's id."
        )


class Stale(TableError):
    """What was answered is asked no more; `duty` is what is asked now, None for nothing."""

    def __init__(self, asked: int, duty: int | None) -> None:
        self.duty = duty
        now = f"The duty is now {duty}." if duty is not None else "Nothing is asked of you now."
        message = f"Duty {asked} was answered already, or is no longer open."
        super().__init__("duty/stale", message, f"{now} Look at the game, and decide again.")


class DiceAway(TableError):
    """The source of the dice does not answer; the request stands, and is asked again."""

    def __init__(self, why: str = "") -> None:
        message = "The dice do not answer at the moment" + (f" ({why})." if why else ".")
        super().__init__(
            "dice/away", message, "Nothing is lost: the same request is asked again by itself."
        )


class StoreAway(TableError):
    """The database does not answer, or its disk is full; nothing was acknowledged."""

    def __init__(self, why: str) -> None:
        super().__init__(
            "store/away",
            f"The store cannot take it now: {why}.",
            "Try again: nothing is done twice.",
        )


class StoreUnsure(StoreAway):
    """The database went in the middle of a commit: nobody knows whether it is done."""

    def __init__(self, why: str) -> None:
        message = f"The store went while it was taking it, which may be done or not: {why}."
        suggestion = "Look how things stand before you ask again; orders may always be sent again."
        TableError.__init__(self, "store/unsure", message, suggestion)
