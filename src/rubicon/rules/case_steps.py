"""The steps of a case: what is done, what chance answers, what is refused, what must follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rubicon.rules import case_plain
from rubicon.rules.actions import Action, DefendWith, EndTurn
from rubicon.rules.board import COLOURS
from rubicon.rules.case_actions import Failed, apart, is_code, read_deed
from rubicon.rules.case_expect import read_expectation
from rubicon.rules.case_names import Setting, whole_number
from rubicon.rules.case_scene import Scene
from rubicon.rules.case_text import Line, trouble
from rubicon.rules.errors import RubiconError
from rubicon.rules.events import Event, TurnBegan
from rubicon.rules.game import Game
from rubicon.rules.outcomes import Dice, Outcome, Owed, Pick, Roll
from rubicon.rules.position import Chance, Phase, Seat, Standing
from rubicon.rules.procedures.leftovers import clear_turn
from rubicon.rules.procedures.reinforce import begin_turn
from rubicon.rules.refusals import Refused
from rubicon.rules.ruleset import Ruleset

ANY = "any"
WINS = "wins"
LOSES = "loses"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a case lets chance answer: dice or a thing named, or a word for the rest."""

    text: str
    attack: tuple[int, ...] = ()
    defence: tuple[int, ...] = ()
    faces: tuple[int, ...] = ()
    thing: str = ""
    word: str = ""

    def fit(self, owed: Owed) -> Outcome:
        """The outcome that is meant, for what is owed."""
        if owed.chance == Chance.BATTLE:
            return Roll(*self._battle(owed))
        if owed.chance == Chance.DICE:
            first, others = (6,), (1,) * (len(owed.seats) - 1)
            return Dice(first + others if self.word else self.faces)
        return Pick(owed.things[0] if self.word else self._among(owed.things))

    def _battle(self, owed: Owed) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if not self.word:
            return self.attack, self.defence
        attack = 6 if self.word == WINS else 1
        return (attack,) * owed.attack_dice, (7 - attack,) * owed.defence_dice

    def _among(self, things: Sequence[str]) -> str:
        """The thing named; of two alike, `major_airfield` and `major_airfield_2`, the first."""
        alike = [t for t in things if t.removeprefix("major_").removesuffix("_2") == self.thing]
        return self.thing if self.thing in things or not alike else alike[0]


def read_answer(setting: Setting, text: str) -> Answer:
    """`6 5 4 v 1`, `dice 6 6 4`, `[pick] china`, `any`, `wins`, `loses`."""
    bare = text.lower().removeprefix("dice ").removeprefix("pick ").strip()
    if bare in (ANY, WINS, LOSES):
        return Answer(text, word=bare)
    attack, versus, defence = bare.partition(" v ")
    if versus:
        return Answer(text, attack=_faces(attack), defence=_faces(defence))
    if bare[:1].isdecimal():
        return Answer(text, faces=_faces(bare))
    if not bare:
        raise trouble("outcome", "Expected dice, a thing, `any`, `wins` or `loses` behind a colon.")
    return Answer(text, thing=setting.find(bare))


def _faces(text: str) -> tuple[int, ...]:
    faces = tuple(whole_number(word, 1) for word in text.split())
    if not faces or max(faces) > 6:
        raise trouble("dice", f"{text!r} are no dice; a die shows 1 to 6.")
    return faces


def answer(game: Game, given: Answer) -> tuple[Event, ...]:
    """Let chance answer; a defender who is asked first says the number of dice given."""
    events: tuple[Event, ...] = ()
    if game.position.phase == Phase.DEFEND:
        events = game.play(DefendWith(_defence(game, given)))
    if game.owed is None:
        raise Failed(f"{given.text!r} to answer something", "that nothing is owed by chance")
    return events + game.settle(given.fit(game.owed))


