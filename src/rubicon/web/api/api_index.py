"""The API as an HTML page: every route with its parameters, from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from litestar import Request, get
from litestar.response import Response

from rubicon.web.http.templates import html_page

SCHEMA_PATH = "/api/v1/schema/openapi.json"
TYPE_NAMES = {"null": "null", "integer": "number", "string": "text", "boolean": "true or false"}
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RouteEntry:
    """One method of one path."""

    method: str
    path: str
    summary: str
    description: str
    fields: tuple[tuple[str, str], ...]  # parameters and body fields, each with its type


@get("/api/v1", include_in_schema=False, sync_to_thread=True)
def api_index(request: Request[Any, Any, Any]) -> Response[str]:
    """The page. It never changes, and making it takes 70 ms: it is made once."""
    state = request.app.state
    if state.get("api_index") is None:
        schema = request.app.openapi_schema.to_schema()
        state.api_index = schema["info"]["description"], _sections(schema)
    description, sections = state.api_index
    return html_page(
        "api_index.html", description=description, schema_path=SCHEMA_PATH, sections=sections
    )


def _sections(schema: Schema) -> list[tuple[str, list[RouteEntry]]]:
    by_tag: dict[str, list[RouteEntry]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            fields = (*_parameters(operation), *_body_fields(operation, schema))
            entry = RouteEntry(
                method=method.upper(),
                path=path,
                summary=operation.get("summary", ""),
                description=operation.get("description", ""),
                fields=fields,
            )
            by_tag.setdefault(operation.get("tags", ["other"])[0], []).append(entry)
    return sorted(by_tag.items())


def _parameters(operation: Schema) -> Iterator[tuple[str, str]]:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] not in ("header", "cookie"):
            kind = _type_name(parameter.get("schema", {}))
            yield parameter["name"], f"{kind}, in the {parameter['in']}"


def _body_fields(operation: Schema, schema: Schema) -> Iterator[tuple[str, str]]:
    content = operation.get("requestBody", {}).get("content", {})
    body = content.get("application/json", {}).get("schema", {})
    found = schema.get("components", {}).get("schemas", {}).get(_reference(body), body)
    required = found.get("required", ())
    for name, part in found.get("properties", {}).items():
        yield name, _type_name(part) + ("" if name in required else ", optional")


def _type_name(schema: Schema) -> str:
    """A type in a word or two."""
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(_type_name(one) for one in schema[choice]))
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kind = schema.get("type") or _reference(schema) or "any value"
    if kind == "array":
        return f"list of {_type_name(schema.get('items', {}))}"
    names = [kind] if isinstance(kind, str) else kind
    text = " or ".join(TYPE_NAMES.get(one, one) for one in names)
    limit = f", at most {schema['maxLength']:,} characters" if "maxLength" in schema else ""
    return text + limit


def _reference(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]
