"""Passkeys by the API: one is added, signs in, and is removed; forged ones are refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.accounts.authenticator import Authenticator, as_new, as_sign_in
from tests.web.conftest import RunningServer, in_process

ORIGIN, SITE = "https://risk.example.org", "risk.example.org"
MINE, SIGN_IN = "/api/v1/me/passkeys", "/api/v1/sign-in/passkey"


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with a secure public address."""
    with in_process(tmp_path_factory.mktemp("secure"), public_url=ORIGIN) as running:
        yield running


@pytest.fixture
def nobody(secure: RunningServer) -> Iterator[httpx.Client]:
    with secure.http() as found:
        yield found


@contextmanager
def signed_in(server: RunningServer, name: str) -> Iterator[httpx.Client]:
    """A browser in which a new guest plays."""
    with server.http(headers={"origin": server.url}) as http:
        assert http.post("/api/v1/guest", json={"name": name}).status_code == 201
        yield http


def added(http: httpx.Client, name: str = "Phone") -> Authenticator:
    """A passkey of whoever plays in a browser."""
    device = Authenticator(ORIGIN, SITE)
    begun = http.post(f"{MINE}/begin").json()["options"]
    answer = http.post(MINE, json=as_new(device.create(begun), name))
    assert answer.status_code == 201, answer.text
    return device


def options(http: httpx.Client) -> dict[str, Any]:
    """What a browser gets to sign in."""
    found: dict[str, Any] = http.post(f"{SIGN_IN}/begin").json()["options"]
    return found


def code(answer: httpx.Response) -> tuple[int, str]:
    """How something was refused; without a cookie."""
    assert "set-cookie" not in answer.headers
    return answer.status_code, answer.json()["code"]


def test_a_passkey_is_added_signs_in_and_is_removed(
    secure: RunningServer, nobody: httpx.Client
) -> None:
    assert nobody.get("/api/v1/session").json()["server"]["passkeys"] == ORIGIN
    with signed_in(secure, "Ann") as ann:
        account = ann.get("/api/v1/me").json()["account"]
        device = added(ann)
        (listed,) = ann.get(MINE).json()
        assert (listed["name"], listed["used"]) == ("Phone", None)
        assert set(listed) == {"id", "name", "created", "used"}
        assert ann.delete("/api/v1/session").json() == {"signed_out": True}
        assert ann.get(MINE).status_code == 401
        answer = ann.post(SIGN_IN, json=as_sign_in(device.get(options(ann))))
        assert (answer.status_code, answer.json()) == (200, {"account": account, "name": "Ann"})
        assert "HttpOnly" in answer.headers["set-cookie"]
        (listed,) = ann.get(MINE).json()
        assert listed["used"] is not None
        assert len(ann.get("/api/v1/me/export").json()["passkeys"]) == 1
        assert ann.delete(MINE, params={"passkey": listed["id"]}).status_code == 200
        assert ann.get(MINE).json() == []
        assert code(ann.delete(MINE, params={"passkey": listed["id"]})) == (404, "passkey/unknown")
    late = nobody.post(SIGN_IN, json=as_sign_in(device.get(options(nobody))))
    assert code(late) == (400, "passkey/refused")


def test_forged_answers_sign_nobody_in(secure: RunningServer, nobody: httpx.Client) -> None:
    with signed_in(secure, "Ann") as ann, signed_in(secure, "Eve") as eve:
        of_ann, of_eve = added(ann), added(eve)
    begun = options(nobody)
    answer = of_eve.get(begun)
    made_up = of_eve.get({"challenge": "a" * 40})
    elsewhere = replace(of_eve, origin="https://evil.example.org").get(begun)
    last = bytes([answer.signature[-1] ^ 1])
    forged = {
        "passkey/challenge": [made_up],
        "passkey/origin": [elsewhere],
        "passkey/refused": [
            replace(answer, account=of_ann.account),
            replace(answer, id=of_ann.id, account=of_ann.account),
            replace(answer, signature=answer.signature[:-1] + last),
        ],
    }
    for why, answers in forged.items():
        for each in answers:
            assert code(nobody.post(SIGN_IN, json=as_sign_in(each))) == (400, why)
    broken = as_sign_in(answer) | {"signature": "!"}
    assert code(nobody.post(SIGN_IN, json=broken)) == (400, "passkey/unreadable")
    good = nobody.post(SIGN_IN, json=as_sign_in(answer))
    assert (good.status_code, good.json()["name"]) == (200, "Eve")
    again = of_eve.get(begun)
    assert code(nobody.post(SIGN_IN, json=as_sign_in(again))) == (400, "passkey/challenge")


def test_a_challenge_of_another_account_adds_nothing(secure: RunningServer) -> None:
    with signed_in(secure, "Ann") as ann, signed_in(secure, "Eve") as eve:
        begun = ann.post(f"{MINE}/begin").json()["options"]
        answer = Authenticator(ORIGIN, SITE).create(begun)
        assert code(eve.post(MINE, json=as_new(answer))) == (400, "passkey/challenge")
        assert ann.post(MINE, json=as_new(answer)).status_code == 201
        other = Authenticator(ORIGIN, SITE).create(begun)
        assert code(ann.post(MINE, json=as_new(other))) == (400, "passkey/challenge")


def test_a_page_of_another_site_cannot_sign_a_browser_in(
    secure: RunningServer, nobody: httpx.Client
) -> None:
    with signed_in(secure, "Eve") as eve:
        device = added(eve)
    headers = {"origin": "https://evil.example.org"}
    body = as_sign_in(device.get(options(nobody)))
    answer = nobody.post(SIGN_IN, json=body, headers=headers)
    assert code(answer) == (403, "request/cross-site")


def test_nobody_adds_a_passkey_without_an_account(nobody: httpx.Client) -> None:
    assert code(nobody.post(f"{MINE}/begin")) == (401, "account/required")


def test_too_many_requests_of_one_address_are_refused(tmp_path: Path) -> None:
    settings = {"public_url": ORIGIN, "requests_per_minute": 60_000}
    with in_process(tmp_path, **settings) as server, server.http() as http:
        answers = [http.post(f"{SIGN_IN}/begin") for _ in range(121)]
    assert {answer.status_code for answer in answers[:-1]} == {200}
    assert code(answers[-1]) == (429, "passkey/rate-limited")


def test_an_insecure_server_has_none_and_says_why(tmp_path: Path) -> None:
    with in_process(tmp_path, public_url="http://risk.example.org") as server:
        with server.http() as http:
            assert http.get("/api/v1/session").json()["server"]["passkeys"] is None
            answer = http.post(f"{SIGN_IN}/begin")
        assert code(answer) == (400, "passkey/off")
        assert "RUBICON_PUBLIC_URL" in answer.json()["suggestion"]
