"""Who holds territories, continents and rewards, and who plays."""

from rubicon.engine import records
from rubicon.engine.codes import AirfieldLost
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined

# Owners of territories and the seats that play: counts and changes for every procedure.


@inlined
def left_of(position: Position, seat: int) -> int:
    """The place to the left of a seat, whether it still plays or not."""
    return seat + 1 if seat + 1 < position.seats else 0


@compiled
def next_playing(position: Position, seat: int) -> int:
    """The next seat to the left that still plays (S000-19); `seat` itself if there is no other."""
    candidate = left_of(position, seat)
    while candidate != seat and position.status[candidate] != records.Seat.PLAYING:
        candidate = left_of(position, candidate)
    return candidate


@compiled
def playing_seats(position: Position) -> int:
    count = 0
    for seat in range(position.seats):
        count += int(position.status[seat] == records.Seat.PLAYING)
    return count


@compiled
def defending_seat(position: Position) -> int:
    """The seat that chooses the defence dice: the owner, or, for neutral armies, an opponent."""
    owner = position.owner[position.attack_target]
    if owner == records.NEUTRAL:
        return next_playing(position, position.turn)
    return owner


@compiled
def acts(position: Position, seat: int) -> bool:
    """Whether a decision of this seat is pending now."""
    if position.phase == records.Phase.OVER or position.chance != 0:
        return False
    if position.phase == records.Phase.SEALED:
        return position.status[seat] == records.Seat.PLAYING and position.sealed[seat] == 0
    if position.phase == records.Phase.DEFEND:
        return defending_seat(position) == seat
    return position.turn == seat


@compiled
def holds_continent(position: Position, board: BoardTables, seat: int, continent: int) -> bool:
    """Control of a continent: all its territories (S003-21)."""
    for t in range(board.territories):
        if board.continent[t] == continent and position.owner[t] != seat:
            return False
    return True


@compiled
def broken_continents(position: Position, board: BoardTables, seat: int) -> int:
    """A bit for each continent of which another owner holds a part."""
    # One pass over the board with a bit a continent, of which there are at most 32: a loop over
    # continents and territories takes six times as long at the start of every turn.
    broken = 0
    for t in range(board.territories):
        broken |= int(position.owner[t] != seat) << int(board.continent[t])
    return broken


@compiled
def continent_award(position: Position, board: BoardTables, seat: int) -> int:
    """The armies for the continents that a seat controls now (S001-36)."""
    broken = broken_continents(position, board, seat)
    award = 0
    for continent in range(board.continents):
        if (broken >> continent) & 1 == 0:
            award += board.continent_bonus[continent]
    return award


@compiled
def change_owner(position: Position, t: int, owner: int) -> None:
    """Give a territory to another owner; a standing order for it ends (A-70)."""
    before = position.owner[t]
    # NONE is -1: no one has claimed the territory yet. NEUTRAL is counted like a seat.
    if before >= 0:
        position.territories[before] -= 1
    position.territories[owner] += 1
    position.owner[t] = owner
    position.standing[t] = records.Standing.NONE


@compiled
def add_armies(position: Position, rules: Rules, t: int, armies: int) -> None:
    """Put armies on a territory; above `army_cap` they are lost."""
    position.armies[t] += armies
    if rules.army_cap > 0 and position.armies[t] > rules.army_cap:
        position.armies[t] = rules.army_cap


@compiled
def first_to_act(position: Position) -> int:
    """The first seat with a pending decision; NONE while chance is pending or the game is over."""
    for seat in range(position.seats):
        if acts(position, seat):
            return seat
    return records.NONE


@inlined
def set_pending(position: Position, chance: int, count: int) -> None:
    """Wait for chance: for one of `count` things, or for dice."""
    position.chance = chance
    position.chance_count = count


@inlined
def clear_pending(position: Position) -> None:
    position.chance = 0
    position.chance_count = 0


# Rewards of the revised game: what they are worth to their owner (rulebook chapter 5.3).


@compiled
def has_reward(position: Position, rules: Rules, seat: int, kind: int) -> bool:
    """Whether a reward of this kind works for the seat now."""
    for token in range(records.REWARDS):
        if position.reward[token] == seat and rules.reward_kind[token] == kind:
            if position.reward_from[token] == 0:
                return True
    return False


@compiled
def airfield_reaches(
    position: Position, rules: Rules, board: BoardTables, token: int, t: int
) -> int:
    """1 where a token is an airfield that its owner holds, on `t` or next to it (A-47)."""
    if rules.reward_kind[token] != records.RewardKind.AIRFIELD:
        return 0
    place = position.airfield[token]
    if position.owner[place] != position.reward[token]:
        return 0
    return int(place == t or board.adjacent[place, t] != 0)


@compiled
def lose_rewards(position: Position, seat: int) -> None:
    """All effects end and airfield markers leave the board (S001-61)."""
    for token in range(records.REWARDS):
        if position.reward[token] == seat:
            position.reward[token] = records.RewardPlace.BOX
            position.reward_from[token] = 0
            position.airfield[token] = records.NONE


@compiled
def airfield_captured(position: Position, rules: Rules, t: int, captor: int) -> None:
    """What becomes of an airfield whose territory is taken (A-48)."""
    if rules.airfield_lost == AirfieldLost.SUSPENDED:
        return
    for token in range(records.REWARDS):
        if (
            position.airfield[token] == t
            and position.reward[token] < records.RewardPlace.ON_OBJECTIVE
        ):
            if rules.airfield_lost == AirfieldLost.TRANSFERS:
                position.reward[token] = captor
            else:
                position.reward[token] = records.RewardPlace.BOX
                position.airfield[token] = records.NONE


@compiled
def wake_rewards(position: Position, seat: int) -> None:
    """Rewards that begin with the next turn begin (A-50)."""
    for token in range(records.REWARDS):
        if position.reward[token] == seat:
            position.reward_from[token] = 0
