"""What a seat sees next comes with the answer to its order, and with the events of its stream."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from rubicon.client import Client
from rubicon.errors import NotAllowed
from rubicon.server.work import WorkError, overloaded
from rubicon.table.commands.submit import Receipt, Status
from rubicon.web.api import event_stream, next_view
from rubicon.web.api.bodies import AskOdds
from rubicon.web.api.event_stream import EventStream, OwedViews
from rubicon.web.api.next_view import Answers, EncodedView, NextViews
from tests.web.api.listener import Listener
from tests.web.api.test_api import BOTS, SMALL, begun
from tests.web.conftest import RunningServer

Json = dict[str, Any]
TIMES = ("now", "seats")  # of the moment: when it is, and when people were last seen
DEALT = {"setup.claim": "random", "setup.armies": "2:20 3:16 4:14 5:12 6:12"}  # a quick set-up
PEACEFUL = {1: "peaceful", 2: "peaceful"}


def sent(client: Client, game: str, what: str, body: Json, **asked: str) -> Json:
    """The answer to something that a seat does."""
    answer = client._session.call("POST", f"/games/{game}/{what}", json=body, params=asked)
    found: Json = answer.json()
    return found


def submitted(client: Client, game: str, **more: Any) -> Json:
    """The answer to the first legal action, with what is seen next."""
    legal = client.legal(game)
    body = {"decision": legal["decision"], "text": legal["ranges"][0]["lowest"]} | more
    return sent(client, game, "submit", body, next="true")


def timeless(view: Json) -> Json:
    """A view without what changes by itself."""
    return {name: value for name, value in view.items() if name not in TIMES}


def assert_present(following: Json, client: Client, game: str) -> None:
    """It is what the seat would get if it asked now."""
    assert timeless(following["view"]) == timeless(client.game(game))
    deciding = following["view"]["decision"] is not None
    assert following["legal"] == (client.legal(game) if deciding else None)


def last_view(ear: Listener, index: int) -> Json:
    """The view that a stream brings after the events of a log index."""
    told = -1
    while True:
        for event in ear.until("next"):
            following: Json = event["body"]
            told = max(told, event["index"]) if event["kind"] == "events" else told
            if event["kind"] == "next" and min(told, following["view"]["index"]) >= index:
                return following


@pytest.fixture
def ann(server: RunningServer) -> Iterator[Client]:
    with server.client("Ann") as client:
        yield client


@pytest.fixture
def listen(server: RunningServer) -> Iterator[Callable[..., Listener]]:
    """Opens streams, and closes them after the test."""
    opened: list[Listener] = []

    def one(client: Client, game: str, **more: str) -> Listener:
        opened.append(Listener(server, client.token, game, **more))
        return opened[-1]

    yield one
    for listener in opened:
        listener.close()


def paused_game(ann: Client, bob: Client) -> str:
    """A game of two people on the small board, in which nobody moves by itself."""
    game = str(ann.open_table(**SMALL, bots={2: "peaceful"}, options=DEALT)["game"])
    bob.join(game)
    ann.start(game)
    return game


def test_an_order_brings_what_its_seat_sees_next(ann: Client) -> None:
    game = begun(ann, bots=PEACEFUL, options=DEALT)
    ann.wait(game)
    for _ in range(3):
        answer = submitted(ann, game)
        if answer["next"]["view"]["decision"] is None:
            break  # bots go on: what follows is theirs
        assert_present(answer["next"], ann, game)
        assert answer["next"]["view"]["index"] >= answer["last"]


def test_who_does_not_ask_gets_the_same_receipt_as_ever(ann: Client) -> None:
    game = begun(ann, bots=PEACEFUL, options=DEALT)
    turn = ann.wait(game)
    assert turn is not None
    body = {"decision": turn.decision, "text": turn.legal[0]}
    old = sent(ann, game, "submit", body)
    assert "next" not in old
    new = sent(ann, game, "submit", body, next="true")
    following = new.pop("next")
    assert following["view"]["you"] == old["seat"]
    assert new == old


def test_what_is_no_order_brings_it_too(server: RunningServer, ann: Client) -> None:
    with server.client("Bob") as bob:
        game = paused_game(ann, bob)
        for what, body in (("vote", {"motion": "draw"}), ("absence", {"text": ""})):
            assert_present(sent(ann, game, what, body, next="true")["next"], ann, game)


def test_an_order_may_ask_for_the_odds_of_the_position_that_follows(ann: Client) -> None:
    game = begun(ann, bots=PEACEFUL, options=DEALT)
    turn = ann.wait(game)
    while turn is not None and turn.game["phase"] != "reinforce":
        ann.submit(game, turn.decision, turn.legal[0])
        turn = ann.wait(game)
    assert turn is not None
    legal = ann.legal(game)
    place = legal["ranges"][0]
    question = {"source": place["target"], "left": 3}
    body = {"decision": legal["decision"], "text": place["highest"]}
    questions = [question, {"source": "nowhere"}]
    answer = sent(ann, game, "submit", body | {"odds": questions}, next="true")
    known, unknown = answer["next"]["odds"]
    assert unknown is None
    assert known == ann._session.post(f"/games/{game}/odds", **question)
    stops = {each["odds"]["left"] for each in known["targets"] if each["odds"]}
    assert stops <= {1, 2, 3}


def test_each_event_is_followed_by_what_the_seat_sees(
    server: RunningServer, ann: Client, listen: Callable[..., Listener]
) -> None:
    with server.client("Bob") as bob, server.connect() as nobody:
        game = paused_game(ann, bob)
        mover, other = sorted((ann, bob), key=lambda one: one.game(game)["decision"] is None)
        ears = {one: listen(one, game, next="true") for one in (mover, other)}
        spectator, plain = listen(nobody, game, next="true"), listen(other, game)
        submitted(mover, game)
        other.wait(game)  # the bot has moved, and no other will
        for client, ear in ears.items():
            following = last_view(ear, client.game(game)["index"])
            assert following["view"]["you"] == client.game(game)["you"]
            assert_present(following, client, game)
        seen = last_view(spectator, other.game(game)["index"])
        assert (seen["view"]["you"], seen["legal"]) == (None, None)
        assert "next" not in {event["kind"] for event in plain.until("events")}


def test_the_streams_of_a_seat_share_one_view(
    server: RunningServer,
    ann: Client,
    listen: Callable[..., Listener],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[str, int]] = []
    encode = next_view._encode

    def counted(server: Any, snapshot: Any, seat: str) -> Any:
        made.append((seat, snapshot.head))
        return encode(server, snapshot, seat)

    monkeypatch.setattr(next_view, "_encode", counted)
    monkeypatch.setattr(next_view, "MOMENT", 5.0)
    with server.client("Bob") as bob:
        game = paused_game(ann, bob)
        ears = [listen(one, game, next="true") for one in (ann, bob) for _ in range(3)]
        mover = ann if ann.game(game)["decision"] is not None else bob
        submitted(mover, game)
        for ear in ears:
            ear.until("next")
    assert len(made) == len(set(made))


def test_a_flood_of_events_brings_few_views(
    ann: Client, listen: Callable[..., Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "PACE", 0.5)
    game = ann.open_table(**SMALL, bots=BOTS)["game"]
    ear = listen(ann, game, next="true")
    ann.start(game)
    ann.wait(game)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        if ann.game(game)["decision"] is None:
            time.sleep(0.05)
        else:
            submitted(ann, game)
    kinds = [event["kind"] for event in ear.up_to(ann.game(game)["index"])]
    assert kinds.count("next") < 10 < kinds.count("events")


def test_a_view_waits_for_the_events_before_it() -> None:
    owed = OwedViews()
    owed.owe("a")
    assert owed.take(hurried=True) is None
    assert owed.take(hurried=False) == "a"
    owed.owe("a")
    assert owed.take(hurried=False) is None  # the last one was sent just now
    assert owed.next_due > time.monotonic()
    owed.forget("a")
    assert owed.next_due == float("inf")


def test_many_games_bring_no_more_views_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(event_stream, "time", SimpleNamespace(monotonic=lambda: now))
    owed = OwedViews()
    sent: list[str | None] = []
    for _ in range(200):
        for game in range(50):
            owed.owe(str(game))  # each has events all the time
        sent += [owed.take(hurried=False), owed.take(hurried=False)]
        now += 0.005
    views = [game for game in sent if game is not None]
    assert len(views) == len(set(views)) <= 17  # in a second, and each game in its turn


def test_the_client_asks_for_nothing_that_came_with_its_order(ann: Client) -> None:
    game = begun(ann, bots=PEACEFUL, options=DEALT)
    turn = ann.wait(game)
    while turn is not None and turn.game["phase"] != "reinforce":
        ann.submit(game, turn.decision, turn.legal[0])
        turn = ann.wait(game)
    assert turn is not None
    ann.submit(game, turn.decision, turn.ranges[0]["highest"])  # the own turn goes on
    calls = ann._session.calls
    following = ann.wait(game)
    assert following is not None
    assert following.decision > turn.decision
    assert ann._session.calls == calls
    ann.chat(game)
    again = ann.wait(game)  # another request came in between: now it asks
    assert again is not None
    assert ann._session.calls == calls + 3
    assert (again.decision, again.ranges) == (following.decision, following.ranges)


class Position:
    """Stands in for the games of a server: one decision of red, at an index that the test moves."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.index = 5
        self.made: list[int] = []  # the index of each view that was made
        patch.setattr(next_view, "current_snapshot", self.current)
        patch.setattr(next_view, "visible_head", self.head)
        patch.setattr(next_view, "snapshot_at", self.at)
        patch.setattr(next_view, "_encode", self.encode)
        self.views = NextViews(SimpleNamespace())  # type: ignore[arg-type]

    async def current(self, *_: Any) -> Any:
        return SimpleNamespace(id="a", head=self.index, decisions={"red": 1}, ending=None)

    async def head(self, server: Any, snapshot: Any, seat: str) -> int:
        return int(snapshot.head)

    async def at(self, server: Any, snapshot: Any, *_: Any) -> Any:
        return snapshot

    def encode(self, server: Any, snapshot: Any, seat: str) -> EncodedView:
        self.made.append(snapshot.head)
        return EncodedView(b"%d" % snapshot.head, b"null", b"")


