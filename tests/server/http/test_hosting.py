"""What pages notice of the sockets."""

from __future__ import annotations

import asyncio
import socket

from robotix.server.http.hosting import LOOPBACK_ADDRESS, open_socket


def test_small_messages_are_sent_at_once() -> None:
    """Without TCP_NODELAY a frame would wait up to 40 ms for the page's acknowledgement."""
    found: list[int] = []

    async def visit() -> None:
        came = asyncio.Event()

        async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            ours = writer.get_extra_info("socket")
            found.append(ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()
            came.set()

        door = open_socket(LOOPBACK_ADDRESS, 0)
        async with await asyncio.start_server(meet, sock=door):
            _, writer = await asyncio.open_connection(*door.getsockname())
            await asyncio.wait_for(came.wait(), 30)
            writer.close()

    asyncio.run(visit())
    assert found and found[0]
