"""Two servers on one PostgreSQL database act as one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rubicon.client import ApiError, Client
from rubicon.dice.transcript import entries_of
from rubicon.dice.verify import verify
from tests.conftest import FULL
from tests.table.conftest import Postgres
from tests.waiting import until
from tests.web.api.listener import Listener
from tests.web.conftest import ServerProcess, StreamListener, start, stop

SMALL = {"board": "skerries", "seats": 3}
BOTS = {1: "greedy", 2: "random"}
SOON = 30.0
TURNS = 60 if FULL else 6

Pair = tuple[ServerProcess, ServerProcess]


def host_on(url: str, folder: Path) -> ServerProcess:
    """A host on a database that has been used before, or at the same moment."""
    folder.mkdir()
    (folder / "known").touch()
    return start(folder, RUBICON_STORE=url)


@pytest.fixture(scope="module")
def url(postgres: Postgres) -> str:
    return postgres.database()


@pytest.fixture(scope="module")
def pair(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("hosts")
    one, other = host_on(url, folder / "one"), host_on(url, folder / "other")
    yield one, other
    assert [stop(one), stop(other)] == [0, 0]


def has_entry(index: int, heard: list[dict[str, Any]]) -> bool:
    """Whether somebody was told of an entry."""
    return index in {event["index"] for event in heard}


class People:
    """Those who come in a test; they leave with it."""

    def __init__(self) -> None:
        self.clients: list[Client] = []

    def new(self, server: ServerProcess, name: str = "Ann") -> Client:
        """Somebody new."""
        self.clients.append(server.client(name))
        return self.clients[-1]

    def elsewhere(self, client: Client, server: ServerProcess) -> Client:
        """The same person at another host."""
        self.clients.append(server.connect(client.token))
        return self.clients[-1]


@pytest.fixture
def people() -> Iterator[People]:
    those = People()
    yield those
    for client in those.clients:
        client.close()


def entries(heard: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """What somebody has heard that is in the log."""
    return [(event["index"], event["kind"]) for event in heard if event["index"] >= 0]


def hear_all(ears: list[StreamListener], wanted: list[tuple[int, str]]) -> None:
    """Wait until they have heard so much, and compare."""
    for ear in ears:
        ear.wait_for(lambda heard: len(entries(heard)) >= len(wanted))
        assert entries(ear.heard)[: len(wanted)] == wanted


def take_turns(players: list[Client], game: str, most: int) -> None:
    """Everybody takes the first attack there is, or else the first decision."""
    taken, deadline = 0, time.monotonic() + SOON + 10 * most
    while taken < most and time.monotonic() < deadline:
        for person in players:
            seen = person.game(game)
            if seen["result"] is not None:
                return
            if seen["decision"] is not None:
                legal = [action_range["lowest"] for action_range in person.legal(game)["ranges"]]
                attacks = [text for text in legal if text.startswith("attack")]
                person.submit(game, seen["decision"], (attacks or legal)[0])
                taken += 1
    assert taken >= most


def told(client: Client, game: str) -> list[tuple[int, str]]:
    """What a seat was told in all."""
    facts: list[dict[str, Any]] = []
    while more := client.past_events(game, facts[-1]["index"] if facts else 0):
        facts += more
    return [(fact["index"], fact["kind"]) for fact in facts]


def begun(pair: Pair, people: People) -> tuple[Client, Client, str]:
    """Ann at one host, Bob at the other, and a bot; the game has begun."""
    ann, bob = people.new(pair[0]), people.new(pair[1], "Bob")
    game = str(ann.open_table(**SMALL, bots={2: "greedy"})["game"])
    bob.join(game)
    ann.start(game)
    return ann, bob, game


def test_a_stream_of_all_tables_follows_what_happens_at_the_other_server(
    pair: Pair, people: People
) -> None:
    one, other = pair
    ann, bob = people.new(one), people.new(other, "Bob")
    mine, open_tables = Listener(one, ann.token, mine="true"), Listener(one, "", tables="open")
    mine.until("following")
    open_tables.until("tables")
    elsewhere = people.elsewhere(ann, other)
    game = bob.open_table(**SMALL, bots={2: "random"})["game"]
    heard = open_tables.until("table")
    assert {event["game"] for event in heard if event["kind"] == "table"} == {game}
    elsewhere.join(game)
    assert game in {event["game"] for event in mine.until("lobby")}
    bob.start(game)
    assert game in {event["game"] for event in mine.until("events")}
    assert game in {event["game"] for event in open_tables.until("gone")}
    for listener in (mine, open_tables):
        listener.close()


def test_both_servers_send_every_event_of_a_game_once(pair: Pair, people: People) -> None:
    ann, bob, game = begun(pair, people)
    ann_there, bob_there = people.elsewhere(ann, pair[1]), people.elsewhere(bob, pair[0])
    ears = [
        StreamListener(ann, game, after=f"{game}:0"),
        StreamListener(ann_there, game, after=f"{game}:0"),
    ]
    take_turns([ann, bob], game, TURNS)
    take_turns([ann_there, bob_there], game, TURNS)
    take_turns([ann, ann_there, bob, bob_there], game, TURNS)
    hear_all(ears, told(ann, game))
    assert verify(entries_of(ann.transcript(game))).ok
    assert ann.game(game)["index"] == ann_there.game(game)["index"]


def test_lobby_events_of_one_server_reach_the_other(pair: Pair, people: People) -> None:
    ann, bob = people.new(pair[0]), people.new(pair[1], "Bob")
    game = ann.open_table(**SMALL, bots={2: "greedy"})["game"]
    ears = [StreamListener(people.elsewhere(ann, pair[1]), game), StreamListener(ann, game)]
    bob.join(game)
    for ear in ears:
        ear.wait_for(lambda heard: [event["kind"] for event in heard] == ["lobby"])
    bob._session.post(f"/games/{game}/chat", text="Hello", to="")
    for ear in ears:
        ear.wait_for(lambda heard: heard[-1]["kind"] == "chat")
    ann.start(game)
    for ear in ears:
        ear.wait_for(lambda heard: any(event["kind"] == "events" for event in heard))
        assert ear.kinds()[:3] == ["lobby", "chat", "lobby"]


def test_two_servers_play_a_bot_once(pair: Pair, people: People) -> None:
    ann = people.new(pair[0])
    game = ann.open_table(**SMALL, bots=BOTS)["game"]
    ann.start(game)
    there = people.elsewhere(ann, pair[1])
    for client in (ann, there, ann, there):
        turn = client.wait(game)
        assert turn is not None
        client.submit(game, turn.decision, turn.legal[0])
    numbers = [index for index, kind in told(ann, game) if kind == "events"]
    assert numbers == sorted(set(numbers))
    assert verify(entries_of(ann.transcript(game))).ok


def test_a_token_revoked_on_one_server_is_refused_on_the_other(pair: Pair, people: People) -> None:
    ann = people.new(pair[0])
    token = ann._session.post("/me/tokens", label="bot")["token"]
    with Client(pair[1].url, token) as there:
        assert there.me()["name"] == "Ann"
        ann._session.call("DELETE", "/me/tokens/bot")
        until(lambda: code_of(there.me) == "account/required")


def code_of(request: Callable[[], object]) -> str:
    """The code of the refusal of a request; "" if it is answered."""
    try:
        request()
    except ApiError as refused:
        return refused.code
    return ""


def test_when_a_server_is_killed_the_other_resumes_its_games(
    url: str, pair: Pair, tmp_path: Path, people: People
) -> None:
    doomed = host_on(url, tmp_path / "doomed")
    ann = people.new(doomed)
    games = [str(ann.open_table(**SMALL, bots=BOTS)["game"]) for _ in range(3)]
    there = people.elsewhere(ann, pair[1])
    ears = [StreamListener(there, game) for game in games]
    for game in games:
        ann.start(game)
    workers = children_of(doomed.process.pid)
    doomed.process.kill()
    doomed.process.communicate(timeout=SOON)
    for game, ear in zip(games, ears, strict=True):
        turn = there.wait(game)
        assert turn is not None
        there.submit(game, turn.decision, turn.legal[0])
        hear_all([ear], told(there, game))
    deadline = time.monotonic() + SOON
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline, "the bots' processes outlive their host"
        time.sleep(0.05)


def children_of(process: int) -> list[int]:
    """The processes that it has started, where the system says so."""
    listed = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for file in listed for child in file.read_text().split()]


def test_both_servers_recover_after_a_database_outage(
    pair: Pair, postgres: Postgres, people: People
) -> None:
    ann, bob, game = begun(pair, people)
    there = people.elsewhere(ann, pair[1])
    ear = StreamListener(there, game, after=f"{game}:0")
    take_turns([ann, bob], game, 4)
    postgres.stop()
    with pair[0].http() as http:
        assert http.get("/healthz").status_code == 503
    postgres.start()
    take_turns([ann, bob], game, 4)  # a client asks again where the store is away
    wanted = told(ann, game)
    ear.wait_for(lambda heard: len(entries(heard)) >= len(wanted) or ear.kinds()[-1] == "end")
    if ear.kinds()[-1] == "end":  # it comes again, as browsers do
        ear = StreamListener(there, game, after=f"{game}:0")
    hear_all([ear], wanted)


def test_events_missed_without_a_listen_connection_are_sent_later(
    pair: Pair, people: People, postgres: Postgres, url: str
) -> None:
    ann = people.new(pair[0])
    game = str(ann.open_table(**SMALL, bots=BOTS)["game"])
    ann.start(game)
    watcher = people.elsewhere(ann, pair[1])
    assert ann.wait(game) is not None
    ear = StreamListener(watcher, game, after=f"{game}:0")
    for _ in range(4):
        turn = ann.wait(game)
        assert turn is not None
        postgres.drop_connections(url)
        head = int(ann.submit(game, turn.decision, turn.legal[0])["last"])
        told = [fact["index"] for fact in watcher.past_events(game)]
        last = max(index for index in told if index <= head)
        ear.wait_for(partial(has_entry, last))
    facts = [fact["index"] for fact in ann.past_events(game) if 0 < fact["index"] <= last]
    for index in facts:
        ear.wait_for(partial(has_entry, index))
