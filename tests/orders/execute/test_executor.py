"""Orders are executed one atomic action at a time."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from rubicon.engine.chance import generator
from rubicon.engine.records import Chance, Phase
from rubicon.errors import RubiconError
from rubicon.orders.execute.executor import (
    Decision,
    RunningOrders,
    Standstill,
    first_action,
    is_single_step,
)
from rubicon.orders.execute.program import SeatView
from rubicon.orders.preview.preview import preview
from rubicon.orders.syntax import (
    AdvanceOrder,
    AllBut,
    CapitalOrder,
    CardEarned,
    ClaimOrder,
    Comparison,
    DeclineOrder,
    DefenceDice,
    DefendOrder,
    EliminatedCondition,
    EndKind,
    EndOrder,
    FailedCondition,
    Fewest,
    FortifyOrder,
    Holds,
    LeftOpen,
    ManoeuvreOrder,
    ObjectiveOrder,
    Order,
    OrderText,
    SealOrder,
    SetChoice,
    SimpleOrder,
    TradeOrder,
    WonCondition,
)
from rubicon.rules.actions import Roll
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.orders.scenes import LOSE, WIN, attack, deploy, fall, order_text, scene, when

NORTH = {"alaska": "r6", "northwest_territory": "r3", "greenland": "g1"}
UNPLACED = "red standing_all=max unplaced=3; blue standing_all=max; green standing_all=max"
HAND = (
    "red standing_all=max unplaced=3 hand=alaska,alberta,wild1; "
    "blue standing_all=max; green standing_all=max"
)


def done(
    game: Game,
    orders: OrderText,
    rolls: Iterable[Roll] = (),
    *,
    colour: str = "red",
) -> tuple[list[str], Decision]:
    """The texts of the actions of some orders; the rolls are given, all others lose.

    The final decision has all notes.
    """
    going = RunningOrders(orders, game, colour)
    falling = iter(rolls)
    while (action := going.next(game).action) is not None:
        going.play(game, action)
        while game.pending is not None:
            if game.pending.chance == Chance.BATTLE:
                fall(game, next(falling, LOSE))
            else:
                game.settle(game.sample(generator(1)))
    texts = [str(action) for action in going.actions]
    return texts, replace(going.next(game), notes=going.notes)


def codes(report: Decision) -> list[str]:
    return [note.code for note in report.notes]


def test_a_path_is_attacked_leg_by_leg_and_all_armies_go_on() -> None:
    game = scene(NORTH)
    texts, report = done(game, order_text(attack("alaska", "kamchatka", "irkutsk")), [WIN, WIN])
    assert texts == [
        "attack alaska -> kamchatka dice 3",
        "occupy 5",
        "attack kamchatka -> irkutsk dice 3",
        "occupy 3",
    ]
    assert report.standstill is Standstill.DONE
    assert not report.notes


def test_an_attack_ends_without_an_army_to_spare() -> None:
    game = scene({"alaska": "r3"})
    texts, report = done(game, order_text(attack("alaska", "kamchatka")))
    assert texts == ["attack alaska -> kamchatka dice 2", "attack alaska -> kamchatka dice 1"]
    assert report.standstill is Standstill.DONE


TRADED = Roll((6, 1, 1), (5, 5))  # one army each


@pytest.mark.parametrize(
    ("stops", "left"),
    [({"left": 7}, 6), ({"left": 6}, 6), ({"rounds": 1}, 8), ({"lost": 2}, 6), ({"odds": 99}, 9)],
)
def test_stops(stops: dict[str, int], left: int) -> None:
    """Each roll but the first costs the attacker two."""
    game = scene({"alaska": "r9", "kamchatka": "b20"})
    done(game, order_text(attack("alaska", "kamchatka", **stops)), [TRADED, *[LOSE] * 9])
    assert game.position.armies[game.territories.index("alaska")] == left


def test_any_of_several_stops_is_enough() -> None:
    game = scene({"alaska": "r9", "kamchatka": "b9"})
    texts, _ = done(game, order_text(attack("alaska", "kamchatka", left=2, rounds=1)))
    assert len(texts) == 1


def test_odds_are_those_of_the_rest_of_the_path() -> None:
    """8 against 1 is almost certain; 8 against 1 and then 9 is not."""
    held = {"alaska": "r8", "irkutsk": "b9"}
    short, _ = done(scene(held), order_text(attack("alaska", "kamchatka", odds=50)), [WIN])
    whole, _ = done(
        scene(held), order_text(attack("alaska", "kamchatka", "irkutsk", odds=50)), [WIN]
    )
    assert len(short) == 2
    assert not whole


@pytest.mark.parametrize(
    ("advance", "armies"),
    [(None, 3), (4, 4), (AllBut(), 5), (AllBut(2), 4), (AllBut(5), 3), (Fewest.MIN, 3), (2, 3)],
)
def test_advance(advance: object, armies: int) -> None:
    texts, report = done(
        scene(NORTH), order_text(attack("alaska", "kamchatka", advance=advance)), [WIN]
    )
    assert texts[-1] == f"occupy {armies}"
    assert codes(report) == (["orders/advance"] if advance == 2 else [])


def test_advance_ask_leaves_the_last_occupation_open() -> None:
    """On the way all that may move on; into the last territory the seat decides."""
    asked = attack("alaska", "kamchatka", "irkutsk", advance=LeftOpen.ASK)
    game = scene({"alaska": "r9"})
    texts, report = done(game, order_text(asked), [WIN, WIN])
    assert texts[1] == "occupy 8"
    assert texts[-1].startswith("attack kamchatka -> irkutsk")
    assert report.standstill is Standstill.PAUSED
    assert "ADVANCE" in report.reason
    texts, _ = done(game, order_text(AdvanceOrder(AllBut(2))))
    assert texts == ["occupy 6"]


def test_advance_ask_asks_nothing_where_one_number_is_legal() -> None:
    asked = attack("alaska", "kamchatka", advance=LeftOpen.ASK)
    texts, report = done(scene({"alaska": "r4"}), order_text(asked), [WIN])
    assert texts[-1] == "occupy 3"
    assert report.standstill is Standstill.DONE


def test_advance_answers_a_pending_occupation() -> None:
    game = scene(NORTH)
    game.play("attack alaska -> kamchatka dice 3")
    fall(game, WIN)
    texts, _ = done(game, order_text(AdvanceOrder(AllBut(1))))
    assert texts == ["occupy 5"]


def test_fewer_dice_where_the_order_says_so() -> None:
    texts, _ = done(scene(NORTH), order_text(attack("alaska", "kamchatka", dice=1, rounds=1)))
    assert texts == ["attack alaska -> kamchatka dice 1"]


def test_conditions_choose_by_the_facts() -> None:
    orders = order_text(
        attack("alaska", "kamchatka"),
        when(
            WonCondition(),
            attack("northwest_territory", "greenland"),
            otherwise=(attack("northwest_territory", "alberta"),),
        ),
        EndOrder(EndKind.TURN),
    )
    won, _ = done(scene(NORTH), orders, [WIN])
    lost, _ = done(scene(NORTH), orders)
    assert "attack northwest_territory -> greenland dice 2" in won
    assert "attack northwest_territory -> alberta dice 2" in lost
    assert "attack northwest_territory -> alberta dice 2" not in won
    assert won[-1] == "end turn"
    assert lost[-1] == "end attack"  # nothing is left that could be moved


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (WonCondition("kamchatka"), True),
        (FailedCondition("kamchatka"), False),
        (FailedCondition(), False),
        (CardEarned(), True),
        (EliminatedCondition("green"), True),
        (EliminatedCondition("blue"), False),
        (Holds("kamchatka", Comparison.AT_LEAST, 3), True),
        (Holds("kamchatka", Comparison.LESS, 3), False),
        (Holds("brazil", Comparison.EQUAL, 1), True),
        (Holds("brazil", Comparison.NOT_EQUAL, 1), False),
        (Holds("brazil", Comparison.MORE, 1), False),
        (Holds("brazil", Comparison.AT_MOST, 1), True),
    ],
)
def test_every_condition(condition: object, holds: bool) -> None:
    game = scene(NORTH | {"kamchatka": "g1", "greenland": "b1"})
    then = attack("northwest_territory", "greenland")
    orders = order_text(attack("alaska", "kamchatka"), when(condition, then))  # type: ignore[arg-type]
    texts, _ = done(game, orders, [WIN])
    assert ("attack northwest_territory -> greenland dice 2" in texts) is holds


@pytest.mark.parametrize("first", [True, False])
def test_won_means_the_attack_that_was_executed_last(first: bool) -> None:
    """An attack in a branch that was not taken does not count."""
    branches = (attack("alaska", "kamchatka"),), (attack("northwest_territory", "alberta"),)
    orders = order_text(
        when(
            Holds("brazil", Comparison.EQUAL, 1 if first else 2),
            *branches[0],
            otherwise=branches[1],
        ),
        when(WonCondition(), attack("peru", "argentina", rounds=1)),
        when(FailedCondition(), EndOrder(EndKind.ATTACK)),
    )
    texts, _ = done(scene(NORTH | {"peru": "r3"}), orders, [WIN])
    assert texts[0].startswith("attack alaska" if first else "attack northwest_territory")
    assert texts[2].startswith("attack peru -> argentina")
    assert texts[-1] == "end attack"


def test_an_attack_that_was_not_carried_out_has_not_won() -> None:
    never = when(Holds("brazil", Comparison.MORE, 9), attack("alaska", "kamchatka"))
    end = EndOrder(EndKind.ATTACK)
    held = NORTH | {"kamchatka": "r1"}
    assert done(scene(held), order_text(never, when(WonCondition(), end)))[0] == []
    assert done(scene(held), order_text(never, when(FailedCondition(), end)))[0] == ["end attack"]


def test_a_resigned_player_is_eliminated() -> None:
    seats = "red standing_all=max; blue standing_all=max; green:resigned"
    game = scene({"alaska": "r6", "greenland": "n1"}, seats=seats)
    assert SeatView(game, "red").is_out(game.position, "green")
    orders = order_text(when(EliminatedCondition("green"), EndOrder(EndKind.ATTACK)))
    assert done(game, orders)[0] == ["end attack"]
    assert not preview(orders, game, "red").eliminated


def test_a_condition_without_an_attack_before_it_is_refused() -> None:
    with pytest.raises(RubiconError, match="there is no attack before it") as caught:
        done(scene(NORTH), order_text(when(WonCondition(), EndOrder(EndKind.TURN))))
    assert caught.value.code == "orders/no-attack-before"


def test_deploy_counts_and_the_rest() -> None:
    game = scene(NORTH, seats=UNPLACED)
    texts, _ = done(game, order_text(deploy(alaska=1, northwest_territory=None)))
    assert texts == ["place alaska 1", "place northwest_territory 2"]


def test_missing_armies_are_noted_and_nothing_is_guessed() -> None:
    game = scene(NORTH, seats=UNPLACED)
    orders = order_text(deploy(alaska=2, northwest_territory=5), attack("alaska", "kamchatka"))
    texts, report = done(game, orders)
    assert texts == ["place alaska 2"]
    assert codes(report) == ["orders/too-many", "orders/refused"]
    assert report.notes[1].message.startswith("'attack alaska -> kamchatka dice 3' is not possible")


def test_a_turn_does_not_end_with_armies_to_place() -> None:
    texts, report = done(scene(NORTH, seats=UNPLACED), order_text(ended=True))
    assert not texts
    assert report.standstill is Standstill.PAUSED
    assert "armies to place" in report.reason


@pytest.mark.parametrize(("armies", "moved"), [(2, 2), (AllBut(), 5), (AllBut(4), 2)])
def test_fortify_ends_the_attacks(armies: int | AllBut, moved: int) -> None:
    order = FortifyOrder("alaska", "northwest_territory", armies)
    texts, _ = done(scene(NORTH), order_text(order))
    assert texts == ["end attack", f"fortify alaska -> northwest_territory {moved}"]


def test_the_best_set_is_traded_once() -> None:
    texts, report = done(
        scene(NORTH, seats=HAND), order_text(TradeOrder(SetChoice.BEST), deploy(alaska=None))
    )
    assert texts[0].startswith("trade ")
    assert texts[1].startswith("place alaska ")
    assert not report.notes


def test_a_missing_set_is_noted() -> None:
    texts, report = done(
        scene(NORTH), order_text(TradeOrder(SetChoice.BEST), EndOrder(EndKind.ATTACK))
    )
    assert texts == ["end attack"]
    assert codes(report) == ["orders/no-set"]


def test_stars_are_offered_and_traded() -> None:
    hand = "red unplaced=3 hand=alaska,alberta,ural; blue; green"
    game = scene(NORTH, preset="revised", seats=hand)
    texts, _ = done(game, order_text(TradeOrder(SetChoice.BEST)))
    assert texts == ["offer alaska", "offer alberta", "offer ural", "trade"]


def test_a_manoeuvre_without_its_reward_is_noted() -> None:
    game = scene(NORTH, preset="revised", seats="red; blue; green")
    order = ManoeuvreOrder("alaska", "northwest_territory", 1)
    texts, report = done(game, order_text(order, EndOrder(EndKind.ATTACK)))
    assert "end attack" in texts
    assert codes(report) == ["orders/refused"]


def test_an_objective_that_is_not_met_is_noted() -> None:
    game = scene(NORTH, preset="revised", seats="red; blue; green")
    _, report = done(game, order_text(ObjectiveOrder("OB01"), ended=True))
    assert codes(report) == ["orders/objective-not-met"]


def test_claims_take_the_first_that_is_free_and_wait_for_the_others() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    game.settle("dice 6 3 5")
    orders = order_text(ClaimOrder(("alaska", "brazil")), ClaimOrder(("alaska", "brazil")))
    assert done(game, orders, colour="red")[0] == ["claim alaska"]
    game.play("claim peru")
    game.play("claim egypt")
    assert done(game, order_text(ClaimOrder(("alaska", "brazil"))))[0] == ["claim brazil"]
    assert RunningOrders(orders, game, "red").next(game).standstill is Standstill.WAITING


def test_starting_armies_go_one_at_a_time() -> None:
    game = Game.new(Ruleset.load("classic", {"setup.claim": "random"}), 3)
    rng = generator(2)
    while game.pending is not None:
        game.settle(game.sample(rng))
    mine = [t for t, owner in enumerate(game.position.owner[:42]) if owner == game.position.turn]
    name = game.territories[mine[0]]
    colour = str(game.turn)
    texts, report = done(game, order_text(deploy(**{name: 3})), colour=colour)
    assert texts == [f"place {name} 1"]
    assert report.standstill is Standstill.WAITING


def test_a_sealed_placement_is_finished_by_end() -> None:
    game = Game.new(Ruleset.load("email"), 3)
    rng = generator(2)
    while game.pending is not None:
        game.settle(game.sample(rng))
    mine = [t for t, owner in enumerate(game.position.owner[:42]) if owner == 0]
    order = deploy(**{game.territories[mine[0]]: None})
    texts, _ = done(game, order_text(order, ended=True), colour=game.colours[0])
    assert texts[-1] == f"seal {game.colours[0]}"


def test_the_first_possible_capital_is_chosen() -> None:
    game = Game.new(Ruleset.load("revised"), 3)
    rng = generator(2)
    while game.pending is not None:
        game.settle(game.sample(rng))
    texts, _ = done(game, order_text(CapitalOrder(("japan", "peru"))), colour=str(game.turn))
    assert texts == ["capital japan"]


def test_defend_answers_an_attack_or_is_a_standing_order() -> None:
    seats = "red; blue; green"
    game = scene(NORTH | {"kamchatka": "b3"}, preset="classic", seats=seats)
    game.play("attack alaska -> kamchatka dice 3")
    texts, _ = done(game, order_text(DefendOrder(DefenceDice.ONE)), [WIN], colour="blue")
    assert texts == ["defend 1"]
    texts, _ = done(game, order_text(DefendOrder(DefenceDice.TWO, "brazil")), colour="blue")
    assert texts == ["standing blue brazil 2"]


SPOILS_SEATS = (
    "red standing_all=max hand=alaska,alberta; blue standing_all=max; "
    "green standing_all=max hand=ontario,brazil,peru,egypt"
)


def test_cards_won_pause_a_path() -> None:
    held = NORTH | {"greenland": "b1", "kamchatka": "g1"}
    orders = order_text(attack("alaska", "kamchatka", "irkutsk"))
    game = scene(held, seats=SPOILS_SEATS)
    texts, report = done(game, orders, [WIN, WIN])
    assert texts[-1] == "occupy 5"
    assert report.standstill is Standstill.PAUSED


def test_orders_behind_the_end_of_the_turn_are_noted() -> None:
    orders = order_text(EndOrder(EndKind.TURN), attack("alaska", "kamchatka"))
    texts, report = done(scene(NORTH), orders)
    assert texts == ["end attack", "end turn"]
    assert codes(report) == ["orders/over"]


def test_territories_of_others_are_noted() -> None:
    game = scene(NORTH | {"venezuela": "g1"})
    orders = order_text(attack("brazil", "venezuela"), attack("alaska", "brazil", rounds=1))
    texts, report = done(game, orders)
    assert not texts
    assert codes(report) == ["orders/not-yours", "orders/not-yours"] or codes(report) == [
        "orders/not-yours",
        "orders/refused",
    ]


def test_orders_that_trade_the_cards_won_are_reached() -> None:
    game = scene(NORTH | {"greenland": "b1", "kamchatka": "g1"}, seats=SPOILS_SEATS)
    then = (TradeOrder(SetChoice.BEST), deploy(alaska=None))
    orders = order_text(attack("alaska", "kamchatka"), when(EliminatedCondition("green"), *then))
    texts, report = done(game, orders, [WIN])
    assert texts[2].startswith("trade ")
    assert texts[3].startswith("place alaska ")
    assert not report.notes


def test_another_text_is_another_attack_order() -> None:
    """A standing order filed between them binds the second one (A-70)."""
    seats = "red; blue; green"
    game = scene(NORTH | {"kamchatka": "b6"}, preset="email", seats=seats)
    orders = order_text(attack("alaska", "kamchatka", rounds=1))
    first, _ = done(game, orders)
    game.play("standing blue kamchatka 1")
    second, _ = done(game, orders)
    assert first == ["attack alaska -> kamchatka dice 3"]
    assert not second[0].endswith("again")


def test_odds_include_own_armies_on_the_path() -> None:
    held = {"alaska": "r4", "irkutsk": "r30", "mongolia": "b2"}
    orders = order_text(attack("alaska", "kamchatka", "irkutsk", "mongolia", odds=60))
    texts, _ = done(scene(held), orders, [WIN, WIN])
    assert texts[0] == "attack alaska -> kamchatka dice 3"
    assert texts[-1].startswith("occupy")


def test_odds_of_huge_armies() -> None:
    held = {"alaska": "r9000", "kamchatka": "b3500"}
    texts, _ = done(scene(held), order_text(attack("alaska", "kamchatka", odds=99, rounds=2)))
    assert len(texts) == 2


def test_stars_that_cannot_be_traded_are_not_offered() -> None:
    hand = "red unplaced=3 hand=alaska,peru,siam; blue; green"
    game = scene(NORTH, preset="revised", seats=hand)
    texts, report = done(game, order_text(TradeOrder(("alaska", "brazil"))))
    assert not texts
    assert codes(report) == ["orders/refused"]
    assert "wild1" not in game.cards
    texts, report = done(game, order_text(TradeOrder(("alaska", "wild1"))))
    assert not texts
    assert codes(report) == ["orders/refused"]
    game.play("offer alaska")
    texts, _ = done(game, order_text(TradeOrder(("peru", "siam"))))
    assert texts == ["withdraw", "offer peru", "offer siam", "trade"]


def test_trade_no_takes_offered_cards_back() -> None:
    game = scene(NORTH, preset="revised", seats="red unplaced=3 hand=alaska,peru; blue; green")
    game.play("offer alaska")
    assert done(game, order_text(TradeOrder(SetChoice.NO)))[0] == ["withdraw"]


def test_the_best_set_can_name_the_pictured_territory() -> None:
    seats = HAND.replace("alaska,alberta,wild1", "alaska,northwest_territory,wild1")
    texts, _ = done(
        scene(NORTH, seats=seats), order_text(TradeOrder(SetChoice.BEST, "northwest_territory"))
    )
    assert texts == ["trade alaska northwest_territory wild1 on northwest_territory"]


NOTHING_DONE = [
    (attack("alaska", "kamchatka"), {"alaska": "r1"}, "No attack: Alaska has no army to spare."),
    (
        attack("alaska", "kamchatka", left=9),
        {"alaska": "r6"},
        "No attack: at most 9 armies are left on Alaska.",
    ),
    (
        attack("alaska", "kamchatka", odds=90),
        {"alaska": "r3", "kamchatka": "b9"},
        "No attack: the chance to take the rest of the path is below 90%.",
    ),
    (
        attack("alaska", "kamchatka"),
        {"alaska": "r6", "kamchatka": "r1"},
        "No attack: you own the whole path already.",
    ),
    (deploy(alaska=None), {"alaska": "r6"}, "You have no armies to place."),
    (TradeOrder(SetChoice.BEST), {"alaska": "r6"}, "You have no set of cards to trade."),
]


@pytest.mark.parametrize(("order", "held", "message"), NOTHING_DONE)
def test_an_order_that_does_nothing_says_why(
    order: Order, held: dict[str, str], message: str
) -> None:
    texts, report = done(scene(held), order_text(order))
    assert (texts, [note.message for note in report.notes]) == ([], [message])


def test_an_attack_that_rolled_needs_no_note() -> None:
    game = scene({"alaska": "r3", "kamchatka": "b9"})
    _, report = done(game, order_text(attack("alaska", "kamchatka", left=2)))
    assert not report.notes


def test_orders_that_wait_for_another_player_say_so() -> None:
    game = scene(NORTH, seats="red; blue; green")
    going = RunningOrders(order_text(attack("alaska", "kamchatka")), game, "red")
    action = going.next(game).action
    assert action is not None
    going.play(game, action)
    waiting = going.next(game)
    assert waiting.standstill is Standstill.WAITING
    assert waiting.reason == "Blue chooses the defence dice; your orders continue after that."


@pytest.mark.parametrize("order", [TradeOrder(SetChoice.NO), DeclineOrder()])
def test_a_further_set_after_an_elimination_can_be_declined(order: SimpleOrder) -> None:
    seats = SPOILS_SEATS.replace("alaska,alberta", "alaska,alberta,wild1,wild2").replace(
        ",egypt", ""
    )
    before = scene(NORTH | {"greenland": "b1", "kamchatka": "g1"}, seats=seats)
    ruleset = before.ruleset.with_options({"elim.trade": "optional"})
    game = Game.from_position(ruleset, before.position)
    texts, report = done(game, order_text(attack("alaska", "kamchatka"), order), [WIN])
    assert texts[-1] == "decline"
    assert not report.notes
    assert game.phase == Phase.ATTACK


def test_seal_finishes_a_hidden_placement() -> None:
    game = Game.new(Ruleset.load("email"), 3)
    rng = generator(2)
    while game.pending is not None:
        game.settle(game.sample(rng))
    mine = [t for t, owner in enumerate(game.position.owner[:42]) if owner == 0]
    order = deploy(**{game.territories[mine[0]]: None})
    texts, _ = done(game, order_text(order, SealOrder()), colour=game.colours[0])
    assert texts[-1] == f"seal {game.colours[0]}"


def test_a_single_step_is_the_first_action_of_an_order() -> None:
    game = scene(NORTH)
    one = attack("alaska", "kamchatka")
    assert is_single_step(one, game)
    assert not is_single_step(attack("alaska", "kamchatka", rounds=1), game)
    assert not is_single_step(attack("alaska", "kamchatka", "irkutsk"), game)
    assert str(first_action(order_text(one), game, "red")) == "attack alaska -> kamchatka dice 3"
    assert str(first_action(order_text(ended=True), game, "red")) == "end attack"
    with pytest.raises(RubiconError, match="You do not own Brazil") as refused:
        first_action(order_text(attack("brazil", "peru")), game, "red")
    assert refused.value.code == "orders/not-yours"
    with pytest.raises(RubiconError, match="Red is to move"):
        first_action(order_text(attack("brazil", "peru")), game, "blue")
