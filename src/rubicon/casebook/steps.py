"""The steps of a case: actions, outcomes, expectations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from rubicon.casebook.actions import (
    CaseContext,
    StepFailed,
    is_code,
    read_action,
    split_colour,
    whole_number,
)
from rubicon.casebook.expect import read_expectation
from rubicon.casebook.parser import CaseLine, case_error
from rubicon.casebook.view import CaseView
from rubicon.engine.records import NEUTRAL, NONE, Chance, Phase, Seat, Standing, copy_position
from rubicon.engine.turn import begin_turn
from rubicon.engine.victory import clear_turn
from rubicon.errors import RubiconError
from rubicon.rules import actions
from rubicon.rules.board.board import COLOURS
from rubicon.rules.event_diff import Transition, award_event
from rubicon.rules.events import Event, TurnBegan
from rubicon.rules.game import Game
from rubicon.rules.refusals import Refused
from rubicon.rules.ruleset.ruleset import Ruleset

# The plainest play: the moves of all seats during an `until` step.

MOST_STEPS = 20_000


def plain_action(game: Game) -> actions.Action:
    """The first possible action in board order, with the fewest armies."""
    phase = Phase(int(game.position.phase))
    seat = game.seats.index(game.actors[0])
    match phase:
        case Phase.CLAIM:
            return _claim(game)
        case Phase.PLACE:
            return _place_one(game, seat)
        case Phase.SEALED | Phase.CONTINENTS:
            return _place_all(game, seat)
        case Phase.HEADQUARTERS:
            return actions.PlaceCapital(_first_of(game, seat))
        case Phase.REINFORCE | Phase.TRADE:
            return _forced_trade(game) or _place_all(game, seat)
        case Phase.DEFEND:
            return actions.DefendWith(1)
        case Phase.OCCUPY:
            return actions.Occupy(int(game.position.occupy_minimum))
        case Phase.OBJECTIVE:
            return actions.Decline()
        case Phase.FORTIFY:
            return actions.EndTurn()
        case _:
            return actions.EndAttack()


def _first_of(game: Game, owner: int) -> str:
    territories = game.ruleset.board.territories
    return next(t.id for i, t in enumerate(territories) if game.position.owner[i] == owner)


def _claim(game: Game) -> actions.Action:
    claim = actions.Claim(_first_of(game, NONE))
    if game.refusal(claim) is None:
        return claim
    return actions.PlaceCapital(claim.territory)


def _place_one(game: Game, seat: int) -> actions.Action:
    # With two players a turn places own armies and a neutral one: the rules say which is left.
    own = actions.Place(_first_of(game, seat), 1)
    if game.refusal(own) is None:
        return own
    return actions.Place(_first_of(game, NEUTRAL), 1)


def _place_all(game: Game, seat: int) -> actions.Action:
    unplaced = int(game.position.unplaced[seat])
    if unplaced > 0:
        return actions.Place(_first_of(game, seat), unplaced)
    if game.position.phase == Phase.SEALED:
        return actions.Seal(game.seats[seat])
    # END ATTACK also ends the first step of a turn, so that no attack is made.
    return actions.Decline() if game.position.phase == Phase.TRADE else actions.EndAttack()


def _forced_trade(game: Game) -> actions.Action | None:
    """The first set of the hand, if the seat must trade one."""
    refused = game.refusal(actions.EndAttack())
    if refused is None or refused.code != "trade/forced":
        return None
    seat = int(game.position.turn)
    cards = [c for i, c in enumerate(game.cards) if game.position.card[i] == seat]
    for three in combinations(cards, 3):
        for bonus in (None, *three):
            trade = actions.Trade(three, bonus)
            if (bonus is None or bonus in _names(game)) and game.refusal(trade) is None:
                return trade
    return None


def _names(game: Game) -> list[str]:
    return [territory.id for territory in game.ruleset.board.territories]


# Outcomes of chance in a case: `6 5 4 v 1`, `dice 6 6 4`, `china`, `any`, `wins`.

ANY = "any"
WINS = "wins"
LOSES = "loses"


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """An outcome as a case writes it, or a `word` for a usual one."""

    text: str
    outcome: actions.Outcome | None = None
    word: str = ""

    def fit(self, pending: actions.PendingChance) -> actions.Outcome:
        """The outcome that is meant where `pending` waits for one."""
        match self.outcome:
            case None:
                return self._usual(pending)
            case actions.Pick(thing):
                return actions.Pick(_among(pending.things, thing))
        return self.outcome

    def as_written(self) -> actions.Outcome:
        """The outcome itself, whatever is pending; for one that must be refused."""
        return self.outcome or actions.Pick(self.word)

    def _usual(self, pending: actions.PendingChance) -> actions.Outcome:
        if pending.chance == Chance.BATTLE:
            attack = 6 if self.word == WINS else 1
            defence = (7 - attack,) * pending.defence_dice
            return actions.Roll((attack,) * pending.attack_dice, defence)
        if pending.chance == Chance.DICE:
            return actions.Dice((6, *(1,) * (len(pending.seats) - 1)))
        return actions.Pick(pending.things[0])


def _among(things: Sequence[str], thing: str) -> str:
    """The thing named; of two alike, `major_airfield` and `major_airfield_2`, the first."""
    alike = [t for t in things if t.removeprefix("major_").removesuffix("_2") == thing]
    return thing if thing in things or not alike else alike[0]


def read_outcome(context: CaseContext, text: str, *, unknown_thing: bool = False) -> CaseOutcome:
    """`6 5 4 v 1`, `dice 6 6 4`, `[pick] china`, `any`, `wins`, `loses`.

    With `unknown_thing` an unknown name stays as it is written, to be refused later.
    """
    bare = text.lower().removeprefix("dice ").removeprefix("pick ").strip()
    if bare in (ANY, WINS, LOSES):
        return CaseOutcome(text, word=bare)
    attack, versus, defence = bare.partition(" v ")
    if versus:
        return CaseOutcome(text, actions.Roll(_faces(attack), _faces(defence)))
    if bare[:1].isdecimal():
        return CaseOutcome(text, actions.Dice(_faces(bare)))
    if not bare:
        raise case_error(
            "outcome", "Expected dice, a thing, `any`, `wins` or `loses` after a colon."
        )
    return CaseOutcome(text, actions.Pick(_thing(context, bare, unknown_thing)))


def _thing(context: CaseContext, name: str, unknown: bool) -> str:
    try:
        return context.find(name)
    except RubiconError:
        if not unknown:
            raise
        return name


def _faces(text: str) -> tuple[int, ...]:
    faces = tuple(whole_number(word, 1) for word in text.split())
    if not faces or max(faces) > 6:
        raise case_error("dice", f"{text!r} are not dice: a die shows 1 to 6.")
    return faces


def give_outcome(game: Game, given: CaseOutcome) -> Sequence[Event]:
    """Hand in an outcome; a defender who is asked first announces the number of dice given."""
    events: Sequence[Event] = ()
    if game.position.phase == Phase.DEFEND:
        events = game.play(actions.DefendWith(_defence(game, given)))
    if game.pending is None:
        raise StepFailed(f"{given.text!r} to answer something", "no chance is pending")
    return (*events, *game.settle(given.fit(game.pending)))


def _defence(game: Game, given: CaseOutcome) -> int:
    """The number of dice to announce so that those given are rolled."""
    # The numbers are tried on a copy: rules may give bonus dice or a fixed number of dice.
    most = max(n for n in (1, 2) if n == 1 or game.refusal(actions.DefendWith(n)) is None)
    if given.word:
        return most
    dice = len(given.outcome.defence) if isinstance(given.outcome, actions.Roll) else 0
    for number in range(1, most + 1):
        prepared = game.copy()
        prepared.play(actions.DefendWith(number))
        if prepared.pending is not None and prepared.pending.defence_dice == dice:
            return number
    return dice


# Each step is read, then carried out.


@dataclass(slots=True)
class CaseState:
    """A case while it runs: its context, and the game once there is one."""

    context: CaseContext
    game: Game | None = None
    events: Sequence[Event] = ()  # of the last step that did something

    @property
    def now(self) -> Game:
        if self.game is None:
            raise StepFailed("a position or a new game", "neither")
        return self.game


@dataclass(frozen=True, slots=True)
class CaseStep:
    """A step that was understood; `run` raises StepFailed or RubiconError."""

    line: CaseLine
    run: Callable[[CaseState], None]


def read_step(context: CaseContext, line: CaseLine) -> CaseStep:
    """One step of a case under one ruleset; RubiconError where it cannot be understood."""
    return CaseStep(line, _READERS[line.keyword](context, line))


def _do(context: CaseContext, line: CaseLine) -> Callable[[CaseState], None]:
    colour, rest = split_colour(line.rest)
    text, *answers = (part.strip() for part in rest.split(":"))
    source = read_action(context, f"{colour}: {text}" if colour else text)
    given = [read_outcome(context, part) for part in answers]

    def run(state: CaseState) -> None:
        state.events = _play(state, source(state.now))
        for one in given:
            state.events = (*state.events, *give_outcome(state.now, one))

    return run


def _play(state: CaseState, action: actions.Action) -> Sequence[Event]:
    try:
        return state.now.play(action)
    except Refused as refused:
        found = f"{refused.code}: {refused.message}"
        if isinstance(action, actions.EndTurn) and any(
            isinstance(e, TurnBegan) for e in state.events
        ):
            found += (
                " The turn has passed already: it does by itself where nothing can be fortified."
            )
        raise StepFailed("this to be possible", found) from None


def _chance(context: CaseContext, line: CaseLine) -> Callable[[CaseState], None]:
    given = [read_outcome(context, part.strip()) for part in line.rest.split(":")]

    def run(state: CaseState) -> None:
        state.events = ()
        for one in given:
            state.events = (*state.events, *give_outcome(state.now, one))

    return run


def _expect(context: CaseContext, line: CaseLine) -> Callable[[CaseState], None]:
    expectation = read_expectation(context, line.rest)

    def run(state: CaseState) -> None:
        game = state.now
        found = expectation.found(CaseView(game, context, game.position, state.events))
        if found is not None:
            raise StepFailed(expectation.text, found)

    return run


def _begin(context: CaseContext, line: CaseLine) -> Callable[[CaseState], None]:
    words = line.words
    if len(words) != 3 or words[1].lower() != "turn":
        raise case_error("begin", "Expected `begin turn COLOUR`.")
    seat = context.seat(words[2])

    def run(state: CaseState) -> None:
        game = state.now
        if game.pending is not None or seat not in _playing(game):
            raise StepFailed("a seat that plays, and no pending chance", "something else")
        state.game, state.events = _turn_of(game, seat)

    return run


def _turn_of(game: Game, seat: int) -> tuple[Game, tuple[Event, ...]]:
    """The game at the start of a seat's turn, and the events of that start."""
    before, ruleset = game.position, game.ruleset
    position = copy_position(before)
    clear_turn(position)
    begin_turn(position, ruleset.rules, ruleset.tables, seat)
    after = Game.from_position(ruleset, position)
    began = TurnBegan(after.colours[seat], position.round_number)
    return after, (
        began,
        award_event(Transition(ruleset, after.ids, before, position, actions.EndTurn())),
    )


