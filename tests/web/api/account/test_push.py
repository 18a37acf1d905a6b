"""Devices are subscribed to push messages, listed and removed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.push.push_service import Browser
from tests.web.conftest import RunningServer, in_process


@pytest.fixture
def http(server: RunningServer) -> Iterator[httpx.Client]:
    with server.client("Ann") as ann:
        headers = {"authorization": f"Bearer {ann.token}"}
        with server.http(headers=headers) as found:
            yield found


def subscription(name: str = "one", **more: Any) -> dict[str, Any]:
    """The body of a browser's subscription."""
    device = Browser(name).device
    keys = {"p256dh": device.p256dh, "auth": device.auth}
    return {"endpoint": device.endpoint, "keys": keys, "label": "laptop"} | more


def test_devices_are_added_listed_and_removed(http: httpx.Client) -> None:
    assert http.get("/api/v1/me/push").json() == []
    answer = http.post("/api/v1/me/push", json=subscription())
    assert answer.status_code == 201
    (listed,) = http.get("/api/v1/me/push").json()
    assert (listed["id"], listed["label"]) == (answer.json()["device"], "laptop")
    assert "endpoint" not in listed
    assert len(http.get("/api/v1/me/export").json()["devices"]) == 1
    removed = http.delete("/api/v1/me/push", params={"device": listed["id"]})
    assert (removed.status_code, http.get("/api/v1/me/push").json()) == (200, [])
    again = http.delete("/api/v1/me/push", params={"device": listed["id"]})
    assert (again.status_code, again.json()["code"]) == (404, "push/unknown")
    assert http.delete("/api/v1/me/push").status_code == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (subscription(endpoint="http://push.example.org/x"), "push/endpoint"),
        (subscription(endpoint="https://127.0.0.1/x"), "push/endpoint"),
        (subscription(keys={"p256dh": "AAAA", "auth": "AAAA"}), "push/keys"),
        (subscription(label="x" * 50), "push/label"),
    ],
)
def test_a_subscription_that_is_not_one_is_refused(
    http: httpx.Client, body: dict[str, Any], code: str
) -> None:
    answer = http.post("/api/v1/me/push", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_nobody_subscribes_without_an_account(server: RunningServer) -> None:
    with server.http() as http:
        assert http.post("/api/v1/me/push", json=subscription()).status_code == 401


def test_a_server_without_push_messages_takes_no_devices(tmp_path: Path) -> None:
    with in_process(tmp_path, web_push=False) as server, server.client("Ann") as ann:
        headers = {"authorization": f"Bearer {ann.token}"}
        with server.http(headers=headers) as http:
            answer = http.post("/api/v1/me/push", json=subscription())
    assert (answer.status_code, answer.json()["code"]) == (400, "push/off")
