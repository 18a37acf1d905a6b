"""The chapters of the rulebook about set-up, turns, battles and the board."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rubicon.rules.board.format import Continent, Territory
from rubicon.rules.options.option import Chosen, Text, said
from rubicon.rules.options.registry import OPTIONS
from rubicon.wording import counted, number_word

# How the rulebook is put together: sections of sentences that depend on the options in force.

Test: TypeAlias = Callable[[Chosen], bool]
Line: TypeAlias = Callable[[Chosen], str]  # a sentence or more, "" where there is nothing to say
Paragraph: TypeAlias = tuple[Line, ...]


@dataclass(frozen=True)
class Section:
    """A heading and its paragraphs; it is left out where no paragraph says anything.

    The last paragraph is made of the options that declare themselves a part of the section.
    """

    title: str
    paragraphs: tuple[Paragraph, ...]

    def texts(self, chosen: Chosen) -> list[str]:
        """The paragraphs under these options that say anything, as Markdown."""
        # So a new option has its sentence here without a change of this package.
        own = tuple(option.sentence for option in OPTIONS.values() if option.section == self.title)
        paragraphs = (*self.paragraphs, own)
        texts = [" ".join(filter(None, (line(chosen) for line in p))) for p in paragraphs]
        return list(filter(None, texts))

    def markdown(self, chosen: Chosen) -> str:
        """The section under these options; "" where it is left out."""
        body = "\n\n".join(self.texts(chosen))
        return f"## {self.title}\n\n{body}\n" if body else ""


def says(name: str, test: Test | None = None) -> Line:
    """The sentence that an option declares for its value in force."""
    option = OPTIONS[name]
    return option.sentence if test is None else where(test, option.sentence)


def say(text: Text) -> Line:
    """A sentence that is always there."""
    return lambda chosen: said(text, chosen)


def where(test: Test, text: Text, otherwise: Text = "") -> Line:
    """A sentence that depends on a test."""
    return lambda chosen: said(text if test(chosen) else otherwise, chosen)


def pick(name: str, texts: Mapping[str, Text]) -> Line:
    """A second sentence for an option's value, next to the declared one; "" for other values."""
    return lambda chosen: said(texts.get(chosen.text(name), ""), chosen)


def has(name: str, *values: str) -> Test:
    """Tests whether an option has one of these values."""
    return lambda chosen: chosen.has(name, *values)


def lacks(name: str, *values: str) -> Test:
    """Tests whether an option has none of these values."""
    return lambda chosen: not chosen.has(name, *values)


def both(first: Test, second: Test) -> Test:
    """Tests whether two tests hold."""
    return lambda chosen: first(chosen) and second(chosen)


def bullets(lines: Sequence[str]) -> str:
    """A list, one line each."""
    return "\n".join(f"- {line}" for line in lines)


def capitals(chosen: Chosen) -> bool:
    """Whether there are capitals."""
    return chosen.has("setup.capitals", "true")


def headquarters(chosen: Chosen) -> bool:
    """Whether the goal is headquarters."""
    return chosen.has("victory.goal", "headquarters")


def missions(chosen: Chosen) -> bool:
    """Whether there are secret missions."""
    return chosen.has_missions


def objectives(chosen: Chosen) -> bool:
    """Whether objectives are claimed."""
    return chosen.objectives_in_play


def stars(chosen: Chosen) -> bool:
    """Whether cards are traded for their stars."""
    return chosen.has("cards.deck", "stars42")


def sets(chosen: Chosen) -> bool:
    """Whether cards are traded in sets."""
    return not stars(chosen)


# The first pages of the rulebook: aim, pieces, set-up (rulebook 3.1).


def conquest(chosen: Chosen) -> str:
    """What there is to conquer."""
    if chosen.neutral_at_start and chosen.has("neutral.must_fall", "false"):
        return (
            "Take every territory that your opponent holds. The neutral army's territories need "
            "not fall. [A-26, A-61]"
        )
    return "Conquer the world: take every territory on the board. [A-61, S003-43]"


AIM = Section(
    "Aim",
    (
        (
            pick(
                "victory.goal",
                {
                    "conquest": conquest,
                    "mission": "Each player has a secret mission. Be the first to complete "
                    "yours and show it. [4.1]",
                    "objectives": "Complete three objectives and hold your own capital. [S001-01]",
                    "headquarters": "Each player hides a headquarters on the board. Keep your "
                    "own and take those of the others. [A-36]",
                },
            ),
            says("players.min"),
        ),
    ),
)

