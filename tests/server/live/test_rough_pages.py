"""Whatever pages send, or fail to read, the room goes on."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import string
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from starlette.websockets import WebSocket
from support.served_room import Frame, Page, ServedRoom, served
from websockets.exceptions import ConnectionClosed

import robotix as rx
from robotix.scene.scene import Scene
from robotix.server.live.connection import MALFORMED, TOO_SLOW, WRONG_VERSION, handle_connection
from robotix.server.live.hub import (
    MAX_FRAMES_AHEAD,
    MAX_QUEUED_CHARACTERS,
    MAX_QUEUED_MESSAGES,
    STALLED_FRAME_INTERVAL,
    Client,
    ControlLease,
    Hub,
)
from robotix.server.live.room_state import RoomState
from robotix.server.live.service import RoomService
from robotix.server.wire.protocol import VERSION, Announced


@pytest.fixture(scope="module")
def room() -> Iterator[ServedRoom]:
    scene = Scene()
    scene.add_robot("arm", rx.load("planar_3r"))
    with served(scene) as room:
        yield room


BAD = [
    ("[]", "Expected `object`"),
    ("{", "truncated"),
    ("nonsense", "malformed"),
    ('{"kind": "nothing"}', "Invalid value 'nothing'"),
    ('{"kind": "command", "id": "x", "line": ""}', "Expected `int`"),
    ('{"kind": "command", "id": 1, "line": "stop", "more": 1}', "unknown field `more`"),
    ('{"kind": "watch", "robot": null}', "Expected `str`"),
    ('{"kind": "ping", "sent": NaN}', "malformed"),
    ('{"kind": "hello", "version": 1}', "only once"),
    ('{"kind": "device", "device": "toaster", "data": {}}', "no device 'toaster'"),
    ('{"kind": "device", "device": "keyboard", "data": {"type": "sing"}}', "type must be down"),
    ('{"kind": "device", "device": "gamepad", "data": {"axes": "left"}}', "list of numbers"),
    (
        '{"kind": "look", "position": [1e9, 0, 0], "quaternion": [0, 0, 0, 1]}',
        "position must be within",
    ),
    ('{"kind": "look", "position": [0, 0, 0], "quaternion": [0, 0, 0, 0]}', "must not be zero"),
    ('{"kind": "look", "position": [0, 0], "quaternion": [0, 0, 0, 0]}', "length 3"),
    ('{"kind": "pace", "action": "dance"}', "action must be pause"),
    ('{"kind": "pace", "action": "speed", "value": 99}', "speed is 0.1"),
    (b"\0\1\2", "binary"),
]


@pytest.mark.parametrize("text, words", BAD, ids=str)
def test_a_malformed_message_ends_the_connection_with_a_reason(
    room: ServedRoom, text: str | bytes, words: str
) -> None:
    with room.page() as page:
        page.take_control(by_force=True)
        page.socket.send(text)
        code, reason = page.closed()
        assert code == MALFORMED and words in reason


def test_the_first_message_must_be_hello(room: ServedRoom) -> None:
    with room.socket() as socket:
        page = Page(socket)
        page.send("ping", sent=1.0)
        assert page.closed() == (MALFORMED, "the first message must be hello")


def test_another_version_is_told_to_reload(room: ServedRoom) -> None:
    with room.socket() as socket:
        page = Page(socket)
        page.send("hello", version=VERSION + 1)
        code, reason = page.closed()
        assert code == WRONG_VERSION and "reload the page" in reason


def random_value(rng: random.Random, depth: int = 3) -> Any:
    kind = rng.randrange(9 if depth else 6)
    match kind:
        case 0:
            return rng.choice([None, True, False, -1, 0, 10**30, 1e308, -1e-308])
        case 1:
            return "".join(
                rng.choices(string.printable + "äß\u0000\U0001f600", k=rng.randrange(30))
            )
        case 2:
            return rng.uniform(-1e3, 1e3)
        case 3 | 4 | 5:
            return rng.choice(["kind", "keyboard", "cursor", "left_controller", "stop", "state"])
        case 6 | 7:
            return [random_value(rng, depth - 1) for _ in range(rng.randrange(5))]
    return random_object(rng, depth - 1)


def random_object(rng: random.Random, depth: int = 3) -> dict[str, Any]:
    names = ["kind", "device", "data", "id", "line", "position", "quaternion", "type", "down"]
    return {rng.choice(names): random_value(rng, depth) for _ in range(rng.randrange(5))}


def random_message(rng: random.Random) -> str | bytes:
    match rng.randrange(4):
        case 0:
            return rng.randbytes(rng.randrange(200))
        case 1:
            return "".join(chr(rng.randrange(1, 0x2000)) for _ in range(rng.randrange(100)))
        case 2:
            return json.dumps(random_value(rng))
    kinds = ["device", "command", "look", "pace", "watch", "moved", "ping", "ask_control", "hello"]
    base = {"kind": rng.choice(kinds), **random_object(rng)}
    if base["kind"] == "device":
        base |= {"device": rng.choice(["keyboard", "cursor", "gamepad", "space_mouse", "headset"])}
        base["data"] = random_object(rng)
    return json.dumps(base)


def test_six_hundred_random_messages_do_no_harm(room: ServedRoom) -> None:
    rng = random.Random(4)
    with room.page("witness") as witness:
        sent = 0
        while sent < 600:
            with room.page("madman") as page:
                page.take_control(by_force=True)
                try:
                    for _ in range(20):
                        page.socket.send(random_message(rng))
                        sent += 1
                except ConnectionClosed as end:
                    assert end.rcvd is None or end.rcvd.code in (MALFORMED, 1000, 1007)
        witness.take_control(by_force=True)
        tick = room.scene.tick
        assert witness.command("printvar")["ok"]
        assert room.scene.tick > tick


def test_a_huge_message_is_refused(room: ServedRoom) -> None:
    with room.page() as page:
        with pytest.raises(ConnectionClosed) as end:
            page.socket.send('"' + "x" * (1 << 21) + '"')
            while True:
                page.read()
        # The reset of a connection whose data nobody read may overtake the close frame.
        assert end.value.rcvd is None or end.value.rcvd.code == 1009
    with room.page("another") as page:
        assert page.name in room.service.hub.clients


# -- pages that do not read -----------------------------------------------------------------


def test_a_page_that_does_not_read_costs_nobody_anything(room: ServedRoom) -> None:
    with room.socket() as raw, room.page("reader") as reader:
        stalled = Page(raw)
        stalled.send("hello", version=VERSION, name="stalled", key=room.key)
        stalled.name = stalled.until("welcome")["client"]
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client = room.service.hub.clients[stalled.name]
        reader.take_control(by_force=True)
        tick = room.scene.tick
        for _ in range(40):  # it reads nothing of all this
            reader.command("step (1, 1, 1)")
        assert len(client._queue) < MAX_QUEUED_MESSAGES
        assert reader.next_frame().tick > tick


def test_a_page_with_too_much_unread_is_given_up_and_told(room: ServedRoom) -> None:
    with room.page("slow") as page:
        client = room.service.hub.clients[page.name]
        server = room.service._server
        assert server is not None

        def flood() -> None:
            for _ in range(MAX_QUEUED_MESSAGES + 1):
                client.send('{"kind":"said","text":"x","problem":""}')

        server.call_soon_threadsafe(flood)
        code, reason = page.closed()
        assert (code, reason) == (TOO_SLOW, "too many unread messages; connect again")
        with room.page("slow") as again:
            again.until("room")


def test_a_queue_is_bounded() -> None:
    client = Client("slow")
    for _ in range(MAX_QUEUED_MESSAGES):
        client.send("word")
    assert not client.overflow.is_set()
    client.send("one more")
    assert client.overflow.is_set()
    assert len(client._queue) == 0  # and nothing is kept
    client.send("later")
    assert len(client._queue) == 0
    long = Client("long")
    long.send("x" * (MAX_QUEUED_CHARACTERS + 1))
    assert long.overflow.is_set()


def test_words_are_encoded_once_for_all() -> None:
    hub = Hub(RoomState(), ControlLease())
    clients = [hub.add("page") for _ in range(3)]
    hub.send_all(Announced("hello"))
    texts = [next(client.outgoing(hub.room, hub.lease)) for client in clients]
    assert texts[0] is texts[1] is texts[2]


def test_names_are_unique_and_printable() -> None:
    hub = Hub(RoomState(), ControlLease())
    names = {hub.add(wish).name for wish in ("", "", "phone", "phone", "a\nb\x00", "x" * 500)}
    assert len(names) == 6 and all(name.isprintable() and len(name) < 50 for name in names)


def test_a_slow_page_gets_the_newest_not_the_oldest(room: ServedRoom) -> None:
    """It says what it has drawn; while it does not, it gets no more than a few frames."""
    with room.page("slow") as page, room.page("driver") as driver:
        driver.take_control(by_force=True)
        driver.command("set_step 400")
        driver.command("move (20, 40, 60)")
        page.until("room")
        page.send("moved", tick=page.next_frame().tick)
        start = room.scene.tick
        while room.scene.tick < start + 240:  # it reads nothing of all this
            driver.next_frame()
        old = 0
        while (frame := page.next_frame()).tick < start + 240:
            old += 1
            page.send("moved", tick=frame.tick)
        assert old <= 20  # of the hundred that there were


def test_frames_wait_for_a_page_that_draws_slowly() -> None:
    now, room, lease = [0.0], RoomState(), ControlLease()
    client = Client("slow", clock=lambda: now[0])
    client.is_welcomed, room.structure = True, 0
    client._lease = lease.version
    client.confirm(0)
    sent: list[int] = []
    for tick in range(1, 200):
        now[0] += 1 / 60
        world = np.zeros((3, 13))
        world[:, [0, 4, 8, 12]] = 1.0
        world[:, 9] = tick
        room.frames.update(world, structure=0, tick=tick, time=tick / 60)
        frames = [Frame.decode(m) for m in client.outgoing(room, lease) if isinstance(m, bytes)]
        sent += [frame.tick for frame in frames]
    assert sent[:MAX_FRAMES_AHEAD] == list(range(1, MAX_FRAMES_AHEAD + 1))
    assert MAX_FRAMES_AHEAD < len(sent) <= MAX_FRAMES_AHEAD + 199 / 60 / STALLED_FRAME_INTERVAL + 1
    client.confirm(sent[-1])
    (frame,) = (Frame.decode(m) for m in client.outgoing(room, lease) if isinstance(m, bytes))
    assert frame.tick == 199 and len(frame.places) == 3


def test_a_connection_that_was_closed_meanwhile_is_no_fault() -> None:
    """A page that does not answer is closed by uvicorn, which then refuses what is sent."""
    hello = json.dumps({"kind": "hello", "version": VERSION, "name": "gone"})
    coming = iter([{"type": "websocket.connect"}, {"type": "websocket.receive", "text": hello}])
    service = RoomService()

    async def receive() -> Any:
        return next(coming, None) or await asyncio.Event().wait()

    async def send(message: Any) -> None:
        if '"lease"' in message.get("text", ""):
            raise RuntimeError("Unexpected ASGI message 'websocket.send'")

    async def visit() -> None:
        page = WebSocket({"type": "websocket", "headers": []}, receive, send)
        await asyncio.wait_for(handle_connection(page, service, role_of=lambda key: "drive"), 10)

    asyncio.run(visit())
    assert not service.hub.clients
