"""Games, actions, outcomes and events as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import cache
from typing import Any, TypeAlias

import msgspec

from rubicon.engine.records import Position, Standing
from rubicon.errors import RubiconError
from rubicon.rules.actions import STANDING_TEXTS, Action, Outcome
from rubicon.rules.board.board import Board
from rubicon.rules.events import Event, event_json
from rubicon.rules.notation.positions import PositionText, position_of, text_of
from rubicon.rules.record import Record, RecordLine
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.wording import snake_case

# Actions, outcomes, events, positions and records as JSON for programs, and back, exactly.
#
# Every object has a `kind` and a `version` of its format. The format of events is that of their
# classes, in `rules.events`.

VERSION = 1
# Exact types: an IntEnum is an int too, but is written by its name.
PLAIN = frozenset({str, int, bool, type(None)})
Json: TypeAlias = dict[str, Any]


class JsonError(RubiconError):
    """A JSON value that is not in this format, or in a newer version of it."""

    def __init__(self, code: str, problem: str) -> None:
        super().__init__(f"json/{code}", problem)


def _classes(union: Any) -> dict[str, Any]:
    return {name_of_class(one): one for one in union.__args__}


def name_of_class(one: type) -> str:
    """`EndAttack` is written `end_attack`."""
    return snake_case(one.__name__)


ACTIONS = _classes(Action)
OUTCOMES = _classes(Outcome)
_ORDERS = {text: order for order, text in STANDING_TEXTS.items()}


def _head(kind: str) -> Json:
    return {"kind": kind, "version": VERSION}


def action_to_json(action: Action) -> Json:
    """`{"kind": "action", "version": 1, "action": "place", "territory": "alaska", "armies": 3}`."""
    return _head("action") | {"action": name_of_class(type(action))} | _fields(action)


def action_from_json(value: Json) -> Action:
    """The action of an object; JsonError where it describes none."""
    made: Action = _made(_body(value, "action"), "action", ACTIONS)
    return made


def outcome_to_json(outcome: Outcome) -> Json:
    """`{"kind": "outcome", "version": 1, "outcome": "roll", "attack": [6, 5], "defence": [4]}`."""
    return _head("outcome") | {"outcome": name_of_class(type(outcome))} | _fields(outcome)


def outcome_from_json(value: Json) -> Outcome:
    """The outcome of an object; JsonError where it describes none."""
    made: Outcome = _made(_body(value, "outcome"), "outcome", OUTCOMES)
    return made


def event_to_json(event: Event) -> Json:
    """The fields of an event, with its plain text as `text`."""
    made: Json = msgspec.json.decode(event_json(event))
    return made


def event_from_json(value: object) -> Event:
    """The event of an object that `event_to_json` made; JsonError where it describes none."""
    if not isinstance(value, dict) or value.get("kind") != "event":
        raise JsonError("wrong-kind", "This is not an object of the kind 'event'.")
    try:
        event: Event = msgspec.convert(value, Event)
    except msgspec.ValidationError as error:
        raise JsonError("bad-value", f"This is no event: {error}.") from error
    return event


def _fields(value: Any) -> Json:
    made: type = type(value)
    return {name: _plain(getattr(value, name)) for name in _field_names(made)}


# Cached, since `dataclasses.fields` takes longer than the rest of a small object.
@cache
def _field_names(made: type) -> tuple[str, ...]:
    return tuple(part.name for part in dataclasses.fields(made))


def _plain(value: Any) -> Any:
    if type(value) in PLAIN:
        return value
    if isinstance(value, Standing):
        return STANDING_TEXTS[value]
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if dataclasses.is_dataclass(value):
        return _fields(value)
    return int(value)


def _body(value: object, kind: str) -> Json:
    """The object without its `kind` and `version`, which must be known here."""
    if not isinstance(value, dict) or value.get("kind") != kind:
        raise JsonError("wrong-kind", f"This is not an object of the kind {kind!r}.")
    version = value.get("version")
    if type(version) is not int or version < 1:
        raise JsonError("no-version", f"This {kind} has no version.")
    if version > VERSION:
        raise JsonError(
            "newer", f"This {kind} has version {version}; Rubicon reads up to {VERSION} here."
        )
    return {key: field for key, field in value.items() if key not in ("kind", "version")}


def _made(body: Json, what: str, classes: Mapping[str, Any]) -> Any:
    """The value that an object describes, with every field checked against its annotation."""
    name = body.pop(what, None)
    made = classes.get(name) if isinstance(name, str) else None
    if made is None:
        raise JsonError("unknown", f"{what} must be one of {', '.join(classes)}.")
    fields = {part.name: part for part in dataclasses.fields(made)}
    unknown = [key for key in body if key not in fields]
    if unknown:
        raise JsonError("unknown-field", f"A {name} has no field {str(unknown[0])[:40]!r}.")
    given = {key: _value(f"{name}.{key}", fields[key].type, body[key]) for key in body}
    needed = [key for key, part in fields.items() if part.default is dataclasses.MISSING]
    missing = [key for key in needed if key not in given]
    if missing:
        raise JsonError("missing-field", f"A {name} needs the field {missing[0]!r}.")
    return made(**given)


def _value(where: str, hint: Any, value: Any) -> Any:
    """A field's value from JSON, by how the field is annotated."""
    checks: dict[str, Callable[[Any], bool]] = {
        "str": lambda one: isinstance(one, str),
        # `type` and not `isinstance`: True is an int in Python, and no number of armies.
        "int": lambda one: type(one) is int and 0 <= one < 2**31,
        "bool": lambda one: isinstance(one, bool),
    }
    kinds = str(hint).split(" | ")
    if value is None and "None" in kinds:
        return None
    if kinds[0] == "Standing" and isinstance(value, str) and value in _ORDERS:
        return _ORDERS[value]
    if kinds[0].startswith("tuple[") and isinstance(value, list):
        one = kinds[0].removeprefix("tuple[").partition(",")[0]
        return tuple(_value(where, one, part) for part in value)
    if kinds[0] in checks and checks[kinds[0]](value):
        return value
    raise JsonError("bad-value", f"{where} cannot be {str(value)[:40]!r}.")


