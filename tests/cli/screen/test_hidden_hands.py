"""In a hot seat the screen shows a hand to its owner alone."""

from __future__ import annotations

from pathlib import Path

from rubicon.cli.screen.draw.hand import cards_row
from rubicon.cli.screen.scene import scene_of
from rubicon.cli.screen.themes import DARK
from tests.cli.screen.at_screen import screen


def test_a_mission_is_shown_to_who_is_at_the_keyboard_alone(tmp_path: Path) -> None:
    app = screen(tmp_path, "secret-mission", seats="me:Ann,me:Bob,greedy")
    session = app.story.session
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
        shown[at] = str(cards_row(scene_of(app.story, app.desk, DARK, second)))
    assert "mission" in shown[second]
    assert "mission" not in shown[first]
