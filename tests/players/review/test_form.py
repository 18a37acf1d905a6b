"""The review as plain data."""

import json
from dataclasses import replace

import numpy as np

from rubicon.players.review.form import chances_form, review_form
from tests.players.review.reviewed_game import finished_game, review


def test_the_form_is_json_and_names_entries_as_it_is_told() -> None:
    game = finished_game()
    form = review_form(game, review(), lambda entry: 1000 + entry)
    assert json.loads(json.dumps(form)) == form
    assert form["curve"][-1]["index"] == 1000 + len(game.history) - 1
    for moment, one in zip(form["moments"], review().moments, strict=True):
        assert (moment["start"], moment["index"]) == (999 + one.first, 1000 + one.last)
        assert moment["seat"] == game.colours[one.seat]
        judged = one.judgement
        clear = judged is not None and judged.better is not None
        assert (moment["better"] is not None) == clear


def test_every_entry_has_its_chances() -> None:
    game = finished_game()
    rows = chances_form(game, review(), lambda entry: entry)
    assert [row["index"] for row in rows] == list(range(len(game.history)))
    shown = [list(row["chances"].values()) for row in rows]
    assert np.allclose(shown, review().curve.chances[1:], atol=0.0001)


def test_no_battle_is_called_certain() -> None:
    game, made = finished_game(), review()
    sure = [
        replace(one, battle=replace(one.battle, odds=0.99998))
        for one in made.moments
        if one.battle is not None
    ]
    form = review_form(game, replace(made, moments=tuple(sure)), lambda entry: entry)
    assert sure
    assert all(one["battle"] and one["battle"]["odds"] == 0.9999 for one in form["moments"])
