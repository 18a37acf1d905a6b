"""Exact odds: of a battle that the client describes, and of the battles of a running game."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Literal, TypedDict, TypeVar

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Response

from rubicon.errors import RubiconError
from rubicon.odds.outlook import Outlook, outlooks
from rubicon.odds.rule import DiceRule
from rubicon.orders.preview.preview import MOST_AT_ONCE, TargetOdds, target_odds
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, parse_override
from rubicon.server.server import Server
from rubicon.server.work import SeatGame
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.table_request import check_preset
from rubicon.web.api.bodies import AskOdds
from rubicon.web.api.game_state import current_snapshot
from rubicon.web.http import static_files
from rubicon.web.http.auth import Asker, CurrentAccount, CurrentServer, GameId, player_of
from rubicon.web.http.errors import AnyRequest, WebError

# What clients get of the odds of a battle.

DIGITS = 6  # of a chance in a distribution, after the point


class StopOddsView(TypedDict):
    """The odds of an attack that ends when at most `left` armies are left.

    `taken_left` parts the chance `taken` by n, the armies left before any move in: the chance of n
    is at index n. `held_left` does the same for an attack that ends before. On a path, n counts
    the armies on the territory from which was attacked last.
    """

    left: int
    taken: float
    held: float
    expected_attack_losses: float
    expected_defend_losses: float
    taken_left: list[float]
    held_left: list[float]


class BattleOddsView(TypedDict):
    """The chance to win a battle (0 to 1), and the average number of armies that it costs.

    `defend` counts all defenders of a path, `path` those of each territory. `win` and the losses
    are those of an attack to the end; `stops` has the odds for each number of armies at which it
    may end, for large attacks only some of them.
    """

    attack: int
    defend: int
    path: list[int]
    win: float
    expected_attack_losses: float
    expected_defend_losses: float
    stops: list[StopOddsView]


class TargetOddsView(TypedDict):
    """A territory that can be attacked, its armies, and the odds under the stop that was asked.

    `odds` is null where there are too few armies to attack, more than 300, or hidden ones. `stops`
    has the odds of every stop "until n left"; only where one target was asked for.
    """

    target: str
    armies: int
    odds: StopOddsView | None
    stops: list[StopOddsView]


class GameOddsView(TypedDict):
    """The odds of an attack from one territory against each of its targets."""

    source: str
    targets: list[TargetOddsView]


def stop_view(outlook: Outlook) -> StopOddsView:
    """The odds under one stop rule."""
    return {
        "left": outlook.stop.left,
        "taken": outlook.taken,
        "held": outlook.held,
        "expected_attack_losses": outlook.expected_attack_losses,
        "expected_defend_losses": outlook.expected_defend_losses,
        "taken_left": [round(chance, DIGITS) for chance in outlook.taken_left],
        "held_left": [round(chance, DIGITS) for chance in outlook.held_left],
    }


# What the odds routes answer; the work process computes it too, so nothing here knows of HTTP.


def battle_odds(attack: int, defend: tuple[int, ...], rule: DiceRule) -> BattleOddsView:
    """The odds of a battle, or of an attack along a path, under every stop rule."""
    stops = [stop_view(outlook) for outlook in outlooks(attack, defend, rule)]
    return {
        "attack": attack,
        "defend": sum(defend),
        "path": list(defend),
        "win": stops[0]["taken"],
        "expected_attack_losses": stops[0]["expected_attack_losses"],
        "expected_defend_losses": stops[0]["expected_defend_losses"],
        "stops": stops,
    }


def game_odds(
    seen: SeatGame, source: str, stop: str, armies: int | None, target: str | None
) -> GameOddsView:
    """The odds of a seat's attacks from one territory; the arguments are those of `AskOdds`."""
    game = seen.game()
    board = game.ruleset.board
    start = board.index(source)
    found = target_odds(game, seen.seat, source, stop, armies=armies)
    standing = armies or int(game.view(seen.seat).armies[start])
    if target is None:
        targets = [_target(game, odds, 0) for odds in found]
    else:
        wanted = board.index(target)
        targets = [_target(game, odds, standing) for odds in found if odds.target == wanted]
        if not targets:
            message = f"{_name(game, wanted)} is no target of {_name(game, start)}."
            hint = "Without a target the answer has all of them."
            raise RubiconError("odds/no-target", message, hint)
    return {"source": board.territories[start].id, "targets": targets}


def _name(game: Game, territory: int) -> str:
    return game.ruleset.board.territories[territory].name


