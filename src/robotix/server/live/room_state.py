"""The latest state of the scene, with version numbers: a client receives what is new to it.

Nothing is queued; a slow client receives the current state when it is ready.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from robotix.geometry import Array
from robotix.server.live.frames import Frames
from robotix.server.wire.messages import ControlInfo, KeyHint, TaskInfo
from robotix.server.wire.protocol import (
    Happened,
    Health,
    NodesChanged,
    People,
    RobotStates,
    RoomChanged,
    RoomContents,
    Touches,
)
from robotix.server.wire.viewing import DevicePoses

if TYPE_CHECKING:  # not loaded at start: pages are served before the scene
    from robotix.human.body.head_and_hands import HeadAndHands
    from robotix.server.live.describe import RoomDescription
    from robotix.server.live.robot_states import StateMaker
    from robotix.server.live.snapshot import RobotDescription, RobotSnapshot, SceneSnapshot

__all__ = ["RoomState"]

_ENCODER = msgspec.json.Encoder()


class RoomState:
    """The latest state, and version numbers by which clients detect changes."""

    def __init__(self) -> None:
        self.keys: list[KeyHint] = []  # of rules
        self.device_keys: list[KeyHint] = []  # of the axes of devices
        self.devices: dict[str, str] = {}  # kinds of the logical devices, by name
        self.collisions: dict[tuple[str, ...], Happened] = {}  # that last, by the nodes' names
        self.frames = Frames()
        self.structure = -1  # of the description; -1: none yet
        self.edition = 0  # counts complete descriptions
        self.version = 0  # counts changes of nodes
        self.extras = 0  # counts changes of robots, active robot and undo
        self.states = 0  # counts states of robots
        self.people = 0  # counts states of people
        self.touches = 0  # counts states of contacts
        self.device_poses = 0  # counts poses of tracked devices
        self.health = 0
        self._described: RoomDescription | None = None
        self._changed: list[int] = []  # version at which each node changed last
        self._bones: dict[str, tuple[Array, HeadAndHands, Array, Array]] = {}
        """Posture, neck and fingers, base, and the bones that they give."""
        self._now: tuple[RobotSnapshot, ...] = ()
        self._time = 0.0
        self._maker: StateMaker | None = None
        self._cache: dict[tuple[str, object], str] = {}

    # -- updating ---------------------------------------------------------------------------

    def needs_description(self, view: SceneSnapshot) -> bool:
        """Return whether a snapshot differs from the description, other than in poses."""
        known = self._described
        if known is None or view.structure != self.structure:
            return True
        before = known.view
        return not (
            view.nodes is before.nodes
            and view.robots is before.robots
            and view.controls is before.controls
            and view.task == before.task
            and (view.active, view.can_undo, view.can_redo)
            == (before.active, before.can_undo, before.can_redo)
        )

    def update_description(self, new: RoomDescription) -> None:
        """Set the description."""
        old, view = self._described, new.view
        self._described = new
        self.version += 1
        if old is None or view.structure != self.structure or new.skins != old.skins:
            self.structure = view.structure
            self.edition += 1
            self._changed = [self.version] * len(new.nodes)
            self.extras += 1
            self._bones.clear()
        else:
            pairs = zip(new.nodes, old.nodes, strict=True)
            for row, (info, before) in enumerate(pairs):
                if info is not before:
                    self._changed[row] = self.version
            self.extras += self._extras(new) != self._extras(old)
        for kind in ("room", "nodes", "extras"):
            self._drop_cached(kind)

    @staticmethod
    def _extras(known: RoomDescription) -> tuple[object, ...]:
        view = known.view
        return (
            known.robots, view.active, view.can_undo, view.can_redo, view.controls, view.task,
        )  # fmt: skip

    def update_poses(self, view: SceneSnapshot) -> None:
        """Set the poses of all nodes, if the snapshot matches the description."""
        known = self._described
        if known is None or view.structure != self.structure:
            return
        world = view.world
        if known.skins:
            people = {robot.name: robot for robot in known.view.robots}
            bones = [self._bone_rows(people[skin.name], view) for skin in known.skins]
            world = np.concatenate([world, *bones])
        self.frames.update(world, structure=view.structure, tick=view.tick, time=view.time)

    def _bone_rows(self, robot: RobotDescription, view: SceneSnapshot) -> Array:
        """Return world_from_rest of the bones of a person, as rows (n, 13)."""
        from robotix.human.skin.binding import bone_matrices
        from robotix.kinematics import Posture

        person = robot.person
        assert person is not None
        q, base = view.postures[robot.name], view.world[robot.row]
        extra, known = view.heads[robot.name], self._bones.get(robot.name)
        if known is not None and known[0] is q and known[1] == extra:
            if np.array_equal(known[2], base):
                return known[3]
        matrices = bone_matrices(person.skin, Posture(robot.model, q), extra)
        R, t = base[:9].reshape(3, 3), base[9:12]
        rows = np.empty((len(matrices), 13))
        rows[:, :9] = (R @ matrices[:, :3, :3]).reshape(-1, 9)
        rows[:, 9:12] = matrices[:, :3, 3] @ R.T + t
        rows[:, 12] = 1.0
        self._bones[robot.name] = q, extra, base, rows
        return rows

    def update_robots(self, robots: tuple[RobotSnapshot, ...], time: float) -> None:
        """Set the state of the robots."""
        from robotix.server.live.robot_states import StateMaker

        self._maker = self._maker or StateMaker()
        self._now, self._time = robots, time
        self.states += 1
        self._drop_cached("states")

    def update_health(self, health: Health) -> None:
        """Set the timing of the loop."""
        self.health += 1
        self._drop_cached("health")
        self._cache["health", None] = _text(health)

    def update_people(self, people: People) -> None:
        """Set the state of people."""
        self.people += 1
        self._cache["people", None] = _text(people)

    def update_touches(self, touches: Touches) -> None:
        """Set contacts and connections."""
        text = _text(touches)
        if text != self._cache.get(("touches", None)):
            self.touches += 1
            self._cache["touches", None] = text

    def update_devices(self, devices: DevicePoses) -> None:
        """Set the poses of tracked devices."""
        self.device_poses += 1
        self._cache["devices", None] = _text(devices)

    def _drop_cached(self, kind: str) -> None:
        for key in [key for key in self._cache if key[0] == kind]:
            del self._cache[key]

    # -- messages ---------------------------------------------------------------------------

    def room_text(self) -> str:
        """Return the message with all nodes and robots."""
        known = self._described
        assert known is not None
        key = "room", None
        if key not in self._cache:
            view = known.view
            self._cache[key] = _text(
                RoomContents(
                    self.structure, known.nodes, known.robots, known.skins, self.keys,
                    self.device_keys, self.devices, view.active,
                    view.can_undo, view.can_redo, _controls(view), _task(view),
                )
            )  # fmt: skip
        return self._cache[key]

    def collision_texts(self) -> list[str]:
        """Return the messages about collisions that last, which follow the room's."""
        return [_text(each) for each in self.collisions.values()]

    def nodes_text(self, since: int) -> str:
        """Return the message with nodes that changed since a version; empty without any."""
        known = self._described
        assert known is not None
        key = "nodes", since
        if key not in self._cache:
            nodes = [known.nodes[row] for row, at in enumerate(self._changed) if at > since]
            self._cache[key] = _text(NodesChanged(self.structure, nodes)) if nodes else ""
        return self._cache[key]

    def extras_text(self) -> str:
        """Return the message with robots, active robot and undo."""
        known = self._described
        assert known is not None
        key = "extras", None
        if key not in self._cache:
            view = known.view
            self._cache[key] = _text(
                RoomChanged(
                    known.robots, view.active, view.can_undo, view.can_redo, _controls(view),
                    _task(view),
                )
            )  # fmt: skip
        return self._cache[key]

    def states_text(self, watched: str) -> str:
        """Return the message with the states of all robots, complete for the watched one."""
        key = "states", watched
        if key not in self._cache:
            robots, maker = self._descriptions(), self._maker
            assert maker is not None
            states = [maker.state(now, robots, whole=now.name == watched) for now in self._now]
            self._cache[key] = _text(RobotStates(self._time, states))
        return self._cache[key]

    def people_text(self) -> str:
        """Return the message with the state of people."""
        return self._cache["people", None]

    def touches_text(self) -> str:
        """Return the message with contacts and connections."""
        return self._cache["touches", None]

    def devices_text(self) -> str:
        """Return the message with the poses of tracked devices."""
        return self._cache["devices", None]

    def health_text(self) -> str:
        """Return the message with the timing of the loop."""
        return self._cache["health", None]

    def _descriptions(self) -> Mapping[str, RobotDescription]:
        known = self._described
        return {} if known is None else {robot.name: robot for robot in known.view.robots}


def _controls(view: SceneSnapshot) -> list[ControlInfo]:
    return [
        ControlInfo(each.name, each.kind, each.lower, each.upper, each.step, each.value)
        for each in view.controls
    ]


def _task(view: SceneSnapshot) -> TaskInfo | None:
    task = view.task
    if task is None:
        return None
    return TaskInfo(task.now, task.wrong, task.left, task.total, task.is_stopped)


def _text(message: msgspec.Struct) -> str:
    return _ENCODER.encode(message).decode()
