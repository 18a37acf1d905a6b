"""What is the same for everyone: the files of the web app, and JSON that is encoded once."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, get
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath
from litestar.response import Response

from rubicon.web.http.errors import AnyRequest
from rubicon.web.http.pages import html_page

# The files of the web app, as `frontend/build.py` builds them into this package.

FOLDER = Path(__file__).parents[1] / "app_files"
PAGE = "index.html"
GAME_PAGE = "game.html"  # names at once what a game loads, and has the outline of its screen
HASHED = "assets/"  # the names of these files have a hash of their content
FOR_EVER = "public, max-age=31536000, immutable"
EACH_TIME = "no-cache"  # stored, but asked for again with its ETag
# A mark of routes that compress what they keep, so that it is not done for each request.
COMPRESSED_ONCE = "compressed_once"
COMPRESSED_FROM = 1_000  # bytes; fonts and pictures are compressed already
TEXTS = {".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt"}
TYPES = {".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# The app's own addresses: each is answered with its page, which shows what the address names.
ADDRESSES = [
    "/",
    "/new",
    "/watch",
    "/odds",
    "/fair-dice",
    "/rules",
    "/rules/{name:str}",
    "/account",
    "/admin",
    "/players/{player:str}",
    "/pass",
    "/pass/{game:str}",
    "/tables/{game:str}",
    "/games/{game:str}",
    "/games/{game:str}/{view:str}",
]


@dataclass(frozen=True, slots=True)
class AppFile:
    """A file as it is sent."""

    content: bytes
    compressed: bytes | None
    media_type: str
    headers: dict[str, str]


@cache
def app_files() -> dict[str, AppFile]:
    """The files by their path below the address of the server; none where the app is not built."""
    # Read once, by name: no request can name a path outside of the folder.
    found = (path for path in sorted(FOLDER.rglob("*")) if path.is_file())
    return {path.relative_to(FOLDER).as_posix(): _read(path) for path in found}


def _read(path: Path) -> AppFile:
    name, content = path.relative_to(FOLDER).as_posix(), path.read_bytes()
    worth = path.suffix in TEXTS and len(content) >= COMPRESSED_FROM
    headers = {
        "Cache-Control": FOR_EVER if name.startswith(HASHED) else EACH_TIME,
        "ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"',
        "Vary": "Accept-Encoding",
    }
    if path.suffix == ".html":
        headers["Content-Security-Policy"] = POLICY
    return AppFile(
        content,
        # Without a time, equal contents have equal bytes on all servers.
        gzip.compress(content, 9, mtime=0) if worth else None,
        TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream",
        headers,
    )


@get(ADDRESSES, include_in_schema=False, opt={COMPRESSED_ONCE: True})
async def app_page(request: Request[Any, Any, Any]) -> Response[Any]:
    """The page of the app; a page that says how to build it, where it is not built."""
    if PAGE not in app_files():
        return html_page("not_built.html")
    of_a_game = "game" in request.path_params and request.url.path.startswith("/games/")
    whole = of_a_game and "view" not in request.path_params and GAME_PAGE in app_files()
    return _send(request, app_files()[GAME_PAGE if whole else PAGE])


@get(
    ["/assets/{name:str}", "/{name:str}"],
    include_in_schema=False,
    opt={COMPRESSED_ONCE: True},
)
async def app_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[Any]:
    """A script, style, font or picture of the app."""
    path = request.url.path.lstrip("/")
    file = app_files().get(path)
    if file is None or path in (PAGE, GAME_PAGE) or not path.endswith(name):
        raise NotFoundException
    return _send(request, file)


def _send(request: Request[Any, Any, Any], file: AppFile) -> Response[Any]:
    if request.headers.get("if-none-match") == file.headers["ETag"]:
        return Response(None, status_code=304, headers=file.headers)
    if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers = file.headers | {"Content-Encoding": "gzip"}
        return Response(file.compressed, media_type=file.media_type, headers=headers)
    return Response(file.content, media_type=file.media_type, headers=file.headers)


# JSON that is the same for everyone: made once, with an ETag, and compressed where possible.


DAY = 86_400  # seconds
REVALIDATE = "public, no-cache"  # may be stored, and is asked for again with its ETag
FOR_A_DAY = f"public, max-age={DAY}"
KEPT_FOR_EVER = f"public, max-age={365 * DAY}, immutable"
DIGEST = 32  # hexadecimal digits of the SHA-256 of the content
NOT_MODIFIED = {304: ResponseSpec(None, description="You have it: its ETag is still the same.")}


@dataclass(frozen=True, slots=True)
class CachedJson:
    """An encoded body, the same compressed, and the digest of its content."""

    body: bytes
    compressed: bytes
    digest: str

    @classmethod
    def of(cls, content: object) -> CachedJson:
        """The JSON of some content; equal contents have equal digests."""
        body = msgspec.json.encode(content)
        digest = hashlib.sha256(body).hexdigest()[:DIGEST]
        return cls(body, gzip.compress(body, mtime=0), digest)

    def response(self, request: AnyRequest, cache_control: str) -> Response[Any]:
        """The body, or 304 for a client that has it."""
        # Weak, since the compressed body has the same tag.
        tag = f'W/"{self.digest}"'
        headers = {"ETag": tag, "Cache-Control": cache_control, "Vary": "Accept-Encoding"}
        known = request.headers.get("if-none-match", "")
        if tag.removeprefix("W/") in {part.strip().removeprefix("W/") for part in known.split(",")}:
            return Response(None, status_code=304, headers=headers)
        content = self.body
        if "gzip" in request.headers.get("accept-encoding", ""):
            content = self.compressed
            headers["Content-Encoding"] = "gzip"
        return Response(content, media_type="application/json", headers=headers)
