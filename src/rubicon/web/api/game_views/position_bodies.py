"""The shape of a position in JSON. null stands for "none" and for what the asker may not see."""

from __future__ import annotations

from typing import TypedDict


class VersionedName(TypedDict):
    """A ruleset or a board, and its version."""

    name: str
    version: int


class TerritoryView(TypedDict):
    """A territory. `owner` is a colour, `neutral` (neutral armies and rebels) or null.

    `armies` is null while they are hidden. `capital`, `headquarters` and `airfield` are the
    colours whose they are. `captured`: taken in this turn. `standing` is the asker's own standing
    order for it: `none`, `1`, `2` or `max`.
    """

    owner: str | None
    armies: int | None
    captured: bool
    city: bool
    capital: str | None
    headquarters: str | None
    airfield: str | None
    standing: str | None


class CardView(TypedDict):
    """A card. `territory` is null for a wild card; it has a `design`, or in other decks `stars`.

    The designs are `infantry`, `cavalry`, `artillery` and `wild`.
    """

    id: str
    territory: str | None
    design: str | None
    stars: int | None


class IncomeView(TypedDict):
    """The armies that a seat would get if its turn began now, and where they come from.

    `cities` are those that the territories alone would not give.
    """

    total: int
    territories: int
    cities: int
    continents: int
    capitals: int
    rewards: int


class ProgressView(TypedDict):
    """So much of what is needed; `of` is a continent, a colour, or a word for what is counted."""

    of: str
    have: int
    needed: int


class MissionView(TypedDict):
    """A mission, its parts, and whether all of it is true now.

    `replaced`: it is out of reach, and its one part counts the territories to hold instead.
    """

    id: str
    text: str
    parts: list[ProgressView]
    complete: bool
    replaced: bool


class RewardView(TypedDict):
    """A reward of a seat. `active` is false while it begins only with the next turn."""

    name: str
    active: bool
    territory: str | None


class PositionSeatView(TypedDict):
    """A seat. `status` is `playing`, `eliminated` or `resigned`.

    Only its owner sees `standing`, `mission` (until it wins) and, unless hands are public, `hand`.
    `income` is null in the set-up and for a seat that is out. `to_place` are armies received and
    not placed. `next_set` are the armies for its next set; null where cards are traded by stars.
    """

    colour: str
    status: str
    territories: int
    armies: int | None
    income: IncomeView | None
    to_place: int | None
    cards: int
    hand: list[CardView] | None
    sets_traded: int
    next_set: int | None
    capital: str | None
    objectives: list[str]
    rewards: list[RewardView]
    mission: MissionView | None
    standing: str | None
    sealed: bool


class StarsValueView(TypedDict):
    """The armies for so many stars."""

    stars: int
    armies: int


class SetTrackView(TypedDict):
    """The armies for the last sets, the next set and those behind it, oldest first."""

    past: list[int]
    next: int
    coming: list[int]


class CardsView(TypedDict):
    """The cards that are in no hand. `values` is the option `cards.values`.

    `track` is that of the asker's seat, for spectators that of the seat to move; null where cards
    are traded by stars, and `stars` has their table. `offered` are laid down for a trade.
    """

    pile: int
    discards: int
    discarded: list[CardView]
    offered: list[CardView]
    sets_traded: int
    values: str
    track: SetTrackView | None
    stars: list[StarsValueView] | None


class ObjectiveGoalView(TypedDict):
    """What an objective asks for, for clients that word it themselves.

    `kind`: cities, territories, continent, continents, enemy_capitals, or cities_in_turn,
    territories_in_turn, continent_in_turn. `count` is 0, `continent` null where it has none.
    """

    kind: str
    count: int
    continent: str | None


class ObjectiveView(TypedDict):
    """An objective of this game. `owner` is null while it is face up, and can be claimed.

    `text` is English; `goal` says the same as data. `progress` is the asker's;
    `met` tells whether it is enough.
    """

    id: str
    text: str
    goal: ObjectiveGoalView
    major: bool
    owner: str | None
    reward: str | None
    progress: ProgressView | None
    met: bool


class PendingBattleView(TypedDict):
    """An attack under way. Dice are null while they are not announced, or hidden.

    The extra dice are rewards; `attack_airfield` and `defence_airfield` add one to the best die.
    """

    source: str
    target: str
    attacker: str
    defender: str
    attack_dice: int | None
    defence_dice: int | None
    attack_extra: int
    defence_extra: int
    attack_airfield: bool
    defence_airfield: bool


class OccupationView(TypedDict):
    """The armies that may move from `source` into the captured `target`."""

    source: str
    target: str
    lowest: int
    highest: int


class _PositionFields(TypedDict):
    ruleset: VersionedName
    options: dict[str, str]
    board: VersionedName
    territories: dict[str, TerritoryView]
    continents: dict[str, str | None]
    seats: list[PositionSeatView]
    cards: CardsView
    objectives: list[ObjectiveView]
    phase: str
    phase_shown: str
    phase_text: str
    turn: str | None
    first: str | None
    round: int
    winner: str | None
    drawn: bool
    to_place: int | None
    neutral_to_place: int
    moves_left: int
    card_earned: bool
    chance: str | None
    battle: PendingBattleView | None
    occupation: OccupationView | None


class PositionView(_PositionFields, total=False):
    """A position as the asker may see it.

    `options` are those that differ from the ruleset's; `continents` has the owner of all of each.
    `to_place` are the armies that the seat to move has received and not placed; `card_earned`
    tells whether it has earned a card. `chance` is the pending chance event: `battle`, `card`, …
    `phase_shown` is the phase as players see it: with all armies placed, a turn is in its attacks.
    `pieces`, by territory and kind, comes only on request.
    """

    pieces: dict[str, dict[str, int]]
