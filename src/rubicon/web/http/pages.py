"""The HTML pages that the server renders: the index of the API, and the pages that e-mails
link to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Controller, Request, get, post
from litestar.datastructures import Cookie
from litestar.response import Response

from rubicon.errors import RubiconError
from rubicon.web.http import auth

# HTML pages, rendered from the templates of this package with autoescaping.

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none';"
    " form-action {form_action}; frame-ancestors 'none'"
)
# Undefined names are errors: a template that was misspelt would leave out its text in silence.
_TEMPLATES = Environment(
    loader=PackageLoader("rubicon.web"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def render(template: str, **context: object) -> str:
    """The text of a page."""
    return _TEMPLATES.get_template(template).render(context)


def html_page(template: str, **context: object) -> Response[str]:
    """A public page. Its policy allows no script, no form and nothing from other sites."""
    page = render(template, **context)
    headers = {"Content-Security-Policy": POLICY.format(form_action="'none'")}
    return Response(page, media_type="text/html", headers=headers)


def private_page(
    template: str, *, status: int = 200, cookie: Cookie | None = None, **context: object
) -> Response[str]:
    """A page with a form, for one person: no cache may store it."""
    page = render(template, **context)
    policy = POLICY.format(form_action="'self'")
    return Response(
        page,
        status_code=status,
        media_type="text/html",
        headers={"Content-Security-Policy": policy, "Cache-Control": "no-store"},
        cookies=[cookie] if cookie is not None else [],
    )


# The API as an HTML page: every route with its parameters, from the OpenAPI document.

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


# The pages that e-mails link to.
#
# GET changes nothing, because mail scanners open every link; each page has a button for that.


class LinkPagesController(Controller):
    """Sign in by a one-time link; unsubscribe from e-mails."""

    path = "/"
    include_in_schema = False

    @get("/sign-in/{token:str}")
    async def show_sign_in(
        self, token: auth.PathText, me: auth.CurrentAccount, server: auth.CurrentServer
    ) -> Response[str]:
        """Shows which account the link signs in to."""
        # Mail scanners and previews open links as well: only the button uses one.
        try:
            link = await asyncio.to_thread(server.magic_links.inspect, token)
        except RubiconError as error:
            return _error_page(error)
        other = me if me is not None and me.id not in (link.account.id, link.requested_by) else None
        return private_page("sign_in.html", link=link, current=other)

    @post("/sign-in/{token:str}", status_code=200)
    async def sign_in(
        self, token: auth.PathText, server: auth.CurrentServer, request: Request[Any, Any, Any]
    ) -> Response[str]:
        """Uses the link and sets the cookie; accepted from this very page only."""
        auth.require_same_site(request)
        try:
            issued = await asyncio.wrap_future(server.magic_links.use(token))
        except RubiconError as error:
            return _error_page(error)
        message = f"You are signed in as {issued.account.name}."
        return private_page(
            "message.html", message=message, cookie=auth.token_cookie(request, issued.token)
        )

    @get("/unsubscribe/{account:str}/{signature:str}")
    async def show_unsubscribe(
        self, account: auth.PathText, signature: auth.PathText, server: auth.CurrentServer
    ) -> Response[str]:
        """Asks for confirmation."""
        try:
            await asyncio.to_thread(server.unsubscribe_links.check, account, signature)
        except RubiconError as error:
            return _error_page(error)
        return private_page("unsubscribe.html")

    @post("/unsubscribe/{account:str}/{signature:str}", status_code=200)
    async def unsubscribe(
        self, account: auth.PathText, signature: auth.PathText, server: auth.CurrentServer
    ) -> Response[str]:
        """Turns e-mails off: for the button, and for the one-click button of mail programs."""
        try:
            await asyncio.wrap_future(server.unsubscribe_links.unsubscribe(account, signature))
        except RubiconError as error:
            return _error_page(error)
        message = "You will no longer get e-mails about your games. You keep your seats."
        return private_page("message.html", message=message)


def _error_page(error: RubiconError) -> Response[str]:
    message = f"{error.message} {error.suggestion}".strip()
    return private_page("message.html", status=error.status, message=message)
