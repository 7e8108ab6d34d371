"""Inputs from pages: device data and console lines.

The server's thread writes them, the loop's thread reads them at every tick.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robotix.devices import Controls, FedDevice, make_standard_devices
from robotix.devices.rigid_transform import RigidTransform, unit
from robotix.errors import UnknownName, describe_error
from robotix.inputs.problem import Problem
from robotix.inputs.readings import MAX_COMMANDS_PER_TICK, Inputs
from robotix.scene.events.messages import Announcement, Message
from robotix.scene.robots.hand_drives import HandHold
from robotix.scene.robots.tracking import HandDrag, Tracking
from robotix.server.wire.messages import Quaternion, Vector

if TYPE_CHECKING:
    from robotix.scene.robots.driven import Drive
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene
    from robotix.scene.writes import Write

__all__ = ["AnswerCallback", "PageInputs"]

MAX_QUEUED_LINES = 1_000  # lines
MAX_STOP_ANSWERS = 100  # pages that wait for the same stop
DROPPED_MESSAGE = "not run: a stop came first"
FOLLOWS_DEVICE = (Tracking, HandDrag, HandHold)  # end by themselves when the device is lost
# Devices that report in their tracking space; all others report in the world frame.
TRACKED_DEVICES = (
    "left_controller",
    "right_controller",
    "left_tracked_hand",
    "right_tracked_hand",
    "headset",
)

# Devices whose last message may count as said again while the page is busy: what they say is held,
# such as a key that is down. Hands move on, so nobody may assume that they stay.
HELD_DEVICES = frozenset({"keyboard", "gamepad", "joystick", "space_mouse", "cursor"})
MAX_STALL = 1.5  # s that a page may be busy while its heartbeats are heard
MIN_SILENCE = 0.05  # s after which a device is heard again by a heartbeat

AnswerCallback = Callable[[bool, str], None]  # success, and a text


@dataclass(frozen=True)
class _Line:
    text: str
    answered: AnswerCallback
    client: str = ""  # that sent it


@dataclass(frozen=True)
class _Result:
    """What a line has led to."""

    messages: list[Message]
    writes: list[Write]  # files that it writes

    @property
    def is_written(self) -> bool:
        return all(write.is_reported for write in self.writes)


@dataclass(frozen=True, eq=False)
class _CommandedMove:
    """A motion that a console line started, and the page that sent the line."""

    robot: Robot
    drive: Drive
    client: str

    @property
    def is_over(self) -> bool:
        return self.robot.drive is not self.drive


class PageInputs:
    """Input source of a loop; also one of its `on_tick` consumers, which sends the answers."""

    def __init__(
        self, controls: Controls, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        """Combine these devices with those of the page in control."""
        self.clients: frozenset[str] = frozenset()  # set by the server
        self._controls = controls
        self._clock = clock
        self._own = frozenset(controls.devices)  # devices of this machine
        self._devices = self._make_devices()
        self._is_new = True  # the loop has to attach them
        self._last: dict[str, tuple[dict[str, Any], float]] = {}  # message and time, s
        self._fed_at: dict[str, float] = {}  # s; the latest time, by whichever way
        self._lock = threading.Lock()
        self._lines: deque[_Line] = deque()
        self._stops: dict[str, list[AnswerCallback]] = {}  # robots to stop, and who asked
        self._n_before_stop = 0  # lines that were queued before the latest stop
        self._obeyed: list[AnswerCallback] = []  # stops of this tick that are not console lines
        self._moves: dict[str, _CommandedMove] = {}  # the latest of every robot
        self._notes: list[Announcement] = []  # to be sent with this tick
        self._scene: Scene | None = None
        self._current_lines: list[_Line] = []  # of this tick
        self._results: list[_Result] = []
        self._unwritten: list[tuple[_Line, _Result]] = []  # are answered when they are written
        self._answers: list[Message] = []  # messages of this tick that belong to an answer
        self._tick = -1  # tick of these messages

    # -- server thread ----------------------------------------------------------------------

    def receive_device_data(self, device: str, message: dict[str, Any]) -> None:
        """Pass data to a device of the page in control; raise ValueError if it is invalid."""
        if device in self._own:
            return  # connected to this machine
        found = self._devices.get(device)
        if found is None:
            raise UnknownName("device", device, self._devices)
        now = self._clock()
        found.feed(message, now)
        self._last[device], self._fed_at[device] = (message, now), now

    def receive_heartbeat(self) -> None:
        """Let devices of the page in control repeat what they said last, unless that is too old."""
        now = self._clock()
        for name, (message, sent) in self._last.items():
            is_due = now - self._fed_at[name] >= MIN_SILENCE
            if name in HELD_DEVICES and is_due and now - sent <= MAX_STALL:
                self._devices[name].feed(message, now)
                self._fed_at[name] = now

    def set_tracking_origin(self, position: Vector, quaternion: Quaternion) -> None:
        """Set the pose of the tracking space in the world; the quaternion is (x, y, z, w)."""
        x, y, z, w = quaternion
        world_from_room = RigidTransform(position, unit((w, x, y, z)))
        for name in TRACKED_DEVICES:
            device: Any = self._devices.get(name)
            if device is not None:
                device.world_from_room = world_from_room

    def release_devices(self) -> None:
        """Disconnect all devices of pages; whatever tracks them stops."""
        with self._lock:
            self._devices, self._is_new = self._make_devices(), True
            self._last.clear()

    def add_line(self, text: str, answered: AnswerCallback, *, client: str = "") -> bool:
        """Queue a line for the next tick; return False if the queue is full."""
        with self._lock:
            if len(self._lines) >= MAX_QUEUED_LINES:
                return False
            self._lines.append(_Line(text, answered, client))
        return True

    def add_stop(self, robot: str, answered: AnswerCallback) -> None:
        """Stop a robot, or all, past all queues: in this tick before robots move, or in the next.

        Lines that wait and do not fit into one tick are dropped: they would move it again.
        """
        with self._lock:
            waiting = self._stops.setdefault(robot, [])
            if len(waiting) < MAX_STOP_ANSWERS:
                waiting.append(answered)
            dropped = _cut(self._lines, MAX_COMMANDS_PER_TICK)
            self._n_before_stop = len(self._lines)
        for line in dropped:
            line.answered(False, DROPPED_MESSAGE)

    def _make_devices(self) -> dict[str, FedDevice]:
        made = make_standard_devices()
        return {name: device for name, device in made.items() if name not in self._own}

    # -- loop thread ------------------------------------------------------------------------

    def read(self, now: float) -> Inputs:
        """Return the inputs of a tick."""
        if self._is_new:
            self._attach()
        # What a lost page had commanded ends first: a line of this tick may move the robot again.
        self._current_lines = [*self._stop_abandoned(), *self._pop_lines()]
        lines = tuple(line.text for line in self._current_lines)
        return Inputs(self._controls.read(now), self.clients, lines)

    def has_lines(self) -> bool:
        """Return whether lines or stops are queued."""
        return bool(self._lines or self._stops)

    def poll_stops(self) -> tuple[str, ...]:
        """Return the robots to stop that were named since the tick began."""
        if not self._stops:
            return ()
        with self._lock:
            stops, self._stops = self._stops, {}
            dropped = [self._lines.popleft() for _ in range(self._n_before_stop)]
            self._n_before_stop = 0
        for line in dropped:
            line.answered(False, DROPPED_MESSAGE)
        self._obeyed += [answered for each in stops.values() for answered in each]
        return tuple(stops)

    def _pop_lines(self) -> list[_Line]:
        """Return the lines of this tick; stops come last, and after them nothing."""
        with self._lock:
            stops, self._stops = self._stops, {}
            count = self._n_before_stop if stops else MAX_COMMANDS_PER_TICK
            lines = [self._lines.popleft() for _ in range(min(count, len(self._lines)))]
            self._n_before_stop = 0
        return lines + [_Line(f"stop {robot}", _to_all(who)) for robot, who in stops.items()]

    def _stop_abandoned(self) -> list[_Line]:
        """Return lines that stop the robots moved by pages that are gone."""
        self._moves = {name: move for name, move in self._moves.items() if not move.is_over}
        if self._scene is None or not self._scene.stops_with_page:
            return []
        gone = [name for name, move in self._moves.items() if move.client not in self.clients]
        for name in gone:
            text = f"{self._moves[name].client} is gone, which had moved {name}; it stops"
            self._notes.append(Announcement(text))
        return [_Line(f"stop {name}", lambda ok, text: None) for name in gone]

    def _attach(self) -> None:
        with self._lock:
            devices, self._is_new = tuple(self._devices.values()), False
        for name in self._controls.devices:
            if name not in self._own:
                self._controls.detach(name)
        for device in devices:
            self._controls.attach(device)

    def capture_results(self, scene: Scene) -> None:
        """Record the messages that each console line of a scene produces."""
        console = scene.console
        self._scene, scene.poll_stops = scene, self.poll_stops

        def run_and_record(line: str) -> None:
            before = len(scene.messages)
            drives = {name: robot.drive for name, robot in scene.robots.items()}
            number, writes = len(self._results), scene.files.writes
            n_writes = 0 if writes is None else writes.count
            try:
                if console is None:
                    raise ValueError("this room has no console")
                console(line)
            except Exception as error:
                self._results.append(_Result([Problem(line, describe_error(error))], []))
                raise
            written = [] if writes is None else writes.since(n_writes)
            self._results.append(_Result(scene.messages[before:], written))
            if number < len(self._current_lines) and self._current_lines[number].client:
                self._note_moves(scene, drives, self._current_lines[number].client)

        scene.console = run_and_record

    def _note_moves(self, scene: Scene, before: dict[str, Drive | None], client: str) -> None:
        """Remember which motions a line has started."""
        for name, robot in scene.robots.items():
            drive = robot.drive
            if drive is None or drive is before.get(name) or isinstance(drive, FOLLOWS_DEVICE):
                continue
            self._moves[name] = _CommandedMove(robot, drive, client)

    def __call__(self, scene: Scene) -> None:
        """Answer the lines of this tick, and report problems of devices."""
        while self._controls.problems:
            scene.send(self._controls.problems.popleft())
        while self._notes:
            scene.send(self._notes.pop(0))
        obeyed, self._obeyed = self._obeyed, []
        for answered in obeyed:
            answered(True, "")
        if scene.tick != self._tick:
            self._tick, self._answers = scene.tick, []
        results, self._results = self._results, []
        for line, result in zip(self._current_lines, results, strict=False):
            self._answers += result.messages
            self._unwritten.append((line, result))
        self._current_lines = []
        self._answer_written()

    def _answer_written(self) -> None:
        """Answer the lines whose files are written; usually there are none."""
        waiting, self._unwritten = self._unwritten, []
        for line, result in waiting:
            if not result.is_written:
                self._unwritten.append((line, result))
                continue
            reports = (each for write in result.writes for each in write.messages)
            late = [each for each in reports if isinstance(each, Announcement | Problem)]
            self._answers += late
            line.answered(*_result([*result.messages, *late]))

    def is_answer(self, message: Message) -> bool:
        """Return whether a message belongs to an answer, which only one client receives."""
        return isinstance(message, Announcement | Problem) and any(
            m is message for m in self._answers
        )


def _cut(lines: deque[_Line], count: int) -> list[_Line]:
    """Remove all lines but the first `count`, and return them."""
    removed = [lines.pop() for _ in range(len(lines) - count)]
    return removed[::-1]


def _to_all(callbacks: list[AnswerCallback]) -> AnswerCallback:
    def answered(ok: bool, text: str) -> None:
        for each in callbacks:
            each(ok, text)

    return answered


def _result(messages: Iterable[Message]) -> tuple[bool, str]:
    """Return whether a line succeeded, and the text of its messages."""
    worked, words = True, []
    for message in messages:
        if isinstance(message, Problem):
            worked = False
            words.append(message.what)
        elif isinstance(message, Announcement):
            words.append(message.text)
    return worked, "\n".join(words)
