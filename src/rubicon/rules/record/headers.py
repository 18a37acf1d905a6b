"""The headers of a record: the start of a game as texts, and the game that they start."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rubicon.engine.records.position import NEUTRAL, Position, Standing
from rubicon.errors import RubiconError
from rubicon.rules.actions import STANDING_TEXTS
from rubicon.rules.board.board import Board, board_name
from rubicon.rules.game.game import Game
from rubicon.rules.notation.position_fields import whole
from rubicon.rules.notation.positions import parse_position, position_text
from rubicon.rules.ruleset.file import fits
from rubicon.rules.ruleset.ruleset import Ruleset, parse_override, preset_names
from rubicon.suggestions import nearest
from rubicon.wording import quoted

FORMAT = 1
NEEDED = ("Rubicon", "Ruleset", "Board", "Seats")
UNFINISHED = "*"
ENDING = "Ending"  # a header: the result of a hosted game that no rule ended, and why
DRAW = "draw"
# A quotation mark or backslash in a value is escaped by a backslash, as in PGN.
_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_-]{0,40}) "((?:[^"\\]|\\.)*)"\]')
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_UNESCAPES = {written[1]: plain for plain, written in _ESCAPES.items()}
_ORDERS = {text: order for order, text in STANDING_TEXTS.items()}


class RecordError(RubiconError):
    """A record that cannot be read or played; `line` counts from 1; 0: no single line."""

    def __init__(self, code: str, line: int, problem: str, suggestion: str = "") -> None:
        self.line = line
        where = f"line {line}: " if line else ""
        super().__init__(f"record/{code}", f"{where}{problem}", suggestion)


def header_text(name: str, value: str) -> str:
    """`[Name "value"]`."""
    escaped = "".join(_ESCAPES.get(letter, letter) for letter in value)
    return f'[{name} "{escaped}"]'


def read_header(text: str) -> tuple[str, str] | None:
    """Name and value of a header line; None for any other line."""
    found = _HEADER.fullmatch(text)
    if not found:
        return None
    value = re.sub(r"\\(.)", lambda escape: _UNESCAPES.get(escape[1], escape[1]), found[2])
    return found[1], value


def headers_of(game: Game) -> dict[str, str]:
    """The headers of a game: how it started, and its result so far."""
    headers = {"Rubicon": str(FORMAT)} | ruleset_headers(game.ruleset)
    headers["Seats"] = seats_text(game.colours, game.names)
    return headers | _beginning(game) | {"Result": result_of(game)}


def ruleset_headers(ruleset: Ruleset) -> dict[str, str]:
    """The headers that name a ruleset and its board; `ruleset_of` reads them."""
    headers = {
        "Ruleset": f"{ruleset.preset} {Ruleset.load(ruleset.preset).version}",
        "Board": f"{board_name(ruleset.board)} {ruleset.board.version}",
    }
    if ruleset.own_name is not None:
        headers["Called"] = "{} {}".format(*ruleset.own_name)
    if ruleset.differences:
        headers["Options"] = "; ".join(f"{k}={v}" for k, v in ruleset.differences.items())
    return headers


def result_of(game: Game) -> str:
    """A colour, `draw`, or `*` while the game lasts."""
    if not game.over:
        return UNFINISHED
    return game.winner or DRAW


def _beginning(game: Game) -> dict[str, str]:
    """How the game started: as a new game, or from a position."""
    start = game.start
    territories = zip(game.territories, start.owner, start.armies, strict=False)
    rebels = {name: int(armies) for name, owner, armies in territories if owner == NEUTRAL}
    standing = Standing(max(0, int(start.standing_all[0])))
    beginning = {"Standing": STANDING_TEXTS[standing]}
    if rebels:
        beginning["Rebels"] = " ".join(f"{name}:{armies}" for name, armies in rebels.items())
    # A game from a position is recognised by its bytes: only then the whole position is written.
    try:
        fresh = _new(game.ruleset, game.colours, game.names, rebels, standing)
    except RubiconError:
        fresh = None
    if fresh is not None and same_position(fresh.start, start):
        return beginning
    return {"Position": position_text(game.ruleset, start)}


def same_position(one: Position, other: Position) -> bool:
    """Whether two positions have equal bytes."""
    return one.tobytes() == other.tobytes()


def _new(
    ruleset: Ruleset,
    colours: tuple[str, ...],
    names: tuple[str, ...],
    rebels: Mapping[str, int],
    standing: Standing,
) -> Game:
    return Game.new(ruleset, names=names, colours=colours, rebels=rebels, standing=standing)


def seats_text(colours: tuple[str, ...], names: tuple[str, ...]) -> str:
    """`red: Ann; blue: Bob`; a colour alone where the player has no other name."""
    return "; ".join(map(_seat_text, colours, names))


def _seat_text(colour: str, name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace(";", "\\;")
    return colour if name == colour else f"{colour}: {escaped}"


def read_seats(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The colours and the names of a header `Seats`."""
    # `\;` is part of a name; only a bare semicolon separates seats.
    parts = re.findall(r"(?:[^;\\]|\\.)+", text)
    pairs = [part.partition(":") for part in parts]
    colours = tuple(colour.strip().lower() for colour, _, _ in pairs)
    names = tuple(
        re.sub(r"\\(.)", r"\1", name.removeprefix(" ")) if colon else colour
        for colour, (_, colon, name) in zip(colours, pairs, strict=True)
    )
    return colours, names


