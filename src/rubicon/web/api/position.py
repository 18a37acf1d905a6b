"""A position as one asker may see it, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from rubicon.engine import records
from rubicon.engine.cards import (
    FEWEST_STARS,
    MOST_STARS,
    card_earned,
    next_set_value,
    set_value,
    stars_value,
)
from rubicon.engine.codes import Goal, SetCounter, SetValues
from rubicon.engine.records import Position
from rubicon.rules.actions import STANDING_TEXTS
from rubicon.rules.game import Game
from rubicon.rules.notation.position_fields import PositionNames
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.rules.situation import (
    GoalProgress,
    income,
    mission_progress,
    objective_progress,
    phase_shown,
    phase_words,
    pieces_on_board,
)

# A game as one asker may see it: everything that a client gets is made from this.


@dataclass(frozen=True, slots=True)
class Seen:
    """A view of a game: it has HIDDEN where the asker may not see.

    `seat` is the asker's, NONE for a spectator.
    """

    ruleset: Ruleset
    names: PositionNames
    view: Position
    seat: int

    @classmethod
    def by(cls, game: Game, colour: str) -> Seen:
        """What a seat, or ("") a spectator, sees of a game."""
        seat = game.seat(colour) if colour else records.NONE
        return cls(game.ruleset, game.ids, game.view(colour or None), seat)

    def owner(self, owner: int) -> str | None:
        """The colour of an owner, `neutral`, or None."""
        return None if owner == records.NONE else self.names.owner_name(owner)

    def colour(self, seat: int) -> str | None:
        """The colour of a seat; None for NONE and for what is no seat."""
        return self.names.colours[seat] if 0 <= seat < len(self.names.colours) else None

    def territory(self, t: int) -> str | None:
        """The id of a territory; None where there is none, or it is hidden."""
        return None if t == records.NONE else self.names.territories[t]


# The shape of a position in JSON. null means "none", and what the asker may not see.


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
    """The armies for the last sets, the next set and those after it, oldest first."""

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
    `met`: whether it is enough.
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
    says whether it has earned a card. `chance` is the pending chance event: `battle`, `card`, …
    `phase_shown` is the phase as players see it: with all armies placed, a turn is in its attacks.
    `pieces`, by territory and kind, comes only on request.
    """

    pieces: dict[str, dict[str, int]]


# The cards of a position as JSON: piles, values of sets, stars.

PAST_SETS, COMING_SETS = 3, 4  # shown with the value of the next set


def cards_view(seen: Seen) -> CardsView:
    """The cards that are in no hand."""
    view, rules = seen.view, seen.ruleset.rules
    by_stars = rules.cards_values == SetValues.STARS
    stars = range(FEWEST_STARS, MOST_STARS + 1)
    return {
        "pile": int(view.pile),
        "discards": int(view.discards),
        "discarded": cards_at(seen, records.CardPlace.DISCARDS),
        "offered": cards_at(seen, records.CardPlace.OFFERED),
        "sets_traded": int(view.sets),
        "values": SetValues(int(rules.cards_values)).name.lower(),
        "track": None if by_stars else _track(seen),
        "stars": [{"stars": n, "armies": int(stars_value(n))} for n in stars] if by_stars else None,
    }


def cards_at(seen: Seen, place: int) -> list[CardView]:
    """The cards that the asker sees at a place: a seat, or a CardPlace."""
    places = seen.view.card.tolist()
    return [_card(seen, card) for card in range(len(seen.names.cards)) if places[card] == place]


def _card(seen: Seen, card: int) -> CardView:
    by_stars = seen.ruleset.rules.cards_values == SetValues.STARS
    tables, name = seen.ruleset.tables, seen.names.cards[card]
    design = records.Design(int(tables.design[card])).name.lower()
    return {
        "id": name,
        "territory": name if card < len(seen.names.territories) else None,
        "design": None if by_stars else design,
        "stars": int(tables.stars[card]) if by_stars else None,
    }


def _track(seen: Seen) -> SetTrackView:
    view, rules = seen.view, seen.ruleset.rules
    seat = int(view.turn) if seen.seat == records.NONE else seen.seat
    own = rules.cards_counter == SetCounter.PER_PLAYER
    traded = int(view.sets_by_seat[seat]) if own else int(view.sets)
    # Where each player has an own count, a spectator sees the track of the player in turn.
    values = [int(set_value(rules, number)) for number in range(traded + 1 + COMING_SETS)]
    past = values[max(0, traded - PAST_SETS) : traded]
    return {"past": past, "next": values[traded], "coming": values[traded + 1 :]}


# The objectives of a position as JSON, and how far the asker has come.


def objective_views(seen: Seen) -> list[ObjectiveView]:
    """The objectives of this game, minor ones first."""
    if not seen.ruleset.rules.objectives_in_play:
        return []
    places = seen.view.objective.tolist()
    in_game = [
        o
        for o in range(len(seen.ruleset.board.objectives))
        if places[o] != records.ObjectivePlace.BOX
    ]
    major = seen.ruleset.tables.objective_major
    return [_objective(seen, number) for number in sorted(in_game, key=lambda o: (major[o], o))]


