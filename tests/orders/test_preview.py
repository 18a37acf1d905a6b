"""What orders may come to: exact where it can be, from what the seat may see."""

from itertools import pairwise

import numpy as np
import pytest

from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule
from rubicon.orders.order import (
    AllBut,
    DefenceDice,
    DefendOrder,
    Ending,
    EndOrder,
    Failed,
    SetChoice,
    TradeOrder,
    Won,
)
from rubicon.orders.preview import preview
from rubicon.orders.preview_text import preview_lines
from rubicon.orders.sheet import Sheet
from rubicon.rules.game import Game
from rubicon.rules.position import Phase
from rubicon.rules.procedures.sampling import generator
from rubicon.rules.ruleset import Ruleset
from tests.orders.scenes import attack, deploy, scene, sheet, when

HELD = {"alaska": "r8", "northwest_territory": "r4", "greenland": "g2", "kamchatka": "b4"}
UNPLACED = "red standing_all=max unplaced=3; blue standing_all=max; green standing_all=max"


@pytest.mark.parametrize(("attackers", "defenders"), [(3, 1), (6, 5), (11, 10), (25, 12)])
def test_one_attack_agrees_with_the_odds_of_a_battle(attackers: int, defenders: int) -> None:
    game = scene({"alaska": f"r{attackers}", "kamchatka": f"b{defenders}"})
    seen = preview(sheet(attack("alaska", "kamchatka")), game, "red")
    exact = battle(attackers, defenders, DiceRule.of("classic", defend_dice="best"))
    assert seen.runs is None
    assert seen.lines[0][1].chance == pytest.approx(exact.win, rel=1e-9)
    assert seen.lost == pytest.approx(exact.expected_attack_losses, rel=1e-9)
    assert seen.destroyed == pytest.approx(exact.expected_defend_losses, rel=1e-9)
    assert seen.card.chance == pytest.approx(exact.win, rel=1e-9)


PLAN = sheet(
    attack("alaska", "kamchatka", "irkutsk", left=2, advance=AllBut(2)),
    when(Won(), attack("northwest_territory", "greenland", odds=40)),
    when(Failed("kamchatka"), attack("northwest_territory", "alberta")),
    EndOrder(Ending.TURN),
)


def test_a_sample_agrees_with_what_is_exact() -> None:
    game = scene(HELD)
    exact = preview(PLAN, game, "red")
    drawn = preview(PLAN, game, "red", most_states=5, runs=300)
    assert exact.runs is None
    assert drawn.runs == 300
    for (_, truth), (_, guess) in zip(exact.lines, drawn.lines, strict=True):
        assert guess.low - 0.05 <= truth.chance <= guess.high + 0.05
    assert drawn.lost == pytest.approx(exact.lost, rel=0.25)
    for prospect, sampled in zip(exact.prospects, drawn.prospects, strict=True):
        assert sampled.armies == pytest.approx(prospect.armies, rel=0.25)


def test_nothing_is_rolled_and_nothing_changes() -> None:
    game = scene(HELD)
    before = game.position.tobytes()
    assert preview(PLAN, game, "red") == preview(PLAN, game, "red")
    assert game.position.tobytes() == before
    assert not game.history


def test_what_is_hidden_changes_nothing() -> None:
    """Two games that differ only in what red may not see have the same preview."""
    seats = "red standing_all=max; blue standing_all={} hand={}; green standing_all=max hand={}"
    one = scene(HELD, seats=seats.format("max", "ontario,wild1", "peru"))
    two = scene(HELD, seats=seats.format("1", "brazil,ural", "egypt"))
    assert preview(PLAN, one, "red") == preview(PLAN, two, "red")


def test_a_better_defence_is_assumed_and_said() -> None:
    seen = preview(PLAN, scene(HELD), "red")
    assert "Defenders roll the dice that serve them best." in seen.assumptions


def test_pauses_and_notes_come_with_their_chances() -> None:
    game = scene(HELD, seats=UNPLACED)
    orders = sheet(deploy(alaska=1), TradeOrder(SetChoice.BEST), EndOrder(Ending.TURN))
    seen = preview(orders, game, "red")
    assert [(note.code, chance.chance) for note, chance in seen.notes] == [("orders/no-set", 1.0)]
    assert seen.pauses[0][1].chance == 1.0


def test_an_elimination_and_a_win_are_foreseen() -> None:
    seats = "red standing_all=max; blue:eliminated; green standing_all=max"
    game = scene({"northwest_territory": "r9"}, others="r1", seats=seats)
    seen = preview(sheet(attack("northwest_territory", "greenland")), game, "red")
    exact = battle(9, 1, DiceRule.of("classic", defend_dice="best"))
    assert seen.won.chance == pytest.approx(exact.win)
    assert [colour for colour, _ in seen.eliminated] == ["green"]


def test_the_sentences() -> None:
    game = scene(HELD)
    lines = preview_lines(preview(PLAN, game, "red"), game.ruleset.board)
    assert lines[0] == "Exact odds of the whole plan; nothing was rolled."
    assert any(line.startswith("Order 1 takes its whole path: ") for line in lines)
    assert any(line.startswith("Kamchatka: held ") for line in lines)
    drawn = preview(PLAN, game, "red", most_states=5, runs=50)
    assert "50 sampled runs" in preview_lines(drawn, game.ruleset.board)[0]


@pytest.mark.parametrize("preset", ["classic", "email", "basic", "revised", "secret-mission"])
def test_any_moment_of_a_game_can_be_previewed(preset: str) -> None:
    """Random games: every attack that is possible for the seat, as an order."""
    game = Game.new(Ruleset.load(preset), 3)
    rng = generator(5)
    tried = 0
    for _ in range(700):
        if game.over:
            break
        if game.owed is not None:
            game.settle(game.sample(rng))
            continue
        if game.phase == Phase.ATTACK and tried < 12:
            tried += 1
            _preview_here(game)
        game.play(game.legal.random(rng))
    assert tried


def _preview_here(game: Game) -> None:
    colour = str(game.turn)
    view = game.view(colour)
    own = np.flatnonzero(view.owner[: len(game.territories)] == game.seat(colour))
    strongest = max(own.tolist(), key=lambda t: int(view.armies[t]))
    path = [strongest]
    for i in range(int(game.tables.degree[strongest])):
        other = int(game.tables.neighbour[strongest, i])
        if view.owner[other] != game.seat(colour):
            path.append(other)
            break
    if len(path) == 1:
        return
    names = [game.territories[t] for t in path]
    orders = Sheet((attack(*names), EndOrder(Ending.TURN)))
    seen = preview(orders, game, colour, most_states=2000, runs=20)
    chances = [p.held.chance for p in seen.prospects]
    assert all(0 <= chance <= 1 for chance in chances)
    assert all(a.low <= a.chance <= a.high for _, a in seen.lines)
    assert len(list(pairwise(names))) == len(path) - 1


@pytest.mark.parametrize("colour", ["blue", "green"])
def test_sealed_dice_of_an_attacker_are_assumed_to_be_most(colour: str) -> None:
    game = scene(HELD, seats="red; blue; green")
    ruleset = game.ruleset.with_options({"dice.announce": "sealed"})
    sealed = Game.from_position(ruleset, game.position)
    sealed.play("attack alaska -> kamchatka dice 1")
    seen = preview(sheet(DefendOrder(DefenceDice.TWO)), sealed, colour)
    assert seen.lost >= 0
    assert seen.destroyed >= 0
