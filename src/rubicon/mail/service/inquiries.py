"""Answers to questions: STATUS, MAP, LEGAL, HAND, RULES, HISTORY, HELP and PREVIEW.

Everything comes from what the seat may see; nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from rubicon.errors import RubiconError
from rubicon.mail.service.order_help import help_lines
from rubicon.mail.service.steps.step_runner import told_error
from rubicon.mail.writing.forms import form_of
from rubicon.mail.writing.happenings import Fact, facts_of, last_turn_of
from rubicon.mail.writing.layout.as_text import panel_lines
from rubicon.mail.writing.panels.state_panels import cards_panel, everybody_panel, secrets_panel
from rubicon.mail.writing.panels.table_panel import table_panel
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.turn_email import map_panel
from rubicon.orders.order_text import OrderText
from rubicon.orders.requests import Ask, AskRequest, HelpRequest, HistoryRequest, Request
from rubicon.rulebook.rulebook import rulebook
from rubicon.server.costly_answers import OrdersPreview, preview_orders
from rubicon.server.seat_game import SeatGame
from rubicon.server.work_process import WorkProcess
from rubicon.table.game.facts import SPECTATORS
from rubicon.table.storage.database import Store

MOST_LINES = 200  # of one section
MOST_RULES = 1_000
PREVIEW_SECONDS = 10.0
WITHOUT_PREVIEW = "Send these lines without PREVIEW, and they are carried out."
OF_PROGRAMS = ("silent", "presence")
OF_A_SEAT = (Ask.HAND, Ask.LEGAL, Ask.PREVIEW)
Section = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Inquiries:
    """Answers questions of one server; previews are computed in a process of their own."""

    store: Store
    work: WorkProcess

    def sections(self, text: OrderText, scene: Scene) -> tuple[Section, ...]:
        """A section for each different question of a text, in their order."""
        asked = dict.fromkeys(text.requests)
        return tuple(
            section for request in asked for section in self._section(request, text, scene)
        )

    def _section(self, request: Request, text: OrderText, scene: Scene) -> Iterator[Section]:
        if scene.is_master and isinstance(request, AskRequest) and request.ask in OF_A_SEAT:
            yield "Your question", (f"The game master has no seat: {request.ask} has no answer.",)
            return
        match request:
            case AskRequest(Ask.PREVIEW):
                yield "Odds of your orders", self._preview(text, scene)
                if text.orders:
                    orders = OrderText(text.orders, (), text.ended)
                    yield "Your orders", (*str(orders).splitlines(), "", WITHOUT_PREVIEW)
            case AskRequest(ask, territory) if ask in SHOWN:
                title, show = SHOWN[ask]
                yield title, show(scene, territory)
            case HistoryRequest(entries):
                yield (
                    "What has happened",
                    self.store.read(lambda connection: _history(connection, scene, entries)),
                )
            case HelpRequest(word):
                yield "Orders", help_lines(word)

    def _preview(self, text: OrderText, scene: Scene) -> tuple[str, ...]:
        orders = OrderText(text.orders, (), text.ended)
        if not orders.orders:
            return ("There are no orders beside PREVIEW: write them below it.",)
        seen = SeatGame.of(scene.snapshot.game(), scene.you)
        try:
            found: OrdersPreview = self.work.call(
                PREVIEW_SECONDS, preview_orders, seen, str(orders)
            )
        except RubiconError as error:
            return (told_error(error),)
        return tuple(found.lines[:MOST_LINES])


def _status(scene: Scene, _: str | None) -> tuple[str, ...]:
    snapshot = scene.snapshot
    if snapshot.ending is not None:
        first = f"The game is over: {snapshot.ending.result}."
    else:
        waiting = ", ".join(scene.seats.listed(c) for c in snapshot.decisions) or "nobody"
        when = f"Round {scene.round}." if scene.round else "Before the first turn."
        first = f"{when} The game waits for {waiting}."
    lines = [first]
    if scene.you in snapshot.decisions:
        due = scene.deadline
        lines.append(f"You are asked{f', until {due}: {scene.left} from now' if due else ''}.")
    if snapshot.paused:
        lines.append("The game is paused.")
    if (table := table_panel(scene)).blocks:
        lines += ["", *panel_lines(table)]
    return (*lines, "", *panel_lines(everybody_panel(scene)))


def _map(scene: Scene, territory: str | None) -> tuple[str, ...]:
    if territory is None:
        return panel_lines(map_panel(scene))
    at = scene.game.territories.index(territory)
    names = [each.name for each in scene.board.territories]
    near = [f"{names[n]} ({scene.tile(n).text})" for n in scene.neighbours(at)]
    return (f"{names[at]} ({scene.tile(at).text}) borders on:", *near)


def _legal(scene: Scene, _: str | None) -> tuple[str, ...]:
    if scene.you not in scene.snapshot.decisions:
        return ("Nothing is due from you now.",)
    form = form_of(scene)
    return (*form.due, "", *form.lines)[:MOST_LINES]


def _hand(scene: Scene, _: str | None) -> tuple[str, ...]:
    panels = (cards_panel(scene), *secrets_panel(scene))
    lines = [line for panel in panels for line in ("", *panel_lines(panel))]
    return tuple(lines[1:]) or ("You have no cards.",)


def _rules(scene: Scene, _: str | None) -> tuple[str, ...]:
    link = f"{scene.url}/rules"
    return (link, "", *rulebook(scene.snapshot.ruleset).splitlines()[:MOST_RULES])


SHOWN: dict[Ask, tuple[str, Callable[[Scene, str | None], tuple[str, ...]]]] = {
    Ask.STATUS: ("Status", _status),
    Ask.MAP: ("Map", _map),
    Ask.LEGAL: ("What is possible", _legal),
    Ask.HAND: ("Your cards", _hand),
    Ask.RULES: ("Rules of this game", _rules),
}


def history_line(fact: Fact) -> str:
    """One line of what has happened; "" for what programs say to each other about the dice."""
    text, event = str(fact.get("text", "")), str(fact.get("event", ""))
    if fact.get("kind") != "table" or not text:
        return text
    if event in OF_PROGRAMS:
        return ""
    if event == "master":
        return f"the game master: {text}"
    return f"{fact.get('seat') or 'the table'}: {event} {text}"


def _history(connection: Connection, scene: Scene, entries: int | None) -> tuple[str, ...]:
    game, head = scene.snapshot.id, scene.snapshot.head
    seat = SPECTATORS if scene.is_master else scene.you
    first = 0 if entries is not None else last_turn_of(connection, game, seat, head + 1)
    # Each event has a log line at least, so the last ones are among so many lines.
    if entries is not None:
        first = max(0, head - 10 * min(entries, MOST_LINES))
    texts = [history_line(fact) for fact in facts_of(connection, game, seat, first, head)]
    wanted = min(entries or MOST_LINES, MOST_LINES)
    return tuple(filter(None, texts))[-wanted:] or ("Nothing yet.",)
