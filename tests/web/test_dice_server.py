"""A table server and an independent dice server, both killed again and again in the middle."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from rubicon.cli.main import main
from rubicon.client import ApiError, Client
from rubicon.dice.lines.entry import Entry
from rubicon.dice.verify import verify
from tests.conftest import FULL
from tests.dice_server.running import DiceServerProcess, dice_server
from tests.waiting import until
from tests.web.conftest import RunningServer, ServerProcess, in_process, start, stop

KILLS = 30 if FULL else 2  # of each of the two
NOBODY = "http://127.0.0.1:1"  # nothing listens on it
SETTINGS = {"dice": "independent"}
TABLE = {"board": "skerries", "seats": 3, "bots": {1: "greedy", 2: "greedy"}, "settings": SETTINGS}


class Restarted:
    """The table server, which listens on one port however often it is killed."""

    def __init__(self, folder: Path, dice: DiceServerProcess) -> None:
        self._environment = {"RUBICON_DICE_SERVER": dice.url}
        self.server = self._start(folder)
        self._environment["RUBICON_PORT"] = str(urlsplit(self.server.url).port)

    def _start(self, folder: Path) -> ServerProcess:
        return start(folder, **self._environment)

    def kill(self) -> None:
        """Kill it in the middle of whatever it does."""
        self.server.process.kill()
        self.server.process.communicate(timeout=30)

    def start(self) -> None:
        """Start it again."""
        self.server = self._start(self.server.folder)

    def close(self) -> None:
        """Stop it."""
        stop(self.server)


def play(ann: Client, game: str, rng: random.Random) -> None:
    """Play to the end, by chance; what a killed server did not answer is repeated."""
    while True:
        try:
            turn = ann.wait(game)
            if turn is None:
                return
            ann.submit(game, turn.decision, rng.choice(turn.legal))
        except ApiError as error:
            if error.status not in (0, 409, 503):
                raise


def kill_in_turn(
    victims: Iterator[Restarted | DiceServerProcess],
    most: int,
    answers: Callable[[], int],
    playing: threading.Thread,
) -> int:
    """Kill each in turn whenever a few more requests were answered; how many kills there were.

    At most so many, and none when the game is over.
    """
    rng, kills, next_at = random.Random(5), 0, 3
    while kills < most and playing.is_alive():
        if answers() >= next_at:
            victim = next(victims)
            victim.kill()
            victim.start()
            kills, next_at = kills + 1, answers() + rng.randrange(2, 5)
    return kills


def answered(dice: DiceServerProcess, game: str) -> int:
    """How many requests of a game the dice server has answered."""
    return len(dice.log(game).answered)


def play_and_kill(ann: Client, table: Restarted, dice: DiceServerProcess) -> list[str]:
    """Play game after game until both were killed often enough; the games."""
    kills, games = 0, list[str]()
    victims: Iterator[Restarted | DiceServerProcess] = cycle([dice, table])
    while kills < 2 * KILLS:
        game = ann.open_table(**TABLE)["game"]
        ann.start(game)
        games.append(game)
        playing = threading.Thread(target=play, args=(ann, game, random.Random(3)))
        playing.start()
        kills += kill_in_turn(victims, 2 * KILLS - kills, partial(answered, dice, game), playing)
        playing.join()
    return games


def test_both_are_killed_and_every_roll_is_made_once(tmp_path: Path) -> None:
    (tmp_path / "dice").mkdir()
    (tmp_path / "table").mkdir()
    with dice_server(tmp_path / "dice") as dice:
        with closing(Restarted(tmp_path / "table", dice)) as table, table.server.client() as ann:
            games = play_and_kill(ann, table, dice)
            texts = {game: ann.transcript(game) for game in games}
        logs = {game: dice.log(game) for game in games}
    for game, text in texts.items():
        entries = [Entry.parse(line) for line in text.splitlines()]
        verdict = verify(entries)
        assert verdict.ok
        assert verdict.dice_server == verdict.requests == logs[game].total > 0
        assert list(logs[game].problems(entries)) == []
        (tmp_path / "dice.jsonl").write_text(text, "utf-8")
        assert main(["verify", str(tmp_path / "dice.jsonl")]) == 0
    store = f"sqlite:///{tmp_path}/table/rubicon.db"
    assert main(["table", "verify", "--store", store]) == 0


def test_a_server_without_a_dice_server_offers_none(tmp_path: Path) -> None:
    with in_process(tmp_path) as server, server.client() as ann:
        with pytest.raises(ApiError) as refused:
            ann.open_table(**TABLE)
        assert (refused.value.status, refused.value.code) == (400, "settings/no-dice-server")
        assert "RUBICON_DICE_SERVER" in str(refused.value)
        assert dice_values(server) == "sealed or typed"
        with server.http() as http:
            assert http.get("/healthz").json() == {"ok": True}


def test_a_table_in_the_lobby_does_not_start_without_its_dice_server(tmp_path: Path) -> None:
    with in_process(tmp_path, dice_server=NOBODY) as server, server.client() as ann:
        game, token = ann.open_table(**TABLE)["game"], ann.token
        assert dice_values(server) == "sealed, independent or typed"
    with in_process(tmp_path) as server, server.connect(token) as ann:
        with pytest.raises(ApiError) as refused:
            ann.start(game)
        assert refused.value.code == "settings/no-dice-server"
        assert ann.table(game)["state"] == "lobby"


def test_only_games_that_need_an_absent_dice_server_wait(tmp_path: Path) -> None:
    (tmp_path / "dice").mkdir()
    with dice_server(tmp_path / "dice") as dice:
        dice.kill()
        settings = {"dice_server": dice.url, "dice_server_key": dice.key}
        with in_process(tmp_path, **settings) as server, server.client() as ann:
            game = ann.open_table(**TABLE)["game"]
            ann.start(game)
            assert ann.game(game)["waiting_for"] == "dice"
            with server.http() as http:
                told = http.get("/healthz")
                away = {"dice_server": "away", "dice_server_answered_seconds_ago": None}
                assert (told.status_code, told.json()) == (200, {"ok": True} | away)
            other = ann.open_table(**TABLE | {"settings": {}})["game"]
            ann.start(other)
            turn = ann.wait(other)
            assert turn is not None
            ann.submit(other, turn.decision, turn.legal[0])
            dice.start()
            until(lambda: ann.game(game)["waiting_for"] == "")
            with server.http() as http:
                health = http.get("/healthz").json()
            assert (health["ok"], health["dice_server"]) == (True, "answers")
            assert health["dice_server_answered_seconds_ago"] >= 0


def test_a_dice_server_with_another_key_stops_the_game(tmp_path: Path) -> None:
    (tmp_path / "dice").mkdir()
    with dice_server(tmp_path / "dice") as dice:
        settings = {"dice_server": dice.url, "dice_server_key": "ab" * 32}
        with in_process(tmp_path, **settings) as server, server.client() as ann:
            game = ann.open_table(**TABLE)["game"]
            ann.start(game)
            state = ann.game(game)
            assert state["waiting_for"] == "dice-refused"
            assert "dice-server/other-key" in state["waiting_reason"]
            assert "RUBICON_DICE_SERVER_KEY" in state["waiting_reason"]
            with pytest.raises(ApiError, match="stopped by its dice server") as refused:
                ann.wait(game)
            assert refused.value.code == "dice/refused"
            with server.http() as http:
                told = http.get("/healthz")
            assert told.status_code == 200
            assert told.json()["games_stopped_by_dice_server"] == 1


def to_an_attack(players: tuple[Client, ...], game: str) -> tuple[Client, str]:
    """Play until somebody can attack: who, and the attack."""
    rng = random.Random(3)
    while True:
        for player in players:
            legal = player.legal(game)
            texts = [each["lowest"] for each in legal["ranges"]]
            attacks = [text for text in texts if text.startswith("attack")]
            if attacks:
                return player, attacks[0]
            if texts:
                player.submit(game, legal["decision"], rng.choice(texts))


def test_who_waits_for_a_turn_hears_that_a_dice_server_is_away_or_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("rubicon.web.api.event_stream.HEARTBEAT", 0.1)
    (tmp_path / "dice").mkdir()
    told: list[BaseException] = []

    def wait(client: Client, game: str) -> None:
        try:
            client.wait(game)
        except BaseException as error:  # the main thread looks at it
            told.append(error)

    with (
        dice_server(tmp_path / "dice") as dice,
        in_process(tmp_path, dice_server=dice.url) as server,
        server.client() as ann,
    ):
        people = TABLE | {"bots": {2: "greedy"}}
        game = ann.open_table(**people)["game"]
        with server.client("Bob") as bob:
            bob.join(game)
            ann.start(game)
            mover, attack = to_an_attack((ann, bob), game)
            other = bob if mover is ann else ann
            waiting = threading.Thread(target=wait, args=(other, game))
            with caplog.at_level(logging.WARNING, logger="rubicon.client.client"):
                waiting.start()
                dice.kill()
                mover.submit(game, mover.game(game)["decision"], attack)
                until(lambda: any("waits: The dice are not" in m for m in caplog.messages))
            assert waiting.is_alive()
            # Behind a restart with an empty store it answers, but knows the game no more.
            for file in dice.folder.glob("rubicon-dice.db*"):
                file.unlink()
            dice.start()
            waiting.join(60)
    (error,) = told
    assert isinstance(error, ApiError)
    assert error.code == "dice/refused"
    assert "dice/unknown-game" in str(error)


def test_the_health_knows_a_dice_server_that_no_game_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rubicon.server.dice_server.CHECK", 0.0)
    (tmp_path / "dice").mkdir()
    with (
        dice_server(tmp_path / "dice") as dice,
        in_process(tmp_path, dice_server=dice.url) as server,
        server.http() as http,
    ):

        def told() -> str:
            return str(http.get("/healthz").json()["dice_server"])

        until(lambda: told() == "answers")
        dice.kill()
        until(lambda: told() == "away")
        assert http.get("/healthz").json()["dice_server_answered_seconds_ago"] is not None
        dice.start()
        until(lambda: told() == "answers")


def dice_values(server: RunningServer) -> str:
    """What the form of a table offers for its dice."""
    with server.http() as http:
        rows = http.get("/api/v1/settings").json()
    return next(str(row["values"]) for row in rows if row["name"] == "dice")
