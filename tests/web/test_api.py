"""The API as programs meet it: a real server, a real port."""

from __future__ import annotations

import json
import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from rubicon.client import Client, Refusal
from rubicon.dice.transcript import entries_of
from rubicon.dice.verify import verify
from rubicon.rules.record import Record
from tests.web.conftest import Server, start, stop

SMALL = {"board": "skerries", "seats": 3}
BOTS = {1: "greedy", 2: "greedy"}


def begun(client: Client, **wish: Any) -> str:
    """A game against two bots that has begun."""
    game = client.open_table(**(SMALL | {"bots": BOTS} | wish))["game"]
    client.start(game)
    return str(game)


def play(client: Client, game: str, most: int = 100_000) -> int:
    """Take the first attack there is, or else the first decision; how many were taken."""
    for taken in range(most):
        turn = client.wait(game)
        if turn is None:
            return taken
        attacks = [text for text in turn.legal if text.startswith("attack")]
        client.submit(game, turn.duty, (attacks or turn.legal)[0])
    return most


def test_a_game_against_house_bots_is_played_to_its_end_and_verified(server: Server) -> None:
    with server.client() as ann:
        game = begun(ann)
        with pytest.raises(Refusal) as early:
            ann.record(game)
        assert early.value.code == "record/not-yet"
        play(ann, game)
        assert ann.game(game)["result"] in ("red", "blue", "green")
        verdict = verify(entries_of(ann.transcript(game)))
        assert verdict.ok
        assert verdict.opened
        record = Record.parse(ann.record(game))
        assert record.replay().over
        assert record.replay().winner == ann.game(game)["result"]


def test_a_repeated_submission_is_answered_alike_and_a_stale_one_says_what_is_asked(
    server: Server,
) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        one = ann.submit(game, turn.duty, turn.legal[0])
        again = ann.submit(game, turn.duty, turn.legal[0])
        assert (again["first"], again["last"]) == (one["first"], one["last"])
        with pytest.raises(Refusal) as stale:
            ann.submit(game, turn.duty, "end turn")
        assert (stale.value.status, stale.value.code) == (409, "duty/stale")
        assert "duty" in stale.value.told


@pytest.mark.parametrize(
    ("text", "code"),
    [("attack nowhere -> alaska", None), ("", None), ("resign blue", None), ("\0", None)],
)
def test_what_the_rules_refuse_comes_with_their_code(
    server: Server, text: str, code: str | None
) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        with pytest.raises(Refusal) as refused:
            ann.submit(game, turn.duty, text)
        assert refused.value.status in (400, 403, 404, 422)
        assert "/" in refused.value.code
        assert ann.game(game)["head"] >= turn.game["head"]


def test_orders_that_cannot_be_read_come_back_corrected(server: Server) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        with pytest.raises(Refusal) as refused:
            ann.submit(game, turn.duty, "ATTAK skye", orders=True)
        assert refused.value.told["problems"]
        assert "corrected" in refused.value.told


def test_nobody_decides_for_another_and_spectators_decide_nothing(server: Server) -> None:
    with server.client() as ann, server.client("Bob") as bob, Client(server.url) as nobody:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        with pytest.raises(Refusal) as refused:
            bob.submit(game, turn.duty, turn.legal[0])
        assert (refused.value.status, refused.value.code) == (403, "seat/needed")
        with pytest.raises(Refusal) as refused:
            nobody.submit(game, turn.duty, turn.legal[0])
        assert (refused.value.status, refused.value.code) == (401, "account/needed")
        assert bob.game(game)["you"] is None


def test_private_tables_are_unknown_to_others(server: Server) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        opened = ann.open_table(**SMALL, access="private")
        for ask in (bob.game, bob.facts, bob.transcript):
            with pytest.raises(Refusal) as refused:
                ask(opened["game"])
            assert refused.value.status == 404
        colour, invite = next(iter(opened["invites"].items()))
        assert bob.join(opened["game"], invite=invite) == colour


