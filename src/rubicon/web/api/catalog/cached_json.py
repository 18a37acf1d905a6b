"""JSON that is the same for everybody: made once, with an ETag, and compressed where possible."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Response

AnyRequest = Request[Any, Any, Any]

DAY = 86_400  # seconds
REVALIDATE = "public, no-cache"  # may be stored, and is asked for again with its ETag
FOR_A_DAY = f"public, max-age={DAY}"
FOR_EVER = f"public, max-age={365 * DAY}, immutable"
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