def _playing(game: Game) -> list[int]:
    status = game.position.status
    return [seat for seat in range(len(game.seats)) if status[seat] == Seat.PLAYING]


@dataclass(frozen=True, slots=True)
class GameStart:
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


def read_start(context: CaseContext, line: CaseLine) -> GameStart:
    """`start`, `start 4`, `start 4 players rebels ural 3 china 2`."""
    words = list(line.words[line.words.index("start") + 1 :])
    players = len(context.seats)
    if words and words[0].isdecimal():
        players = whole_number(words.pop(0), 1)
    words = words[words[:1] in (["players"], ["player"]) :]
    rebels = words[1:] if words[:1] == ["rebels"] else []
    if (words and not rebels) or len(rebels) % 2:
        raise case_error(
            "start", "Expected `start [NUMBER players] [rebels TERRITORY ARMIES ...]`."
        )
    names = [context.territories[context.territory(name)] for name in rebels[::2]]
    armies = [whole_number(word, 1) for word in rebels[1::2]]
    return GameStart(players, dict(zip(names, armies, strict=True)))


def _start(context: CaseContext, line: CaseLine) -> Callable[[CaseState], None]:
    start = read_start(context, line)

    def run(state: CaseState) -> None:
        state.game = start.game(context.ruleset, context.seats)

    return run