def progress_view(progress: GoalProgress) -> ProgressView:
    """A progress as JSON."""
    return {"of": progress.of, "have": progress.have, "needed": progress.needed}


def reward_word(name: str) -> str:
    """The kind of a reward: tokens of one kind have different names."""
    # The notation needs a name for each token; players see two equal ones.
    return name.removeprefix("major_").removesuffix("_2")


def _objective(seen: Seen, number: int) -> ObjectiveView:
    view = seen.view
    declared = seen.ruleset.board.objectives[number]
    token = int(view.objective_reward[number])
    progress = None
    if seen.seat != records.NONE:
        progress = objective_progress(seen.ruleset, view, seen.seat, number)
    return {
        "id": seen.names.objectives[number],
        "text": declared.text,
        "goal": {
            "kind": declared.kind.name.lower(),
            "count": declared.count,
            "continent": _continent(seen, declared.continent),
        },
        "major": bool(seen.ruleset.tables.objective_major[number]),
        "owner": seen.colour(int(view.objective[number])),
        "reward": None if token == records.NONE else reward_word(seen.names.rewards[token]),
        "progress": None if progress is None else progress_view(progress),
        "met": progress is not None and progress.have >= progress.needed,
    }


def _continent(seen: Seen, continent: int) -> str | None:
    """The id of a continent; None where an objective names none."""
    return None if continent == records.NONE else seen.ruleset.board.continents[continent].id


# The seats of a position as JSON.


def seat_view(seen: Seen, seat: int) -> PositionSeatView:
    """A seat, as far as the asker may see it."""
    view, rules = seen.view, seen.ruleset.rules
    # HIDDEN is below zero: a sum with it would be wrong, so there is none.
    armies = view.armies[view.owner[: records.TERRITORIES] == seat]
    unplaced, standing = int(view.unplaced[seat]), int(view.standing_all[seat])
    by_stars = rules.cards_values == SetValues.STARS
    held = view.objective.tolist()
    return {
        "colour": seen.names.colours[seat],
        "status": records.Seat(int(view.status[seat])).name.lower(),
        "territories": int(view.territories[seat]),
        "armies": None if (armies < 0).any() else int(armies.sum()),
        "income": _income(seen, seat),
        "to_place": None if unplaced == records.HIDDEN else unplaced,
        "cards": int(view.hand[seat]),
        "hand": _hand(seen, seat),
        "sets_traded": int(view.sets_by_seat[seat]),
        "next_set": None if by_stars else int(next_set_value(view, rules, seat)),
        "capital": seen.territory(int(view.capital[seat])),
        "objectives": [name for o, name in enumerate(seen.names.objectives) if held[o] == seat],
        "rewards": _rewards(seen, seat),
        "mission": _mission(seen, seat),
        "standing": None
        if standing == records.HIDDEN
        else STANDING_TEXTS[records.Standing(standing)],
        "sealed": bool(view.sealed[seat]),
    }


def _income(seen: Seen, seat: int) -> IncomeView | None:
    view = seen.view
    playing = view.status[seat] == records.Seat.PLAYING and view.phase != records.Phase.OVER
    if not view.round_number or not playing:
        return None
    parts = income(seen.ruleset, view, seat)
    return {
        "total": parts.total,
        "territories": parts.territories,
        "cities": parts.cities,
        "continents": parts.continents,
        "capitals": parts.capitals,
        "rewards": parts.rewards,
    }


def _hand(seen: Seen, seat: int) -> list[CardView] | None:
    """The cards of a hand; None where the asker does not see all of them."""
    cards = cards_at(seen, seat)
    return cards if len(cards) == int(seen.view.hand[seat]) else None


def _rewards(seen: Seen, seat: int) -> list[RewardView]:
    if not seen.ruleset.rules.objectives_in_play:
        return []
    view = seen.view
    return [
        {
            "name": reward_word(seen.names.rewards[token]),
            "active": not view.reward_from[token],
            "territory": seen.territory(int(view.airfield[token])),
        }
        for token, owner in enumerate(view.reward.tolist())
        if owner == seat
    ]


def _mission(seen: Seen, seat: int) -> MissionView | None:
    """The mission, where the asker may see it: `view` has none where it is hidden."""
    if not seen.ruleset.rules.missions_in_play:
        return None
    found = mission_progress(seen.ruleset, seen.view, seat)
    if found is None:
        return None
    return {
        "id": seen.names.missions[int(seen.view.mission[seat])],
        "text": found.text,
        "parts": [progress_view(part) for part in found.parts],
        "complete": found.complete,
        "replaced": found.replaced,
    }


# The whole position.

SETUP = (
    records.Phase.FIRST_PLAYER,
    records.Phase.DEAL,
    records.Phase.CLAIM,
    records.Phase.PLACE,
    records.Phase.SEALED,
    records.Phase.HEADQUARTERS,
)


