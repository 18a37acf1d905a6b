"""Who holds what: the counts and changes that every procedure needs."""

from rubicon.rules.layout import compiled, inlined
from rubicon.rules.position import NEUTRAL, Phase, Position, Seat, Standing
from rubicon.rules.tables import BoardTables, Rules


@inlined
def left_of(game: Position, seat: int) -> int:
    """The place to the left of a seat, whether it still plays or not."""
    return seat + 1 if seat + 1 < game.seats else 0


@compiled
def next_playing(game: Position, seat: int) -> int:
    """The next seat to the left that still plays (S000-19); `seat` itself if there is no other."""
    candidate = left_of(game, seat)
    while candidate != seat and game.status[candidate] != Seat.PLAYING:
        candidate = left_of(game, candidate)
    return candidate


@compiled
def playing_seats(game: Position) -> int:
    count = 0
    for seat in range(game.seats):
        count += int(game.status[seat] == Seat.PLAYING)
    return count


@compiled
def asked_to_defend(game: Position) -> int:
    """The seat that chooses the defence dice: the owner, or for neutral armies the opponent."""
    owner = game.owner[game.attack_target]
    if owner == NEUTRAL:
        return next_playing(game, game.turn)
    return owner


@compiled
def acts(game: Position, seat: int) -> bool:
    """Whether a decision is owed by this seat now."""
    if game.phase == Phase.OVER or game.chance != 0:
        return False
    if game.phase == Phase.SEALED:
        return game.status[seat] == Seat.PLAYING and game.sealed[seat] == 0
    if game.phase == Phase.DEFEND:
        return asked_to_defend(game) == seat
    return game.turn == seat


@compiled
def holds_continent(game: Position, board: BoardTables, seat: int, continent: int) -> bool:
    """Control of a continent: all its territories (S003-21)."""
    for t in range(board.territories):
        if board.continent[t] == continent and game.owner[t] != seat:
            return False
    return True


@compiled
def broken_continents(game: Position, board: BoardTables, seat: int) -> int:
    """A bit for each continent of which somebody else holds a part."""
    broken = 0
    for t in range(board.territories):
        broken |= int(game.owner[t] != seat) << int(board.continent[t])
    return broken


@compiled
def continent_award(game: Position, board: BoardTables, seat: int) -> int:
    """The armies for the continents that a seat controls now (S001-36)."""
    broken = broken_continents(game, board, seat)
    award = 0
    for continent in range(board.continents):
        if (broken >> continent) & 1 == 0:
            award += board.continent_bonus[continent]
    return award


@compiled
def change_owner(game: Position, t: int, owner: int) -> None:
    """Hand a territory over; a standing order for it does not survive (A-70)."""
    before = game.owner[t]
    if before >= 0:
        game.territories[before] -= 1
    game.territories[owner] += 1
    game.owner[t] = owner
    game.standing[t] = Standing.NONE


@compiled
def add_armies(game: Position, rules: Rules, t: int, armies: int) -> None:
    """Put armies on a territory; above `army_cap` they are lost."""
    game.armies[t] += armies
    if rules.army_cap > 0 and game.armies[t] > rules.army_cap:
        game.armies[t] = rules.army_cap


@inlined
def owe(game: Position, chance: int, count: int) -> None:
    """Wait for chance: for one of `count` things, or for dice."""
    game.chance = chance
    game.chance_count = count


@inlined
def owe_nothing(game: Position) -> None:
    game.chance = 0
    game.chance_count = 0