def _refused(context: CaseContext, line: CaseLine) -> Callable[[CaseState], None]:
    """`refused [CODE] ACTION`, `... chance ANSWER`, `... start N`, `... option NAME VALUE`."""
    words = line.words[1:]
    code = words[0] if words and "/" in words[0] else ""
    rest = " ".join(words[bool(code) :])
    if not rest:
        raise case_error("refused", "Expected `refused [CODE] ACTION`.")
    attempt = _attempt(context, line, rest, code)

    def run(state: CaseState) -> None:
        # A refusal must leave every byte of the position as it was.
        before = state.game.position.tobytes() if state.game else b""
        found = _error_of(lambda: attempt(state))
        if found is None:
            raise StepFailed(f"{rest!r} to be refused", "it is allowed")
        if code and not is_code(found.code, code):
            raise StepFailed(
                f"{rest!r} to be refused with {code}", f"{found.code}: {found.message}"
            )
        if state.game and state.game.position.tobytes() != before:
            raise StepFailed("a refusal to change nothing", "another position")

    return run


def _error_of(attempt: Callable[[], Any]) -> RubiconError | None:
    try:
        attempt()
    except RubiconError as error:
        return error
    return None


def _attempt(
    context: CaseContext, line: CaseLine, rest: str, code: str
) -> Callable[[CaseState], Any]:
    first, _, argument = rest.partition(" ")
    if first == "start":
        start = read_start(context, line)
        colours = COLOURS[: start.players]
        return lambda _: start.game(context.ruleset, colours)
    if first == "option":
        name, _, value = argument.replace("=", " ").partition(" ")
        return lambda _: Ruleset.load(context.ruleset.preset, {name: value.strip()})
    if first == "chance":
        outcome = read_outcome(context, argument, unknown_thing=True).as_written()
        return lambda state: state.now.settle(outcome)
    return _attempt_action(context, rest, code)


