"""Everything that one screen shows, read from the game while nothing else touches it."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.cli.screen.canvas import Theme
from rubicon.cli.screen.desk import Desk
from rubicon.cli.screen.map import Holder, Marks
from rubicon.cli.screen.prompts import GamePrompts, Reply
from rubicon.cli.screen.typed_line import Reading
from rubicon.cli.terminal.board import signs_of
from rubicon.cli.terminal.choices import attack_lines, percent
from rubicon.cli.terminal.console import Symbols, is_question
from rubicon.cli.terminal.opening import ME
from rubicon.cli.terminal.status import armies_seen
from rubicon.engine.records import NONE, Phase, Position, Seat
from rubicon.rules.events import Rolled
from rubicon.rules.game import Game
from rubicon.rules.situation import income

YOU = "You"


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """One seat in the strip; `armies` is `?` where they are hidden."""

    colour: str
    name: str
    armies: str
    territories: int
    income: int
    waiting: int  # armies in hand in the set-up; 0 where they are hidden
    cards: int
    active: bool
    you: bool
    bot: bool
    playing: bool
    clock: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenScene:
    """A screen: the game, the seats, the map, the line, what was said, what opens over it."""

    game: Game
    view: Position
    theme: Theme
    asked: str
    seats: tuple[SeatFacts, ...]
    holders: tuple[Holder, ...]
    marks: Marks
    desk: Desk
    reading: Reading
    proposal: str
    proposed: Reading
    done: tuple[str, ...]
    events: tuple[str, ...]
    replies: tuple[Reply, ...]
    question: tuple[str, ...]
    borders: bool = False
    first_border: int = 0  # of the table of borders
    roll: Rolled | None = None
    lines: int | None = None  # of a whole turn that is written; None where none is
    pace: str = ""
    waits: str = ""  # for Enter alone, and why
    hand: str = ""  # the seat whose hand is shown: of several people, who is at the keyboard


def name_shown(name: str) -> str:
    """A player's name; `me`, as the command line calls whoever sits here, is You."""
    return YOU if name == ME else name


def seats_of(game: Game, view: Position, prompts: GamePrompts, asked: str) -> tuple[SeatFacts, ...]:
    """The seats in the order of play."""
    session = prompts.session
    return tuple(
        SeatFacts(
            colour=colour,
            name=name_shown(game.names[seat]),
            armies=armies_seen(view, seat),
            territories=int(view.territories[seat]),
            income=income(game.ruleset, view, seat).total if view.round_number else 0,
            waiting=0 if view.round_number else max(0, int(view.unplaced[seat])),
            cards=int(view.hand[seat]),
            active=int(view.turn) == seat,
            you=colour == (asked or session.watcher),
            bot=session.is_bot(colour),
            clock=session.clock_of(colour),
            playing=int(view.status[seat]) == Seat.PLAYING,
        )
        for seat, colour in enumerate(game.colours)
    )


def holders_of(game: Game, view: Position, symbols: Symbols) -> tuple[Holder, ...]:
    """The owner and the armies of every territory, and what is there."""
    found = []
    for t in range(len(game.territories)):
        owner = int(view.owner[t])
        name = "nobody" if owner == NONE else game.owner_name(owner)
        signs = signs_of(game, view, None, t, symbols)
        found.append(Holder(name, int(view.armies[t]), signs))
    return tuple(found)


def moved_to(desk: Desk, t: int) -> str:
    """The armies that would move to a territory: chosen for the target, else an arrow alone."""
    armies = desk.moved() if t == desk.target else 0
    return f"+{armies}" if armies else "→"


def marks_of(desk: Desk) -> Marks:
    """What the map points out for the person who is asked."""
    chances = desk.chances()
    targets = desk.choices.targets(desk.selected)
    chips = {t: percent(chances[t]) if t in chances else moved_to(desk, t) for t in targets}
    lit = frozenset({desk.selected, *targets} - {None}) if targets else None
    if (battle := desk.battle()) is not None:  # a question about it waits
        source, target = battle
        chips = {target: f"+{desk.moved()}"} if desk.moved() else {source: "att"}
        lit = frozenset(battle)
        return Marks(
            selected=source if desk.moved() else target, chips=chips, lit=lit, own=desk.colour
        )
    return Marks(
        selected=desk.selected,
        chips=chips,
        placed=dict(desk.draft),
        lit=lit,  # type: ignore[arg-type]
        own=desk.colour,
    )


def question_of(game: Game, colour: str) -> tuple[str, ...]:
    """What a defender must know; nothing for other questions."""
    return tuple(attack_lines(game, colour)) if game.phase == Phase.DEFEND else ()


def latest(events: list[str]) -> tuple[str, ...]:
    """The last lines of the log: 100 to 200 of them, so that their first is seldom another."""
    return tuple(events[max(0, len(events) // 100 - 1) * 100 :])


def scene_of(
    prompts: GamePrompts, desk: Desk, theme: Theme, asked: str, *, borders: bool = False
) -> ScreenScene:
    """The screen of now; `asked` is the seat that the desk was renewed for, "" while none is.

    With `borders` the list of borders stands in place of the map.
    """
    session = prompts.session
    game = session.game
    view = game.view(asked) if asked else prompts.view
    line = desk.line
    proposal = desk.proposal() if asked else ""
    hidden = session.hot_seat and not asked
    return ScreenScene(
        game=game,
        view=view,
        theme=theme,
        asked=asked,
        seats=seats_of(game, view, prompts, asked),
        holders=holders_of(game, view, session.output.symbols),
        marks=marks_of(desk) if asked else Marks(),
        desk=desk,
        reading=desk.reading() if asked else Reading(),
        proposal=proposal,
        proposed=desk.reading_of(proposal) if proposal and not line.text else Reading(),
        done=tuple(prompts.orders_done(asked)) if asked else (),
        events=() if hidden else latest(prompts.events),
        replies=tuple(prompts.replies),
        question=question_of(game, asked) if asked else (),
        borders=borders,
        roll=None if hidden else prompts.roll,
        pace="" if session.people else prompts.pace.words,
        waits="" if is_question(prompts.keyboard.question) else prompts.keyboard.question,
        hand=asked if session.sits(asked) else "",
    )
