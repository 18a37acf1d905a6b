"""OPTIONS lists exactly the methods that a path has, and others are refused."""

from __future__ import annotations

import json
from pathlib import Path

from tests.web.conftest import RunningServer

DOCUMENT = json.loads(Path(__file__).with_name("openapi.json").read_text("utf-8"))
PATHS = {path: {method.upper() for method in found} for path, found in DOCUMENT["paths"].items()}
OTHERS = {"/healthz": {"GET"}, "/": {"GET"}, "/api/v1": {"GET"}, "/api/v1/events": {"GET"}}
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def filled(path: str) -> str:
    """A path with something for each of its parameters."""
    return path.replace("{index}", "1").replace("{", "").replace("}", "")


def listed(header: str | None) -> set[str]:
    """The methods of an Allow header."""
    assert header is not None
    return set(header.split(", "))


def test_options_lists_exactly_the_methods_of_a_path(server: RunningServer) -> None:
    assert any(len(methods) > 1 for methods in PATHS.values())
    with server.http() as http:
        for path, methods in (PATHS | OTHERS).items():
            answer = http.options(filled(path))
            assert answer.status_code == 204, path
            assert listed(answer.headers.get("allow")) == methods | {"OPTIONS"}, path


def test_other_methods_are_refused_with_the_same_list(server: RunningServer) -> None:
    with server.http() as http:
        for path, methods in (PATHS | OTHERS).items():
            for method in METHODS - methods:
                refused = http.request(method, filled(path))
                assert (refused.status_code, refused.json()["code"]) == (405, "http/405"), path
                assert listed(refused.headers.get("allow")) == methods | {"OPTIONS"}, path