def _defence(game: Game, given: Answer) -> int:
    """The number of dice to announce so that those given are rolled."""
    most = max(n for n in (1, 2) if n == 1 or game.refusal(DefendWith(n)) is None)
    if given.word:
        return most
    for number in range(1, most + 1):
        trial = game.copy()
        trial.play(DefendWith(number))
        if trial.owed is not None and trial.owed.defence_dice == len(given.defence):
            return number
    return len(given.defence)


@dataclass(slots=True)
class Stage:
    """Where a case runs: its setting and the game, once there is one."""

    setting: Setting
    game: Game | None = None
    events: tuple[Event, ...] = ()  # of the last step that did something

    @property
    def now(self) -> Game:
        if self.game is None:
            raise Failed("a position or a new game", "neither")
        return self.game


@dataclass(frozen=True, slots=True)
class Step:
    """A step that was understood; `run` raises Failed or RubiconError."""

    line: Line
    run: Callable[[Stage], None]


def read_step(setting: Setting, line: Line) -> Step:
    """Understand one step of a case under one ruleset."""
    return Step(line, _READERS[line.keyword](setting, line))


def _do(setting: Setting, line: Line) -> Callable[[Stage], None]:
    colour, rest = apart(line.rest)
    text, *answers = (part.strip() for part in rest.split(":"))
    deed = read_deed(setting, f"{colour}: {text}" if colour else text)
    given = [read_answer(setting, part) for part in answers]

    def run(stage: Stage) -> None:
        stage.events = _play(stage, deed(stage.now))
        for one in given:
            stage.events += answer(stage.now, one)

    return run


def _play(stage: Stage, action: Action) -> tuple[Event, ...]:
    try:
        return stage.now.play(action)
    except Refused as refused:
        found = f"{refused.code}: {refused}"
        if isinstance(action, EndTurn) and any(isinstance(e, TurnBegan) for e in stage.events):
            found += (
                " The turn has passed already: it does by itself where nothing can be fortified."
            )
        raise Failed("this to be possible", found) from None


def _chance(setting: Setting, line: Line) -> Callable[[Stage], None]:
    given = [read_answer(setting, part.strip()) for part in line.rest.split(":")]

    def run(stage: Stage) -> None:
        stage.events = ()
        for one in given:
            stage.events += answer(stage.now, one)

    return run


def _expect(setting: Setting, line: Line) -> Callable[[Stage], None]:
    expectation = read_expectation(setting, line.rest)

    def run(stage: Stage) -> None:
        game = stage.now
        found = expectation.found(Scene(game, setting, game.position, stage.events))
        if found is not None:
            raise Failed(expectation.text, found)

    return run


def _begin(setting: Setting, line: Line) -> Callable[[Stage], None]:
    words = line.words
    if len(words) != 3 or words[1].lower() != "turn":
        raise trouble("begin", "Expected `begin turn COLOUR`.")
    seat = setting.seat(words[2])

    def run(stage: Stage) -> None:
        game = stage.now
        if game.owed is not None or seat not in _playing(game):
            raise Failed("a seat that plays, and nothing owed by chance", "something else")
        position = game.copy().position
        clear_turn(position)
        rules: Any = setting.ruleset.rules
        tables: Any = setting.ruleset.tables
        begin_turn(position, rules, tables, seat)
        stage.game = Game.from_position(setting.ruleset, position)
        stage.events = ()

    return run


def _playing(game: Game) -> list[int]:
    status = game.position.status
    return [seat for seat in range(len(game.seats)) if status[seat] == Seat.PLAYING]


@dataclass(frozen=True, slots=True)
class Opening:
    """How a new game starts."""

    players: int
    rebels: dict[str, int]

    def game(self, ruleset: Ruleset, seats: Sequence[str]) -> Game:
        return Game.new(
            ruleset,
            self.players,
            colours=tuple(seats),
            rebels=self.rebels or None,
            standing=Standing.NONE,
        )