PIECES = Section(
    "Pieces and dice",
    (
        (
            say("The colours are red, blue, green, yellow, grey and black. [S002-22]"),
            says("pieces.denominations"),
            says("pieces.exchange"),
        ),
        (
            say(
                "Each table decides how the dice are rolled: the program rolls them, or the "
                "players roll real dice and type in the numbers. In a game on a server, neither "
                "its operator nor a player can change or repeat the program's rolls unnoticed. "
                "[A-30, S002-10, S002-12]"
            ),
            says("dice.recipients"),
            says("gm.notices"),
        ),
    ),
)

SETUP = Section(
    "Set-up",
    (
        (says("setup.armies"),),
        (
            says("setup.cities"),
            where(
                objectives,
                "Draw four minor and four major objectives by chance and lay them face up; the "
                "others stay in the box. On each objective lay a reward of its class, drawn by "
                "chance. [S001-17, S001-18, S001-19, S001-21]",
            ),
        ),
        (
            says("setup.first_player"),
            say("Play goes clockwise, to the left. [S001-25]"),
        ),
        (
            where(
                has("rebels.setup", "gm_list"),
                "Before the game the host may give some territories to the rebels, with any "
                "number of armies; these territories are left out of what follows. [A-25]",
            ),
            where(
                has("neutral.layout", "single40"),
                lambda c: (
                    "Draw one territory by chance and put "
                    f"{c.number('neutral.armies')} neutral armies on it. [A-27]"
                ),
            ),
            says("setup.claim"),
            where(capitals, says("setup.capitals")),
            says("revised.capital_on_city"),
        ),
        (
            where(has("missions.unused_colours", "removed"), says("missions.unused_colours")),
            where(
                missions,
                "Deal one mission face down to each player, and put the others away unseen. [4.1]",
            ),
        ),
        (says("setup.place"),),
        (
            says("hq.reveal"),
            where(
                headquarters,
                "The cards of the headquarters leave the deck and never count as cards in your "
                "hand. [A-86]",
            ),
        ),
        (says("setup.starting_cards"), says("setup.turn1")),
    ),
)


# The rulebook on attack, occupation, elimination and moving armies (rulebook 3.4, 3.5).


def comparing(chosen: Chosen) -> str:
    """How dice are compared.

    A dropped bonus die makes no pair (A-49): a player who announced one die, rolled two and
    dropped the lower compares one. Hence "announced" and not "rolled".
    """
    more = (
        "Compare the second highest dice, and the third, in the same way while both sides have one."
        if chosen.objectives_in_play and chosen.has("bonus_die", "compare_extra")
        else "If both sides announced two dice or more, compare the second highest dice in the "
        "same way."
    )
    return (
        "Compare the highest die of each side: the lower one loses an army, and a tie goes to the "
        f"defender. {more} Dice without a partner do not count. "
        "[S000-02, S000-06, S000-07, S004-20]"
    )


ATTACK = Section(
    "Attack",
    (
        (
            say(
                "You may attack a territory that is not yours and borders on one of yours with at "
                "least two armies. Name both territories. Attack as often as you like, from "
                "anywhere to anywhere, and stop between any two rolls. "
                "[S002-36, S002-37, S002-38, S002-39, S000-15]"
            ),
        ),
        (says("attack.dice_cap"), says("defend.dice_cap")),
        (
            says("attack.default"),
            says("dice.announce"),
            says("defend.default"),
            say(
                "A standing order says in advance how many dice you defend with: one, two, or as "
                "many as are allowed, for one territory or for all. You are then not asked. An "
                "order for a territory ends when you lose it. [A-29, A-70]"
            ),
        ),
        (where(objectives, says("bonus_die")),),
        (
            say(comparing),
            says("defend.extra_die"),
        ),
    ),
)

OCCUPATION = Section(
    "Occupation",
    (
        (
            say(
                "When the last defending army falls, the territory is yours, and you must move "
                "armies in at once, before anything else. [S000-09, S000-10]"
            ),
            says("occupy.min"),
            say(
                "You may move in more, but leave at least one army behind: no territory is ever "
                "empty. Armies that have moved in may attack again. "
                "[A-71, A-72, S000-13, S000-14]"
            ),
        ),
    ),
)


