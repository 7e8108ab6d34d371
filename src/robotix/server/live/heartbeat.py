"""A second connection of a page, from a thread of its own, which only says that the page lives.

Drawing may keep the main thread of a page busy for longer than a silent device is trusted. As long
as the page's other thread is heard, what its devices said last counts as said again, for at most
`MAX_STALL` of `robotix.server.live.page_inputs`. If the network fails or the page is closed, both
threads fall silent, and whatever followed the devices stops at once.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

if TYPE_CHECKING:
    from robotix.server.live.service import RoomService

__all__ = ["handle_heartbeats"]

MAX_SILENCE = 10.0  # s without a message, after which the connection is closed
MAX_KEY_LENGTH = 100  # characters
POLICY_VIOLATION = 1008  # close code


async def handle_heartbeats(socket: WebSocket, service: RoomService) -> None:
    """Receive the key of a page, then one short message for every beat."""
    await socket.accept()
    try:
        key = await _receive(socket)
        while key and len(key) <= MAX_KEY_LENGTH:
            service.receive_heartbeat(key)
            await _receive(socket)
        await socket.close(POLICY_VIOLATION)
    except (WebSocketDisconnect, TimeoutError, RuntimeError):
        return  # the page is gone, or hangs


async def _receive(socket: WebSocket) -> str:
    message = await asyncio.wait_for(socket.receive(), MAX_SILENCE)
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    return str(message.get("text") or "")
