"""The WebSocket connection of a page: receives messages, sends messages and frames."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from robotix.errors import RobotixError
from robotix.server.live.hub import Client, encode
from robotix.server.live.viewing import relay_end, relay_view, watch_views
from robotix.server.wire import protocol as p
from robotix.server.wire import viewing

if TYPE_CHECKING:
    from robotix.server.live.hub import Role
    from robotix.server.live.service import RoomService

__all__ = ["MALFORMED", "NOT_LOGGED_IN", "TOO_SLOW", "WRONG_VERSION", "handle_connection"]

MALFORMED, NOT_LOGGED_IN, TOO_SLOW, WRONG_VERSION = 4400, 4401, 4408, 4409  # close codes
HELLO_TIMEOUT = 10.0  # s until the first message
CLOSE_TIMEOUT = 1.0  # s; then the connection is aborted
TURN = 16  # messages that a page may send or receive before it is the turn of the others
MAX_DISTANCE = 1e5  # m
MAX_REASON_BYTES = 120  # a close frame holds 123

_DECODER: msgspec.json.Decoder[p.ToServer] = msgspec.json.Decoder(p.ToServer)


class _CloseConnection(Exception):
    """Ends a connection with a close code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(code, reason)
        self.code, self.reason = code, reason


async def handle_connection(
    socket: WebSocket, service: RoomService, *, role_of: Callable[[str], Role | None]
) -> None:
    """Accept a connection, and exchange messages until it closes.

    `role_of` returns what the key in the first message allows; None if the key is wrong.
    """
    await socket.accept()
    client: Client | None = None
    try:
        client = await _accept_client(socket, service, role_of)
        async with asyncio.TaskGroup() as tasks:  # the first task that fails cancels the others
            tasks.create_task(_send_updates(socket, service, client))
            tasks.create_task(_close_on_overflow(client))
            await _receive_messages(socket, service, client)
    except* WebSocketDisconnect:
        pass
    except* _CloseConnection as refused:
        first = next(iter(_flatten(refused)))
        await _close(socket, first.code, first.reason)
    finally:
        if client is not None:
            service.remove_client(client)
            relay_end(service.hub, client)


def _flatten(group: BaseExceptionGroup[_CloseConnection]) -> list[_CloseConnection]:
    found: list[_CloseConnection] = []
    for each in group.exceptions:
        found += _flatten(each) if isinstance(each, BaseExceptionGroup) else [each]
    return found


async def _accept_client(
    socket: WebSocket, service: RoomService, role_of: Callable[[str], Role | None]
) -> Client:
    try:
        hello = await asyncio.wait_for(_receive(socket), HELLO_TIMEOUT)
    except TimeoutError:
        raise _CloseConnection(MALFORMED, "no hello message received") from None
    if not isinstance(hello, p.Hello):
        raise _CloseConnection(MALFORMED, "the first message must be hello")
    if hello.version != p.VERSION:
        what = f"the page has version {hello.version}, the server {p.VERSION}; reload the page"
        raise _CloseConnection(WRONG_VERSION, what)
    role = role_of(hello.key)
    if role is None:
        raise _CloseConnection(NOT_LOGGED_IN, "open the address that robotix printed last")
    client = service.add_client(hello.name, can_drive=role == "drive")
    await socket.send_text(encode(service.welcome(client)))
    client.is_welcomed = True
    client.wake.set()
    return client


async def _receive(socket: WebSocket) -> p.ToServer:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    text = message.get("text")
    if text is None:
        raise _CloseConnection(MALFORMED, "messages must be JSON texts, got binary data")
    try:
        return _DECODER.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise _CloseConnection(MALFORMED, str(error)) from None


# -- sending --------------------------------------------------------------------------------


async def _send_updates(socket: WebSocket, service: RoomService, client: Client) -> None:
    """Send updates whenever there are any and the page is ready for them."""
    while True:
        await client.wake.wait()
        client.wake.clear()
        for number, message in enumerate(client.outgoing(service.room, service.lease), 1):
            if number % TURN == 0:
                await asyncio.sleep(0)
            try:
                if isinstance(message, bytes):
                    await socket.send_bytes(message)
                else:
                    await socket.send_text(message)
            except RuntimeError:  # raised by uvicorn when the connection is closed already
                raise WebSocketDisconnect from None


async def _close_on_overflow(client: Client) -> None:
    await client.overflow.wait()
    raise _CloseConnection(TOO_SLOW, "too many unread messages; connect again")


def _abort(socket: WebSocket) -> Callable[[], None]:
    """Return a function that aborts the connection without a close handshake."""
    abort: Callable[[], None] = socket.scope.get("state", {}).get("abort", lambda: None)
    return abort


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    if socket.application_state is not WebSocketState.CONNECTED:
        return
    words = reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore")
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
        await asyncio.wait_for(socket.close(code, words), CLOSE_TIMEOUT)
        return
    _abort(socket)()


# -- receiving ------------------------------------------------------------------------------


async def _receive_messages(socket: WebSocket, service: RoomService, client: Client) -> None:
    for number in count(1):
        message = await _receive(socket)
        try:
            _handle_message(message, service, client)
        except (RobotixError, ValueError) as error:
            raise _CloseConnection(MALFORMED, str(error)) from None
        if number % TURN == 0:  # a message that is there already is received without a pause
            await asyncio.sleep(0)


def _handle_message(message: p.ToServer, service: RoomService, client: Client) -> None:
    match message:
        case p.DeviceData():
            service.receive_device_data(client, message.device, message.data)
        case p.TickShown():
            client.confirm(message.tick)
        case p.Ping():
            client.send(encode(p.Pong(message.sent)))
        case p.ConsoleLine():
            service.run_line(client, message.line, message.id)
        case p.WatchRobot():
            service.watch_robot(client, message.robot)
        case p.WatchPeople():
            service.watch_people(client, is_on=message.is_on)
        case p.WatchTouches():
            service.watch_touches(client, robots=message.robots, forces=message.forces)
        case viewing.WatchDevices():
            client.watch_devices(is_on=message.is_on)
            service.update_watches()
        case viewing.WatchViews():
            watch_views(service.hub, client, is_on=message.is_on)
        case viewing.PageView():
            relay_view(service.hub, client, message)
        case p.TrackingOrigin():
            check_tracking_origin(message)
            service.set_tracking_origin(client, message)
        case p.AskControl():
            if client.can_drive:
                service.lease.request(client.name, take=message.take)
            else:
                client.send(encode(p.Announced("this page may only watch", "control")))
        case p.GiveControl():
            service.lease.release(client.name)
        case p.Pace():
            service.set_pace(client, message.action, message.value)
        case p.PluginAnswer():
            service.questions.receive(client, message)
        case p.Hello():
            raise ValueError("hello may be sent only once")


def check_tracking_origin(origin: p.TrackingOrigin) -> None:
    """Raise ValueError unless position and quaternion are finite and plausible."""
    if not max(map(abs, origin.position)) <= MAX_DISTANCE:
        raise ValueError(f"position must be within {MAX_DISTANCE:g} m")
    if not 1e-3 < math.hypot(*origin.quaternion) < 1e3:
        raise ValueError("quaternion must not be zero")
