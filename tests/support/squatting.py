"""A manikin that squats, recorded as markers."""

from __future__ import annotations

from functools import cache

import numpy as np
from support.people import SIDES, manikin

from robotix.capture.marker_plan import MarkerCentre, MarkerPlan
from robotix.capture.markers import MarkerSet
from robotix.geometry import Array, Pose
from robotix.human import Manikin
from robotix.kinematics import Posture

RATE = 50.0


SEEN = {name: (MarkerCentre(name, (name,)),) for name in ("right_wrist", "left_wrist")}


def make_plan() -> MarkerPlan:
    """Every joint centre has a marker of its name; knees, elbows and shoulders are not used."""
    drive: dict[str, tuple[MarkerCentre, ...]] = {
        "pelvis": (
            MarkerCentre("right_hip", ("right_hip",)),
            MarkerCentre("left_hip", ("left_hip",)),
            MarkerCentre("sacrum", ("l5s1",), "pelvis"),
        ),
        "head": (MarkerCentre("skull", ("head",), "head"),),
    }
    for side in SIDES:
        drive[f"{side}_hand"] = SEEN[f"{side}_wrist"]
        drive[f"{side}_foot"] = tuple(
            MarkerCentre(f"{side}_{name}", (f"{side}_{name}",)) for name in ("ankle", "toe")
        )
    check = [f"{side}_{name}" for side in SIDES for name in ("knee", "elbow", "shoulder")]
    return MarkerPlan("joint centres", drive, tuple(MarkerCentre(name, (name,)) for name in check))


def squat(person: Manikin, depth: float) -> Array:
    """A posture with bent legs, flat feet where they stand, and arms forward."""
    model = person.model
    q = person.relaxed.copy()
    for side in SIDES:
        bent = {"hip_flexion": 1.2, "knee_flexion": 1.0, "ankle_dorsiflexion": 0.34}
        for name, angle in (bent | {"shoulder_flexion": 0.8}).items():
            q[model.dof_index(f"{side}_{name}")] += depth * angle
        q[model.dof_index(f"{side}_elbow_flexion")] += 0.5 * depth
    tilt = Posture(model, q).pose("right_foot").rotation
    q[3:6] = Pose(tilt.T, np.zeros(3)).rotation_vector
    q[:3] += Posture(model).position("right_foot") - Posture(model, q).position("right_foot")
    return q


def record(person: Manikin, rows: list[Array]) -> MarkerSet:
    centres = [person.joint_centres(Posture(person.model, q)) for q in rows]
    names = tuple(centres[0])
    positions = np.array([[row[name] for name in names] for row in centres])
    return MarkerSet(names, np.arange(len(rows)) / RATE, positions)


@cache
def squatting() -> MarkerSet:
    """Down and up within three seconds."""
    person = manikin("f", stature=1.7)
    depths = np.sin(np.pi * np.arange(150) / 149) ** 2
    return record(person, [squat(person, depth) for depth in depths])
