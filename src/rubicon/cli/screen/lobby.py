"""The tables of a server on the full screen, and a table until its game starts."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from rubicon.cli.hosted import lobby
from rubicon.cli.hosted.session import time_left
from rubicon.cli.screen import typed_line
from rubicon.cli.screen.canvas import Canvas, Look, Part, Theme, columns, page, quiet, strong
from rubicon.cli.screen.cells import CellScreen, Press
from rubicon.cli.screen.lobby_prompts import LobbyPrompts, Room
from rubicon.cli.screen.overlays import OpenList
from rubicon.cli.screen.parts import answer_rows, badge, foot, typed_row
from rubicon.cli.screen.prompts import Reply
from rubicon.cli.screen.typed_line import LineEditor
from rubicon.cli.terminal.console import LETTERS
from rubicon.client.answers import ChatAnswer, FoundAnswer, PlaceAnswer
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller
from rubicon.wording import printable

# What the screen of a server shows at one moment.


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyScene:
    """The tables, or the table `room` that is waited at (`waiting`), and the prompt.

    `selected` counts the tables from 0. `trouble`: the server does not answer as it should, what
    is shown is of the time `seen`.
    """

    theme: Theme
    server: str
    name: str
    listing: lobby.Listing
    room: Room | None
    waiting: bool
    selected: int
    line: LineEditor
    busy: bool
    trouble: str
    away: bool
    seen: float
    now: float

    @property
    def chosen(self) -> FoundAnswer | None:
        """The table that Enter opens; None in a waiting room, and where there is none."""
        tables = self.listing.tables
        return tables[self.selected] if not self.waiting and self.selected < len(tables) else None

    @property
    def may_start(self) -> bool:
        """Whether Enter starts the game: the host may where all seats are taken."""
        if self.room is None or not self.room.table["you_host"]:
            return False
        return not any(seat["free"] for seat in self.room.table["seats"])

    @property
    def may_seat_bots(self) -> bool:
        """Whether the host may put bots on free seats."""
        hosts = self.room is not None and self.room.table["you_host"]
        return hosts and not self.may_start

    @property
    def time_seen(self) -> str:
        """The time of day of what is shown."""
        return time.strftime("%H:%M", time.localtime(self.seen))


def opens(table: FoundAnswer) -> str:
    """What Enter does with a table, in one word."""
    if table["your_seat"] is not None:
        return "open"
    return "join" if table["state"] == "lobby" else "watch"


# The lists of tables: own games, and tables with free seats.

LEFT = 5  # columns before a badge
GAP = 2
MOST = 200  # characters of one fact that a server tells


@dataclass(frozen=True, slots=True)
class Widths:
    """The columns of a row; what has none is left out."""

    title: int
    rules: int
    state: int
    clock: int
    people: int


def widths_of(width: int) -> Widths:
    """The columns for a screen; the rest is for the people."""
    if width >= 110:
        fixed = Widths(28, 20, 24, 15, 0)
    elif width >= 80:
        fixed = Widths(15, 9, 21, 8, 0)
    else:
        fixed = Widths(14, 0, 21, 8, 0)
    used = (
        LEFT
        + 4
        + sum(size + GAP for size in (fixed.title, fixed.rules, fixed.state, fixed.clock) if size)
    )
    rest = width - used - 1
    return Widths(fixed.title, fixed.rules, fixed.state, fixed.clock, rest if rest >= 7 else 0)


def draw_lists(canvas: Canvas, scene: LobbyScene, top: int, bottom: int) -> None:
    """Both lists in the rows from `top` to before `bottom`; the selected table is always there."""
    rows = _rows(scene)
    height = bottom - top
    at = next((y for y, row in enumerate(rows) if row == scene.selected), 0)
    first = max(0, min(at - height // 2, len(rows) - height))
    widths = widths_of(canvas.width)
    for y, row in enumerate(rows[first : first + height], top):
        if isinstance(row, int):
            _table_row(canvas, scene, y, row, widths)
        elif row.startswith(" "):
            canvas.put(LEFT, y, row.strip(), quiet(scene.theme))
        else:
            canvas.put(1, y, row, Look(scene.theme["ink"], bold=True))
    if first + height < len(rows):
        canvas.put(canvas.width - 8, bottom - 1, " ↓ more", strong(scene.theme))


def _rows(scene: LobbyScene) -> list[str | int]:
    """Headings, and the numbers of tables from 0."""
    listing = scene.listing
    mine, free = len(listing.mine), len(listing.free)
    nothing = "none yet" if scene.seen else "asking the server …"
    return [
        lobby.heading("Your games", mine, listing.mine_count),
        *(range(mine) if mine else [f" {nothing}"]),
        "",
        lobby.heading("Open tables", free, listing.free_count),
        *(range(mine, mine + free) if free else [f" {nothing}"]),
    ]


def _table_row(canvas: Canvas, scene: LobbyScene, y: int, number: int, widths: Widths) -> None:
    theme, table = scene.theme, scene.listing.tables[number]
    chosen = number == scene.selected
    if chosen:
        canvas.fill(0, y, canvas.width, 1, Look(None, theme["accent-wash"]))
        canvas.put(0, y, "›", strong(theme))
    canvas.put(1, y, f"{number + 1:>3}", strong(theme) if chosen else quiet(theme))
    if table["your_seat"] in LETTERS:
        canvas.line(LEFT, y, badge(theme, str(table["your_seat"])))
    mine = table["your_seat"] is not None
    ink = Look(theme["ink"], bold=chosen)
    x = _cell(canvas, LEFT + 4, y, table["title"], widths.title, ink)
    rules = f"{table['ruleset']['name']}, {lobby.progress_of(table)}".removesuffix(", ")
    if mine and widths.rules < 20:
        rules = lobby.progress_of(table) or table["ruleset"]["name"]
    x = _cell(canvas, x, y, rules, widths.rules, quiet(theme, 2))
    x = _cell(canvas, x, y, lobby.waits_for(table), widths.state, _state_look(scene, table))
    clock = clock_shown(table, scene.now)
    clock = clock if len(clock) <= widths.clock else clock.removesuffix(lobby.A_MOVE)
    x = _cell(canvas, x, y, clock, widths.clock, quiet(theme, 2))
    people = lobby.people_of(table)
    if len(people) > widths.people:
        others = sum(not seat["free"] for seat in table["seats"]) - 1
        people = f"{people.partition(',')[0]} +{others}" if others > 0 else people
    _cell(canvas, x, y, people, widths.people, ink)


def clock_shown(table: FoundAnswer, now: float) -> str:
    """The time that is left where a clock runs, else the time for a move."""
    seconds = lobby.seconds_left(table, now)
    return lobby.pace_of(table["clock"]) if seconds is None else time_left(seconds)


def _state_look(scene: LobbyScene, table: FoundAnswer) -> Look:
    if table["needs_you"]:
        return strong(scene.theme)
    if table["state"] == "lobby" and lobby.free_seats(table):
        return Look(scene.theme["good"])
    return quiet(scene.theme, 2)


def _cell(canvas: Canvas, x: int, y: int, text: str, width: int, look: Look) -> int:
    """A text cut to a width; returns the column of the next one."""
    if not width:
        return x
    shown = columns(text[:MOST])
    canvas.put(x, y, shown if len(shown) <= width else shown[: width - 1] + "…", look)
    return x + width + GAP


# A table until its game starts: who sits there, how others come, what they say.

ROOM_LEFT = 3
MOST_INVITES = 10
MOST_NAME = 18  # characters of a ruleset or a board
MOST_OF_LINE = 2000  # characters of one line that a server tells


def draw_room(canvas: Canvas, scene: LobbyScene, top: int, bottom: int) -> None:
    """The table in the rows from `top` to before `bottom`; the chat has what is left."""
    theme, room = scene.theme, scene.room
    if room is None:
        canvas.put(ROOM_LEFT, top, "asking the server …", quiet(theme))
        return
    table = room.table
    rules, board = (table[part].partition(" ")[0][:MOST_NAME] for part in ("ruleset", "board"))
    about = printable(f"{rules} on {board}")
    title = columns(table["title"][:MOST_OF_LINE])[: canvas.width - len(about) - 6]
    heading = Look(theme["ink"], bold=True)
    canvas.line(1, top, (title, heading), (f"   {about}", quiet(theme, 2)))
    y = top + 1
    for seat in table["seats"][: max(0, bottom - y - 3)]:
        _seat(canvas, scene, y, seat)
        y += 1
    if room.invites:
        y += 1
    for line in room.invites[:MOST_INVITES]:
        for part in textwrap.wrap(printable(line[:MOST_OF_LINE]), canvas.width - ROOM_LEFT - 2):
            if y < bottom - 1:
                canvas.put(ROOM_LEFT, y, part, quiet(theme, 2))
                y += 1
    said = [part for line in room.chat for part in _chat_rows(line, canvas.width - ROOM_LEFT - 2)]
    height = max(0, bottom - y - 1)
    for row, part in enumerate(said[-height:] if height else [], y + 1):
        canvas.put(ROOM_LEFT, row, part, Look(theme["ink"]))


def _seat(canvas: Canvas, scene: LobbyScene, y: int, seat: PlaceAnswer) -> None:
    theme, x = scene.theme, ROOM_LEFT
    if seat["colour"] in LETTERS:
        x = canvas.line(x, y, badge(theme, seat["colour"]))
    if seat["free"]:
        canvas.put(x + 1, y, "free", Look(theme["good"]))
        return
    yours = scene.room is not None and scene.room.table["your_seat"] == seat["colour"]
    who = "bot" if seat["bot"] is not None else "you" if yours else ""
    about = ", ".join(word for word in (who, "host" if seat["host"] else "") if word)
    name = columns(seat["name"][:MOST_OF_LINE])[: canvas.width - 20]
    look = strong(theme) if yours else Look(theme["ink"], bold=True)
    canvas.line(x + 1, y, (name, look), (f"  {about}", quiet(theme)))


def _chat_rows(line: ChatAnswer, width: int) -> list[str]:
    said = Storyteller(Names()).chat(line["seat"], line["to"], line["text"])
    return textwrap.wrap(printable(said[:MOST_OF_LINE]), width, subsequent_indent="  ")


# The screen of a server: its name, the tables or one of them, the prompt, the keys of now.

BELOW = 2  # rows under the prompt
KEPT = "Nothing is done twice, and what you type now is kept."


def draw_lobby(scene: LobbyScene, replies: Sequence[Reply], width: int, height: int) -> Canvas:
    """The screen at a size."""
    canvas = page(width, height, scene.theme)
    _top(canvas, scene)
    bottom = height - BELOW - 2  # the row of the prompt
    trouble = _trouble(scene)
    end = bottom - len(trouble) - bool(trouble)
    draw = draw_room if scene.waiting else draw_lists
    draw(canvas, scene, 2, end)
    for y, (text, look) in enumerate(trouble, end):
        canvas.put(1, y, text, look)
    ghost = "" if scene.line.text else proposal_of(scene)
    typed_row(canvas, scene.theme, bottom, width, colour_of(scene), scene.line, ghost)
    under = answer_rows(scene.theme, replies, width, stays=bool(scene.line.text))
    for y, parts in enumerate((under or _hint(scene, width - 2))[:BELOW], bottom + 1):
        canvas.line(1, y, *parts)
    foot(canvas, scene.theme, keys_of(scene), height - 1)
    return canvas


def _top(canvas: Canvas, scene: LobbyScene) -> None:
    theme = scene.theme
    state = "○ reconnecting" if scene.away else "○ trouble" if scene.trouble else "● connected"
    state = state if scene.seen or scene.trouble else "○ connecting"
    look = Look(theme["warn"]) if scene.trouble else quiet(theme, 2)
    end = canvas.width - len(state) - 1
    server = columns(scene.server)[: max(0, end - 14)]
    at = canvas.line(
        1, 0, ("▚ Rubicon   ", strong(theme)), (server, Look(theme["ink"], bold=True)), "   "
    )
    name = columns(f"signed in as {scene.name}") if scene.name else ""
    canvas.put(at, 0, name[: max(0, end - at - 1)], quiet(theme, 2))
    canvas.put(end, 0, state, look)


def _trouble(scene: LobbyScene) -> list[tuple[str, Look]]:
    """The amber line, and what it means for the person."""
    if not scene.trouble:
        return []
    theme = scene.theme
    shown = "table" if scene.waiting else "tables"
    seen = f" You see the {shown} of {scene.time_seen}." if scene.seen else ""
    why = "Connection lost, trying again." if scene.away else scene.trouble[:MOST]
    return [(f"! {why}{seen}", Look(theme["warn"])), (f"  {KEPT}", quiet(theme, 2))]


def colour_of(scene: LobbyScene) -> str:
    """The colour of the own seat at the table that is meant; `nobody` without one."""
    table = scene.room.table if scene.waiting and scene.room is not None else scene.chosen
    colour = table["your_seat"] if table is not None else None
    return colour if colour in LETTERS else "nobody"


def proposal_of(scene: LobbyScene) -> str:
    """What Enter sends on an empty line, as the prompt shows it."""
    if scene.busy:
        return "…"
    if scene.waiting:
        return "start" if scene.may_start else ""
    return str(scene.selected + 1) if scene.chosen is not None else ""


def _hint(scene: LobbyScene, width: int) -> list[list[Part]]:
    """What the line does, or what can be done now, in rows of a width."""
    table, look = scene.chosen, quiet(scene.theme)
    if table is None or scene.busy or (scene.line.text and not scene.line.text.isdecimal()):
        return [[(part, look)] for part in textwrap.wrap(_advice(scene), width)]
    facts = (
        table["title"],
        table["ruleset"]["title"],
        lobby.progress_of(table),
        lobby.waits_for(table),
        clock_shown(table, scene.now),
        lobby.people_of(table),
    )
    text = " · ".join(printable(fact[:MOST]) for fact in facts if fact)
    does = f"= {opens(table)} "
    rows = textwrap.wrap(text, width, initial_indent=" " * len(does), subsequent_indent="  ")
    grey = quiet(scene.theme, 2)
    found: list[list[Part]] = [[(row, grey)] for row in rows]
    found[:1] = [[(does, Look(scene.theme["ink"], bold=True)), (rows[0].strip(), grey)]]
    return found


def _advice(scene: LobbyScene) -> str:
    if scene.busy:
        return "The server is asked …"
    if scene.waiting:
        return _hint_of_room(scene)
    if scene.line.text:
        return "new revised 4 · new classic 3 bots · join LINK · watch LINK"
    return "N opens a table: new revised 4, or new classic 3 bots."


def _hint_of_room(scene: LobbyScene) -> str:
    if scene.may_start:
        return "All seats are taken. Enter starts the game."
    if scene.may_seat_bots:
        return "You wait for players. bot fills one seat, bots fills all and starts the game."
    return "The host starts the game when all seats are taken."


def keys_of(scene: LobbyScene) -> list[tuple[str, str]]:
    """The keys that do something now."""
    if scene.busy:
        return [("Ctrl-C", "leave")]
    if scene.line.text:
        return [("Enter", "do it"), ("↑ ↓", "earlier"), ("Esc", "clear")]
    if scene.waiting:
        found = [("Enter", "start")] if scene.may_start else []
        if scene.may_seat_bots:
            found += [("B", "bot")]
        found += [("S", "say")] if scene.room is not None else []
        return [*found, ("R", "refresh"), ("?", "help"), ("Esc", "back")]
    table, several = scene.chosen, len(scene.listing.tables) > 1
    found = [("Enter", opens(table))] if table is not None else []
    found += [("↑ ↓", "choose")] if several else []
    found += [("N", "new"), ("J", "join"), ("W", "watch"), ("R", "refresh")]
    return [*found, ("?", "help"), ("Esc", "leave")]


# The screen itself: keys choose among them, or write lines for the prompt.

# What a key writes on an empty line; whoever types the whole word types it once.
IN_LISTS = {"n": "new ", "j": "join ", "w": "watch ", "f2": "new "}
IN_ROOM = {"b": "bot", "s": "say ", "f6": "say "}


class LobbyScreen(CellScreen[tuple[str, bool]]):
    """The tables of a server; its result is the game that is chosen, and whether to watch it."""

    def __init__(self, prompts: LobbyPrompts, theme: Theme, name: str = "") -> None:
        super().__init__(theme)
        self.prompts, self.name_there = prompts, name
        prompts.changed = self.notify
        self.line = LineEditor()
        self.given = ""  # what a key has written of a word that may still be typed
        self.listing = prompts.news.listing  # that is drawn: a typed number is one of it
        self.selected_id = ""
        self.sent = ""
        self.waited = False  # whether a line was waited for when it was drawn last
        self.opened: OpenList | None = None  # a long answer over the lists

    def begin(self) -> None:
        """Begin to ask."""
        self.redraw()
        self.prompts.start()

    def tick(self) -> None:
        """The clocks have gone on."""
        self.redraw()

    def changed(self) -> None:
        """Draw what is new; a line that was refused comes back."""
        prompts = self.prompts
        if prompts.ended:
            self.exit(prompts.chosen)
            return
        if prompts.asked and not self.waited:
            if any(reply.refused for reply in prompts.replies) and not self.line.text:
                self.line.set(self.sent)
            self.sent = ""
            rows = answer_rows(self.look, prompts.replies, self.size[0])
            lines = [reply.text for reply in prompts.replies]
            self.opened = OpenList("Answer", lines) if len(rows) > BELOW else None
        # A number means the list that is drawn, whatever the server says meanwhile.
        self.waited, self.listing = prompts.asked, prompts.news.listing
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
        news = self.prompts.news
        return LobbyScene(
            theme=self.look,
            server=urlsplit(self.prompts.visit.url).netloc,
            name=self.name_there,
            listing=self.listing,
            room=news.room,
            waiting=bool(self.prompts.game),
            selected=self.selected,
            line=self.line,
            busy=not self.prompts.asked,
            trouble=news.trouble,
            away=news.away,
            seen=news.seen,
            now=time.time(),
        )

    def canvas(self, width: int, height: int) -> Canvas:
        """The screen of now at a size."""
        replies = self.prompts.replies if self.opened is None else []
        canvas = draw_lobby(self.scene(), replies, width, height)
        if self.opened is not None:
            self.opened.draw(canvas, self.look)
        return canvas

    def paste(self, text: str) -> None:
        """Type a pasted text, such as an invite link."""
        self.line.insert(" ".join(text[: typed_line.MOST].split()))
        self.redraw()

    def press(self, press: Press) -> None:
        """Carry out a key."""
        if self.opened is not None:
            if not self.opened.turn(press.key, self.size):
                self.opened, self.prompts.replies = None, []
        elif press.key == "enter":
            self.enter()
        elif press.key == "escape" and self.line.text:
            self.line.set("")
        elif not self.line.text and self.on_empty_line(press):
            pass
        elif not self.absorbed(press.sign) and not self.line.edit(press.key):
            self.line.insert(press.sign)
            self.prompts.replies = []
        self.redraw()

    def on_empty_line(self, press: Press) -> bool:
        """Whether a key means something of its own where nothing is typed."""
        key = press.sign.lower() if press.sign else press.key
        if key in ("up", "down"):
            self.choose(-1 if key == "up" else 1)
        elif key in ("escape", "q"):
            self.back()
        elif key == "r":
            self.prompts.replies = []
            self.prompts.news.look()
        elif key == "?":
            self.send("help")
        elif written := (IN_ROOM if self.prompts.game else IN_LISTS).get(key):
            self.prompts.replies = []
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
        if tables and not self.prompts.game:
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
        if not self.prompts.asked:
            return
        self.sent = self.line.take()
        self.given, self.waited = "", False
        self.prompts.send(line, self.listing.tables)

    def back(self) -> None:
        """Go back from a table to the lists, or leave the server."""
        if self.prompts.game and self.prompts.asked:
            self.send("quit")
        else:
            self.leave()

    def leave(self) -> None:
        """Leave the server, whatever it is doing."""
        self.prompts.leave()
        self.exit(None)
