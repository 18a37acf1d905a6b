"""In a hot seat the screen shows a hand to its owner alone."""

from __future__ import annotations

from pathlib import Path

from rubicon.cli.screen.canvas import DARK
from rubicon.cli.screen.parts import cards_row
from rubicon.cli.screen.scene import scene_of
from tests.cli.screen.at_screen import screen


def test_a_mission_is_shown_to_who_is_at_the_keyboard_alone(tmp_path: Path) -> None:
    app = screen(tmp_path, "secret-mission", seats="me:Ann,me:Bob,greedy")
    session = app.prompts.session
    first, second = session.people
    while not session.game.position.round_number:
        game = session.game
        if game.pending is not None:
            game.settle(game.sample(session.rng))
        else:
            game.play(game.legal_for(game.actors[0])[0])
    shown = {}
    for at in (first, second):
        session.at_keyboard = at
        app.desk.renew(second)
        shown[at] = str(cards_row(scene_of(app.prompts, app.desk, DARK, second)))
    assert "mission" in shown[second]
    assert "mission" not in shown[first]


def test_no_cards_are_proposed_and_no_lines_recalled_for_another_person(tmp_path: Path) -> None:
    app = screen(tmp_path, "classic", seats="me:Ann,me:Bob,greedy")
    game, desk = app.prompts.session.game, app.desk
    second = app.prompts.session.people[1]
    game.position.card[0] = game.seat(second)
    proposed, recalled = {}, {}
    desk.earlier[second] = ["trade alaska"]
    for hand_open in (True, False):
        desk.renew(second, "trade ", hand_open=hand_open)
        proposed[hand_open] = {one.text for one in desk.reading().following}
        desk.line.edit("up")
        recalled[hand_open] = desk.line.text
    assert proposed[True] - proposed[False] == {game.cards[0]}
    assert "BEST" in proposed[False]
    assert recalled == {True: "trade alaska", False: ""}
