"""From the lines of a case to a position; `docs/cases.md` explains each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from rubicon.casebook.actions import DESIGNS, NEUTRALS, NOTHING, CaseContext, whole_number
from rubicon.casebook.parser import (
    POSITION_WORDS,
    WORDS,
    CaseError,
    CaseLine,
    case_error,
    name_list,
)
from rubicon.engine import records
from rubicon.engine.codes import ContinentTiming, Goal
from rubicon.engine.ownership import continent_award
from rubicon.engine.records import Position
from rubicon.errors import RubiconError
from rubicon.rules.board.board import COLOURS
from rubicon.rules.notation.position_text import blank
from rubicon.wording import nearest

STATED_PHASES = (
    records.Phase.REINFORCE,
    records.Phase.ATTACK,
    records.Phase.OBJECTIVE,
    records.Phase.FORTIFY,
)
OWN = ":own"
MOST_SETS = 1_000  # of a seat
MOST_AWARDED = 2**15 - 1


def first_position(context: CaseContext) -> Position:
    """What the lines of a case change: the empty board of a position's text, in the first turn."""
    position = blank(context.ruleset, len(context.seats))
    for seat, colour in enumerate(context.seats):
        position.colour[seat] = COLOURS.index(colour)
    position.turn = position.first = 0
    position.phase = records.Phase.ATTACK
    position.round_number = 1
    return position