def test_the_stream_tells_what_the_facts_say_and_resumes_behind_its_cursor(server: Server) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        game = ann.open_table(**SMALL, bots={2: "greedy"})["game"]
        bob.join(game)
        ann.start(game)
        heard: list[dict[str, Any]] = []
        ready = threading.Event()

        def listen() -> None:
            for event in Client(server.url, bob.token).events(game, after=f"{game}:0"):
                heard.append(event)
                ready.set()
                if len(heard) >= 20:
                    return

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        while listener.is_alive():
            for person in (ann, bob):
                seen = person.game(game)
                if seen["result"] is None and seen["duty"] is not None:
                    turn = person.wait(game)
                    assert turn is not None
                    person.submit(game, turn.duty, turn.legal[0])
            listener.join(0.05)
        told = [(fact["entry"], fact["kind"]) for fact in bob.facts(game, 0)]
        assert [(event["entry"], event["kind"]) for event in heard] == told[: len(heard)]
        resumed = bob.events(game, after=heard[9]["cursor"])
        first = next(resumed)
        resumed.close()
        assert first["entry"] > int(heard[9]["cursor"].rpartition(":")[2])


def test_a_browser_of_another_site_cannot_use_the_cookie(server: Server) -> None:
    with server.http() as browser:
        made = browser.post("/api/v1/guest", json={"name": "Eve"})
        cookie = made.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Secure" not in cookie  # plain http on a home network
        here = {"origin": server.url}
        assert browser.patch("/api/v1/me", json={"name": "Eva"}, headers=here).status_code == 200
        there = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
        refused = browser.patch("/api/v1/me", json={"name": "Evi"}, headers=there)
        assert (refused.status_code, refused.json()["code"]) == (403, "request/foreign")
        assert browser.patch("/api/v1/me", json={"name": "Evi"}).status_code == 403
        assert browser.get("/api/v1/me").json()["name"] == "Eva"


def test_an_account_can_be_exported_and_erased(server: Server) -> None:
    with server.client("Gus Example") as gus:
        game = begun(gus)
        token = gus._post("/me/tokens", label="bot")["token"]
        with Client(server.url, token) as program:
            assert program.me()["name"] == "Gus Example"
        exported = gus._get("/me/export")
        assert exported["account"]["name"] == "Gus Example"
        assert [seat["game"] for seat in exported["seats"]] == [game]
        assert token not in json.dumps(exported)
        gus._call("DELETE", "/me")
        with pytest.raises(Refusal):
            gus.me()
    with server.client("Bob") as bob:
        assert "Gus" not in json.dumps(bob.game(game))


def test_tokens_are_not_in_the_store(server: Server) -> None:
    with server.client() as ann:
        token = ann.token
    for file in server.folder.glob("rubicon.db*"):
        assert token.encode() not in file.read_bytes()


def test_figures_are_for_this_machine_and_the_admin(server: Server) -> None:
    with server.http() as http:
        assert "rubicon_requests_total" in http.get("/metrics").text
        outside = {"x-forwarded-for": "203.0.113.9"}
        assert http.get("/metrics", headers=outside).status_code == 403
        admin = outside | {"authorization": f"Bearer {server.admin}"}
        assert http.get("/metrics", headers=admin).status_code == 200
        assert http.get("/healthz").json() == {"ok": True}


def test_the_front_page_escapes_what_people_write(server: Server) -> None:
    with server.client("<script>alert(1)</script>") as mallory, server.http() as http:
        mallory.open_table(**SMALL, title="<img src=x onerror=alert(1)>")
        page = http.get("/")
        assert page.status_code == 200
        assert "<script" not in page.text
        assert "<img" not in page.text
        assert "default-src 'none'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/v1/guest", b"{", 400),
        ("POST", "/api/v1/guest", b'{"name": 7}', 400),
        ("POST", "/api/v1/guest", b'{"nom": "Ann"}', 400),
        ("POST", "/api/v1/guest", b"\xff\xfe", 400),
        ("POST", "/api/v1/guest", b'{"name": "' + b"x" * 10_000_000 + b'"}', 413),
        ("GET", "/api/v1/nowhere", b"", 404),
        ("GET", "/api/v1/games/%00/", b"", 404),
        ("PUT", "/api/v1/guest", b"", 405),
        ("GET", "/api/v1/events", b"", 400),
        ("GET", "/api/v1/odds?attack=-1&defend=x", b"", 400),
    ],
)
def test_garbage_gets_an_error_in_the_common_shape(
    server: Server, method: str, path: str, body: bytes, status: int
) -> None:
    with server.http() as http:
        answer = http.request(
            method, path, content=body, headers={"content-type": "application/json"}
        )
        assert answer.status_code == status
        assert {"code", "message", "suggestion"} <= answer.json().keys()
        assert "Traceback" not in answer.text


