"""The API is frozen as v1: its OpenAPI document equals the stored one.

After a wanted change: `RUBICON_WRITE_OPENAPI=1 python -m pytest tests/web/api/test_openapi.py`,
then look at the diff of openapi.json. Removed or renamed routes and fields need a v2.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.web.conftest import RunningServer

STORED = Path(__file__).parent / "openapi.json"
WRITE = "RUBICON_WRITE_OPENAPI"


def test_the_api_is_the_stored_one(server: RunningServer) -> None:
    with server.http() as http:
        schema = http.get("/api/v1/schema/openapi.json").json()
    schema["info"]["version"] = "1"  # the program's version is not the API's
    document = json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    if os.environ.get(WRITE):
        STORED.write_text(document, "utf-8")
    assert document == STORED.read_text("utf-8"), f"if it is wanted, write it with {WRITE}=1"
