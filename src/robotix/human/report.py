"""Measuring a performance: balance, slip, limits, penetration, and whether it succeeded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from robotix.geometry import Box, Pose
from robotix.human.contacts import ContactPhase
from robotix.human.performance import Performance
from robotix.human.support import support_margins, support_polygon
from robotix.kinematics import Clearance, Obstacle, Posture
from robotix.kinematics.batch import forward_batch, mass_centre_batch
from robotix.model import Model

__all__ = ["Report", "measure"]

MAX_SLIP, MAX_PENETRATION = 1e-3, 1e-3  # m


@dataclass(frozen=True)
class Report:
    """The figures of a performance, in m, rad and s."""

    task: str
    body: str
    cop_margin: float  # smallest, of the mass centre's projection to the edge of the support
    foot_slip: float  # largest motion of a contact while it bears
    limit_violation: float  # largest, of a joint
    penetration: float  # largest, of body or load into things
    duration: float
    success: bool
    shortfalls: tuple[str, ...]  # what could not be met, and by how much

    def document(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {**self.__dict__, "shortfalls": list(self.shortfalls)}


def measure(performance: Performance) -> Report:
    """Measure every row of a performance."""
    margin = min((float(m.min()) for m in cop_margins(performance)), default=-np.inf)
    slip = max((_slip(performance, phase) for phase in performance.contacts), default=0.0)
    model, q = performance.manikin.model, performance.motion.q
    violation = float(np.maximum(model.lower - q, q - model.upper).max(initial=0.0))
    depth = _penetration(performance)
    kept = margin > 0 and slip < MAX_SLIP and violation <= 0 and depth < MAX_PENETRATION
    return Report(
        task=performance.task,
        body=performance.manikin.anthropometry.label,
        cop_margin=margin,
        foot_slip=slip,
        limit_violation=max(violation, 0.0),
        penetration=depth,
        duration=performance.motion.duration,
        success=kept and not performance.shortfalls,
        shortfalls=tuple(map(str, performance.shortfalls)),
    )


def cop_margins(performance: Performance) -> list[np.ndarray[Any, np.dtype[np.float64]]]:
    """Return how far inside the support the mass centre is, span by span, row by row."""
    margins = []
    for span in performance.spans():
        rows = performance.motion.q[span.first : span.last + 1]
        start = Posture(performance.manikin.model, rows[0])
        points = [start.position(point) for contact in span.contacts for point in contact.points]
        com = mass_centre_batch(performance.model_with(span.loads), rows).com
        polygon = support_polygon(points) if points else np.zeros((0, 2))
        margins.append(support_margins(polygon, com))
    return margins


def _slip(performance: Performance, phase: ContactPhase) -> float:
    """Return how far a contact moves while it bears; a seat is sat on, not stood on."""
    if phase.contact.name == "seat":
        return 0.0
    first, last = performance.row_at(phase.start), performance.row_at(phase.end)
    rows, model = performance.motion.q[first : last + 1], performance.manikin.model
    worst = 0.0
    for point in phase.contact.points:
        places, _ = forward_batch(model, rows, point=point)
        worst = max(worst, float(np.linalg.norm(places - places[0], axis=1).max()))
    return worst


# -- penetration --------------------------------------------------------------------------------


def _penetration(performance: Performance) -> float:
    room, model = performance.room, performance.manikin.model
    solid = {k: Obstacle(s, 0.0) for k, s in room.solids.items() if k not in room.graspable}
    held = {k: Obstacle(s, 0.0) for k, s in room.solids.items() if k in room.graspable}
    depth = 0.0
    for body, obstacles in ((model, solid), (_without(model, "hand_segment"), held)):
        if obstacles:
            clearance = Clearance(body, obstacles)
            rows = performance.motion.q
            depth = max(depth, *(-clearance.slack(Posture(body, q)) for q in rows))
    return max(depth, _load_depth(performance))


def _without(model: Model, *parts: str) -> Model:
    """Return the body without the solids of some parts: hands close around what they grasp."""
    bodies = tuple(
        replace(body, collision=()) if body.name.endswith(parts) else body
        for body in model.bodies
    )
    return replace(model, bodies=bodies)


def _load_depth(performance: Performance) -> float:
    """Return how deep loads get into the room's solids or the body, hands and forearms aside."""
    names = {phase.load.name: phase.load.box for phase in performance.loads}
    depth = 0.0
    for name, box in names.items():
        positions, rotations = performance.load_poses(name)
        model = _without(performance.manikin.model, "hand_segment", "forearm")
        body = Clearance(model, {})
        for row, q in enumerate(performance.motion.q):
            placed = replace(box, pose=Pose(rotations[row], positions[row]) @ box.pose)
            body.set_obstacle(name, Obstacle(placed, 0.0))
            depth = max(depth, -body.slack(Posture(model, q)))
        depth = max(depth, _depth_in_room(performance, box, name))
    return depth


def _depth_in_room(performance: Performance, box: Box, name: str) -> float:
    from robotix.geometry.distance import nearest

    positions, rotations = performance.load_poses(name)
    depth = 0.0
    for row in range(0, len(positions)):
        if row and (positions[row] == positions[row - 1]).all():
            continue
        frame = Pose(rotations[row], positions[row])
        for solid in performance.room.solids.values():
            depth = max(depth, -nearest(box, solid, world_from_a=frame).distance)
    return depth
