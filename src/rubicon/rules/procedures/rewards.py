"""Rewards of the revised game: what they are worth to their owner (rulebook chapter 5.3)."""

from rubicon.rules.choices import AirfieldLost
from rubicon.rules.layout import compiled
from rubicon.rules.position import NONE, REWARDS, Position, RewardPlace
from rubicon.rules.tables import BoardTables, RewardKind, Rules


@compiled
def has_reward(game: Position, rules: Rules, seat: int, kind: int) -> bool:
    """Whether a reward of this kind works for the seat now."""
    for token in range(REWARDS):
        if game.reward[token] == seat and rules.reward_kind[token] == kind:
            if game.reward_from[token] == 0:
                return True
    return False


@compiled
def airfield_reaches(game: Position, rules: Rules, board: BoardTables, token: int, t: int) -> int:
    """1 where a token is an airfield that its owner holds, on `t` or beside it (A-47)."""
    if rules.reward_kind[token] != RewardKind.AIRFIELD:
        return 0
    place = game.airfield[token]
    if game.owner[place] != game.reward[token]:
        return 0
    return int(place == t or board.adjacent[place, t] != 0)


@compiled
def lose_rewards(game: Position, seat: int) -> None:
    """All effects end and airfield markers leave the board (S001-61)."""
    for token in range(REWARDS):
        if game.reward[token] == seat:
            game.reward[token] = RewardPlace.BOX
            game.reward_from[token] = 0
            game.airfield[token] = NONE


@compiled
def airfield_captured(game: Position, rules: Rules, t: int, captor: int) -> None:
    """What becomes of an airfield whose territory is taken (A-48)."""
    if rules.airfield_lost == AirfieldLost.SUSPENDED:
        return
    for token in range(REWARDS):
        if game.airfield[token] == t and game.reward[token] < RewardPlace.ON_OBJECTIVE:
            if rules.airfield_lost == AirfieldLost.TRANSFERS:
                game.reward[token] = captor
            else:
                game.reward[token] = RewardPlace.BOX
                game.airfield[token] = NONE


@compiled
def wake_rewards(game: Position, seat: int) -> None:
    """Rewards that begin with the next turn begin (A-50)."""
    for token in range(REWARDS):
        if game.reward[token] == seat:
            game.reward_from[token] = 0