def position_view(seen: Seen, *, pieces: bool = False) -> PositionView:
    """A position as an asker may see it; `pieces` adds the armies as pieces."""
    ruleset, view = seen.ruleset, seen.view
    begun = view.first != records.NONE
    acting = int(view.turn)
    shown: PositionView = {
        "ruleset": {"name": ruleset.name, "version": int(ruleset.version)},
        "options": dict(ruleset.differences),
        "board": {"name": ruleset.board.id, "version": int(ruleset.board.version)},
        "territories": _territories(seen),
        "continents": _continents(seen),
        "seats": [seat_view(seen, seat) for seat in range(int(view.seats))],
        "cards": cards_view(seen),
        "objectives": objective_views(seen),
        "phase": records.Phase(int(view.phase)).name.lower(),
        "phase_shown": phase_shown(view).name.lower(),
        "phase_text": phase_words(ruleset, view),
        "turn": seen.colour(acting) if begun else None,
        "first": seen.colour(int(view.first)),
        "round": int(view.round_number),
        "winner": seen.colour(int(view.winner)),
        "drawn": bool(view.winner == records.DRAWN),
        "to_place": _unhidden(int(view.unplaced[acting])) if begun else None,
        "neutral_to_place": int(view.neutral_unplaced),
        "moves_left": int(view.moves_left),
        "card_earned": bool(card_earned(view, ruleset.rules)),
        "chance": records.Chance(int(view.chance)).name.lower() if view.chance else None,
        "battle": battle_view(seen),
        "occupation": occupation_view(seen),
    }
    if pieces:
        shown["pieces"] = pieces_on_board(ruleset, view)
    return shown


def _unhidden(number: int) -> int | None:
    return None if number == records.HIDDEN else number


def _territories(seen: Seen) -> dict[str, TerritoryView]:
    view, owned = seen.view, seen.ruleset.rules.victory_goal == Goal.HEADQUARTERS
    capitals = {int(view.capital[seat]): seat for seat in range(int(view.seats))}
    airfields = _airfields(seen)
    # From lists: NumPy is slow cell by cell.
    cells = zip(
        seen.names.territories,
        view.owner.tolist(),
        view.armies.tolist(),
        view.captured.tolist(),
        view.city.tolist(),
        view.standing.tolist(),
        strict=False,
    )
    found: dict[str, TerritoryView] = {}
    for t, (name, owner, armies, captured, city, standing) in enumerate(cells):
        whose = seen.colour(capitals.get(t, records.NONE))
        found[name] = {
            "owner": seen.owner(owner),
            "armies": _unhidden(armies),
            "captured": bool(captured),
            "city": bool(city),
            "capital": None if owned else whose,
            "headquarters": whose if owned else None,
            "airfield": seen.colour(airfields.get(t, records.NONE)),
            "standing": standing_text(standing) if owner == seen.seat != records.NONE else None,
        }
    return found


def standing_text(standing: int) -> str | None:
    """A standing order as its text; None where it is hidden."""
    return None if standing == records.HIDDEN else STANDING_TEXTS[records.Standing(standing)]


def _airfields(seen: Seen) -> dict[int, int]:
    """The seat of the airfield on each territory that has one."""
    if not seen.ruleset.rules.objectives_in_play:
        return {}
    view, kinds = seen.view, seen.ruleset.rules.reward_kind.tolist()
    return {
        int(view.airfield[token]): owner
        for token, owner in enumerate(view.reward.tolist())
        if owner < records.RewardPlace.ON_OBJECTIVE and kinds[token] == records.RewardKind.AIRFIELD
    }


def _continents(seen: Seen) -> dict[str, str | None]:
    owner = seen.view.owner.tolist()
    found: dict[str, str | None] = {}
    for continent in seen.ruleset.board.continents:
        owners = {owner[t] for t in continent.territories}
        found[continent.id] = seen.owner(owners.pop()) if len(owners) == 1 else None
    return found


def battle_view(seen: Seen) -> PendingBattleView | None:
    """The attack that waits for the defender or for dice."""
    view = seen.view
    source, target = int(view.attack_source), int(view.attack_target)
    if view.phase != records.Phase.DEFEND and view.chance != records.Chance.BATTLE:
        return None
    # The defender's dice are chosen as soon as only the roll is pending.
    announced = view.chance == records.Chance.BATTLE
    return {
        "source": seen.names.territories[source],
        "target": seen.names.territories[target],
        "attacker": seen.names.owner_name(int(view.owner[source])),
        "defender": seen.names.owner_name(int(view.owner[target])),
        "attack_dice": _unhidden(int(view.attack_dice)),
        "defence_dice": int(view.defence_dice) if announced else None,
        "attack_extra": int(view.attack_extra),
        "defence_extra": int(view.defence_extra),
        "attack_airfield": bool(view.attack_plus),
        "defence_airfield": bool(view.defence_plus),
    }


def occupation_view(seen: Seen) -> OccupationView | None:
    """The armies that may move into the territory just captured."""
    view = seen.view
    if view.phase != records.Phase.OCCUPY:
        return None
    source = int(view.attack_source)
    return {
        "source": seen.names.territories[source],
        "target": seen.names.territories[int(view.attack_target)],
        "lowest": int(view.occupy_minimum),
        "highest": int(view.armies[source]) - 1,
    }
