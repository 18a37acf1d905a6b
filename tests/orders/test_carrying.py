"""Orders carried out, one atomic action at a time."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from rubicon.orders.carrying import Decision, Spoils, Standstill
from rubicon.orders.order import (
    AdvanceOrder,
    AllBut,
    CapitalOrder,
    CardEarned,
    ClaimOrder,
    Comparison,
    DefenceDice,
    DefendOrder,
    Eliminated,
    Ending,
    EndOrder,
    Failed,
    Fewest,
    FortifyOrder,
    Holds,
    ManoeuvreOrder,
    ObjectiveOrder,
    SetChoice,
    TradeOrder,
    Won,
)
from rubicon.orders.preview import preview
from rubicon.orders.sheet import Sheet
from rubicon.orders.sight import Sight
from rubicon.orders.underway import Underway
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.outcomes import Roll
from rubicon.rules.position import Chance
from rubicon.rules.procedures.sampling import generator
from rubicon.rules.ruleset import Ruleset
from tests.orders.scenes import LOSE, WIN, attack, deploy, fall, scene, sheet, when

NORTH = {"alaska": "r6", "northwest_territory": "r3", "greenland": "g1"}
UNPLACED = "red standing_all=max unplaced=3; blue standing_all=max; green standing_all=max"
HAND = (
    "red standing_all=max unplaced=3 hand=alaska,alberta,wild1; "
    "blue standing_all=max; green standing_all=max"
)


def done(
    game: Game,
    orders: Sheet,
    rolls: Iterable[Roll] = (),
    *,
    colour: str = "red",
    spoils: Spoils = Spoils.PAUSE,
) -> tuple[list[str], Decision]:
    """The texts of the actions that orders come to while the dice fall as given, then lose.

    What they stand still with has all notes.
    """
    going = Underway(orders, game, colour, spoils=spoils)
    falling = iter(rolls)
    while (action := going.next(game).action) is not None:
        going.play(game, action)
        while game.owed is not None:
            if game.owed.chance == Chance.BATTLE:
                fall(game, next(falling, LOSE))
            else:
                game.settle(game.sample(generator(1)))
    texts = [str(action) for action in going.actions]
    return texts, replace(going.next(game), notes=going.notes)


def codes(report: Decision) -> list[str]:
    return [note.code for note in report.notes]


def test_a_path_is_attacked_leg_by_leg_and_all_armies_go_on() -> None:
    game = scene(NORTH)
    texts, report = done(game, sheet(attack("alaska", "kamchatka", "irkutsk")), [WIN, WIN])
    assert texts == [
        "attack alaska -> kamchatka dice 3",
        "occupy 5",
        "attack kamchatka -> irkutsk dice 3",
        "occupy 3",
    ]
    assert report.standstill is Standstill.DONE
    assert not report.notes


def test_an_attack_ends_when_no_army_is_to_spare() -> None:
    game = scene({"alaska": "r3"})
    texts, report = done(game, sheet(attack("alaska", "kamchatka")))
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
    done(game, sheet(attack("alaska", "kamchatka", **stops)), [TRADED, *[LOSE] * 9])
    assert game.position.armies[game.territories.index("alaska")] == left


def test_any_of_several_stops_is_enough() -> None:
    game = scene({"alaska": "r9", "kamchatka": "b9"})
    texts, _ = done(game, sheet(attack("alaska", "kamchatka", left=2, rounds=1)))
    assert len(texts) == 1


def test_odds_are_those_of_the_rest_of_the_line() -> None:
    """8 against 1 is all but sure; 8 against 1 and then 9 is not."""
    held = {"alaska": "r8", "irkutsk": "b9"}
    short, _ = done(scene(held), sheet(attack("alaska", "kamchatka", odds=50)), [WIN])
    whole, _ = done(scene(held), sheet(attack("alaska", "kamchatka", "irkutsk", odds=50)), [WIN])
    assert len(short) == 2
    assert not whole


@pytest.mark.parametrize(
    ("advance", "armies"),
    [(None, 3), (4, 4), (AllBut(), 5), (AllBut(2), 4), (AllBut(5), 3), (Fewest.MIN, 3), (2, 3)],
)
def test_advance(advance: object, armies: int) -> None:
    texts, report = done(scene(NORTH), sheet(attack("alaska", "kamchatka", advance=advance)), [WIN])
    assert texts[-1] == f"occupy {armies}"
    assert codes(report) == (["orders/advance"] if advance == 2 else [])


def test_advance_answers_an_occupation_that_waits() -> None:
    game = scene(NORTH)
    game.play("attack alaska -> kamchatka dice 3")
    fall(game, WIN)
    texts, _ = done(game, sheet(AdvanceOrder(AllBut(1))))
    assert texts == ["occupy 5"]


def test_fewer_dice_where_the_order_says_so() -> None:
    texts, _ = done(scene(NORTH), sheet(attack("alaska", "kamchatka", dice=1, rounds=1)))
    assert texts == ["attack alaska -> kamchatka dice 1"]


def test_conditions_choose_by_the_facts() -> None:
    orders = sheet(
        attack("alaska", "kamchatka"),
        when(
            Won(),
            attack("northwest_territory", "greenland"),
            otherwise=(attack("northwest_territory", "alberta"),),
        ),
        EndOrder(Ending.TURN),
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
        (Won("kamchatka"), True),
        (Failed("kamchatka"), False),
        (Failed(), False),
        (CardEarned(), True),
        (Eliminated("green"), True),
        (Eliminated("blue"), False),
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
    orders = sheet(attack("alaska", "kamchatka"), when(condition, then))  # type: ignore[arg-type]
    texts, _ = done(game, orders, [WIN])
    assert ("attack northwest_territory -> greenland dice 2" in texts) is holds


@pytest.mark.parametrize("first", [True, False])
def test_won_speaks_of_the_attack_that_was_carried_out_last(first: bool) -> None:
    """Not of the one written last, in the branch that was not taken."""
    branches = (attack("alaska", "kamchatka"),), (attack("northwest_territory", "alberta"),)
    orders = sheet(
        when(
            Holds("brazil", Comparison.EQUAL, 1 if first else 2),
            *branches[0],
            otherwise=branches[1],
        ),
        when(Won(), attack("peru", "argentina", rounds=1)),
        when(Failed(), EndOrder(Ending.ATTACK)),
    )
    texts, _ = done(scene(NORTH | {"peru": "r3"}), orders, [WIN])
    assert texts[0].startswith("attack alaska" if first else "attack northwest_territory")
    assert texts[2].startswith("attack peru -> argentina")
    assert texts[-1] == "end attack"


def test_an_attack_that_was_not_carried_out_has_not_won() -> None:
    never = when(Holds("brazil", Comparison.MORE, 9), attack("alaska", "kamchatka"))
    end = EndOrder(Ending.ATTACK)
    held = NORTH | {"kamchatka": "r1"}
    assert done(scene(held), sheet(never, when(Won(), end)))[0] == []
    assert done(scene(held), sheet(never, when(Failed(), end)))[0] == ["end attack"]


def test_who_has_resigned_is_out() -> None:
    seats = "red standing_all=max; blue standing_all=max; green:resigned"
    game = scene({"alaska": "r6", "greenland": "n1"}, seats=seats)
    assert Sight(game, "red").is_out(game.position, "green")
    orders = sheet(when(Eliminated("green"), EndOrder(Ending.ATTACK)))
    assert done(game, orders)[0] == ["end attack"]
    assert not preview(orders, game, "red").eliminated


def test_a_condition_without_an_attack_before_it_is_refused() -> None:
    with pytest.raises(RubiconError, match="has no attack before it") as caught:
        done(scene(NORTH), sheet(when(Won(), EndOrder(Ending.TURN))))
    assert caught.value.code == "orders/no-attack-before"


def test_deploy_counts_and_the_rest() -> None:
    game = scene(NORTH, seats=UNPLACED)
    texts, _ = done(game, sheet(deploy(alaska=1, northwest_territory=None)))
    assert texts == ["place alaska 1", "place northwest_territory 2"]


def test_armies_that_are_not_there_are_reported_and_nothing_is_guessed() -> None:
    game = scene(NORTH, seats=UNPLACED)
    orders = sheet(deploy(alaska=2, northwest_territory=5), attack("alaska", "kamchatka"))
    texts, report = done(game, orders)
    assert texts == ["place alaska 2"]
    assert codes(report) == ["orders/too-many", "orders/refused"]
    assert "must be placed first" in report.notes[1].message


def test_a_turn_is_not_ended_with_armies_in_hand() -> None:
    texts, report = done(scene(NORTH, seats=UNPLACED), sheet(ended=True))
    assert not texts
    assert report.standstill is Standstill.PAUSED
    assert "still to be placed" in report.reason


@pytest.mark.parametrize(("armies", "moved"), [(2, 2), (AllBut(), 5), (AllBut(4), 2)])
def test_fortify_ends_the_attacks(armies: int | AllBut, moved: int) -> None:
    order = FortifyOrder("alaska", "northwest_territory", armies)
    texts, _ = done(scene(NORTH), sheet(order))
    assert texts == ["end attack", f"fortify alaska -> northwest_territory {moved}"]


def test_the_best_set_is_traded_once() -> None:
    texts, report = done(
        scene(NORTH, seats=HAND), sheet(TradeOrder(SetChoice.BEST), deploy(alaska=None))
    )
    assert texts[0].startswith("trade ")
    assert texts[1].startswith("place alaska ")
    assert not report.notes


def test_no_set_is_reported() -> None:
    texts, report = done(scene(NORTH), sheet(TradeOrder(SetChoice.BEST), EndOrder(Ending.ATTACK)))
    assert texts == ["end attack"]
    assert codes(report) == ["orders/no-set"]


def test_stars_are_laid_down_and_traded() -> None:
    hand = "red unplaced=3 hand=alaska,alberta,ural; blue; green"
    game = scene(NORTH, preset="revised", seats=hand)
    texts, _ = done(game, sheet(TradeOrder(SetChoice.BEST)))
    assert texts == ["offer alaska", "offer alberta", "offer ural", "trade"]


def test_a_manoeuvre_without_its_reward_is_reported() -> None:
    game = scene(NORTH, preset="revised", seats="red; blue; green")
    order = ManoeuvreOrder("alaska", "northwest_territory", 1)
    texts, report = done(game, sheet(order, EndOrder(Ending.ATTACK)))
    assert "end attack" in texts
    assert codes(report) == ["orders/refused"]


def test_an_objective_that_is_not_met_is_reported() -> None:
    game = scene(NORTH, preset="revised", seats="red; blue; green")
    _, report = done(game, sheet(ObjectiveOrder("OB01"), ended=True))
    assert codes(report) == ["orders/objective-not-met"]


def test_claims_take_the_first_that_is_free_and_wait_for_the_others() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    game.settle("dice 6 3 5")
    orders = sheet(ClaimOrder(("alaska", "brazil")), ClaimOrder(("alaska", "brazil")))
    assert done(game, orders, colour="red")[0] == ["claim alaska"]
    game.play("claim peru")
    game.play("claim egypt")
    assert done(game, sheet(ClaimOrder(("alaska", "brazil"))))[0] == ["claim brazil"]
    assert Underway(orders, game, "red").next(game).standstill is Standstill.WAITING


def test_starting_armies_go_one_at_a_time() -> None:
    game = Game.new(Ruleset.load("classic", {"setup.claim": "random"}), 3)
    rng = generator(2)
    while game.owed is not None:
        game.settle(game.sample(rng))
    mine = [t for t, owner in enumerate(game.position.owner[:42]) if owner == game.position.turn]
    name = game.territories[mine[0]]
    colour = str(game.turn)
    texts, report = done(game, sheet(deploy(**{name: 3})), colour=colour)
    assert texts == [f"place {name} 1"]
    assert report.standstill is Standstill.WAITING


def test_a_sealed_placement_is_finished_by_end() -> None:
    game = Game.new(Ruleset.load("email"), 3)
    rng = generator(2)
    while game.owed is not None:
        game.settle(game.sample(rng))
    mine = [t for t, owner in enumerate(game.position.owner[:42]) if owner == 0]
    order = deploy(**{game.territories[mine[0]]: None})
    texts, _ = done(game, sheet(order, ended=True), colour=game.colours[0])
    assert texts[-1] == f"seal {game.colours[0]}"


def test_a_capital_is_founded() -> None:
    game = Game.new(Ruleset.load("revised"), 3)
    rng = generator(2)
    while game.owed is not None:
        game.settle(game.sample(rng))
    texts, _ = done(game, sheet(CapitalOrder(("japan", "peru"))), colour=str(game.turn))
    assert texts == ["capital japan"]


def test_defend_answers_an_attack_and_is_else_a_standing_order() -> None:
    seats = "red; blue; green"
    game = scene(NORTH | {"kamchatka": "b3"}, preset="classic", seats=seats)
    game.play("attack alaska -> kamchatka dice 3")
    texts, _ = done(game, sheet(DefendOrder(DefenceDice.ONE)), [WIN], colour="blue")
    assert texts == ["defend 1"]
    texts, _ = done(game, sheet(DefendOrder(DefenceDice.TWO, "brazil")), colour="blue")
    assert texts == ["standing blue brazil 2"]


SPOILS_SEATS = (
    "red standing_all=max hand=alaska,alberta; blue standing_all=max; "
    "green standing_all=max hand=ontario,brazil,peru,egypt"
)


def test_spoils_pause_a_path_or_are_traded_where_one_prefers_it() -> None:
    held = NORTH | {"greenland": "b1", "kamchatka": "g1"}
    orders = sheet(attack("alaska", "kamchatka", "irkutsk"))
    game = scene(held, seats=SPOILS_SEATS)
    texts, report = done(game, orders, [WIN, WIN])
    assert texts[-1] == "occupy 5"
    assert report.standstill is Standstill.PAUSED
    game = scene(held, seats=SPOILS_SEATS)
    texts, report = done(game, orders, [WIN, WIN], spoils=Spoils.TRADE_BEST)
    assert texts[2].startswith("trade ")
    assert texts[3].startswith("place kamchatka ")
    assert texts[4] == "attack kamchatka -> irkutsk dice 3"


def test_what_comes_after_the_turn_is_reported() -> None:
    orders = sheet(EndOrder(Ending.TURN), attack("alaska", "kamchatka"))
    texts, report = done(scene(NORTH), orders)
    assert texts == ["end attack", "end turn"]
    assert codes(report) == ["orders/over"]


def test_foreign_and_unknown_places_are_reported() -> None:
    game = scene(NORTH | {"venezuela": "g1"})
    orders = sheet(attack("brazil", "venezuela"), attack("alaska", "brazil", rounds=1))
    texts, report = done(game, orders)
    assert not texts
    assert codes(report) == ["orders/not-yours", "orders/not-yours"] or codes(report) == [
        "orders/not-yours",
        "orders/refused",
    ]


@pytest.mark.parametrize("spoils", list(Spoils))
def test_orders_for_the_spoils_are_reached(spoils: Spoils) -> None:
    game = scene(NORTH | {"greenland": "b1", "kamchatka": "g1"}, seats=SPOILS_SEATS)
    then = (TradeOrder(SetChoice.BEST), deploy(alaska=None))
    orders = sheet(attack("alaska", "kamchatka"), when(Eliminated("green"), *then))
    texts, report = done(game, orders, [WIN], spoils=spoils)
    assert texts[2].startswith("trade ")
    assert texts[3].startswith("place alaska ")
    assert not report.notes


def test_spoils_do_not_hide_what_a_line_has_lost() -> None:
    held = NORTH | {"greenland": "b1", "kamchatka": "g1", "irkutsk": "b9"}
    orders = sheet(attack("alaska", "kamchatka", "irkutsk", lost=3))
    game = scene(held, seats=SPOILS_SEATS)
    texts, _ = done(game, orders, [WIN], spoils=Spoils.TRADE_BEST)
    assert sum("kamchatka -> irkutsk" in text for text in texts) == 2  # two armies each


def test_another_sheet_is_another_attack_order() -> None:
    """A standing order filed between them binds the second one (A-70)."""
    seats = "red; blue; green"
    game = scene(NORTH | {"kamchatka": "b6"}, preset="email", seats=seats)
    orders = sheet(attack("alaska", "kamchatka", rounds=1))
    first, _ = done(game, orders)
    game.play("standing blue kamchatka 1")
    second, _ = done(game, orders)
    assert first == ["attack alaska -> kamchatka dice 3"]
    assert not second[0].endswith("again")


def test_odds_go_on_with_the_armies_that_stand_on_the_way() -> None:
    held = {"alaska": "r4", "irkutsk": "r30", "mongolia": "b2"}
    orders = sheet(attack("alaska", "kamchatka", "irkutsk", "mongolia", odds=60))
    texts, _ = done(scene(held), orders, [WIN, WIN])
    assert texts[0] == "attack alaska -> kamchatka dice 3"
    assert texts[-1].startswith("occupy")


def test_odds_of_armies_beyond_counting() -> None:
    held = {"alaska": "r9000", "kamchatka": "b3500"}
    texts, _ = done(scene(held), sheet(attack("alaska", "kamchatka", odds=99, rounds=2)))
    assert len(texts) == 2


def test_stars_that_cannot_be_traded_are_not_laid_down() -> None:
    hand = "red unplaced=3 hand=alaska,peru,siam; blue; green"
    game = scene(NORTH, preset="revised", seats=hand)
    texts, report = done(game, sheet(TradeOrder(("alaska", "brazil"))))
    assert not texts
    assert codes(report) == ["orders/refused"]
    assert "wild1" not in game.cards
    texts, report = done(game, sheet(TradeOrder(("alaska", "wild1"))))
    assert not texts
    assert codes(report) == ["orders/refused"]
    game.play("offer alaska")
    texts, _ = done(game, sheet(TradeOrder(("peru", "siam"))))
    assert texts == ["withdraw", "offer peru", "offer siam", "trade"]


def test_cards_on_offer_are_taken_back_where_none_are_to_be_traded() -> None:
    game = scene(NORTH, preset="revised", seats="red unplaced=3 hand=alaska,peru; blue; green")
    game.play("offer alaska")
    assert done(game, sheet(TradeOrder(SetChoice.NO)))[0] == ["withdraw"]


def test_the_best_set_may_name_who_gets_the_two_armies() -> None:
    seats = HAND.replace("alaska,alberta,wild1", "alaska,northwest_territory,wild1")
    texts, _ = done(
        scene(NORTH, seats=seats), sheet(TradeOrder(SetChoice.BEST, "northwest_territory"))
    )
    assert texts == ["trade alaska northwest_territory wild1 on northwest_territory"]
