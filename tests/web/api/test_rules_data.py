"""What a web page needs to know of the rules: forms for options, and armies as pieces."""

from __future__ import annotations

from rubicon.rules.options.registry import OPTIONS
from tests.web.conftest import RunningServer


def test_the_options_are_enough_to_draw_a_form(server: RunningServer) -> None:
    with server.client() as ann:
        forms = {form["name"]: form for form in ann._session.get("/options")}
    assert list(forms) == list(OPTIONS)
    truce = forms["attack.truce"]
    assert (truce["type"], truce["range"]["high"], truce["default"]) == ("number", 10, "0")
    assert forms["setup.claim"]["values"][0]["value"] == "draft"


def test_a_table_can_be_opened_with_a_truce(server: RunningServer) -> None:
    with server.client() as ann:
        wish = {"board": "skerries", "seats": 3, "bots": {1: "greedy", 2: "greedy"}}
        game = ann.open_table(**wish, options={"attack.truce": "2"})["game"]
        ann.start(game)
        assert ann.game(game)["position"]["options"]["attack.truce"] == "2"


def test_pieces_are_sent_on_request(server: RunningServer) -> None:
    with server.client() as ann:
        game = ann.open_table(board="skerries", seats=3, bots={1: "greedy", 2: "greedy"})["game"]
        ann.start(game)
        assert "pieces" not in ann.game(game)["position"]
        told = ann._session.get(f"/games/{game}/", pieces="true")["position"]
        assert told["pieces"].keys() == told["territories"].keys()
        kinds = {kind for held in told["pieces"].values() for kind in held}
        assert kinds <= {"infantry", "cavalry", "artillery"}
