"""A game at one terminal: whose move it is, what each viewer is shown, when it is saved."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from rubicon.cli.terminal.board import ArmiesText, board_lines, count_text, legend
from rubicon.cli.terminal.choices import attack_lines, hint
from rubicon.cli.terminal.console import Keyboard, Output
from rubicon.cli.terminal.narration import Narration, SinceTurn
from rubicon.cli.terminal.saves import check_new, resume_command, same_file, save_game, shown_path
from rubicon.cli.terminal.status import (
    hand_lines,
    named,
    names_of,
    objective_lines,
    prompt_word,
    seats_lines,
    turn_lines,
    turn_sentences,
)
from rubicon.engine.chance import generator
from rubicon.engine.records import Phase, Position, Seat
from rubicon.errors import RubiconError
from rubicon.players.player import Player
from rubicon.players.program import SECONDS
from rubicon.players.review.reason import place_names, reason_of, reason_sentence
from rubicon.players.seating import SeatedPlayer
from rubicon.rules.actions import Action, Outcome, Place
from rubicon.rules.board.board import Board
from rubicon.rules.events import Awarded, Event, TurnBegan, seen_by
from rubicon.rules.game import Entry, Game
from rubicon.rules.situation import capital_due, phase_shown
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller
from rubicon.wording import printable

# What the bots of a game are after, for who watches bots alone.


class BotAims:
    """Shows an aim when it is new: a plan lasts for many decisions."""

    def __init__(self, board: Board) -> None:
        self.teller = Storyteller(Names(places=place_names(board)))
        self.told = ""

    def new(self, game: Game, bot: SeatedPlayer | None, action: Action) -> str:
        """`red: breaks blue's Africa, 71 %`, before the action is played; "" where nothing is new.

        Without a chance there is no plan: then the line of the action says all. Bots that anyone
        has written say nothing.
        """
        if not isinstance(bot, Player):
            return ""
        seat = game.seat(bot.seat)
        reason = reason_of(game, game.view(bot.seat), seat, action, bot.memory)
        if reason is None or reason.chance is None:
            return ""
        aim = f"{bot.seat}: {reason_sentence(reason, self.teller)}"
        if aim == self.told:
            return ""
        self.told = aim
        return aim


# The quick set-up: a bot decides for a person, but the person's armies are spread out.

SETUP_BOT = "greedy"  # claims territories and chooses the headquarters


class QuickSetup:
    """Decides for one seat during the set-up.

    The bot concentrates its armies for an attack that it has in mind, up to two thirds of them on
    one territory. A person has no such plan yet, so `spread` places one army after the other.
    """

    def __init__(self, seat: str, *, seed: int) -> None:
        self._bot = Player(SETUP_BOT, seat, seed=seed)

    def decide(self, game: Game) -> Action:
        """The action of the seat, which must have a pending decision."""
        action = self._bot.decide(game)
        return spread(game, self._bot.seat, action) if isinstance(action, Place) else action


def spread(game: Game, seat: str, place: Place) -> Place:
    """One army on the weakest border of the player whose territory a bot has chosen.

    Borders come first, then territories with fewer armies, then those with more neighbours to
    fear. The bot's own choice applies where the rules allow none of these.
    """
    view, board = game.view(seat), game.ruleset.board
    owner = view.owner[board.index(place.territory)]

    def urgency(t: int) -> tuple[bool, int, int]:
        foreign = foreign_neighbours(game, view, t)
        return foreign == 0, int(view.armies[t]), -foreign

    mine = [t for t in range(len(board.territories)) if view.owner[t] == owner]
    for t in sorted(mine, key=urgency):
        choice = Place(board.territories[t].id, 1)
        if game.refusal(choice, seat=seat) is None:
            return choice
    return place


def foreign_neighbours(game: Game, view: Position, territory: int) -> int:
    """How many neighbours of a territory belong to others."""
    tables = game.tables
    around = (int(tables.neighbour[territory, i]) for i in range(int(tables.degree[territory])))
    return sum(bool(view.owner[other] != view.owner[territory]) for other in around)


OPEN_PHASES = (Phase.CLAIM, Phase.PLACE, Phase.DEFEND)  # a seat shows nothing secret in these
SETUP_PHASES = (Phase.CLAIM, Phase.PLACE, Phase.SEALED, Phase.HEADQUARTERS)
PLAY_ON = "The game goes on, and is saved as soon as that is possible."
SAVE_ELSEWHERE = "Or save it in another file now: save FILE"
ANSWERS = (Phase.DEFEND, Phase.OCCUPY)  # a single possible answer is given without asking


@dataclass(kw_only=True)
class Session:
    """One game between people at this keyboard and bots.

    `bots` has a bot for each colour, or None for a person; `bot_seconds` is the time of a program
    for a decision. `quick_setup` decides for people during the set-up. `aims` says what the bots
    are after, where no one plays against them. `file` is None for a game that is not saved.
    `delay` is in seconds, after each line of the narration. `spoken`: the board is described in
    sentences, not drawn.
    """

    game: Game
    bots: Mapping[str, SeatedPlayer | None]
    output: Output
    rng: Any
    file: Path | None
    delay: float = 0.0
    bot_seconds: float = SECONDS
    quick_setup: Mapping[str, QuickSetup] = field(default_factory=dict)
    aims: BotAims | None = None
    armies_text: ArmiesText = count_text
    pieces_legend: str = ""
    spoken: bool = False
    narrations: dict[str | None, Narration] = field(default_factory=dict)
    logs: dict[str | None, list[str]] = field(default_factory=dict)
    # By viewer: lines on the screen that were printed for others, and how often.
    on_screen: defaultdict[str | None, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    at_keyboard: str | None = None
    passing_to: str = ""  # the seat that shall come to the keyboard
    private: set[str] = field(default_factory=set)  # seats with unread lines that are secret
    drawn: tuple[object, ...] = ()
    unsaved: bool = False
    told_unsaved: bool = False  # that the game cannot be saved
    elsewhere: ClassVar[bool] = False  # whether the game goes on without this program

    def __post_init__(self) -> None:
        self.people = [colour for colour, bot in self.bots.items() if bot is None]
        self.in_setup = not self.game.position.round_number
        self.hot_seat = len(self.people) > 1
        self.watcher = self.people[0] if len(self.people) == 1 else None
        self.since_turn = SinceTurn(self.game)
        for viewer in (None, *self.people):
            self.narrations[viewer] = Narration(
                self.output.symbols, names_of(self.game), brief_setup=bool(self.quick_setup)
            )

    def hear(self, events: Sequence[Event]) -> None:
        """Show every viewer what it may know: events reach people through `seen_by` only."""
        in_setup = not self.game.position.round_number
        for event in events:
            # All people at the keyboard may read this, so it has only what everyone knows.
            if (public := self.seen(event, None)) is not None:
                self.since_turn.add(public)
        for viewer, narration in self.narrations.items():
            narration.in_setup = self.in_setup  # before these events: they may end the set-up
            for event in events:
                seen = self.seen(event, viewer)
                if seen is not None:
                    narration.add(seen)
                # The items of an award are not private: the board shows what they rest on.
                if isinstance(event, Awarded) or viewer is None or in_setup:
                    continue
                if seen != self.seen(event, None):
                    self.private.add(viewer)
        self.in_setup = in_setup
        if any(isinstance(event, TurnBegan) for event in events):
            self.turn_began()
        self.output.told(events)

    def seen(self, event: Event, viewer: str | None) -> Event | None:
        """What a viewer may know of an event (None: a spectator)."""
        return seen_by(event, viewer, self.game.ruleset)

    def turn_began(self) -> None:
        """Show the only person what came before; the game is saved soon."""
        self.unsaved = True
        if not self.hot_seat:
            self.show(self.watcher)

    def show(self, viewer: str | None) -> None:
        """Print what a viewer has not read yet.

        People at one keyboard share the screen: a line that is there already, printed for
        another of them, is not printed again.
        """
        self.private.discard(viewer or "")
        for line in self.narrations[viewer].take():
            self.logs.setdefault(viewer, []).append(line)
            if self.on_screen[viewer][line]:
                self.on_screen[viewer][line] -= 1
                continue
            self.output.event(line, self.game.colours)
            for other in self.narrations.keys() - {viewer}:
                self.on_screen[other][line] += 1
            if self.delay:
                time.sleep(self.delay)
        self.output.told()

    def log_of(self, colour: str) -> list[str]:
        """The lines that a person was shown; people at one keyboard have separate logs."""
        return self.logs.get(colour if self.hot_seat else self.watcher, [])

    def save(self) -> None:
        """Write the game to its file, if it has one."""
        self.unsaved = False
        if self.file is not None:
            save_game(self.game, self.file)

    def keep(self) -> None:
        """Save; where that fails, say so once and play on: a full disk must not end the game."""
        try:
            self.save()
        except RubiconError as error:
            if not self.told_unsaved:
                told = RubiconError(error.code, f"{error.message} {PLAY_ON}", SAVE_ELSEWHERE)
                self.output.alarm("NOT SAVED", told)
            self.told_unsaved = True
        else:
            self.told_unsaved = False

    def save_as(self, file: Path) -> None:
        """Write the game to another file, and use that file from now on."""
        if not same_file(file, self.file):
            check_new(file)
        save_game(self.game, file)
        self.file = file
        self.unsaved = False

    def where(self) -> str:
        """The file of the game, as a shell takes it."""
        return "" if self.file is None else shown_path(self.file)

    def advance(self) -> str | None:
        """Play chance, bots and forced answers up to a person's decision.

        Returns the colour of that person; None at the end of the game.
        """
        while not self.game.over:
            # Without a person who will be asked again, no prompt saves the game.
            if self.unsaved and not self.people_playing():
                self.keep()
            if self.game.pending is not None:
                self.hear(self.game.settle(self.game.sample(self.rng)))
                continue
            colour = self.game.actors[0]
            action = self.automatic(colour)
            if action is None:
                return colour
            if self.aims is not None:
                self.tell_aim(self.aims.new(self.game, self.bots[colour], action))
            self.hear(self.game.play(action))
        return None

    def tell_aim(self, aim: str) -> None:
        """Show a spectator of bots what one of them wants; "" if nothing is new."""
        if aim:
            self.narrations[None].say(aim)

    def automatic(self, colour: str) -> Action | None:
        """The decision of a bot, or one that needs no question; None where a person decides."""
        bot: SeatedPlayer | QuickSetup | None = self.bots[colour]
        if bot is None and self.game.phase in SETUP_PHASES:
            bot = self.quick_setup.get(colour)
        if bot is not None:
            return bot.decide(self.game)
        if self.game.phase in ANSWERS:
            legal = self.game.legal_for(colour)
            return legal[0] if len(legal) == 1 else None
        return None

    def is_bot(self, colour: str) -> bool:
        """Whether a bot plays a seat."""
        return self.bots[colour] is not None

    def clock_of(self, colour: str) -> str:
        """The time that a seat has left; "" in a game without clocks."""
        return ""

    def say_to(self, text: str, to: str) -> None:
        """Send a chat line; here no one reads it."""
        message = "No one else is connected to this game."
        raise RubiconError("play/no-chat", message, "Chat is for games on a server: --server URL")

    def wake_by(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever something happens elsewhere; nothing does in a game alone."""

    def farewell(self) -> list[str]:
        """How to continue an unfinished game."""
        if self.file is None:
            return ["The game is not saved (--save keeps a game of bots)."]
        return ["The game is saved. Continue it with:", f"  {resume_command(self.file)}"]

    def close(self) -> None:
        """End the programs that play."""
        for bot in self.bots.values():
            if bot is not None:
                bot.close()

    def people_playing(self) -> bool:
        """Whether a person is still in the game."""
        status = self.game.position.status
        return any(status[self.game.seat(colour)] == Seat.PLAYING for colour in self.people)

    def play(self, action: Action) -> None:
        """Play a person's decision, and what chance answers."""
        self.hear(self.game.play(action))
        while self.game.pending is not None:
            self.hear(self.game.settle(self.game.sample(self.rng)))

    def ready(self, colour: str, keyboard: Keyboard) -> None:
        """Bring a person to the keyboard, and show what has changed since they last looked."""
        if self.unsaved:  # before the keyboard is passed on, which may take an evening
            self.keep()
        if self.game.phase not in OPEN_PHASES or colour in self.private:
            self.seat(colour, keyboard)
        self.show(colour)
        # No one watches besides the players: what a spectator would read is dropped.
        self.narrations[None].take()
        position = self.game.position
        placed = int(position.unplaced[self.game.seat(colour)]) == 0
        # Seats claim and place in turn, army by army: then every question is a new picture.
        moment = len(self.game.history) if self.game.phase in (Phase.CLAIM, Phase.PLACE) else 0
        turn, number = int(position.turn), int(position.round_number)
        scene = (colour, turn, number, self.scene(), placed, moment)
        # A defence or an advance in the middle of an attack needs no second picture of the board.
        interrupted = self.game.phase in ANSWERS
        if scene != self.drawn and not (interrupted and self.drawn):
            self.drawn = scene
            self.draw(colour)
        if self.game.phase == Phase.DEFEND:
            self.tell_attack(colour)

    def tell_attack(self, colour: str) -> None:
        """Print what a defender must know."""
        for line in () if self.output.shows_board else attack_lines(self.game, colour):
            self.output.prose(line, "    ")

    def scene(self) -> Phase:
        """The phase; trades and answers that interrupt the attacks count as attacks."""
        phase = self.game.phase
        return Phase.REINFORCE if phase in (Phase.ATTACK, Phase.TRADE) else phase

    def sits(self, colour: str) -> bool:
        """Whether a person sits at the keyboard; a defender may be asked without that."""
        return not self.hot_seat or colour == self.at_keyboard

    def seat(self, colour: str, keyboard: Keyboard) -> None:
        """Make sure that, among several people, this one sits at the keyboard."""
        if not self.sits(colour):
            self.hand_over(colour, keyboard)

    def hand_over(self, colour: str, keyboard: Keyboard) -> None:
        """Clear the screen and wait until the next person sits there."""
        self.clear(keyboard)
        name = printable(self.game.names[self.game.seat(colour)])
        # What happened to the next person since their last turn is no secret between these people.
        for line in () if self.output.shows_board else self.since_turn.lines(colour):
            self.output.prose(line, "  ")
        self.passing_to = colour
        keyboard.read(f"Pass the keyboard to {name} ({colour}), press Enter ")
        self.at_keyboard, self.passing_to = colour, ""

    def clear(self, keyboard: Keyboard) -> None:
        """Take away all that people have read so far."""
        self.on_screen.clear()
        self.output.clear(interactive=keyboard.interactive)

    def draw(self, colour: str | None) -> None:
        """The board and what is next to it, as a seat sees them (None: a spectator)."""
        if self.output.shows_board:
            return
        if self.spoken:
            self.tell_board(colour)
            return
        game, symbols = self.game, self.output.symbols
        view = game.view(colour)
        seat = None if colour is None else game.seat(colour)
        shown = None if self.hot_seat else seat  # other people must not see whose cards these are
        self.output.line("")
        self.output.lines(board_lines(game, view, shown, symbols, armies_text=self.armies_text))
        for meaning in (legend(game, view, shown, symbols), self.pieces_legend):
            if meaning:
                self.output.line(meaning)
        self.output.line("")
        self.output.lines(seats_lines(game, view, symbols))
        self.output.line("")
        self.output.lines(turn_lines(game, view, seat, symbols))
        if seat is not None and not self.hot_seat and view.round_number:
            for line in hand_lines(game, view, seat):
                self.output.prose(line)

    def tell_board(self, colour: str | None) -> None:
        """The same in sentences."""
        game, view = self.game, self.game.view(colour)
        seat = None if colour is None else game.seat(colour)
        self.output.line("")
        for line in turn_sentences(game, view, seat):
            self.output.prose(line, "    ")
        for text in objective_lines(game, view):
            self.output.line(text)
        if seat is not None and not self.hot_seat and view.round_number:
            for line in hand_lines(game, view, seat):
                self.output.prose(line)

    def player(self, colour: str) -> str:
        """A seat by its colour and its player's name."""
        return named(self.game, self.game.seat(colour))

    def prompt(self, colour: str) -> str:
        """The text before the cursor."""
        view = self.game.view(colour)
        shown = phase_shown(view)
        phase = "capital" if capital_due(self.game.ruleset, view) else prompt_word(shown)
        waiting = int(view.unplaced[self.game.seat(colour)])
        left = f" {waiting}" if waiting and self.game.phase != Phase.ATTACK else ""
        return f"{colour} {phase}{left}> "

    def suggest(self, colour: str) -> None:
        """Print one line on what may be done now."""
        if not self.output.shows_board:
            self.output.quiet(hint(self.game, colour, self.output.symbols), "  ")


# A recorded game, shown again step by step; no one decides anything.


@dataclass(kw_only=True)
class ReplaySession(Session):
    """The steps of a record from its first position on."""

    entries: Sequence[Entry]

    @classmethod
    def of(cls, played: Game, output: Output, delay: float = 0.0) -> ReplaySession:
        """The session that replays a game."""
        game = Game.from_position(played.ruleset, played.start, names=played.names)
        session = cls(
            game=game,
            bots=dict.fromkeys(game.colours),
            output=output,
            rng=generator(0),
            file=None,
            delay=delay,
            entries=played.history,
        )
        session.people, session.hot_seat, session.watcher = [], False, None
        session.narrations = {None: session.narrations[None]}
        return session

    def advance(self) -> str | None:
        """Show every step; returns None, because no one is asked."""
        for entry in self.entries[len(self.game.history) :]:
            step = self.game.settle if isinstance(entry, Outcome) else self.game.play
            self.hear(step(entry))  # type: ignore[arg-type]
        return None

    def farewell(self) -> list[str]:
        """Nothing is left to be continued."""
        return ["The replay is over."]
