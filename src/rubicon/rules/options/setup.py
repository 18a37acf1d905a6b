"""The options of the board, the players and the set-up (rulebook 1.1, 3.1)."""

from rubicon.engine.codes import ClaimMode, FirstPlayer, HqNeeded, HqReveal, Placing, TurnOne
from rubicon.engine.records import SEATS, TERRITORIES
from rubicon.rules.options.kinds import CountTable, Number
from rubicon.rules.options.option import Chosen, Conflict, Group, Meaning, Use, share
from rubicon.wording import PLACES, counted, listed, number_word

MOST_ARMIES = 1000

# Values that give way where the neutral army of the two-player game makes no sense.
NO_PILES = (
    "neutral.layout = none if fourteen",
    "setup.place = one_each_round if two_own_one_neutral",
)
NO_NEUTRAL = ("neutral.layout = none if fourteen single40", NO_PILES[1])

SETUP = Group("Set-up")


def _missing(chosen: Chosen) -> list[int]:
    armies = chosen.counts("setup.armies")
    return [players for players in chosen.players if players not in armies]


def _too_few(chosen: Chosen) -> list[int]:
    armies = chosen.counts("setup.armies")
    return [n for n in chosen.players if n in armies and armies[n] < share(chosen, n)]


def _too_few_detail(chosen: Chosen) -> str:
    players = _too_few(chosen)[0]
    has = chosen.counts("setup.armies")[players]
    return (
        f"With {number_word(players)} players a player can hold {share(chosen, players)} "
        f"territories and has {counted(has, 'army', 'armies')}."
    )


def _crowded(chosen: Chosen) -> bool:
    """Whether even the fewest players are too many; `Game.new` refuses single numbers."""
    return chosen.number("players.min") > chosen.to_share


def _players(chosen: Chosen) -> str:
    fewest, most = number_word(chosen.players.start), number_word(chosen.players.stop - 1)
    return f"The game is for {fewest if fewest == most else f'{fewest} to {most}'} players. [A-01]"


def _armies(chosen: Chosen) -> str:
    table = chosen.counts("setup.armies")
    if len(chosen.players) == 1:
        armies = table[chosen.players.start]
        return f"Each of you starts with {armies} armies. [A-02, A-03, S003-13, S003-14]"
    first, *others = chosen.players
    parts = [f"{table[first]} with {number_word(first)} players"]
    parts += [f"{table[number]} with {number_word(number)}" for number in others]
    return (
        f"All players start with the same number of armies: {listed(parts)}. "
        "[A-02, S001-22, S003-12, S004-05]"
    )


def _cities(chosen: Chosen) -> str:
    if not chosen.cities:
        return ""
    return (
        f"Draw {chosen.cities} territories by chance. Each of them is a city for the whole game. "
        "[S001-07, S001-15]"
    )


def _starting_cards(chosen: Chosen) -> str:
    table = chosen.counts("setup.starting_cards")
    given = [(place, n) for place, n in table.items() if n and place in range(chosen.players.stop)]
    parts = [f"the {PLACES[place - 1]} player {counted(n, 'card')}" for place, n in given]
    if not parts:
        return ""
    return f"To make up for their late turns, deal {listed(parts)} by chance. [S001-28, S001-29]"


def _random_deal(chosen: Chosen) -> str:
    uneven = any(chosen.to_share % number for number in chosen.players)
    more = " If the territories do not divide evenly, the first players get one more." * uneven
    return (
        "Shuffle the territories and deal them out one by one, beginning with the first player. "
        f"Put one of your armies on each of yours.{more} [A-07]"
    )


def _three_piles(chosen: Chosen) -> str:
    return (
        f"Shuffle the territory cards and deal three piles of {share(chosen, 2)}: one for each of "
        "you and one for the neutral army; chance decides which is whose. Put one army on each "
        "territory of your pile, and one neutral army on each territory of the third. Then shuffle "
        "all cards, with the wild cards, into the deck. [A-03, A-07, A-83]"
    )