def test_bytes_that_are_no_request_harm_nobody(server: Server) -> None:
    parts = urlsplit(server.url)
    assert parts.hostname is not None
    for garbage in (
        b"\0" * 100,
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/v1/guest HTTP/1.1\r\n",
        b"x",
    ):
        with socket.create_connection((parts.hostname, parts.port), timeout=5) as raw:
            raw.sendall(garbage)
    with server.http() as http:
        assert http.get("/healthz").status_code == 200


def test_too_many_requests_are_told_to_wait(tmp_path: Path) -> None:
    limited = start(tmp_path, RUBICON_REQUESTS_PER_MINUTE="60")
    try:
        with limited.http() as http:
            answers = [http.get("/healthz").status_code for _ in range(20)]
        assert answers[0] == 200
        assert answers[-1] == 429
    finally:
        assert stop(limited) == 0


def test_a_server_that_was_stopped_goes_on_where_it_stood(tmp_path: Path) -> None:
    first = start(tmp_path)
    with first.client() as ann:
        game = begun(ann)
        play(ann, game, 5)
        before, token = ann.game(game), ann.token
    assert stop(first) == 0
    second = start(tmp_path)
    try:
        with Client(second.url, token) as ann:
            assert ann.game(game)["head"] >= before["head"]
            play(ann, game, 3)
    finally:
        assert stop(second) == 0


def test_a_bot_that_the_house_does_not_have_stands_in_for_nobody(server: Server) -> None:
    with server.client() as ann, server.http() as http:
        game = begun(ann)
        days = (datetime.now(UTC) + timedelta(days=2)).date()
        head = {"Authorization": f"Bearer {ann.token}"}
        for bot, status in (("nobody", 400), ("greedy", 200)):
            form = {"text": f"{days} {days} {bot}"}
            told = http.post(f"/api/v1/games/{game}/absence", json=form, headers=head)
            assert told.status_code == status, told.text


def test_a_program_plays_on_behind_a_restart_of_its_host(tmp_path: Path) -> None:
    running = start(tmp_path)
    port = urlsplit(running.url).port
    assert port is not None
    with running.client() as ann:
        game = begun(ann)
        taken: list[int] = []
        player = threading.Thread(target=lambda: taken.append(play(ann, game, 30)))
        player.start()
        with Client(running.url, ann.token) as watcher:
            list(zip(range(10), watcher.events(game), strict=False))  # it plays
        assert stop(running) == 0
        assert taken == []
        running = start(tmp_path, RUBICON_PORT=str(port))
        try:
            player.join(60)
            assert taken == [30]
        finally:
            assert stop(running) == 0


def test_where_nobody_answers_the_client_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    monkeypatch.setattr("time.sleep", rests.append)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        client = Client(f"http://127.0.0.1:{nobody.getsockname()[1]}")
        with pytest.raises(Refusal) as refused:
            client.guest("Ann")
    assert (refused.value.status, refused.value.code) == (0, "http/unanswered")
    assert "rubicon serve" in str(refused.value)
    assert sum(rests) == 10


def test_a_vote_says_which_entries_came_of_it_and_what_is_asked(server: Server) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        voted = ann.vote(game, "draw", withdrawn=True)
        assert voted["last"] == voted["first"] - 1 == turn.game["head"]
        paused = ann.vote(game, "pause")
        told = ann.facts(game, paused["first"] - 1)  # the vote, and the pause that it carries
        assert [fact["entry"] for fact in told] == [paused["last"]] == [paused["first"] + 1]
        assert (paused["seat"], paused["answered"]) == (turn.game["you"], -1)
        assert paused["duty"] == turn.duty


