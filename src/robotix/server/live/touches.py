"""Contacts and connections of a scene, for pages that show them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from robotix.errors import RobotixError
from robotix.geometry import Array
from robotix.server.wire.messages import Vector
from robotix.server.wire.physics import ContactMark, JointMark, Touches

if TYPE_CHECKING:
    from robotix.dynamics.simulation import ContactPoint
    from robotix.scene.scene import Scene

__all__ = ["snapshot_touches"]

MAX_CONTACTS = 400  # the strongest ones are sent
DIGITS = 5  # of positions in m; forces have fewer


def snapshot_touches(scene: Scene, *, forces: bool) -> Touches:
    """Return where robots touch and, with `forces`, all contacts and connections of physics."""
    contacts, joints = _robot_contacts(scene), []
    mirror = scene.physics.mirror
    if mirror is not None and forces:
        contacts += _strongest(mirror.contact_points())
        joints = [
            JointMark(name, kind, _vector(at), _vector(axis))
            for name, kind, at, axis in mirror.connected_joints()
        ]
    return Touches(contacts, joints)


def _strongest(points: Sequence[ContactPoint]) -> list[ContactMark]:
    if not points:
        return []
    forces = np.array([each.force for each in points])
    chosen = np.argsort(-np.abs(forces).max(axis=1), kind="stable")[:MAX_CONTACTS].tolist()
    places = np.round([each.position for each in points], DIGITS).tolist()
    rounded = np.round(forces, DIGITS).tolist()
    return [
        ContactMark(points[k].first, points[k].second, tuple(places[k]), tuple(rounded[k]))
        for k in chosen
    ]


def _robot_contacts(scene: Scene) -> list[ContactMark]:
    """Return where robots touch what stops them; forces are not known there."""
    found: list[ContactMark] = []
    for robot in scene.robots.values():
        if robot.guard is None:
            continue
        for own, other in robot.guard.find_depths(robot):
            with suppress(RobotixError, ValueError):
                near = scene.contacts.distance(own, other)
                found.append(ContactMark(own, other, _vector(near.point_a), (0.0, 0.0, 0.0)))
    return found


def _vector(numbers: Array) -> Vector:
    x, y, z = (round(float(each), DIGITS) for each in numbers)
    return x, y, z
