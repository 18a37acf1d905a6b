"""A small server of files, for pages that need nothing of Rubicon's server."""

from __future__ import annotations

import mimetypes
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:"


@contextmanager
def static_site(
    files: Mapping[str, Path | str], *, policy: str = POLICY, tls: ssl.SSLContext | None = None
) -> Iterator[int]:
    """Serve files, or texts, by their paths (`/page.html`), to this machine; gives the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = files.get(self.path)
            body = content.read_bytes() if isinstance(content, Path) else (content or "").encode()
            kind = mimetypes.guess_type(self.path)[0] or "application/octet-stream"
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
