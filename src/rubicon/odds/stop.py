"""Stop rules: when an attack ends before the capture."""

from dataclasses import dataclass

from rubicon.arguments import WrongType
from rubicon.odds.limits import check_at_least, check_chance


@dataclass(frozen=True, slots=True)
class Stop:
    """The attack ends as soon as one of these holds; without any it goes on to the end.

    `left`: at most this many armies are left on the attacking territory. `lost`: the attacker
    lost this many armies in the battle. `rounds`: this many rolls were made. `odds`: the chance
    to capture, if the attack goes on to the end under `left` and `lost`, is below this.

    Raises RubiconError: `odds/bad-number`, `odds/bad-chance`, `odds/not-whole`.
    """

    left: int = 1
    lost: int | None = None
    rounds: int | None = None
    odds: float | None = None

    def __post_init__(self) -> None:
        check_at_least(self.left, 1, "The number of armies left")
        for value, what in (
            (self.lost, "The number of armies lost"),
            (self.rounds, "The number of rounds"),
        ):
            if value is not None:
                check_at_least(value, 1, what)
        if self.odds is not None:
            check_chance(self.odds)

    def left_of(self, attack: int) -> int:
        """The number of armies at which an attack that began with `attack` armies ends."""
        return self.left if self.lost is None else max(self.left, attack - self.lost)

    def __str__(self) -> str:
        parts = [f"{self.left} left"] if self.left > 1 else []
        parts += [] if self.lost is None else [f"{self.lost} lost"]
        parts += [] if self.rounds is None else [f"{self.rounds} rounds"]
        parts += [] if self.odds is None else [f"odds below {100 * self.odds:.4g} %"]
        return " or ".join(parts) or "the end"


TO_THE_END = Stop()


def check_stop(given: object) -> None:
    """WrongType, `odds/not-a-stop`, for anything but a Stop."""
    if not isinstance(given, Stop):
        raise WrongType("odds/not-a-stop", given, "a stop rule", "Write Stop(left=3).")
