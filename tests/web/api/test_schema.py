"""The OpenAPI document is true: generated requests get the responses that it describes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FULL
from tests.table.conftest import Postgres
from tests.web.api.test_api import begun
from tests.web.conftest import RunningServer, start, stop

CASES, PHASES = ("60", "examples,coverage,fuzzing") if FULL else ("3", "fuzzing")
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
]
REFUSED = [400, 401, 403, 404, 405, 409, 413, 422, 429]
# What would end the account or the game that the others are tried with.
LEFT_OUT = ["--exclude-operation-id", "ApiV1MeErase", "--exclude-path-regex", "/(leave|close)$"]


def schema_of(server: RunningServer) -> dict[str, Any]:
    """The description of the API."""
    with server.http() as http:
        found: dict[str, Any] = json.loads(http.get("/api/v1/schema/openapi.json").text)
    return found


def try_everything(server: RunningServer, folder: Path, phases: str = PHASES) -> None:
    """Let generated requests of somebody who plays be checked."""
    with server.client() as ann:
        game = begun(ann)
        ann.wait(game)
        given = f'[parameters]\n"path.game" = "{game}"\n'
        given += f"[checks.negative_data_rejection]\nexpected-statuses = {REFUSED}\n"
        (folder / "schemathesis.toml").write_text(given)
        command = [
            sys.executable,
            "-m",
            "schemathesis.cli",
            "--config-file",
            "schemathesis.toml",
            "run",
        ]
        command += [f"{server.url}/api/v1/schema/openapi.json", "--phases", phases]
        command += ["--header", f"Authorization: Bearer {ann.token}", "--checks", ",".join(CHECKS)]
        command += [
            "--max-examples",
            CASES,
            "--seed",
            "7",
            "--generation-database",
            "none",
            "--no-color",
            "--continue-on-failure",
        ]
        done = subprocess.run(
            command + LEFT_OUT, cwd=folder, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, "\n".join(line[:300] for line in done.stdout.splitlines()[:150])


def test_generated_requests_get_responses_as_described(tmp_path: Path) -> None:
    server = start(tmp_path)  # the tool is a process of its own, and needs a socket
    try:
        try_everything(server, tmp_path)
    finally:
        assert stop(server) == 0


@pytest.mark.full
def test_postgresql_answers_generated_requests_as_described(
    tmp_path: Path, postgres: Postgres
) -> None:
    server = start(tmp_path, RUBICON_STORE=postgres.database())
    try:
        try_everything(server, tmp_path)
    finally:
        assert stop(server) == 0


def test_every_error_is_described_in_one_shape(server: RunningServer) -> None:
    schema = schema_of(server)
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            refusals = {k: v for k, v in operation["responses"].items() if int(k) >= 400}
            assert {"400", "401", "403", "404", "409", "422", "429", "503"} <= refusals.keys()
            for status, answer in refusals.items():
                shape = answer["content"]["application/json"]["schema"]
                named = f"{method} {path} {status}"
                assert shape == {"$ref": "#/components/schemas/ErrorView"}, named


def test_what_bot_writers_need_is_described_by_its_parts(server: RunningServer) -> None:
    schema = schema_of(server)
    shapes = schema["components"]["schemas"]
    answers = {
        f"{method} {path.removeprefix('/api/v1')}": operation["responses"]
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    }
    for asked, shape in {
        "get /games/{game}": "GameView",
        "get /games/{game}/legal": "LegalActionsView",
        "post /games/{game}/submit": "OrderReceipt",
        "get /tables/{game}": "TableView",
        "get /me": "AccountView",
    }.items():
        told = answers[asked]["200"]["content"]["application/json"]["schema"]
        assert told == {"$ref": f"#/components/schemas/{shape}"}, asked
    assert {"decision", "position", "deadlines"} <= set(shapes["GameView"]["required"])
    assert {"first", "last", "status"} <= set(shapes["OrderReceipt"]["required"])
