"""Own bots in their seats: whole games, and one clear error for every wrong answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from rubicon.engine.chance import generator
from rubicon.engine.records import Phase, Standing
from rubicon.errors import RubiconError
from rubicon.players import Bot, View, register, seated
from rubicon.players.bot import REGISTERED
from rubicon.players.bot_seat import BotSeat, PlayerError
from rubicon.players.player import random_choice
from rubicon.rules.actions import Action, EndTurn, Place, StandingOrder
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import preset_names
from tests.players.attack_position import attack_position
from tests.players.played import first_turn, played, player_count


class Eager(Bot):
    """Ten lines: strongest border, likely attacks, chance for the rest."""

    def decide(self, view: View) -> str | Action:
        if view.phase == "reinforce":
            return f"TRADE BEST; DEPLOY REST {max(view.borders, key=lambda land: land.armies or 0)}"
        for source, target in view.attacks:
            if view.chance(source, target) > 0.6:
                return f"ATTACK {source} -> {target} ADVANCE ALL"
        return self.random.choice(view.legal)


def bot_seat(made: Callable[..., Any], seat: str = "red") -> BotSeat:
    return BotSeat("test", made, seat, seed=5)


def answering(answer: object) -> Callable[[View], Any]:
    """A bot that always answers this."""
    return lambda view: answer


def asked(game: Game, answer: object) -> Action:
    return bot_seat(answering(answer), game.actors[0]).decide(game)


@pytest.fixture
def game() -> Game:
    return first_turn()


@pytest.mark.parametrize("preset", preset_names())
def test_a_ten_line_bot_plays_every_preset_to_its_end(
    preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTERED, "eager", Eager)
    count = player_count(preset)
    assert played(preset, ["eager"] * (count - 1) + ["greedy"], cap=300).over


def test_the_same_seed_plays_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTERED, "eager", Eager)
    first, again, other = (
        played("classic", ["eager", "eager", "greedy"], seed=seed, cap=5).history
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_an_action_may_be_a_value_or_orders(game: Game) -> None:
    land = View(game, game.actors[0]).mine[0].id
    assert asked(game, Place(land, 1)) == Place(land, 1)
    assert asked(game, f"deploy 1 {land}") == Place(land, 1)


def test_orders_are_carried_out_before_the_bot_is_asked_again(game: Game) -> None:
    colour = game.actors[0]
    land = max(View(game, colour).borders, key=lambda one: one.armies or 0)
    phases: list[str] = []

    def bot(view: View) -> str:
        phases.append(view.phase)
        return f"DEPLOY REST {land}; ATTACK {land} -> {land.enemies[0]} ADVANCE ALL; END TURN"

    players = {other: seated("random", other, seed=1) for other in game.seats}
    players[colour] = bot_seat(bot, colour)
    before = len(game.history)
    while game.turn == colour:
        play_on_once(game, players)
    assert phases == ["reinforce"]
    assert len(game.history) - before >= 4  # armies placed, a roll and its dice, the end


def play_on_once(game: Game, players: dict[str, Any]) -> None:
    """One decision, or the chance that is pending."""
    if game.pending is not None:
        game.settle(game.sample(generator(len(game.history))))
    else:
        game.play(players[game.actors[0]].decide(game))


def test_a_function_is_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTERED, "last", lambda view: view.legal[-1])
    assert played("classic", ["last", "greedy", "greedy"], cap=300).over


def test_a_compiled_policy_is_a_bot(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    colour = game.actors[0]
    one, again = (bot_seat(random_choice, colour) for _ in "ab")
    action = one.decide(game)
    assert action == again.decide(game)
    assert action in game.legal
    monkeypatch.setitem(REGISTERED, "policy", random_choice)
    assert played("revised", ["policy", "greedy", "greedy"], cap=300).over


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Place("alaska", 4000), "illegal"),
        (Place("narnia", 1), "illegal"),
        (StandingOrder("red", None, "max"), "illegal"),  # type: ignore[arg-type]
        ("deploy 4000 alaska and then some more nonsense", "orders"),
        ("IF WON: END TURN", "orders"),
        ("FORTIFY alaska -> kamchatka", "idle"),
        ("STATUS", "orders"),
        ("DEPLOY 1 alaska; STATUS", "orders"),
        ("", "idle"),
        (None, "no-answer"),
        (7, "no-answer"),
        ("RESIGN CONFIRM", "orders"),
    ],
)
def test_a_wrong_answer_is_one_clear_error(answer: object, code: str) -> None:
    game = attack_position({"alaska": "red 3"})
    game.position.phase = Phase.REINFORCE
    game.position.unplaced[0] = 3
    with pytest.raises(PlayerError) as caught:
        bot_seat(answering(answer)).decide(game)
    assert caught.value.code == f"player/{code}"
    assert caught.value.message.startswith("test as red: ")
    assert "Legal now: place alaska 1 .. 3" in caught.value.suggestion


def test_an_error_of_the_bot_names_its_line() -> None:
    def wrong(view: View) -> str:
        return str(1 // 0)

    line = wrong.__code__.co_firstlineno + 1
    with pytest.raises(PlayerError) as caught:
        bot_seat(wrong).decide(attack_position({"alaska": "red 3"}))
    assert caught.value.code == "player/failed"
    assert (
        f"ZeroDivisionError: integer division or modulo by zero (test_bot_seat.py, line {line})"
        in str(caught.value)
    )


def test_an_error_when_it_is_made_is_one_too() -> None:
    class Broken(Eager):
        def __init__(self, seat: str, *, seed: int = 0) -> None:
            raise ValueError("no brain")

    with pytest.raises(PlayerError, match="no brain"):
        bot_seat(Broken)


@pytest.mark.parametrize("waiting", [lambda: None, lambda: time.sleep(60)])
def test_an_answer_that_never_comes_is_an_error(waiting: Callable[[], None]) -> None:
    def endless(view: View) -> Action:
        while True:
            try:
                waiting()
            except Exception:
                continue

    seat = BotSeat("test", endless, "red", seed=5, seconds=0.2)
    with pytest.raises(PlayerError) as caught:
        seat.decide(attack_position({"alaska": "red 3"}))
    assert caught.value.code == "player/too-slow"
    assert "test as red: no answer within 0.2 seconds (test_bot_seat.py, line " in str(caught.value)


def test_a_bot_that_never_begins_is_an_error() -> None:
    class Sleeping(Eager):
        def __init__(self, seat: str, *, seed: int = 0) -> None:
            time.sleep(60)

    with pytest.raises(PlayerError, match=r"no answer within 0\.2 seconds"):
        BotSeat("test", Sleeping, "red", seconds=0.2)


def test_standing_orders_without_end_are_an_error() -> None:
    game = attack_position({"alaska": "red 3"})

    def restless(view: View) -> Action:
        orders = (Standing.ONE, Standing.TWO)
        return StandingOrder("red", None, orders[len(game.history) % 2])

    one = bot_seat(restless)
    for _ in range(len(game.territories) + 1):
        game.play(one.decide(game), seat="red")
    with pytest.raises(PlayerError) as caught:
        one.decide(game)
    assert caught.value.code == "player/loop"


def test_a_bot_decides_in_a_game_only() -> None:
    wrong: Any = "game"
    with pytest.raises(RubiconError) as caught:
        bot_seat(Eager).decide(wrong)
    assert caught.value.code == "player/not-a-game"


def test_what_is_registered_is_seated_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rubicon.players.bot.REGISTERED", REGISTERED.copy())
    register("eager-one")(Eager)
    register("eager-one")(Eager)  # a module that is loaded again
    for name, code in (
        ("eager-one", "name-taken"),
        ("hunter", "name-taken"),
        ("me", "bad-name"),
        ("Mine", "bad-name"),
        ("a,b", "bad-name"),
    ):
        with pytest.raises(RubiconError) as caught:
            register(name)(answering("END TURN"))
        assert caught.value.code == f"player/{code}"


def test_the_line_is_that_of_the_bot_and_not_of_a_library_that_it_calls(game: Game) -> None:
    def parsing(view: View) -> Any:
        return json.loads("nonsense")

    with pytest.raises(PlayerError, match=r"JSONDecodeError: .* \(test_bot_seat.py, line \d+\)"):
        bot_seat(parsing, game.actors[0]).decide(game)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (EndTurn, r"the class EndTurn, and not an action of it: EndTurn\(…\)"),
        (object(), "it answered a builtins.object, which is neither an action nor orders"),
    ],
)
def test_what_was_answered_instead_of_an_action(game: Game, answer: object, said: str) -> None:
    with pytest.raises(PlayerError, match=said):
        asked(game, answer)


def test_a_range_is_no_action_and_has_two(game: Game) -> None:
    with pytest.raises(PlayerError, match="a range of actions: its `lowest` and `highest`"):
        asked(game, game.legal.ranges[0])
