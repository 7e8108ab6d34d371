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
from robotix.server.wire.messages import Quaternion, Vector

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["AnswerCallback", "PageInputs"]

MAX_QUEUED_LINES = 1_000  # lines
# Devices that report in their tracking space; all others report in the world frame.
TRACKED_DEVICES = (
    "left_controller",
    "right_controller",
    "left_tracked_hand",
    "right_tracked_hand",
    "headset",
)

AnswerCallback = Callable[[bool, str], None]  # success, and a text


@dataclass(frozen=True)
class _Line:
    text: str
    answered: AnswerCallback


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
        self._lock = threading.Lock()
        self._lines: deque[_Line] = deque()
        self._current_lines: list[_Line] = []  # of this tick
        self._results: list[list[Message]] = []
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
        found.feed(message, self._clock())

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

    def add_line(self, text: str, answered: AnswerCallback) -> bool:
        """Queue a line for the next tick; return False if the queue is full."""
        if len(self._lines) >= MAX_QUEUED_LINES:
            return False
        self._lines.append(_Line(text, answered))
        return True

    def _make_devices(self) -> dict[str, FedDevice]:
        made = make_standard_devices()
        return {name: device for name, device in made.items() if name not in self._own}

    # -- loop thread ------------------------------------------------------------------------

    def read(self, now: float) -> Inputs:
        """Return the inputs of a tick."""
        if self._is_new:
            self._attach()
        count = min(len(self._lines), MAX_COMMANDS_PER_TICK)
        self._current_lines = [self._lines.popleft() for _ in range(count)]
        lines = tuple(line.text for line in self._current_lines)
        return Inputs(self._controls.read(now), self.clients, lines)

    def has_lines(self) -> bool:
        """Return whether lines are queued."""
        return bool(self._lines)

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

        def run_and_record(line: str) -> None:
            before = len(scene.messages)
            try:
                if console is None:
                    raise ValueError("this room has no console")
                console(line)
            except Exception as error:
                self._results.append([Problem(line, describe_error(error))])
                raise
            self._results.append(scene.messages[before:])

        scene.console = run_and_record

    def __call__(self, scene: Scene) -> None:
        """Answer the lines of this tick, and report problems of devices."""
        while self._controls.problems:
            scene.send(self._controls.problems.popleft())
        if scene.tick != self._tick:
            self._tick, self._answers = scene.tick, []
        results, self._results = self._results, []
        for line, messages in zip(self._current_lines, results, strict=False):
            self._answers += messages
            line.answered(*_result(messages))
        self._current_lines = []

    def is_answer(self, message: Message) -> bool:
        """Return whether a message belongs to an answer, which only one client receives."""
        return isinstance(message, Announcement | Problem) and any(
            m is message for m in self._answers
        )


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
