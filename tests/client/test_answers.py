"""Answers of broken and hostile servers end soon, cost little, and give nothing away."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import httpx
import pytest

from rubicon.client import ApiError, Client, answers
from rubicon.client.answers import lines_of, read_events

Answer = Callable[[httpx.Request], httpx.Response]


def client_of(answer: Answer) -> Client:
    """A client of a server that gives these answers."""
    client = Client("http://rubicon.test", "secret-token", transport=httpx.MockTransport(answer))
    client.attempts = 1
    return client


def refusal(answer: Answer) -> ApiError:
    """The error of a request to that server."""
    with pytest.raises(ApiError) as caught:
        client_of(answer).me()
    return caught.value


@pytest.mark.parametrize(
    "content",
    [b"", b"<html>sign in</html>", b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}", b"\xff\xfe"],
)
def test_what_is_no_json_is_told_as_a_server_that_is_away(content: bytes) -> None:
    error = refusal(lambda request: httpx.Response(200, content=content))
    assert (error.status, error.code) == (502, "http/bad-answer")
    assert "no answer of a Rubicon server" in str(error)


def test_a_token_follows_no_redirect() -> None:
    asked: list[str] = []

    def elsewhere(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.host)
        return httpx.Response(307, headers={"location": "http://thief.test/api/v1/me"})

    error = refusal(elsewhere)
    assert error.code == "http/redirect"
    assert "http://thief.test/api/v1/me" in str(error)
    assert asked == ["rubicon.test"]


def test_an_endless_answer_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_BYTES", 100_000)
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while True:
            sent += 1000
            yield b" " * 1000

    error = refusal(lambda request: httpx.Response(200, content=endless()))
    assert "more than 100,000 bytes" in str(error)
    assert sent < 200_000


def test_an_answer_that_drips_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "LONGEST", 0.0)
    error = refusal(lambda request: httpx.Response(200, content=iter([b"{", b"}"])))
    assert "takes longer" in str(error)


@pytest.mark.parametrize("wanted", ["nan", "inf", "-5", "Wed, 21 Oct 2015 07:28:00 GMT", ""])
def test_a_wait_that_makes_no_sense_is_not_waited(wanted: str) -> None:
    answer = httpx.Response(503, headers={"retry-after": wanted}, content=b"[]")
    error = refusal(lambda request: answer)
    assert (error.status, error.code) == (503, "http/503")


def test_an_error_that_is_no_object_is_an_error_all_the_same() -> None:
    body = json.dumps(["\x1b[2J"]).encode()
    assert refusal(lambda request: httpx.Response(400, content=body)).code == "http/400"


def test_an_account_without_a_token_is_refused() -> None:
    client = client_of(lambda request: httpx.Response(201, json={"token": 5}))
    with pytest.raises(ApiError, match="'token' is missing"):
        client.guest("Ann")


def test_lines_of_a_stream_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(lines_of([b"a: 1\r\nb", b": 2\n", b"rest"])) == ["a: 1", "b: 2"]
    monkeypatch.setattr(answers, "MOST_LINE", 100)
    with pytest.raises(ApiError, match="more than 100 bytes"):
        list(lines_of([b"x" * 60, b"x" * 60]))


@pytest.mark.parametrize("line", ["data: {", "data: []", 'data: {"kind": 5}', "data: null"])
def test_an_event_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ApiError) as caught:
        list(read_events([line, "id: 1"]))
    assert caught.value.code == "http/bad-answer"


def test_a_stream_without_cursors_is_cut() -> None:
    def flood() -> Iterator[str]:
        while True:
            yield 'data: {"kind": "events"}'

    with pytest.raises(ApiError, match="no cursors"):
        list(read_events(flood()))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"kind": "live", "decision_time": 60}, answers.ClockAnswer),
        ({"kind": "live", "decision_time": 60, "more": 1}, answers.ClockAnswer),
        ({"colour": "red", "until": None}, answers.MoveAnswer),
        ([], list[answers.MoveAnswer]),
    ],
)
def test_an_answer_has_its_type(value: object, kind: type[object]) -> None:
    found = answers.of_type(value, kind)
    assert "more" not in str(found)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"kind": "live"}, answers.ClockAnswer),
        ({"kind": "live", "decision_time": True}, answers.ClockAnswer),
        ({"kind": "live", "decision_time": 1.5}, answers.ClockAnswer),
        ({"kind": "live", "decision_time": 2**80}, answers.ClockAnswer),
        ({"colour": "red", "until": ""}, answers.MoveAnswer),
        ([["red"]], list[answers.MoveAnswer]),
        (None, answers.MoveAnswer),
    ],
)
def test_an_answer_of_another_type_is_none(value: object, kind: type[object]) -> None:
    with pytest.raises(ApiError) as caught:
        answers.of_type(value, kind)
    assert caught.value.code == "http/bad-answer"
