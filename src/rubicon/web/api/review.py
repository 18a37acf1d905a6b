"""The review of a finished game: moments, luck, rolls, curves, key moments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Concatenate, Literal, ParamSpec, TypedDict, TypeVar

from litestar import Controller, get
from litestar.di import NamedDependency, Provide
from litestar.params import PathParameter, QueryParameter
from litestar.response import Response

from rubicon.engine.records import NONE
from rubicon.rules.situation import TurnStart
from rubicon.server import reviews
from rubicon.server.key_moments import ContinentHeld, FoughtBattle, KeyMoments
from rubicon.server.reviews import (
    ChancesForm,
    GameLuck,
    MomentPosition,
    ReadyReview,
    RollRow,
    WinningReviewForm,
)
from rubicon.server.server import Server
from rubicon.table.admin.review import Moment
from rubicon.web.api.bodies import MAX_NUMBER
from rubicon.web.api.position import PositionView, Seen, position_view
from rubicon.web.http.auth import Asker, CurrentAccount, CurrentServer, GameId, Invite, view_of
from rubicon.web.http.errors import WebError

# The shape of the answers.


class MomentView(TypedDict):
    """A decision, or an outcome of chance: its log index, its time, whose turn it was, who moved.

    `kind` is that of the action (`attack`, `place`, …) or of the event (`rolled`, `drew`, …).
    """

    index: int
    at: int
    round: int
    turn: str | None
    mover: str | None
    kind: str
    text: str


class MomentPositionView(TypedDict):
    """The position after a moment, with everything open; the moment is null at the beginning."""

    moment: MomentView | None
    position: PositionView


class SeatLuckView(TypedDict):
    """The luck of a seat in armies: what its dice cost the others and itself, and on average.

    `balance` is how many armies it is above the average, `deviation` the standard deviation of
    that, `percentile` (0 to 100) how many of 100 players with the same dice would be less lucky.
    `faces` is how often each face from 1 to 6 fell.
    """

    colour: str
    rolls: int
    lost: int
    expected_lost: float
    destroyed: int
    expected_destroyed: float
    balance: float
    deviation: float
    percentile: float
    faces: list[int]


class LuckView(TypedDict):
    """The luck of every seat; all faces, chi squared (5 degrees of freedom) and its chance.

    `chance` is that of fair dice to deviate at least so much.
    """

    seats: list[SeatLuckView]
    faces: list[int]
    chi_squared: float
    chance: float


class BattleRollView(TypedDict):
    """One roll of a battle: the dice as they fell, the losses, and the average ones."""

    index: int
    round: int
    attacker: str
    defender: str
    source: str
    target: str
    attack_dice: list[int]
    defence_dice: list[int]
    winners: list[str]
    attacker_lost: int
    defender_lost: int
    expected_attacker_lost: float
    expected_defender_lost: float


class SeatStrengthView(TypedDict):
    """How a seat stood: territories, armies on the board, and the income of its next turn."""

    territories: int
    armies: int
    income: int


class TurnView(TypedDict):
    """The beginning of a turn, by its log index, and how every seat stood then, by colour.

    The last one is the end of the game.
    """

    index: int
    number: int
    round: int
    seat: str
    seats: dict[str, SeatStrengthView]


class KeyBattleView(TypedDict):
    """All rolls of one territory against another; `luck` is armies above the average.

    `taken`: the target fell.
    """

    source: str
    target: str
    rolls: int
    attacker_lost: int
    defender_lost: int
    luck: float
    taken: bool


class KeyContinentView(TypedDict):
    """A continent that was held for so many turns of its owner, and the armies that it brought."""

    continent: str
    turns: int
    armies: int


class KeyMomentView(TypedDict):
    """A moment that a reader looks for first, after the decision or the roll at a log index.

    `seat` acted: it eliminated `other`, attacked it, or resigned or won a continent (then `other`
    is null).
    Of a continent that was lost, `seat` lost it in a turn of `other`. A battle has the `luckiest`
    or `unluckiest` attack of the game as its kind, or else is one of the `battle`s with the most
    losses.
    """

    index: int
    round: int
    kind: Literal[
        "elimination",
        "resignation",
        "continent_won",
        "continent_lost",
        "battle",
        "luckiest",
        "unluckiest",
    ]
    seat: str
    other: str | None
    battle: KeyBattleView | None
    continent: KeyContinentView | None


class WinningReviewView(TypedDict):
    """The review by the value model; null until it is `ready`. Indices are those of the log.

    All chances are 0 to 1. `start` and the curve's indices may be 0, the beginning.
    """

    ready: bool
    review: WinningReviewForm | None


# The review of a finished game as JSON.


def moment_view(moment: Moment) -> MomentView:
    """A moment."""
    return {
        "index": moment.index,
        "at": moment.at,
        "round": moment.round,
        "turn": moment.turn,
        "mover": moment.mover,
        "kind": moment.kind,
        "text": moment.text,
    }


def moment_position_view(found: MomentPosition) -> MomentPositionView:
    """The position after a moment of a game that is over, with everything open."""
    game = found.position.game()
    openly = Seen(game.ruleset, game.ids, game.position, NONE)
    return {
        "moment": None if found.moment is None else moment_view(found.moment),
        "position": position_view(openly),
    }


def luck_view(luck: GameLuck) -> LuckView:
    """The luck of a game."""
    return {
        "seats": [
            {
                "colour": colour,
                "rolls": one.rolls,
                "lost": one.lost,
                "expected_lost": one.expected_lost,
                "destroyed": one.destroyed,
                "expected_destroyed": one.expected_destroyed,
                "balance": one.balance,
                "deviation": one.deviation,
                "percentile": one.percentile,
                "faces": list(one.faces),
            }
            for colour, one in luck.seats.items()
        ],
        "faces": list(luck.faces.faces),
        "chi_squared": luck.faces.chi_squared,
        "chance": luck.faces.chance,
    }


def roll_view(row: RollRow) -> BattleRollView:
    """One roll of a battle."""
    return {
        "index": row.index,
        "round": row.round,
        "attacker": row.attacker,
        "defender": row.defender,
        "source": row.source,
        "target": row.target,
        "attack_dice": list(row.attack_dice),
        "defence_dice": list(row.defence_dice),
        "winners": list(row.winners),
        "attacker_lost": row.attacker_lost,
        "defender_lost": row.defender_lost,
        "expected_attacker_lost": row.expected_attacker_lost,
        "expected_defender_lost": row.expected_defender_lost,
    }


def turn_view(index: int, turn: TurnStart) -> TurnView:
    """The beginning of a turn."""
    return {
        "index": index,
        "number": turn.number,
        "round": turn.round,
        "seat": turn.seat,
        "seats": {
            colour: {
                "territories": one.territories,
                "armies": one.armies,
                "income": one.income,
            }
            for colour, one in turn.strength.items()
        },
    }


# The key moments of a finished game as JSON.


def key_moment_views(found: KeyMoments, at: list[tuple[int, int]]) -> list[KeyMomentView]:
    """The key moments in order; `at` has the log index and the round of each entry."""
    return [_view(entry, at, view) for entry, view in sorted(_views(found), key=lambda one: one[0])]


def _view(entry: int, at: list[tuple[int, int]], view: KeyMomentView) -> KeyMomentView:
    index, round_number = at[entry]
    return {**view, "index": index, "round": round_number}


def _views(found: KeyMoments) -> Iterator[tuple[int, KeyMomentView]]:
    """Each with the entry that ends it; index and round are filled in later."""
    for out in found.eliminations:
        yield out.entry, {**_EMPTY, "kind": "elimination", "seat": out.by, "other": out.seat}
    for gone in found.resignations:
        yield gone.entry, {**_EMPTY, "kind": "resignation", "seat": gone.seat}
    for held in found.continents:
        yield held.entry, _continent(held, "continent_won", held.seat, None)
        if held.until is not None:
            yield held.until, _continent(held, "continent_lost", held.seat, held.lost_to)
    known = {one.entry for one in (found.luckiest, found.unluckiest) if one is not None}
    for battle in found.battles:
        if battle.entry not in known:
            yield battle.entry, _battle(battle, "battle")
    if found.luckiest is not None:
        yield found.luckiest.entry, _battle(found.luckiest, "luckiest")
    if found.unluckiest is not None:
        yield found.unluckiest.entry, _battle(found.unluckiest, "unluckiest")


_EMPTY: KeyMomentView = {
    "index": 0,
    "round": 0,
    "kind": "battle",
    "seat": "",
    "other": None,
    "battle": None,
    "continent": None,
}


def _continent(
    held: ContinentHeld, kind: Literal["continent_won", "continent_lost"], seat: str, by: str | None
) -> KeyMomentView:
    return {
        **_EMPTY,
        "kind": kind,
        "seat": seat,
        "other": by,
        "continent": {"continent": held.continent, "turns": held.turns, "armies": held.armies},
    }


def _battle(
    battle: FoughtBattle, kind: Literal["battle", "luckiest", "unluckiest"]
) -> KeyMomentView:
    return {
        **_EMPTY,
        "kind": kind,
        "seat": battle.attacker,
        "other": battle.defender,
        "battle": {
            "source": battle.source,
            "target": battle.target,
            "rolls": battle.rolls,
            "attacker_lost": battle.attacker_lost,
            "defender_lost": battle.defender_lost,
            "luck": battle.luck,
            "taken": battle.taken,
        },
    }


# Finished games: any moment, the luck of the dice, and curves. All of it is costly work.

MAX_MOMENTS = 1000
CSV = "text/csv"  # the framework adds the charset
After = Annotated[int, QueryParameter(ge=-1, le=MAX_NUMBER)]
Limit = Annotated[int, QueryParameter(ge=1, le=MAX_MOMENTS)]
Index = Annotated[int, PathParameter(ge=0, le=MAX_NUMBER)]
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class VisibleGame:
    """A game that the client may see, and for whom work on it is done."""

    id: str
    server: Server
    asker: str

    async def computed(
        self,
        function: Callable[Concatenate[str, str, Parameters], Result],
        *arguments: Parameters.args,
        **keywords: Parameters.kwargs,
    ) -> Result:
        """What the work process computes from the database."""
        url = self.server.store.url
        return await self.server.costly.in_process(
            self.asker, function, url, self.id, *arguments, **keywords
        )

    async def reviewed(self) -> ReadyReview | None:
        """The review by the value model; None while it is being made."""
        if not self.server.reviews.known(self.id):
            await self.computed(reviews.check_over)
        return self.server.reviews.ask(self.asker, self.id)


async def visible_game(
    me: CurrentAccount, game: GameId, server: CurrentServer, asker: Asker, invite: Invite = None
) -> VisibleGame:
    """The game of the path; refused to those who may not see it."""
    await view_of(me, game, server, invite)
    return VisibleGame(game, server, asker)


Visible = NamedDependency[VisibleGame]


class ReviewController(Controller):
    """A finished game, which has no secrets any more; `review/not-yet` before the end."""

    path = "/api/v1/games/{game:str}"
    tags = ("review",)
    dependencies = {"visible": Provide(visible_game)}  # noqa: RUF012

    @get("/moments", summary="List the moments of a finished game")
    async def moments(
        self,
        visible: Visible,
        after: After = -1,
        limit: Limit = MAX_MOMENTS,
    ) -> list[MomentView]:
        """Every decision and every outcome of chance after a log index, in order; what was undone
        is left out."""
        found = await visible.computed(reviews.moments, after, limit)
        return [moment_view(moment) for moment in found]

    @get("/at/{index:int}", summary="Get the position of a finished game at a moment")
    async def at(
        self,
        visible: Visible,
        index: Index,
    ) -> MomentPositionView:
        """The position after the last moment up to this log index, with all hands open."""
        return moment_position_view(await visible.computed(reviews.position_at, index))

    @get("/luck", summary="Get the luck of a finished game")
    async def luck(
        self,
        visible: Visible,
    ) -> LuckView:
        """What the dice gave and took, per seat, compared with the average of the same dice."""
        return luck_view(await visible.computed(reviews.game_luck))

    @get("/rolls", summary="List the rolls of a finished game")
    async def rolls(
        self,
        visible: Visible,
        after: After = -1,
        limit: Limit = MAX_MOMENTS,
    ) -> list[BattleRollView]:
        """Every roll of a battle after a log index, in order."""
        found = await visible.computed(reviews.roll_rows, after, limit)
        return [roll_view(row) for row in found]

    @get("/rolls.csv", summary="Download the rolls of a finished game", media_type="text/csv")
    async def rolls_csv(
        self,
        visible: Visible,
    ) -> Response[str]:
        """All of them as a table, whose first line names the columns."""
        table = await visible.computed(reviews.rolls_csv)
        name = f'attachment; filename="{visible.id}.csv"'
        return Response(table, media_type=CSV, headers={"content-disposition": name})

    @get("/turns", summary="List the turns of a finished game")
    async def turns(
        self,
        visible: Visible,
    ) -> list[TurnView]:
        """How every seat stood at the beginning of each turn: armies, territories, income."""
        found = await visible.computed(reviews.turns)
        return [turn_view(index, turn) for index, turn in found]

    @get("/key-moments", summary="List the key moments of a finished game")
    async def key_moments(
        self,
        visible: Visible,
    ) -> list[KeyMomentView]:
        """Eliminations, the continents that brought most armies, the battles with most losses, and
        the attacks with the most and the least luck, in order. Nothing is simulated."""
        found = await visible.computed(reviews.key_moments_of)
        return key_moment_views(*found)

    @get("/review", summary="Get the review of a finished game by the value model")
    async def review(
        self,
        visible: Visible,
    ) -> WinningReviewView:
        """Chances to win, what dice and decisions did, deciding moments. It takes seconds, and up
        to a minute on a busy server: the first request begins it; ask again until it is ready."""
        found = await visible.reviewed()
        return {"ready": found is not None, "review": None if found is None else found.form}

    @get("/chances", summary="List the winning chances of a finished game")
    async def chances(
        self,
        visible: Visible,
        after: After = -1,
        limit: Limit = MAX_MOMENTS,
    ) -> list[ChancesForm]:
        """The chance of every seat after each decision and roll that follow a log index, in order;
        `review/not-ready` until the review is ready."""
        found = await visible.reviewed()
        if found is None:
            message = "The review of this game is not ready yet."
            raise WebError("review/not-ready", message, "Ask again in a few seconds.")
        return found.chances_after(after, limit)
