"""What an account is told, and its webhooks, through the API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.web.conftest import RunningServer, in_process

PREFERENCES = "/api/v1/me/notifications"
WEBHOOKS = "/api/v1/me/webhooks"
HOOK = {"url": "https://discord.com/api/webhooks/1/secret", "form": "discord", "label": "Club"}


@pytest.fixture
def http(server: RunningServer) -> Iterator[httpx.Client]:
    with server.client("Ann") as ann:
        headers = {"authorization": f"Bearer {ann.token}"}
        with server.http(headers=headers) as found:
            yield found


def test_preferences_are_changed_one_by_one(http: httpx.Client) -> None:
    before = http.get(PREFERENCES).json()
    assert (before["emails"], before["dice_of_others"], before["unreachable"]) == (
        True,
        "digest",
        None,
    )
    night = {"timezone": "Europe/Paris", "quiet_from": "22:00", "quiet_until": "07:00"}
    changed = http.patch(PREFERENCES, json=night)
    assert changed.status_code == 200
    http.patch(PREFERENCES, json={"dice_of_others": "never"})
    assert http.get(PREFERENCES).json() == before | night | {"dice_of_others": "never"}
    assert http.get("/api/v1/me").json()["emails"] is True
    assert "Europe/Paris" in http.get(f"{PREFERENCES}/timezones").json()


def test_the_switch_of_the_account_is_the_same(http: httpx.Client) -> None:
    http.patch("/api/v1/me", json={"emails": False})
    assert http.get(PREFERENCES).json()["emails"] is False


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"timezone": "Europe/Pariss"}, "preferences/timezone"),
        ({"quiet_from": "22:00"}, "preferences/quiet-hours"),
        ({"quiet_from": "9pm", "quiet_until": "07:00"}, "preferences/quiet-hours"),
    ],
)
def test_a_preference_that_is_none_is_refused(
    http: httpx.Client, body: dict[str, Any], code: str
) -> None:
    answer = http.patch(PREFERENCES, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_webhooks_are_added_listed_and_removed(http: httpx.Client) -> None:
    assert http.get(WEBHOOKS).json() == []
    added = http.post(WEBHOOKS, json=HOOK)
    assert added.status_code == 201
    assert added.json()["secret"].startswith("whsec_")
    (listed,) = http.get(WEBHOOKS).json()
    assert (listed["host"], listed["form"], listed["label"]) == ("discord.com", "discord", "Club")
    assert "secret" not in str(listed)
    assert len(http.get("/api/v1/me/export").json()["webhooks"]) == 1
    assert http.delete(WEBHOOKS, params={"webhook": listed["id"]}).status_code == 200
    again = http.delete(WEBHOOKS, params={"webhook": listed["id"]})
    assert (again.status_code, again.json()["code"]) == (404, "webhook/unknown")


def test_another_account_cannot_remove_a_webhook(http: httpx.Client, server: RunningServer) -> None:
    number = http.post(WEBHOOKS, json=HOOK).json()["id"]
    with server.client("Bea") as bea:
        headers = {"authorization": f"Bearer {bea.token}"}
        with server.http(headers=headers) as other:
            assert other.delete(WEBHOOKS, params={"webhook": number}).status_code == 404
    assert len(http.get(WEBHOOKS).json()) == 1


def test_nobody_changes_anything_without_an_account(server: RunningServer) -> None:
    with server.http() as http:
        assert http.get(PREFERENCES).status_code == 401
        assert http.patch(PREFERENCES, json={}).status_code == 401
        assert http.post(WEBHOOKS, json=HOOK).status_code == 401


def test_a_server_without_webhooks_takes_none(tmp_path: Path) -> None:
    with in_process(tmp_path, webhooks=False) as server, server.client("Ann") as ann:
        headers = {"authorization": f"Bearer {ann.token}"}
        with server.http(headers=headers) as http:
            answer = http.post(WEBHOOKS, json=HOOK)
    assert (answer.status_code, answer.json()["code"]) == (400, "webhook/off")
