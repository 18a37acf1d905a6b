"""The tables of a server in Textual: keys choose among them, or write lines for the prompt."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from textual import events
from textual.message import Message

from rubicon.cli.screen.canvas import Canvas
from rubicon.cli.screen.cells_app import TerminalApp
from rubicon.cli.screen.draw.layouts import LEAST
from rubicon.cli.screen.draw.overlays import columns_of, nothing_fits, over_map, rows_of, wrapped
from rubicon.cli.screen.draw.parts import answer_rows
from rubicon.cli.screen.line_editor import LineEditor
from rubicon.cli.screen.lobby.draw_lobby import BELOW, draw_lobby
from rubicon.cli.screen.lobby.lobby_scene import LobbyScene
from rubicon.cli.screen.lobby.lobby_story import LobbyStory
from rubicon.cli.screen.presses import Press
from rubicon.cli.screen.themes import Theme

# What a key writes on an empty line; whoever types the whole word types it once.
IN_LISTS = {"n": "new ", "j": "join ", "w": "watch ", "f2": "new "}
IN_ROOM = {"b": "bot", "s": "say ", "f6": "say "}


class LobbyChanged(Message):
    """The server said something, or the prompt did."""


class LobbyScreen(TerminalApp[tuple[str, bool]]):
    """The tables of a server; its result is the game that is chosen, and whether to watch it."""

    def __init__(self, story: LobbyStory, theme: Theme, name: str = "") -> None:
        super().__init__(theme)
        self.story, self.name_there = story, name
        story.changed = story.news.changed = story.keyboard.changed = self.notify_change
        self.line = LineEditor()
        self.given = ""  # what a key has written of a word that may still be typed
        self.listing = story.news.listing  # that is drawn: a typed number is one of it
        self.selected_id = ""
        self.sent = ""
        self.waited = False  # whether a line was waited for when it was drawn last
        self.answer_first: int | None = None  # of a long answer that is open over the lists
        self.changed_waits = False

    def on_mount(self) -> None:
        """Begin to ask."""
        self.begin_drawing()
        self.story.start()

    def look_at_terminal(self) -> None:
        """End where the terminal is gone; else the clocks have gone on."""
        super().look_at_terminal()
        self.redraw()

    def notify_change(self) -> None:
        """From another thread: the screen is out of date."""
        if not self.changed_waits:
            self.changed_waits = True
            self.post_message(LobbyChanged())

    def on_lobby_changed(self) -> None:
        """Draw what is new; a line that was refused comes back."""
        self.changed_waits = False
        story = self.story
        if story.ended:
            self.exit(story.chosen)
            return
        if story.asked and not self.waited:
            if any(reply.refused for reply in story.replies) and not self.line.text:
                self.line.set(self.sent)
            self.sent = ""
            rows = answer_rows(self.look, story.replies, self.size.width)
            self.answer_first = 0 if len(rows) > BELOW else None
        self.waited, self.listing = story.asked, story.news.listing
        if not self.selected_id:
            self.choose(0)  # what is selected stays so when the order changes
        self.redraw()

    @property
    def selected(self) -> int:
        """The number of the selected table from 0: the typed one, else the one chosen by arrows."""
        tables = self.listing.tables
        if self.line.text.isdecimal() and 0 < int(self.line.text) <= len(tables):
            return int(self.line.text) - 1
        ids = [table["id"] for table in tables]
        return ids.index(self.selected_id) if self.selected_id in ids else 0

    def scene(self) -> LobbyScene:
        """What the screen shows now."""
        news = self.story.news
        return LobbyScene(
            theme=self.look,
            server=urlsplit(self.story.visit.url).netloc,
            name=self.name_there,
            listing=self.listing,
            room=news.room,
            waiting=bool(self.story.game),
            selected=self.selected,
            typed=self.line.text,
            cursor=self.line.cursor,
            busy=not self.story.asked,
            trouble=news.trouble,
            away=news.away,
            seen=news.seen,
            now=time.time(),
        )

    def canvas(self, width: int, height: int) -> Canvas:
        """The screen of now at a size."""
        if self.too_small:
            return nothing_fits(width, height, self.look, LEAST)
        if self.answer_first is None:
            return draw_lobby(self.scene(), self.story.replies, width, height)
        canvas = draw_lobby(self.scene(), [], width, height)
        over_map(canvas, self.look, "Answer", self.answer(), self.answer_first)
        return canvas

    def answer(self) -> list[str]:
        """The lines of the last answer."""
        return [reply.text for reply in self.story.replies]

    def on_paste(self, event: events.Paste) -> None:
        """Type a pasted text, such as an invite link."""
        if not self.too_small:
            self.line.insert(" ".join(event.text[:4000].split()))
            self.redraw()

    def press(self, press: Press) -> None:
        """Carry out a key."""
        if self.too_small:
            return
        if self.answer_first is not None:
            self.in_answer(press.key)
        elif press.key == "enter":
            self.enter()
        elif press.key == "escape" and self.line.text:
            self.line.set("")
        elif not self.line.text and self.on_empty_line(press):
            pass
        elif not self.absorbed(press.sign) and not self.line.edit(press.key):
            self.line.insert(press.sign)
            self.story.replies = []
        self.redraw()

    def in_answer(self, key: str) -> None:
        """Turn the pages of a long answer, or close it."""
        rows = rows_of(*self.size)
        most = max(0, len(wrapped(self.answer(), columns_of(*self.size))) - rows)
        steps = {"pagedown": rows, "pageup": -rows, "down": 1, "up": -1}
        if key in steps:
            self.answer_first = max(0, min(most, (self.answer_first or 0) + steps[key]))
        else:
            self.answer_first, self.story.replies = None, []

    def on_empty_line(self, press: Press) -> bool:
        """Whether a key means something of its own where nothing is typed."""
        key = press.sign.lower() if press.sign else press.key
        if key in ("up", "down"):
            self.choose(-1 if key == "up" else 1)
        elif key in ("escape", "q"):
            self.leave()
        elif key == "r":
            self.story.replies = []
            self.story.news.look()
        elif key == "?":
            self.send("help")
        elif written := (IN_ROOM if self.story.game else IN_LISTS).get(key):
            self.story.replies = []
            self.line.set(written)
            self.given = written[1:] if press.sign else ""
        else:
            return False
        return True

    def absorbed(self, sign: str) -> bool:
        """Whether a sign is one that a key has written already."""
        if sign and self.given.startswith(sign.lower()):
            self.given = self.given[1:]
            return True
        self.given = ""
        return False

    def choose(self, step: int) -> None:
        """Select another table."""
        tables = self.listing.tables
        if tables and not self.story.game:
            at = max(0, min(len(tables) - 1, self.selected + step))
            self.selected_id = tables[at]["id"]

    def enter(self) -> None:
        """Send the line; on an empty one open the selected table, or start the game."""
        scene = self.scene()
        if self.line.text:
            self.send(self.line.text.strip())
        elif scene.chosen is not None:
            self.send(str(scene.selected + 1))
        elif scene.may_start:
            self.send("")

    def send(self, line: str) -> None:
        """Give a line to the prompt, unless it is busy: then the line stays."""
        if not self.story.asked:
            return
        self.sent = self.line.take()
        self.given, self.waited = "", False
        self.story.send(line, self.listing.tables)

    def leave(self) -> None:
        """Go back from a table to the lists, or leave the server."""
        if self.story.game and self.story.asked:
            self.send("quit")
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Leave the server, whatever it is doing."""
        self.story.leave()
        self.exit(None)

    async def action_quit(self) -> None:
        """Control-Q."""
        self.action_leave()

    def action_help_quit(self) -> None:
        """Control-C."""
        self.action_leave()
