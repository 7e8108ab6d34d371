"""Rooms of tasks: the wheelchair with an arm, its rider, and what the task needs.

A room is a scene file that is written here and read like any other, beside the rooms that come with
the package, so that it shares their wheelchair, gripper and materials.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from robotix.authoring.load.load import read_native
from robotix.authoring.rooms import room_path
from robotix.errors import UnknownName
from robotix.experiments.tasks.controls import (
    ACCESS_AIDS,
    ACCESS_ARGS,
    ARM,
    DEVICES,
    MODES,
    REFERENCES,
    SHARED_DRIVE,
    make_rules,
    make_start,
)
from robotix.experiments.tasks.large_targets import TARGETS, with_large_targets
from robotix.experiments.tasks.ready import ReadyPosture, find_ready_posture
from robotix.experiments.tasks.task import LabTask
from robotix.experiments.tasks.watcher import TaskWatcher
from robotix.experiments.wheelchair.chair import load_with_rail
from robotix.experiments.wheelchair.mountings import FIXED_AT, MOUNTINGS
from robotix.geometry import Pose, rpy_from_rotation
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.model.rail import load_wheelchair_rail
from robotix.model.robots import load
from robotix.scene.scene import Scene
from robotix.visuals.appearance import APPEARANCES

__all__ = [
    "ARM",
    "CHAIR_Z",
    "GRIP_NODE",
    "RIDER",
    "WHEELS",
    "RoomSetup",
    "TaskRoom",
    "find_postures",
    "make_robot",
    "open_task_room",
    "room_text",
]

GRIP_NODE, WHEELS = "grip_point", "wheels"  # names in the room
CHAIR_Z = 0.001  # m: the chair stands this far above the floor
MAX_LOOK_DOWN = 42.0  # degrees
SEAT = (0.21, 0.0, 1.29)  # m: the eyes of the person in the chair


@dataclass(frozen=True)
class RoomSetup:
    """What a room is made of besides its task; the levels of a study's factors."""

    arm: str = "kuka_lwr"
    mounting: str = "rail"  # one of MOUNTINGS
    tilt: float = 0.0  # rad, of the rail; for the mounting `rail_tilt`
    mode: str = "position"  # one of MODES
    reference: str = "velocity"  # what a deflection means: one of REFERENCES
    access: str = "none"  # one of ACCESS_AIDS
    targets: str = "normal"  # one of TARGETS
    method: str = "dls"  # of inverse kinematics
    appearance: str = "own"  # of the arm: one of APPEARANCES
    speed: float = 0.25  # m/s of the hand at full deflection
    has_rider: bool = True
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.mounting not in MOUNTINGS:
            raise UnknownName("mounting", self.mounting, MOUNTINGS)
        for what, level, known in (
            ("control mode", self.mode, MODES),
            ("reference", self.reference, REFERENCES),
            ("access aid", self.access, ACCESS_AIDS),
            ("size of targets", self.targets, TARGETS),
            ("appearance", self.appearance, APPEARANCES),
        ):
            if level not in known:
                raise UnknownName(what, level, known)


@dataclass(eq=False)
class TaskRoom:
    """A room with its task, ready to run."""

    scene: Scene
    task: LabTask
    watcher: TaskWatcher
    setup: RoomSetup
    postures: tuple[ReadyPosture, ...] = ()  # on the keys 1, 2 and so on

    def close(self) -> None:
        """End the plug-ins of the room."""
        self.scene.plugins.close()


def open_task_room(
    task: LabTask, setup: RoomSetup | None = None, *, rate: float = 60.0, seed: int = 0
) -> TaskRoom:
    """Return the room of a task; its watcher takes part in every tick.

    Args:
        task: the task.
        setup: arm, mounting and control.
        rate: ticks per second.
        seed: of the random numbers of the scene.
    """
    setup = setup or RoomSetup()
    if setup.targets == "large":
        task = with_large_targets(task)
    path = room_path("flat").with_name(f"task_{task.name}.yaml")  # a file that need not exist
    text, postures = room_text(task, setup), find_postures(task, setup)
    native, problems = read_native(path, is_check=False, changed={path: text}, rate=rate, seed=seed)
    if problems or native is None:
        raise problems[0]
    scene = native.scene
    watcher = TaskWatcher(scene, task, grip=GRIP_NODE)
    scene.add_hook(f"task {task.name}", watcher.step)
    return TaskRoom(scene, task, watcher, setup, postures)


def find_postures(task: LabTask, setup: RoomSetup) -> tuple[ReadyPosture, ...]:
    """Return the postures on buttons: the one of the start, and its mirror image if that helps."""
    _, model, base = make_robot(setup)
    ready = find_ready_posture(model, base, task)
    if ready.folded is None or setup.mounting == "fixed":
        return (ready,)
    return ready, ready.mirrored(model, task)


def room_text(task: LabTask, setup: RoomSetup) -> str:
    """Return the scene file of a task's room."""
    robot = make_robot(setup)[0] | {"appearance": setup.appearance}
    postures = find_postures(task, setup)
    q = postures[0].q
    objects = {name: dict(entry) for name, entry in task.objects.items()}
    objects |= _gripper() | _viewpoints(task)
    lines = [
        "robotix: 1",
        f"name: {json.dumps(task.title)}",
        "include: [materials.yaml, wheelchair.yaml]",
        "physics: {friction: 0.6}",
        f"robots: {_dump({ARM: robot | {'q': q.tolist()}})}",
        "objects:",
        *(f"  {name}: {_dump(entry)}" for name, entry in objects.items()),
        f"devices: {_dump(DEVICES)}",
        "plugins:",
        f"  gripper: {_dump(_gripper_plugin(task))}",
        f"  driving: {_dump({'module': 'driving.py', 'args': SHARED_DRIVE})}",
        *_access_lines(setup),
        "rules:",
        *(f"  - {_dump(rule)}" for rule in make_rules(postures, setup)),
        "start:",
        *(f"  - {_dump(step)}" for step in make_start(setup, q)),
    ]
    if setup.has_rider:
        lines.insert(5, f"people: {_dump(RIDER)}")
    return "\n".join(lines) + "\n"


