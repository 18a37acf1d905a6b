"""The page of a server that gets ready counts down, and becomes the board by itself."""

import threading
from http.server import BaseHTTPRequestHandler

from playwright.sync_api import Page, expect

from rubicon.web.http.connections import listen, url_of
from rubicon.web.http.starting_page import StartingServer, starting_page
from tests.browser.faults import Faults


class Board(BaseHTTPRequestHandler):
    """What the server itself would answer."""

    def do_GET(self) -> None:
        """The board."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>Board</title><link rel=icon href=data:,><h1>The board</h1>")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def test_the_page_becomes_the_board(page: Page, faults: Faults) -> None:
    faults.expect("503")
    left = [20.0]
    with listen("127.0.0.1", 0) as listening:
        with starting_page(listening, lambda: left[0]):
            page.goto(url_of(listening))
            status = page.get_by_role("status")
            expect(status).to_have_text("The board is ready in 20 s.")
            left[0] = 3.0
            expect(status).to_have_text("The board is ready in 3 s.")
        board = StartingServer(listening, lambda: 0.0)
        board.RequestHandlerClass = Board
        threading.Thread(target=board.serve_forever, args=(0.1,), daemon=True).start()
        expect(page.get_by_role("heading")).to_have_text("The board")
        board.shutdown()
        board.server_close()
