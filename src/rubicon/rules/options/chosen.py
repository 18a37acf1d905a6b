"""A value for every option on one board, as conditions and sentences read them."""

from collections.abc import Mapping
from dataclasses import dataclass

from rubicon.engine.records.position import SEATS
from rubicon.engine.records.tables import MissionKind, ObjectiveKind
from rubicon.rules.board.board import Board
from rubicon.rules.options.kinds import Value, value_text

NOT_IN_SEED = "OB06"  # control 1 enemy capital (5.1)
US12 = ("M01", "M02", "M03", "M04", "M05", "M06", "M09", "M10", "M11", "M12", "M13", "M14")
EURO14 = tuple(f"M{number:02}" for number in range(1, 15))


@dataclass(frozen=True)
class Chosen:
    """A value for every option, and the board that is played on.

    It knows no declarations, so that declarations can use it in their conditions and sentences.
    """

    options: Mapping[str, Value]
    board: Board

    def text(self, name: str) -> str:
        """The text of an option's value."""
        return value_text(self.options[name])

    def has(self, name: str, *values: str) -> bool:
        """Whether an option has one of these values."""
        return self.text(name) in values

    def meets(self, condition: str) -> bool:
        """Whether a condition holds, such as `cards.deck=44 42`: one of the values is in force."""
        name, _, values = condition.partition("=")
        return self.has(name, *values.split())

    def number(self, name: str) -> int:
        """The value of an option that is a whole number; raises TypeError for words."""
        value = self.options[name]
        if not isinstance(value, int):
            raise TypeError(f"{name} is {value!r}, not a number")
        return value

    def counts(self, name: str) -> dict[int, int]:
        """A table of whole numbers by whole numbers."""
        value = self.options[name]
        return {int(k): int(v) for k, v in value.items()} if isinstance(value, Mapping) else {}

    def words(self, name: str) -> dict[str, str]:
        """A table of words by names of the board."""
        value = self.options[name]
        return {str(k): str(v) for k, v in value.items()} if isinstance(value, Mapping) else {}

    @property
    def players(self) -> range:
        """Every number of players that the options allow."""
        return range(self.number("players.min"), self.number("players.max") + 1)

    @property
    def territories(self) -> int:
        """How many territories the board has."""
        return len(self.board.territories)

    @property
    def cities(self) -> int:
        """How many cities are dealt; `board` means as many as the board names."""
        return (
            self.board.cities if self.has("setup.cities", "board") else self.number("setup.cities")
        )

    @property
    def missions(self) -> tuple[str, ...]:
        """The ids of the missions in the deck (4.2)."""
        custom = self.options["missions.custom"]
        own = custom if isinstance(custom, tuple) else ()
        decks = {"none": (), "us12": US12, "euro14": EURO14, "custom": own}
        return decks[self.text("missions.deck")]

    @property
    def has_missions(self) -> bool:
        """Whether players hold secret missions."""
        return not self.has("missions.deck", "none")

    @property
    def has_targets(self) -> bool:
        """Whether a mission of the deck is to destroy a colour."""
        kinds = {mission.id: mission.kind for mission in self.board.missions}
        return any(kinds.get(name) is MissionKind.DESTROY for name in self.missions)

    @property
    def fallback(self) -> str:
        """What a mission turns into that can no longer be done, as `24 territories`."""
        return f"{self.board.mission_fallback} territories"

    @property
    def objectives(self) -> tuple[str, ...]:
        """The ids of the objectives in the pool (5.1)."""
        pool = self.text("objectives.pool")
        ids = tuple(objective.id for objective in self.board.objectives)
        if pool == "none":
            return ()
        return tuple(name for name in ids if name != NOT_IN_SEED or pool == "r08_12")

    @property
    def objectives_in_play(self) -> bool:
        """Whether objectives are claimed (A-54)."""
        if self.has("objectives.pool", "none"):
            return False
        conquest = self.has("victory.goal", "conquest") and self.options["conquest.objectives"]
        return self.has("victory.goal", "objectives") or conquest is True

    @property
    def has_rebels(self) -> bool:
        """Whether there may be rebels."""
        return not self.has("rebels.setup", "none")

    @property
    def outsiders(self) -> str:
        """What armies without a player are called: `rebel` or `neutral`."""
        return "rebel" if self.has_rebels else "neutral"

    @property
    def neutral_at_start(self) -> bool:
        """Whether neutral armies stand on the board from the start."""
        return not self.has("neutral.layout", "none")

    @property
    def to_share(self) -> int:
        """How many territories the players share among them, the neutral's piles included."""
        return self.territories - self.has("neutral.layout", "single40")


def share(chosen: Chosen, players: int) -> int:
    """The most territories that one player receives before placing."""
    if chosen.has("setup.claim", "deal_three_piles"):
        return -(-chosen.to_share // 3)
    return -(-chosen.to_share // players)


def mission_cards(chosen: Chosen, players: int) -> int:
    """The fewest missions in the deck once those against unused colours are out (4.1)."""
    kinds = {mission.id: mission.kind for mission in chosen.board.missions}
    colours = sum(kinds.get(name) is MissionKind.DESTROY for name in chosen.missions)
    kept = colours
    if chosen.has("missions.unused_colours", "removed"):
        kept = max(0, colours - (SEATS - players))
    return len(chosen.missions) - colours + kept


def objective_classes(chosen: Chosen) -> tuple[int, int]:
    """How many minor and how many major objectives the pool has."""
    classes = {o.id: "major" if o.major else "minor" for o in chosen.board.objectives}
    classes.update(chosen.words("objectives.class_table"))
    pool = [classes[name] for name in chosen.objectives]
    return pool.count("minor"), pool.count("major")


def most_asked(chosen: Chosen, *kinds: ObjectiveKind) -> int:
    """The most that an objective in play asks for, among objectives of these kinds."""
    if not chosen.objectives_in_play:
        return 0
    in_pool = [o for o in chosen.board.objectives if o.id in chosen.objectives]
    return max((o.count for o in in_pool if o.kind in kinds), default=0)
