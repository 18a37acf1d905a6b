"""What makes a position impossible: each check yields sentences, so that all are reported at once.

The checks read unpacked fields (`position_fields`), which is faster than a record by far; only the
engine's own procedures get the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rubicon.engine import codes, records
from rubicon.engine.legal_actions import range_buffer, ranges
from rubicon.engine.placement import TURN_ONE_ROLL
from rubicon.engine.records import Position, Rules
from rubicon.engine.setup import bare_objective, dealt_to, mission_seat, missions_left
from rubicon.rules.ruleset.ruleset import Ruleset

IN_TURN = (records.Phase.DEFEND, records.Phase.OCCUPY)
MOST_DICE = 3
REVISED_DEAL = (
    records.Chance.MINOR_OBJECTIVE,
    records.Chance.MAJOR_OBJECTIVE,
    records.Chance.MINOR_REWARD,
    records.Chance.MAJOR_REWARD,
)
BEFORE_FIRST = (records.Chance.CITY, *REVISED_DEAL)  # dealt before anyone has begun
CHANCES = {
    records.Phase.FIRST_PLAYER: (records.Chance.DICE, records.Chance.FIRST_SEAT),
    records.Phase.DEAL: (
        *BEFORE_FIRST,
        *(
            records.Chance.NEUTRAL_TERRITORY,
            records.Chance.TERRITORY,
            records.Chance.MISSION,
            records.Chance.STARTING_CARD,
        ),
    ),
    records.Phase.ATTACK: (records.Chance.BATTLE, records.Chance.CARD),
    records.Phase.FORTIFY: (records.Chance.CARD,),
}
MOST_ARMIES = 10**9  # in one position, so that armies received in play fit into 32 bits
MOST_SETS = 10_000
MOST_DRAWS = 2
HIGHEST = {
    "bonus_taken": 1,
    "conquered": 1,
    "conquered_from_player": 1,
    "claimed": 1,
    "attack_extra": 1,
    "defence_extra": 1,
    "attack_plus": 1,
    "defence_plus": 1,
    "defence_dice": MOST_DICE - 1,
    "own_left": 2,
    "neutral_left": 1,
    "draws_due": MOST_DRAWS,
    "moves_left": 2**7 - 1,
    "hand_at_start": records.CARDS,
    "sets": MOST_SETS,
    "sets_this_turn": MOST_SETS,
    "neutral_unplaced": 2**15 - 1,
    "round_number": MOST_ARMIES,
    "occupy_minimum": MOST_ARMIES,
    "award_territories": MOST_ARMIES,
    "award_continents": MOST_ARMIES,
    "award_capitals": MOST_ARMIES,
    "award_rewards": MOST_ARMIES,
}
# `dead_ends` reads only how many ranges there are, so all threads may write into one buffer.
_RANGES = range_buffer()
MISSION_IDS = tuple(f"M{number:02}" for number in range(1, records.MISSIONS + 1))


def impossibilities(
    ruleset: Ruleset, cells: Position, position: Position
) -> Iterator[tuple[str, str]]:
    """Everything that no game under this ruleset can be in, as codes and sentences.

    `cells` are the unpacked fields of `position`. Hidden values are passed over.
    """
    yield from (("seats", problem) for problem in _players(ruleset, cells))
    ranges = [("range", problem) for problem in (*_ranges(cells), *_armies(cells))]
    yield from ranges
    if ranges:  # the other checks look numbers up in tables
        return
    yield from (("board", problem) for problem in _board(ruleset, cells))
    yield from (("objective", problem) for problem in _objectives(ruleset, cells))
    yield from (("phase", problem) for problem in (*_turn(cells), *_phase(ruleset, cells)))
    yield from (("attack", problem) for problem in _attack(cells))
    yield from (("chance", problem) for problem in _chance(ruleset, cells, position))
    yield from (("result", problem) for problem in _end(cells))


def _players(ruleset: Ruleset, p: Position) -> Iterator[str]:
    fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
    if not fewest <= p.seats <= most:
        yield f"There are {p.seats} seats; {ruleset.name} is for {fewest} to {most}."


def _between(name: str, values: Any, low: int, high: int) -> tuple[str, ...]:
    for value in values:
        if not low <= value <= high:
            return (f"{name} has the value {value}; expected {low} to {high}.",)
    return ()


def _ranges(p: Position) -> Iterator[str]:
    """Values that would lead out of the tables."""
    yield from _between("status", _seated(p, "status"), records.Seat.PLAYING, records.Seat.RESIGNED)
    yield from _between("standing_all", p.standing_all, records.HIDDEN, records.Standing.MAXIMUM)
    yield from _between(
        "order_standing", [p.order_standing], records.HIDDEN, records.Standing.MAXIMUM
    )
    yield from _between("mission", p.mission, records.NONE, records.MISSIONS - 1)
    yield from _between("mission_fallback", p.mission_fallback, records.HIDDEN, 1)
    yield from _between("objective", p.objective, 0, records.ObjectivePlace.BOX)
    yield from _between("objective_reward", p.objective_reward, records.NONE, records.REWARDS - 1)
    yield from _between("reward", p.reward, 0, records.RewardPlace.BOX)
    yield from _between("reward_from", p.reward_from, 0, 1)
    yield from _between("sealed", p.sealed, 0, 1)
    yield from _between("chance_seats", p.chance_seats, 0, 1)
    for name in ("unplaced", "hand"):
        yield from _between(name, getattr(p, name), records.HIDDEN, MOST_ARMIES)
    yield from _between("sets_by_seat", p.sets_by_seat, 0, MOST_SETS)
    yield from _between("snapshot", p.snapshot, 0, 2**15 - 1)
    yield from _between("dealt", [p.dealt], TURN_ONE_ROLL, 2**15 - 1)
    yield from _between("attack_dice", [p.attack_dice], records.HIDDEN, MOST_DICE)
    for name, most in HIGHEST.items():
        value = getattr(p, name)
        if not 0 <= value <= most:
            yield f"{name} has the value {value}; expected 0 to {most}."


def _seated(p: Position, field: str) -> list[int]:
    """The values of a field by seat, without the seats that are not there."""
    values: list[int] = getattr(p, field)[: p.seats]
    return values


def _armies(p: Position) -> Iterator[str]:
    """All armies together; the numbers that are hidden do not count."""
    armies = sum(number for cells in (p.armies, p.unplaced) for number in cells if number > 0)
    if armies > MOST_ARMIES:
        yield f"There are {armies} armies; the most is {MOST_ARMIES}."


def _board(ruleset: Ruleset, p: Position) -> Iterator[str]:
    playing = (
        records.Phase.PLACE <= p.phase < records.Phase.OVER
    )  # a game may end while claims are made
    playing |= p.dealt == TURN_ONE_ROLL
    # Only the territory that waits to be occupied may have an owner and no army.
    occupied = p.attack_target if p.phase == records.Phase.OCCUPY else records.NONE
    rows = zip(ruleset.board.territories, p.owner, p.armies, p.standing, strict=False)
    for t, (territory, owner, armies, standing) in enumerate(rows):
        if owner == records.NONE:
            if playing or armies != 0:
                yield f"{territory.id} has no owner."
            if standing != 0:
                yield f"{territory.id} has a standing order and no owner."
        elif armies == 0 and t != occupied:
            yield f"{territory.id} has no army."
    for seat, status in enumerate(_seated(p, "status")):
        holds = p.territories[seat]
        if playing and status == records.Seat.PLAYING and holds == 0:
            yield f"Seat {seat + 1} is in the game and holds no territory."
        if status != records.Seat.PLAYING and holds > 0:
            yield f"Seat {seat + 1} is out of the game and holds {holds} territories."
    yield from _twice("capital", p.capital, territory_ids(ruleset))
    yield from _twice("mission", p.mission, MISSION_IDS)
    if p.phase != records.Phase.REINFORCE and records.CardPlace.OFFERED in p.card:
        yield "Cards are on offer although it is not the first step of a turn."


def _objectives(ruleset: Ruleset, p: Position) -> Iterator[str]:
    """Four objectives of a class at the most, of those that the ruleset has (S001-21)."""
    in_game = [o for o, place in enumerate(p.objective) if place != records.ObjectivePlace.BOX]
    if ruleset.rules.objectives_in_play == 0:
        if in_game or any(place != records.RewardPlace.BOX for place in p.reward):
            yield f"{ruleset.name} has no objectives and no rewards."
        return
    tables = ruleset.tables
    pool, classes = list(tables.objective_in_pool), list(tables.objective_major)
    if any(pool[objective] == 0 for objective in in_game):
        yield "An objective is not among those of this game."
    for major, name in enumerate(("minor", "major")):
        of_class = [
            objective for objective in range(records.OBJECTIVES) if classes[objective] == major
        ]
        if len(set(of_class) & set(in_game)) > records.OBJECTIVES_A_CLASS:
            yield f"There are more than {records.OBJECTIVES_A_CLASS} {name} objectives."
        tokens = [p.objective_reward[objective] for objective in of_class]
        if any(
            (token >= records.MAJOR_REWARDS) != bool(major)
            for token in tokens
            if token != records.NONE
        ):
            yield f"A reward of the other class lies on a {name} objective."


def territory_ids(ruleset: Ruleset) -> tuple[str, ...]:
    """The ids of the territories, in board order."""
    return tuple(territory.id for territory in ruleset.board.territories)


def _twice(what: str, numbers: records.Cells, ids: Sequence[str]) -> Iterator[str]:
    """Things that two seats have and only one can."""
    given = [number for number in numbers if number != records.NONE]
    for number in sorted({number for number in given if given.count(number) > 1}):
        yield f"Two seats have the {what} {ids[number]}."


def _turn(p: Position) -> Iterator[str]:
    if p.first >= p.seats or not 0 <= p.turn < p.seats:
        yield "The turn belongs to no seat."
        return
    if p.first == records.NONE and p.phase > records.Phase.DEAL:
        yield "The seat that takes turn 1 is not decided."
    free = (
        records.Phase.FIRST_PLAYER,
        records.Phase.DEAL,
        records.Phase.SEALED,
        records.Phase.OVER,
    )
    if p.phase not in free and p.status[p.turn] != records.Seat.PLAYING:
        yield "The seat whose turn it is is out of the game."
    if (
        p.phase in (records.Phase.FIRST_PLAYER, records.Phase.DEAL)
        and p.chance == records.Chance.NONE
    ):
        yield "The deal waits for nothing."
    if p.phase == records.Phase.DEAL and (p.first == records.NONE) != (p.chance in BEFORE_FIRST):
        yield "This is dealt at another step of the set-up."
    if p.own_left > max(0, p.unplaced[p.turn]) or p.neutral_left > p.neutral_unplaced:
        yield "A move of the set-up places more armies than there are."
    if (
        p.phase in (records.Phase.PLACE, records.Phase.CLAIM)
        and p.unplaced[p.turn] == 0
        and p.neutral_left == 0
    ):
        yield "The seat whose turn it is has no army to place."


def _phase(ruleset: Ruleset, p: Position) -> Iterator[str]:
    """Phases that the ruleset does not have, and numbers that no earlier phase can leave."""
    rules = ruleset.rules
    if _is_missing(rules, p.phase):
        yield f"{ruleset.name} has no phase {_word(records.Phase(p.phase))}."
    if p.dealt == TURN_ONE_ROLL:
        if p.phase != records.Phase.FIRST_PLAYER or rules.setup_turn1 != codes.TurnOne.NEW_ROLL:
            yield "dealt says that turn 1 is rolled for, but it is not."
        if any(number > 0 for number in p.unplaced):
            yield "Turn 1 is rolled for while armies are still to be placed."
    if p.phase < records.Phase.REINFORCE:
        return
    if p.round_number < 1 and p.phase != records.Phase.OVER:
        yield "A turn is played before round 1."
    if any(p.unplaced[seat] > 0 for seat in range(p.seats) if seat != p.turn):
        yield "A seat that is not to move has armies to place."
    playing: Any = p.status
    if p.phase != records.Phase.OVER and playing.count(records.Seat.PLAYING) < 2:
        yield "Fewer than two seats are in the game, and it is not over."


def _is_missing(rules: Rules, phase: int) -> bool:
    """Whether games under these rules never come to a phase."""
    match phase:
        case records.Phase.SEALED:
            return rules.setup_place != codes.Placing.ALL_AT_ONCE
        case records.Phase.PLACE:
            return rules.setup_place == codes.Placing.ALL_AT_ONCE
        case records.Phase.HEADQUARTERS:
            return rules.victory_goal != codes.Goal.HEADQUARTERS
        case records.Phase.OBJECTIVE:
            return rules.objectives_in_play == 0
        case records.Phase.TRADE:
            return rules.elim_trade == codes.EliminationTrade.NONE
        case records.Phase.CONTINENTS:
            return rules.continent_timing != codes.ContinentTiming.PLACED_END_OF_OWN_TURN
        case _:
            return False


def _attack(p: Position) -> Iterator[str]:
    if (p.order_source == records.NONE) != (p.order_target == records.NONE):
        yield "The attack order has only one of source and target."
    under_way = p.phase in IN_TURN or p.chance == records.Chance.BATTLE
    source, target = p.attack_source, p.attack_target
    if not under_way:
        if (
            source != records.NONE
            or target != records.NONE
            or p.attack_dice > 0
            or p.defence_dice != 0
        ):
            yield "An attack is written, but none is under way."
        if p.occupy_minimum != 0:
            yield "occupy_minimum is written, but no territory waits to be occupied."
        return
    if records.NONE in (source, target) or p.owner[source] != p.turn:
        yield "The attack under way has no source or no target."
        return
    if p.armies[source] < 2:
        yield "The territory attacked from has fewer than two armies."
    if (p.owner[target] == p.turn) != (p.phase == records.Phase.OCCUPY):
        yield "The territory under attack has the wrong owner."
    if p.attack_dice == 0 or (p.chance == records.Chance.BATTLE and p.defence_dice == 0):
        yield "The attack under way has no dice."
    if p.phase == records.Phase.OCCUPY and not 1 <= p.occupy_minimum < p.armies[source]:
        yield "No number of armies could move into the captured territory."


def _chance(ruleset: Ruleset, p: Position, position: Position) -> Iterator[str]:
    rolling = _seated(p, "chance_seats")
    if p.chance == records.Chance.MISSION and ruleset.rules.missions_in_play == 0:
        yield f"{ruleset.name} deals no missions."
    if p.chance not in (records.Chance.NONE, *CHANCES.get(records.Phase(p.phase), ())):
        phase = _word(records.Phase(p.phase))
        yield f"No {_word(records.Chance(p.chance))} is pending in the phase {phase}."
    if p.chance == records.Chance.DICE and not any(rolling):
        yield "Dice are pending, and chance_seats names no seat that rolls."
    if any(p.chance_seats):
        if any(
            p.chance_seats[seat] and p.status[seat] != records.Seat.PLAYING
            for seat in range(records.SEATS)
        ):
            yield "A seat must roll a die and is out of the game."
        if p.chance != records.Chance.DICE:
            yield "chance_seats is written, but no dice are pending."
    yield from _receivers(ruleset, p, position)
    dealt = _dealt(ruleset, p)
    if dealt is not None and p.dealt != dealt:
        yield f"dealt is {p.dealt}; it should be {dealt}."
    things = _things(ruleset, p, position)
    if things is not None and p.chance_count != things:
        yield f"chance_count is {p.chance_count}; there are {things} things to pick from."
    elif things == 0 and p.chance not in (
        records.Chance.NONE,
        records.Chance.BATTLE,
        records.Chance.DICE,
    ):
        yield "Nothing is left to pick from."


def _word(member: records.Chance | records.Phase) -> str:
    return member.name.lower().replace("_", " ")


def _receivers(ruleset: Ruleset, p: Position, position: Position) -> Iterator[str]:
    """What chance deals needs a seat, or an objective, to receive it."""
    if p.chance == records.Chance.MISSION and mission_seat(position) == records.NONE:
        yield "A mission is dealt, and every seat has one."
    if p.chance == records.Chance.TERRITORY and _overdealt(ruleset, p, position):
        yield "More territories are to be dealt to a seat than it has armies."
    if p.chance in (records.Chance.MINOR_REWARD, records.Chance.MAJOR_REWARD):
        major = int(p.chance == records.Chance.MAJOR_REWARD)
        if bare_objective(position, ruleset.tables, major) == records.NONE:
            yield "A reward is dealt, and every objective of its class has one."


def _overdealt(ruleset: Ruleset, p: Position, position: Position) -> bool:
    """Whether a seat will receive more territories than it has armies to put on them."""
    ahead, left = records.copy_position(position), list(p.unplaced)
    if records.HIDDEN in left:
        return False
    for number in range(_unowned(ruleset, p)):
        ahead.dealt = p.dealt + number
        receiver = int(dealt_to(ahead, ruleset.rules))
        if receiver != records.NEUTRAL:
            left[receiver] -= 1
    return any(armies < 0 for armies in left)


def _unowned(ruleset: Ruleset, p: Position) -> int:
    owners: Any = p.owner
    count: int = owners[: len(ruleset.board.territories)].count(records.NONE)
    return count


def _dealt(ruleset: Ruleset, p: Position) -> int | None:
    """How far cities or territories have been dealt; None where nothing shows it.

    The roll for turn 1 comes after the deal, and has its own mark.
    """
    if p.chance == records.Chance.TERRITORY:
        piles = ruleset.rules.setup_claim == codes.ClaimMode.DEAL_THREE_PILES
        return sum(p.territories) - (0 if piles else p.territories[records.NEUTRAL])
    if p.phase == records.Phase.FIRST_PLAYER:
        return 0 if p.first == records.NONE else int(TURN_ONE_ROLL)
    kinds = (records.Chance.CITY, *REVISED_DEAL)
    return sum(mark != 0 for mark in p.city) if p.chance in kinds else None


def _things(ruleset: Ruleset, p: Position, position: Position) -> int | None:
    """How many things chance may pick from; 0 where dice or nothing is pending.

    None where that is hidden.
    """
    tables = ruleset.tables
    match p.chance:
        case records.Chance.FIRST_SEAT:
            return p.seats
        case records.Chance.CITY:
            return len(ruleset.board.territories) - sum(mark != 0 for mark in p.city)
        case records.Chance.TERRITORY | records.Chance.NEUTRAL_TERRITORY:
            return _unowned(ruleset, p)
        case records.Chance.MISSION:
            if records.HIDDEN in p.mission_fallback:
                return None
            return int(missions_left(position, ruleset.rules, tables))
        case records.Chance.MINOR_OBJECTIVE | records.Chance.MAJOR_OBJECTIVE:
            major = int(p.chance == records.Chance.MAJOR_OBJECTIVE)
            return sum(
                place == records.ObjectivePlace.BOX
                and tables.objective_major[objective] == major
                and tables.objective_in_pool[objective] != 0
                for objective, place in enumerate(p.objective)
            )
        case records.Chance.MINOR_REWARD | records.Chance.MAJOR_REWARD:
            first = records.MAJOR_REWARDS * int(p.chance == records.Chance.MAJOR_REWARD)
            return sum(
                p.reward[first + n] == records.RewardPlace.BOX for n in range(records.MAJOR_REWARDS)
            )
        case records.Chance.CARD | records.Chance.STARTING_CARD:
            return p.pile
        case _:
            return 0


def _end(p: Position) -> Iterator[str]:
    if (p.phase == records.Phase.OVER) != (p.winner != records.NONE):
        yield "Phase and result differ: the game is over if and only if it has a result."
    if p.winner not in (records.NONE, records.DRAWN) and not 0 <= p.winner < p.seats:
        yield "The winner is not one of the seats."
    if p.eliminated != records.NONE and p.phase != records.Phase.OCCUPY:
        yield "eliminated is written, but no territory waits to be occupied."
    if p.eliminated >= p.seats:
        yield "The eliminated player is not one of the seats."


def dead_ends(ruleset: Ruleset, cells: Position, position: Position) -> Iterator[tuple[str, str]]:
    """A game that goes on waits for chance, or for a seat that can decide something.

    Only for positions that are otherwise possible, and hide nothing.
    """
    if cells.phase == records.Phase.OVER or cells.chance != records.Chance.NONE:
        return
    rules, tables = ruleset.rules, ruleset.tables
    # The seat to move can nearly always act, so it is asked first.
    seats = (cells.turn, *range(cells.seats))
    if not any(ranges(position, rules, tables, seat, _RANGES) for seat in seats):
        yield "dead", f"No seat can do anything in the phase {_word(records.Phase(cells.phase))}."
