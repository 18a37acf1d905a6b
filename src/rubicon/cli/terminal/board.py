"""The board as lines of text, and the short codes of its territories."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, zip_longest
from typing import TYPE_CHECKING, TypeAlias

from rich.text import Text

from rubicon.cli.terminal.console import LETTERS, QUIET, STRONG, Symbols, badge, cut
from rubicon.engine.codes import Goal
from rubicon.engine.records import NONE, Position, RewardPlace
from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board
from rubicon.rules.situation import pieces

if TYPE_CHECKING:
    from rubicon.rules.board.board import Continent
    from rubicon.rules.game import Game
    from rubicon.rules.ruleset.ruleset import Ruleset


# The board as text: continents are blocks in three columns, territories are lines.

ArmiesText: TypeAlias = Callable[[int], str]  # -1 stands for armies that the viewer may not see

COLUMNS = 3
CELL = 25  # characters of a territory's line
GAP = 2  # characters between two columns
ARMIES_WIDTH = 4  # characters of a number of armies, at least
HIDDEN_ARMIES = "?"
PIECES = {10: "A", 5: "C", 3: "L", 1: "I"}  # artillery, cavalry, a large arrow, infantry

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
    """A name with North, South, East, West and the like as letters; its last word stays whole."""
    *words, last = name.split() or [""]
    return " ".join([*(SHORT.get(word, word) for word in words), last])


def short_name(name: str, width: int, symbols: Symbols) -> str:
    """A name that fits: directions become letters, then other words get short, then the end."""
    if len(name) <= width:
        return name
    short = in_brief(name)
    for word, shorter in SHORTER.items():
        if len(short) > width:
            short = short.replace(word, shorter)
    return cut(short, width, symbols)


def count_text(armies: int) -> str:
    """A number of armies in at most four characters."""
    if armies < 0:
        return HIDDEN_ARMIES
    if armies < 10_000:
        return str(armies)
    return f"{armies // 1000}k" if armies < 1_000_000 else "lots"


def pieces_text(ruleset: Ruleset) -> ArmiesText:
    """A function that writes armies as pieces: `1A1C2I` is 10 + 5 + 1 + 1.

    The values come from the option `pieces.denominations`.
    """

    def text(armies: int) -> str:
        if armies < 0:
            return HIDDEN_ARMIES
        counts = pieces(ruleset, armies)
        return "".join(f"{count}{PIECES[value]}" for value, count in counts.items() if count)

    return text


def pieces_legend(ruleset: Ruleset) -> str:
    """What the letters of the pieces are worth: `A 10  C 5  I 1`."""
    values = (value for value in pieces(ruleset, 0))
    return "pieces: " + "  ".join(f"{PIECES[value]} {value}" for value in values)


def partition(heights: Sequence[int], columns: int) -> list[int]:
    """The first block of each column: the order stays, and the tallest column is least tall."""
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


def board_lines(
    game: Game,
    view: Position,
    seat: int | None,
    symbols: Symbols,
    *,
    armies_text: ArmiesText = count_text,
) -> list[Text]:
    """The whole board, as `seat` sees it in `view`; `armies_text` writes numbers of armies."""
    continents = game.ruleset.board.continents
    armies = armies_column(view, len(game.territories), armies_text)
    blocks = [
        [
            heading(game, view, continent, symbols),
            *(
                territory_cell(game, view, seat, t, symbols=symbols, armies=armies[t])
                for t in continent.territories
            ),
        ]
        for continent in continents
    ]
    starts = partition([len(block) for block in blocks], COLUMNS)
    ends = [*starts[1:], len(blocks)]
    columns = [list(chain(*blocks[a:b])) for a, b in zip(starts, ends, strict=True)]
    return [joined(row) for row in zip_longest(*columns)]


def armies_column(view: Position, territories: int, armies_text: ArmiesText) -> list[str]:
    """The armies of every territory as texts of one width; blank on a territory without owner."""
    texts = [
        "" if int(view.owner[t]) == NONE else armies_text(int(view.armies[t]))
        for t in range(territories)
    ]
    width = max(ARMIES_WIDTH, *map(len, texts))
    return [f"{text:>{width}}" for text in texts]


def joined(cells: Sequence[Text | None]) -> Text:
    """One line of the board from a cell of each column."""
    line = Text()
    for number, cell in enumerate(cells):
        if cell is not None:
            line.append(" " * (number * (CELL + GAP) - len(line)))
            line.append_text(padded(cell, CELL))
    return line


def padded(text: Text, width: int) -> Text:
    """A text cut or filled with spaces to a width."""
    text = text.copy()
    text.truncate(width, pad=True)
    return text


def heading(game: Game, view: Position, continent: Continent, symbols: Symbols) -> Text:
    """The name and bonus of a continent, and who holds it."""
    owners = {int(view.owner[t]) for t in continent.territories}
    text = Text(cut(continent.name, CELL - 8, symbols), STRONG)
    text.append(f" +{continent.bonus} ", QUIET)
    if len(owners) == 1 and owners != {NONE}:
        text.append_text(badge(game.owner_name(owners.pop())))
        text.append(" ")
    text.append(symbols.line * max(0, CELL - len(text)), QUIET)
    return text


def territory_cell(
    game: Game, view: Position, seat: int | None, t: int, *, symbols: Symbols, armies: str
) -> Text:
    """A territory: its owner and armies, its name, its symbols."""
    owner = int(view.owner[t])
    own = seat is not None and owner == seat
    cell = badge(game.owner_name(owner), armies, bold=own)
    signs = signs_of(game, view, seat, t, symbols)
    width = CELL - len(cell) - 1 - (len(signs) + 1 if signs else 0)
    name = short_name(game.ruleset.board.territories[t].name, width, symbols)
    cell.append(" ")
    cell.append(name)
    if signs:
        cell.append(" " * (CELL - len(cell) - len(signs)))
        cell.append(signs)
    return cell


def signs_of(game: Game, view: Position, seat: int | None, t: int, symbols: Symbols) -> str:
    """The symbols of a territory: city, capitals, airfields, its card in the viewer's hand."""
    signs = symbols.city if view.city[t] else ""
    for other, colour in enumerate(game.colours):
        if int(view.capital[other]) == t:
            signs += symbols.capital + LETTERS[colour]
    for token, place in enumerate(view.airfield):
        if int(place) == t and int(view.reward[token]) < RewardPlace.ON_OBJECTIVE:
            signs += symbols.airfield
    if seat is not None and int(view.card[t]) == seat:
        signs += symbols.card
    return signs


