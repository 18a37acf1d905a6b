"""The first question of a browser is always answered with 200."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rubicon import __version__
from tests.web.conftest import RunningServer, in_process


def test_nobody_is_signed_in_without_a_token(server: RunningServer) -> None:
    with server.http() as http:
        answer = http.get("/api/v1/session")
    assert answer.status_code == 200
    assert answer.json()["account"] is None
    assert abs(answer.json()["time"] / 1000 - time.time()) < 60


def test_the_account_of_a_token(server: RunningServer) -> None:
    with server.client("Ann") as ann:
        session = ann.session()
        assert session["account"] == ann.me()
        assert session["account"]["name"] == "Ann"


@pytest.mark.parametrize("token", ["a" * 26, "short"])
def test_a_token_that_is_not_valid_is_nobodys(server: RunningServer, token: str) -> None:
    for sent in ({"authorization": f"Bearer {token}"}, {"cookie": f"rubicon={token}"}):
        with server.http(headers=sent) as http:
            answer = http.get("/api/v1/session")
        assert (answer.status_code, answer.json()["account"]) == (200, None)


def test_what_the_server_offers(server: RunningServer, tmp_path: Path) -> None:
    with server.http() as http:
        offer = http.get("/api/v1/session").json()["server"]
    assert len(offer.pop("push")) == 87  # 65 bytes in base64url
    assert offer == {"version": __version__, "email": False, "dice_server": False}
    mail = {"mail_server": "smtp://127.0.0.1:2525", "mail_from": "risk@example.org"}
    with in_process(tmp_path, web_push=False, **mail) as other, other.http() as http:
        offer = http.get("/api/v1/session").json()["server"]
    assert (offer["email"], offer["push"]) == (True, None)
