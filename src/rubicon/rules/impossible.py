"""Options that cannot go together, each with the reason."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rubicon.rules.board import Board
from rubicon.rules.option import Value
from rubicon.rules.options import OPTIONS
from rubicon.rules.position import OBJECTIVES_A_CLASS, SEATS
from rubicon.rules.tables import MissionKind, ObjectiveKind

NOT_IN_SEED = "OB06"  # control 1 enemy capital (5.1)
US12 = ("M01", "M02", "M03", "M04", "M05", "M06", "M09", "M10", "M11", "M12", "M13", "M14")
EURO14 = tuple(f"M{number:02}" for number in range(1, 15))


@dataclass(frozen=True)
class Chosen:
    """A value for every option, and the board on which they are to be played."""

    options: Mapping[str, Value]
    board: Board

    def text(self, name: str) -> str:
        """The text of an option’s value."""
        return OPTIONS[name].text(self.options[name])

    def has(self, name: str, *values: str) -> bool:
        """Whether an option has one of these values."""
        return self.text(name) in values

    def number(self, name: str) -> int:
        """The number of an option with one number; -1 for cities as the board has them."""
        return OPTIONS[name].kind.number(self.options[name])

    def counts(self, name: str) -> dict[int, int]:
        """A table of whole numbers."""
        value = self.options[name]
        return {int(k): int(v) for k, v in value.items()} if isinstance(value, Mapping) else {}

    def words(self, name: str) -> dict[str, str]:
        """A table of words."""
        value = self.options[name]
        return {str(k): str(v) for k, v in value.items()} if isinstance(value, Mapping) else {}

    @property
    def players(self) -> range:
        """Every number of players that there may be."""
        return range(self.number("players.min"), self.number("players.max") + 1)

    @property
    def cities(self) -> int:
        """How many cities there will be."""
        number = self.number("setup.cities")
        return self.board.cities if number < 0 else number

    @property
    def missions(self) -> tuple[str, ...]:
        """The ids of the missions in the deck (4.2)."""
        custom = self.options["missions.custom"]
        own = custom if isinstance(custom, tuple) else ()
        decks = {"none": (), "us12": US12, "euro14": EURO14, "custom": own}
        return decks[self.text("missions.deck")]

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


@dataclass(frozen=True)
class Impossible:
    """A combination that is refused: the options concerned, when, and why."""

    options: tuple[str, ...]
    when: Callable[[Chosen], bool]
    reason: str

    def given(self, chosen: Chosen) -> str:
        """The values concerned, as people write them."""
        return ", ".join(f"{name}={chosen.text(name)}" for name in self.options)


def share(chosen: Chosen, players: int) -> int:
    """The most territories that one player receives before placing."""
    to_share = len(chosen.board.territories)
    if chosen.has("setup.claim", "deal_three_piles"):
        return -(-to_share // 3)
    return -(-(to_share - chosen.has("neutral.layout", "single40")) // players)


def armies_missing(chosen: Chosen) -> bool:
    """Whether a number of players has no starting armies."""
    return any(players not in chosen.counts("setup.armies") for players in chosen.players)


def too_few_armies(chosen: Chosen) -> bool:
    """Whether starting armies do not suffice for one on every territory (A-07)."""
    armies = chosen.counts("setup.armies")
    return any(armies.get(n, 0) < share(chosen, n) for n in chosen.players if n in armies)


def too_many_armies(chosen: Chosen) -> bool:
    """Whether starting armies would not find room under the cap."""
    cap, room = chosen.number("army_cap"), len(chosen.board.territories)
    armies = chosen.counts("setup.armies")
    return cap > 0 and any(n * armies.get(n, 0) > cap * room for n in chosen.players)


def neutral_left_over(chosen: Chosen) -> bool:
    """Whether the moves of A-09 do not place every neutral army."""
    armies, territories = chosen.counts("setup.armies").get(2), len(chosen.board.territories)
    if armies is None or not chosen.has("neutral.layout", "fourteen"):
        return False
    piles = [(territories + 2 - pile) // 3 for pile in range(3)]
    moves = sum(-(-(armies - pile) // 2) for pile in piles[:2])
    return not 0 <= chosen.number("neutral.armies") - piles[2] <= moves


def unknown_missions(chosen: Chosen) -> bool:
    """Whether the deck holds missions that the board has not."""
    known = {mission.id for mission in chosen.board.missions}
    return bool(set(chosen.missions) - known)


def mission_cards(chosen: Chosen, players: int) -> int:
    """The fewest missions in the deck once unused colours are removed (4.1)."""
    kinds = {mission.id: mission.kind for mission in chosen.board.missions}
    colours = sum(kinds.get(name) is MissionKind.DESTROY for name in chosen.missions)
    kept = colours
    if chosen.has("missions.unused_colours", "removed"):
        kept = max(0, colours - (SEATS - players))
    return len(chosen.missions) - colours + kept


def too_few_missions(chosen: Chosen) -> bool:
    """Whether somebody may be left without a mission, or with his own colour only."""
    if chosen.has("missions.deck", "none"):
        return False
    spare = int(chosen.has("missions.own_colour", "redraw"))
    return any(mission_cards(chosen, n) < n + spare for n in chosen.players)


def objective_classes(chosen: Chosen) -> tuple[int, int]:
    """How many minor and major objectives the pool has."""
    classes = {o.id: "major" if o.major else "minor" for o in chosen.board.objectives}
    classes.update(chosen.words("objectives.class_table"))
    pool = [classes[name] for name in chosen.objectives]
    return pool.count("minor"), pool.count("major")


def most_asked(chosen: Chosen, *kinds: ObjectiveKind) -> int:
    """The most that an objective in play asks for, of these kinds."""
    if not chosen.objectives_in_play:
        return 0
    in_pool = [o for o in chosen.board.objectives if o.id in chosen.objectives]
    return max((o.count for o in in_pool if o.kind in kinds), default=0)


def capitals_asked(chosen: Chosen) -> int:
    """The most enemy capitals that an objective in play asks for."""
    return most_asked(chosen, ObjectiveKind.ENEMY_CAPITALS)


IMPOSSIBLE: tuple[Impossible, ...] = (
    # players and set-up
    Impossible(
        ("players.min", "players.max"),
        lambda c: len(c.players) == 0,
        "The fewest players are more than the most.",
    ),
    Impossible(
        ("setup.armies", "players.min", "players.max"),
        armies_missing,
        "Every number of players needs its starting armies, as in 3:35,4:30,5:25,6:20.",
    ),
    Impossible(
        ("setup.armies", "players.min", "players.max"),
        too_few_armies,
        "The starting armies do not suffice for one on every territory of the board.",
    ),
    Impossible(
        ("army_cap", "setup.armies"),
        too_many_armies,
        "The board has no room for the starting armies under that cap.",
    ),
    Impossible(
        ("army_cap",),
        lambda c: c.number("army_cap") == 1,
        "One army alone can never attack, so the game would never end.",
    ),
    Impossible(
        ("setup.cities",),
        lambda c: c.cities > len(c.board.territories),
        "The board has not that many territories.",
    ),
    Impossible(
        ("setup.starting_cards",),
        lambda c: sum(c.counts("setup.starting_cards").values()) > len(c.board.territories),
        "The deck has not that many cards.",
    ),
    Impossible(
        ("setup.capitals", "setup.claim"),
        lambda c: c.has("setup.capitals", "true") and not c.has("setup.claim", "draft"),
        "A capital is its player’s first claim, so the territories must be claimed in turn.",
    ),
    # neutral armies and rebels
    Impossible(
        ("setup.claim", "players.max"),
        lambda c: c.has("setup.claim", "deal_three_piles") and c.players != range(2, 3),
        "The three piles are for exactly two players and the neutral.",
    ),
    Impossible(
        ("setup.claim", "neutral.layout"),
        lambda c: c.has("setup.claim", "deal_three_piles") != c.has("neutral.layout", "fourteen"),
        "The third of the three piles is the neutral’s, and there is no other way to deal it.",
    ),
    Impossible(
        ("setup.claim", "setup.place"),
        lambda c: (
            c.has("setup.place", "two_own_one_neutral") != c.has("setup.claim", "deal_three_piles")
        ),
        "With three piles, and only then, neutral armies are placed beside one’s own.",
    ),
    Impossible(
        ("setup.claim", "neutral.layout"),
        lambda c: c.has("neutral.layout", "single40") and not c.has("setup.claim", "draft"),
        "With all neutral armies on one territory the others are claimed in turn.",
    ),
    Impossible(
        ("neutral.armies", "setup.armies"),
        neutral_left_over,
        "The players’ moves must place the neutral armies exactly as far as there are any.",
    ),
    Impossible(
        ("neutral.armies", "army_cap"),
        lambda c: (
            c.has("neutral.layout", "single40")
            and 0 < c.number("army_cap") < c.number("neutral.armies")
        ),
        "The one neutral territory would hold more armies than the cap allows.",
    ),
    Impossible(
        ("rebels.setup", "neutral.layout"),
        lambda c: c.has("rebels.setup", "gm_list") and not c.has("neutral.layout", "none"),
        "Rebels and the neutral of the two-player game cannot both be on the board.",
    ),
    Impossible(
        ("player.resign", "rebels.setup"),
        lambda c: c.has("player.resign", "to_rebels") and c.has("rebels.setup", "none"),
        "Armies cannot turn rebel where there are no rebels.",
    ),
    Impossible(
        ("player.resign", "rebels.setup"),
        lambda c: (
            c.has("player.resign", "to_neutral") and c.has("rebels.setup", "abandoned_player")
        ),
        "Where only abandoned armies are rebels, these must turn rebel.",
    ),
    Impossible(
        ("neutral.dice", "players.max"),
        lambda c: c.has("neutral.dice", "opponent_chooses") and c.players.stop > 3,
        "With more than two players there is no one other player to roll for the neutral.",
    ),
    # cards
    Impossible(
        ("cards.deck", "cards.wilds"),
        lambda c: c.has("cards.deck", "44") != c.has("cards.wilds", "2"),
        "The deck of 44 has two wild cards, the others have none.",
    ),
    Impossible(
        ("cards.deck", "cards.values"),
        lambda c: c.has("cards.deck", "stars42") != c.has("cards.values", "stars"),
        "Cards with stars are traded for their stars, other cards in sets.",
    ),
    Impossible(
        ("cards.deck", "cards.forced"),
        lambda c: c.has("cards.deck", "stars42") and not c.has("cards.forced", "none"),
        "Cards with stars form no sets, so no set can be forced.",
    ),
    Impossible(
        ("cards.deck", "elim.trade"),
        lambda c: c.has("cards.deck", "stars42") and not c.has("elim.trade", "none"),
        "Cards with stars are traded in the draft phase only.",
    ),
    Impossible(
        ("cards.deck", "cards.territory_bonus"),
        lambda c: c.has("cards.deck", "stars42") and not c.has("cards.territory_bonus", "0"),
        "With stars the territories on the cards do not matter.",
    ),
    Impossible(
        ("cards.design_table", "cards.custom_designs"),
        lambda c: c.has("cards.design_table", "custom") == c.has("cards.custom_designs", "none"),
        "Custom designs need their table, and the table is for custom designs only.",
    ),
    Impossible(
        ("stars.table", "stars.custom"),
        lambda c: c.has("stars.table", "custom") == c.has("stars.custom", "none"),
        "Custom stars need their table, and the table is for custom stars only.",
    ),
    Impossible(
        ("cards.trigger", "cards.draw_time", "objectives.pool"),
        lambda c: (
            c.has("cards.trigger", "captured_and_no_claim")
            and c.has("cards.draw_time", "end_of_attack")
            and c.objectives_in_play
        ),
        "The card would be drawn before it is known whether an objective is claimed.",
    ),
    # missions
    Impossible(
        ("victory.goal", "missions.deck"),
        lambda c: c.has("victory.goal", "mission") == c.has("missions.deck", "none"),
        "A game of missions needs a deck of them, and no other game has one.",
    ),
    Impossible(
        ("missions.deck", "missions.custom"),
        lambda c: c.has("missions.deck", "custom") == c.has("missions.custom", "none"),
        "A custom deck needs its missions, and the list is for a custom deck only.",
    ),
    Impossible(
        ("missions.deck", "missions.custom"),
        unknown_missions,
        "The board has not all of these missions.",
    ),
    Impossible(
        ("missions.deck", "missions.unused_colours", "missions.own_colour", "players.max"),
        lambda c: not unknown_missions(c) and too_few_missions(c),
        "There would not be a mission for everybody.",
    ),
    # objectives, capitals and headquarters
    Impossible(
        ("victory.goal", "setup.capitals"),
        lambda c: c.has("victory.goal", "headquarters") and c.has("setup.capitals", "true"),
        "Headquarters are chosen after all armies stand; there are no capitals beside them.",
    ),
    Impossible(
        ("victory.goal", "setup.capitals"),
        lambda c: c.has("victory.goal", "objectives") and c.has("setup.capitals", "false"),
        "Nobody could win: the goal asks for one’s own capital.",
    ),
    Impossible(
        ("victory.goal", "objectives.pool"),
        lambda c: c.has("victory.goal", "objectives") and c.has("objectives.pool", "none"),
        "Nobody could win: the goal asks for three objectives.",
    ),
    Impossible(
        ("victory.goal", "objectives.pool"),
        lambda c: (
            c.has("victory.goal", "mission", "headquarters")
            and not c.has("objectives.pool", "none")
        ),
        "Objectives belong to games of objectives or of conquest.",
    ),
    Impossible(
        ("objectives.pool", "objectives.class_table"),
        lambda c: (
            not c.has("objectives.pool", "none") and min(objective_classes(c)) < OBJECTIVES_A_CLASS
        ),
        "The board must offer four minor and four major objectives.",
    ),
    Impossible(
        ("objectives.pool", "setup.cities"),
        lambda c: most_asked(c, ObjectiveKind.CITIES, ObjectiveKind.CITIES_IN_TURN) > c.cities,
        "An objective asks for more cities than there are.",
    ),
    Impossible(
        ("objectives.pool", "setup.capitals"),
        lambda c: capitals_asked(c) > 0 and c.has("setup.capitals", "false"),
        "An objective asks for enemy capitals, and there are none.",
    ),
    Impossible(
        ("objectives.pool", "players.min"),
        lambda c: capitals_asked(c) >= c.number("players.min"),
        "An objective asks for more enemy capitals than there may be opponents.",
    ),
)


def impossibilities(chosen: Chosen) -> Iterator[Impossible]:
    """Every row that refuses these options."""
    return (row for row in IMPOSSIBLE if row.when(chosen))
