"""What each key does: it edits the line, changes the selection, or gives an order."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.cli.screen.compass import DIRECTIONS
from rubicon.cli.screen.desk import Desk

OPENS = {"f4": "hand", "f5": "log", "f1": "help"}  # keys that show something
BEGINS = {"f6": "say ", "f7": "defend "}  # keys that begin a line
STEPS = {"+": 1, "=": 1, "-": -1, "−": -1}
STOP_STEPS = {"[": -1, "]": 1}
NUMBER_STEPS = {"left": -1, "right": 1}  # where a number of armies or dice is asked for


@dataclass(frozen=True, slots=True)
class Press:
    """A key by its name, such as `left`, and the sign that it types; "" for none."""

    key: str
    sign: str = ""


def opened_by(desk: Desk, press: Press) -> str:
    """What a key shows over the map, by its command: `hand`, `log`, `help`; "" for another key."""
    if press.sign == "?" and not desk.line.text:
        return "help"
    return OPENS.get(press.key, "")


def pressed(desk: Desk, press: Press) -> str | None:
    """Carry out a key; the line that it sends, or None."""
    if press.key == "enter":
        return entered(desk)
    if press.key == "tab":
        complete_or_move(desk)
        return None
    if press.key in OPENS:
        return OPENS[press.key]
    if press.key in BEGINS and not desk.line.text:
        desk.line.insert(BEGINS[press.key])
        return None
    if press.key == "f8":
        text = desk.line.text or desk.proposal()
        return f"preview {text}" if text else None
    if not desk.line.text:
        return on_empty_line(desk, press)
    if press.key == "escape":
        desk.line.set("")
    elif not desk.line.edit(press.key):
        desk.line.insert(press.sign)
    return None


def entered(desk: Desk) -> str | None:
    """The typed line, or on an empty one the proposal."""
    return desk.line.take() or desk.proposal() or None


def complete_or_move(desk: Desk) -> None:
    """Take the first candidate for the end of the line; on an empty one go to the next target."""
    line = desk.line
    if not line.text:
        desk.next_choice(1)
        return
    following = desk.reading().following
    if following:
        first = following[0]
        line.replace(first.start, first.stop, first.text + " ")


def on_empty_line(desk: Desk, press: Press) -> str | None:
    """A key that begins no order; any other begins one."""
    sign = press.sign
    if press.key == "shift+tab":
        desk.next_choice(-1)
    elif press.key in NUMBER_STEPS and desk.choices.numbers:
        desk.change(NUMBER_STEPS[press.key])
    elif press.key in ("home", "end"):
        desk.set_number(most=press.key == "end")
    elif press.key in DIRECTIONS:
        desk.move(press.key)
    elif press.key == "backspace":
        return taken_back(desk)
    elif sign == " ":
        return desk.roll_once() or None
    elif sign == ".":
        return desk.end() or None
    elif sign == "?":
        return "help"
    elif sign in STEPS and sign:
        desk.change(STEPS[sign])
    elif sign in STOP_STEPS and sign:
        desk.change_stop(STOP_STEPS[sign])
    elif sign:
        desk.line.insert(sign)
    return None


def taken_back(desk: Desk) -> str | None:
    """Drop the draft, or without one take the last decision back."""
    if desk.draft:
        desk.draft.clear()
        return None
    return "undo"
