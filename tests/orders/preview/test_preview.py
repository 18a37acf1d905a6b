"""Previews are exact where possible, and use only what the seat may see."""

import numpy as np
import pytest

from rubicon.engine.chance import generator
from rubicon.engine.records import Phase
from rubicon.errors import RubiconError
from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule
from rubicon.orders.preview.explorer import BEST_DEFENCE
from rubicon.orders.preview.preview import MOST_WORK, preview, preview_lines
from rubicon.orders.syntax import (
    AllBut,
    CardEarned,
    Comparison,
    DefenceDice,
    DefendOrder,
    EndKind,
    EndOrder,
    FailedCondition,
    FortifyOrder,
    Holds,
    LeftOpen,
    OrderText,
    SetChoice,
    TradeOrder,
    WonCondition,
)
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.orders.preview.plainly import agree, plainly
from tests.orders.scenes import LOSE, attack, deploy, fall, order_text, scene, when

HELD = {"alaska": "r8", "northwest_territory": "r4", "greenland": "g2", "kamchatka": "b4"}
UNPLACED = "red standing_all=max unplaced=3; blue standing_all=max; green standing_all=max"


@pytest.mark.parametrize(("attackers", "defenders"), [(3, 1), (6, 5), (11, 10), (25, 12)])
def test_one_attack_agrees_with_the_odds_of_a_battle(attackers: int, defenders: int) -> None:
    game = scene({"alaska": f"r{attackers}", "kamchatka": f"b{defenders}"})
    seen = preview(order_text(attack("alaska", "kamchatka")), game, "red")
    exact = battle(attackers, defenders, DiceRule.of("classic", defend_dice="best"))
    assert seen.runs is None
    assert seen.lines[0][1].chance == pytest.approx(exact.win, rel=1e-9)
    assert seen.lost == pytest.approx(exact.expected_attack_losses, rel=1e-9)
    assert seen.destroyed == pytest.approx(exact.expected_defend_losses, rel=1e-9)
    assert seen.card.chance == pytest.approx(exact.win, rel=1e-9)


PLAN = order_text(
    attack("alaska", "kamchatka", "irkutsk", left=2, advance=AllBut(2)),
    when(WonCondition(), attack("northwest_territory", "greenland", odds=40)),
    when(FailedCondition("kamchatka"), attack("northwest_territory", "alberta")),
    EndOrder(EndKind.TURN),
)


def test_a_sample_agrees_with_what_is_exact() -> None:
    game = scene(HELD)
    exact = preview(PLAN, game, "red")
    drawn = preview(PLAN, game, "red", most_work=5, runs=100)
    assert exact.runs is None
    assert drawn.runs == 100
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


def test_the_best_defence_is_assumed_and_stated() -> None:
    seen = preview(PLAN, scene(HELD), "red")
    assert BEST_DEFENCE in seen.assumptions


def test_pauses_and_notes_come_with_their_chances() -> None:
    game = scene(HELD, seats=UNPLACED)
    orders = order_text(deploy(alaska=1), TradeOrder(SetChoice.BEST), EndOrder(EndKind.TURN))
    seen = preview(orders, game, "red")
    assert [(note.code, chance.chance) for note, chance in seen.notes] == [("orders/no-set", 1.0)]
    assert seen.pauses[0][1].chance == 1.0


def test_an_open_occupation_pauses_as_often_as_the_territory_is_taken() -> None:
    game = scene({"alaska": "r30", "kamchatka": "b1"})
    asked = preview(order_text(attack("alaska", "kamchatka", advance=LeftOpen.ASK)), game, "red")
    taken = preview(order_text(attack("alaska", "kamchatka")), game, "red").lines[0][1]
    assert asked.lines[0][1].chance == pytest.approx(taken.chance, abs=1e-6)
    assert asked.pauses[0][1].chance == pytest.approx(taken.chance, abs=1e-6)


def test_eliminations_and_wins_have_a_chance() -> None:
    seats = "red standing_all=max; blue:eliminated; green standing_all=max"
    game = scene({"northwest_territory": "r9"}, others="r1", seats=seats)
    seen = preview(order_text(attack("northwest_territory", "greenland")), game, "red")
    exact = battle(9, 1, DiceRule.of("classic", defend_dice="best"))
    assert seen.won.chance == pytest.approx(exact.win)
    assert [colour for colour, _ in seen.eliminated] == ["green"]


def test_a_card_is_counted_though_the_text_trades_a_set_and_ends_the_turn() -> None:
    """The hand is smaller at the end, but the turn has earned a card all the same."""
    seats = (
        "red standing_all=max hand=alberta,brazil,wild1; blue standing_all=max; "
        "green standing_all=max"
    )
    game = scene({"alaska": "r9", "kamchatka": "b3"}, seats=seats)
    text = order_text(
        TradeOrder(SetChoice.BEST), deploy(alaska=None), attack("alaska", "kamchatka"), ended=True
    )
    seen = preview(text, game, "red")
    assert 0.9 < seen.card.chance == pytest.approx(seen.lines[0][1].chance)
    drawn = preview(text, game, "red", most_work=5, runs=50)
    assert drawn.card.chance == pytest.approx(drawn.lines[0][1].chance)


def test_the_sentences() -> None:
    game = scene(HELD)
    lines = preview_lines(preview(PLAN, game, "red"), game.ruleset.board)
    assert lines[0] == "Exact odds of all orders together; nothing was rolled."
    assert any(line.startswith("Order 1: you own its whole path at the end: ") for line in lines)
    assert any(line.startswith("Kamchatka: yours ") for line in lines)
    drawn = preview(PLAN, game, "red", most_work=5, runs=50)
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
        if game.pending is not None:
            game.settle(game.sample(rng))
            continue
        if game.phase == Phase.ATTACK and tried < 12:
            tried += 1
            _preview_here(game)
        game.play(game.legal.random(rng))
    assert tried


