"""Connects the loop of a scene, on one thread, with the clients, on another.

It can be served before there is a scene: pages wait for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robotix.errors import RobotixError
from robotix.inputs.readings import ALL_ROBOTS
from robotix.server.live.hub import Client, ControlLease, Hub, encode
from robotix.server.live.mesh_data import DataStore
from robotix.server.live.pace import Paced, ReplayHandler, change_pace, measure_health
from robotix.server.live.pictures import Snapshots
from robotix.server.live.plugin_questions import PluginQuestions
from robotix.server.live.prepared_lines import PreparedLines
from robotix.server.live.room_publisher import RoomPublisher, call_periodically
from robotix.server.live.room_state import RoomState
from robotix.server.live.sounds import Sounds
from robotix.server.wire.protocol import (
    VERSION,
    Answer,
    RoomFailed,
    SoundChanged,
    TrackingOrigin,
    Welcome,
)
from robotix.server.wire.qr_code import qr_image

if TYPE_CHECKING:
    from robotix.devices import Controls
    from robotix.scene.loop import Consumer, InputSource
    from robotix.scene.scene import Scene
    from robotix.server.live.observer import Observer
    from robotix.server.live.page_inputs import AnswerCallback, PageInputs
    from robotix.server.live.snapshot import SceneSnapshot

__all__ = ["RoomService"]

HEALTH_INTERVAL = 0.5  # s
FAILURE_SEND_TIME = 0.2  # s that sending the reason may take, before the server ends
PICTURES_FOLDER = "pictures"  # below the folder of the scene
FULL_MESSAGE = "too many lines are queued"
LOADING_MESSAGE = "the scene is still being loaded"
REPLAY_MESSAGE = "this is a recording: nothing in it can be changed"
RESET_COMMAND = "reset_room"  # for the program that runs the room, not for the room
NO_RESET_MESSAGE = "this room cannot be reset from here: start it again"
RECORDED_MESSAGE = "this run is being recorded, so the room is not reset; start it again"
STOP_COMMAND = "stop"  # allowed without control, and past all queues, for safety


class RoomService:
    """Serves one scene to all clients.

    `open`, `attach`, `source` and `on_tick` are for the loop's thread, all else for the server's
    thread.
    """

    def __init__(self, *, name: str = "", lan: str = "") -> None:
        """Start without a scene; `lan` is the address for other machines."""
        self.name = name
        self.run = secrets.token_hex(4)  # changes with every start
        self.lan = lan
        self.pages_set_pace = True  # the page in control may pause the scene, or change its speed
        self.recording = ""
        self.can_reset = False  # pages are welcomed with this, also before there is a room
        self.on_reset: Callable[[], None] | None = None  # loads the room again
        self.replay: ReplayHandler | None = None  # a recording is shown: nothing runs
        self.room = RoomState()
        self.lease = ControlLease(self._lease_changed)
        self.hub = Hub(self.room, self.lease)
        self.store = DataStore()
        self.snapshots = Snapshots(self.hub)
        self.questions = PluginQuestions(self.hub, self._call)
        self.sounds = Sounds()
        self.scene: Scene | None = None
        self._inputs: PageInputs | None = None
        self._prepared = PreparedLines()
        self._observer: Observer | None = None
        self._loop: Paced | None = None
        self._pictures = Path(PICTURES_FOLDER)
        self._first: SceneSnapshot | None = None
        self._publisher: RoomPublisher | None = None
        self._server: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._before = (0, 0.0)  # ticks and elapsed time of the last report
        self._is_shown = threading.Event()  # pages can show the scene
        self._failure = ""  # why the scene could not be opened
        self._failure_was_sent = threading.Event()

    # -- loop thread ------------------------------------------------------------------------

    def open(self, scene: Scene, controls: Controls) -> None:
        """Show a scene; it is controlled by these devices and those of the page in control."""
        from robotix.scene.graph.content import Sound
        from robotix.server.live.key_hints import device_key_hints, key_hints
        from robotix.server.live.observer import Observer
        from robotix.server.live.page_inputs import PageInputs

        inputs = PageInputs(controls)
        inputs.capture_results(scene)
        self.sounds.folder = scene.files.assets
        self._pictures = scene.files.outputs / PICTURES_FOLDER
        for node in scene.graph:
            if isinstance(sound := node.content, Sound):
                change = SoundChanged(sound.uri, node.name, True, sound.loop, sound.volume)
                self.sounds.record(change)
        self.room.keys = key_hints(scene.rules)
        self.room.device_keys = device_key_hints(controls.device_map, scene.devices)
        self.room.devices = dict(scene.devices)
        self.scene, self._inputs = scene, inputs
        self._observer = Observer(self._deliver, is_private=inputs.is_answer)
        self._first = self._observer.snapshot(scene)
        self._call(self._show_room)

    def wait_until_shown(self, seconds: float) -> bool:
        """Wait until pages can show the scene, at most `seconds`; return whether they can."""
        return self._is_shown.wait(seconds)

    def fail(self, text: str, *, timeout: float) -> None:
        """Tell pages why there is no scene; wait at most `timeout` (s) until one could read it."""
        self._failure = text
        self._call(self._send_failure)
        if self._failure_was_sent.wait(timeout):
            time.sleep(FAILURE_SEND_TIME)

    def _send_failure(self) -> None:
        for client in self.hub.clients.values():
            client.send(encode(RoomFailed(self._failure)))
            self._failure_was_sent.set()

    def attach(self, loop: Paced) -> None:
        """Let clients pause the loop and see its timing."""
        self._loop = loop

    @property
    def source(self) -> InputSource:
        """The input source of the loop."""
        assert self._inputs is not None, "open a scene first"
        return self._inputs.read

    @property
    def on_tick(self) -> tuple[Consumer, ...]:
        """Consumers that the loop calls after every tick."""
        assert self._inputs is not None and self._observer is not None, "open a scene first"
        return self._inputs, self._observer

    @property
    def on_still(self) -> tuple[Consumer, ...]:
        """Consumers that the loop calls while it is paused."""
        assert self._inputs is not None and self._observer is not None, "open a scene first"
        return self._inputs, self._observer.update_paused, self.publish_health

    def has_lines(self) -> bool:
        """Return whether console lines are queued."""
        return self._inputs is not None and self._inputs.has_lines()

    def publish_health(self, scene: Scene | None = None) -> None:
        """Send pages the timing of the loop; thread-safe."""
        self._call(self._publish_health)

    def _deliver(self) -> None:
        self._call(self._publish_update)

    def _call(self, call: Callable[[], object]) -> None:
        """Call a function on the server's thread, if it still runs."""
        if self._server is not None:
            with contextlib.suppress(RuntimeError):
                self._server.call_soon_threadsafe(call)

    # -- start and stop ---------------------------------------------------------------------

    async def start(self) -> None:
        """Start to serve; called on the server's event loop."""
        self._server = asyncio.get_running_loop()
        self._tasks = [call_periodically(HEALTH_INTERVAL, self._publish_health)]
        self._show_room()

    async def stop(self) -> None:
        """Stop all tasks."""
        self._server = None
        if self._publisher is not None:
            self._publisher.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _show_room(self) -> None:
        """Publish the scene once both the scene and the server are there."""
        if self.scene is None or self._first is None or self._publisher is not None:
            return
        from robotix.server.live.describe import Describer

        folder = self.sounds.folder or Path()
        self._publisher = RoomPublisher(
            self.hub,
            Describer(self.store, folder),
            sounds=self.sounds,
            snapshots=self.snapshots,
            pictures=self._pictures,
            on_described=self._is_shown.set,
        )
        self._tasks.append(asyncio.create_task(self._publisher.describe_changes()))
        self._publisher.update_view(self._first)
        self._clients_changed()
        for client in self.hub.clients.values():
            client.send(encode(self.welcome(client)))

    def _publish_update(self) -> None:
        if self._observer is not None and self._publisher is not None:
            self._publisher.publish(self._observer.pop())

    def _publish_health(self) -> None:
        if self._loop is None or self.scene is None:
            return
        health, self._before = measure_health(
            self._loop, self._before, clients=len(self.hub.clients), recording=self.recording
        )
        self.room.update_health(health)
        self.hub.wake_all()

    # -- clients ----------------------------------------------------------------------------

    def add_client(self, requested_name: str, *, can_drive: bool = True) -> Client:
        """Add a client; a number makes its name unique."""
        client = self.hub.add(requested_name)
        client.can_drive = can_drive
        self._clients_changed()
        if self._failure:
            self._send_failure()
        return client

    def welcome(self, client: Client) -> Welcome:
        """Return the first message for a client."""
        scene = self.scene
        for sound in self.sounds.looping:
            client.send(encode(sound))
        self.questions.show_to(client)
        return Welcome(
            version=VERSION,
            client=client.name,
            room=(scene.name if scene is not None else "") or self.name,
            rate=1 / scene.dt if scene is not None else 0.0,
            run=self.run,
            key=client.key,
            lan=self.lan,
            lan_qr=qr_image(self.lan),
            is_replay=self.replay is not None,
            can_reset=self.can_reset,
        )

    def remove_client(self, client: Client) -> None:
        """Remove a client that has disconnected."""
        self.hub.remove(client)
        self._clients_changed()

    def _clients_changed(self) -> None:
        if self._inputs is not None:
            self._inputs.clients = self.hub.names
        self.update_watches()

    def update_watches(self) -> None:
        """Observe what some client watches."""
        if self._observer is not None:
            self._observer.watched = self.hub.watched
            self._observer.watches_people = self.hub.watches_people
            self._observer.watches_touches = self.hub.watches_touches
            self._observer.watches_forces = self.hub.watches_forces
            self._observer.watches_devices = self.hub.watches_devices

    def watch_robot(self, client: Client, robot: str) -> None:
        """Send a client the full state of a robot."""
        client.watched = robot
        self.update_watches()

    def watch_people(self, client: Client, *, is_on: bool) -> None:
        """Start or stop sending a client the state of people."""
        client.watch_people(is_on=is_on)
        self.update_watches()

    def watch_touches(self, client: Client, *, robots: bool, forces: bool) -> None:
        """Start or stop sending a client contacts and connections."""
        client.watch_touches(robots=robots, forces=forces)
        self.update_watches()

    # -- control ----------------------------------------------------------------------------

    def _lease_changed(self) -> None:
        driver = self.hub.clients.get(self.lease.holder)
        if self._inputs is not None:
            self._inputs.release_devices()
            if driver is not None and driver.tracking_origin is not None:
                self._inputs.set_tracking_origin(
                    driver.tracking_origin.position, driver.tracking_origin.quaternion
                )
        self.hub.wake_all()

    def receive_device_data(self, client: Client, device: str, data: dict[str, Any]) -> None:
        """Process device data if the client is in control."""
        is_driver = self.lease.holder == client.name and self.replay is None
        if self._inputs is not None and is_driver:
            self._inputs.receive_device_data(device, data)

    def receive_heartbeat(self, key: str) -> None:
        """Process a sign of life of the page with this key, if it is in control."""
        if self._inputs is not None and self.hub.is_in_control(key):
            self._inputs.receive_heartbeat()

    def set_tracking_origin(self, client: Client, origin: TrackingOrigin) -> None:
        """Set a checked tracking origin of a client; it applies while the client is in control."""
        client.tracking_origin = origin
        if self._inputs is not None and self.lease.holder == client.name:
            self._inputs.set_tracking_origin(origin.position, origin.quaternion)

    def run_line(self, client: Client, line: str, number: int) -> None:
        """Queue a console line of the client in control; the answer has the same number."""
        refusal = self._refusal(client, line)
        if refusal:
            client.send(encode(Answer(number, ok=False, text=refusal)))
            return
        assert self._inputs is not None

        def answered(ok: bool, text: str) -> None:
            self._call(lambda: client.send(encode(Answer(number, ok, text))))

        command, *names = line.split(maxsplit=1)
        if command.lower() == STOP_COMMAND:
            self._stop(names[0].strip().strip("\"'").strip() if names else "", answered)
        elif command.lower() == RESET_COMMAND:
            self._reset(answered)
        else:
            self._queue_line(client, line.strip(), answered)

    def _reset(self, answered: AnswerCallback) -> None:
        """Let the program load the room again, unless that would cut a recording."""
        if self.on_reset is None or self.recording:
            answered(False, RECORDED_MESSAGE if self.recording else NO_RESET_MESSAGE)
            return
        answered(True, "")
        self.on_reset()

    def _queue_line(self, client: Client, line: str, answered: AnswerCallback) -> None:
        """Queue a line for the next tick, once a long file that it needs was read."""
        from robotix.scene.console.preparation import preparation_of
        from robotix.server.live.page_inputs import DROPPED_MESSAGE

        inputs, scene = self._inputs, self.scene
        assert inputs is not None and scene is not None

        def queue(is_wanted: bool) -> None:
            if not is_wanted:
                answered(False, DROPPED_MESSAGE)
            elif not inputs.add_line(line, answered, client=client.name):
                answered(False, FULL_MESSAGE)

        if not self._prepared.add(client.name, queue, preparation_of(scene, line)):
            answered(False, FULL_MESSAGE)

    def _stop(self, name: str, answered: AnswerCallback) -> None:
        """Stop a robot past all queues; an unknown name is refused here, so that few can wait."""
        assert self._inputs is not None and self.scene is not None
        is_all = name.lower() == ALL_ROBOTS and name not in self.scene.robots
        try:
            robot = ALL_ROBOTS if is_all else self.scene.robot(name).name
        except (RobotixError, ValueError, RuntimeError) as error:  # robots may change meanwhile
            answered(False, str(error))
            return
        self._prepared.drop()
        self._inputs.add_stop(robot, answered)

    def _refusal(self, client: Client, line: str) -> str:
        holder = self.lease.holder
        if self._inputs is None:
            return LOADING_MESSAGE
        if self.replay is not None:
            return REPLAY_MESSAGE
        if not line.strip() or "\n" in line:
            return "a command must be one line"
        if holder == client.name or line.split()[0].lower() == STOP_COMMAND:
            return ""
        who = f"another client is in control: {holder}"
        return who if holder else "no client is in control; take control first"

    def set_pace(self, client: Client, action: str, value: float) -> None:
        """Pause, resume, step, change the speed or the time, if the client is in control."""
        is_allowed = self.pages_set_pace and self.lease.holder == client.name
        if self._loop is not None and is_allowed:
            if self.replay is not None:
                self.replay.change_pace(action, value)
            else:
                change_pace(self._loop, action, value)
            self._publish_health()
