"""From the lines of a case to a position: `docs/cases.md` says what each line means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rubicon.rules.case_names import DESIGNS, NEUTRALS, NOBODY, Setting, whole_number
from rubicon.rules.case_text import (
    POSITION_WORDS,
    WORDS,
    CaseFault,
    Line,
    among,
    trouble,
)
from rubicon.rules.choices import ContinentTiming, Goal
from rubicon.rules.errors import RubiconError
from rubicon.rules.position import (
    NONE,
    OBJECTIVES,
    REWARDS,
    SEATS,
    CardPlace,
    ObjectivePlace,
    Phase,
    RewardPlace,
    Seat,
)
from rubicon.rules.procedures.holdings import continent_award
from rubicon.rules.suggestions import nearest
from rubicon.rules.tables import MissionKind, RewardKind

STATED_PHASES = (Phase.REINFORCE, Phase.ATTACK, Phase.OBJECTIVE, Phase.FORTIFY)
OWN = ":own"
MOST_SETS = 1_000  # of a seat
MOST_AWARDED = 2**15 - 1


def cleared(position: Any) -> Any:
    """A position with nobody on the board and nothing under way; its seats stay."""
    for name in ("armies", "captured", "city", "standing", "territories", "hand", "unplaced"):
        getattr(position, name)[:] = 0
    for name in ("sealed", "standing_all", "sets_by_seat", "snapshot", "mission_fallback"):
        getattr(position, name)[:] = 0
    for name in ("reward_from", "chance_seats"):
        getattr(position, name)[:] = 0
    for name in ("owner", "capital", "mission", "objective_reward", "airfield"):
        getattr(position, name)[:] = NONE
    position.objective[:] = ObjectivePlace.BOX
    position.reward[:] = RewardPlace.BOX
    _clear_turn(position)
    return position


def _clear_turn(position: Any) -> None:
    for name in ("chance", "chance_count", "dealt", "sets", "pile", "discards", "moves_left"):
        setattr(position, name, 0)
    for name in ("neutral_unplaced", "own_left", "neutral_left", "order_standing"):
        setattr(position, name, 0)
    for name in ("order_source", "order_target", "attack_source", "attack_target", "eliminated"):
        setattr(position, name, NONE)
    position.winner = NONE
    position.turn = position.first = 0
    position.phase = Phase.ATTACK
    position.round_number = 1


@dataclass(slots=True)
class PositionWriter:
    """Writes the lines of a case into a cleared position, the most exact lines first."""

    setting: Setting
    position: Any
    source: str
    faults: list[CaseFault] = field(default_factory=list)
    conquered_neutral: bool = False
    said: dict[str, Line] = field(default_factory=dict)
    free_cards: list[int] = field(default_factory=list)

    def write(self, lines: Iterable[Line]) -> None:
        """Write all lines; what cannot be understood is left in `faults`."""
        lines = tuple(lines)
        self._each(self._territory, [line for line in lines if self._is_territory(line)])
        for keyword, handler in _HANDLERS.items():
            chosen = [line for line in lines if line.keyword == keyword]
            self._each(partial(handler, self), chosen)
        self._cards([line for line in lines if line.keyword in _CARD_LINES])
        self._lay_rewards()

    def finish(self, at: Line) -> None:
        """Write what follows from the rest, and look whether the whole can be played."""
        self._each(self._all_owned, [at])
        self._count_seats()
        self._follow_turn()
        self._each(self._playable, [at])

    def _is_territory(self, line: Line) -> bool:
        return line.keyword not in POSITION_WORDS

    def _each(self, handler: Callable[[Line], None], lines: list[Line]) -> None:
        for line in lines:
            try:
                handler(line)
            except RubiconError as error:
                self.faults.append(CaseFault(self.source, line, error))

    def _once(self, line: Line, about: str) -> None:
        if about in self.said:
            raise trouble("twice", f"That is said in line {self.said[about].number} already.")
        self.said[about] = line

    # territories

    def _put(self, t: int, owner: int, armies: int) -> None:
        self.position.owner[t] = owner
        self.position.armies[t] = armies
        self.position.territories[owner] += 1

    def _territory(self, line: Line) -> None:
        try:
            t, rest = self.setting.split_owner(line.words)
        except RubiconError as error:
            hint = nearest(line.words[0], WORDS)
            if error.suggestion or not hint:
                raise
            raise trouble("unknown-word", error.message, hint) from None
        if len(rest) != 2:
            raise trouble("territory", "Expected `TERRITORY COLOUR ARMIES`.")
        owner, armies = self.setting.owner(rest[0]), whole_number(rest[1], 1)
        self._once(line, f"territory {t}")
        self._put(t, owner, armies)

    def _rest_of(self, territories: Iterable[int], owner: int, armies: int) -> None:
        for t in territories:
            if self.position.owner[t] == NONE:
                self._put(t, owner, armies)

    def _continent(self, line: Line) -> None:
        *name, colour, number = _at_least(line, 4, "continent NAME COLOUR ARMIES")[1:]
        index = self.setting.board.continent_index(" ".join(name))
        owner, armies = self.setting.owner(colour), whole_number(number, 1)
        self._once(line, f"continent {index}")
        self._rest_of(self.setting.board.continents[index].territories, owner, armies)

    def _others(self, line: Line) -> None:
        _, colour, number = _exactly(line, 3, "others COLOUR ARMIES")
        owner, armies = self.setting.owner(colour), whole_number(number, 1)
        self._once(line, "others")
        self._rest_of(range(len(self.setting.board.territories)), owner, armies)

    def _captured(self, line: Line) -> None:
        names = line.rest
        for neutral in NEUTRALS:
            if names.endswith(f" from {neutral}"):
                names = names.removesuffix(f" from {neutral}")
                self.conquered_neutral = True
        for t in self.setting.territory_list(names):
            self._capture(t)
        self.position.conquered = 1
        self.position.conquered_from_player = int(not self.conquered_neutral)

    def _capture(self, t: int) -> None:
        if self.position.owner[t] != self._turn_seat():
            name = self.setting.territories[t]
            raise trouble("captured", f"{name} does not belong to the seat whose turn it is.")
        self.position.captured[t] = 1

    def _turn_seat(self) -> int:
        return int(self.position.turn)

    def _held(self, line: Line) -> None:
        held = self.setting.territory_list(line.rest)
        for t in range(len(self.setting.board.territories)):
            if self.position.owner[t] == self._turn_seat() and t not in held:
                self._capture(t)
                self.position.conquered = self.position.conquered_from_player = 1

    # the turn

    def _turn(self, line: Line) -> None:
        self._once(line, "turn")
        self.position.turn = self.setting.seat(_exactly(line, 2, "turn COLOUR")[1])

    def _first(self, line: Line) -> None:
        self._once(line, "first")
        self.position.first = self.setting.seat(_exactly(line, 2, "first COLOUR")[1])

    def _round(self, line: Line) -> None:
        self._once(line, "round")
        self.position.round_number = whole_number(_exactly(line, 2, "round NUMBER")[1], 1)

    def _phase(self, line: Line) -> None:
        self._once(line, "phase")
        phase = self.setting.phase(_exactly(line, 2, "phase NAME")[1])
        if phase not in STATED_PHASES:
            raise trouble(
                "phase",
                "A position stands in the phase reinforce, attack, objective or fortify; "
                "the others are reached by steps.",
            )
        self.position.phase = phase

    def _unplaced(self, line: Line) -> None:
        _, colour, number = _exactly(line, 3, "unplaced COLOUR ARMIES")
        self._once(line, f"unplaced {colour.lower()}")
        self.position.unplaced[self.setting.seat(colour)] = whole_number(number)

    def _resigned(self, line: Line) -> None:
        seat = self.setting.seat(_exactly(line, 2, "resigned COLOUR")[1])
        self.position.status[seat] = Seat.RESIGNED

    def _standing(self, line: Line) -> None:
        words = _at_least(line, 4, "standing COLOUR all|TERRITORY ORDER")
        seat, order = self.setting.seat(words[1]), self.setting.order(words[-1])
        place = " ".join(words[2:-1])
        if place.lower() == "all":
            self.position.standing_all[seat] = order
            return
        t = self.setting.territory(place)
        if self.position.owner[t] != seat:
            raise trouble("standing", "A standing order names a territory of the seat's own.")
        self.position.standing[t] = order

    def _snapshot(self, line: Line) -> None:
        words = _at_least(line, 3, "snapshot COLOUR ARMIES|CONTINENT ...")
        seat = self.setting.seat(words[1])
        self._once(line, f"snapshot {seat}")
        self.position.snapshot[seat] = _ranged(self._continental(words[2:]), MOST_AWARDED)

    def _continental(self, words: tuple[str, ...]) -> int:
        if len(words) == 1 and words[0].isdecimal():
            return whole_number(words[0])
        if words[0].lower() in NOBODY:
            return 0
        board = self.setting.board
        indices = [board.continent_index(name) for name in among(" ".join(words))]
        return sum(board.continents[index].bonus for index in indices)

    # cards

    def _sets(self, line: Line) -> None:
        words = line.words
        if len(words) == 2:
            self._once(line, "sets")
            self.position.sets = _ranged(whole_number(words[1]), MOST_SETS)
            return
        _, colour, number = _exactly(line, 3, "sets [COLOUR] NUMBER")
        seat = self.setting.seat(colour)
        self._once(line, f"sets {seat}")
        self.position.sets_by_seat[seat] = _ranged(whole_number(number), MOST_SETS)

    def _cards(self, lines: list[Line]) -> None:
        """Deal the cards: those named, then those of a design, then mere numbers."""
        deck = range(len(self.setting.cards))
        self.free_cards = [card for card in deck if self.position.card[card] == CardPlace.PILE]
        self._keep_headquarters()
        sound = [line for line in lines if self._is_sound(line)]
        for deal in (self._named_cards, self._designed_cards, self._counted_cards):
            self._each(deal, sound)
        self._rest_of_deck({line.keyword for line in sound})

    def _is_sound(self, line: Line) -> bool:
        """Whether a line says where cards lie, for the first time."""
        before = len(self.faults)
        self._each(self._once_a_place, [line])
        return len(self.faults) == before

    def _once_a_place(self, line: Line) -> None:
        if len(line.words) < 2 + (line.keyword == "hand"):
            raise trouble(line.keyword, f"Expected `{_CARD_LINES[line.keyword]}`.")
        self._once(line, f"cards {self._place(line)}")

    def _keep_headquarters(self) -> None:
        """The card of a headquarters is in no deck (A-66)."""
        if self.setting.ruleset.rules.victory_goal == Goal.HEADQUARTERS:
            for capital in self.position.capital:
                if capital in self.free_cards:
                    self._deal(int(capital), CardPlace.REMOVED)

    def _place(self, line: Line) -> int:
        """Where the cards of a line lie."""
        return _PILES.get(line.keyword) or self.setting.seat(line.words[1])

    def _asked(self, line: Line) -> tuple[str, ...]:
        words = line.words[2:] if line.keyword == "hand" else line.words[1:]
        return () if words and words[0].lower() in NOBODY else among(" ".join(words))

    def _deal(self, card: int, place: int) -> None:
        if card not in self.free_cards:
            name = self.setting.cards[card]
            raise trouble("card-elsewhere", f"The card {name} lies somewhere else already.")
        self.free_cards.remove(card)
        self.position.card[card] = place

    def _named_cards(self, line: Line) -> None:
        for word in self._asked(line):
            if not word.isdecimal() and not _is_design(word):
                self._deal(self.setting.card(word), self._place(line))

    def _designed_cards(self, line: Line) -> None:
        for word in self._asked(line):
            if _is_design(word):
                self._deal(self._card_of_design(word, self._place(line)), self._place(line))

    def _card_of_design(self, word: str, seat: int) -> int:
        own = word.lower().endswith(OWN)
        design = self.setting.design(word.lower().removesuffix(OWN))
        for card in self.free_cards:
            if self.setting.ruleset.tables.design[card] != design:
                continue
            shown = card < len(self.setting.board.territories)
            if own == (shown and self.position.owner[card] == seat):
                return card
        raise trouble("no-such-card", f"No card {word!r} is left for this hand.")

    def _counted_cards(self, line: Line) -> None:
        words = self._asked(line)
        if not any(word.isdecimal() for word in words):
            return
        if len(words) > 1:
            raise trouble("cards", "Expected a number or names, not both.")
        number = whole_number(words[0])
        if number > len(self.free_cards):
            raise trouble("too-few-cards", f"Only {len(self.free_cards)} cards are left.")
        for card in self.free_cards[:number]:
            self._deal(card, self._place(line))

    def _rest_of_deck(self, said: set[str]) -> None:
        """Cards that no line speaks of: in the pile, unless the pile is described."""
        rest = CardPlace.PILE
        if "pile" in said:
            rest = CardPlace.REMOVED if "discards" in said else CardPlace.DISCARDS
        for card in tuple(self.free_cards):
            self._deal(card, rest)

    # cities, capitals, objectives, rewards, missions

    def _cities(self, line: Line) -> None:
        for t in self.setting.territory_list(line.rest):
            self.position.city[t] = 1

    def _capital(self, line: Line) -> None:
        words = _at_least(line, 3, f"{line.keyword} COLOUR TERRITORY")
        seat = self.setting.seat(words[1])
        self._once(line, f"capital {seat}")
        self.position.capital[seat] = self.setting.territory(" ".join(words[2:]))

    def _objectives(self, line: Line) -> None:
        for word in among(line.rest):
            self._lay_objective(self.setting.objective(word), ObjectivePlace.FACE_UP)

    def _objective(self, line: Line) -> None:
        words = _at_least(line, 3, "objective COLOUR OBJECTIVE ...")
        seat = self.setting.seat(words[1])
        for word in among(" ".join(words[2:])):
            self._lay_objective(self.setting.objective(word), seat)

    def _lay_objective(self, objective: int, place: int) -> None:
        if self.position.objective[objective] != ObjectivePlace.BOX:
            raise trouble("twice", "That objective lies somewhere else already.")
        self.position.objective[objective] = place

    def _on(self, line: Line) -> None:
        _, name, reward = _exactly(line, 3, "on OBJECTIVE REWARD")
        objective = self.setting.objective(name)
        if self.position.objective[objective] != ObjectivePlace.FACE_UP:
            raise trouble("not-face-up", "A reward lies on an objective that is face up.")
        major = int(self.setting.board.objectives[objective].major)
        tokens = [token for token in self.setting.tokens(reward) if token // 4 == major]
        self._lay_token(self._free_token(tokens), objective)

    def _free_token(self, tokens: list[int]) -> int:
        for token in tokens:
            if self.position.reward[token] == RewardPlace.BOX:
                return token
        raise trouble("no-reward", "No token of this reward and class is left.")

    def _lay_token(self, token: int, objective: int) -> None:
        self.position.reward[token] = RewardPlace.ON_OBJECTIVE
        self.position.objective_reward[objective] = token

    def _lay_rewards(self) -> None:
        """Tokens that no line speaks of lie on the objectives that still have none."""
        for objective in range(OBJECTIVES):
            if self.position.objective[objective] != ObjectivePlace.FACE_UP:
                continue
            if self.position.objective_reward[objective] == NONE:
                major = int(self.setting.board.objectives[objective].major)
                tokens = range(4 * major, 4 * major + 4)
                free = [t for t in tokens if self.position.reward[t] == RewardPlace.BOX]
                if free:
                    self._lay_token(free[0], objective)

    def _reward(self, line: Line) -> None:
        words = _at_least(line, 3, "reward COLOUR REWARD ...")
        seat = self.setting.seat(words[1])
        for word in among(" ".join(words[2:])):
            self.position.reward[self._free_token(self.setting.tokens(word))] = seat

    def _airfield(self, line: Line) -> None:
        words = _at_least(line, 3, "airfield COLOUR TERRITORY ...")
        seat = self.setting.seat(words[1])
        for t in self.setting.territory_list(" ".join(words[2:])):
            token = self._free_token(self.setting.tokens("airfield"))
            self.position.reward[token] = seat
            self.position.airfield[token] = t

    def _mission(self, line: Line) -> None:
        words = _at_least(line, 3, "mission COLOUR MISSION [fallback]")
        seat = self.setting.seat(words[1])
        self._once(line, f"mission {seat}")
        if words[3:] not in ((), ("fallback",)):
            raise trouble("mission", "Expected `mission COLOUR MISSION [fallback]`.")
        mission = self.setting.mission(words[2])
        self._in_the_deck(mission)
        self.position.mission[seat] = mission
        self.position.mission_fallback[seat] = int(len(words) > 3 or self._falls_back(seat))

    def _in_the_deck(self, mission: int) -> None:
        """A mission of this game, which nobody else has; where there are none it says nothing."""
        name = self.setting.mission_ids[mission]
        deck = self.setting.ruleset.tables.mission_in_deck
        names = [other for m, other in enumerate(self.setting.mission_ids) if deck[m]]
        if names and name not in names:
            raise trouble("mission", f"{name} is not in the deck; it has {', '.join(names)}.")
        if mission in self.position.mission:
            colour = self.setting.seats[list(self.position.mission).index(mission)]
            raise trouble("mission", f"{name} is the mission of {colour} already.")

    def _falls_back(self, seat: int) -> bool:
        """Whether it means 24 territories: one's own colour, nobody's, or one that has left."""
        mission = self.setting.board.missions[self.position.mission[seat]]
        if mission.kind is not MissionKind.DESTROY:
            return False
        if mission.colour not in self.setting.seats:
            return True
        target = self.setting.seat(mission.colour)
        return target == seat or bool(self.position.status[target] == Seat.RESIGNED)

    # what follows

    def _all_owned(self, _: Line) -> None:
        owners = self.position.owner[: len(self.setting.board.territories)]
        bare = [self.setting.territories[t] for t, owner in enumerate(owners) if owner == NONE]
        if bare:
            names = ", ".join(bare[:3]) + (" ..." if len(bare) > 3 else "")
            raise trouble(
                "no-owner", f"{names}: nobody holds these.", "Add a line `others COLOUR ARMIES`."
            )

    def _count_seats(self) -> None:
        position = self.position
        for seat in range(SEATS):
            if seat >= len(self.setting.seats) or position.status[seat] == Seat.RESIGNED:
                continue
            alive = position.territories[seat] > 0
            position.status[seat] = Seat.PLAYING if alive else Seat.ELIMINATED
        for seat in range(len(self.setting.seats)):
            position.hand[seat] = int((position.card == seat).sum())
        position.pile = int((position.card == CardPlace.PILE).sum())
        position.discards = int((position.card == CardPlace.DISCARDS).sum())
        position.sets = max(int(position.sets), int(position.sets_by_seat.sum()))

    def _follow_turn(self) -> None:
        position, ruleset = self.position, self.setting.ruleset
        tables: Any = ruleset.tables
        position.hand_at_start = position.hand[position.turn]
        if position.phase == Phase.FORTIFY:
            position.moves_left = ruleset.rules.fortify_count + self._additional()
        if ruleset.rules.continent_timing == ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
            for seat in range(len(self.setting.seats)):
                if f"snapshot {seat}" not in self.said:
                    position.snapshot[seat] = continent_award(position, tables, seat)

    def _additional(self) -> int:
        kinds = self.setting.ruleset.rules.reward_kind
        held = [t for t in range(REWARDS) if self.position.reward[t] == self.position.turn]
        return sum(kinds[token] == RewardKind.ADDITIONAL_MANOEUVRE for token in held)

    def _playable(self, _: Line) -> None:
        seat = int(self.position.turn)
        if self.position.status[seat] != Seat.PLAYING:
            colour = self.setting.seats[seat]
            raise trouble("turn", f"It is {colour}'s turn, and {colour} holds nothing.")


def _ranged(number: int, most: int) -> int:
    """A number that the position has room for."""
    if number > most:
        raise trouble("number", f"{number} is too many; expected 0 to {most}.")
    return number


def _exactly(line: Line, count: int, form: str) -> tuple[str, ...]:
    if len(line.words) != count:
        raise trouble(line.keyword, f"Expected `{form}`.")
    return line.words


def _at_least(line: Line, count: int, form: str) -> tuple[str, ...]:
    if len(line.words) < count:
        raise trouble(line.keyword, f"Expected `{form}`.")
    return line.words


def _is_design(word: str) -> bool:
    return word.lower().removesuffix(OWN) in DESIGNS


_PILES = {"pile": CardPlace.PILE, "discards": CardPlace.DISCARDS}
_CARD_LINES = {
    "hand": "hand COLOUR NUMBER|CARD ...",
    "pile": "pile NUMBER|CARD ...",
    "discards": "discards NUMBER|CARD ...",
}
# In this order: a line may lean on what those before it have written.
_HANDLERS: dict[str, Callable[[PositionWriter, Line], None]] = {
    "continent": PositionWriter._continent,
    "others": PositionWriter._others,
    "turn": PositionWriter._turn,
    "first": PositionWriter._first,
    "round": PositionWriter._round,
    "phase": PositionWriter._phase,
    "resigned": PositionWriter._resigned,
    "unplaced": PositionWriter._unplaced,
    "captured": PositionWriter._captured,
    "held": PositionWriter._held,
    "standing": PositionWriter._standing,
    "snapshot": PositionWriter._snapshot,
    "sets": PositionWriter._sets,
    "cities": PositionWriter._cities,
    "capital": PositionWriter._capital,
    "headquarters": PositionWriter._capital,
    "objectives": PositionWriter._objectives,
    "objective": PositionWriter._objective,
    "on": PositionWriter._on,
    "reward": PositionWriter._reward,
    "airfield": PositionWriter._airfield,
    "mission": PositionWriter._mission,
}
