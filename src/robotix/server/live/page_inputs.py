"""What pages do to the room: devices and console lines, as the inputs of a tick.

Pages come in by the server's thread, the loop's thread reads; between the two are mailboxes.
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
from robotix.errors import UnknownName
from robotix.inputs.problem import Problem
from robotix.inputs.readings import MAX_COMMANDS_PER_TICK, Inputs
from robotix.scene.events.messages import Announcement, Message
from robotix.server.wire.messages import Quaternion, Vector

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Answered", "PageInputs"]

MOST_WAITING = 1_000  # lines
# What is told in the axes of the person's own room; all else is in those of the world already.
WORN = ("left_controller", "right_controller", "left_tracked_hand", "right_tracked_hand", "headset")

Answered = Callable[[bool, str], None]  # whether it worked, and what there is to say


@dataclass(frozen=True)
class _Line:
    text: str
    answered: Answered


class PageInputs:
    """The source of a loop that pages feed; also one of its `on_tick`, for the answers."""

    def __init__(
        self, controls: Controls, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        """Serve these devices and, besides, those of the page in control."""
        self.clients: frozenset[str] = frozenset()  # set by the server
        self._controls = controls
        self._clock = clock
        self._own = frozenset(controls.devices)  # that stay, whoever is in control
        self._devices = self._make_devices()
        self._is_new = True  # the loop has still to attach them
        self._lock = threading.Lock()
        self._lines: deque[_Line] = deque()
        self._asked: list[_Line] = []  # in this tick
        self._results: list[list[Message]] = []
        self._answers: list[Message] = []  # words of this tick that only the asker needs
        self._tick = -1  # of these

    # -- in the server's thread -------------------------------------------------------------

    def feed(self, device: str, message: dict[str, Any]) -> None:
        """Take in what a device at the page in control says; ValueError when it makes no sense."""
        if device in self._own:
            return  # that one is connected to this machine
        found = self._devices.get(device)
        if found is None:
            raise UnknownName("device", device, self._devices)
        found.feed(message, self._clock())

    def place_room(self, position: Vector, quaternion: Quaternion) -> None:
        """Say where the room of the person is (x, y, z, w) that tracked devices are worn in."""
        x, y, z, w = quaternion
        world_from_room = RigidTransform(position, unit((w, x, y, z)))
        for name in WORN:
            device: Any = self._devices.get(name)
            if device is not None:
                device.world_from_room = world_from_room

    def let_go(self) -> None:
        """Let all devices of pages fall silent at once: whoever follows them lets go."""
        with self._lock:
            self._devices, self._is_new = self._make_devices(), True

    def add_line(self, text: str, answered: Answered) -> bool:
        """Let a line be run in the next tick; return whether there is room for it."""
        if len(self._lines) >= MOST_WAITING:
            return False
        self._lines.append(_Line(text, answered))
        return True

    def _make_devices(self) -> dict[str, FedDevice]:
        made = make_standard_devices()
        return {name: device for name, device in made.items() if name not in self._own}

    # -- in the loop's thread ---------------------------------------------------------------

    def read(self, now: float) -> Inputs:
        """Return the inputs of a tick."""
        if self._is_new:
            self._attach()
        count = min(len(self._lines), MAX_COMMANDS_PER_TICK)
        self._asked = [self._lines.popleft() for _ in range(count)]
        lines = tuple(line.text for line in self._asked)
        return Inputs(self._controls.read(now), self.clients, lines)

    def has_lines(self) -> bool:
        """Tell whether somebody waits for an answer."""
        return bool(self._lines)

    def _attach(self) -> None:
        with self._lock:
            devices, self._is_new = tuple(self._devices.values()), False
        for name in self._controls.devices:
            if name not in self._own:
                self._controls.detach(name)
        for device in devices:
            self._controls.attach(device)

    def listen(self, scene: Scene) -> None:
        """Hear what becomes of the lines that a scene runs."""
        console = scene.console

        def run_and_note(line: str) -> None:
            before = len(scene.messages)
            try:
                if console is None:
                    raise ValueError("this room has no console")
                console(line)
            except Exception as error:
                self._results.append([Problem(line, f"{type(error).__name__}: {error}")])
                raise
            self._results.append(scene.messages[before:])

        scene.console = run_and_note

    def __call__(self, scene: Scene) -> None:
        """Answer the lines of this tick, and tell what was wrong with devices."""
        while self._controls.problems:
            scene.send(self._controls.problems.popleft())
        if scene.tick != self._tick:
            self._tick, self._answers = scene.tick, []
        results, self._results = self._results, []
        for line, messages in zip(self._asked, results, strict=False):
            self._answers += messages
            line.answered(*_result(messages))
        self._asked = []

    def is_answer(self, message: Message) -> bool:
        """Tell whether words of this tick are an answer, which nobody else needs to hear."""
        return isinstance(message, Announcement | Problem) and any(
            m is message for m in self._answers
        )


def _result(messages: Iterable[Message]) -> tuple[bool, str]:
    """Return whether a line worked, and the words that it led to."""
    worked, words = True, []
    for message in messages:
        if isinstance(message, Problem):
            worked = False
            words.append(message.what)
        elif isinstance(message, Announcement):
            words.append(message.text)
    return worked, "\n".join(words)
