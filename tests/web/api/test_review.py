"""A finished game over HTTP: its moments, its positions, its luck, its rolls and its turns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest

from rubicon.client import ApiError, Client
from rubicon.engine.records import NONE
from rubicon.odds.luck import luck_of
from rubicon.rules.record import Record
from rubicon.web.api.position import Seen, position_view
from tests.waiting import until
from tests.web.api.test_api import begun, play
from tests.web.conftest import RunningServer

PATHS = (
    "moments", "at/5", "luck", "rolls", "rolls.csv", "turns", "key-moments", "review", "chances",
)  # fmt: skip


class Finished:
    """A client whose game is over, with what others say of the game."""

    def __init__(self, client: Client, game: str) -> None:
        self.client = client
        self.game = game
        self.record = Record.parse(client.record(game))
        self.replayed = self.record.replay()

    def get(self, path: str, **parameters: Any) -> Any:
        """The answer to a path of the game."""
        return self.client._session.get(f"/games/{self.game}/{path}", **parameters)


@pytest.fixture(scope="module")
def finished(server: RunningServer) -> Iterator[Finished]:
    with server.client() as ann:
        game = begun(ann)
        first = ann.wait(game)
        assert first is not None
        ann.submit(game, first.decision, first.legal[0])
        play(ann, game)
        yield Finished(ann, game)


@pytest.mark.parametrize("path", PATHS)
def test_a_running_game_has_no_review(server: RunningServer, path: str) -> None:
    with server.client() as ann:
        game = begun(ann)
        with pytest.raises(ApiError) as early:
            ann._session.call("GET", f"/games/{game}/{path}")
        assert (early.value.status, early.value.code) == (400, "review/not-yet")


def test_the_moments_are_the_entries_of_the_record(finished: Finished) -> None:
    moments = finished.get("moments")
    pages: list[Any] = []
    while page := finished.get("moments", after=pages[-1]["index"] if pages else -1, limit=97):
        assert len(page) <= 97
        pages += page
    assert pages[: len(moments)] == moments
    assert len(pages) == len(finished.record.entries)
    assert [one["index"] for one in pages] == sorted({one["index"] for one in pages})
    attacks = [one for one in pages if one["kind"] == "attack"]
    assert attacks
    assert all(one["mover"] == one["turn"] for one in attacks)
    assert all(one["text"] and "\N{NO-BREAK SPACE}" not in one["text"] for one in pages)
    assert pages[-1]["text"].endswith(" wins")


def test_any_moment_is_the_position_of_the_replay(finished: Finished) -> None:
    moments = finished.get("moments", limit=1000)
    game = finished.replayed
    positions = (*game.positions, game.position)
    for number in (0, 1, 40, len(moments) // 2, len(moments) - 1):
        told = finished.get(f"at/{moments[number]['index']}")
        assert told["moment"] == moments[number]
        openly = Seen(game.ruleset, game.ids, positions[number + 1], NONE)
        expected = position_view(openly)
        assert told["position"]["territories"] == expected["territories"]
        assert told["position"]["seats"] == expected["seats"]
        assert told["position"]["phase"] == expected["phase"]
    beginning = finished.get("at/0")
    assert beginning["moment"] is None
    assert {one["owner"] for one in beginning["position"]["territories"].values()} == {None}


def test_luck_rolls_and_their_table_agree(finished: Finished) -> None:
    luck, rolls = finished.get("luck"), finished.get("rolls")
    expected = luck_of(finished.replayed)
    for seat in luck["seats"]:
        own = expected[seat["colour"]]
        assert seat["balance"] == pytest.approx(own.balance)
        assert seat["percentile"] == pytest.approx(own.percentile)
        assert seat["lost"] == sum(
            (one["attacker"] == seat["colour"]) * one["attacker_lost"]
            + (one["defender"] == seat["colour"]) * one["defender_lost"]
            for one in rolls
        )
    dice = [face for one in rolls for face in one["attack_dice"] + one["defence_dice"]]
    assert luck["faces"] == [dice.count(face) for face in range(1, 7)]
    assert 0 <= luck["chance"] <= 1
    text = finished.client._session.call("GET", f"/games/{finished.game}/rolls.csv")
    assert text.headers["content-type"] == "text/csv; charset=utf-8"
    record = finished.client._session.call("GET", f"/games/{finished.game}/record")
    assert record.headers["content-type"] == "text/plain; charset=utf-8"
    table = list(csv.DictReader(io.StringIO(text.text)))
    assert [int(row["index"]) for row in table] == [one["index"] for one in rolls]
    assert table[0]["attack_dice"] == " ".join(map(str, rolls[0]["attack_dice"]))
    assert all(set(one["winners"]) <= {"attacker", "defender"} for one in rolls)
    assert all(one["winners"].count("defender") >= one["attacker_lost"] for one in rolls)
    assert table[0]["winners"] == " ".join(rolls[0]["winners"])
    behind = finished.get("rolls", after=rolls[2]["index"], limit=2)
    assert behind == rolls[3:5]


def test_turns_tell_how_every_seat_stood(finished: Finished) -> None:
    turns = finished.get("turns")
    assert [turn["number"] for turn in turns[:-1]] == list(range(1, len(turns)))
    for turn in (turns[0], turns[len(turns) // 2], turns[-1]):
        position = finished.get(f"at/{turn['index']}")["position"]
        for seat in position["seats"]:
            stood = turn["seats"][seat["colour"]]
            assert (stood["armies"], stood["territories"]) == (seat["armies"], seat["territories"])
            assert seat["income"] is None or stood["income"] == seat["income"]["total"]
    held = {colour: one["territories"] for colour, one in turns[-1]["seats"].items()}
    assert sorted(held.values())[:-1] == [0, 0]


def test_key_moments_are_of_the_game(finished: Finished) -> None:
    found, rolls = finished.get("key-moments"), finished.get("rolls")
    assert [one["index"] for one in found] == sorted(one["index"] for one in found)
    outs = [one["other"] for one in found if one["kind"] == "elimination"]
    assert len(outs) == len(set(outs)) == len(finished.replayed.colours) - 1
    assert finished.replayed.winner not in outs
    for one in (each for each in found if each["battle"] is not None):
        battle = one["battle"]
        last = next(roll for roll in rolls if roll["index"] == one["index"])
        assert (last["attacker"], last["defender"]) == (one["seat"], one["other"])
        assert (last["source"], last["target"]) == (battle["source"], battle["target"])
        assert battle["attacker_lost"] + battle["defender_lost"] >= battle["rolls"]
        target = finished.get(f"at/{one['index']}")["position"]["territories"][battle["target"]]
        # Empty until armies move in; the last conquest of a game is occupied at once.
        assert (target["armies"] == 0 or target["owner"] == one["seat"]) == battle["taken"]
    lucky = {one["kind"]: one["battle"]["luck"] for one in found if "luckiest" in one["kind"]}
    assert lucky["luckiest"] > 0 > lucky["unluckiest"]
    for one in (each for each in found if each["kind"] == "continent_won"):
        position = finished.get(f"at/{one['index']}")["position"]
        board = finished.replayed.ruleset.board
        continent = board.continents[board.continent_index(one["continent"]["continent"])]
        cells = [board.territories[cell].id for cell in continent.territories]
        assert {position["territories"][cell]["owner"] for cell in cells} == {one["seat"]}
        assert one["continent"]["armies"] == one["continent"]["turns"] * continent.bonus > 0


def test_a_resignation_is_told_in_the_log_and_is_a_key_moment(server: RunningServer) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        game = str(ann.open_table(board="skerries", seats=3, bots={2: "greedy"})["game"])
        bob.join(game)
        ann.start(game)
        colour = bob.game(game)["you"]
        bob.out_of_turn(game, f"resign {colour}")
        told = ann._session.get(f"/games/{game}/events", after=-1)
        lines = {
            one["index"]
            for one in told
            if one["kind"] == "events"
            for event in one["body"]
            if event["event"] == "decided" and event["action"] == f"resign {colour}"
        }
        play(ann, game)
        moments = ann._session.get(f"/games/{game}/key-moments")
        resigned = [one for one in moments if one["kind"] == "resignation"]
        assert [(one["seat"], one["other"]) for one in resigned] == [(colour, None)]
        assert {one["index"] for one in resigned} == lines
        assert colour not in [one["other"] for one in moments if one["kind"] == "elimination"]


def test_strangers_see_no_review_of_a_private_table(server: RunningServer) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        game = ann.open_table(board="skerries", seats=3, access="private")["game"]
        for path in PATHS:
            with pytest.raises(ApiError) as refused:
                bob._session.call("GET", f"/games/{game}/{path}")
            assert refused.value.status == 404


def test_the_review_is_made_once_and_then_told(finished: Finished) -> None:
    until(lambda: finished.client.review(finished.game)["ready"], seconds=240)
    review = finished.client.review(finished.game)["review"]
    game = finished.replayed
    assert [seat["colour"] for seat in review["seats"]] == list(game.colours)
    assert [seat["end"] for seat in review["seats"]] == [
        float(colour == game.winner) for colour in game.colours
    ]
    moments = finished.get("moments")
    assert review["curve"][-1]["index"] == moments[-1]["index"]
    for moment in review["moments"]:
        assert moment["start"] < moment["index"]
        assert finished.get(f"at/{moment['start']}")["position"]


def test_every_moment_has_its_chances(finished: Finished) -> None:
    until(lambda: finished.get("review")["ready"], seconds=240)
    rows = finished.get("chances", limit=1000)
    moments = finished.get("moments", limit=1000)
    assert [row["index"] for row in rows] == [moment["index"] for moment in moments]
    assert all(sum(row["chances"].values()) == pytest.approx(1, abs=0.001) for row in rows)
    after = rows[4]["index"]
    assert finished.get("chances", after=after, limit=3) == rows[5:8]


def test_an_agreed_draw_has_a_review(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        play(ann, game, 8)
        ann.wait(game)
        ann.vote(game, "draw")
        assert ann.game(game)["result"] == "draw"
        until(lambda: ann.review(game)["ready"], seconds=240)
        ends = [seat["end"] for seat in ann.review(game)["review"]["seats"]]
        assert ends == [pytest.approx(1 / 3, abs=0.001)] * 3
