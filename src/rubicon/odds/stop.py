"""When an attack is broken off."""

from dataclasses import dataclass

from rubicon.odds.limits import check_at_least, check_chance
from rubicon.rules.kinds import WrongKind


@dataclass(frozen=True, slots=True)
class Stop:
    """The attack ends as soon as one of these is true; without any it goes on to the end.

    `left`: so many armies, or fewer, are left on the attacking territory. `lost`: so many have
    been lost in this battle. `rounds`: so many rolls have been made. `odds`: the chance to
    capture, going on to the end under `left` and `lost`, is below this.

    Raises RubiconError: `odds/bad-number`, `odds/bad-chance`, `odds/not-whole`.
    """

    left: int = 1
    lost: int | None = None
    rounds: int | None = None
    odds: float | None = None

    def __post_init__(self) -> None:
        check_at_least(self.left, 1, "The armies left")
        for value, what in ((self.lost, "The armies lost"), (self.rounds, "The rounds")):
            if value is not None:
                check_at_least(value, 1, what)
        if self.odds is not None:
            check_chance(self.odds)

    def left_of(self, attack: int) -> int:
        """The armies at which an attack that began with `attack` ends, whatever else."""
        return self.left if self.lost is None else max(self.left, attack - self.lost)

    def __str__(self) -> str:
        parts = [f"{self.left} left"] if self.left > 1 else []
        parts += [] if self.lost is None else [f"{self.lost} lost"]
        parts += [] if self.rounds is None else [f"{self.rounds} rounds"]
        parts += [] if self.odds is None else [f"odds below {100 * self.odds:.4g} %"]
        return " or ".join(parts) or "the end"


TO_THE_END = Stop()


def check_stop(given: object) -> None:
    """WrongKind, `odds/not-a-stop`, for all but a Stop."""
    if not isinstance(given, Stop):
        raise WrongKind("odds/not-a-stop", given, "a stop rule", "Write Stop(left=3).")