def _preview_here(game: Game) -> None:
    """The preview equals the reference, which explores roll by roll."""
    colour = str(game.turn)
    seat = game.seat(colour)
    view = game.view(colour)
    own = np.flatnonzero(view.owner[: len(game.territories)] == seat)
    strongest = max(own.tolist(), key=lambda t: int(view.armies[t]))
    degree = int(game.tables.degree[strongest])
    around = [int(game.tables.neighbour[strongest, i]) for i in range(degree)]
    path = [strongest, *(t for t in around if view.owner[t] != seat)][:2]
    if len(path) == 1:
        return
    orders = OrderText((attack(*(game.territories[t] for t in path)), EndOrder(EndKind.TURN)))
    agree(preview(orders, game, colour), plainly(orders, game, colour), game, colour)


@pytest.mark.parametrize("colour", ["blue", "green"])
def test_sealed_dice_of_an_attacker_are_assumed_to_be_most(colour: str) -> None:
    """Blue, who is asked, and green both assume the most dice, though one is rolled."""
    game = scene(HELD, seats="red; blue; green")
    ruleset = game.ruleset.with_options({"dice.announce": "sealed"})
    one, three = (Game.from_position(ruleset, game.position) for _ in range(2))
    one.play("attack alaska -> kamchatka dice 1")
    three.play("attack alaska -> kamchatka dice 3")
    orders = order_text(DefendOrder(DefenceDice.TWO))
    assert preview(orders, one, colour) == preview(orders, three, colour)


SPARE = {"siam": "r3", "india": "r2"}  # the turn can end with another fortification


def test_an_ordinary_turn_is_exact_and_takes_little_work() -> None:
    held = {"alaska": "r40", "kamchatka": "b10", "irkutsk": "b8", "northwest_territory": "r30"}
    held |= {"greenland": "g9", "iceland": "g6", "brazil": "r60", "north_africa": "b20"} | SPARE
    orders = OrderText(
        (
            deploy(alaska=None),
            attack("alaska", "kamchatka", "irkutsk", odds=40, left=3),
            attack("northwest_territory", "greenland", "iceland"),
            attack("brazil", "north_africa", "egypt", lost=30, advance=AllBut(2)),
            FortifyOrder("kamchatka", "alaska", AllBut()),
        ),
        ended=True,
    )
    seen = preview(orders, scene(held, seats=UNPLACED), "red", most_work=MOST_WORK / 5)
    assert seen.runs is None
    assert len(seen.lines) == 3


@pytest.mark.parametrize("armies", [60, 200, 1_000])
def test_large_battles_are_exact(armies: int) -> None:
    game = scene({"alaska": f"r{armies}", "kamchatka": f"b{armies}"})
    seen = preview(order_text(attack("alaska", "kamchatka")), game, "red", most_work=MOST_WORK / 2)
    exact = battle(armies, armies, DiceRule.of("classic", defend_dice="best"))
    assert seen.runs is None
    assert seen.lines[0][1].chance == pytest.approx(exact.win, rel=1e-12)


def test_too_much_work_is_sampled_and_no_text_takes_longer() -> None:
    """Every battle depends on all before it: rolls and losses are counted, armies compared."""
    ring = ("alaska", "kamchatka", "irkutsk", "mongolia", "china", "siam", "india")
    line = attack(*ring, rounds=30, lost=40, advance=9)
    tests = [when(Holds(t, Comparison.MORE, 5), line, otherwise=(line,)) for t in ring]
    game = scene(dict.fromkeys(ring, "b9") | {"alaska": "r60"})
    seen = preview(order_text(line, *tests), game, "red", most_work=200)
    assert seen.runs is not None
    assert 1 <= seen.runs <= 500
    assert seen.lines[0][1].low < seen.lines[0][1].high


def test_battles_that_are_too_large_are_refused() -> None:
    game = scene({"alaska": "r900000", "kamchatka": "b900000"})
    with pytest.raises(RubiconError) as caught:
        preview(order_text(attack("alaska", "kamchatka")), game, "red", most_work=10)
    assert caught.value.code == "orders/too-large-to-preview"


def test_a_note_is_counted_once_a_run() -> None:
    """An order may note the same twice; that is not twice as likely."""
    game = scene({"alaska": "r6", "kamchatka": "b1"})
    twice = (attack("brazil", "peru"), attack("alaska", "kamchatka", rounds=1))
    orders = order_text(when(CardEarned(), EndOrder(EndKind.TURN), otherwise=(*twice, *twice)))
    notes = {note.message: chance.chance for note, chance in preview(orders, game, "red").notes}
    assert notes == {"You do not own Brazil.": 1.0}


def test_the_defence_of_a_leg_that_was_settled_is_not_asked_again() -> None:
    """The preview is the same from the middle of an attack and from pending dice."""
    game = scene(HELD, seats="red standing_all=max; blue standing_all=max; green standing_all=max")
    orders = order_text(attack("alaska", "kamchatka"))
    game.play("attack alaska -> kamchatka dice 3")
    agree(preview(orders, game, "red"), plainly(orders, game, "red"), game, "red")
    fall(game, LOSE)
    behind = preview(orders, game, "red").lines[0][1].chance
    ahead = preview(orders, scene(HELD), "red").lines[0][1].chance
    assert behind < ahead
