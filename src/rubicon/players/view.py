"""What a seat may see of a game, in words and numbers for those who write a bot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rubicon.engine.cards import next_set_value
from rubicon.engine.codes import SetValues
from rubicon.engine.records import HIDDEN, Position, Seat
from rubicon.errors import RubiconError
from rubicon.odds.outlook import outlook
from rubicon.odds.rule import DiceRule
from rubicon.rules.actions import Attack
from rubicon.rules.game import Game
from rubicon.rules.legal import Legal
from rubicon.rules.notation.positions import position_text
from rubicon.rules.situation import income, phase_shown

MOST_ARMIES = 300  # of a side in `View.chance`; larger armies are scaled down


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """What everyone knows of a seat.

    `armies` are those on the board that can be seen, `cards` how many it holds, and `income` what
    it would get if its turn began now.
    """

    colour: str
    playing: bool
    territories: int
    armies: int
    cards: int
    income: int


@dataclass(frozen=True, slots=True)
class ContinentSeen:
    """A continent; `owner` is the colour that holds all of it, or None."""

    id: str
    bonus: int
    territories: tuple[str, ...]
    owner: str | None


class TerritorySeen:
    """A territory; its text is its id, so that it can stand in orders and actions.

    `owner` is a colour, `neutral`, or None; `armies` is None while they are hidden; `number` is
    its index on the board.
    """

    __slots__ = ("_view", "armies", "id", "number", "owner")

    def __init__(self, view: View, number: int) -> None:
        owner, armies = view.owners[number], view.armies[number]
        self._view, self.number = view, number
        self.id = view.game.territories[number]
        self.owner = None if owner < 0 else view.game.owner_name(owner)
        self.armies = None if armies == HIDDEN else armies

    @property
    def name(self) -> str:
        """The name as the board spells it."""
        return self._view.game.ruleset.board.territories[self.number].name

    @property
    def continent(self) -> ContinentSeen:
        """Its continent."""
        board = self._view.game.ruleset.board
        return self._view.continents[board.territories[self.number].continent]

    @property
    def mine(self) -> bool:
        """Whether the seat owns it."""
        return self.owner == self._view.seat

    @property
    def neighbours(self) -> tuple[TerritorySeen, ...]:
        """The territories that can be attacked from here if another owns them."""
        row = self._view.game.tables.adjacent[self.number]
        lands = zip(self._view.territories, row.tolist(), strict=False)
        return tuple(land for land, adjacent in lands if adjacent)

    @property
    def enemies(self) -> tuple[TerritorySeen, ...]:
        """The neighbours that have another owner."""
        return tuple(land for land in self.neighbours if land.owner != self.owner)

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"<{self.id}: {self.owner} {self.armies}>"


def no_border(land: TerritorySeen, other: TerritorySeen) -> RubiconError:
    """The error for a path between territories that are no neighbours."""
    near = ", ".join(map(str, land.neighbours))
    return RubiconError(
        "board/no-border",
        f"{land.name} has no border with {other.name}.",
        f"Its neighbours: {near}.",
    )


class View:
    """What a seat may see at its decision; nothing else of the game can be reached from here.

    `game` is a game that continues from the view, in which -1 stands for what is hidden: a bot may
    copy it, and try actions on the copy.
    """

    def __init__(self, game: Game, seat: str) -> None:
        self.seat = seat
        position = game.view(seat)
        self.game = Game.from_position(game.ruleset, position, names=game.names)
        self._position: Position = position
        self._number = self.game.seat(seat)
        self.owners: list[int] = position.owner.tolist()
        self.armies: list[int] = position.armies.tolist()

    def __getitem__(self, name: str) -> TerritorySeen:
        """The territory of an id, a name, or the beginning of one."""
        ids = self.game.territories
        known = name in self.game.ruleset.board.territory_ids
        return self.territories[ids.index(name) if known else self.game.ruleset.board.index(name)]

    @cached_property
    def territories(self) -> tuple[TerritorySeen, ...]:
        """All territories, in the order of the board."""
        return tuple(TerritorySeen(self, t) for t in range(len(self.game.territories)))

    @property
    def mine(self) -> tuple[TerritorySeen, ...]:
        """The own territories."""
        return tuple(land for land in self.territories if land.mine)

    @property
    def borders(self) -> tuple[TerritorySeen, ...]:
        """The own territories that have a neighbour of another owner."""
        return tuple(land for land in self.mine if land.enemies)

    @cached_property
    def continents(self) -> tuple[ContinentSeen, ...]:
        """All continents, in the order of the board."""
        return tuple(
            ContinentSeen(
                continent.id,
                continent.bonus,
                tuple(self.game.territories[t] for t in continent.territories),
                self._holder(continent.territories),
            )
            for continent in self.game.ruleset.board.continents
        )

    def _holder(self, territories: tuple[int, ...]) -> str | None:
        holders = {self.owners[t] for t in territories}
        (only,) = holders if len(holders) == 1 else (-1,)
        return self.game.colours[only] if 0 <= only < self.game.size else None

    @cached_property
    def seats(self) -> dict[str, SeatSeen]:
        """What is known of each seat, by colour, in the order of play."""
        return {colour: self._seen(number) for number, colour in enumerate(self.game.colours)}

    def _seen(self, number: int) -> SeatSeen:
        position = self._position
        standing = zip(self.owners, self.armies, strict=True)
        playing = bool(position.status[number] == Seat.PLAYING)
        return SeatSeen(
            colour=self.game.colours[number],
            playing=playing,
            territories=int(position.territories[number]),
            armies=sum(armies for owner, armies in standing if owner == number and armies > 0),
            cards=int(position.hand[number]),
            income=income(self.game.ruleset, position, number).total if playing else 0,
        )

    @property
    def me(self) -> SeatSeen:
        """The own seat."""
        return self.seats[self.seat]

    @property
    def round(self) -> int:
        """The round; 0 before the first turn."""
        return int(self._position.round_number)

    @property
    def turn(self) -> str | None:
        """The colour whose turn it is: another's, where the seat defends."""
        return self.game.turn

    @property
    def phase(self) -> str:
        """What is to be decided: `claim`, `place`, `reinforce`, `attack`, `occupy`, `fortify` …"""
        return phase_shown(self._position).name.lower()

    @property
    def unplaced(self) -> int:
        """Armies received and not yet placed."""
        return int(self._position.unplaced[self._number])

    @property
    def cards(self) -> tuple[str, ...]:
        """The own cards."""
        places = self._position.card.tolist()
        return tuple(
            card
            for card, place in zip(self.game.cards, places, strict=False)
            if place == self._number
        )

    @property
    def next_set(self) -> int | None:
        """The armies of the own next set; None where sets are worth what their stars say."""
        rules = self.game.rules
        if rules.cards_values == SetValues.STARS:
            return None
        return int(next_set_value(self._position, rules, self._number))

    @property
    def mission(self) -> str | None:
        """The own mission in words; None in a game without missions."""
        number = int(self._position.mission[self._number])
        if not self.game.rules.missions_in_play or number < 0:
            return None
        return self.game.ruleset.board.missions[number].text

    @cached_property
    def legal(self) -> Legal:
        """The actions to choose from; `legal.ranges` puts together those of one kind."""
        return self.game.legal_for(self.seat)

    @cached_property
    def attacks(self) -> tuple[tuple[TerritorySeen, TerritorySeen], ...]:
        """The attacks that are possible now, as pairs of territories."""
        found = [r.lowest for r in self.legal.ranges if isinstance(r.lowest, Attack)]
        pairs = dict.fromkeys((attack.source, attack.target) for attack in found)
        return tuple((self[source], self[target]) for source, target in pairs)

    def chance(self, source: object, target: object, *behind: object) -> float:
        """The chance to take `target` from `source`, and then what is `behind` it, one by one.

        Every attack goes on to its end, and everyone rolls as many dice as the rules allow.
        Armies above 300 are scaled down, with those they meet. Raises RubiconError:
        `board/unknown-territory`, `board/no-border`, and those of the odds.
        """
        start, *path = (self[str(t)].number for t in (source, target, *behind))
        for here, there in pairwise((start, *path)):
            if not self.game.tables.adjacent[here, there]:
                raise no_border(self.territories[here], self.territories[there])
        defend = [self.armies[t] for t in path]
        attack = self.armies[start]
        most = max(attack, sum(defend))
        if most > MOST_ARMIES:
            attack, *defend = (max(1, n * MOST_ARMIES // most) for n in (attack, *defend))
        if attack < 2:
            return 0.0
        rule = DiceRule.between(self.game.ruleset, self._position, start, path[0])
        return outlook(attack, tuple(defend), rule).taken

    @property
    def text(self) -> str:
        """The view as one line of the notation."""
        return position_text(self.game.ruleset, self._position)

    def __repr__(self) -> str:
        return f"<View of {self.seat}: round {self.round}, {self.phase}>"
