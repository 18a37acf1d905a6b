"""The moments of a finished game that a reader looks for first. Nothing is simulated.

They are all eliminations and resignations; the continents that brought most armies, won and lost;
the battles with the most losses; and the attacks in which the dice gave the most and the least
beyond the average.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rubicon.engine.records import Position, Seat
from rubicon.odds.luck import BattleRoll
from rubicon.rules.event_diff import Transition, step_events
from rubicon.rules.events import Eliminated
from rubicon.rules.game import Game
from rubicon.rules.situation import TurnStart

MOST_CONTINENTS = 2
MOST_BATTLES = 2


@dataclass(frozen=True, slots=True)
class Elimination:
    """A seat is out; `entry` is the number of the history's entry that ended it."""

    entry: int
    seat: str
    by: str


@dataclass(frozen=True, slots=True)
class Resignation:
    """A seat has resigned; `entry` is the number of the history's entry that says so."""

    entry: int
    seat: str


@dataclass(frozen=True, slots=True)
class ContinentHeld:
    """A seat held a whole continent from the beginning of a turn to that of another.

    Entries are numbers of the history, those that began the turns; `until` is None at the end of
    the game. `turns` are the seat's own turns that began meanwhile, `armies` the bonus of them all.
    """

    entry: int
    until: int | None
    seat: str
    lost_to: str
    continent: str
    turns: int
    armies: int


@dataclass(frozen=True, slots=True)
class FoughtBattle:
    """All rolls of one territory against another, one after the other.

    `luck` is how many armies the attacker was above the average; `taken`: the target fell.
    """

    entry: int
    rolls: int
    attacker: str
    defender: str
    source: str
    target: str
    attacker_lost: int
    defender_lost: int
    luck: float
    taken: bool


@dataclass(frozen=True, slots=True)
class KeyMoments:
    """Each kind in the order of the game; the luckiest attack has the most luck above 0."""

    eliminations: tuple[Elimination, ...]
    resignations: tuple[Resignation, ...]
    continents: tuple[ContinentHeld, ...]
    battles: tuple[FoughtBattle, ...]
    luckiest: FoughtBattle | None
    unluckiest: FoughtBattle | None


def key_moments(game: Game, turns: Sequence[TurnStart], rolls: Iterable[BattleRoll]) -> KeyMoments:
    """The key moments of a game; `turns` and `rolls` are those of the game."""
    fought = list(battles(game, rolls))
    # Of equals the earlier one, so that the review of a game is always the same.
    held = sorted(continents_held(game, turns), key=lambda one: (-one.armies, one.entry))
    costly = sorted(fought, key=lambda one: (-one.attacker_lost - one.defender_lost, one.entry))
    return KeyMoments(
        eliminations=tuple(eliminations(game)),
        resignations=tuple(resignations(game)),
        continents=tuple(sorted(held[:MOST_CONTINENTS], key=lambda one: one.entry)),
        battles=tuple(sorted(costly[:MOST_BATTLES], key=lambda one: one.entry)),
        luckiest=max((one for one in fought if one.luck > 0), key=_luck, default=None),
        unluckiest=min((one for one in fought if one.luck < 0), key=_luck, default=None),
    )


def eliminations(game: Game) -> Iterator[Elimination]:
    """The seats that were eliminated by others, in order."""
    positions = (*game.positions, game.position)
    for number, entry in enumerate(game.history):
        before, after = positions[number], positions[number + 1]
        if (before.status != after.status).any():
            for event in step_events(Transition(game.ruleset, game.ids, before, after, entry)):
                if isinstance(event, Eliminated):
                    yield Elimination(number, event.seat, event.by)


def resignations(game: Game) -> Iterator[Resignation]:
    """The seats that resigned, in order."""
    positions = (*game.positions, game.position)
    for number in range(len(game.history)):
        was, now = positions[number].status, positions[number + 1].status
        for seat, colour in enumerate(game.colours) if (was != now).any() else ():
            if now[seat] == Seat.RESIGNED and was[seat] != Seat.RESIGNED:
                yield Resignation(number, colour)


def battles(game: Game, rolls: Iterable[BattleRoll]) -> Iterator[FoughtBattle]:
    """The rolls of a game, those of one battle together."""

    positions = game.positions  # which makes a tuple each time

    def of_battle(one: BattleRoll) -> tuple[object, ...]:
        before, rolled = positions[one.number], one.rolled
        turn = int(before.round_number), int(before.turn)
        return (*turn, rolled.attacker, rolled.defender, rolled.source, rolled.target)

    for _, found in groupby(rolls, of_battle):
        yield _battle(positions, list(found))


def continents_held(game: Game, turns: Sequence[TurnStart]) -> Iterator[ContinentHeld]:
    """Who held which continent whole, for at least one turn of the holder's own."""
    all_positions = (*game.positions, game.position)
    # The position before an entry has its number, so the one after it, which begins the turn, the
    # next number.
    positions = [all_positions[turn.entry + 1] for turn in turns]
    for continent in game.ruleset.board.continents:
        cells = list(continent.territories)
        owners = [_only_owner(game, position, cells) for position in positions]
        for seat, found in groupby(range(len(turns)), key=owners.__getitem__):
            places = list(found)
            own = sum(turns[place].seat == seat for place in places if place < len(turns) - 1)
            if seat is None or not own:
                continue
            end = places[-1] + 1
            yield ContinentHeld(
                entry=turns[places[0]].entry,
                until=turns[end].entry if end < len(turns) else None,
                seat=seat,
                lost_to=turns[end - 1].seat,
                continent=continent.id,
                turns=own,
                armies=own * continent.bonus,
            )


def _battle(positions: Sequence[Position], rolls: Sequence[BattleRoll]) -> FoughtBattle:
    last = rolls[-1]
    before = positions[last.number]
    return FoughtBattle(
        entry=last.number,
        rolls=len(rolls),
        attacker=last.rolled.attacker,
        defender=last.rolled.defender,
        source=last.rolled.source,
        target=last.rolled.target,
        attacker_lost=sum(one.rolled.attacker_lost for one in rolls),
        defender_lost=sum(one.rolled.defender_lost for one in rolls),
        luck=sum(one.beyond for one in rolls),
        taken=last.rolled.defender_lost >= int(before.armies[int(before.attack_target)]),
    )


def _luck(battle: FoughtBattle) -> float:
    return battle.luck


def _only_owner(game: Game, position: Position, cells: Sequence[int]) -> str | None:
    """The colour that owns all of these territories, if one does."""
    owners = {int(position.owner[cell]) for cell in cells}
    owner = owners.pop()
    return game.colours[owner] if not owners and 0 <= owner < game.size else None
