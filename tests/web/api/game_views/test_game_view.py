"""The state of a game over HTTP: who is there, whose clock runs, what is asked."""

from __future__ import annotations

from typing import Any

import pytest

from rubicon.client import ApiError
from rubicon.table.lobby.people import MINUTE, seen_before
from tests.web.api.test_api import begun
from tests.web.conftest import RunningServer

HOUR = 60 * MINUTE


@pytest.mark.parametrize(
    ("milliseconds", "word"),
    [(0, "now"), (3 * MINUTE, "lately"), (HOUR, "today"), (25 * HOUR, "earlier")],
)
def test_last_seen_is_coarse(milliseconds: int, word: str) -> None:
    assert seen_before(milliseconds).value == word


def test_seats_say_who_was_seen_and_have_a_clock(server: RunningServer) -> None:
    settings = {"clock": "live", "decision_time": 90, "bank": 300}
    with server.client() as ann:
        game = begun(ann, settings=settings)
        turn = ann.wait(game)
        assert turn is not None
        told = ann.game(game)
    seats = {seat["colour"]: seat for seat in told["seats"]}
    own = seats[told["you"]]
    assert own["last_seen"] == "now"
    assert {seat["last_seen"] for seat in seats.values() if seat["bot"]} == {None}
    assert own["clock"]["bank"] == 300_000
    assert own["clock"]["deadline"] == told["deadlines"][told["you"]]
    assert own["clock"]["deadline"] - own["clock"]["bank_from"] == 300_000
    assert told["now"] < own["clock"]["deadline"]
    others = [seat["clock"] for colour, seat in seats.items() if colour != told["you"]]
    assert {clock["deadline"] for clock in others} == {None}


def test_without_clocks_there_is_none(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann, settings={"clock": "none"})
        assert {seat["clock"] for seat in ann.game(game)["seats"]} == {None}


def test_a_decision_is_submitted_as_json(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        assert turn.about == ann.game(game)["about"]
        body = {"decision": turn.decision, "action": turn.ranges[0]["action"]}
        receipt: Any = ann._session.post(f"/games/{game}/submit", **body)
        assert receipt == ann.submit(game, turn.decision, turn.ranges[0]["lowest"])
        both = body | {"text": turn.ranges[0]["lowest"]}
        with pytest.raises(ApiError) as refused:
            ann._session.post(f"/games/{game}/submit", **both)
        assert refused.value.code == "submit/text-and-action"
        with pytest.raises(ApiError) as refused:
            ann._session.post(f"/games/{game}/submit", decision=0, action={"kind": "action"})
        assert (refused.value.status, refused.value.code) == (400, "json/no-version")
        standing = next(each for each in ann.legal(game)["out_of_turn"] if each["values"])
        ann._session.post(f"/games/{game}/out-of-turn", action=standing["action"])
        (own,) = [seat for seat in ann.game(game)["position"]["seats"] if seat["standing"]]
        assert own["standing"] == "none"


def test_a_view_tells_its_asker_alone_whether_they_can_undo(server: RunningServer) -> None:
    with server.client() as ann, server.client("Bea") as bea:
        # On the world board nobody is eliminated before the own first turn.
        opened = ann.open_table(
            seats=3, bots={1: "random", 2: "random"}, options={"setup.claim": "random"}
        )
        game = opened["game"]
        ann.start(game)
        first = ann.wait(game)
        assert first is not None
        assert ann.game(game)["undoable"] is False
        with pytest.raises(ApiError) as refused:
            ann.undo(game, first.decision)
        assert refused.value.code.startswith("undo/")
        while (turn := ann.wait(game)) is not None and ann.game(game)["phase"] != "reinforce":
            ann.submit(game, turn.decision, turn.legal[0])
        assert turn is not None
        before = ann.game(game)
        ann.submit(game, turn.decision, turn.ranges[0]["lowest"])
        state = ann.game(game)
        assert state["undoable"] is True
        assert bea.game(game)["undoable"] is False
        ann.undo(game, state["decision"])
        assert ann.game(game)["position"] == before["position"]


def test_legal_actions_come_in_pages(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        page = ann._session.get(f"/games/{game}/legal", offset=1, limit=1)
        assert isinstance(page, dict)
        assert (page["offset"], page["total"]) == (1, len(turn.ranges))
        assert page["ranges"] == turn.ranges[1:2]
