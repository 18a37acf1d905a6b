"""The forms for a new table, and the defaults that a table gets from its clock."""

from __future__ import annotations

from rubicon.table.settings import MEANINGS
from tests.web.conftest import RunningServer


def test_settings_are_enough_to_draw_a_form(server: RunningServer) -> None:
    with server.http() as http:
        rows = {row["name"]: row for row in http.get("/api/v1/settings").json()}
    assert list(rows) == list(MEANINGS)
    assert rows["clock"]["choices"][0] == {"value": "none", "help": "no time limit."}
    bank = rows["bank"]
    assert (bank["type"], bank["low"], bank["seconds"], bank["default"]) == (
        "number",
        0,
        True,
        "86400",
    )
    assert bank["defaults"] == {"none": "86400", "live": "180", "days": "86400"}


def test_a_live_table_gets_the_defaults_of_the_form(server: RunningServer) -> None:
    with server.client() as ann:
        game = ann.open_table(board="skerries", seats=3, settings={"clock": "live"})["game"]
        settings = ann._session.get(f"/tables/{game}")["settings"]
        rows = {row["name"]: row["defaults"]["live"] for row in ann._session.get("/settings")}
    assert settings["bank"] == 180
    for name, value in settings.items():
        assert str(value).lower() == rows[name], name