def _next_placer(chosen: Chosen) -> str:
    """Who places first after the last claim, for every number of players (A-82)."""
    by_place: dict[str, list[str]] = {}
    for players in chosen.players:
        place = PLACES[chosen.to_share % players]
        by_place.setdefault(place, []).append(number_word(players))
    parts = [f"with {listed(n, 'or')} players the {place} one" for place, n in by_place.items()]
    who = f"the {next(iter(by_place))} player" if len(by_place) == 1 else listed(parts)
    return who


def _place_first(chosen: Chosen) -> str:
    if chosen.has("setup.claim", "draft"):
        # How many territories the host gives to rebels is not known before the game.
        named = "" if chosen.has("rebels.setup", "gm_list") else f" ({_next_placer(chosen)})"
        return (
            "Placing goes on where claiming stopped: the player after the last claim is "
            f"next{named}, so that all run out of armies in the same round."
        )
    return "The first player places first; a player who runs out of armies is passed over."


def _neutral_rest(chosen: Chosen) -> str:
    pile = chosen.territories // 3
    left = chosen.number("neutral.armies") - pile
    return (
        "Then take turns, the first player first. On your turn place two of your own armies on "
        "one or two of your territories, and then one neutral army on any neutral territory. The "
        f"neutral army is {chosen.number('neutral.armies')} strong in all, so {left} are placed "
        "in this way. [A-09, A-82]"
    )


def _few_headquarters(chosen: Chosen) -> str:
    few = min(2, chosen.players.stop - 2)
    parts = [f"{counted(few, 'other', 'others')} with up to four players"]
    if chosen.players.stop > 5:
        parts.append("three others with five or six")
    return f"You win at once when you hold your own headquarters and {listed(parts)}. [A-36]"


