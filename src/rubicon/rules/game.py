"""One game: its position, the actions and outcomes that change it, and what anyone may
ask of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import cast

import numpy as np

from rubicon.engine import records
from rubicon.engine.apply import apply, settle
from rubicon.engine.chance import Generator, sample
from rubicon.engine.codes import DEFENCE_BITS, DEFENCE_MASK, Refusal
from rubicon.engine.legality import actor_of, refusal, refusal_to
from rubicon.engine.observe import observe
from rubicon.engine.ownership import acts, change_owner
from rubicon.engine.records import Position
from rubicon.engine.setup import mission_left, next_setup_step, objective_may_come, open_game
from rubicon.errors import NotFound, RubiconError, WrongType, are_texts, is_whole
from rubicon.rules import actions
from rubicon.rules.board.board import COLOURS
from rubicon.rules.event_diff import StepEvents, Transition
from rubicon.rules.legal import Legal, allows, check_generator
from rubicon.rules.notation.actions import parse_action, parse_outcome
from rubicon.rules.notation.position_fields import PositionNames
from rubicon.rules.notation.positions import position_text
from rubicon.rules.refusal_details import refused
from rubicon.rules.refusals import Refused
from rubicon.rules.ruleset.ruleset import Ruleset, check_ruleset

# The chance event that is pending in a position, and the integers of its outcomes.


class BadOutcome(RubiconError):
    """An outcome that does not fit the pending chance event; the game is unchanged."""


def pending_chance(
    position: Position, ruleset: Ruleset, names: PositionNames
) -> actions.PendingChance | None:
    """The pending chance event; None where a decision is pending or the game is over."""
    chance = records.Chance(position.chance)
    if chance == records.Chance.NONE:
        return None
    if chance == records.Chance.BATTLE:
        attack = position.attack_dice + position.attack_extra
        return actions.PendingChance(chance, attack, position.defence_dice + position.defence_extra)
    if chance == records.Chance.DICE:
        seats = tuple(c for s, c in enumerate(names.colours) if position.chance_seats[s])
        return actions.PendingChance(chance, seats=seats)
    return actions.PendingChance(chance, things=tuple(_things(position, ruleset, names, chance)))


def _things(
    position: Position, ruleset: Ruleset, names: PositionNames, chance: records.Chance
) -> Sequence[str]:
    """The things that may be picked, in the order of their numbers."""
    rules, tables = ruleset.rules, ruleset.tables
    match chance:
        case records.Chance.FIRST_SEAT:
            return names.colours
        case records.Chance.CITY:
            return _where(names.territories, position.city, 0)
        case records.Chance.TERRITORY | records.Chance.NEUTRAL_TERRITORY:
            return _where(names.territories, position.owner, records.NONE)
        case records.Chance.CARD | records.Chance.STARTING_CARD:
            return _where(names.cards, position.card, records.CardPlace.PILE)
        case records.Chance.MISSION:
            left = range(records.MISSIONS)
            return [names.missions[m] for m in left if mission_left(position, rules, tables, m)]
        case records.Chance.MINOR_OBJECTIVE | records.Chance.MAJOR_OBJECTIVE:
            major = int(chance == records.Chance.MAJOR_OBJECTIVE)
            return [
                names.objectives[o]
                for o in range(records.OBJECTIVES)
                if objective_may_come(position, tables, o, major)
            ]
        case _:
            first = records.MAJOR_REWARDS * int(chance == records.Chance.MAJOR_REWARD)
            box = records.RewardPlace.BOX
            return [
                names.rewards[i]
                for i in range(first, first + records.MAJOR_REWARDS)
                if position.reward[i] == box
            ]


def _where(names: Sequence[str], cells: records.CellArray, value: int) -> list[str]:
    """The names of the cells that hold a value (from a list: NumPy is slow cell by cell)."""
    return [name for name, cell in zip(names, cells.tolist(), strict=False) if cell == value]


def outcome_of(pending: actions.PendingChance, code: int) -> actions.Outcome:
    """The outcome that an engine integer stands for, as an answer to `pending`."""
    if pending.chance == records.Chance.BATTLE:
        attack = actions.faces_of(code >> DEFENCE_BITS, pending.attack_dice)
        return actions.Roll(attack, actions.faces_of(code & DEFENCE_MASK, pending.defence_dice))
    if pending.chance == records.Chance.DICE:
        return actions.Dice(actions.faces_of(code, len(pending.seats)))
    return actions.Pick(pending.things[code])


def code_of_outcome(pending: actions.PendingChance | None, outcome: actions.Outcome) -> int:
    """The engine integer of an outcome; BadOutcome where it does not answer `pending`."""
    if pending is None:
        raise BadOutcome(
            "outcome/nothing-pending",
            f"{str(outcome)!r}: no dice and no draw are pending.",
            "Play a decision: game.legal lists them.",
        )
    match outcome:
        case actions.Roll(attack, defence) if pending.chance == records.Chance.BATTLE:
            _check_faces(outcome, attack, pending.attack_dice, "attack dice")
            _check_faces(outcome, defence, pending.defence_dice, "defence dice")
            return actions.faces_code(attack) << DEFENCE_BITS | actions.faces_code(defence)
        case actions.Dice(faces) if pending.chance == records.Chance.DICE:
            _check_faces(outcome, faces, len(pending.seats), "dice, one a seat")
            return actions.faces_code(faces)
        case actions.Pick(thing) if pending.things:
            return _pick_code(pending, thing)
        case _:
            kind = pending.chance.name.lower().replace("_", " ")
            raise BadOutcome(
                "outcome/wrong-kind",
                f"{str(outcome)!r} is no outcome of the pending {kind}.",
                "game.pending says what is needed.",
            )


def _check_faces(outcome: actions.Outcome, faces: tuple[int, ...], count: int, what: str) -> None:
    if len(faces) != count or min(faces, default=1) < 1 or max(faces, default=6) > 6:
        raise BadOutcome(
            "outcome/dice", f"{str(outcome)!r}: {count} {what} are needed, each from 1 to 6.", ""
        )


def _pick_code(pending: actions.PendingChance, thing: str) -> int:
    if thing not in pending.things:
        raise BadOutcome(
            "outcome/not-there",
            f"{thing!r} cannot be picked now.",
            f"Pick one of: {', '.join(pending.things)}.",
        )
    return pending.things.index(thing)


# A game: a position under a ruleset with its history; every step is checked first.

Entry = actions.Action | actions.Outcome
SPECTATOR = -1


class Game:
    """A position under a ruleset, and every step that led to it.

    The game rolls no dice: `pending` says which are needed, `settle` takes them. Each step makes a
    new position, so that a position which was read before is never changed by the game.
    """

    def __init__(
        self, ruleset: Ruleset, position: Position, *, names: Sequence[str] | None = None
    ) -> None:
        check_ruleset(ruleset)
        _check_position(position)
        self.ruleset = ruleset
        self.rules = ruleset.rules
        self.tables = ruleset.tables
        self.position = records.copy_position(position)
        self.start = records.copy_position(position)
        self.size = position.seats
        self.colours = tuple(COLOURS[position.colour[seat]] for seat in range(self.size))
        self.ids = PositionNames.of(ruleset, self.colours)
        self.territories = self.ids.territories
        self.cards = self.ids.cards
        self.objectives = self.ids.objectives
        self.missions = self.ids.missions
        self.rewards = self.ids.rewards
        self.names = tuple(names) if names is not None else self.colours
        self._history: list[Entry] = []
        self._before: list[Position] = []
        self._pending: actions.PendingChance | None = None
        self._coded: tuple[actions.Action | None, int] = (None, 0)
        self._pending_in = b""  # the bytes of the position that `_pending` belongs to

    @classmethod
    def new(
        cls,
        ruleset: Ruleset,
        players: int | None = None,
        *,
        names: Sequence[str] | None = None,
        colours: Sequence[str] | None = None,
        rebels: Mapping[str, int] | None = None,
        standing: records.Standing = records.Standing.MAXIMUM,
    ) -> Game:
        """A new game with `players` seats (or one for each name, or the ruleset's fewest).

        `colours` are the seats' colours in the order of play; `rebels` the territories and armies
        that a game master names (A-25); `standing` the standing order of every seat (A-29).
        RubiconError where the ruleset does not allow it.
        """
        check_ruleset(ruleset)
        _check_beginning(players, names, colours, standing)
        chosen = _colours(ruleset, players, names, colours)
        position = records.empty_position()
        open_game(position, ruleset.rules, ruleset.tables, len(chosen))
        for seat, colour in enumerate(chosen):
            position.colour[seat] = COLOURS.index(colour)
            position.standing_all[seat] = standing
        _place_rebels(ruleset, position, rebels or {})
        next_setup_step(position, ruleset.rules, ruleset.tables)
        return cls(ruleset, position, names=names)

    @classmethod
    def from_position(
        cls, ruleset: Ruleset, position: Position, *, names: Sequence[str] | None = None
    ) -> Game:
        """A game that continues from a position, without a history."""
        return cls(ruleset, position, names=names)

    def copy(self) -> Game:
        """An independent copy, with the same history."""
        other = copy(self)
        other.start = records.copy_position(self.start)
        other.position = records.copy_position(self.position)
        other._history = self._history.copy()
        other._before = self._before.copy()
        return other

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours in the order of play."""
        return self.colours

    @property
    def history(self) -> tuple[Entry, ...]:
        """Every action and outcome since the start, in order."""
        return tuple(self._history)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before each entry of the history; do not write to them."""
        return tuple(self._before)

    @property
    def phase(self) -> records.Phase:
        return records.Phase(int(self.position.phase))

    @property
    def turn(self) -> str | None:
        """The colour whose turn it is; None before the first player is known."""
        return (
            None if self.position.first == records.NONE else self.colours[int(self.position.turn)]
        )

    @property
    def actors(self) -> tuple[str, ...]:
        """The seats with a pending decision; several during sealed placements."""
        if self.awaits_chance:
            return ()
        return tuple(c for seat, c in enumerate(self.colours) if acts(self.position, seat))

    @property
    def awaits_chance(self) -> bool:
        """Whether a chance event is pending; `pending` says which."""
        return bool(self.position.chance != records.Chance.NONE)

    @property
    def pending(self) -> actions.PendingChance | None:
        """The pending chance event, which comes before any decision; None if there is none."""
        position = self.position.tobytes()
        if position != self._pending_in:  # a caller may have written to the position
            self._pending = pending_chance(self.position, self.ruleset, self.ids)
            self._pending_in = position
        return self._pending

    @property
    def over(self) -> bool:
        return bool(self.position.phase == records.Phase.OVER)

    @property
    def winner(self) -> str | None:
        """The winner's colour; None while the game lasts, and for a game without a winner."""
        winner = int(self.position.winner)
        return None if winner in (records.NONE, records.DRAWN) else self.colours[winner]

    @property
    def legal(self) -> Legal:
        """The decisions of all seats that have one pending."""
        return Legal(self.position, self.ruleset, self.ids)

    def legal_for(self, colour: str, *, with_out_of_turn: bool = False) -> Legal:
        """The decisions of one seat; with `with_out_of_turn` its actions out of turn as well."""
        seat = self.seat(colour)
        return Legal(self.position, self.ruleset, self.ids, seat, with_out_of_turn=with_out_of_turn)

    def out_of_turn_for(self, colour: str) -> Legal:
        """The actions of one seat that need no pending decision."""
        seat = self.seat(colour)
        return Legal(self.position, self.ruleset, self.ids, seat, only_out_of_turn=True)

    def seat(self, colour: str) -> int:
        """The number of a seat."""
        if colour not in self.colours:
            raise NotFound(
                "seat/unknown",
                f"No seat is called {colour!r}.",
                f"Seats: {', '.join(self.colours)}.",
            )
        return self.colours.index(colour)

    def owner_name(self, owner: int) -> str:
        """The colour of an owner index; `neutral` for neutral armies, `nobody` for none."""
        return self.ids.owner_name(owner)

    def refusal(self, action: actions.Action | str, *, seat: str | None = None) -> Refused | None:
        """Why an action is not possible now; None where it is.

        `seat` is the colour of the seat that wants to act: actions of other seats are refused, and
        the reason depends only on what that seat can see. None means the seat that has to decide.
        """
        action = self._action(action)
        code = self._refusal(self._code_of(action), seat)
        return None if code == Refusal.LEGAL else self._refused(code, action, seat)

    def allows(self, action: object) -> bool:
        """Whether `action` is an action that is legal now; False for any other object."""
        return allows(self.position, self.ruleset, self.ids, action)

    def actor_of(self, action: actions.Action) -> str:
        """The colour of the seat that an action belongs to now; `nobody` where no seat has it."""
        return self.owner_name(int(actor_of(self.position, actions.code_of(action, self.ids))))

    def play(
        self, action: actions.Action | str, *, seat: str | None = None, checked: bool = False
    ) -> StepEvents:
        """Take a decision, given as a value or as text; Refused where the rules refuse it.

        `seat` is the colour of the seat that decides, as in `refusal`; a server always gives it.
        `checked` says that `refusal` has just allowed the action: it is not checked again.
        """
        action = self._action(action)
        code = self._code_of(action)
        reason = Refusal.LEGAL if checked else self._refusal(code, seat)
        if reason != Refusal.LEGAL:
            raise self._refused(reason, action, seat)
        after = records.copy_position(self.position)
        apply(after, self.rules, self.tables, code)
        return self._step(action, after)

    def settle(self, outcome: actions.Outcome | str) -> StepEvents:
        """Apply the outcome of the pending chance event; BadOutcome where it does not fit."""
        if isinstance(outcome, str):
            outcome = parse_outcome(outcome)
        code = code_of_outcome(self.pending, outcome)
        after = records.copy_position(self.position)
        settle(after, self.rules, self.tables, code)
        return self._step(outcome, after)

    def sample(self, rng: Generator) -> actions.Outcome:
        """Draw an outcome of the pending chance event; `rng` is `engine.sampling.generator(seed)`.

        RubiconError: `game/not-a-generator` for any other, `game/nothing-pending`.
        """
        check_generator(rng)
        pending = self.pending
        if pending is None:
            raise RubiconError("game/nothing-pending", "No dice and no draw are pending.", "")
        with np.errstate(over="ignore"):
            return outcome_of(pending, int(sample(self.position, rng)))

    def view(self, colour: str | None = None) -> Position:
        """A position in which -1 stands for what the seat may not see (None: a spectator)."""
        seat = SPECTATOR if colour is None else self.seat(colour)
        view = records.copy_position(self.position)
        observe(self.position, self.rules, self.tables, seat, view)
        return view

    def undo(self, seat: str | None = None, *, past_turn: bool = False) -> actions.Action:
        """Take the last decision back; never past dice, cards, or a turn that was handed over.

        `seat` is the colour of the seat that asks; it cannot take another seat's decision back.
        `past_turn`: a turn that was handed over is taken back too, but nothing that was hidden.
        """
        last = self.check_undo(seat, past_turn=past_turn)
        self._history.pop()
        self.position = self._before.pop()
        return last

    def check_undo(self, seat: str | None = None, *, past_turn: bool = False) -> actions.Action:
        """The decision that `undo` takes back; RubiconError `undo/…` where it is refused."""
        if not self._history:
            raise RubiconError("undo/nothing", "No decision can be taken back: none was made.", "")
        last, before = self._history[-1], self._before[-1]
        if not isinstance(last, actions.Action):
            raise RubiconError(
                "undo/chance",
                "The last decision cannot be taken back: dice or cards followed it.",
                "",
            )
        actor = int(actor_of(before, actions.code_of(last, self.ids)))
        if seat is not None and self.owner_name(actor) != seat:
            raise RubiconError(
                "undo/not-yours",
                "The last decision is another player's: only they can take it back.",
                "",
            )
        if _shows_secrets(before, self.position) or (
            not past_turn and _hands_over(before, self.position, actor)
        ):
            raise RubiconError(
                "undo/handed-over",
                "The last decision cannot be taken back: it passed the turn on or showed a secret.",
                "",
            )
        return last

    def forget_history(self) -> None:
        """Drop the history: earlier decisions can no longer be taken back.

        For callers that store the history themselves, such as an event log.
        """
        self._history.clear()
        self._before.clear()

    def _action(self, action: actions.Action | str) -> actions.Action:
        if type(action) in actions.ACTION_CLASSES:  # `isinstance` would try the classes one by one
            return cast(actions.Action, action)
        if isinstance(action, str):
            return parse_action(action, self.ruleset.board, self.colours)
        if isinstance(action, actions.Outcome):
            suggestion = "An outcome of chance goes to game.settle."
            raise WrongType("game/not-an-action", action, "a decision", suggestion)
        suggestion = "Give one of game.legal, or a text such as 'claim alaska'."
        raise WrongType("game/not-an-action", action, "an action", suggestion)

    def _code_of(self, action: actions.Action) -> int:
        """The number of an action; the last one is kept, as an action is judged and then played."""
        if action is not self._coded[0]:
            self._coded = action, actions.code_of(action, self.ids)
        return self._coded[1]

    def _refusal(self, code: int, seat: str | None) -> Refusal:
        here = (self.position, self.rules, self.tables)
        number = refusal(*here, code) if seat is None else refusal_to(*here, self.seat(seat), code)
        # An enumeration's member is looked up only where it is needed: that takes a microsecond.
        return Refusal(number) if number else Refusal.LEGAL

    def _refused(self, refusal: Refusal, action: actions.Action, colour: str | None) -> Refused:
        actor = int(actor_of(self.position, actions.code_of(action, self.ids)))
        seat = actor if actor < self.size else records.NONE  # neutral armies are no seat
        # A seat hears only what its own view shows; without a seat, the whole position counts.
        view = self.position
        if colour is not None:
            seat, view = self.seat(colour), self.view(colour)
        return refused(refusal, action, seat=seat, view=view, ruleset=self.ruleset, names=self.ids)

    def _step(self, entry: Entry, after: Position) -> StepEvents:
        """Go on to a new position; the one before stays as it is, for `undo` and for events."""
        before, self.position = self.position, after
        self._history.append(entry)
        self._before.append(before)
        return StepEvents(Transition(self.ruleset, self.ids, before, after, entry))

    def _situation(self) -> str:
        """The turn and phase, for refusals; nothing that is known to one seat alone."""
        if self.over:
            return ""
        phase = self.phase.name.lower().replace("_", " ")
        return f"({self.turn or 'nobody'} to move, phase {phase})"

    def __str__(self) -> str:
        """The position in one line (`docs/notation.md`)."""
        return position_text(self.ruleset, self.position)

    def __repr__(self) -> str:
        return f"<Game {self.ruleset.name}: {len(self._history)} entries {self._situation()}>"


def _hands_over(before: Position, after: Position, actor: int) -> bool:
    """Whether a decision passed the turn on."""
    passed_on = before.turn != after.turn or before.phase > after.phase == records.Phase.REINFORCE
    return bool(passed_on or (acts(before, actor) and not acts(after, actor)))


def _shows_secrets(before: Position, after: Position) -> bool:
    """Whether a decision showed cards or armies that were hidden."""
    unsealed = before.phase == records.Phase.SEALED and after.phase != records.Phase.SEALED
    cards_shown = before.eliminated != records.NONE and after.eliminated == records.NONE
    return bool(unsealed or cards_shown)


def _check_position(given: object) -> None:
    if not isinstance(given, np.void) or given.dtype != records.POSITION:
        suggestion = "Give the `position` of a game, or what parse_position returns."
        raise WrongType("game/not-a-position", given, "a position", suggestion)


def _check_beginning(players: object, names: object, colours: object, standing: object) -> None:
    """Refuse values of the wrong kind."""
    if players is not None and not is_whole(players):
        suggestion = "Write Game.new(ruleset, 3)."
        raise WrongType("setup/players", players, "a number of players", suggestion)
    for what, given in (("names", names), ("colours", colours)):
        if given is not None and not are_texts(given):
            suggestion = f"Write {what}=[...], with a text for each seat."
            raise WrongType(f"setup/{what}", given, f"a list of {what}", suggestion)
    if standing not in tuple(records.Standing):
        known = ", ".join(f"Standing.{order.name}" for order in records.Standing)
        suggestion = f"Take one of {known} (rubicon.engine.records)."
        raise WrongType("setup/standing", standing, "a standing order", suggestion)


def _colours(
    ruleset: Ruleset,
    players: int | None,
    names: Sequence[str] | None,
    colours: Sequence[str] | None,
) -> tuple[str, ...]:
    """The seats' colours, after checks that say which argument is wrong."""
    fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
    count = players or len(names or colours or ()) or fewest
    if not fewest <= count <= most:
        allowed = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise RubiconError(
            "setup/players",
            f"{ruleset.name} is for {allowed} players, not {count}.",
            "Option players.min or players.max changes that.",
        )
    if count > ruleset.chosen.to_share:
        raise RubiconError(
            "setup/players",
            f"The board {ruleset.board.name} has too few territories for {count} players.",
            f"It has room for {ruleset.chosen.to_share}.",
        )
    chosen = tuple(colours) if colours else COLOURS[:count]
    for given in (chosen, names):
        if given is not None and len(given) != count:
            raise RubiconError("setup/seats", f"{count} seats, but {len(given)} were named.", "")
    if len(set(chosen)) != count or not set(chosen) <= set(COLOURS):
        raise RubiconError(
            "setup/colours",
            f"{', '.join(chosen)} are not {count} different colours.",
            f"Colours: {', '.join(COLOURS)}.",
        )
    return chosen


def _place_rebels(ruleset: Ruleset, position: Position, rebels: Mapping[str, int]) -> None:
    """Put the game master's rebels on the board before the deal (A-25)."""
    if not isinstance(rebels, Mapping):
        suggestion = 'Write rebels={"siam": 3}.'
        raise WrongType("setup/rebels", rebels, "a dict of territories and armies", suggestion)
    if rebels and ruleset.options["rebels.setup"] != "gm_list":
        raise RubiconError(
            "setup/rebels", f"{ruleset.name} has no rebels at set-up.", "Set rebels.setup=gm_list."
        )
    for name, armies in rebels.items():
        t = ruleset.board.index(name)
        if not is_whole(armies) or not 1 <= armies <= 1000 or position.owner[t] != records.NONE:
            raise RubiconError("setup/rebels", f"{armies} rebels on {name!r} cannot be.", "")
        change_owner(position, t, records.NEUTRAL)
        position.armies[t] = armies
    if len(rebels) > len(ruleset.board.territories) - int(position.seats):
        raise RubiconError("setup/rebels", "The rebels leave too few territories.", "")