def goes_on(chosen: Chosen) -> bool:
    """Whether the game can go on after an elimination: not where the last opponent is gone."""
    return chosen.players.stop > 3 or chosen.has("neutral.must_fall", "true")


ELIMINATION = Section(
    "Elimination",
    (
        (
            say("A player who loses the last territory is out of the game. [S000-20]"),
            where(
                goes_on,
                "If you have taken it, first occupy it, then take all cards of that player. "
                "[A-22d, S000-20, S003-41]",
            ),
            where(both(goes_on, sets), says("elim.trade")),
            where(
                stars,
                "You may trade them in a later turn only. [A-22, S001-79]",
            ),
        ),
        (
            where(
                objectives,
                "You also take that player's objectives, but not the rewards: these end. "
                "[S001-60, S001-61]",
            ),
            where(capitals, "The player's capital stays on the board. [S001-74]"),
            where(missions, "The player's mission is put away unseen. [4.3]"),
        ),
    ),
)


def additional(chosen: Chosen) -> str:
    """How many moves the additional manoeuvre allows."""
    moves = counted(chosen.number("fortify.count") + 1, "move")
    return f"With the additional manoeuvre you may make {moves}. [A-63, S001-65]"


FORTIFY = Section(
    "Fortify",
    (
        (
            says("fortify.reach"),
            say(
                "Leave at least one army behind. You may fortify even if you have not attacked, "
                "and armies that have moved in this turn may move again. "
                "[A-75, A-76, S002-52, S003-42]"
            ),
        ),
        (
            where(both(objectives, lacks("fortify.reach", "connected_many")), additional),
            where(
                objectives,
                "With the starting manoeuvre you may make one such move before your first "
                "attack, in addition to those at the end. [A-53, S001-66]",
            ),
        ),
    ),
)


# The rulebook on a turn, on receiving armies and on cards (rulebook 3.2, 3.3).


def steps(chosen: Chosen) -> str:
    """The steps of a turn, in order."""
    early = chosen.has("cards.draw_time", "end_of_attack")
    late_continents = chosen.has("continent.timing", "placed_end_of_own_turn")
    forced = "if you like" if chosen.has("cards.forced", "none") else "if you like or must"
    rows = [
        (f"Receive armies, trade cards {forced}, and place your armies.", True),
        ("Move armies once, if you have the starting manoeuvre.", objectives(chosen)),
        ("Attack, as often as you like or not at all.", True),
        ("Draw a card if you have earned one.", early),
        ("Claim one objective if you meet its condition.", objectives(chosen)),
        ("Fortify: move armies between your territories, if you like.", True),
        ("Draw a card if you have earned one.", not early),
        ("Place the armies for your continents.", late_continents),
    ]
    there = [text for text, is_there in rows if is_there]
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(there, 1))
    return f"A turn has {number_word(len(there))} steps: [S002-09, S001-31]\n\n{numbered}"


TURN = Section(
    "Your turn",
    (
        (say(steps),),
        (
            say(
                "Once you have stopped attacking you cannot attack again in that turn. Then the "
                "next player to the left takes a turn; players who are out of the game are passed "
                "over. [A-77, S000-19]"
            ),
        ),
    ),
)

ARMIES = Section(
    "Receiving armies",
    (
        (
            says("revised.rounding"),
            says("reinforce.min"),
            says("reinforce.min_scope"),
        ),
        (
            says("continent.timing"),
            say(
                "You hold a continent only while you hold all of its territories; a single "
                "territory in other hands, even in neutral ones, is enough to lose it. [A-78]"
            ),
        ),
        (
            where(
                capitals,
                "Every capital on a territory of yours brings one more army, your own capital and "
                "captured ones alike. [S001-35]",
            ),
            says("capital.dead_counts"),
        ),
        (
            where(
                has("cards.forced", "none"),
                "Trade cards and place armies in any order. You must place all of your armies "
                "before you go on. [A-65, A-84, S001-42]",
                "Trade cards and place armies in any order. You must place all of your armies, and "
                "make every trade that is forced, before you go on. [A-65, A-84, S001-42]",
            ),
            says("army_cap"),
        ),
    ),
)


