"""What a person drives a task's room by: keys, buttons, postures, and how the arm follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from robotix.experiments.tasks.ready import ReadyPosture
from robotix.geometry import Array

if TYPE_CHECKING:
    from robotix.experiments.tasks.room import RoomSetup

__all__ = [
    "ACCESS_AIDS",
    "ACCESS_ARGS",
    "ARM",
    "DEVICES",
    "MODES",
    "REFERENCES",
    "SHARED_DRIVE",
    "STICK",
    "make_rules",
    "make_start",
]

ARM, STICK = "arm", "stick"  # names in the room
MOVER = "mover"  # moves and turns at once
DEVICES = {STICK: "translate3", MOVER: "move6", "wheels": "drive2", "pad": "buttons"}
SHARED_DRIVE = f"wheelchair, wheels, {STICK}, {ARM}"  # args of the plug-in that drives the chair
# How a device leads the arm: the hand keeps its rotation; the stick moves or turns it, one after
# the other; both at once by a device with six axes; every joint by itself.
MODES = ("position", "position_then_rotation", "pose", "joint")
REFERENCES = ("velocity", "position")
ACCESS_ARGS = {
    "scanning": f"scanning, keyboard Space, {STICK}",
    "pointing": f"pointing, head, {STICK}, wheelchair",
    "gaze": f"pointing, pointer, {STICK}, wheelchair",
}
ACCESS_AIDS = ("none", *ACCESS_ARGS)
DEFLECTION_REACH = 0.30  # m at full deflection, for the reference `position`
JOINT_SPEED = 0.4  # rad/s at full deflection
JOINT_KEYS = ("7", "8", "9")  # three joints each
PAD_BUTTONS = (("x", "button_6"), ("y", "button_7"))  # of gamepads and joysticks, for postures
MOVE_TICKS = 30  # least duration of a move to a posture
PREFERENCE = 1.0  # 1/s, towards the posture of the last button, in the null space
SIDES = ("on the left", "on the right")


def make_rules(postures: Sequence[ReadyPosture], setup: RoomSetup) -> list[dict[str, Any]]:
    """Return the rules of a room."""
    device = _device(setup)
    rules = [
        _rule("steer the hand, or no longer", "T", {"track_toggle": ARM}),
        _rule("grip, or let go", "G", {"call": ["gripper", "grip"]}),
        {
            "name": "grip, or let go, by the stick",
            "when": {"button": [device, "a"]},
            "do": {"call": ["gripper", "grip"]},
        },
        _rule("the stick drives the chair, or the arm", "C", {"call": ["driving", "switch"]}),
        {
            "name": "chair or arm, by the stick",
            "when": {"button": [device, "b"]},
            "do": {"call": ["driving", "switch"]},
        },
        _rule("move or turn", "V", {"track_turn": ARM}),
        _rule("the stick moves the hand", "H", {"set_control_point": {"point": "hand"}}),
        _rule("the stick moves the elbow", "J", {"set_control_point": {"point": "elbow"}}),
        _rule("the stick moves what is nearest", "K", {"set_control_point": {"point": "nearest"}}),
        _rule("stop", "X", {"stop": ARM}),
        _rule("show how well it can move", "M", {"display_ellipsoid": ARM}),
    ]
    for k, posture in enumerate(postures):
        name = "ready" if len(postures) == 1 else f"ready {SIDES[k]}"
        go = _to_posture(posture)
        rules.append(_rule(name, str(k + 1), go))
        for button in PAD_BUTTONS[k]:
            rules.append(
                {"name": f"{name}, by {button}", "when": {"button": ["pad", button]}, "do": go}
            )
    if setup.mode == "joint":
        rules += _joint_rules(len(postures[0].q))
    if setup.access == "scanning":
        for choice, do in (
            ("grip", {"call": ["gripper", "grip"]}),
            ("steer", {"track_toggle": ARM}),
            ("posture", _to_posture(postures[0])),
            ("chair", {"call": ["driving", "switch"]}),
        ):
            rules.append(
                {
                    "name": f"{choice}, by the switch",
                    "when": {"event": f"access_{choice}"},
                    "do": do,
                }
            )
    return rules


def _joint_rules(joints: int) -> list[dict[str, Any]]:
    """Return the rules by which three axes move three joints, and then the next three."""
    rules = []
    for key, first in zip(JOINT_KEYS, range(1, joints + 1, 3), strict=False):
        group = list(range(first, min(first + 3, joints + 1)))
        track = {"device": STICK, "robot": ARM, "joints": group, "scale": JOINT_SPEED}
        words = f"the stick moves joints {group[0]} to {group[-1]}"
        rules.append(_rule(words, key, [{"track_init": track}, {"track_toggle": ARM}]))
    return rules


def _device(setup: RoomSetup) -> str:
    return MOVER if setup.mode == "pose" else STICK


def _rule(name: str, key: str, do: Any) -> dict[str, Any]:
    return {"name": name, "when": {"key": key}, "do": do}


def _to_posture(posture: ReadyPosture) -> list[dict[str, Any]]:
    """Return the commands that bring the arm to a posture, folded on the way to another side."""
    q = posture.q.tolist()
    prefer = {"prefer_posture": {"robot": ARM, "to": q, "gain": PREFERENCE}}
    if posture.folded is None:
        return [_move(q), prefer]
    folded = posture.folded.tolist()
    others = [None] * (len(q) - 1)
    return [_move([None, *folded[1:]]), _move([q[0], *others], "cubic"), _move(q), prefer]


def _move(to: list[Any], law: str = "minimum_jerk") -> dict[str, Any]:
    return {"move": {"robot": ARM, "to": to, "steps": MOVE_TICKS, "law": law}}


def make_start(setup: RoomSetup, ready: Array) -> list[dict[str, Any]]:
    """Return the commands at the start of a room."""
    track: dict[str, Any] = {"device": _device(setup), "robot": ARM}
    if setup.mode == "joint":
        track |= {"joints": [1, 2, 3], "scale": JOINT_SPEED}
    elif setup.mode == "pose":
        track |= {"scale": setup.speed, "turn": True}
    elif setup.reference == "position":
        track |= {"scale": DEFLECTION_REACH, "upright": True, "reference": "position"}
    else:
        track |= {"scale": setup.speed, "upright": True}
    steps: list[dict[str, Any]] = [
        {"track_init": track},
        {"set_method": {"method": setup.method, "robot": ARM}},
        {"prefer_posture": {"robot": ARM, "to": ready.tolist(), "gain": PREFERENCE}},
        {"stop_at_contact": ARM},
        {"set_step": {"steps": 300, "robot": ARM}},
    ]
    if setup.has_rider:
        steps.append({"set_obstacle": {"node": "rider", "distance": 0.02, "robot": ARM}})
    return [
        *steps,
        {"set_obstacle": {"node": "chair_back", "distance": 0.03, "robot": ARM}},
        {"set_obstacle": {"node": "chair_headrest", "distance": 0.05, "robot": ARM}},
    ]
