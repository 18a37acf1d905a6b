"""The rulebook on the board: its continents, every territory with its borders and its card."""

from rubicon.rulebook.sentences import Section, bullets, say, says, stars, where
from rubicon.rules.board.model import Continent, Territory
from rubicon.rules.options.chosen import Chosen
from rubicon.wording import counted, number_word

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
