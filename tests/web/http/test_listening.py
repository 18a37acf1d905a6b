"""The socket on which a server listens."""

from __future__ import annotations

import asyncio
import socket

from rubicon.web.http.connections import listen


def test_an_answer_is_sent_at_once() -> None:
    async def accepted() -> int:
        connected: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def look(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection: socket.socket = writer.get_extra_info("socket")
            connected.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = listen("127.0.0.1", 0)
        async with await asyncio.start_server(look, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            try:
                return await connected
            finally:
                writer.close()

    assert asyncio.run(accepted())
