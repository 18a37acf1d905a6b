"""HTML pages, rendered from the templates of this package with autoescaping."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar.datastructures import Cookie
from litestar.response import Response

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none';"
    " form-action {form_action}; frame-ancestors 'none'"
)
_TEMPLATES = Environment(
    loader=PackageLoader("rubicon.web"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def html_page(template: str, **context: object) -> Response[str]:
    """A public page. Its policy allows no script, no form and nothing from other sites."""
    page = _TEMPLATES.get_template(template).render(context)
    headers = {"Content-Security-Policy": POLICY.format(form_action="'none'")}
    return Response(page, media_type="text/html", headers=headers)


def private_page(
    template: str, *, status: int = 200, cookie: Cookie | None = None, **context: object
) -> Response[str]:
    """A page with a form, for one person: no cache may store it."""
    page = _TEMPLATES.get_template(template).render(context)
    policy = POLICY.format(form_action="'self'")
    return Response(
        page,
        status_code=status,
        media_type="text/html",
        headers={"Content-Security-Policy": policy, "Cache-Control": "no-store"},
        cookies=[cookie] if cookie is not None else [],
    )
