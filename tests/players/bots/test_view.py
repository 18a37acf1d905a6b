"""The view: what it says is so, and nothing hidden can be reached from it."""

import numpy as np
import pytest

from rubicon.engine.records import HIDDEN, CardPlace
from rubicon.errors import RubiconError
from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule
from rubicon.players.view import MOST_ARMIES, View
from rubicon.rules.situation import income
from tests.players.attack_position import attack_position
from tests.players.played import first_turn


def view_of_red() -> View:
    game = attack_position(
        {"siam": "red 9", "indonesia": "blue 2", "new_guinea": "green 4"}, elsewhere="blue 3"
    )
    return View(game, "red")


def test_territories_and_their_neighbours() -> None:
    view = view_of_red()
    siam = view["siam"]
    assert (siam.id, siam.owner, siam.armies, siam.mine, str(siam)) == (
        "siam",
        "red",
        9,
        True,
        "siam",
    )
    assert {str(land) for land in siam.neighbours} == {"india", "china", "indonesia"}
    assert siam.enemies == siam.neighbours
    assert view["indo"] is view["Indonesia"]
    assert view["new guinea"].enemies == tuple(view["new_guinea"].neighbours)
    assert view.mine == view.borders == (siam,)
    assert siam.continent.id == "asia"
    assert siam.continent.owner is None
    assert view["peru"].continent.owner == "blue"
    with pytest.raises(RubiconError, match="narnia"):
        view["narnia"]


def test_what_is_known_of_the_seats() -> None:
    view = view_of_red()
    assert list(view.seats) == ["red", "blue", "green"]
    assert (view.me.territories, view.me.armies) == (1, 9)
    assert view.seats["green"].armies == 4
    assert view.seats["blue"].territories == 40
    assert view.me.income == income(view.game.ruleset, view.game.position, 0).total
    assert (view.seat, view.turn, view.round, view.phase) == ("red", "red", 5, "attack")


def test_armies_to_place_and_what_is_legal() -> None:
    game = first_turn()
    (colour,) = game.actors
    view = View(game, colour)
    assert view.phase == "reinforce"
    assert view.unplaced > 0
    assert list(view.legal) == list(game.legal)
    assert view.attacks == ()
    assert view.next_set == 4
    game.play(f"place {view.mine[0]} {view.unplaced}")
    later = View(game, colour)
    assert later.phase == "attack"
    assert all(source.mine and not target.mine for source, target in later.attacks)
    assert len(later.attacks) > 0


def test_chances_are_those_of_the_odds() -> None:
    view = view_of_red()
    rule = DiceRule.of("classic")
    assert view.chance("siam", "indonesia") == pytest.approx(battle(9, 2, rule).win)
    path = view.chance(view["siam"], view["indonesia"], "new_guinea")
    assert 0 < path < view.chance("siam", "indonesia")
    assert view.chance("indonesia", "siam") < 0.1


@pytest.mark.parametrize("path", [("siam", "brazil"), ("siam", "indonesia", "brazil")])
def test_no_chance_is_told_where_there_is_no_border(path: tuple[str, ...]) -> None:
    view = view_of_red()
    with pytest.raises(RubiconError, match=r"no border with Brazil\. Its neighbours: ") as refused:
        view.chance(*path)
    assert refused.value.code == "board/no-border"


def test_the_chances_of_large_armies_are_scaled_down() -> None:
    game = attack_position({"siam": "red 4000", "india": "blue 4000", "china": "blue 1000"})
    view = View(game, "red")
    even = battle(MOST_ARMIES, MOST_ARMIES, DiceRule.of("classic")).win
    assert view.chance("siam", "india") == pytest.approx(even)
    assert view.chance("siam", "china") > 0.99


def test_without_armies_to_spare_there_is_no_chance() -> None:
    game = attack_position({"siam": "red 1"})
    assert View(game, "red").chance("siam", "india") == 0.0


def test_the_own_cards_and_mission() -> None:
    game = first_turn("secret-mission")
    (colour,) = game.actors
    seat = game.seat(colour)
    game.position.card[[3, 5]] = seat
    game.position.card[7] = (seat + 1) % 3
    game.position.hand[seat] = 2
    game.position.hand[(seat + 1) % 3] = 1
    view = View(game, colour)
    assert view.cards == (game.cards[3], game.cards[5])
    assert view.me.cards == 2
    assert view.seats[game.colours[(seat + 1) % 3]].cards == 1
    own = game.ruleset.board.missions[int(game.position.mission[seat])]
    assert view.mission == own.text
    assert View(first_turn(), "red").mission is None


def test_nothing_hidden_can_be_reached() -> None:
    game = first_turn("secret-mission")
    colour = game.actors[0]
    seat = game.seat(colour)
    view = View(game, colour)
    seen = view.game.position
    others = [number for number in range(game.size) if number != seat]
    assert {int(seen.mission[other]) for other in others} == {HIDDEN}
    assert CardPlace.PILE not in np.asarray(seen.card[: len(game.cards)])
    assert view.game.history == ()
    assert view.text == str(view.game)


def test_a_bot_may_try_actions_on_a_copy() -> None:
    game = first_turn()
    view = View(game, game.actors[0])
    trial = view.game.copy()
    trial.play(view.legal[0])
    assert str(trial) != str(view.game)
    assert str(view.game) == view.text
