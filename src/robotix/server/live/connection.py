"""The socket of a page: messages in, messages and frames out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from robotix.errors import RobotixError
from robotix.server.live.hub import Client, encode
from robotix.server.wire import protocol as p

if TYPE_CHECKING:
    from robotix.server.live.service import RoomService

__all__ = ["MALFORMED", "TOO_SLOW", "WRONG_VERSION", "serve_page"]

MALFORMED, TOO_SLOW, WRONG_VERSION = 4400, 4408, 4409  # codes with which sockets are closed
FIRST_MESSAGE = 10.0  # s that a page may take to say hello
FAREWELL = 1.0  # s to send the reason; who does not read is cut off
LONGEST_REASON = 120  # bytes, a little less than a close frame holds

_DECODER: msgspec.json.Decoder[p.ToServer] = msgspec.json.Decoder(p.ToServer)


class _Refused(Exception):
    """The page said something that makes no sense: a code and words."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(code, reason)
        self.code, self.reason = code, reason


async def serve_page(socket: WebSocket, service: RoomService) -> None:
    """Talk with a page until it leaves."""
    await socket.accept()
    client: Client | None = None
    try:
        client = await _greet(socket, service)
        async with asyncio.TaskGroup() as tasks:  # the first that ends, ends all
            tasks.create_task(_talk(socket, service, client))
            tasks.create_task(_give_up(client))
            await _listen(socket, service, client)
    except* WebSocketDisconnect:
        pass
    except* _Refused as refused:
        first = next(iter(_leaves(refused)))
        await _close(socket, first.code, first.reason)
    finally:
        if client is not None:
            service.remove_client(client)


def _leaves(group: BaseExceptionGroup[_Refused]) -> list[_Refused]:
    found: list[_Refused] = []
    for each in group.exceptions:
        found += _leaves(each) if isinstance(each, BaseExceptionGroup) else [each]
    return found


async def _greet(socket: WebSocket, service: RoomService) -> Client:
    try:
        hello = await asyncio.wait_for(_receive(socket), FIRST_MESSAGE)
    except TimeoutError:
        raise _Refused(MALFORMED, "the first message, hello, did not come") from None
    if not isinstance(hello, p.Hello):
        raise _Refused(MALFORMED, "the first message must be hello")
    if hello.version != p.VERSION:
        what = f"this page speaks version {hello.version}, the room {p.VERSION}; reload the page"
        raise _Refused(WRONG_VERSION, what)
    client = service.add_client(hello.name)
    await socket.send_text(encode(service.welcome(client)))
    client.is_greeted = True
    client.wake.set()
    return client


async def _receive(socket: WebSocket) -> p.ToServer:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    text = message.get("text")
    if text is None:
        raise _Refused(MALFORMED, "messages are JSON texts, and this is binary")
    try:
        return _DECODER.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise _Refused(MALFORMED, str(error)) from None


# -- out ------------------------------------------------------------------------------------


async def _talk(socket: WebSocket, service: RoomService, client: Client) -> None:
    """Send what is new, whenever there is something and the page is ready for it."""
    while True:
        await client.wake.wait()
        client.wake.clear()
        for message in client.outgoing(service.room, service.lease):
            try:
                if isinstance(message, bytes):
                    await socket.send_bytes(message)
                else:
                    await socket.send_text(message)
            except RuntimeError:  # so uvicorn says that it has closed the connection meanwhile
                raise WebSocketDisconnect from None


async def _give_up(client: Client) -> None:
    await client.overflow.wait()
    raise _Refused(TOO_SLOW, "too slow; connect again")


def _abort(socket: WebSocket) -> Callable[[], None]:
    """Return what cuts the connection, for a page that does not even read the reason."""
    abort: Callable[[], None] = socket.scope.get("state", {}).get("abort", lambda: None)
    return abort


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    if socket.application_state is not WebSocketState.CONNECTED:
        return
    words = reason.encode()[:LONGEST_REASON].decode(errors="ignore")
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
        await asyncio.wait_for(socket.close(code, words), FAREWELL)
        return
    _abort(socket)()


# -- in -------------------------------------------------------------------------------------


async def _listen(socket: WebSocket, service: RoomService, client: Client) -> None:
    while True:
        message = await _receive(socket)
        try:
            _hear(message, service, client)
        except (RobotixError, ValueError) as error:
            raise _Refused(MALFORMED, str(error)) from None


def _hear(message: p.ToServer, service: RoomService, client: Client) -> None:
    match message:
        case p.DeviceData():
            service.feed(client, message.device, message.data)
        case p.TickShown():
            client.confirm(message.tick)
        case p.Ping():
            client.tell(encode(p.Pong(message.sent)))
        case p.ConsoleLine():
            service.run_line(client, message.line, message.id)
        case p.WatchRobot():
            service.watch(client, message.robot)
        case p.WatchPeople():
            service.watch_people(client, is_on=message.is_on)
        case p.TrackingOrigin():
            service.place_room(client, message)
        case p.AskControl():
            service.lease.ask(client.name, take=message.take)
        case p.GiveControl():
            service.lease.give(client.name)
        case p.Pace():
            service.set_pace(client, message.action, message.value)
        case p.Hello():
            raise ValueError("hello is said once")