def board_of(headers: Mapping[str, str]) -> Board:
    """The board that the headers name."""
    name, version = _named(headers, "Board")
    board = Board.load(name)
    _same_version("board", name, version, board.version)
    return board


def _named(headers: Mapping[str, str], header: str) -> tuple[str, str]:
    name, space, version = headers[header].rpartition(" ")
    if not space or not version.isdecimal():
        problem = f"[{header} {quoted(headers[header])}] is not a name and a version."
        raise RecordError("bad-header", 0, problem)
    return name, version


def _same_version(what: str, name: str, said: str, known: int) -> None:
    if said != str(known):
        problem = f"it needs version {said[:20]} of the {what} {name}; this Rubicon has {known}."
        raise RecordError(f"{what}-version", 0, problem)


def ruleset_of(headers: Mapping[str, str]) -> Ruleset:
    """The ruleset that the headers name."""
    name, version = _named(headers, "Ruleset")
    if name not in preset_names():
        problem = f"there is no ruleset {quoted(name)}."
        raise RecordError("bad-header", 0, problem, nearest(name, preset_names()))
    _same_version("ruleset", name, version, Ruleset.load(name).version)
    parts = [part for part in headers.get("Options", "").split(";") if part.strip()]
    ruleset = Ruleset.load(name, dict(map(parse_override, parts)), board=board_of(headers))
    return _called(ruleset, headers) if "Called" in headers else ruleset


def _called(ruleset: Ruleset, headers: Mapping[str, str]) -> Ruleset:
    """The ruleset under its own name and version, from the header `Called`."""
    name, version = _named(headers, "Called")
    number = whole(version)
    if number is None or not (fits("name", name) and fits("version", number)):
        problem = f"[Called {quoted(headers['Called'])}] is not the name and version of a ruleset."
        raise RecordError("bad-header", 0, problem)
    return ruleset.called(name, number)


def rebels_of(headers: Mapping[str, str]) -> dict[str, int]:
    """The armies of the rebels at the start, by territory; RecordError for what is none."""
    return _rebels(headers.get("Rebels", ""))


def _rebels(text: str) -> dict[str, int]:
    rebels: dict[str, int] = {}
    for entry in text.split():
        name, _, armies = entry.partition(":")
        if not armies.isascii() or not armies.isdecimal() or len(armies) > 6 or name in rebels:
            raise RecordError(
                "bad-header", 0, f"[Rebels]: {quoted(entry)} is not TERRITORY:ARMIES."
            )
        rebels[name] = int(armies)
    return rebels


def game_of(headers: Mapping[str, str]) -> Game:
    """The game that the headers start."""
    ruleset = ruleset_of(headers)
    colours, names = read_seats(headers["Seats"])
    if "Position" in headers:
        return _from_position(headers["Position"], ruleset, colours, names)
    standing = _ORDERS.get(headers.get("Standing", "max"))
    if standing is None:
        problem = f"[Standing {quoted(headers['Standing'])}] is not none, 1, 2 or max."
        raise RecordError("bad-header", 0, problem)
    return _new(ruleset, colours, names, rebels_of(headers), standing)


def _from_position(
    text: str, ruleset: Ruleset, colours: tuple[str, ...], names: tuple[str, ...]
) -> Game:
    played, position = parse_position(text)
    game = Game.from_position(played, position, names=names)
    if played != ruleset or game.colours != colours:
        problem = "[Position] has another ruleset, board or seats than the other headers."
        raise RecordError("bad-header", 0, problem)
    return game