@pytest.fixture
def position(monkeypatch: pytest.MonkeyPatch) -> Position:
    return Position(monkeypatch)


QUESTIONS = [AskOdds(source="ural"), AskOdds(source="china"), AskOdds(source="japan")]


def test_an_order_does_not_wait_for_odds_in_a_full_queue(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def second_is_late(server: Any, snapshot: Any, seat: str, asked: AskOdds, _: Any) -> Any:
        if asked.source == "ural":
            return "known"
        return await asyncio.get_running_loop().create_future()

    monkeypatch.setattr(next_view, "seat_odds", second_is_late)
    monkeypatch.setattr(next_view, "ODDS_PATIENCE", 0.01)
    answer = position.views.after("a", "red", "Ann", QUESTIONS)
    following: Json = dict(asyncio.run(asyncio.wait_for(answer, 5)))
    assert following["odds"] == ["known", None, None]
    assert position.made == [5]


def test_odds_are_of_the_position_that_they_come_with(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def game_goes_on(server: Any, snapshot: Any, *_: Any) -> Any:
        position.index += 1
        return snapshot.head

    monkeypatch.setattr(next_view, "seat_odds", game_goes_on)
    following: Json = dict(asyncio.run(position.views.after("a", "red", "Ann", QUESTIONS)))
    assert following["odds"] == [5, 5, 5]
    assert position.made == [5]


def answered(position: Position) -> Any:
    """The answer to an order of red that is committed."""
    receipt = Receipt("a", "red", answered=1, first=4, last=5, status=Status.DONE, decision=None)
    answers = Answers(position.views, SimpleNamespace(), None, "Ann", True)  # type: ignore[arg-type]
    return asyncio.run(answers.complete(receipt, "a", "red"))


def test_who_loses_the_seat_meanwhile_gets_no_view_of_it(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sits(*_: Any) -> str:
        if not seats:
            raise NotAllowed("seat/required", "You have no seat in this game.", "Watch.")
        return seats.pop()

    monkeypatch.setattr(next_view, "player_of", sits)
    seats = ["blue", "red"]
    assert answered(position).next is not None
    assert answered(position).next is None  # another seat by now
    assert answered(position).next is None  # none at all


def broken(*_: Any) -> EncodedView:
    raise KeyError("a fault of the server")


def test_an_order_stays_done_when_its_view_fails(
    position: Position, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(next_view, "_encode", broken)
    answer = answered(position)
    assert (answer.last, answer.next) == (5, None)
    assert "no view after an order" in caplog.text


def test_a_stream_goes_on_when_a_view_fails(
    ann: Client, listen: Callable[..., Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begun(ann, bots=PEACEFUL, options=DEALT)
    ann.wait(game)
    ear = listen(ann, game, next="true")
    encode = next_view._encode
    monkeypatch.setattr(next_view, "_encode", broken)
    assert submitted(ann, game)["next"] is None
    ann.wait(game)
    ear.until("events")
    monkeypatch.setattr(next_view, "_encode", encode)
    last = submitted(ann, game)["last"]
    assert last_view(ear, last)["view"]["you"] == ann.game(game)["you"]


def test_a_changed_table_brings_a_new_view(position: Position) -> None:
    async def ask() -> None:
        views = position.views
        views.open(asyncio.get_running_loop())
        for game in ("b", "b", "a", "a"):
            await views.of("a", "red", "Ann")
            views.table_changed(game)
            await asyncio.sleep(0)

    asyncio.run(ask())
    assert position.made == [5, 5]  # what happens at another table changes nothing


def test_views_hear_of_changed_tables(ann: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[str] = []
    monkeypatch.setattr(NextViews, "_forget_game", lambda _, game: changed.append(game))
    game = ann.open_table(**SMALL, bots=BOTS)["game"]
    ann.start(game)
    assert game in changed


def test_a_view_that_fails_late_leaves_the_newer_one(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        refused, first = asyncio.Event(), asyncio.Event()

        async def at(server: Any, snapshot: Any, index: int, asker: str) -> Any:
            if asker == "Ann":
                first.set()
                await refused.wait()
                raise overloaded()
            return snapshot

        monkeypatch.setattr(next_view, "snapshot_at", at)
        late = asyncio.create_task(position.views.of("a", "red", "Ann"))
        await first.wait()
        position.views._forget_game("a")
        await position.views.of("a", "red", "Bob")
        refused.set()
        with pytest.raises(WorkError):
            await late
        await position.views.of("a", "red", "Cid")

    asyncio.run(ask())
    assert position.made == [5]


def test_the_refusal_of_one_asker_is_not_everybodys(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at(server: Any, snapshot: Any, index: int, asker: str) -> Any:
        await asyncio.sleep(0)  # the others ask meanwhile
        if asker == "Ann":
            raise overloaded()
        return snapshot

    async def ask() -> list[Any]:
        every = (position.views.of("a", "", asker) for asker in ("Ann", "Bob", "Cid"))
        return await asyncio.gather(*every, return_exceptions=True)

    monkeypatch.setattr(next_view, "snapshot_at", at)
    refused, *others = asyncio.run(ask())
    assert isinstance(refused, WorkError)
    assert {each.view for each in others} == {b"5"}
    assert position.made == [5]  # they share the one that Bob has asked for


def test_a_stream_that_resumes_brings_a_view_first(
    ann: Client, listen: Callable[..., Listener]
) -> None:
    game = begun(ann, bots=PEACEFUL, options=DEALT)
    ann.wait(game)
    index = ann.game(game)["index"]
    (event,) = listen(ann, game, after=f"{game}:{index}", next="true").until("next")
    assert event["body"]["view"]["index"] == index


def test_a_stream_shows_no_view_of_a_seat_that_it_has_lost(position: Position) -> None:
    holds, sent = "red", list[Any]()
    cache = SimpleNamespace(cached=lambda *_: None, find=lambda *_: holds)
    state = SimpleNamespace(
        server=SimpleNamespace(seat_cache=cache),
        broadcaster=None,
        table_feed=None,
        next_views=position.views,
    )

    async def send(message: Any) -> None:
        sent.append(message)

    def views_sent() -> int:
        owed = OwedViews()
        owed.owe("a")
        asyncio.run(stream._send_view(owed))
        return len(sent)

    request: Any = SimpleNamespace(query_params={}, scope={})
    stream = EventStream(request, state, send)
    stream._account = "Ann"
    stream.subscription.seats["a"] = "red"
    assert views_sent() == 1
    holds = "blue"
    assert views_sent() == 1
