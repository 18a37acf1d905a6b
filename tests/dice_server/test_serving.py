"""`rubicon dice serve` as a process: restarts, limits, tokens, and what it refuses."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rubicon.dice.client import DiceClient
from rubicon.dice.crypto import sign
from rubicon.dice.dice_server import LinkQuestion
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.request import GivenLink, LinksLine
from rubicon.table.errors import DiceRefused
from tests.conftest import FULL
from tests.dice_server.running import PROGRAM, DiceServerProcess, dice_server
from tests.table.hosted import SOON

GAME = "opaque-1"
KILLS = 50 if FULL else 4
TABLE = DiceClient("any", "")  # its key is that of the table server


@pytest.fixture
def dice(tmp_path: Path) -> Iterator[DiceServerProcess]:
    with dice_server(tmp_path) as running:
        yield running


def question(n: int, game: str = GAME, mark: int = 0) -> LinkQuestion:
    """A question with a signed links line; `mark` makes it another one."""
    line = LinksLine(n, {"server": bytes([mark]) * 32})
    bare = Entry(2 * n + 2, bytes(32), LinksLine.kind, line.form())
    text = bare.signed(sign(TABLE.own.private_key, bare.head)).text()
    return LinkQuestion(
        game=game, genesis=bytes(32), server_key=TABLE.own.key, keys={}, n=n, line=text
    )


def test_key_and_store_are_private_and_survive_a_kill(dice: DiceServerProcess) -> None:
    for name in ("rubicon-dice.key", "rubicon-dice.db"):
        assert stat.S_IMODE((dice.folder / name).stat().st_mode) == 0o600
    deposit = dice.client().open(GAME).result(SOON)
    deposit.check(GAME)
    key = dice.key
    assert deposit.key.hex() == key
    dice.kill()
    dice.start()
    assert dice.key == key
    assert dice.client().open(GAME).result(SOON) == deposit
    with dice.http() as http:
        assert http.get("/key").json() == {"format": "rdice/2", "key": key}
    assert dice.stop() == 0


def test_every_link_that_was_sent_is_known_after_a_kill(dice: DiceServerProcess) -> None:
    dice.client().open(GAME).result(SOON)
    given: list[GivenLink] = []
    for _ in range(KILLS):
        client = dice.client()
        sent = [client.link(question(len(given))).result(SOON)]
        late = client.link(question(len(given) + 1))  # killed while it is asked
        dice.kill()
        dice.start()
        sent += [late.result(SOON)] if late.exception(SOON) is None else []
        given += sent
        again = [dice.client().link(question(n)).result(SOON) for n in range(len(given))]
        assert again == given
    log = dice.log(GAME)
    assert [one.link for one in log.answered][: len(given)] == [one.link for one in given]
    assert log.refusals == ()


def test_the_same_question_at_the_same_time_gets_one_answer(dice: DiceServerProcess) -> None:
    client = dice.client()
    assert len({client.open(GAME).result(SOON) for _ in range(3)}) == 1
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: client.link(question(0)).exception(SOON), range(20)))
    assert answers == [None] * 20
    assert dice.log(GAME).total == 1
    others = [client.link(question(1, mark=mark)) for mark in range(8)]
    assert sum(future.exception(SOON) is None for future in others) == 1
    assert len(dice.log(GAME).refusals) == 7


def test_few_games_are_kept_in_memory(tmp_path: Path) -> None:
    with dice_server(tmp_path, GAMES_IN_MEMORY="1") as dice:
        client = dice.client()
        for game in ("one", "other"):
            client.open(game).result(SOON)
        given = {game: client.link(question(0, game)).result(SOON) for game in ("one", "other")}
        assert {game: client.link(question(0, game)).result(SOON) for game in given} == given


def test_tokens_name_the_tables(tmp_path: Path) -> None:
    tokens = "one=0123456789abcdef,other=fedcba9876543210"
    with dice_server(tmp_path, TOKENS=tokens) as dice:
        one, other = dice.client("0123456789abcdef"), dice.client("fedcba9876543210")
        one.open(GAME).result(SOON)
        one.link(question(0)).result(SOON)
        for asked, reason in (
            (dice.client().open("new"), "dice/token"),
            (dice.client("wrong").link(question(0)), "dice/token"),
            (other.link(question(0)), "dice/not-yours"),
            (other.open(GAME), "dice/not-yours"),
        ):
            error = asked.exception(SOON)
            assert isinstance(error, DiceRefused)
            assert error.reason == reason
        assert dice.log(GAME).total == 1  # for everybody


def test_limits_of_games_requests_and_bodies(tmp_path: Path) -> None:
    limits = {"GAMES_PER_DAY": "2", "REQUESTS_PER_MINUTE": "120"}
    with dice_server(tmp_path, **limits) as dice, dice.http() as http:
        opened = [http.post(f"/games/game{n}") for n in range(3)]
        assert [one.status_code for one in opened] == [200, 200, 429]
        assert opened[2].json()["code"] == "dice/too-many-games"
        assert http.post("/games/game0").status_code == 200
        large = http.post("/games/game0/link", content=b"x" * 300_000)
        assert (large.status_code, large.json()["code"]) == (413, "http/413")
        statuses = [http.get("/key").status_code for _ in range(40)]
        assert 429 in statuses  # and every half a second one is answered again


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/games/nobody/link", None, 404, "dice/unknown-game"),
        ("/games/opaque-1/link", b"{}", 400, "dice/wrong-form"),
        ("/games/opaque-1/link", b"[" * 5000, 400, "dice/not-json"),
        ("/games/opaque-1/link", b"\xff", 400, "dice/not-json"),
        ("/games/" + "x" * 100, b"", 400, "dice/game-id"),
        ("/games/%00", b"", 400, "dice/game-id"),
        ("/games/opaque-1/hand-in", b"{}", 400, "dice/wrong-form"),
        ("/nowhere", b"", 404, "http/404"),
    ],
)
def test_bad_requests_are_refused(
    shared: DiceServerProcess, path: str, body: bytes | None, status: int, code: str
) -> None:
    with shared.http() as http:
        http.post(f"/games/{GAME}")
        if body is None:
            refused = http.post(path, json=question(0, "nobody").form())
        else:
            refused = http.post(path, content=body)
        assert (refused.status_code, refused.json()["code"]) == (status, code)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DiceServerProcess]:
    with dice_server(tmp_path_factory.mktemp("dice")) as running:
        yield running


def failed_start(folder: Path, *options: str) -> str:
    """What a start that fails says."""
    program = [*PROGRAM, "--port", "0", *options]
    done = subprocess.run(
        program, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    return done.stderr


def test_a_second_process_on_one_store_is_refused(dice: DiceServerProcess) -> None:
    assert "[dice-server/store]" in failed_start(dice.folder)


def test_a_store_belongs_to_one_key(dice: DiceServerProcess) -> None:
    dice.stop()
    assert "[dice-server/other-key]" in failed_start(dice.folder, "--key-file", "new.key")


@pytest.mark.skipif(sys.platform == "win32", reason="files have no mode there")
def test_a_key_that_others_may_read_is_refused(dice: DiceServerProcess) -> None:
    dice.stop()
    (dice.folder / "rubicon-dice.key").chmod(0o644)
    assert "chmod 600" in failed_start(dice.folder)
    (dice.folder / "rubicon-dice.key").chmod(0o600)
    (dice.folder / "rubicon-dice.key").write_text("no key")
    assert "[dice-server/key-file]" in failed_start(dice.folder)


@pytest.mark.parametrize("tokens", ["a=short", "no-name", "a=0123456789abcdef,a=fedcba9876543210"])
def test_bad_tokens_are_refused(tmp_path: Path, tokens: str) -> None:
    told = failed_start(tmp_path, "--tokens", tokens)
    assert "[dice-server/tokens]" in told
    assert "0123456789" not in told