def position_to_json(ruleset: Ruleset, position: Position) -> Json:
    """A position, or a seat's view of one: the words of its text, by name."""
    text = text_of(ruleset, position)
    territories = [territory.id for territory in ruleset.board.territories]
    return _head("position") | {
        "ruleset": _named(text.ruleset),
        "options": dict(text.options),
        "board": _named(text.board),
        "territories": dict(zip(territories, text.territories, strict=True)),
        "seats": [{"seat": seat} | dict(fields) for seat, fields in text.seats],
        "table": dict(text.table),
    }


def _named(pair: tuple[str, int]) -> Json:
    return {"name": pair[0], "version": pair[1]}


def position_from_json(value: Json) -> tuple[Ruleset, Position]:
    """The ruleset and the record of an object; raises JsonError or PositionError."""
    body = _body(value, "position")
    seats = body.get("seats")
    if not isinstance(seats, list):
        raise JsonError("bad-value", "position.seats must be a list.")
    rows = [_texts(seat, "seat") for seat in seats]
    board = _name_of(body.get("board"), "board")
    text = PositionText(
        ruleset=_name_of(body.get("ruleset"), "ruleset"),
        options=_texts(body.get("options"), "options"),
        board=board,
        territories=_in_board_order(board[0], _texts(body.get("territories"), "territories")),
        seats=tuple((row.pop("seat", ""), row) for row in rows),
        table=_texts(body.get("table"), "table"),
    )
    return position_of(text)


def _in_board_order(board: str, territories: Mapping[str, str]) -> tuple[str, ...]:
    ids = [territory.id for territory in Board.load(board).territories]
    if set(territories) != set(ids):
        raise JsonError("bad-value", f"The territories are not those of the board {board[:40]!r}.")
    return tuple(territories[name] for name in ids)


def _texts(value: object, what: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise JsonError("bad-value", f"position.{what} must be an object.")
    if not all(isinstance(key, str) and isinstance(text, str) for key, text in value.items()):
        raise JsonError("bad-value", f"position.{what} must hold texts.")
    return dict(value)


def _name_of(value: object, what: str) -> tuple[str, int]:
    if isinstance(value, dict):
        name, version = value.get("name"), value.get("version")
        if isinstance(name, str) and type(version) is int:
            return name, version
    raise JsonError("bad-value", f"position.{what} needs a name and a version.")


def record_to_json(record: Record) -> Json:
    """A record: its headers, and every line with its seat, entry and note."""
    return _head("record") | {
        "headers": dict(record.headers),
        "lines": [_line_to_json(line) for line in record.lines],
    }


def _line_to_json(line: RecordLine) -> Json:
    value: Json = {}
    if line.seat:
        value["seat"] = line.seat
    if isinstance(line.entry, Outcome):
        value["outcome"] = outcome_to_json(line.entry)
    elif line.entry is not None:
        value["action"] = action_to_json(line.entry)
    return value | ({"note": line.note} if line.note else {})


def record_from_json(value: Json) -> Record:
    """The record of an object; JsonError where it describes none."""
    body = _body(value, "record")
    headers, lines = body.get("headers"), body.get("lines")
    if not isinstance(lines, list):
        raise JsonError("bad-value", "record.lines must be a list.")
    return Record(_texts(headers, "headers"), tuple(_line_from_json(line) for line in lines))


def _line_from_json(value: object) -> RecordLine:
    if not isinstance(value, dict) or ("action" in value and "outcome" in value):
        raise JsonError(
            "bad-value",
            "A line of a record must be an object with at most one of action and outcome.",
        )
    seat, note = value.get("seat", ""), value.get("note", "")
    if not isinstance(seat, str) or not isinstance(note, str):
        raise JsonError("bad-value", "The seat and the note of a line must be texts.")
    if "action" in value:
        return RecordLine(action_from_json(value["action"]), seat, note)
    if "outcome" in value:
        return RecordLine(outcome_from_json(value["outcome"]), seat, note)
    return RecordLine(None, seat, note)
