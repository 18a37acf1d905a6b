"""The API for people: every route, what it does and what it takes, from the schema for programs."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from litestar import Request, get
from litestar.response import Response

from rubicon.web.paper import SECURE, paper

SCHEMA = "/api/v1/schema/openapi.json"
WORDS = {"null": "nothing", "integer": "number", "string": "text", "boolean": "true or false"}
Schema = dict[str, Any]


@get("/api/v1", include_in_schema=False, sync_to_thread=True)
def described(request: Request[Any, Any, Any]) -> Response[str]:
    """The page."""
    page = api_page(request.app.openapi_schema.to_schema())
    return Response(page, media_type="text/html", headers=SECURE)


def api_page(schema: Schema) -> str:
    """The page as HTML, from an OpenAPI schema."""
    by_tag: dict[str, list[str]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            for tag in operation.get("tags", ["other"])[:1]:
                by_tag.setdefault(tag, []).append(_operation(path, method, operation, schema))
    sections = "".join(
        f"<section><h2>{escape(tag.capitalize())}</h2>{''.join(rows)}</section>"
        for tag, rows in sorted(by_tag.items())
    )
    return paper(
        "Rubicon: the API",
        f"""<header><h1>The API</h1>
<p>{escape(schema["info"]["description"])}</p></header>
<p>A guest's token comes from <code>POST /api/v1/guest</code> and is sent as
<code>Authorization: Bearer …</code>. <code>GET /api/v1/events?games=ID</code> is the live stream.
For programs: <a href="{SCHEMA}">the schema</a>. Back to <a href="/">the tables</a>.</p>
{sections}""",
    )


def _operation(path: str, method: str, operation: Schema, schema: Schema) -> str:
    summary = escape(operation.get("summary", ""))
    meaning = operation.get("description", "")
    said = f"<p>{escape(meaning)}</p>" if meaning else ""
    rows = "".join(
        f"<tr><th><code>{escape(name)}</code></th><td>{escape(kind)}</td></tr>"
        for name, kind in (*_parameters(operation), *_form(operation, schema))
    )
    table = f"<table>{rows}</table>" if rows else ""
    return (
        f"<details><summary><b>{escape(method.upper())}</b> <code>{escape(path)}</code> "
        f"<span>{summary}</span></summary>{said}{table}</details>"
    )


def _parameters(operation: Schema) -> Iterator[tuple[str, str]]:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] != "header" and parameter["in"] != "cookie":
            kind = _kind(parameter.get("schema", {}))
            yield parameter["name"], f"{kind}, in the {parameter['in']}"


def _form(operation: Schema, schema: Schema) -> Iterator[tuple[str, str]]:
    content = operation.get("requestBody", {}).get("content", {})
    form = content.get("application/json", {}).get("schema", {})
    found = schema.get("components", {}).get("schemas", {}).get(_name(form), form)
    required = found.get("required", ())
    for name, part in found.get("properties", {}).items():
        yield name, _kind(part) + ("" if name in required else ", optional")


def _kind(schema: Schema) -> str:
    """The kind of a value, in a word or two."""
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(_kind(one) for one in schema[choice]))
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kind = schema.get("type") or _name(schema) or "anything"
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    names = [kind] if isinstance(kind, str) else kind
    said = " or ".join(WORDS.get(one, one) for one in names)
    return said + (f", at most {schema['maxLength']:,} long" if "maxLength" in schema else "")


def _name(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]
