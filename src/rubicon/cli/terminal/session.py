"""A game at one terminal: whose move it is, what is shown to whom, what is kept."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubicon.cli.terminal.board_view import board_lines, legend
from rubicon.cli.terminal.choices import hint
from rubicon.cli.terminal.keeping import check_new, keep, same_file
from rubicon.cli.terminal.paint import STYLES, Paint
from rubicon.cli.terminal.prompting import Keyboard
from rubicon.cli.terminal.status import capital_due, hand_lines, named, seats_lines, turn_lines
from rubicon.cli.terminal.story import Story
from rubicon.players.player import Player
from rubicon.rules.actions import Action
from rubicon.rules.choices import CardVisibility
from rubicon.rules.events import Event, Rolled, TurnBegan, seen_by
from rubicon.rules.game import Game
from rubicon.rules.position import Phase, Seat

Seating = Mapping[str, Player | None]  # by colour; None is a person

OPEN_PHASES = (Phase.CLAIM, Phase.PLACE, Phase.DEFEND)  # in which a seat shows nothing secret


@dataclass
class Session:
    """One game between people at this keyboard and bots."""

    game: Game
    seating: Seating
    paint: Paint
    rng: Any
    file: Path | None
    delay: float = 0.0
    stories: dict[str | None, Story] = field(default_factory=dict)
    logs: dict[str | None, list[str]] = field(default_factory=dict)
    at_keyboard: str | None = None
    private: set[str] = field(default_factory=set)  # whose untold lines others may not read
    drawn: tuple[object, ...] = ()
    last_roll: Action | None = None
    unsaved: bool = False

    def __post_init__(self) -> None:
        self.people = [colour for colour, bot in self.seating.items() if bot is None]
        self.hot_seat = len(self.people) > 1
        self.watcher = self.people[0] if len(self.people) == 1 else None
        for viewer in (None, *self.people):
            self.stories[viewer] = Story(self.paint.marks)

    def public_hands(self) -> bool:
        """Whether the rules let everybody see all cards."""
        return bool(self.game.rules.cards_visibility == CardVisibility.PUBLIC)

    def hear(self, events: tuple[Event, ...]) -> None:
        """Tell every viewer what it may know."""
        in_setup = not self.game.position.round_number
        for viewer, story in self.stories.items():
            story.in_setup = in_setup
            for event in events:
                seen = seen_by(event, viewer, public_hands=self.public_hands())
                if seen is not None:
                    story.hear(seen)
                if viewer is not None and not in_setup and seen != self.public(event):
                    self.private.add(viewer)
        if any(isinstance(event, TurnBegan) for event in events):
            self.turn_began()

    def public(self, event: Event) -> Event | None:
        """An event as everybody may know it."""
        return seen_by(event, None, public_hands=self.public_hands())

    def turn_began(self) -> None:
        """Show what came before to the one who watches; the game is to be kept soon."""
        self.unsaved = True
        if not self.hot_seat:
            self.show(self.watcher)

    def show(self, viewer: str | None) -> None:
        """Print what a viewer has not read yet."""
        self.private.discard(viewer or "")
        for line in self.stories[viewer].take():
            self.logs.setdefault(viewer, []).append(line)
            self.tell(line)
            if self.delay:
                time.sleep(self.delay)

    def log_of(self, colour: str) -> list[str]:
        """What a person has been told; between people nobody reads another's."""
        return self.logs.get(colour if self.hot_seat else self.watcher, [])

    def tell(self, line: str) -> None:
        """Print a line of the story, with the colour that it begins with."""
        word = line.split(" ", 1)[0].rstrip(":")
        if word in self.game.colours:
            self.paint.line((word, STYLES[word]), line[len(word) :])
        else:
            self.paint.line(line)

    def save(self) -> None:
        """Write the game to its file."""
        self.unsaved = False
        if self.file is not None:
            keep(self.game, self.file)

    def save_as(self, file: Path) -> None:
        """Write the game to another file, and keep it there from now on."""
        if not same_file(file, self.file):
            check_new(file)
        keep(self.game, file)
        self.file = file
        self.unsaved = False

    def where(self) -> str:
        """The file of the game, as a shell takes it."""
        home = str(Path.home())
        name = shlex.quote(str(self.file))
        return f"~{name.removeprefix(home)}" if name.startswith(f"{home}/") else name

    def go_on(self) -> str | None:
        """Let chance and bots do what they owe; the person who is asked then, None at the end."""
        while not self.game.over:
            if self.unsaved and not self.people_playing():
                self.save()
            if self.game.owed is not None:
                self.hear(self.game.settle(self.game.sample(self.rng)))
                continue
            colour = self.game.actors[0]
            bot = self.seating[colour]
            if bot is None:
                return colour
            self.hear(self.game.play(bot.decide(self.game)))
        return None

    def people_playing(self) -> bool:
        """Whether a person will be asked again: else nothing but this loop keeps the game."""
        status = self.game.position.status
        return any(status[self.game.seat(colour)] == Seat.PLAYING for colour in self.people)

    def play(self, action: Action) -> None:
        """Do what the person at the keyboard decided, and what chance makes of it."""
        self.hear(self.game.play(action))
        while self.game.owed is not None:
            events = self.game.settle(self.game.sample(self.rng))
            self.hear(events)
            self.remember_roll(action, events)

    def remember_roll(self, action: Action, events: tuple[Event, ...]) -> None:
        """Keep the attack that `again` repeats."""
        if any(isinstance(event, Rolled) for event in events):
            self.last_roll = action

    def ready(self, colour: str, keyboard: Keyboard) -> None:
        """Bring a person to the keyboard and show what has changed since they last looked."""
        if self.game.phase not in OPEN_PHASES or colour in self.private:
            self.seat(colour, keyboard)
        self.show(colour)
        self.stories[None].take()
        if self.unsaved:
            self.save()
        position = self.game.position
        placed = int(position.unplaced[self.game.seat(colour)]) == 0
        moment = len(self.game.history) if self.game.phase in (Phase.CLAIM, Phase.PLACE) else 0
        turn, number = int(position.turn), int(position.round_number)
        scene = (colour, turn, number, self.scene(), placed, moment)
        interrupted = self.game.phase in (Phase.DEFEND, Phase.OCCUPY)
        if scene != self.drawn and not (interrupted and self.drawn):
            self.drawn = scene
            self.draw(colour)

    def scene(self) -> Phase:
        """The phase, but for what only interrupts the attacks."""
        phase = self.game.phase
        return Phase.REINFORCE if phase in (Phase.ATTACK, Phase.TRADE) else phase

    def seat(self, colour: str, keyboard: Keyboard) -> None:
        """See to it that among several people this one sits at the keyboard."""
        if self.hot_seat and colour != self.at_keyboard:
            self.hand_over(colour, keyboard)

    def hand_over(self, colour: str, keyboard: Keyboard) -> None:
        """Clear the screen and wait until the next person sits there."""
        self.clear(keyboard)
        name = self.game.names[self.game.seat(colour)]
        keyboard.read(f"Pass the keyboard to {name} ({colour}), press Enter ")
        self.at_keyboard = colour

    def clear(self, keyboard: Keyboard) -> None:
        """Wipe the screen and what could be scrolled back to; without a terminal, say where."""
        if keyboard.interactive:
            print("\x1b[3J\x1b[2J\x1b[H", end="", flush=True)
        else:
            self.paint.line(self.paint.marks.line * 40)

    def draw(self, colour: str | None) -> None:
        """The board and what stands beside it, as a seat sees them (None: a spectator)."""
        game, marks = self.game, self.paint.marks
        view = game.view(colour)
        seat = None if colour is None else game.seat(colour)
        shown = None if self.hot_seat else seat  # no card in sight of the other people
        self.paint.line("")
        self.paint.lines(board_lines(game, view, shown, marks))
        meaning = legend(game, view, shown, marks)
        if meaning:
            self.paint.line(meaning)
        self.paint.line("")
        self.paint.lines(seats_lines(game, view, marks))
        self.paint.line("")
        self.paint.lines(turn_lines(game, view, seat, marks))
        if seat is not None and not self.hot_seat and view.round_number:
            for line in hand_lines(game, view, seat):
                self.paint.prose(line)

    def player(self, colour: str) -> str:
        """A seat by its colour and its player's name."""
        return named(self.game, self.game.seat(colour))

    def prompt(self, colour: str) -> str:
        """What stands before the cursor."""
        view = self.game.view(colour)
        phase = "capital" if capital_due(self.game, view) else self.game.phase.name.lower()
        waiting = int(view.unplaced[self.game.seat(colour)])
        left = f" {waiting}" if waiting and self.game.phase != Phase.ATTACK else ""
        return f"{colour} {phase}{left}> "

    def suggest(self, colour: str) -> None:
        """One line on what may be done now."""
        self.paint.prose(hint(self.game, colour, self.paint.marks), "  ")
