"""`rubicon verify --dice-log`: a transcript beside the public log of an independent dice server."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from rubicon.cli.main import main
from rubicon.dice.dice_server import AnsweredRequest, PublicLog
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.request import Answer, LinksLine
from tests.dice.tables import whole

ENTRIES = whole(dice_server=True)
Json = dict[str, Any]
Said = Callable[..., tuple[int, str]]


def honest_log(entries: list[Entry]) -> Json:
    """The log of a dice server that was asked for exactly this transcript."""
    heads: dict[int, bytes] = {}
    answered = []
    for entry in entries:
        fields = Fields(entry.body, "entry")
        if entry.kind == LinksLine.kind:
            heads[LinksLine.read(fields).n] = entry.head
        elif entry.kind == Answer.kind:
            answer = Answer.read(fields)
            link = answer.bare["dice"]
            assert link is not None
            answered.append(AnsweredRequest(answer.n, heads[answer.n], link))
    table = str(entries[0].body["table"])
    return PublicLog(table, entries[0].head, len(answered), tuple(answered), ()).form()


@pytest.fixture
def said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """The exit status and words of the command, for a log as JSON."""

    def run(
        log: object, *more: str, entries: list[Entry] = ENTRIES, where: str = ""
    ) -> tuple[int, str]:
        game, file = tmp_path / "game.dice", tmp_path / "game.log"
        game.write_text("".join(f"{entry.text()}\n" for entry in entries), "utf-8")
        file.write_text(log if isinstance(log, str) else json.dumps(log), "utf-8")
        status = main(["verify", str(game), "--dice-log", where or str(file), *more])
        shown = capsys.readouterr()
        return status, shown.out + shown.err

    return run


def test_an_equal_log(said: Said) -> None:
    status, shown = said(honest_log(ENTRIES))
    assert status == 0
    assert "dice server's log: 11 requests, the transcript's, in order" in shown
    status, shown = said(honest_log(ENTRIES), "--json")
    assert status == 0
    expected = {"answered": 11, "differences": [], "refusals": [], "ok": True}
    assert json.loads(shown)["dice_log"] == expected


def test_the_transcript_may_end_while_a_request_waits(said: Said) -> None:
    answers = [place for place, entry in enumerate(ENTRIES) if entry.kind == "answer"]
    waiting = ENTRIES[: answers[-1]]
    assert waiting[-1].kind == "links"
    assert said(honest_log(ENTRIES), entries=waiting)[0] == 0


def changed(log: Json) -> None:
    """Another link."""
    log["answered"][4]["link"] = "ab" * 32


def other_line(log: Json) -> None:
    """Another list of links."""
    log["answered"][4]["head"] = "ab" * 32


def missing(log: Json) -> None:
    """One is left out."""
    del log["answered"][4]


def repeated(log: Json) -> None:
    """One stands there twice."""
    log["answered"].insert(5, log["answered"][4])


def out_of_order(log: Json) -> None:
    """One stands behind a later one."""
    answered = log["answered"]
    answered[4], answered[5] = answered[5], answered[4]


def further(log: Json) -> None:
    """A further request was answered."""
    log["answered"].append(log["answered"][-1] | {"n": 11})
    log["total"] = 12


def other_total(log: Json) -> None:
    """The dice server has answered more than the log shows."""
    log["total"] = 12


def other_genesis(log: Json) -> None:
    """The dice server was shown another beginning."""
    log["genesis"] = "ab" * 32


def other_game(log: Json) -> None:
    """The log of another game."""
    log["game"] = "another"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (changed, "Request 4 is different in the dice server's log."),
        (other_line, "Request 4 is different in the dice server's log."),
        (missing, "Request 4 is missing in the dice server's log."),
        (repeated, "Request 4 is in the dice server's log twice."),
        (out_of_order, "Request 4 comes after request 5 in the dice server's log."),
        (further, "Request 11 is in the dice server's log, but not in the transcript."),
        (other_total, "has answered 12 requests; its log as it was given here has 11 of them."),
        (other_genesis, "The dice server has answered for another genesis."),
        (other_game, "The dice server's log is of game 'another', not of"),
    ],
)
def test_what_differs_is_named(change: Callable[[Json], None], named: str, said: Said) -> None:
    log = honest_log(ENTRIES)
    change(log)
    status, shown = said(log)
    assert status == 1
    (line,) = [line for line in shown.splitlines() if named in line]
    assert line.startswith("bad: ")


def test_a_refusal_is_shown(said: Said) -> None:
    log = honest_log(ENTRIES) | {"refusals": ["Line 12 hides\x1b the link of red."]}
    status, shown = said(log)
    assert status == 1
    assert "the dice server has refused: 'Line 12 hides\\x1b the link of red.'" in shown
    assert "bad: " not in shown


def test_a_transcript_without_a_dice_server(said: Said) -> None:
    status, shown = said(honest_log(ENTRIES), entries=whole())
    assert status == 1
    assert "bad: The transcript has no independent dice server." in shown


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, "hello", '{"game": 3}'])
def test_a_file_that_is_no_log(text: str, said: Said) -> None:
    status, shown = said(text)
    assert (status, "[dice/no-dice-log]" in shown) == (2, True)


def test_a_log_in_several_parts(said: Said) -> None:
    log = honest_log(ENTRIES)
    parts = [log | {"answered": log["answered"][:7]}, log | {"answered": log["answered"][7:]}]
    assert said("\n".join(map(json.dumps, parts)))[0] == 0
    assert said(parts[0])[0] == 1


@contextmanager
def serving(log: Json, status: int = 200) -> Iterator[tuple[str, list[str]]]:
    """A dice server with this log, at most four requests in one response; and what it was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            after = int(parse_qs(urlsplit(self.path).query)["after"][0])
            part = log | {"answered": log["answered"][after + 1 : after + 5]}
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(part).encode())

        def log_message(self, *_: object) -> None:
            """Be quiet."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_log_at_a_dice_server(said: Said) -> None:
    log = honest_log(ENTRIES)
    path = f"/v1/games/{log['game']}/log"
    with serving(log) as (url, asked):
        assert said("", where=url)[0] == 0
        assert asked == [f"{path}?after={after}" for after in (-1, 3, 7)]
        assert said("", where=f"{url}{path}")[0] == 0
    changed(log)
    with serving(log) as (url, _):
        assert said("", where=url)[0] == 1


def test_a_dice_server_that_has_no_such_log(said: Said) -> None:
    with serving(honest_log(ENTRIES), status=404) as (url, _):
        status, shown = said("", where=url)
        assert (status, "[dice/cannot-read]" in shown) == (2, True)
    status, shown = said("", where=url)  # it is away now
    assert (status, "[dice/cannot-read]" in shown) == (2, True)
    assert "Traceback" not in shown