def test_a_stream_that_is_refused_just_now_is_asked_for_again(tmp_path: Path) -> None:
    limited = start(tmp_path, RUBICON_REQUESTS_PER_MINUTE="120")
    try:
        with limited.client() as ann:
            game = begun(ann)
            assert play(ann, game, 1) == 1  # so that there is something to tell
            with limited.http() as http:
                while http.get("/api/v1/bots").status_code == 200:
                    pass
            assert next(ann.events(game, after=f"{game}:0"))["game"] == game
    finally:
        assert stop(limited) == 0


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"title": "x" * 61}, "POST /api/v1/tables: title: Expected `str` of length <= 60."),
        ({"seat": 3}, "POST /api/v1/tables: Object contains unknown field `seat`."),
    ],
)
def test_a_form_that_cannot_be_read_names_the_field(
    server: Server, wish: dict[str, Any], told: str
) -> None:
    with server.client() as ann, pytest.raises(Refusal) as refused:
        ann.open_table(**wish)
    assert refused.value.told["message"] == told
    assert "/api/v1" in refused.value.told["suggestion"]


def test_what_there_is_not_is_answered_with_what_there_is(server: Server) -> None:
    with server.client() as ann, server.http() as http:
        boards = http.get("/api/v1/boards").json()
        assert {board["name"]: board["territories"] for board in boards}["skerries"] == 12
        for wish in ({"board": "moon"}, {"ruleset": "chess"}, {"bots": {1: "deep"}}):
            with pytest.raises(Refusal) as refused:
                ann.open_table(**wish)
            assert refused.value.told["suggestion"].startswith("There are: ")
        with pytest.raises(Refusal) as refused:
            ann.tables("ours")
        assert refused.value.code == "tables/which"


def test_nobody_sits_down_without_an_invite(server: Server) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        table = ann.open_table(**SMALL, access="link")
        with pytest.raises(Refusal) as refused:
            bob.join(table["game"])
        assert (refused.value.status, refused.value.code) == (403, "lobby/invite")
        assert bob.join(table["game"], invite=table["invite"]) == "blue"


def test_people_talk_and_try_orders_before_they_give_them(server: Server) -> None:
    with server.client() as ann:
        game = begun(ann)
        said = ann.say(game, "good luck")
        assert [line["text"] for line in ann.chat(game)] == ["good luck"]
        assert ann.chat(game, after=said["id"]) == []
        assert ann.explain(game, "END")["orders"] == "END"
        assert ann.preview(game, "END")["lines"]
        with pytest.raises(Refusal) as early:
            ann.rematch(game)
        assert early.value.code == "lobby/not-over"


def test_whoever_has_joined_may_wait_for_the_start(server: Server) -> None:
    with server.client("Ann") as ann, server.client("Bob") as bob:
        game = str(ann.open_table(**(SMALL | {"bots": {2: "greedy"}}))["game"])
        bob.join(game)
        turns: list[Any] = []
        waiting = threading.Thread(target=lambda: turns.append(bob.wait(game)))
        waiting.start()
        time.sleep(0.2)
        ann.start(game)
        while waiting.is_alive():
            turn = ann.game(game)
            if turn["duty"] is not None:
                ann.submit(game, turn["duty"], ann.legal(game)["families"][0]["lowest"])
            waiting.join(0.05)
        assert turns[0].duty == bob.legal(game)["duty"]


def test_what_may_be_done_already_is_asked_for_again_only_where_it_does_no_harm() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        if asked.count(request.url.path) == 1:
            told = {"code": "store/unsure", "message": "Nobody knows."}
            return httpx.Response(503, json=told, headers={"Retry-After": "0"})
        if request.url.path.endswith("/kick"):
            raise httpx.ReadError("gone")
        return httpx.Response(200, json={"game": "g"})

    with Client("http://nowhere.invalid") as client:
        base = client._http.base_url
        client._http = httpx.Client(base_url=base, transport=httpx.MockTransport(answer))
        assert client.submit("g", 1, "end turn") == {"game": "g"}
        assert client.game("g") == {"game": "g"}
        with pytest.raises(Refusal) as caught:
            client.open_table(seats=3)
        assert caught.value.code == "store/unsure"
        with pytest.raises(Refusal):
            client._post("/games/g/kick", colour="red")
        with pytest.raises(Refusal) as caught:
            client._post("/games/g/kick", colour="red")
        assert caught.value.code == "http/unsure"
    times = [asked.count(path) for path in dict.fromkeys(asked)]
    assert times == [2, 2, 1, 2]  # orders, a look, a table, two attempts of our own
