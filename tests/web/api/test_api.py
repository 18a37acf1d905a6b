"""The API as programs use it."""

from __future__ import annotations

import json
import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from rubicon.client import ApiError, Client
from rubicon.dice.transcript import entries_of
from rubicon.dice.verify import verify
from rubicon.rules.record import Record
from tests.web.conftest import RunningServer, in_process

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
        client.submit(game, turn.decision, (attacks or turn.legal)[0])
    return most


def test_a_game_against_bots_is_played_and_verified(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        with pytest.raises(ApiError) as early:
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


def test_a_repeated_submission_gets_its_receipt_and_a_stale_one_the_pending_decision(
    server: RunningServer,
) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        one = ann.submit(game, turn.decision, turn.legal[0])
        again = ann.submit(game, turn.decision, turn.legal[0])
        assert (again["first"], again["last"]) == (one["first"], one["last"])
        with pytest.raises(ApiError) as stale:
            ann.submit(game, turn.decision, "end turn")
        assert (stale.value.status, stale.value.code) == (409, "decision/stale")
        assert "decision" in stale.value.body


@pytest.mark.parametrize(
    ("text", "code"),
    [("attack nowhere -> alaska", None), ("", None), ("resign blue", None), ("\0", None)],
)
def test_refused_actions_have_an_error_code(
    server: RunningServer, text: str, code: str | None
) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        with pytest.raises(ApiError) as refused:
            ann.submit(game, turn.decision, text)
        assert refused.value.status in (400, 403, 404, 422)
        assert "/" in refused.value.code
        assert ann.game(game)["index"] >= turn.game["index"]


def test_unreadable_orders_come_back_corrected(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        with pytest.raises(ApiError) as refused:
            ann.submit(game, turn.decision, "ATTAK skye", orders=True)
        assert refused.value.body["problems"]
        assert "corrected" in refused.value.body


def test_a_request_beside_orders_is_warned_of_and_not_done(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        orders = f"{turn.legal[0]}\nRESIGN CONFIRM"
        (ignored,) = ann.explain(game, orders)["ignored"]
        (warning,) = ann.submit(game, turn.decision, orders, orders=True)["warnings"]
        assert warning == ignored
        assert warning.startswith("Line 2, column 1: RESIGN CONFIRM is not done")
        assert warning.endswith("[orders/request-not-done]")
        turn = ann.wait(game)
        assert turn is not None  # Ann still plays
        with pytest.raises(ApiError) as refused:
            ann.submit(game, turn.decision, f"PREVIEW\n{turn.legal[0]}", orders=True)
        assert refused.value.code == "orders/request-against-orders"
        assert ann.game(game)["decision"] == turn.decision


def test_only_the_owner_of_a_seat_can_submit(server: RunningServer) -> None:
    with server.client() as ann, server.client("Bob") as bob, server.connect() as nobody:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        with pytest.raises(ApiError) as refused:
            bob.submit(game, turn.decision, turn.legal[0])
        assert (refused.value.status, refused.value.code) == (403, "seat/required")
        with pytest.raises(ApiError) as refused:
            nobody.submit(game, turn.decision, turn.legal[0])
        assert (refused.value.status, refused.value.code) == (401, "account/required")
        assert bob.game(game)["you"] is None


def test_private_tables_are_hidden_from_others(server: RunningServer) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        opened = ann.open_table(**SMALL, access="private")
        for ask in (bob.game, bob.past_events, bob.transcript):
            with pytest.raises(ApiError) as refused:
                ask(opened["game"])
            assert refused.value.status == 404
        colour, invite = next(iter(opened["invites"].items()))
        assert bob.join(opened["game"], invite=invite) == colour


def test_the_stream_equals_the_past_events_and_resumes_after_its_cursor(
    server: RunningServer,
) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        game = ann.open_table(**SMALL, bots={2: "greedy"})["game"]
        bob.join(game)
        ann.start(game)
        heard: list[dict[str, Any]] = []
        ready = threading.Event()

        def listen() -> None:
            for event in server.connect(bob.token).events(game, after=f"{game}:0"):
                heard.append(event)
                ready.set()
                if len(heard) >= 20:
                    return

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        while listener.is_alive():
            for person in (ann, bob):
                seen = person.game(game)
                if seen["result"] is None and seen["decision"] is not None:
                    turn = person.wait(game)
                    assert turn is not None
                    person.submit(game, turn.decision, turn.legal[0])
            listener.join(0.05)
        told = [(fact["index"], fact["kind"]) for fact in bob.past_events(game, 0)]
        assert [(event["index"], event["kind"]) for event in heard] == told[: len(heard)]
        resumed = bob.events(game, after=heard[9]["cursor"])
        first = next(resumed)
        resumed.close()
        assert first["index"] > int(heard[9]["cursor"].rpartition(":")[2])


def test_a_browser_of_another_site_cannot_use_the_cookie(server: RunningServer) -> None:
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
        assert (refused.status_code, refused.json()["code"]) == (403, "request/cross-site")
        assert browser.patch("/api/v1/me", json={"name": "Evi"}).status_code == 403
        assert browser.get("/api/v1/me").json()["name"] == "Eva"


def test_an_account_can_be_exported_and_erased(server: RunningServer) -> None:
    with server.client("Gus Example") as gus:
        game = begun(gus)
        token = gus._session.post("/me/tokens", label="bot")["token"]
        with server.connect(token) as program:
            assert program.me()["name"] == "Gus Example"
        exported = gus._session.get("/me/export")
        assert exported["account"]["name"] == "Gus Example"
        assert [seat["game"] for seat in exported["seats"]] == [game]
        assert token not in json.dumps(exported)
        gus._session.call("DELETE", "/me")
        with pytest.raises(ApiError):
            gus.me()
    with server.client("Bob") as bob:
        assert "Gus" not in json.dumps(bob.game(game))


def test_tokens_are_not_in_the_database_files(server: RunningServer) -> None:
    with server.client() as ann:
        token = ann.token
    for file in server.folder.glob("rubicon.db*"):
        assert token.encode() not in file.read_bytes()


def test_metrics_need_the_machine_or_the_admin_token(server: RunningServer) -> None:
    with server.http() as http:
        assert "rubicon_http_requests_total" in http.get("/metrics").text
        outside = {"x-forwarded-for": "203.0.113.9"}
        assert http.get("/metrics", headers=outside).status_code == 403
        admin = outside | {"authorization": f"Bearer {server.admin}"}
        assert http.get("/metrics", headers=admin).status_code == 200
        assert http.get("/healthz").json() == {"ok": True}


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
def test_invalid_requests_get_an_error_in_the_common_shape(
    server: RunningServer, method: str, path: str, body: bytes, status: int
) -> None:
    with server.http() as http:
        answer = http.request(
            method, path, content=body, headers={"content-type": "application/json"}
        )
        assert answer.status_code == status
        assert {"code", "message", "suggestion"} <= answer.json().keys()
        assert "Traceback" not in answer.text


def test_too_many_requests_are_told_to_wait(tmp_path: Path) -> None:
    with in_process(tmp_path, requests_per_minute=60) as limited, limited.http() as http:
        responses = [http.get("/healthz") for _ in range(20)]
    assert responses[0].status_code == 200
    refused = next(response for response in responses if response.status_code == 429)
    assert refused.json()["code"] == "request/rate-limited"
    assert int(refused.headers["retry-after"]) >= 1


def test_a_server_resumes_its_games_after_a_restart(tmp_path: Path) -> None:
    with in_process(tmp_path) as first, first.client() as ann:
        game = begun(ann)
        play(ann, game, 5)
        before, token = ann.game(game), ann.token
    with in_process(tmp_path) as second, second.connect(token) as ann:
        assert ann.game(game)["index"] >= before["index"]
        play(ann, game, 3)


def test_security_headers_are_sent_with_every_response(server: RunningServer) -> None:
    with server.http() as http:
        for path in ("/", "/api/v1/bots", "/api/v1/nowhere"):
            headers = http.get(path).headers
            assert headers["x-content-type-options"] == "nosniff", path
            assert headers["x-frame-options"] == "DENY", path
            assert headers["cross-origin-resource-policy"] == "same-origin", path


def test_nothing_of_a_person_stays_in_a_cache(server: RunningServer) -> None:
    with server.client() as ann, server.http() as http:
        game = begun(ann)
        token = {"authorization": f"Bearer {ann.token}"}
        for path in ("me", "me/export", "session", f"games/{game}", f"games/{game}/chat"):
            found = http.get(f"/api/v1/{path}", headers=token, follow_redirects=True)
            assert (found.status_code, found.headers["cache-control"]) == (200, "no-store"), path
        kept = http.get("/api/v1/boards/world").headers.get_list("cache-control")
        assert kept == ["public, no-cache"]


def test_the_same_host_over_http_is_another_site(server: RunningServer) -> None:
    with server.http() as browser:
        browser.post("/api/v1/guest", json={"name": "Eve"})
        forged = {"origin": server.url, "sec-fetch-site": "cross-site"}
        refused = browser.patch("/api/v1/me", json={"name": "Eva"}, headers=forged)
        assert (refused.status_code, refused.json()["code"]) == (403, "request/cross-site")


def test_an_unknown_bot_cannot_be_a_stand_in(server: RunningServer) -> None:
    with server.client() as ann, server.http() as http:
        game = begun(ann)
        days = (datetime.now(UTC) + timedelta(days=2)).date()
        head = {"Authorization": f"Bearer {ann.token}"}
        for bot, status in (("nobody", 400), ("greedy", 200)):
            form = {"text": f"{days} {days} {bot}"}
            told = http.post(f"/api/v1/games/{game}/absence", json=form, headers=head)
            assert told.status_code == status, told.text


def test_the_strongest_bot_is_shown_by_its_own_name(server: RunningServer) -> None:
    with server.client() as ann, server.http() as http:
        wish = SMALL | {"bots": {1: "strongest"}, "settings": {"fill": "strongest"}}
        game = ann.open_table(**wish)["game"]
        ann.seat_bot(game, "green", "strongest")
        table = ann.table(game)
        assert [seat["bot"] for seat in table["seats"]] == [None, "expert", "expert"]
        assert [seat["name"] for seat in table["seats"]] == ["Ann", "expert", "expert 2"]
        assert table["settings"]["fill"] == "expert"
        ann.change_table(game, settings={"substitute": "strongest"})
        assert ann.table(game)["settings"]["substitute"] == "expert"
        ann.start(game)
        days = (datetime.now(UTC) + timedelta(days=2)).date()
        head = {"Authorization": f"Bearer {ann.token}"}
        path, form = f"/api/v1/games/{game}", {"text": f"{days} {days} strongest"}
        http.post(f"{path}/absence", json=form, headers=head).raise_for_status()
        events = http.get(f"{path}/events", headers=head).json()
        assert f"{days} {days} expert" in str(events)
        assert "strongest" not in http.get("/api/v1/bots").json()


class RestartingTransport(httpx.BaseTransport):
    """The network to a server that restarts: without a server, connections are refused."""

    def __init__(self) -> None:
        self.server: RunningServer | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request on."""
        if self.server is None or self.server.transport is None:
            raise httpx.ConnectError("connection refused")
        return self.server.transport.handle_request(request)


def test_a_program_plays_on_after_a_restart_of_the_server(tmp_path: Path) -> None:
    network = RestartingTransport()
    taken: list[int] = []
    with in_process(tmp_path) as first:
        network.server = first
        ann = Client(first.url, transport=network).guest("Ann")
        game = begun(ann)
        player = threading.Thread(target=lambda: taken.append(play(ann, game, 30)))
        player.start()
        with first.connect(ann.token) as watcher:
            list(zip(range(10), watcher.events(game), strict=False))  # it plays
        network.server = None
    assert taken == []
    with in_process(tmp_path) as second:
        network.server = second
        player.join(60)
        ann.close()
    assert taken == [30]


def test_the_client_reports_a_missing_server(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    monkeypatch.setattr("time.sleep", rests.append)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        client = Client(f"http://127.0.0.1:{nobody.getsockname()[1]}")
        with pytest.raises(ApiError) as refused:
            client.guest("Ann")
    assert (refused.value.status, refused.value.code) == (0, "http/no-response")
    assert "rubicon serve" in str(refused.value)
    assert sum(rests) == 10


def test_the_receipt_of_a_vote_has_its_log_indexes(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        turn = ann.wait(game)
        assert turn is not None
        voted = ann.vote(game, "draw", withdrawn=True)
        assert voted["last"] == voted["first"] - 1 == turn.game["index"]
        paused = ann.vote(game, "pause")
        told = ann.past_events(game, paused["first"] - 1)  # the vote, and the pause that it carries
        assert [fact["index"] for fact in told] == [paused["last"]] == [paused["first"] + 1]
        assert (paused["seat"], paused["answered"]) == (turn.game["you"], -1)
        assert paused["decision"] == turn.decision


def test_the_client_retries_a_rate_limited_stream(tmp_path: Path) -> None:
    with in_process(tmp_path, requests_per_minute=120) as limited, limited.client() as ann:
        game = begun(ann)
        assert play(ann, game, 1) == 1  # so that there is something to tell
        with limited.http() as http:
            while http.get("/api/v1/bots").status_code == 200:
                pass
        assert next(ann.events(game, after=f"{game}:0"))["game"] == game


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"title": "x" * 61}, "POST /api/v1/tables: title: Expected `str` of length <= 60."),
        ({"seat": 3}, "POST /api/v1/tables: Object contains unknown field `seat`."),
    ],
)
def test_an_invalid_body_names_the_field(
    server: RunningServer, wish: dict[str, Any], told: str
) -> None:
    with server.client() as ann, pytest.raises(ApiError) as refused:
        ann.open_table(**wish)
    assert refused.value.body["message"] == told
    assert "/api/v1" in refused.value.body["suggestion"]


def test_unknown_names_are_answered_with_the_known_ones(server: RunningServer) -> None:
    with server.client() as ann, server.http() as http:
        boards = http.get("/api/v1/boards").json()
        assert {board["name"]: board["territories"] for board in boards}["skerries"] == 12
        for wish in ({"board": "moon"}, {"ruleset": "chess"}, {"bots": {1: "deep"}}):
            with pytest.raises(ApiError) as refused:
                ann.open_table(**wish)
            assert refused.value.body["suggestion"].startswith("Choose one of: ")
        with pytest.raises(ApiError) as refused:
            ann.tables("ours")
        assert refused.value.code == "tables/which"


def test_a_private_table_needs_an_invite(server: RunningServer) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        table = ann.open_table(**SMALL, access="link")
        with pytest.raises(ApiError) as refused:
            bob.join(table["game"])
        assert (refused.value.status, refused.value.code) == (404, "game/unknown")
        assert bob.join(table["game"], invite=table["invite"]) == "blue"


def test_chat_and_previews_of_orders(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        said = ann.say(game, "good luck")
        assert [line["text"] for line in ann.chat(game)] == ["good luck"]
        assert ann.chat(game, after=said["id"]) == []
        assert ann.explain(game, "END")["orders"] == "END"
        assert ann.preview(game, "END")["lines"]
        with pytest.raises(ApiError) as early:
            ann.rematch(game)
        assert early.value.code == "lobby/not-over"


def test_wait_can_be_called_before_the_start(server: RunningServer) -> None:
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
            if turn["decision"] is not None:
                ann.submit(game, turn["decision"], ann.legal(game)["ranges"][0]["lowest"])
            waiting.join(0.05)
        assert turns[0].decision == bob.legal(game)["decision"]


def test_the_client_repeats_only_requests_that_cannot_act_twice() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        if asked.count(request.url.path) == 1:
            told = {"code": "database/outcome-unknown", "message": "Nobody knows."}
            return httpx.Response(503, json=told, headers={"Retry-After": "0"})
        if request.url.path.endswith("/kick"):
            raise httpx.ReadError("gone")
        return httpx.Response(200, json={"game": "g"})

    with Client("http://nowhere.invalid") as client:
        base = client._session.http.base_url
        client._session.http = httpx.Client(base_url=base, transport=httpx.MockTransport(answer))
        assert client.submit("g", 1, "end turn") == {"game": "g"}
        assert client.game("g") == {"game": "g"}
        with pytest.raises(ApiError) as caught:
            client.open_table(seats=3)
        assert caught.value.code == "database/outcome-unknown"
        with pytest.raises(ApiError):
            client._session.post("/games/g/kick", colour="red")
        with pytest.raises(ApiError) as caught:
            client._session.post("/games/g/kick", colour="red")
        assert caught.value.code == "http/outcome-unknown"
    times = [asked.count(path) for path in dict.fromkeys(asked)]
    assert times == [2, 2, 1, 2]  # orders, a look, a table, two attempts of our own