@dataclass(slots=True)
class PositionWriter:
    """Writes the lines of a case into a position, the most exact lines first."""

    context: CaseContext
    position: Position
    source: str
    errors: list[CaseError] = field(default_factory=list)
    conquered_neutral: bool = False
    said: dict[str, CaseLine] = field(default_factory=dict)
    free_cards: list[int] = field(default_factory=list)

    def write(self, lines: Iterable[CaseLine]) -> None:
        """Write all lines; those that cannot be understood are added to `errors`."""
        lines = tuple(lines)
        self._each(self._territory, [line for line in lines if self._is_territory(line)])
        for keyword, handler in _HANDLERS.items():
            chosen = [line for line in lines if line.keyword == keyword]
            self._each(partial(handler, self), chosen)
        self._cards([line for line in lines if line.keyword in _CARD_LINES])
        self._lay_rewards()

    def finish(self, at: CaseLine) -> None:
        """Fill in everything that follows from the lines, and check that the seat to move plays."""
        # Seats and piles are counted from the board, so every territory must have an owner first.
        self._each(self._all_owned, [at])
        self._count_seats()
        self._follow_turn()
        self._each(self._playable, [at])

    def _is_territory(self, line: CaseLine) -> bool:
        return line.keyword not in POSITION_WORDS

    def _each(self, handler: Callable[[CaseLine], None], lines: list[CaseLine]) -> None:
        for line in lines:
            try:
                handler(line)
            except RubiconError as error:
                self.errors.append(CaseError(self.source, line, error))

    def _once(self, line: CaseLine, about: str) -> None:
        if about in self.said:
            raise case_error("twice", f"Line {self.said[about].number} says this already.")
        self.said[about] = line

    # territories

    def _put(self, t: int, owner: int, armies: int) -> None:
        self.position.owner[t] = owner
        self.position.armies[t] = armies
        self.position.territories[owner] += 1

    def _territory(self, line: CaseLine) -> None:
        try:
            t, rest = self.context.split_owner(line.words)
        except RubiconError as error:
            hint = nearest(line.words[0], WORDS)
            if error.suggestion or not hint:
                raise
            raise case_error("unknown-word", error.message, hint) from None
        if len(rest) != 2:
            raise case_error("territory", "Expected `TERRITORY COLOUR ARMIES`.")
        owner, armies = self.context.owner(rest[0]), whole_number(rest[1], 1)
        self._once(line, f"territory {t}")
        self._put(t, owner, armies)

    def _rest_of(self, territories: Iterable[int], owner: int, armies: int) -> None:
        for t in territories:
            if self.position.owner[t] == records.NONE:
                self._put(t, owner, armies)

    def _continent(self, line: CaseLine) -> None:
        *name, colour, number = _at_least(line, 4, "continent NAME COLOUR ARMIES")[1:]
        index = self.context.board.continent_index(" ".join(name))
        owner, armies = self.context.owner(colour), whole_number(number, 1)
        self._once(line, f"continent {index}")
        self._rest_of(self.context.board.continents[index].territories, owner, armies)

    def _others(self, line: CaseLine) -> None:
        _, colour, number = _exactly(line, 3, "others COLOUR ARMIES")
        owner, armies = self.context.owner(colour), whole_number(number, 1)
        self._once(line, "others")
        self._rest_of(range(len(self.context.board.territories)), owner, armies)

    def _captured(self, line: CaseLine) -> None:
        names = line.rest
        for neutral in NEUTRALS:
            if names.endswith(f" from {neutral}"):
                names = names.removesuffix(f" from {neutral}")
                self.conquered_neutral = True
        for t in self.context.territory_list(names):
            self._capture(t)
        self.position.conquered = 1
        self.position.conquered_from_player = int(not self.conquered_neutral)

    def _capture(self, t: int) -> None:
        if self.position.owner[t] != self._turn_seat():
            name = self.context.territories[t]
            raise case_error("captured", f"{name} does not belong to the seat whose turn it is.")
        self.position.captured[t] = 1

    def _turn_seat(self) -> int:
        return int(self.position.turn)

    def _held(self, line: CaseLine) -> None:
        held = self.context.territory_list(line.rest)
        for t in range(len(self.context.board.territories)):
            if self.position.owner[t] == self._turn_seat() and t not in held:
                self._capture(t)
                self.position.conquered = self.position.conquered_from_player = 1

    # the turn

    def _turn(self, line: CaseLine) -> None:
        self._once(line, "turn")
        self.position.turn = self.context.seat(_exactly(line, 2, "turn COLOUR")[1])

    def _first(self, line: CaseLine) -> None:
        self._once(line, "first")
        self.position.first = self.context.seat(_exactly(line, 2, "first COLOUR")[1])

    def _round(self, line: CaseLine) -> None:
        self._once(line, "round")
        self.position.round_number = whole_number(_exactly(line, 2, "round NUMBER")[1], 1)

    def _phase(self, line: CaseLine) -> None:
        self._once(line, "phase")
        phase = self.context.phase(_exactly(line, 2, "phase NAME")[1])
        if phase not in STATED_PHASES:
            raise case_error(
                "phase",
                "A position is in the phase reinforce, attack, objective or fortify; "
                "use steps to reach the others.",
            )
        self.position.phase = phase

    def _unplaced(self, line: CaseLine) -> None:
        _, colour, number = _exactly(line, 3, "unplaced COLOUR ARMIES")
        self._once(line, f"unplaced {colour.lower()}")
        self.position.unplaced[self.context.seat(colour)] = whole_number(number)

    def _resigned(self, line: CaseLine) -> None:
        seat = self.context.seat(_exactly(line, 2, "resigned COLOUR")[1])
        self.position.status[seat] = records.Seat.RESIGNED

    def _standing(self, line: CaseLine) -> None:
        words = _at_least(line, 4, "standing COLOUR all|TERRITORY ORDER")
        seat, order = self.context.seat(words[1]), self.context.order(words[-1])
        place = " ".join(words[2:-1])
        if place.lower() == "all":
            self.position.standing_all[seat] = order
            return
        t = self.context.territory(place)
        if self.position.owner[t] != seat:
            raise case_error("standing", "A standing order names a territory of the seat's own.")
        self.position.standing[t] = order

    def _snapshot(self, line: CaseLine) -> None:
        words = _at_least(line, 3, "snapshot COLOUR ARMIES|CONTINENT ...")
        seat = self.context.seat(words[1])
        self._once(line, f"snapshot {seat}")
        self.position.snapshot[seat] = _ranged(self._continental(words[2:]), MOST_AWARDED)

    def _continental(self, words: tuple[str, ...]) -> int:
        if len(words) == 1 and words[0].isdecimal():
            return whole_number(words[0])
        if words[0].lower() in NOTHING:
            return 0
        board = self.context.board
        indices = [board.continent_index(name) for name in name_list(" ".join(words))]
        return sum(board.continents[index].bonus for index in indices)

    # cards

    def _sets(self, line: CaseLine) -> None:
        words = line.words
        if len(words) == 2:
            self._once(line, "sets")
            self.position.sets = _ranged(whole_number(words[1]), MOST_SETS)
            return
        _, colour, number = _exactly(line, 3, "sets [COLOUR] NUMBER")
        seat = self.context.seat(colour)
        self._once(line, f"sets {seat}")
        self.position.sets_by_seat[seat] = _ranged(whole_number(number), MOST_SETS)

    def _cards(self, lines: list[CaseLine]) -> None:
        """Deal the cards: first those named, then those of a design, then numbers of cards."""
        deck = range(len(self.context.cards))
        self.free_cards = [
            card for card in deck if self.position.card[card] == records.CardPlace.PILE
        ]
        self._keep_headquarters()
        # Exact cards are dealt before cards of a design, so that no design takes a named card.
        sound = [line for line in lines if self._is_sound(line)]
        for deal in (self._named_cards, self._designed_cards, self._counted_cards):
            self._each(deal, sound)
        self._rest_of_deck({line.keyword for line in sound})

    def _is_sound(self, line: CaseLine) -> bool:
        """Whether a line of cards is complete and the first for its place."""
        before = len(self.errors)
        self._each(self._once_a_place, [line])
        return len(self.errors) == before

    def _once_a_place(self, line: CaseLine) -> None:
        if len(line.words) < 2 + (line.keyword == "hand"):
            raise case_error(line.keyword, f"Expected `{_CARD_LINES[line.keyword]}`.")
        self._once(line, f"cards {self._place(line)}")

    def _keep_headquarters(self) -> None:
        """The card of a headquarters is in no deck (A-66)."""
        if self.context.ruleset.rules.victory_goal == Goal.HEADQUARTERS:
            for capital in self.position.capital:
                if capital in self.free_cards:
                    self._deal(int(capital), records.CardPlace.REMOVED)

    def _place(self, line: CaseLine) -> int:
        """The place of the cards of a line."""
        return _PILES.get(line.keyword) or self.context.seat(line.words[1])

    def _asked(self, line: CaseLine) -> tuple[str, ...]:
        words = line.words[2:] if line.keyword == "hand" else line.words[1:]
        return () if words and words[0].lower() in NOTHING else name_list(" ".join(words))

    def _deal(self, card: int, place: int) -> None:
        if card not in self.free_cards:
            name = self.context.cards[card]
            raise case_error("card-elsewhere", f"The card {name} is in another place already.")
        self.free_cards.remove(card)
        self.position.card[card] = place

    def _named_cards(self, line: CaseLine) -> None:
        for word in self._asked(line):
            if not word.isdecimal() and not _is_design(word):
                self._deal(self.context.card(word), self._place(line))

    def _designed_cards(self, line: CaseLine) -> None:
        for word in self._asked(line):
            if _is_design(word):
                self._deal(self._card_of_design(word, self._place(line)), self._place(line))

    def _card_of_design(self, word: str, seat: int) -> int:
        own = word.lower().endswith(OWN)
        design = self.context.design(word.lower().removesuffix(OWN))
        for card in self.free_cards:
            if self.context.ruleset.tables.design[card] != design:
                continue
            shown = card < len(self.context.board.territories)
            if own == (shown and self.position.owner[card] == seat):
                return card
        raise case_error("no-such-card", f"No card `{word}` is left for this hand.")

    def _counted_cards(self, line: CaseLine) -> None:
        words = self._asked(line)
        if not any(word.isdecimal() for word in words):
            return
        if len(words) > 1:
            raise case_error("cards", "Expected a number or names, not both.")
        number = whole_number(words[0])
        if number > len(self.free_cards):
            raise case_error("too-few-cards", f"Only {len(self.free_cards)} cards are left.")
        for card in self.free_cards[:number]:
            self._deal(card, self._place(line))

    def _rest_of_deck(self, said: set[str]) -> None:
        """Cards that no line names: in the pile, unless a line describes the pile."""
        rest = records.CardPlace.PILE
        if "pile" in said:
            rest = records.CardPlace.REMOVED if "discards" in said else records.CardPlace.DISCARDS
        for card in tuple(self.free_cards):
            self._deal(card, rest)

    # cities, capitals, objectives, rewards, missions

    def _cities(self, line: CaseLine) -> None:
        for t in self.context.territory_list(line.rest):
            self.position.city[t] = 1

    def _capital(self, line: CaseLine) -> None:
        words = _at_least(line, 3, f"{line.keyword} COLOUR TERRITORY")
        seat = self.context.seat(words[1])
        self._once(line, f"capital {seat}")
        self.position.capital[seat] = self.context.territory(" ".join(words[2:]))

    def _objectives(self, line: CaseLine) -> None:
        for word in name_list(line.rest):
            self._lay_objective(self.context.objective(word), records.ObjectivePlace.FACE_UP)

    def _objective(self, line: CaseLine) -> None:
        words = _at_least(line, 3, "objective COLOUR OBJECTIVE ...")
        seat = self.context.seat(words[1])
        for word in name_list(" ".join(words[2:])):
            self._lay_objective(self.context.objective(word), seat)

    def _lay_objective(self, objective: int, place: int) -> None:
        if self.position.objective[objective] != records.ObjectivePlace.BOX:
            raise case_error("twice", "This objective is in another place already.")
        self.position.objective[objective] = place

    def _on(self, line: CaseLine) -> None:
        _, name, reward = _exactly(line, 3, "on OBJECTIVE REWARD")
        objective = self.context.objective(name)
        if self.position.objective[objective] != records.ObjectivePlace.FACE_UP:
            raise case_error("not-face-up", "A reward lies on an objective that is face up.")
        major = int(self.context.board.objectives[objective].major)
        tokens = [token for token in self.context.tokens(reward) if token // 4 == major]
        self._lay_token(self._free_token(tokens), objective)

    def _free_token(self, tokens: list[int]) -> int:
        for token in tokens:
            if self.position.reward[token] == records.RewardPlace.BOX:
                return token
        raise case_error("no-reward", "No token of this reward and class is left.")

    def _lay_token(self, token: int, objective: int) -> None:
        self.position.reward[token] = records.RewardPlace.ON_OBJECTIVE
        self.position.objective_reward[objective] = token

    def _lay_rewards(self) -> None:
        """Put tokens that no line names on the face-up objectives without one."""
        for objective in range(records.OBJECTIVES):
            if self.position.objective[objective] != records.ObjectivePlace.FACE_UP:
                continue
            if self.position.objective_reward[objective] == records.NONE:
                major = int(self.context.board.objectives[objective].major)
                tokens = range(4 * major, 4 * major + 4)
                free = [t for t in tokens if self.position.reward[t] == records.RewardPlace.BOX]
                if free:
                    self._lay_token(free[0], objective)

    def _reward(self, line: CaseLine) -> None:
        words = _at_least(line, 3, "reward COLOUR REWARD ...")
        seat = self.context.seat(words[1])
        for word in name_list(" ".join(words[2:])):
            self.position.reward[self._free_token(self.context.tokens(word))] = seat

    def _airfield(self, line: CaseLine) -> None:
        words = _at_least(line, 3, "airfield COLOUR TERRITORY ...")
        seat = self.context.seat(words[1])
        for t in self.context.territory_list(" ".join(words[2:])):
            token = self._free_token(self.context.tokens("airfield"))
            self.position.reward[token] = seat
            self.position.airfield[token] = t

    def _mission(self, line: CaseLine) -> None:
        words = _at_least(line, 3, "mission COLOUR MISSION [fallback]")
        seat = self.context.seat(words[1])
        self._once(line, f"mission {seat}")
        if words[3:] not in ((), ("fallback",)):
            raise case_error("mission", "Expected `mission COLOUR MISSION [fallback]`.")
        mission = self.context.mission(words[2])
        self._in_the_deck(mission)
        self.position.mission[seat] = mission
        self.position.mission_fallback[seat] = int(len(words) > 3 or self._falls_back(seat))

    def _in_the_deck(self, mission: int) -> None:
        """Check that a mission is in the deck, if there is one, and that no other seat has it."""
        name = self.context.mission_ids[mission]
        deck = self.context.ruleset.tables.mission_in_deck
        names = [other for m, other in enumerate(self.context.mission_ids) if deck[m]]
        if names and name not in names:
            raise case_error("mission", f"{name} is not in the deck; it has {', '.join(names)}.")
        if mission in self.position.mission:
            colour = self.context.seats[list(self.position.mission).index(mission)]
            raise case_error("mission", f"{name} is the mission of {colour} already.")

    def _falls_back(self, seat: int) -> bool:
        """Whether it means 24 territories: its target is itself, not in the game, or resigned."""
        mission = self.context.board.missions[self.position.mission[seat]]
        if mission.kind is not records.MissionKind.DESTROY:
            return False
        if mission.colour not in self.context.seats:
            return True
        target = self.context.seat(mission.colour)
        return target == seat or bool(self.position.status[target] == records.Seat.RESIGNED)

    # what follows

    def _all_owned(self, _: CaseLine) -> None:
        owners = self.position.owner[: len(self.context.board.territories)]
        bare = [
            self.context.territories[t] for t, owner in enumerate(owners) if owner == records.NONE
        ]
        if bare:
            names = ", ".join(bare[:3]) + (" ..." if len(bare) > 3 else "")
            raise case_error(
                "no-owner",
                f"These territories have no owner: {names}.",
                "Add a line `others COLOUR ARMIES`.",
            )

    def _count_seats(self) -> None:
        position = self.position
        for seat in range(records.SEATS):
            if seat >= len(self.context.seats) or position.status[seat] == records.Seat.RESIGNED:
                continue
            alive = position.territories[seat] > 0
            position.status[seat] = records.Seat.PLAYING if alive else records.Seat.ELIMINATED
        for seat in range(len(self.context.seats)):
            position.hand[seat] = int((position.card == seat).sum())
        position.pile = int((position.card == records.CardPlace.PILE).sum())
        position.discards = int((position.card == records.CardPlace.DISCARDS).sum())
        position.sets = max(int(position.sets), int(position.sets_by_seat.sum()))

    def _follow_turn(self) -> None:
        position, ruleset = self.position, self.context.ruleset
        tables = ruleset.tables
        position.hand_at_start = position.hand[position.turn]
        if position.phase == records.Phase.FORTIFY:
            position.moves_left = ruleset.rules.fortify_count + self._additional()
        if ruleset.rules.continent_timing == ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
            for seat in range(len(self.context.seats)):
                if f"snapshot {seat}" not in self.said:
                    position.snapshot[seat] = continent_award(position, tables, seat)

    def _additional(self) -> int:
        kinds = self.context.ruleset.rules.reward_kind
        held = [t for t in range(records.REWARDS) if self.position.reward[t] == self.position.turn]
        return sum(kinds[token] == records.RewardKind.ADDITIONAL_MANOEUVRE for token in held)

    def _playable(self, _: CaseLine) -> None:
        seat = int(self.position.turn)
        if self.position.status[seat] != records.Seat.PLAYING:
            colour = self.context.seats[seat]
            raise case_error("turn", f"It is {colour}'s turn, and {colour} holds nothing.")


def _ranged(number: int, most: int) -> int:
    """The number, if it fits into its field of the position."""
    if number > most:
        raise case_error("number", f"{number} is too many; expected 0 to {most}.")
    return number


def _exactly(line: CaseLine, count: int, form: str) -> tuple[str, ...]:
    if len(line.words) != count:
        raise case_error(line.keyword, f"Expected `{form}`.")
    return line.words


def _at_least(line: CaseLine, count: int, form: str) -> tuple[str, ...]:
    if len(line.words) < count:
        raise case_error(line.keyword, f"Expected `{form}`.")
    return line.words


def _is_design(word: str) -> bool:
    return word.lower().removesuffix(OWN) in DESIGNS


_PILES = {"pile": records.CardPlace.PILE, "discards": records.CardPlace.DISCARDS}
_CARD_LINES = {
    "hand": "hand COLOUR NUMBER|CARD ...",
    "pile": "pile NUMBER|CARD ...",
    "discards": "discards NUMBER|CARD ...",
}
# In this order: a handler may read what those before it have written.
_HANDLERS: dict[str, Callable[[PositionWriter, CaseLine], None]] = {
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