def _target(game: Game, odds: TargetOdds, standing: int) -> TargetOddsView:
    """One target; with the odds of every stop of an attack with `standing` armies, if any."""
    every = outlooks(standing, (odds.armies,), odds.rule) if standing and odds.outlook else ()
    return {
        "target": game.territories[odds.target],
        "armies": odds.armies,
        "odds": None if odds.outlook is None else stop_view(odds.outlook),
        "stops": [stop_view(outlook) for outlook in every],
    }


MOST_PATH = 12  # territories
MOST_QUICK = 100  # armies of a battle that a thread computes; the work process has larger ones
Armies = Annotated[int, QueryParameter(ge=1, le=MOST_AT_ONCE)]
Defenders = Annotated[list[int], QueryParameter(min_items=1, max_items=MOST_PATH)]
Overrides = Annotated[list[str] | None, QueryParameter(max_items=20)]
Dice = Annotated[int | None, QueryParameter(ge=1, le=3)]
Result = TypeVar("Result")


class OddsController(Controller):
    """Exact odds; nothing is rolled."""

    path = "/api/v1"
    opt = {static_files.COMPRESSED_ONCE: True}  # noqa: RUF012

    @get(
        "/odds",
        summary="Compute the exact odds of a battle",
        tags=["catalog"],
        responses=static_files.NOT_MODIFIED,
    )
    async def odds(
        self,
        request: AnyRequest,
        server: CurrentServer,
        asker: Asker,
        attack: Armies,
        defend: Defenders,
        ruleset: FromQuery[str] = "classic",
        option: Overrides = None,
        dice: Dice = None,
        defend_dice: FromQuery[Literal["most", "best"]] = "most",
        neutral: FromQuery[bool] = False,
        attack_die: FromQuery[bool] = False,
        defence_die: FromQuery[bool] = False,
        attack_airfield: FromQuery[bool] = False,
        defence_airfield: FromQuery[bool] = False,
    ) -> Response[BattleOddsView]:
        """`attack` counts all armies on the attacking territory, including the one that stays.
        `defend` may be repeated: the territories of a path. The answer has the odds of every stop
        "until n left" at once. `option=NAME=VALUE` changes an option of the ruleset."""
        check_preset(ruleset)
        if any(armies > MOST_AT_ONCE for armies in defend) or sum(defend) > MOST_AT_ONCE:
            message = f"The odds of more than {MOST_AT_ONCE} defenders are not computed here."
            raise WebError("odds/too-large", message, "`rubicon odds` computes larger battles.")
        rule = DiceRule(
            Ruleset.load(ruleset, dict(map(parse_override, option or ()))),
            dice or "most",
            defend_dice,
            neutral=neutral,
            attack_die=attack_die,
            defence_die=defence_die,
            attack_airfield=attack_airfield,
            defence_airfield=defence_airfield,
        )
        path = tuple(defend)
        quick = len(path) == 1 and max(attack, *path) <= MOST_QUICK
        compute = partial(battle_odds, attack, path, rule)
        found = await _computed(server, asker, compute, quick=quick)
        return (await asyncio.to_thread(static_files.CachedJson.of, found)).response(
            request, static_files.FOR_A_DAY
        )

    @post(
        "/games/{game:str}/odds",
        summary="Compute the odds of my attacks",
        tags=["games"],
        status_code=200,
    )
    async def game_odds(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[AskOdds],
        server: CurrentServer,
        asker: Asker,
    ) -> GameOddsView:
        """The odds of one attack from a territory against each of its targets, with the dice,
        airfields and bonus dice of the position as I see it. Defenders who choose their dice are
        assumed to choose best."""
        seat = await player_of(me, game, server)
        snapshot = await current_snapshot(server, game, asker)
        return await seat_odds(server, snapshot, seat, data, asker)


async def seat_odds(
    server: Server, snapshot: Snapshot, seat: str, asked: AskOdds, asker: str
) -> GameOddsView:
    """The odds of a seat's attacks from one territory."""
    state = snapshot.game()
    # Only what the seat sees goes on: the odds must say nothing of hidden armies.
    seen, armies = SeatGame.of(state, seat), state.view(seat).armies
    stop = asked.stop
    if asked.left is not None:
        standing = asked.armies or int(armies[state.ruleset.board.index(asked.source)])
        stop = f"{stop} UNTIL LEFT {max(1, min(asked.left, standing - 1))}"
    compute = partial(game_odds, seen, asked.source, stop, asked.armies, asked.target)
    quick = asked.target is None or max(asked.armies or 0, int(armies.max())) <= MOST_QUICK
    return await _computed(server, asker, compute, quick=quick)


async def _computed(server: Server, asker: str, compute: partial[Result], *, quick: bool) -> Result:
    """What is computed, one request at a time for each asker; it must be a module's function."""
    if quick:
        return await server.costly.in_thread(asker, compute)
    return await server.costly.in_process(asker, compute)
