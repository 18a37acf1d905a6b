"""Every decision of every preset has a form that works as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubicon.mail.writing.forms import END, OrderForm, form_of
from rubicon.mail.writing.scene import scene_of
from rubicon.orders.parse.parser import read_orders
from tests.mail.writing.played import IDENTITY, PlayedGame, played_game

# By preset: how many people play it here.
PRESETS = {
    "classic": 3,
    "email": 3,
    "secret-mission": 3,
    "capital": 3,
    "two-player": 2,
    "two-player-50": 2,
    "digest": 3,
    "basic": 3,
    "revised": 3,
    "revised-conquest": 3,
}
DECISIONS = 80  # answered by forms alone, then by bots, then by forms again
BETWEEN = 100
SET_UP_OVER = "not reached: the turn was over."


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_goes_on_by_unchanged_forms_alone(tmp_path: Path, preset: str) -> None:
    with played_game(tmp_path, preset, PRESETS[preset]) as played:
        phases = answer_with_forms(played, DECISIONS)
        for _ in range(BETWEEN):
            if played.hosted.snapshot.ending is None:
                bot_move(played)
        phases |= answer_with_forms(played, DECISIONS // 2)
    assert phases


def answer_with_forms(played: PlayedGame, most: int) -> set[str]:
    """Answer decisions with their forms; the phases that were asked in."""
    phases = set()
    for _ in range(most):
        snapshot = played.hosted.snapshot
        if snapshot.ending is not None:
            break
        seat, decision = played.hosted.mover()
        phase = snapshot.game().phase.name
        phases.add(phase)
        form = form_for(played, seat)
        assert form.lines[-1] == END
        assert form.due, phase
        board, colours = snapshot.ruleset.board, snapshot.game().colours
        examples = [line.removeprefix("// ") for line in form.lines]
        read_orders("\n".join(examples), board, colours)  # examples can be read too
        text = "\n".join(form.lines)
        receipt = played.hosted.submit(text, seat=seat, decision=decision, orders=True)
        after = played.hosted.snapshot
        assert after.decisions.get(seat) != decision, (phase, text, receipt)
        # A placement over several rounds, whose last army ends the set-up, is noted as cut short.
        cut_short = all(note.endswith(SET_UP_OVER) for note in receipt.notes)
        assert cut_short, (phase, text, receipt.notes)
        assert not receipt.notes or phase == "PLACE"
    return phases


def bot_move(played: PlayedGame) -> None:
    """Let a bot take the next decision."""
    seat, decision = played.hosted.mover()
    action = played.bots[seat].decide(played.hosted.snapshot.game())
    played.hosted.submit(str(action), seat=seat, decision=decision)


def form_for(played: PlayedGame, seat: str) -> OrderForm:
    """The form that the e-mail of a seat has now."""
    pending, snapshot = played.pending(seat), played.hosted.snapshot
    at = played.now()
    return played.store.read(
        lambda connection: form_of(scene_of(pending, snapshot, at, IDENTITY.url, connection))
    )


def test_the_form_of_the_set_up_speaks_of_no_turn(tmp_path: Path) -> None:
    with played_game(tmp_path, "email", 3) as played:
        seat, decision = played.hosted.mover()
        form = form_for(played, seat)
        armies = int(form.lines[0].split()[1])
        assert form.words.endswith("Then you have placed.")
        assert form.due[0] == f"Place your starting armies: {armies} are left."
        place = form.lines[0].split()[2]
        one_less = f"DEPLOY {armies - 1} {place}"
        played.hosted.submit(one_less, seat=seat, decision=decision, orders=True)
        assert form_for(played, seat).due[0] == "Place your starting armies: 1 is left."
        played.hosted.submit(f"DEPLOY 1 {place}", seat=seat, orders=True)
        left = form_for(played, seat)
    assert (left.lines, left.words) == ((END,), "Then you have placed.")
    assert left.due[0].startswith("All armies are placed: send END")
