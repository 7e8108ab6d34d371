"""The room as a service: joins the loop, which lives in one thread, with the pages in another.

It can be served before there is a room: pages then wait for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robotix.server.live.hub import Client, Hub, encode
from robotix.server.live.lease import LeaseBook
from robotix.server.live.mesh_data import DataStore
from robotix.server.live.room_feed import RoomFeed, every
from robotix.server.live.room_state import RoomState
from robotix.server.live.snapshots import Snapshots
from robotix.server.live.sounds import Sounds
from robotix.server.wire.protocol import (
    VERSION,
    Answer,
    Health,
    SoundChanged,
    TrackingOrigin,
    Welcome,
)
from robotix.server.wire.qr_code import qr_image

if TYPE_CHECKING:
    from robotix.devices import Controls
    from robotix.scene.loop import Consumer, InputSource, Loop
    from robotix.scene.scene import Scene
    from robotix.server.live.observer import Observer
    from robotix.server.live.page_inputs import PageInputs
    from robotix.server.live.snapshot import SceneSnapshot

__all__ = ["RoomService"]

HEALTH_EVERY = 0.5  # s
PICTURES = "pictures"  # the folder for them, in that of the scene
LOADING = "the room is still being loaded"
ANYBODY = frozenset({"stop"})  # commands of everybody: whoever sees danger may stop it
FARTHEST = 1e5  # m


class RoomService:
    """What pages and programs can do with a room.

    `open`, `attach`, `source` and `on_tick` are for the thread of the loop, all else for that of
    the server.
    """

    def __init__(self, *, name: str = "", lan: str = "") -> None:
        """Begin without a room; `lan` is the address for other machines."""
        self.name = name
        self.run = secrets.token_hex(4)  # another one after every start
        self.lan = lan
        self.recording = ""
        self.room = RoomState()
        self.lease = LeaseBook(self._lease_changed)
        self.hub = Hub(self.room, self.lease)
        self.store = DataStore()
        self.snapshots = Snapshots(self.hub)
        self.sounds = Sounds()
        self.scene: Scene | None = None
        self._inputs: PageInputs | None = None
        self._observer: Observer | None = None
        self._loop: Loop | None = None
        self._pictures = Path(PICTURES)
        self._first: SceneSnapshot | None = None
        self._feed: RoomFeed | None = None
        self._server: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._before = (0, 0.0)  # ticks and time of the last report
        self._is_shown = threading.Event()  # pages can see the room

    # -- for the loop's thread --------------------------------------------------------------

    def open(self, scene: Scene, controls: Controls) -> None:
        """Show a room, and let pages drive it by these devices and their own."""
        from robotix.scene.graph.node import Sound
        from robotix.server.live.key_hints import key_hints
        from robotix.server.live.observer import Observer
        from robotix.server.live.page_inputs import PageInputs

        inputs = PageInputs(controls)
        inputs.listen(scene)
        beside = scene.source.parent if scene.source is not None else Path()
        self.sounds.folder, self._pictures = beside, (scene.folder or beside) / PICTURES
        for node in scene.graph:
            if isinstance(sound := node.content, Sound):
                told = SoundChanged(sound.uri, node.name, True, sound.loop, sound.volume)
                self.sounds.take(told)
        self.room.keys = key_hints(scene.rules)
        self.scene, self._inputs = scene, inputs
        self._observer = Observer(self._deliver, is_private=inputs.is_answer)
        self._first = self._observer.look(scene)
        self._call(self._show_room)

    def wait_until_shown(self, seconds: float) -> bool:
        """Wait until pages can see the room, but not for ever; tell whether they can."""
        return self._is_shown.wait(seconds)

    def attach(self, loop: Loop) -> None:
        """Let pages pace a loop, and see how it is doing."""
        self._loop = loop

    @property
    def source(self) -> InputSource:
        """What the loop asks for inputs."""
        assert self._inputs is not None, "open a room first"
        return self._inputs.read

    @property
    def on_tick(self) -> tuple[Consumer, ...]:
        """What the loop calls after every tick."""
        assert self._inputs is not None and self._observer is not None, "open a room first"
        return self._inputs, self._observer

    @property
    def on_still(self) -> tuple[Consumer, ...]:
        """What the loop calls while the room stands still."""
        assert self._inputs is not None and self._observer is not None, "open a room first"
        return self._inputs, self._observer.stand_still, self._stand_still

    def has_lines(self) -> bool:
        """Tell the loop whether pages wait for answers."""
        return self._inputs is not None and self._inputs.has_lines()

    def _stand_still(self, scene: Scene) -> None:
        self._call(self._tell_health)

    def _deliver(self) -> None:
        self._call(self._take_parcel)

    def _call(self, call: Callable[[], object]) -> None:
        """Let something be done in the server's thread, if it is still there."""
        if self._server is not None:
            with contextlib.suppress(RuntimeError):
                self._server.call_soon_threadsafe(call)

    # -- beginning and end ------------------------------------------------------------------

    async def begin(self) -> None:
        """Begin to serve."""
        self._server = asyncio.get_running_loop()
        self._tasks = [every(HEALTH_EVERY, self._tell_health)]
        self._show_room()

    async def end(self) -> None:
        """End what was begun."""
        self._server = None
        if self._feed is not None:
            self._feed.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _show_room(self) -> None:
        """Let the pages see the room as soon as there is one, and somebody who serves it."""
        if self.scene is None or self._first is None or self._feed is not None:
            return
        from robotix.server.live.describe import Describer

        folder = self.sounds.folder or Path()
        self._feed = RoomFeed(
            self.hub,
            Describer(self.store, folder),
            sounds=self.sounds,
            snapshots=self.snapshots,
            pictures=self._pictures,
            on_described=self._is_shown.set,
        )
        self._tasks.append(asyncio.create_task(self._feed.describe_forever()))
        self._feed.show(self._first)
        self._clients_changed()
        for client in self.hub.clients.values():
            client.tell(encode(self.welcome(client)))

    def _take_parcel(self) -> None:
        if self._observer is not None and self._feed is not None:
            self._feed.take(self._observer.take())

    def _tell_health(self) -> None:
        if self._loop is None or self.scene is None:
            return
        report, (ticks, elapsed) = self._loop.report(), self._before
        self._before = report.ticks, report.elapsed
        span = report.elapsed - elapsed
        self.room.take_health(
            Health(
                time=report.time,
                rate=(report.ticks - ticks) / span if span > 0 else 0.0,
                load=report.load,
                overruns=report.overruns,
                lost=report.lost,
                worst=report.worst,
                speed=min(self._loop.speed, 1e9),
                is_paused=self._loop.is_paused,
                clients=len(self.hub.clients),
                recording=self.recording,
            )
        )
        self.hub.wake_all()

    # -- pages ------------------------------------------------------------------------------

    def add_client(self, wish: str) -> Client:
        """Take in a page, called as it wishes, with a number."""
        client = self.hub.add(wish)
        self._clients_changed()
        return client

    def welcome(self, client: Client) -> Welcome:
        """Return the first message for a page."""
        scene = self.scene
        for sound in self.sounds.going_on:
            client.tell(encode(sound))
        return Welcome(
            version=VERSION,
            client=client.name,
            room=(scene.name if scene is not None else "") or self.name,
            rate=1 / scene.dt if scene is not None else 0.0,
            run=self.run,
            lan=self.lan,
            lan_qr=qr_image(self.lan),
        )

    def remove_client(self, client: Client) -> None:
        """Forget a page that has left."""
        self.hub.remove(client)
        self._clients_changed()

    def _clients_changed(self) -> None:
        if self._inputs is not None:
            self._inputs.clients = self.hub.names
        self._watch_changed()

    def _watch_changed(self) -> None:
        if self._observer is not None:
            self._observer.watched = self.hub.watched
            self._observer.watches_people = self.hub.watches_people

    def watch(self, client: Client, robot: str) -> None:
        """Let a page know all about a robot."""
        client.watched = robot
        self._watch_changed()

    def watch_people(self, client: Client, *, is_on: bool) -> None:
        """Let a page know what people carry, or no longer."""
        client.watch_people(is_on=is_on)
        self._watch_changed()

    # -- driving ----------------------------------------------------------------------------

    def _lease_changed(self) -> None:
        driver = self.hub.clients.get(self.lease.holder)
        if self._inputs is not None:
            self._inputs.let_go()
            if driver is not None and driver.look is not None:
                self._inputs.place_room(driver.look.position, driver.look.quaternion)
        self.hub.wake_all()

    def feed(self, client: Client, device: str, data: dict[str, Any]) -> None:
        """Take in what a device says, if its page is in control."""
        if self._inputs is not None and self.lease.holder == client.name:
            self._inputs.feed(device, data)

    def place_room(self, client: Client, look: TrackingOrigin) -> None:
        """Take in where somebody is who wears devices; it counts while the page is in control."""
        check_look(look)
        client.look = look
        if self._inputs is not None and self.lease.holder == client.name:
            self._inputs.place_room(look.position, look.quaternion)

    def run_line(self, client: Client, line: str, number: int) -> None:
        """Run a console line for the page in control; the answer carries the number."""
        refusal = self._refusal(client, line)
        if refusal:
            client.tell(encode(Answer(number, ok=False, text=refusal)))
            return
        assert self._inputs is not None

        def answered(ok: bool, text: str) -> None:
            self._call(lambda: client.tell(encode(Answer(number, ok, text))))

        if not self._inputs.add_line(line.strip(), answered):
            client.tell(encode(Answer(number, ok=False, text="too many lines wait already")))

    def _refusal(self, client: Client, line: str) -> str:
        holder = self.lease.holder
        if self._inputs is None:
            return LOADING
        if not line.strip() or "\n" in line:
            return "a command is one line"
        if holder == client.name or line.split()[0].lower() in ANYBODY:
            return ""
        return (
            f"somebody else is in control: {holder}"
            if holder
            else "nobody is in control; take it first"
        )

    def set_pace(self, client: Client, action: str, value: float) -> None:
        """Pause, go on, step or change the speed, for the page in control."""
        if self._loop is None or self.lease.holder != client.name:
            return
        match action:
            case "pause":
                self._loop.pause()
            case "resume":
                self._loop.resume()
            case "step":
                self._loop.step(max(1, round(min(max(value, 1.0), 1e4))))
            case "speed":
                self._loop.set_speed(value)
            case _:
                raise ValueError(f"pace is pause, resume, step or speed, not {action!r}")
        self._tell_health()


def check_look(look: TrackingOrigin) -> None:
    """Refuse what is no place in a room."""
    if not max(map(abs, look.position)) <= FARTHEST:
        raise ValueError("look must be a place in the room")
    if not 1e-3 < math.hypot(*look.quaternion) < 1e3:
        raise ValueError("the quaternion of look must have a direction")
