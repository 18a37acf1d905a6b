"""A game on the full screen: what it shows, and what keys and clicks do with the desk."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rubicon.cli.screen.canvas import Canvas, Cell, Theme, is_at_least
from rubicon.cli.screen.cells import CellScreen, Press
from rubicon.cli.screen.desk import Desk, opened_by, pressed
from rubicon.cli.screen.ending import CurveWork, Ending, draw_ending, ending_of
from rubicon.cli.screen.layouts import WIDE, below_prompt, draw, map_box
from rubicon.cli.screen.map import draw_map
from rubicon.cli.screen.overlays import OpenList, hand_over, help_rows, over_panel
from rubicon.cli.screen.parts import answer_rows, opened_cards
from rubicon.cli.screen.prompts import GamePrompts, Reply
from rubicon.cli.screen.scene import ScreenScene, scene_of
from rubicon.cli.screen.typed_line import MOST, TITLE, Moment, TypeAhead, WholeTurn, read_line
from rubicon.cli.screen.world import World, make_world
from rubicon.cli.terminal.commands import COMMANDS, whole_word
from rubicon.cli.terminal.console import is_question
from rubicon.cli.terminal.session import Session
from rubicon.wording import printable

NOT_DONE = "Not done"  # begins the line about the orders that were left
PAGES = {"pageup": -8, "pagedown": 8}  # rows of the table of borders
SIZES = 8  # of the map that are kept


@dataclass(frozen=True, slots=True)
class Sent:
    """A line that was given to the game: what was typed of it, its exact form if it is an order.

    `history` is the length of the game's history at that time.
    """

    line: str
    typed: str
    order: str
    history: int


def said_below(replies: list[Reply]) -> list[Reply]:
    """What is below the prompt: of a refusal only why, and what was left undone."""
    if not any(reply.refused for reply in replies):
        return replies
    return [reply for reply in replies if reply.refused or reply.text.startswith(NOT_DONE)]


class FullScreen(CellScreen[bool]):
    """One game; its result is whether the same players want another."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self.prompts = GamePrompts(session)
        self.prompts.changed = self.notify
        self.geometry = session.game.ruleset.board.geometry()
        self.desk = Desk(session.game, self.geometry)
        self.question = ""  # that the desk was renewed for
        self.opened: OpenList | None = None  # over the map
        self.leaving_asked = self.borders = False
        self.first_border = 0
        self.asked_before = 0  # the question that the desk was renewed for
        self.sent: Sent | None = None
        self.whole_turn: WholeTurn | None = None
        self.ending: Ending | None = None
        self.curve_work: CurveWork | None = None
        self.worlds: dict[tuple[int, int], World] = {}
        self.map_shown: tuple[object, ...] = ()
        self.map_cells: list[list[Cell]] = []
        self.ahead = TypeAhead()
        self.quitting = False

    @property
    def alarmed(self) -> bool:
        """Whether an alarm is open."""
        return self.opened is not None and self.opened.alarm

    @property
    def asked(self) -> str:
        """The seat that is asked for an order, and that the desk is for; "" while none is."""
        return self.desk.colour if is_question(self.question) else ""

    def begin(self) -> None:
        """Begin to play."""
        self.prompts.start()

    def changed(self) -> None:
        """Draw what is new; a new question begins with a fresh desk."""
        if self.prompts.failure is not None or self.prompts.left:
            self.exit(False)
            return
        question = self.prompts.keyboard.question
        asked = self.prompts.keyboard.asked
        # Counted, since the next question may have the same words.
        if asked != self.asked_before and is_question(question):
            self.asked_before = asked
            colour = self.prompts.loop.colour
            sits = self.prompts.session.sits(colour)
            self.desk.renew(colour, self.prompts.keyboard.draft, hand_open=sits)
            self.prompts.keyboard.draft = ""
            # Only now is it known what has become of the line that was sent last.
            self.after_line()
            self.ahead.at(self.moment())
        if question:
            self.prompts.choose_replies(said_below)
        if question and not self.fits_below(self.prompts.replies):
            self.opened = OpenList("Answer", [reply.text for reply in self.prompts.replies])
            self.prompts.replies = []
        self.question = question
        if self.prompts.alarms and not self.alarmed:
            self.opened = OpenList(*self.prompts.alarms.pop(0), alarm=True)
        self.redraw()
        if self.asked and self.ahead.text:
            self.type_ahead()

    def moment(self) -> Moment:
        """The moment of a question, for what was typed before it."""
        position = self.prompts.session.game.position
        return self.desk.colour, int(position.turn), int(position.round_number)

    def type_ahead(self) -> None:
        """Type the first line that was typed before it was asked for."""
        line, ended = self.ahead.take()
        self.desk.line.insert(line)
        if ended:
            self.press(Press("enter"))
        else:
            self.redraw()

    def fits_below(self, replies: list[Reply]) -> bool:
        """Whether an answer can be read whole below the prompt."""
        width, rows = below_prompt(*self.size)
        return len(answer_rows(self.look, replies, width)) <= rows

    def paste(self, text: str) -> None:
        """Type a pasted text; its lines become parts of one line, or lines of a whole turn."""
        if not self.asked:
            return
        lines = [line.strip() for line in text[:MOST].splitlines() if line.strip()]
        if self.whole_turn is not None and len(lines) > 1:
            game = self.prompts.session.game
            self.whole_turn.add("\n".join(map(printable, lines)), game, self.asked)
        else:
            self.desk.line.insert("; ".join(lines))
        self.redraw()

    def open_shown(self, what: str) -> bool:
        """Open cards, log or help of the person who looks; False where the game must be asked."""
        session, colour = self.prompts.session, self.asked
        if session.hot_seat and (what == "hand" or session.at_keyboard != colour):
            return what == "help" and self.open_help()
        if what == "help":
            return self.open_help()
        if what == "log":
            log = session.log_of(colour or session.watcher or "")
            self.opened = OpenList("Log", log or ["Nothing has happened yet."])
            self.opened.first = self.opened.last_page(self.size)
        elif self.asked or session.watcher:
            self.opened = OpenList("Your cards", opened_cards(self.scene()))
        return True

    def open_help(self) -> bool:
        """Open the keys of now."""
        self.opened = OpenList("What you can do now", help_rows(self.scene()))
        return True

    def scene(self) -> ScreenScene:
        """What the screen shows now."""
        found = scene_of(self.prompts, self.desk, self.look, self.asked, borders=self.borders)
        return replace(found, first_border=self.first_border)

    def world(self, width: int, height: int) -> World:
        """The map at a size, computed once."""
        # A window that is dragged to another size passes through many of them.
        key = width, height
        if key not in self.worlds:
            if len(self.worlds) >= SIZES:
                self.worlds.clear()
            board = self.prompts.session.game.ruleset.board
            self.worlds[key] = make_world(
                board, self.geometry, width, height, outlines=self.look.outlines
            )
        return self.worlds[key]

    def map_rows(self, scene: ScreenScene, width: int, height: int) -> list[list[Cell]]:
        """The map of a scene: drawn again only where something on it has changed."""
        # Most keys change the line alone, and the map is most of what there is to draw.
        shown = width, height, scene.holders, scene.marks
        if self.map_shown != shown:
            world = self.world(width, height)
            self.map_shown = shown
            self.map_cells = draw_map(world, scene.holders, self.look, scene.marks)
        return self.map_cells

    def canvas(self, width: int, height: int) -> Canvas:
        """The screen of now at a size."""
        session, passing = self.prompts.session, self.prompts.session.passing_to
        if passing:
            name = session.game.names[session.game.seat(passing)]
            at = session.at_keyboard
            before = session.game.names[session.game.seat(at)] if at else ""
            facts = session.since_turn.lines(passing)
            found = hand_over(width, height, self.look, passing, name, before, facts)
        elif self.prompts.over:
            found = self.ending_canvas(width, height)
        else:
            found = self.game_canvas(width, height)
        if self.opened is not None and self.opened.alarm:
            self.opened.draw(found, self.look)
        return found

    def game_canvas(self, width: int, height: int) -> Canvas:
        """The game, with what is open over the map."""
        scene, turn = self.scene(), self.whole_turn
        if turn is not None:
            scene = replace(scene, proposal="", lines=len(turn.lines))
        found = draw(scene, width, height, lambda w, h: self.map_rows(scene, w, h))
        if turn is not None and is_at_least(width, height, WIDE):
            over_panel(found, self.look, TITLE, turn.shown())
        elif turn is not None:
            OpenList(TITLE, turn.shown()).draw(found, self.look)
        elif self.opened is not None and not self.opened.alarm:
            self.opened.draw(found, self.look)
        return found

    def ending_canvas(self, width: int, height: int) -> Canvas:
        """The end of the game; its content is computed once."""
        session = self.prompts.session
        if self.ending is None:
            self.ending = ending_of(session.game, session.watcher)
            self.compute_chances()
        scene = self.scene()
        again = bool(session.people)
        return draw_ending(
            width,
            height,
            self.look,
            self.ending,
            lambda w, h: self.map_rows(scene, w, h),
            again=again,
            curve=None if self.curve_work is None else self.curve_work.shown,
        )

    def compute_chances(self) -> None:
        """Begin to compute the chances to win; a game elsewhere shows too little for that."""
        session = self.prompts.session
        if not session.elsewhere:
            self.curve_work = CurveWork(session.game, self.notify)
            self.curve_work.start()

    def press(self, press: Press) -> None:
        """Carry out a key: what is open over the game comes first, then the moment of the game."""
        leaving, self.leaving_asked = self.leaving_asked, False
        people = self.prompts.session.people
        if self.alarmed and self.opened is not None:
            self.in_list(self.opened, press.key)
            self.leaving_asked = leaving
            self.changed()  # another alarm may wait
        elif self.prompts.over:
            if press.key in ("enter", "escape", "q"):
                self.exit(press.key == "enter" and bool(people))
        elif not people and press.key in ("escape", "q"):
            self.leave()
        elif self.looks(press):
            self.redraw()
        elif not self.question:
            self.ahead.press(press.key, press.sign)
            self.redraw()
        elif not self.asked:
            # Escape closes what is shown, but takes no seat at the keyboard.
            waits = not self.prompts.session.passing_to
            if press.key == "enter" or (press.key == "escape" and waits):
                self.send("")
        elif press.key == "f9" or self.whole_turn is not None:
            self.in_whole_turn(press)
        elif press.key == "escape" and not self.desk.line.text:
            self.leaving_asked = True
            if leaving:
                self.leave()
        else:
            self.on_line(press)

    def looks(self, press: Press) -> bool:
        """Whether a key only changes what is shown: the pace, a list over the map, the borders."""
        session = self.prompts.session
        if not session.people and self.prompts.pace.press(press.sign):
            return True
        opens = "" if self.whole_turn else opened_by(self.desk, press)
        if self.opened is not None and self.in_list(self.opened, press.key):
            return True
        may_open = opens and not session.passing_to and (not session.hot_seat or self.asked)
        if may_open and self.open_shown(opens):
            return True
        if press.key == "f2":
            self.borders = not self.borders
        elif press.key in PAGES:
            self.first_border = max(0, self.first_border + PAGES[press.key])
        else:
            return False
        return True

    def on_line(self, press: Press) -> None:
        """Edit the line, change the selection, or send an order."""
        if press.key == "f8":
            self.prompts.keyboard.draft = self.desk.line.text
        typed = self.desk.line.text
        line = pressed(self.desk, press)
        if line is None and press.key == "enter" and self.question.startswith("orders>"):
            line = ""
        if line is not None:
            self.send(line, typed)
        else:
            self.prompts.replies = self.prompts.replies if press.key in ("up", "down") else []
            self.redraw()

    def in_whole_turn(self, press: Press) -> None:
        """Write a whole turn: its lines are kept until an empty one, then carried out."""
        line, turn = self.desk.line, self.whole_turn
        game = self.prompts.session.game
        if turn is None:
            self.whole_turn = WholeTurn()
        elif press.key == "enter" and line.text:
            turn.add(line.take(), game, self.asked)
        elif press.key == "backspace" and not line.text:
            turn.take_back(game, self.asked)
        elif press.key in ("f9", "escape") and not line.text:
            self.whole_turn = None
        elif press.key == "enter":
            self.whole_turn = None
            if turn.lines:
                self.send(turn.command())
                return
        elif line.text or press.key == "tab":
            pressed(self.desk, press)
        else:
            line.insert(press.sign)
        self.redraw()

    def in_list(self, opened: OpenList, key: str) -> bool:
        """Whether a key belongs to the list over the map: it turns pages or closes it."""
        if opened.turn(key, self.size) or (opened.alarm and key != "escape"):
            return True
        self.opened = None
        return key == "escape" or (key == "enter" and bool(self.asked))

    def send(self, line: str, typed: str = "") -> None:
        """Give a line to the game; `typed` stood in the prompt."""
        self.sent = Sent(line, typed, self.order_of(line), len(self.desk.game.history))
        self.opened, self.question = None, ""
        self.prompts.send(line)

    def order_of(self, line: str) -> str:
        """The exact form of a line that is an order of the own turn; "" for another."""
        game = self.desk.game
        if not self.asked or int(game.position.turn) != game.seat(self.asked):
            return ""
        if whole_word(line.partition(" ")[0]) in COMMANDS:
            return ""
        return read_line(line, len(line), game, self.asked).exact

    def after_line(self) -> None:
        """The last line was carried out: one that was refused stays, an order is remembered."""
        sent, self.sent = self.sent, None
        if sent is None:
            return
        game, colour = self.desk.game, self.desk.colour
        done = self.prompts.orders_done(colour)
        if any(reply.refused for reply in self.prompts.replies):
            if sent.typed and len(game.history) == sent.history and not self.desk.line.text:
                self.desk.line.set(sent.typed)
        elif whole_word(sent.line) == "undo":
            del done[-1:]
        elif sent.order and int(game.position.turn) == game.seat(colour):
            done.append(sent.order)

    def click(self, x: int, y: int) -> None:
        """Select or target what is on the map at a place of the screen."""
        box = map_box(*self.size)
        if box is None or not self.asked or self.opened is not None:
            return
        t = self.world(box.width, box.height).territory_at(x - box.x, y - box.y)
        if t is not None and self.desk.select(t):
            self.redraw()

    def leave(self) -> None:
        """Keep the game and leave: at once where it goes on elsewhere, or when asked twice.

        Else the game first comes to an end of what it is doing, such as a bot's decision.
        """
        # A bot may think for seconds: who asks again does not wait for it.
        at_once = self.prompts.ended or self.prompts.session.elsewhere or self.quitting
        self.quitting = True
        self.prompts.leave()
        if at_once:
            self.exit(False)