def _attempt_action(context: CaseContext, text: str, code: str) -> Callable[[CaseState], Any]:
    """An action; with a code it may also be a text that cannot be read."""
    source = read_action(context, text, unreadable=bool(code))
    return lambda state: state.now.play(source(state.now))


def _until(context: CaseContext, line: CaseLine) -> Callable[[CaseState], None]:
    """`until phase NAME`, `until turn COLOUR`, `until over`, `until pending KIND`."""
    if not line.rest:
        raise case_error("until", "Expected `until` and what is to be expected then.")
    expectation = read_expectation(context, line.rest)

    def run(state: CaseState) -> None:
        for _ in range(MOST_STEPS):
            view = CaseView(state.now, context, state.now.position, state.events)
            if expectation.found(view) is None:
                return
            if state.now.over:
                raise StepFailed(f"{line.rest} to come", "the game is over")
            state.events = _plain_step(state)
        raise StepFailed(f"{line.rest} to come", f"not after {MOST_STEPS} plain steps")

    return run


def _plain_step(state: CaseState) -> Sequence[Event]:
    game = state.now
    if game.pending is not None:
        return give_outcome(game, CaseOutcome(ANY, word=ANY))
    action = plain_action(game)
    ends = isinstance(action, actions.EndAttack) and game.refusal(action) is None
    if ends and game.phase == Phase.REINFORCE:
        # The engine enters the phase `attack` with the first attack only, since cards may be
        # traded until then; a plain player, who never attacks, would skip it.
        state.game = _attacking(game)
        return ()
    return game.play(action)


def _attacking(game: Game) -> Game:
    """The game in the phase `attack`, where all armies are placed and no trade is forced."""
    position = copy_position(game.position)
    position.phase = Phase.ATTACK
    return Game.from_position(game.ruleset, position)


_READERS: dict[str, Callable[[CaseContext, CaseLine], Callable[[CaseState], None]]] = {
    "start": _start,
    "begin": _begin,
    "do": _do,
    "refused": _refused,
    "chance": _chance,
    "until": _until,
    "expect": _expect,
}