SETUP.flag(
    "map.east_africa_middle_east",
    True,
    "1.1",
    "The border between East Africa and the Middle East.",
    yes=Meaning("They are neighbours.", "East Africa and the Middle East are neighbours. [1.1]"),
    no=Meaning(
        "They are not neighbours, as on the 40th-anniversary board.",
        "As on the 40th-anniversary board, East Africa and the Middle East are not neighbours. "
        "[1.1]",
    ),
    use=Use.BOARD,
    label="East Africa–Middle East",
)
SETUP.row(
    "players.min",
    Number(2, SEATS),
    3,
    "A-01 S004-06",
    "The fewest players.",
    rulebook=_players,
    conflicts=(
        Conflict(
            ("players.min", "players.max"),
            lambda c: len(c.players) == 0,
            "The fewest players are more than the most players.",
        ),
        Conflict(
            ("players.min",),
            _crowded,
            "The board has too few territories for so many players.",
            lambda c: f"It has {c.territories}; each player needs one.",
        ),
    ),
    label="Fewest players",
)
SETUP.row(
    "players.max",
    Number(2, SEATS),
    6,
    "A-01 S003-04",
    "The most players.",
    label="Most players",
)
SETUP.row(
    "setup.armies",
    CountTable(
        range(2, SEATS + 1),
        range(1, MOST_ARMIES + 1),
        what="a number of armies",
        per="number of players",
        example="3:35 4:30 5:25 6:20",
    ),
    "3:35 4:30 5:25 6:20",
    "A-02 A-03 S003-12 S004-05",
    "How many armies each player starts with, by number of players.",
    rulebook=_armies,
    conflicts=(
        Conflict(
            ("setup.armies", "players.min", "players.max"),
            lambda c: bool(_missing(c)),
            "Every number of players needs its starting armies, as in 3:35,4:30,5:25,6:20.",
            lambda c: f"Missing: {listed([str(n) for n in _missing(c)])} players.",
        ),
        Conflict(
            ("setup.armies", "players.min", "players.max"),
            lambda c: bool(_too_few(c)),
            "There are too few starting armies to put one on every territory.",
            _too_few_detail,
        ),
    ),
    label="Starting armies",
)
SETUP.choice(
    "setup.first_player",
    FirstPlayer,
    "A-04 S004-07 S001-23",
    "How the first player is chosen.",
    {
        "die_roll": Meaning(
            "Each player rolls one die; the highest begins.",
            "Each player rolls one die; the player with the highest die is the first player. If "
            "several players tie for the highest, they roll again. [A-04, S004-07]",
        ),
        "random": Meaning(
            "Chance picks a player.", "Choose the first player by chance. [A-04, S001-23]"
        ),
        "gm_assigned": Meaning(
            "The host names the first player.",
            "The host names the first player. [A-04]",
            label="The host decides",
        ),
    },
    label="First player",
)
SETUP.built_in(
    "setup.tie",
    "reroll_tied",
    "A-04",
    "If several players tie for the highest die, only they roll again, until one is highest.",
    "no source breaks a tie in another way",
    label="Tied highest dice",
)
SETUP.choice(
    "setup.claim",
    ClaimMode,
    "A-07 A-82 A-83 S004-08",
    "How territories are given out at the start.",
    {
        "draft": Meaning(
            "In turn, each player puts an army on an empty territory of their choice.",
            "Beginning with the first player, take turns to put one army on an empty territory of "
            "your choice, until every territory is claimed. [A-07, S004-08]",
            implies=NO_PILES,
            label="Draft",
        ),
        "deal_cards": Meaning(
            "The territory cards are dealt, beginning at the first player's left.",
            "Deal out the territory cards, without the wild cards, beginning at the first "
            "player's left. Put one of your armies on each territory you were dealt, then shuffle "
            "the cards back into the deck. [A-07, A-83]",
            implies=NO_NEUTRAL,
            label="Dealt",
        ),
        "deal_three_piles": Meaning(
            "The cards are dealt into three piles: one for each of two players, one neutral.",
            _three_piles,
            implies=(
                "neutral.layout = fourteen",
                "setup.place = two_own_one_neutral",
            ),
            label="Three piles",
        ),
        "random": Meaning(
            "Chance deals the territories, beginning with the first player.",
            _random_deal,
            implies=NO_NEUTRAL,
        ),
    },
    conflicts=(
        Conflict(
            ("setup.claim", "players.max"),
            lambda c: c.has("setup.claim", "deal_three_piles") and c.players != range(2, 3),
            "Three piles are dealt only in a game of exactly two players.",
        ),
        Conflict(
            ("setup.claim", "neutral.layout"),
            lambda c: (
                c.has("setup.claim", "deal_three_piles") != c.has("neutral.layout", "fourteen")
            ),
            "Three piles and a neutral army on a third of the territories belong together.",
        ),
        Conflict(
            ("setup.claim", "setup.place"),
            lambda c: (
                c.has("setup.place", "two_own_one_neutral")
                != c.has("setup.claim", "deal_three_piles")
            ),
            "Neutral armies are placed along with one's own after three piles, and only then.",
        ),
        Conflict(
            ("setup.claim", "neutral.layout"),
            lambda c: c.has("neutral.layout", "single40") and not c.has("setup.claim", "draft"),
            "Where all neutral armies stand on one territory, players claim the others in turn.",
        ),
    ),
    label="Territories",
)
SETUP.choice(
    "setup.place",
    Placing,
    "A-09 A-82 S004-09 S001-27",
    "How the remaining starting armies are placed.",
    {
        "one_each_round": Meaning(
            "One army at a time, player after player.",
            lambda c: (
                "Then take turns to put one more army on a territory of your own, until all "
                f"armies are placed. {_place_first(c)} [A-09, A-82]"
            ),
        ),
        "all_at_once": Meaning(
            "All at once, sealed until all players have placed.",
            "Then each player places all remaining armies as they like, in secret. When the last "
            "player has finished, all placements are shown together. [A-07, A-09]",
        ),
        "two_own_one_neutral": Meaning(
            "In turn, two of one's own armies and one neutral army.",
            _neutral_rest,
            implies=("neutral.layout = fourteen", "setup.claim = deal_three_piles"),
            label="Two own, one neutral",
        ),
    },
    label="Placing at the start",
)
SETUP.choice(
    "setup.turn1",
    TurnOne,
    "A-58 S001-30",
    "Who takes the first turn.",
    {
        "first_placer": Meaning(
            "The first player of the set-up.", "The first player takes the first turn. [A-58]"
        ),
        "new_roll": Meaning(
            "It is decided again once all armies are placed.",
            "When all armies are placed, decide again, in the same way, who takes the first turn. "
            "[A-58]",
        ),
    },
    label="First turn",
)
SETUP.row(
    "setup.cities",
    Number(0, TERRITORIES, words={"board": -1}),
    0,
    "S001-07 S001-15 S001-33",
    "How many territories, drawn by chance, are cities; a city counts twice for new armies.",
    values={
        "board": Meaning("As many as the board names: 15 in the world."),
        "0": Meaning("There are no cities."),
    },
    rulebook=_cities,
    conflicts=(
        Conflict(
            ("setup.cities",),
            lambda c: c.cities > c.territories,
            "There cannot be more cities than territories.",
            lambda c: f"The board has {c.territories} territories.",
        ),
    ),
    label="Cities",
)
SETUP.flag(
    "setup.capitals",
    False,
    "S001-06 S001-24 S001-35",
    "Capitals: each player's first claim, worth an army a turn to the player who holds it.",
    yes=Meaning(
        "Each player founds a capital.",
        "The first territory that you claim is your capital for the whole game. [S001-24]",
        implies=("setup.claim = draft if deal_cards random",),
    ),
    no=Meaning("There are no capitals."),
    conflicts=(
        Conflict(
            ("setup.capitals", "setup.claim"),
            lambda c: c.has("setup.capitals", "true") and not c.has("setup.claim", "draft"),
            "A capital is its player's first claim, so players must claim territories in turn.",
        ),
    ),
    label="Capitals",
)
SETUP.flag(
    "revised.capital_on_city",
    True,
    "A-59",
    "Whether a capital may be founded on a city.",
    yes=Meaning(
        "It may.",
        lambda c: "You may choose a city for it. [A-59]" if c.cities else "",
    ),
    no=Meaning(
        "It may not.",
        lambda c: "You may not choose a city for it. [A-59]" if c.cities else "",
    ),
    only_if=("setup.capitals=true",),
    label="Capital on a city",
)
SETUP.row(
    "setup.starting_cards",
    CountTable(
        range(1, SEATS + 1),
        range(6),
        what="a number of cards",
        per="place in the order of play",
        example="3:1 4:1 5:2",
    ),
    "none",
    "S001-28 S001-29",
    "Cards dealt before the first turn, by place in the order of play.",
    rulebook=_starting_cards,
    conflicts=(
        Conflict(
            ("setup.starting_cards",),
            lambda c: sum(c.counts("setup.starting_cards").values()) > c.territories,
            "The deck has too few cards for that.",
            lambda c: f"It has a card for each of {c.territories} territories.",
        ),
    ),
    label="Starting cards",
)
SETUP.choice(
    "hq.reveal",
    HqReveal,
    "A-66",
    "How headquarters are chosen.",
    {
        "simultaneous": Meaning(
            "In secret; all are shown together.",
            "When all armies are placed, take turns to lay the card of one of your territories "
            "face down in front of you: it is your headquarters. Then all players turn theirs "
            "over together. [A-66]",
        ),
        "open": Meaning(
            "Each is shown as it is chosen.",
            "When all armies are placed, take turns to name one of your territories openly: it is "
            "your headquarters. [A-66]",
        ),
    },
    only_if=("victory.goal=headquarters",),
    label="Showing headquarters",
)
SETUP.choice(
    "hq.needed",
    HqNeeded,
    "A-36",
    "How many headquarters of other players a player needs to win.",
    {
        "all": Meaning(
            "All of them.",
            "You win at once when you hold your own headquarters and those of all other players. "
            "[A-36]",
        ),
        "short": Meaning(
            "Two with up to four players, three with five or six.",
            _few_headquarters,
            label="Two or three",
        ),
    },
    only_if=("victory.goal=headquarters",),
    label="Headquarters to win",
)
