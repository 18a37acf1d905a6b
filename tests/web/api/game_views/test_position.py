"""A position as data says the same as the position itself, and nothing of what is hidden."""

from __future__ import annotations

import pytest

from rubicon.engine.records import NEUTRAL, NONE, Chance, Phase, Seat, copy_position
from rubicon.engine.turn import award
from rubicon.rules.actions import Attack
from rubicon.rules.ruleset.ruleset import preset_names
from rubicon.web.api.position import Seen, position_view
from tests.web.api.game_views.scenes import at_phase, played


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("steps", [0, 9, 60, 200])
def test_the_board_is_the_positions(preset: str, steps: int) -> None:
    game = played(preset, steps, players=2 if preset.startswith("two") else 3)
    colour = game.colours[0]
    told = position_view(Seen.by(game, colour))
    hidden = game.phase == Phase.SEALED
    for t, name in enumerate(game.territories):
        owner, one = int(game.position.owner[t]), told["territories"][name]
        assert one["owner"] == (None if owner == NONE else game.owner_name(owner))
        if not hidden or owner in (NONE, NEUTRAL, 0):
            assert one["armies"] == int(game.position.armies[t])
        else:
            assert one["armies"] is None
    for number, seat in enumerate(told["seats"]):
        held = [t for t in told["territories"].values() if t["owner"] == seat["colour"]]
        assert seat["territories"] == len(held)
        assert seat["cards"] == int(game.position.hand[number])
        if not hidden:
            assert seat["armies"] == sum(one["armies"] or 0 for one in held)


def test_income_is_what_the_next_turn_brings() -> None:
    for preset in ("classic", "revised", "capital", "digest"):
        game = played(preset, 250)
        told = position_view(Seen.by(game, ""))
        for seat, one in enumerate(told["seats"]):
            if one["income"] is None:
                assert game.over or game.position.status[seat] != Seat.PLAYING
                continue
            trial = copy_position(game.position)
            trial.reward_from[:] = 0
            award(trial, game.rules, game.tables, seat)
            told_of = one["income"]
            of_board = told_of["territories"] + told_of["cities"] + told_of["continents"]
            total = of_board + told_of["capitals"] + told_of["rewards"]
            assert told_of["total"] == int(trial.unplaced[seat]) == total
            assert told_of["continents"] == int(trial.award_continents)


def test_cities_count_beside_territories() -> None:
    game = played("revised", 120)
    told = position_view(Seen.by(game, ""))
    for one in told["seats"]:
        assert one["income"] is not None
        cities = sum(
            each["city"] for each in told["territories"].values() if each["owner"] == one["colour"]
        )
        with_cities = max(3, (one["territories"] + cities) // 3)
        without = max(3, one["territories"] // 3)
        assert one["income"]["cities"] == with_cities - without


def test_hands_missions_and_standing_orders_are_their_owners() -> None:
    game = played("secret-mission", 300)
    for colour in game.colours:
        for seat in position_view(Seen.by(game, colour))["seats"]:
            own = seat["colour"] == colour
            assert (seat["mission"] is not None) is own
            assert (seat["standing"] is not None) is own
            assert (seat["hand"] is not None) is (own or seat["cards"] == 0)
    watched = position_view(Seen.by(game, ""))
    assert all(seat["mission"] is None and seat["standing"] is None for seat in watched["seats"])


def test_every_mission_has_its_progress() -> None:
    kinds = set()
    for seed in range(1, 9):
        game = played("secret-mission", 90, seed=seed, players=4)
        for colour in game.colours:
            view = position_view(Seen.by(game, colour))
            (own,) = [seat for seat in view["seats"] if seat["colour"] == colour]
            assert own["mission"] is not None
            for part in own["mission"]["parts"]:
                kinds.add(part["of"])
                assert part["have"] >= 0
                if part["of"] in view["continents"]:
                    continent = game.ruleset.board.continents[
                        list(view["continents"]).index(part["of"])
                    ]
                    names = [game.territories[t] for t in continent.territories]
                    held = [view["territories"][name]["owner"] == colour for name in names]
                    assert (part["have"], part["needed"]) == (sum(held), len(names))
            done = all(part["have"] >= part["needed"] for part in own["mission"]["parts"])
            assert own["mission"]["complete"] is done
    assert {"territories", "asia"} <= kinds


def test_the_track_has_past_and_coming_sets() -> None:
    game = played("classic", 150)
    game.position.sets = 4
    cards = position_view(Seen.by(game, ""))["cards"]
    assert cards["track"] == {"past": [6, 8, 10], "next": 12, "coming": [15, 20, 25, 30]}
    assert cards["stars"] is None


def test_stars_have_a_table_instead() -> None:
    cards = position_view(Seen.by(played("revised", 100), ""))["cards"]
    assert cards["track"] is None
    assert cards["stars"] is not None
    assert [row["armies"] for row in cards["stars"]] == [2, 4, 7, 10, 13, 17, 21, 25, 30]


def test_objectives_tell_the_askers_progress() -> None:
    game = played("revised", 150)
    for colour in game.colours:
        told = position_view(Seen.by(game, colour))
        (own,) = [seat for seat in told["seats"] if seat["colour"] == colour]
        assert [one["major"] for one in told["objectives"]] == [False] * 4 + [True] * 4
        for one in told["objectives"]:
            assert one["progress"] is not None
            assert one["met"] is (one["progress"]["have"] >= one["progress"]["needed"])
            assert (one["goal"]["kind"] == "continent") is (one["goal"]["continent"] is not None)
            assert str(one["goal"]["count"] or "") in one["text"]
            if one["progress"]["of"] == "territories":
                assert one["progress"]["have"] == own["territories"]
    assert all(one["progress"] is None for one in position_view(Seen.by(game, ""))["objectives"])


def test_an_occupation_has_its_limits_and_a_battle_its_ends() -> None:
    game = at_phase("classic", Phase.OCCUPY)
    told = position_view(Seen.by(game, ""))["occupation"]
    assert told is not None
    (only,) = game.legal.ranges
    assert (f"occupy {told['lowest']}", f"occupy {told['highest']}") == (
        str(only.lowest),
        str(only.highest),
    )
    assert position_view(Seen.by(game, ""))["battle"] is None
    game = at_phase("basic", Phase.ATTACK)
    while game.pending is None or game.pending.chance != Chance.BATTLE:
        attack = next(action for action in game.legal if isinstance(action, Attack))
        game.play(attack)
    battle = position_view(Seen.by(game, ""))["battle"]
    assert battle is not None
    assert (battle["source"], battle["target"]) == (attack.source, attack.target)
    assert (battle["attack_dice"], battle["defence_dice"]) == (
        game.pending.attack_dice,
        game.pending.defence_dice,
    )
