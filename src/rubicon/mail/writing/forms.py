"""The form of an e-mail: orders that work as they are, and examples after comment signs.

It does only what must be done. Where the rules leave a choice, it takes one that costs nothing
that could be kept: the best set, armies on a border, no attack, no move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from rubicon.engine.cards import next_set_value, trade_forced
from rubicon.engine.codes import SetValues
from rubicon.engine.records import Phase, Position
from rubicon.errors import RubiconError
from rubicon.mail.writing.scene import Scene
from rubicon.orders.execute.program import SeatView
from rubicon.orders.explain import TURN_ENDS, Explainer
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.syntax import IfOrder
from rubicon.rules import actions
from rubicon.rules.legal import Legal
from rubicon.rules.situation import capital_due

A = TypeVar("A", bound=actions.Action)
END = "END"
MAY_ATTACK = "Attack, if you like."
MOST_EXAMPLES = 3
COMMENT = "// "
PLACED = "Then you have placed."
PLACING = (Phase.PLACE, Phase.SEALED)


@dataclass(frozen=True, slots=True)
class OrderForm:
    """The lines of a form, what they do in words, and what is due, step by step.

    `traded` are the armies that the sets bring which must be traded.
    """

    lines: tuple[str, ...]
    words: str
    due: tuple[str, ...]
    traded: int = 0

    @property
    def attacks(self) -> bool:
        """Whether attacks are still to come."""
        return MAY_ATTACK in self.due


def form_of(scene: Scene) -> OrderForm:
    """The form for the decision that waits for the recipient."""
    made = FormMaker(scene)
    phase = Phase(int(scene.view.phase))
    lines, due = made.of_phase(phase)
    whole = (*lines, END)
    ends = TURN_ENDS if scene.round else PLACED if phase in PLACING else ""
    return OrderForm(whole, _in_words(scene, whole, ends), tuple(due), made.traded)


def _in_words(scene: Scene, lines: Iterable[str], ends: str) -> str:
    """The orders as one sentence after another, and what their end does."""
    try:
        text = read_orders("\n".join(lines), scene.board, scene.game.colours)
    except RubiconError:  # a form that cannot be read is a mistake of ours, and tests look for it
        return ""
    explainer = Explainer(scene.board)
    # A form has no conditions, which would be sentences with others under them.
    orders = (order for order in text.orders if not isinstance(order, IfOrder))
    said = " ".join([*map(explainer.sentence, orders), ends])
    return " ".join(said.split())


class FormMaker:
    """The forms of all phases; what is possible is asked of the rules."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.view = scene.view
        self.seat_view = SeatView(scene.game, scene.you)
        self.legal = self.seat_view.legal(self.view)
        self.traded = 0  # armies of sets that must be traded

    def of_phase(self, phase: Phase) -> tuple[list[str], list[str]]:
        """The lines without END, and what is due."""
        match phase:
            case Phase.CLAIM if capital_due(self.scene.snapshot.ruleset, self.view):
                return self._first(actions.PlaceCapital, "CAPITAL", "Found your capital.")
            case Phase.CLAIM:
                return self._first(actions.Claim, "CLAIM", "Claim one free territory.")
            case Phase.HEADQUARTERS:
                return self._first(actions.PlaceCapital, "CAPITAL", "Choose your headquarters.")
            case Phase.PLACE:
                return self._starting(sealed=False)
            case Phase.SEALED:
                return self._starting(sealed=True)
            case Phase.DEFEND:
                return self._defence()
            case Phase.OCCUPY:
                least = int(self.view.occupy_minimum)
                lines = ["ADVANCE MIN", COMMENT + "ADVANCE ALL"]
                return lines, [f"Say how many armies move in: {least} or more.", *self._going_on()]
            case Phase.OBJECTIVE:
                return self._objective()
            case Phase.CONTINENTS:
                armies = self.seat_view.unplaced(self.view)
                return [self._deploy(self.view)], [f"Place the {armies} armies of your continents."]
            case Phase.ATTACK | Phase.FORTIFY:
                examples = list(self._examples(self.view, phase == Phase.ATTACK))
                return examples, self._going_on()[0 if phase == Phase.ATTACK else 1 :]
            case _:
                return self._turn()

    def _going_on(self) -> list[str]:
        return [MAY_ATTACK, "Fortify, if you like."]

    def _first(
        self, kind: type[actions.Claim] | type[actions.PlaceCapital], verb: str, due: str
    ) -> tuple[list[str], list[str]]:
        """One of the territories that may be named; the next ones are examples."""
        names = [a.territory for a in self.legal if isinstance(a, kind)]
        best = sorted(names, key=self._worth, reverse=True)[: 1 + MOST_EXAMPLES]
        examples = [f"{COMMENT}{verb} {name}" for name in best[1:]]
        return [f"{verb} {best[0]}" if best else COMMENT + verb, *examples], [due]

    def _worth(self, name: str) -> tuple[int, int]:
        """Next to own territories, then in a continent with few territories."""
        t = self.seat_view.territory(name)
        own = set(self.scene.own())
        beside = sum(n in own for n in self.scene.neighbours(t))
        continent = self.scene.board.continents[self.scene.board.territories[t].continent]
        return beside, -len(continent.territories)

    def _starting(self, *, sealed: bool) -> tuple[list[str], list[str]]:
        """Starting armies. Of neutral ones, too, where two players place them."""
        places = [place for place, _ in self._ranges(actions.Place)]
        own = [p for p in places if self.seat_view.holds(self.view, p.territory)]
        others = [p for p in places if not self.seat_view.holds(self.view, p.territory)]
        left = self.seat_view.unplaced(self.view)
        best = self._best_place([place.territory for place in own])
        lines = [f"DEPLOY {left} {best}"] if best and left else []
        due = [f"Place your starting armies: {left} {'is' if left == 1 else 'are'} left."]
        if not left:
            due = ["All armies are placed: send END, or UNDO to place the last ones again."]
        if others or int(self.view.neutral_left):
            lines, due = self._with_neutral(best, [place.territory for place in others])
        if sealed:
            due.append("The others see your placement when all players have placed.")
        return lines, due

    def _with_neutral(self, best: str, others: list[str]) -> tuple[list[str], list[str]]:
        own, neutral = int(self.view.own_left), int(self.view.neutral_left)
        if not others:  # neutral armies can go only where neutral armies are
            held = self.scene.held_by("neutral")
            others = [self.scene.game.territories[t] for t in held]
        lines = [f"DEPLOY {own} {best}"] if best and own else []
        lines += [f"DEPLOY {neutral} {others[0]}"] if others and neutral else []
        return lines, [f"Place {own} of your armies and {neutral} neutral."]

    def _defence(self) -> tuple[list[str], list[str]]:
        dice = [action.dice for action in self._actions(actions.DefendWith)]
        names = self.scene.game.territories
        target = self.scene.territory(names[int(self.view.attack_target)])
        lines = ["DEFEND MAX"] + [f"{COMMENT}DEFEND {n}" for n in dice if n < max(dice)]
        return lines, [f"{target} is attacked: say how many dice defend it."]

    def _objective(self) -> tuple[list[str], list[str]]:
        claims = self._actions(actions.ClaimObjective)
        texts = {o.id: o.text for o in self.scene.board.objectives}
        lines = ["OBJECTIVE NO"]
        for claim in claims[:MOST_EXAMPLES]:
            airfield = f" AIRFIELD {claim.airfield}" if claim.airfield else ""
            lines.append(f"{COMMENT}OBJECTIVE {claim.objective}{airfield}")
        due = [f"You may claim {c.objective}: {texts.get(c.objective, '')}" for c in claims]
        return lines, [*dict.fromkeys(due), "Fortify, if you like."]

    def _turn(self) -> tuple[list[str], list[str]]:
        """The first step of a turn, or a trade after an elimination; then what may follow."""
        position, traded = self._after_trades()
        stars = self.seat_view.rules.cards_values == SetValues.STARS
        sets = self._holds_set(position)
        armies = self.seat_view.unplaced(position)
        lines: list[str] = []
        due: list[str] = []
        if traded:
            cards = len(self.scene.hand(self.scene.you))
            plural = "a set" if traded == 1 else f"{traded} sets"
            gain = self.traded = armies - self.seat_view.unplaced(self.view)
            lines.append("TRADE BEST")
            due.append(f"Trade {plural}: you hold {cards} cards. It is worth {gain} armies.")
        if sets:
            lines.append(COMMENT + "TRADE BEST")
            value = next_set_value(position, self.seat_view.rules, self.seat_view.seat)
            worth = "" if stars else f" It is worth {value} armies."
            due.append(f"Trade {'stars' if stars else 'a set'}, if you like.{worth}")
        if armies:
            lines.append(self._deploy(position, rest=sets))
            due.append(
                f"Place {armies} {'army' if armies == 1 else 'armies'}.{self._made_of(armies)}"
            )
        lines += self._examples(position, attack=True)
        return lines, [*due, *self._going_on()]

    def _made_of(self, armies: int) -> str:
        own = self.seat_view.unplaced(self.view)
        return f" {own} of your award, {armies - own} of the set." if 0 < own < armies else ""

    def _after_trades(self) -> tuple[Position, int]:
        """The position after the sets that must be traded, each the best one; and how many."""
        position, traded = self.view, 0
        while trade_forced(position, self.seat_view.rules, self.seat_view.tables):
            sets = [a for a in self.seat_view.legal(position) if isinstance(a, actions.Trade)]
            if not sets:
                break
            after = [self.seat_view.applied(position, action) for action in sets]
            position, traded = max(after, key=self._all_armies), traded + 1
        return position, traded

    def _all_armies(self, position: Position) -> int:
        return self.seat_view.own_armies(position) + self.seat_view.unplaced(position)

    def _holds_set(self, position: Position) -> bool:
        kinds = (actions.Trade, actions.Offer)
        return any(isinstance(r.lowest, kinds) for r in self.seat_view.legal(position).ranges)

    def _deploy(self, position: Position, *, rest: bool = False) -> str:
        """All armies on the border that most depends on."""
        places = self._ranges(actions.Place, self.seat_view.legal(position))
        armies = self.seat_view.unplaced(position)
        roomy = [high.territory for _, high in places if high.armies >= armies]
        names = roomy or [low.territory for low, _ in places]
        best = self._best_place(names)
        return f"DEPLOY {'REST' if rest else armies} {best}" if best else COMMENT + "DEPLOY"

    def _best_place(self, names: Iterable[str]) -> str:
        """The border with most armies; among equals, with most neighbours of others."""
        ranked = sorted(names, key=self._importance, reverse=True)
        return ranked[0] if ranked else ""

    def _importance(self, name: str) -> tuple[bool, int, int]:
        t = self.seat_view.territory(name)
        foes = len(self._foes(self.view, t))
        return bool(foes), int(self.view.armies[t]), foes

    def _foes(self, position: Position, t: int) -> list[int]:
        seat = self.seat_view.seat
        return [n for n in self.scene.neighbours(t) if position.owner[n] != seat]

    def _examples(self, position: Position, attack: bool) -> Iterator[str]:
        """An attack and a move, after comment signs, with territories of this game."""
        names = self.scene.game.territories
        own = [t for t in range(len(names)) if position.owner[t] == self.seat_view.seat]
        fronts = [t for t in own if self._foes(position, t)]
        if attack and fronts:
            source = self.seat_view.territory(self._best_place([names[t] for t in fronts]))
            weakest = min(self._foes(position, source), key=lambda n: int(position.armies[n]))
            yield f"{COMMENT}ATTACK {names[source]} -> {names[weakest]} UNTIL LEFT 3"
        moves = [
            (
                not self._foes(position, t),
                int(position.armies[t]),
                bool(self._foes(position, n)),
                t,
                n,
            )
            for t in own
            for n in self.scene.neighbours(t)
            if position.owner[n] == self.seat_view.seat and position.armies[t] > 1
        ]
        if moves:
            *_, source, target = max(moves)
            yield f"{COMMENT}FORTIFY {names[source]} -> {names[target]} ALL"

    def _actions(self, kind: type[A]) -> list[A]:
        """The legal actions of a kind."""
        return [action for action in self.legal if isinstance(action, kind)]

    def _ranges(self, kind: type[A], legal: Legal | None = None) -> list[tuple[A, A]]:
        """The lowest and the highest action of each range of a kind."""
        ranges = (self.legal if legal is None else legal).ranges
        pairs = ((each.lowest, each.highest) for each in ranges)
        return [
            (low, high) for low, high in pairs if isinstance(low, kind) and isinstance(high, kind)
        ]