def read_opening(setting: Setting, line: Line) -> Opening:
    """`start`, `start 4`, `start 4 players rebels ural 3 china 2`."""
    words = list(line.words[line.words.index("start") + 1 :])
    players = len(setting.seats)
    if words and words[0].isdecimal():
        players = whole_number(words.pop(0), 1)
    words = words[words[:1] in (["players"], ["player"]) :]
    rebels = words[1:] if words[:1] == ["rebels"] else []
    if (words and not rebels) or len(rebels) % 2:
        raise trouble("start", "Expected `start [NUMBER players] [rebels TERRITORY ARMIES ...]`.")
    names = [setting.territories[setting.territory(name)] for name in rebels[::2]]
    armies = [whole_number(word, 1) for word in rebels[1::2]]
    return Opening(players, dict(zip(names, armies, strict=True)))


def _start(setting: Setting, line: Line) -> Callable[[Stage], None]:
    opening = read_opening(setting, line)

    def run(stage: Stage) -> None:
        stage.game = opening.game(setting.ruleset, setting.seats)

    return run


def _refused(setting: Setting, line: Line) -> Callable[[Stage], None]:
    """`refused [CODE] ACTION`, `... start N`, `... option NAME VALUE`."""
    words = line.words[1:]
    code = words[0] if words and "/" in words[0] else ""
    rest = " ".join(words[bool(code) :])
    if not rest:
        raise trouble("refused", "Expected `refused [CODE] ACTION`.")
    attempt = _attempt(setting, line, rest, code)

    def run(stage: Stage) -> None:
        before = stage.game.position.tobytes() if stage.game else b""
        found = _error_of(lambda: attempt(stage))
        if found is None:
            raise Failed(f"{rest!r} to be refused", "it is allowed")
        if code and not is_code(found.code, code):
            raise Failed(f"{rest!r} to be refused with {code}", f"{found.code}: {found.message}")
        if stage.game and stage.game.position.tobytes() != before:
            raise Failed("a refusal to change nothing", "another position")

    return run


def _error_of(attempt: Callable[[], Any]) -> RubiconError | None:
    try:
        attempt()
    except RubiconError as error:
        return error
    return None


def _attempt(setting: Setting, line: Line, rest: str, code: str) -> Callable[[Stage], Any]:
    first, _, argument = rest.partition(" ")
    if first == "start":
        opening = read_opening(setting, line)
        colours = COLOURS[: opening.players]
        return lambda _: opening.game(setting.ruleset, colours)
    if first == "option":
        name, _, value = argument.replace("=", " ").partition(" ")
        return lambda _: Ruleset.load(setting.ruleset.preset, {name: value.strip()})
    return _attempt_action(setting, rest, code)


def _attempt_action(setting: Setting, text: str, code: str) -> Callable[[Stage], Any]:
    """An action; where a code is named it may be a text that cannot be read."""
    deed = read_deed(setting, text, unreadable=bool(code))
    return lambda stage: stage.now.play(deed(stage.now))


def _until(setting: Setting, line: Line) -> Callable[[Stage], None]:
    """`until phase NAME`, `until turn COLOUR`, `until over`, `until owed KIND`."""
    if not line.rest:
        raise trouble("until", "Expected `until` and what is to be expected then.")
    expectation = read_expectation(setting, line.rest)

    def run(stage: Stage) -> None:
        for _ in range(case_plain.MOST_STEPS):
            scene = Scene(stage.now, setting, stage.now.position, stage.events)
            if expectation.found(scene) is None:
                return
            if stage.now.over:
                raise Failed(f"{line.rest} to come", "the game is over")
            stage.events = _plain_step(stage.now)
        raise Failed(f"{line.rest} to come", f"not after {case_plain.MOST_STEPS} plain steps")

    return run


def _plain_step(game: Game) -> tuple[Event, ...]:
    if game.owed is not None:
        return answer(game, Answer(ANY, word=ANY))
    return game.play(case_plain.plain_action(game))


_READERS: dict[str, Callable[[Setting, Line], Callable[[Stage], None]]] = {
    "start": _start,
    "begin": _begin,
    "do": _do,
    "refused": _refused,
    "chance": _chance,
    "until": _until,
    "expect": _expect,
}
