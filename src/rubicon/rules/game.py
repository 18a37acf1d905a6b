"""A game: a position under a ruleset, with its history: the checked door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rubicon.rules.actions import Action, code_of
from rubicon.rules.board import COLOURS
from rubicon.rules.errors import RubiconError
from rubicon.rules.events import Event
from rubicon.rules.facts import action_events, outcome_events
from rubicon.rules.kinds import WrongKind, are_texts, is_whole
from rubicon.rules.legal import Legal, check_generator
from rubicon.rules.outcomes import Outcome, Owed
from rubicon.rules.owed import code_of_outcome, outcome_of, owed_by
from rubicon.rules.position import (
    DRAWN,
    NEUTRAL,
    NONE,
    POSITION,
    Chance,
    Phase,
    Standing,
    copy_position,
    empty_position,
)
from rubicon.rules.procedures.holdings import acts, change_owner
from rubicon.rules.procedures.legality import actor_of, refusal, refusal_to
from rubicon.rules.procedures.observe import observe
from rubicon.rules.procedures.play import apply, settle
from rubicon.rules.procedures.sampling import sample
from rubicon.rules.procedures.setup import next_setup_step, open_game
from rubicon.rules.refusals import Refusal, Refused
from rubicon.rules.ruleset import Ruleset, check_ruleset
from rubicon.rules.text.actions import parse_action
from rubicon.rules.text.outcomes import parse_outcome
from rubicon.rules.text.position_fields import reward_names
from rubicon.rules.text.positions import position_text

Entry = Action | Outcome
SPECTATOR = -1


class Game:
    """One game at one moment, and how it came there.

    Nothing here rolls dice: `owed` says what chance owes, `settle` hands it in.
    """

    def __init__(
        self, ruleset: Ruleset, position: Any, *, names: Sequence[str] | None = None
    ) -> None:
        check_ruleset(ruleset)
        _check_position(position)
        self.ruleset = ruleset
        self.rules = ruleset.rules
        self.tables = ruleset.tables
        self.position = copy_position(position)
        self.start = copy_position(position)
        self.territories = tuple(t.id for t in ruleset.board.territories)
        self.cards = self.territories + tuple(
            f"wild{number + 1}" for number in range(int(self.tables.cards) - len(self.territories))
        )
        self.objectives = tuple(f"OB{number:02}" for number in range(1, 13))
        self.missions = tuple(f"M{number:02}" for number in range(1, 15))
        self.rewards = reward_names(ruleset)
        self.size = int(position.seats)
        self.colours = tuple(COLOURS[int(position.colour[seat])] for seat in range(self.size))
        self.names = tuple(names) if names is not None else self.colours
        self._history: list[Entry] = []
        self._before: list[Any] = []

    @classmethod
    def new(
        cls,
        ruleset: Ruleset,
        players: int | None = None,
        *,
        names: Sequence[str] | None = None,
        colours: Sequence[str] | None = None,
        rebels: Mapping[str, int] | None = None,
        standing: Standing = Standing.MAXIMUM,
    ) -> Game:
        """A game about to begin, with `players` seats (or one a name, or the ruleset's fewest).

        `colours` are the seats' colours in the order of play; `rebels` the territories and armies
        that a game master names (A-25); `standing` everybody's standing order (A-29).
        RubiconError where the ruleset does not allow it.
        """
        check_ruleset(ruleset)
        _check_beginning(players, names, colours, standing)
        chosen = _colours(ruleset, players, names, colours)
        position = empty_position()
        open_game(position, ruleset.rules, ruleset.tables, len(chosen))
        for seat, colour in enumerate(chosen):
            position.colour[seat] = COLOURS.index(colour)
            position.standing_all[seat] = standing
        _place_rebels(ruleset, position, rebels or {})
        next_setup_step(position, ruleset.rules, ruleset.tables)
        return cls(ruleset, position, names=names)

    @classmethod
    def from_position(
        cls, ruleset: Ruleset, position: Any, *, names: Sequence[str] | None = None
    ) -> Game:
        """A game that goes on from a position, without a history."""
        return cls(ruleset, position, names=names)

    def copy(self) -> Game:
        """The same game, to be played on apart."""
        other = Game(self.ruleset, self.start, names=self.names)
        other.position = copy_position(self.position)
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
    def positions(self) -> tuple[Any, ...]:
        """The position before each entry of the history; not to be written to."""
        return tuple(self._before)

    @property
    def phase(self) -> Phase:
        return Phase(int(self.position.phase))

    @property
    def turn(self) -> str | None:
        """The colour whose turn it is; None before anybody begins."""
        return None if self.position.first == NONE else self.colours[int(self.position.turn)]

    @property
    def actors(self) -> tuple[str, ...]:
        """The seats that owe a decision now."""
        if self.awaits_chance:
            return ()
        return tuple(c for seat, c in enumerate(self.colours) if acts(self.position, seat))

    @property
    def awaits_chance(self) -> bool:
        """Whether chance owes something; `owed` says what."""
        return bool(self.position.chance != Chance.NONE)

    @property
    def owed(self) -> Owed | None:
        """What chance owes; then nobody else can go on."""
        return owed_by(self)

    @property
    def over(self) -> bool:
        return bool(self.position.phase == Phase.OVER)

    @property
    def winner(self) -> str | None:
        """The winner's colour; None while the game lasts, and for a draw."""
        winner = int(self.position.winner)
        return None if winner in (NONE, DRAWN) else self.colours[winner]

    @property
    def legal(self) -> Legal:
        """What the seats that owe a decision may do."""
        return Legal(self, [seat for seat in range(self.size) if acts(self.position, seat)])

    def legal_for(self, colour: str, *, with_asides: bool = False) -> Legal:
        """What one seat may do; with asides also standing orders, resigning, a mission shown."""
        return Legal(self, [self.seat(colour)], with_asides=with_asides)

    def seat(self, colour: str) -> int:
        """The number of a seat."""
        if colour not in self.colours:
            raise RubiconError(
                "seat/unknown", f"Nobody plays {colour!r}.", f"Seats: {', '.join(self.colours)}."
            )
        return self.colours.index(colour)

    def owner_name(self, owner: int) -> str:
        """The colour of an owner index, or what neutral armies are called here."""
        if owner == NEUTRAL:
            return "neutral"
        return "nobody" if owner == NONE else self.colours[owner]

    def refusal(self, action: Action | str, *, seat: str | None = None) -> Refused | None:
        """Why an action is not possible now; None where it is.

        `seat` is the colour of who asks: what belongs to another is refused, and why something is
        refused follows from what the seat can see. None asks for whoever has to decide.
        """
        action = self._action(action)
        code = self._refusal(code_of(action, self), seat)
        return None if code == Refusal.LEGAL else self._refused(code, action)

    def allows(self, action: object) -> bool:
        """Whether something is an action that is legal now."""
        try:
            code = code_of(action, self)  # type: ignore[arg-type]
        except (RubiconError, AttributeError, TypeError):
            return False
        return bool(refusal(self.position, self.rules, self.tables, code) == Refusal.LEGAL)

    def actor_of(self, action: Action) -> str:
        """The colour of the seat that an action belongs to now; `nobody` where it is nobody's."""
        return self.owner_name(int(actor_of(self.position, code_of(action, self))))

    def play(self, action: Action | str, *, seat: str | None = None) -> tuple[Event, ...]:
        """Take a decision, given as a value or as text; Refused where the rules refuse it.

        `seat` is the colour of who decides, see `refusal`: whoever hosts a game always names it.
        """
        action = self._action(action)
        code = code_of(action, self)
        reason = self._refusal(code, seat)
        if reason != Refusal.LEGAL:
            raise self._refused(reason, action)
        actor = self.owner_name(int(actor_of(self.position, code)))
        before = self._remember(action)
        apply(self.position, self.rules, self.tables, code)
        return action_events(self, before, actor, action)

    def settle(self, outcome: Outcome | str) -> tuple[Event, ...]:
        """Hand in what chance owes; BadOutcome where it is not what is owed."""
        if isinstance(outcome, str):
            outcome = parse_outcome(outcome)
        code = code_of_outcome(self, outcome)
        before = self._remember(outcome)
        settle(self.position, self.rules, self.tables, code)
        return outcome_events(self, before, outcome)

    def sample(self, rng: Any) -> Outcome:
        """Draw what chance owes; `rng` is what `procedures.sampling.generator(seed)` returns.

        RubiconError: `game/not-a-generator` for any other, `game/nothing-owed`.
        """
        check_generator(rng)
        if self.owed is None:
            raise RubiconError("game/nothing-owed", "Chance owes nothing now.", "")
        with np.errstate(over="ignore"):
            return outcome_of(self, int(sample(self.position, rng)))

    def view(self, colour: str | None = None) -> Any:
        """A position in which -1 stands for what the seat may not see (None: a spectator)."""
        seat = SPECTATOR if colour is None else self.seat(colour)
        view = copy_position(self.position)
        observe(self.position, self.rules, self.tables, seat, view)
        return view

    def undo(self, seat: str | None = None) -> Action:
        """Take the last decision back; never past dice, cards, or a turn that was handed over.

        `seat` is the colour of who asks: another's decision is not theirs to take back.
        """
        if not self._history:
            raise RubiconError("undo/nothing", "There is nothing to take back.", "")
        last, before = self._history[-1], self._before[-1]
        if not isinstance(last, Action):
            raise RubiconError("undo/chance", "Chance has spoken since.", "")
        actor = int(actor_of(before, code_of(last, self)))
        if seat is not None and self.owner_name(actor) != seat:
            raise RubiconError(
                "undo/not-yours", "The last decision is another's: only they can take it back.", ""
            )
        if _cannot_return(before, self.position, actor):
            raise RubiconError(
                "undo/handed-over",
                "Since the last decision the turn was handed on, or a secret shown.",
                "",
            )
        self._history.pop()
        self.position = self._before.pop()
        return last

    def forget_history(self) -> None:
        """Let go of everything that led here: nothing of it can be taken back any more.

        For whoever keeps the history elsewhere, as a log does.
        """
        self._history.clear()
        self._before.clear()

    def _action(self, action: Action | str) -> Action:
        if isinstance(action, str):
            return parse_action(action, self.ruleset.board, self.colours)
        if isinstance(action, Outcome):
            suggestion = "What chance answers is handed in with settle."
            raise WrongKind("game/not-an-action", action, "a decision", suggestion)
        if not isinstance(action, Action):
            suggestion = "Give one of game.legal, or a text such as 'claim alaska'."
            raise WrongKind("game/not-an-action", action, "an action", suggestion)
        return action

    def _refusal(self, code: int, seat: str | None) -> Refusal:
        here = (self.position, self.rules, self.tables)
        if seat is None:
            return Refusal(refusal(*here, code))
        return Refusal(refusal_to(*here, self.seat(seat), code))

    def _refused(self, refusal: Refusal, action: Action) -> Refused:
        return Refused(refusal, str(action), self._situation())

    def _remember(self, entry: Entry) -> Any:
        before = copy_position(self.position)
        self._history.append(entry)
        self._before.append(before)
        return before

    def _situation(self) -> str:
        """A few words on the position, for refusals; nothing that only one seat may know."""
        if self.over:
            return ""
        phase = self.phase.name.lower().replace("_", " ")
        return f"({self.turn or 'nobody'} to move, phase {phase})"

    def __str__(self) -> str:
        """The position in one line (`docs/notation.md`)."""
        return position_text(self.ruleset, self.position)

    def __repr__(self) -> str:
        return f"<Game {self.ruleset.name}: {len(self._history)} entries {self._situation()}>"


def _cannot_return(before: Any, after: Any, actor: int) -> bool:
    """Whether a decision of a seat handed on to others, or showed what was hidden before it."""
    handed_over = before.turn != after.turn or before.phase > after.phase == Phase.REINFORCE
    handed_over |= bool(acts(before, actor)) and not acts(after, actor)
    unsealed = before.phase == Phase.SEALED and after.phase != Phase.SEALED
    cards_shown = before.eliminated != NONE and after.eliminated == NONE
    return bool(handed_over or unsealed or cards_shown)


def _check_position(given: object) -> None:
    if not isinstance(given, np.void) or given.dtype != POSITION:
        suggestion = "Give the `position` of a game, or what parse_position returns."
        raise WrongKind("game/not-a-position", given, "a position", suggestion)


def _check_beginning(players: object, names: object, colours: object, standing: object) -> None:
    """Refuse values of the wrong kind."""
    if players is not None and not is_whole(players):
        suggestion = "Write Game.new(ruleset, 3)."
        raise WrongKind("setup/players", players, "a number of players", suggestion)
    for what, given in (("names", names), ("colours", colours)):
        if given is not None and not are_texts(given):
            suggestion = f"Write {what}=[...], with a text for each seat."
            raise WrongKind(f"setup/{what}", given, f"a list of {what}", suggestion)
    if standing not in tuple(Standing):
        known = ", ".join(f"Standing.{order.name}" for order in Standing)
        suggestion = f"Take one of {known} (rubicon.rules.position)."
        raise WrongKind("setup/standing", standing, "a standing order", suggestion)


def _colours(
    ruleset: Ruleset,
    players: int | None,
    names: Sequence[str] | None,
    colours: Sequence[str] | None,
) -> tuple[str, ...]:
    """Who plays which colour, after checks that say what is wrong."""
    fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
    count = players or len(names or colours or ()) or fewest
    if not fewest <= count <= most:
        allowed = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise RubiconError(
            "setup/players",
            f"{ruleset.name} is for {allowed} players, not {count}.",
            "Option players.min or players.max changes that.",
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


def _place_rebels(ruleset: Ruleset, position: Any, rebels: Mapping[str, int]) -> None:
    """Put the game master's rebels on the board before the deal (A-25)."""
    if not isinstance(rebels, Mapping):
        suggestion = 'Write rebels={"siam": 3}.'
        raise WrongKind("setup/rebels", rebels, "a dict of territories and armies", suggestion)
    if rebels and ruleset.options["rebels.setup"] != "gm_list":
        raise RubiconError(
            "setup/rebels", f"{ruleset.name} has no rebels at set-up.", "Set rebels.setup=gm_list."
        )
    for name, armies in rebels.items():
        t = ruleset.board.index(name)
        if not is_whole(armies) or not 1 <= armies <= 1000 or position.owner[t] != NONE:
            raise RubiconError("setup/rebels", f"{armies} rebels on {name!r} cannot be.", "")
        change_owner(position, t, NEUTRAL)
        position.armies[t] = armies
    if len(rebels) > len(ruleset.board.territories) - int(position.seats):
        raise RubiconError("setup/rebels", "The rebels leave too few territories.", "")