def _access_lines(setup: RoomSetup) -> list[str]:
    if setup.access == "none":
        return []
    plugin = {"module": "access.py", "args": ACCESS_ARGS[setup.access]}
    return [f"  access: {_dump(plugin)}"]


def _dump(value: Any) -> str:
    return json.dumps(value)  # JSON is YAML


def make_robot(setup: RoomSetup) -> tuple[dict[str, Any], Model, Pose]:
    """Return the robot's entry, its model, and room_from_base."""
    chair = Pose.at(0.0, 0.0, CHAIR_Z)
    if setup.mounting == "fixed":
        stand = Posture(load_with_rail(setup.arm), {"rail": FIXED_AT}).pose("carriage")
        roll, pitch, yaw = rpy_from_rotation(stand.rotation)
        entry = {
            "model": setup.arm,
            "on": "wheelchair",
            "at": stand.translation.tolist(),
            "rpy": [roll, pitch, yaw],
        }
        return entry, load(setup.arm), chair @ stand
    tilt = setup.tilt if setup.mounting == "rail_tilt" else 0.0
    options: dict[str, Any] = {"tilt": tilt} if tilt else {}
    if setup.arm in load_wheelchair_rail().arms:
        entry = {"model": f"{setup.arm}_rail", "on": "wheelchair", "options": options}
    else:  # any other arm of the library
        entry = {"model": setup.arm, "on": "wheelchair", "options": {"rail": True} | options}
    return entry, load_with_rail(setup.arm, tilt=tilt), chair


RIDER = {
    "rider": {
        "sex": "f",
        "stature": 1.66,
        "on": "wheelchair",
        "at": [0.075, 0, 0.115],
        "pose_deg": {
            "root_ry": -14, "hip_flexion": 78, "hip_abduction": 4, "knee_flexion": 75,
            "ankle_dorsiflexion": -3, "T12L1_flexion": 4, "shoulder_flexion": 6,
            "shoulder_abduction": 14, "shoulder_internal_rotation": 10, "elbow_flexion": 70,
            "forearm_pronation": 60,
        },
    }
}  # fmt: skip


def _gripper() -> dict[str, dict[str, Any]]:
    grey, pad = {"material": "gripper_grey"}, {"material": "gripper_pad", "collidable": False}
    finger = {"box": [0.022, 0.012, 0.075], "on": "gripper"} | grey
    return {
        "floor": {"plane": True, "material": "floor_boards"},
        "gripper": {
            "on": f"{ARM}/flange",
            "parts": [
                {"cylinder": [0.036, 0.03], "at": [0, 0, 0.016]},
                {"box": [0.05, 0.15, 0.045], "at": [0, 0, 0.052]},
            ],
        }
        | grey,
        "finger_left": finger | {"at": [0, 0.065, 0.11]},
        "finger_right": finger | {"at": [0, -0.065, 0.11]},
        "pad_left": {"box": [0.02, 0.006, 0.05], "at": [0, -0.008, 0.01], "on": "finger_left"}
        | pad,
        "pad_right": {"box": [0.02, 0.006, 0.05], "at": [0, 0.008, 0.01], "on": "finger_right"}
        | pad,
        GRIP_NODE: {
            "sphere": 0.001,
            "at": [0, 0, 0.125],
            "on": "gripper",
            "visible": False,
            "collidable": False,
            "pickable": False,
        },
    }


def _viewpoints(task: LabTask) -> dict[str, dict[str, Any]]:
    """Return where to look from: the seat first, at 1:1, turned to where the task is."""
    yaw = float(np.degrees(task.seat_view_yaw))
    places = np.array([target for goal in task.goals for target in goal.targets])
    away = np.linalg.norm(places[:, :2] - SEAT[:2], axis=1)
    down = float(np.degrees(np.arctan2(SEAT[2] - places[:, 2], away).mean()))
    return {
        "task_view": {
            "viewpoint": {"field_of_view_deg": 72},
            "at": list(SEAT),
            "rpy_deg": [0, min(max(down, 5.0), MAX_LOOK_DOWN), yaw],
            "on": "wheelchair",
        },
        "overview": {
            "viewpoint": {"field_of_view_deg": 44},
            "at": [2.6, -1.6, 2.2] if task.seat_view_yaw < 1 else [-1.9, -1.9, 2.3],
            "rpy_deg": [0, 27, 142] if task.seat_view_yaw < 1 else [0, 24, 52],
        },
        "sun": {
            "light": {"kind": "sun", "colour": "#fff1dc", "strength": 2.4},
            "at": [-2, -6, 6],
            "rpy_deg": [-40, -18, 0],
        },
        "daylight": {"light": {"kind": "ambient", "colour": "#dfe9f5", "strength": 0.7}},
    }


def _gripper_plugin(task: LabTask) -> dict[str, str]:
    surfaces = [name for name, entry in task.objects.items() if _is_surface(entry)]
    things = ", ".join(task.things)
    return {
        "module": "gripper.py",
        "args": f"{GRIP_NODE}; {things}; {', '.join(['floor', *surfaces])}",
    }


def _is_surface(entry: Mapping[str, Any]) -> bool:
    return "body" not in entry and entry.get("collidable", True) and "on" not in entry
