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
    assert offer.pop("passkeys") == "http://localhost"
    assert offer == {"version": __version__, "email": False, "dice_server": False}
    mail = {"mail_server": "smtp://127.0.0.1:2525", "mail_from": "risk@example.org"}
    with in_process(tmp_path, web_push=False, **mail) as other, other.http() as http:
        offer = http.get("/api/v1/session").json()["server"]
    assert (offer["email"], offer["push"]) == (True, None)


def test_a_browser_signs_out_alone(server: RunningServer) -> None:
    with server.client("Ann") as ann:
        ann._session.call("POST", "/me/tokens", json={"label": "program"})
        own = {"cookie": f"rubicon={ann.token}", "sec-fetch-site": "same-origin"}
        with server.http(headers=own) as http:
            assert http.get("/api/v1/session").json()["account"]["name"] == "Ann"
            answer = http.delete("/api/v1/session")
            assert answer.json() == {"signed_out": True}
            assert 'rubicon="";' in answer.headers["set-cookie"].replace("rubicon=;", 'rubicon="";')
            assert http.get("/api/v1/session").json()["account"] is None
            assert http.get("/api/v1/me").status_code == 401


def test_signing_out_ends_no_program_and_no_other_browser(server: RunningServer) -> None:
    with server.client("Ann") as ann:
        program = ann._session.call("POST", "/me/tokens", json={"label": "program"}).json()["token"]
        same_site = {"sec-fetch-site": "same-origin"}
        with server.http(headers={"cookie": f"rubicon={program}"} | same_site) as http:
            http.delete("/api/v1/session")
        with server.http(headers=same_site) as http:
            assert http.delete("/api/v1/session").json() == {"signed_out": False}
        with server.http(headers={"authorization": f"Bearer {program}"}) as http:
            assert http.get("/api/v1/me").json()["name"] == "Ann"
        assert ann.me()["name"] == "Ann"


def test_a_foreign_page_cannot_sign_a_browser_out(server: RunningServer) -> None:
    with server.client("Ann") as ann:
        foreign = {"cookie": f"rubicon={ann.token}", "sec-fetch-site": "cross-site"}
        with server.http(headers=foreign) as http:
            assert http.delete("/api/v1/session").status_code == 403
        assert ann.me()["name"] == "Ann"
