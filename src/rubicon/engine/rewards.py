"""Rewards of the revised game: what they are worth to their owner (rulebook chapter 5.3)."""

from rubicon.engine.records.choices import AirfieldLost
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NONE, REWARDS, Position, RewardPlace
from rubicon.engine.records.tables import BoardTables, RewardKind, Rules


@compiled
def has_reward(position: Position, rules: Rules, seat: int, kind: int) -> bool:
    """Whether a reward of this kind works for the seat now."""
    for token in range(REWARDS):
        if position.reward[token] == seat and rules.reward_kind[token] == kind:
            if position.reward_from[token] == 0:
                return True
    return False


@compiled
def airfield_reaches(
    position: Position, rules: Rules, board: BoardTables, token: int, t: int
) -> int:
    """1 where a token is an airfield that its owner holds, on `t` or beside it (A-47)."""
    if rules.reward_kind[token] != RewardKind.AIRFIELD:
        return 0
    place = position.airfield[token]
    if position.owner[place] != position.reward[token]:
        return 0
    return int(place == t or board.adjacent[place, t] != 0)


@compiled
def lose_rewards(position: Position, seat: int) -> None:
    """All effects end and airfield markers leave the board (S001-61)."""
    for token in range(REWARDS):
        if position.reward[token] == seat:
            position.reward[token] = RewardPlace.BOX
            position.reward_from[token] = 0
            position.airfield[token] = NONE


@compiled
def airfield_captured(position: Position, rules: Rules, t: int, captor: int) -> None:
    """What becomes of an airfield whose territory is taken (A-48)."""
    if rules.airfield_lost == AirfieldLost.SUSPENDED:
        return
    for token in range(REWARDS):
        if position.airfield[token] == t and position.reward[token] < RewardPlace.ON_OBJECTIVE:
            if rules.airfield_lost == AirfieldLost.TRANSFERS:
                position.reward[token] = captor
            else:
                position.reward[token] = RewardPlace.BOX
                position.airfield[token] = NONE


@compiled
def wake_rewards(position: Position, seat: int) -> None:
    """Rewards that begin with the next turn begin (A-50)."""
    for token in range(REWARDS):
        if position.reward[token] == seat:
            position.reward_from[token] = 0
