"""What makes a position impossible: each check yields sentences, so that all are told at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rubicon.rules.choices import (
    Claim,
    ContinentTiming,
    EliminationTrade,
    Goal,
    Placing,
    TurnOne,
)
from rubicon.rules.position import (
    CARDS,
    DRAWN,
    HIDDEN,
    MAJOR_REWARDS,
    MISSIONS,
    NEUTRAL,
    NONE,
    OBJECTIVES_A_CLASS,
    REWARDS,
    SEATS,
    CardPlace,
    Chance,
    ObjectivePlace,
    Phase,
    RewardPlace,
    Seat,
    Standing,
    copy_position,
)
from rubicon.rules.procedures.families import families, family_buffer
from rubicon.rules.procedures.placing import TURN_ONE_ROLL
from rubicon.rules.procedures.setup import bare_objective, dealt_to, mission_seat, missions_left
from rubicon.rules.ruleset import Ruleset

IN_TURN = (Phase.DEFEND, Phase.OCCUPY)
MOST_DICE = 3
REVISED_DEAL = (
    Chance.MINOR_OBJECTIVE,
    Chance.MAJOR_OBJECTIVE,
    Chance.MINOR_REWARD,
    Chance.MAJOR_REWARD,
)
BEFORE_FIRST = (Chance.CITY, *REVISED_DEAL)  # dealt before anybody has begun
CHANCES = {
    Phase.FIRST_PLAYER: (Chance.DICE, Chance.FIRST_SEAT),
    Phase.DEAL: (
        *BEFORE_FIRST,
        *(Chance.NEUTRAL_TERRITORY, Chance.TERRITORY, Chance.MISSION, Chance.STARTING_CARD),
    ),
    Phase.ATTACK: (Chance.BATTLE, Chance.CARD),
    Phase.FORTIFY: (Chance.CARD,),
}
MOST_ARMIES = 10**9  # of a position; what may come in play has room behind it
MOST_SETS = 10_000
MOST_DRAWS = 2
RANGES = {
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
    "draws_owed": MOST_DRAWS,
    "moves_left": 2**7 - 1,
    "hand_at_start": CARDS,
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
MISSION_IDS = tuple(f"M{number:02}" for number in range(1, MISSIONS + 1))


def impossibilities(ruleset: Ruleset, position: Any) -> Iterator[tuple[str, str]]:
    """Everything that no game under this ruleset can be in, as codes and sentences.

    Hidden values are passed over.
    """
    ranges = [("range", told) for told in (*_ranges(position), *_armies(position))]
    yield from (("seats", told) for told in _players(ruleset, position))
    yield from ranges
    if ranges:  # what follows reads tables by these numbers
        return
    yield from (("board", told) for told in _board(ruleset, position))
    yield from (("objective", told) for told in _objectives(ruleset, position))
    yield from (("phase", told) for told in (*_turn(position), *_phase(ruleset, position)))
    yield from (("attack", told) for told in _attack(position))
    yield from (("chance", told) for told in _chance(ruleset, position))
    yield from (("result", told) for told in _end(position))


def _players(ruleset: Ruleset, p: Any) -> Iterator[str]:
    fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
    if not fewest <= p.seats <= most:
        yield f"{int(p.seats)} seats; {ruleset.name} is for {fewest} to {most}."


def _between(name: str, values: Any, low: int, high: int) -> Iterator[str]:
    for value in values:
        if not low <= value <= high:
            yield f"{name} has the value {int(value)}, not {low} to {high}."
            return


def _ranges(p: Any) -> Iterator[str]:
    """Values that would lead out of the tables."""
    seats = p.status[: int(p.seats)]
    yield from _between("status", seats, Seat.PLAYING, Seat.RESIGNED)
    yield from _between("standing_all", p.standing_all, HIDDEN, Standing.MAXIMUM)
    yield from _between("order_standing", [p.order_standing], HIDDEN, Standing.MAXIMUM)
    yield from _between("mission", p.mission, NONE, MISSIONS - 1)
    yield from _between("mission_fallback", p.mission_fallback, HIDDEN, 1)
    yield from _between("objective", p.objective, 0, ObjectivePlace.BOX)
    yield from _between("objective_reward", p.objective_reward, NONE, REWARDS - 1)
    yield from _between("reward", p.reward, 0, RewardPlace.BOX)
    yield from _between("reward_from", p.reward_from, 0, 1)
    yield from _between("sealed", p.sealed, 0, 1)
    yield from _between("chance_seats", p.chance_seats, 0, 1)
    for name in ("unplaced", "hand"):
        yield from _between(name, p[name], HIDDEN, MOST_ARMIES)
    yield from _between("sets_by_seat", p.sets_by_seat, 0, MOST_SETS)
    yield from _between("snapshot", p.snapshot, 0, 2**15 - 1)
    yield from _between("dealt", [p.dealt], TURN_ONE_ROLL, 2**15 - 1)
    yield from _between("attack_dice", [p.attack_dice], HIDDEN, MOST_DICE)
    for name, most in RANGES.items():
        yield from _between(name, [p[name]], 0, most)


def _armies(p: Any) -> Iterator[str]:
    """All armies together; the numbers that are hidden do not count."""
    armies = sum(int(cells[cells > 0].sum(dtype="int64")) for cells in (p.armies, p.unplaced))
    if armies > MOST_ARMIES:
        yield f"There are {armies} armies; at most {MOST_ARMIES} will fit."


def _board(ruleset: Ruleset, p: Any) -> Iterator[str]:
    playing = Phase.PLACE <= p.phase < Phase.OVER  # a game may end while claims are made
    playing |= p.dealt == TURN_ONE_ROLL
    for t, territory in enumerate(ruleset.board.territories):
        occupied = p.phase == Phase.OCCUPY and t == p.attack_target
        if p.owner[t] == NONE and (playing or p.armies[t] != 0):
            yield f"{territory.id} belongs to nobody."
        elif p.owner[t] != NONE and p.armies[t] == 0 and not occupied:
            yield f"{territory.id} has no army."
        if p.owner[t] == NONE and p.standing[t] != 0:
            yield f"{territory.id} has a standing order and no owner."
    for seat in range(int(p.seats)):
        holds = int(p.territories[seat])
        if playing and p.status[seat] == Seat.PLAYING and holds == 0:
            yield f"Seat {seat + 1} plays and holds nothing."
        if p.status[seat] != Seat.PLAYING and holds > 0:
            yield f"Seat {seat + 1} is out of the game and holds {holds} territories."
    yield from _twice("capital", p.capital, territory_ids(ruleset))
    yield from _twice("mission", p.mission, MISSION_IDS)
    if (p.card == CardPlace.OFFERED).any() and p.phase != Phase.REINFORCE:
        yield "Cards are on offer outside the first step of a turn."


def _objectives(ruleset: Ruleset, p: Any) -> Iterator[str]:
    """Four objectives of a class at the most, of those that the ruleset has (S001-21)."""
    tables: Any = ruleset.tables
    in_game = p.objective != ObjectivePlace.BOX
    rewards = p.reward != RewardPlace.BOX
    if ruleset.rules.objectives_in_play == 0:
        if in_game.any() or rewards.any():
            yield f"{ruleset.name} has no objectives and no rewards."
        return
    if (in_game & (tables.objective_in_pool == 0)).any():
        yield "An objective is not among those of this game."
    for major, name in enumerate(("minor", "major")):
        of_class = tables.objective_major == major
        if int((in_game & of_class).sum()) > OBJECTIVES_A_CLASS:
            yield f"There are more than {OBJECTIVES_A_CLASS} {name} objectives."
        tokens = p.objective_reward[of_class & (p.objective_reward != NONE)]
        if any((token >= MAJOR_REWARDS) != bool(major) for token in tokens):
            yield f"A reward of the other class lies on a {name} objective."


def territory_ids(ruleset: Ruleset) -> tuple[str, ...]:
    """The ids of the territories, in board order."""
    return tuple(territory.id for territory in ruleset.board.territories)


def _twice(what: str, cells: Any, ids: Sequence[str]) -> Iterator[str]:
    """Things that two seats have and only one can."""
    given = [int(cell) for cell in cells if cell != NONE]
    for number in sorted({number for number in given if given.count(number) > 1}):
        yield f"Two seats have the {what} {ids[number]}."


def _turn(p: Any) -> Iterator[str]:
    seats = int(p.seats)
    if p.first >= seats or p.turn >= seats or p.turn < 0:
        yield "The turn belongs to no seat."
        return
    if p.first == NONE and p.phase > Phase.DEAL:
        yield "Nobody has begun."
    free = (Phase.FIRST_PLAYER, Phase.DEAL, Phase.SEALED, Phase.OVER)
    if p.phase not in free and p.status[p.turn] != Seat.PLAYING:
        yield "The seat whose turn it is does not play."
    if p.phase in (Phase.FIRST_PLAYER, Phase.DEAL) and p.chance == Chance.NONE:
        yield "The deal waits for nothing."
    if p.phase == Phase.DEAL and (p.first == NONE) != (p.chance in BEFORE_FIRST):
        yield "The deal is not at the seat that begins."
    if p.own_left > max(0, p.unplaced[p.turn]) or p.neutral_left > p.neutral_unplaced:
        yield "A move of the set-up places more armies than there are."
    if p.phase in (Phase.PLACE, Phase.CLAIM) and p.unplaced[p.turn] == 0 and p.neutral_left == 0:
        yield "The seat whose turn it is has no army to place."


def _phase(ruleset: Ruleset, p: Any) -> Iterator[str]:
    """Phases that the ruleset does not have, and what no phase leaves behind."""
    rules = ruleset.rules
    missing = {
        Phase.SEALED: rules.setup_place != Placing.ALL_AT_ONCE,
        Phase.PLACE: rules.setup_place == Placing.ALL_AT_ONCE,
        Phase.HEADQUARTERS: rules.victory_goal != Goal.HEADQUARTERS,
        Phase.OBJECTIVE: rules.objectives_in_play == 0,
        Phase.TRADE: rules.elim_trade == EliminationTrade.NONE,
        Phase.CONTINENTS: rules.continent_timing != ContinentTiming.PLACED_END_OF_OWN_TURN,
    }
    if missing.get(p.phase, False):
        yield f"{ruleset.name} has no phase {Phase(p.phase).name.lower()}."
    if p.dealt == TURN_ONE_ROLL:
        if p.phase != Phase.FIRST_PLAYER or rules.setup_turn1 != TurnOne.NEW_ROLL:
            yield "The roll for turn 1 is written, but not owed."
        if any(p.unplaced > 0):
            yield "Turn 1 is rolled for, and armies wait to be placed."
    begun = p.phase >= Phase.REINFORCE
    if begun and p.round_number < 1 and p.phase != Phase.OVER:
        yield "A turn is played before round 1."
    if begun and any(p.unplaced[seat] > 0 for seat in range(int(p.seats)) if seat != p.turn):
        yield "A seat that is not to move has armies to place."
    if begun and p.phase != Phase.OVER and int((p.status == Seat.PLAYING).sum()) < 2:
        yield "Fewer than two seats play, and the game is not over."


def _attack(p: Any) -> Iterator[str]:
    if (p.order_source == NONE) != (p.order_target == NONE):
        yield "An attack order has both a source and a target."
    under_way = p.phase in IN_TURN or p.chance == Chance.BATTLE
    source, target = int(p.attack_source), int(p.attack_target)
    if not under_way:
        if source != NONE or target != NONE or p.attack_dice > 0 or p.defence_dice != 0:
            yield "An attack is written, but none is under way."
        if p.occupy_minimum != 0:
            yield "An occupation is written, but none is owed."
        return
    if NONE in (source, target) or p.owner[source] != p.turn:
        yield "The attack under way has no source or no target."
        return
    if p.armies[source] < 2:
        yield "The territory attacked from has fewer than two armies."
    if (p.owner[target] == p.turn) != (p.phase == Phase.OCCUPY):
        yield "The territory under attack has the wrong owner."
    if p.attack_dice == 0 or (p.chance == Chance.BATTLE and p.defence_dice == 0):
        yield "The attack under way has no dice."
    if p.phase == Phase.OCCUPY and not 1 <= p.occupy_minimum < p.armies[source]:
        yield "The occupation has no possible number of armies."


def _chance(ruleset: Ruleset, p: Any) -> Iterator[str]:
    dice = p.chance == Chance.DICE
    if p.chance == Chance.MISSION and ruleset.rules.missions_in_play == 0:
        yield f"{ruleset.name} deals no missions."
    if p.chance not in (Chance.NONE, *CHANCES.get(p.phase, ())):
        yield f"Chance owes no {_word(Chance(p.chance))} in the phase {_word(Phase(p.phase))}."
    if dice and not any(p.chance_seats[: int(p.seats)]):
        yield "Dice are owed by nobody."
    if any(p.chance_seats[seat] and p.status[seat] != Seat.PLAYING for seat in range(SEATS)):
        yield "Dice are owed by a seat that does not play."
    yield from _receivers(ruleset, p)
    if not dice and any(p.chance_seats):
        yield "Seats are written for dice that nobody owes."
    dealt = _dealt(ruleset, p)
    if dealt is not None and p.dealt != dealt:
        yield f"dealt is {int(p.dealt)}; the deal has come to {dealt}."
    things = _things(ruleset, p)
    if things is not None and int(p.chance_count) != things:
        yield f"chance_count is {int(p.chance_count)}; chance may pick from {things} things."
    elif things == 0 and p.chance not in (Chance.NONE, Chance.BATTLE, Chance.DICE):
        yield "Chance has nothing to pick from."


def _word(member: Chance | Phase) -> str:
    return member.name.lower().replace("_", " ")


def _receivers(ruleset: Ruleset, p: Any) -> Iterator[str]:
    """What chance deals needs somebody, or an objective, to receive it."""
    if p.chance == Chance.MISSION and mission_seat(p) == NONE:
        yield "A mission is dealt, and every seat has one."
    if p.chance == Chance.TERRITORY and _overdealt(ruleset, p):
        yield "More territories are to be dealt to a seat than it has armies."
    if p.chance in (Chance.MINOR_REWARD, Chance.MAJOR_REWARD):
        tables: Any = ruleset.tables
        if bare_objective(p, tables, int(p.chance == Chance.MAJOR_REWARD)) == NONE:
            yield "A reward is dealt, and every objective of its class has one."


def _overdealt(ruleset: Ruleset, p: Any) -> bool:
    """Whether a seat will receive more territories than it has armies to put on them."""
    rules: Any = ruleset.rules
    ahead, left = copy_position(p), p.unplaced.tolist()
    if HIDDEN in left:
        return False
    unowned = p.owner[: len(ruleset.board.territories)] == NONE
    for number in range(int(unowned.sum())):
        ahead.dealt = p.dealt + number
        receiver = int(dealt_to(ahead, rules))
        if receiver != NEUTRAL:
            left[receiver] -= 1
    return any(armies < 0 for armies in left)


def _dealt(ruleset: Ruleset, p: Any) -> int | None:
    """How far cities or territories have been dealt; None where nothing shows it.

    The roll for turn 1 comes behind the deal, and has a mark of its own.
    """
    if p.chance == Chance.TERRITORY:
        piles = ruleset.rules.setup_claim == Claim.DEAL_THREE_PILES
        return int(p.territories.sum()) - (0 if piles else int(p.territories[NEUTRAL]))
    if p.phase == Phase.FIRST_PLAYER:
        return 0 if p.first == NONE else TURN_ONE_ROLL
    kinds = (Chance.CITY, *REVISED_DEAL)
    return int((p.city != 0).sum()) if p.chance in kinds else None


def _things(ruleset: Ruleset, p: Any) -> int | None:
    """How many things chance may pick from; 0 where it owes dice, or nothing.

    None where that is hidden.
    """
    tables: Any = ruleset.tables
    match Chance(p.chance):
        case Chance.FIRST_SEAT:
            return int(p.seats)
        case Chance.CITY:
            return len(territory_ids(ruleset)) - int((p.city != 0).sum())
        case Chance.TERRITORY | Chance.NEUTRAL_TERRITORY:
            return int((p.owner[: len(territory_ids(ruleset))] == NONE).sum())
        case Chance.MISSION:
            rules: Any = ruleset.rules
            if (p.mission_fallback == HIDDEN).any():
                return None
            return int(missions_left(p, rules, tables))
        case Chance.MINOR_OBJECTIVE | Chance.MAJOR_OBJECTIVE:
            of_class = tables.objective_major == int(p.chance == Chance.MAJOR_OBJECTIVE)
            in_box = p.objective == ObjectivePlace.BOX
            return int((of_class & in_box & (tables.objective_in_pool != 0)).sum())
        case Chance.MINOR_REWARD | Chance.MAJOR_REWARD:
            major = p.chance == Chance.MAJOR_REWARD
            tokens = p.reward[MAJOR_REWARDS:] if major else p.reward[:MAJOR_REWARDS]
            return int((tokens == RewardPlace.BOX).sum())
        case Chance.CARD | Chance.STARTING_CARD:
            return int(p.pile)
        case _:
            return 0


def _end(p: Any) -> Iterator[str]:
    if (p.phase == Phase.OVER) != (p.winner != NONE):
        yield "The game is over if and only if it has a result."
    if p.winner not in (NONE, DRAWN) and not 0 <= p.winner < p.seats:
        yield "The winner is no seat."
    if p.eliminated != NONE and p.phase != Phase.OCCUPY:
        yield "Spoils are owed without an occupation."
    if p.eliminated >= p.seats:
        yield "Spoils are owed from no seat."


def dead_ends(ruleset: Ruleset, p: Any) -> Iterator[tuple[str, str]]:
    """A game that goes on waits for chance, or for somebody who has something to decide.

    To be asked of what is otherwise possible, and hides nothing.
    """
    if p.phase == Phase.OVER or p.chance != Chance.NONE:
        return
    rules: Any = ruleset.rules
    tables: Any = ruleset.tables
    room = family_buffer()
    if not any(families(p, rules, tables, seat, room) for seat in range(int(p.seats))):
        yield "dead", f"Nobody can do anything in the phase {_word(Phase(p.phase))}."