def legend(game: Game, view: Position, seat: int | None, symbols: Symbols) -> str:
    """The meaning of the symbols on the board; "" if there are none."""
    meanings = []
    if view.city.any():
        meanings.append(f"{symbols.city} city")
    if (view.capital[: game.size] != NONE).any():
        headquarters = game.rules.victory_goal == Goal.HEADQUARTERS
        meanings.append(f"{symbols.capital} {'headquarters' if headquarters else 'capital'}")
    if (view.airfield != NONE).any():
        meanings.append(f"{symbols.airfield} airfield")
    if seat is not None and (view.card[: len(game.territories)] == seat).any():
        meanings.append(f"{symbols.card} card in your hand")
    return "  ".join(meanings)


# Short names for a map: three letters for each territory, and names with directions cut.

LENGTH = 3
WORD = re.compile(rf"(?<![\w_])[^\W\d_]{{{LENGTH}}}(?![\w_])")


def words_of(name: str) -> list[str]:
    """The words of a name, letters alone."""
    kept = "".join(sign if sign.isalpha() else " " for sign in name)
    return kept.split()


def spellings(name: str) -> Iterator[str]:
    """Three letters that may stand for a name, the most telling first."""
    words = words_of(name) or ["Xxx"]
    first, *more = in_brief(name).split() or [""]
    if first.isupper() and len(first) == LENGTH - 1 and more:  # Northwest, Southeast
        yield first + more[0][0].upper()
    if len(words) >= LENGTH:
        yield "".join(word[0].upper() for word in words[:LENGTH])
    if len(words) > 1:
        yield words[0][0].upper() + words[-1][:2].capitalize()
    for word in words:
        yield word[:LENGTH].capitalize()
    letters = "".join(words)
    for second in range(1, len(letters)):
        for third in range(second + 1, len(letters)):
            yield (letters[0] + letters[second] + letters[third]).capitalize()
    for number in range(10, 100):
        yield f"{letters[0].upper()}{number}"


@cache
def codes(board: Board) -> tuple[str, ...]:
    """A code of three letters for each territory; no two are the same, whatever their case."""
    found: list[str] = []
    taken: set[str] = set()
    for territory in board.territories:
        # The last spellings are numbers, so there is always one.
        code = next(c for c in spellings(territory.name) if c.casefold() not in taken)
        taken.add(code.casefold())
        found.append(code)
    return tuple(found)


def map_name(name: str) -> str:
    """A name as a large map shows it: directions become letters, long words shorter."""
    short = in_brief(name)
    for word, shorter in SHORTER.items():
        short = short.replace(word, shorter)
    return short


@cache
def _meanings(board: Board) -> Mapping[str, str]:
    """The territory of each code that would mean none, or several, without being a code."""
    found = {}
    for code, territory in zip(codes(board), board.territories, strict=True):
        try:
            board.index(code)
        except RubiconError:
            found[code.casefold()] = territory.id
    return found


def without_codes(text: str, board: Board) -> str:
    """An order with the ids of territories in place of the codes of the map: `NAf` is typed too.

    Words that mean something without that stay as they are.
    """
    meanings = _meanings(board)
    return WORD.sub(lambda word: meanings.get(word[0].casefold(), word[0]), text)
