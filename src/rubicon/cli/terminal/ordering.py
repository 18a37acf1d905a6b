"""Orders at the terminal: a turn as one text, looked ahead, explained, or carried out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from rubicon.cli.orders import EXAMPLE, text_of
from rubicon.cli.terminal.prompting import Keyboard
from rubicon.cli.terminal.session import Session
from rubicon.cli.warmup import warm_kernels
from rubicon.odds.warmup import warm
from rubicon.orders.carrying import Carrying, Standstill
from rubicon.orders.explaining import explain
from rubicon.orders.plan import Progress
from rubicon.orders.preview import preview
from rubicon.orders.preview_text import preview_lines
from rubicon.orders.problems import OrdersError
from rubicon.orders.reading import read_orders
from rubicon.orders.request import (
    Ask,
    AskRequest,
    HelpRequest,
    HistoryRequest,
    Request,
)
from rubicon.orders.sheet import Sheet
from rubicon.rules.errors import RubiconError

LONGEST_NAME = 200
WORDS = ("orders", "preview", "explain")
ARROWS = re.compile(r"->|>|\u2192")
CONDITIONAL = re.compile(r"^\s*if\b|\b(?:until|else)\b|.\badvance\b", re.IGNORECASE)
FILE_NAME = re.compile(r"(?!//)(?:\S*/\S*|[^\s;,]+\.[^\s;,.]+)")
HOW = "Orders, a line each; END ends the turn with them, an empty line only the text."


def is_order(line: str) -> bool:
    """Whether a line says more than one action can: conditions, stops, a longer path."""
    paths = any(len(ARROWS.findall(part)) > 1 for part in line.split(";"))
    return paths or bool(CONDITIONAL.search(line))


class Ordering:
    """The orders that are being carried out, by seat."""

    def __init__(self, session: Session, say: Callable[[str], None]) -> None:
        self.session = session
        self.say = say
        self.under_way: dict[str, tuple[Carrying, Progress]] = {}

    def read(self, text: str, colour: str) -> Sheet:
        """The sheet that a text means, its warnings said; OrdersError with all that is wrong."""
        warm_kernels(warm)
        game = self.session.game
        names = dict(zip(game.names, game.colours, strict=True))
        sheet = read_orders(text, game.ruleset.board, game.colours, names=names)
        for warning in sheet.warnings:
            self.say(str(warning))
        if not (sheet.orders or sheet.requests or sheet.ended):
            raise RubiconError("orders/empty", "No orders stand here; nothing was done.", EXAMPLE)
        return sheet

    def preview(self, text: str, colour: str) -> None:
        """Say what may become of orders, and do nothing."""
        self._look_ahead(self.read(text, colour), colour)

    def _look_ahead(self, sheet: Sheet, colour: str) -> None:
        game = self.session.game
        for line in preview_lines(preview(sheet, game, colour), game.ruleset.board):
            self.say(line)

    def explain(self, text: str, colour: str) -> None:
        """Say in words what orders ask for, and do nothing."""
        for line in explain(self.read(text, colour), self.session.game.ruleset):
            self.say(line)

    def begin(self, sheet: Sheet, colour: str) -> None:
        """Take the orders of a sheet; PREVIEW among its requests only looks ahead."""
        if AskRequest(Ask.PREVIEW) in sheet.requests:
            self._look_ahead(sheet, colour)
        elif sheet.orders or sheet.ended:
            self.under_way[colour] = (Carrying(sheet, self.session.game, colour), Progress())

    def go_on(self, colour: str) -> None:
        """Carry out a seat's orders until they are done, or somebody else must decide."""
        session = self.session
        while colour in self.under_way:
            carrying, progress = self.under_way[colour]
            decision = carrying.decide(session.game.view(colour), progress)
            for note in decision.notes:
                self.say(str(note).capitalize())
            if decision.action is None:
                self._stand_still(colour, decision.standstill, decision.reason)
                return
            self.under_way[colour] = (carrying, decision.progress)
            session.play(decision.action)
            if not session.hot_seat or session.at_keyboard in (colour, None):
                session.show(colour)
            if session.go_on() != colour:
                return

    def _stand_still(self, colour: str, why: Standstill | None, reason: str) -> None:
        if why in (Standstill.WAITING, Standstill.OWED):
            return
        del self.under_way[colour]
        if why is Standstill.PAUSED:
            self.say(f"The orders stop here. {reason}")


def gathered(rest: str, keyboard: Keyboard, say: Callable[[str], None]) -> str:
    """The text of orders: what stands behind the word, a file of that name, or lines typed now."""
    if rest:
        return _held_by_file(rest) or rest
    say(HOW)
    lines: list[str] = []
    try:
        while (line := keyboard.read("orders> ")) != "":
            lines.append(line)
            if line.casefold().rstrip(".") == "end":
                break
    except KeyboardInterrupt:
        raise RubiconError("orders/dropped", "The orders are dropped; nothing was done.") from None
    return "\n".join(lines)


def _held_by_file(name: str) -> str | None:
    """The text in a file of that name; None where the name can only be orders."""
    file = os.path.expanduser(name)
    if len(name) > LONGEST_NAME or not (os.path.isfile(file) or FILE_NAME.fullmatch(name)):
        return None
    return text_of(file)


def error_lines(error: OrdersError) -> list[str]:
    """Everything that is wrong, and the text as it might be sent."""
    lines = [str(problem) for problem in (*error.problems, *error.warnings)]
    if error.corrected.strip():
        lines += ["As far as it can be read, this was meant:"]
        lines += [f"  {line}" for line in error.corrected.splitlines()]
    return lines


def command_of(request: Request) -> str:
    """The line of the terminal that a request stands for, or "" where there is none."""
    match request:
        case AskRequest(ask) if ask in (Ask.MAP, Ask.UNDO):
            return str(ask).lower()
        case AskRequest(ask) if ask is Ask.STATUS:
            return "map"
        case HistoryRequest(entries):
            return f"log {entries or ''}".strip()
        case HelpRequest(word):
            return f"help {(word or '').lower()}".strip()
    return ""
