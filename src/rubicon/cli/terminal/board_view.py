"""The board as blocks of text: a column of continents for each part of the world."""

from collections.abc import Sequence
from itertools import chain, combinations, zip_longest
from typing import TYPE_CHECKING, Any

from rich.text import Text

from rubicon.cli.terminal.paint import (
    LETTERS,
    QUIET,
    STRONG,
    Marks,
    badge,
    cut,
)
from rubicon.rules.choices import Goal
from rubicon.rules.position import NONE, RewardPlace

if TYPE_CHECKING:
    from rubicon.rules.board import Continent
    from rubicon.rules.game import Game

COLUMNS = 3
CELL = 25
GAP = 2
HIDDEN_ARMIES = "?"

SHORT = {
    "Northwest": "NW",
    "Northeast": "NE",
    "Southwest": "SW",
    "Southeast": "SE",
    "Northern": "N",
    "Southern": "S",
    "Eastern": "E",
    "Western": "W",
    "Central": "C",
    "North": "N",
    "South": "S",
    "East": "E",
    "West": "W",
}
SHORTER = {"United States": "US", "Territory": "Terr", "Great": "Gt"}


def in_brief(name: str) -> str:
    """A name with its words of direction cut to letters."""
    return " ".join(SHORT.get(word, word) for word in name.split())


def short_name(name: str, width: int, marks: Marks) -> str:
    """A name that fits: words of direction are cut to letters, then other words, then the end."""
    if len(name) <= width:
        return name
    short = in_brief(name)
    for word, shorter in SHORTER.items():
        if len(short) > width:
            short = short.replace(word, shorter)
    return cut(short, width, marks)


def count_text(armies: int) -> str:
    """A number of armies in four places at most."""
    if armies < 0:
        return HIDDEN_ARMIES
    if armies < 10_000:
        return str(armies)
    return f"{armies // 1000}k" if armies < 1_000_000 else "lots"


def partition(heights: Sequence[int], columns: int) -> list[int]:
    """Where columns begin, so that neighbours stay together and the tallest is least tall."""
    best: list[int] = list(range(min(columns, len(heights))))
    least = sum(heights) + 1
    for starts in _splits(len(heights), columns):
        ends = [*starts[1:], len(heights)]
        tallest = max(sum(heights[a:b]) for a, b in zip(starts, ends, strict=True))
        if tallest < least:
            best, least = starts, tallest
    return best


def _splits(count: int, columns: int) -> list[list[int]]:
    inner = min(columns, count) - 1
    return [[0, *cuts] for cuts in combinations(range(1, count), inner)]


def board_lines(game: "Game", view: Any, seat: int | None, marks: Marks) -> list[Text]:
    """The whole board, as `seat` sees it in `view`."""
    continents = game.ruleset.board.continents
    blocks = [continent_block(game, view, seat, c, marks) for c in range(len(continents))]
    starts = partition([len(block) for block in blocks], COLUMNS)
    ends = [*starts[1:], len(blocks)]
    columns = [list(chain(*blocks[a:b])) for a, b in zip(starts, ends, strict=True)]
    return [joined(row) for row in zip_longest(*columns)]


def joined(cells: Sequence[Text | None]) -> Text:
    """One line of the board from a cell of each column."""
    line = Text()
    for number, cell in enumerate(cells):
        if cell is not None:
            line.append(" " * (number * (CELL + GAP) - len(line)))
            line.append_text(padded(cell, CELL))
    return line


def padded(text: Text, width: int) -> Text:
    """A text made exactly so wide."""
    text = text.copy()
    text.truncate(width, pad=True)
    return text


def continent_block(
    game: "Game", view: Any, seat: int | None, continent: int, marks: Marks
) -> list[Text]:
    """A heading and a line for each territory."""
    whole = game.ruleset.board.continents[continent]
    lines = [heading(game, view, whole, marks)]
    lines += [territory_cell(game, view, seat, t, marks) for t in whole.territories]
    return lines


def heading(game: "Game", view: Any, continent: "Continent", marks: Marks) -> Text:
    """The name and bonus of a continent, and who holds it."""
    owners = {int(view.owner[t]) for t in continent.territories}
    text = Text(cut(continent.name, CELL - 8, marks), STRONG)
    text.append(f" +{continent.bonus} ", QUIET)
    if len(owners) == 1 and owners != {NONE}:
        text.append_text(badge(game.owner_name(owners.pop())))
        text.append(" ")
    text.append(marks.line * max(0, CELL - len(text)), QUIET)
    return text


def territory_cell(game: "Game", view: Any, seat: int | None, t: int, marks: Marks) -> Text:
    """A territory: its owner and armies, its name, its marks."""
    owner = int(view.owner[t])
    armies = "" if owner == NONE else count_text(int(view.armies[t]))
    own = seat is not None and owner == seat
    cell = badge(game.owner_name(owner), f"{armies:>4}", bold=own)
    signs = signs_of(game, view, seat, t, marks)
    room = CELL - len(cell) - 1 - (len(signs) + 1 if signs else 0)
    name = short_name(game.ruleset.board.territories[t].name, room, marks)
    cell.append(" ")
    cell.append(name)
    if signs:
        cell.append(" " * (CELL - len(cell) - len(signs)))
        cell.append(signs)
    return cell


def signs_of(game: "Game", view: Any, seat: int | None, t: int, marks: Marks) -> str:
    """The marks of a territory: city, capitals, airfields, a card of it in the own hand."""
    signs = marks.city if view.city[t] else ""
    for other, colour in enumerate(game.colours):
        if int(view.capital[other]) == t:
            signs += marks.capital + LETTERS[colour]
    for token, place in enumerate(view.airfield):
        if int(place) == t and int(view.reward[token]) < RewardPlace.ON_OBJECTIVE:
            signs += marks.airfield
    if seat is not None and int(view.card[t]) == seat:
        signs += marks.card
    return signs


def legend(game: "Game", view: Any, seat: int | None, marks: Marks) -> str:
    """What the marks mean that are on this board now; "" where there are none."""
    meanings = []
    if view.city.any():
        meanings.append(f"{marks.city} city")
    if (view.capital[: game.size] != NONE).any():
        headquarters = game.rules.victory_goal == Goal.HEADQUARTERS
        meanings.append(f"{marks.capital} {'headquarters' if headquarters else 'capital'}")
    if (view.airfield != NONE).any():
        meanings.append(f"{marks.airfield} airfield")
    if seat is not None and (view.card[: len(game.territories)] == seat).any():
        meanings.append(f"{marks.card} card in your hand")
    return "  ".join(meanings)