CARDS = Section(
    "Cards",
    (
        (says("cards.deck"), says("cards.design_table"), says("stars.table")),
        (
            says("cards.trigger"),
            say("You earn one card a turn, however much you capture. [A-69, S000-17]"),
            says("cards.draw_time"),
            says("cards.empty"),
            says("cards.visibility"),
        ),
        (
            where(
                sets,
                "A set is three cards of one design, or one card of each design. "
                "[S003-24, S004-16]",
            ),
            says("cards.wilds"),
            says("cards.two_wilds_ok"),
            where(sets, says("cards.values")),
        ),
        (
            says("cards.max_sets_per_start"),
            where(sets, says("cards.forced")),
            where(sets, says("cards.territory_bonus")),
            where(
                lambda c: sets(c) and c.has("cards.territory_bonus", "2"),
                says("cards.territory_bonus_cap"),
            ),
        ),
        (
            where(stars, says("cards.values")),
            says("stars.trades_per_draft"),
            where(stars, says("cards.forced")),
            where(
                stars,
                "The territories on the cards bring no extra armies. You may not trade a card in "
                "the turn in which you received it. [A-42, S001-39]",
            ),
        ),
        (
            where(
                both(goes_on, lacks("elim.trade", "none")),
                "Cards can also be traded after you have eliminated a player: see Elimination. "
                "[A-22]",
            ),
        ),
    ),
)


# The rulebook on the board: its continents, every territory with its borders and its card.

STAR = "★"


def continents(chosen: Chosen) -> str:
    """The continents, and the armies that each brings."""
    board = chosen.board
    lines = [
        f"{continent.name}: {len(continent.territories)} territories, "
        f"{counted(continent.bonus, 'army', 'armies')} a turn"
        for continent in board.continents
    ]
    number = number_word(len(board.continents))
    count = f"{chosen.territories} territories in {number} continents"
    return f"The board “{board.name}” has {count}. [1.1, 1.2]\n\n{bullets(lines)}"


def tables(chosen: Chosen) -> str:
    """A table for each continent: its territories, their borders and their cards."""
    return "\n\n".join(table(chosen, continent) for continent in chosen.board.continents)


def table(chosen: Chosen, continent: Continent) -> str:
    """The territories of one continent."""
    card = "stars" if stars(chosen) else "card"
    rows = [f"| {continent.name} | borders | {card} |", "| --- | --- | --- |"]
    for index in continent.territories:
        territory = chosen.board.territories[index]
        names = ", ".join(chosen.board.territories[n].name for n in borders(chosen, index))
        rows.append(f"| {territory.name} | {names} | {card_of(chosen, territory)} |")
    return "\n".join(rows)


def borders(chosen: Chosen, index: int) -> list[int]:
    """The territories that can be attacked from a territory, under these options."""
    off = {
        border.between
        for border in chosen.board.optional_borders
        if chosen.has(border.option, "false")
    }
    neighbours = chosen.board.territories[index].neighbours
    return [n for n in neighbours if (min(n, index), max(n, index)) not in off]


def card_of(chosen: Chosen, territory: Territory) -> str:
    """The design or the stars of a territory's card."""
    if stars(chosen):
        own = chosen.words("stars.custom").get(territory.id, str(territory.stars))
        return STAR * int(own)
    if chosen.has("cards.design_table", "custom"):
        return chosen.words("cards.custom_designs").get(territory.id, "")
    design = territory.design(chosen.text("cards.design_table"))
    return "" if design is None else design.name.lower()


def has_optional_border(chosen: Chosen) -> bool:
    """Whether the board has the border that some editions left out."""
    options = [border.option for border in chosen.board.optional_borders]
    return "map.east_africa_middle_east" in options


def one_way(chosen: Chosen) -> bool:
    """Whether some borders can be crossed in one direction only."""
    return bool(chosen.board.one_way)


BOARD = Section(
    "The board",
    (
        (say(continents),),
        (
            say("The tables name every territory, the territories it borders on, and its card."),
            say("A line across the sea is a border like any other. [S002-36]"),
            says("map.east_africa_middle_east", has_optional_border),
            where(
                one_way,
                "Some borders can be crossed in one direction only: each table lists the "
                "territories that can be reached. [1.1]",
            ),
        ),
        (say(tables),),
    ),
)
