"""The report on a performance: balance, forces, slip, limits, penetration, success."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from robotix.geometry import Array
from robotix.human.body.anthropometry import survey_notes
from robotix.human.evaluation.dynamic_report import measure_dynamics
from robotix.human.evaluation.penetration import deepest_overlap
from robotix.human.motion.contacts import ContactPhase, contact_positions
from robotix.human.motion.performance import Performance, Span
from robotix.human.motion.styles import STYLES
from robotix.human.motion.support import support_margins, support_polygon
from robotix.kinematics import Posture
from robotix.kinematics.batch import forward_batch, mass_centre_batch

__all__ = ["Report", "com_margins", "measure"]

MAX_SLIP, MAX_PENETRATION = 1e-3, 1e-3  # m
GRAVITY = 9.81  # m/s²


@dataclass(frozen=True)
class Report:
    """The figures of a performance, in m, rad and s."""

    task: str
    body: str
    style: str
    com_margin: float  # smallest distance of the projected CoM to the edge of the support polygon
    cop_margin: float | None  # the same of the centre of pressure; None while hands hold on
    zmp_outside: float  # fraction of the time with the zero-moment point outside the polygon
    infeasible: float  # fraction of the time without feasible contact forces
    acceleration_ratio: float  # largest joint acceleration over its limit
    self_penetration: float  # deepest overlap of the body with itself
    foot_slip: float  # largest displacement of a contact while it is loaded
    limit_violation: float  # largest excess over a joint limit
    penetration: float  # largest overlap of body or load with other solids
    duration: float
    success: bool
    problems: tuple[str, ...]  # what failed, and by how much
    notes: tuple[str, ...] = ()  # what makes the body unusual

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values, for JSON."""
        return asdict(self)


def measure(performance: Performance) -> Report:
    """Measure every row of a performance; success means that nothing is exceeded.

    A static style could stop at any instant, so its balance is that of the centre of mass, and
    inertia is reported but not judged. Any other motion is judged with its inertia.
    """
    margin = float(np.min([margins.min() for margins in com_margins(performance)]))
    slip = max((_slip(performance, phase) for phase in performance.contacts), default=0.0)
    model, q = performance.manikin.model, performance.motion.q
    violation = float(np.maximum(model.lower - q, q - model.upper).max())
    bump, moving = deepest_overlap(performance), measure_dynamics(performance)
    is_static = performance.style in STYLES and STYLES[performance.style].is_static
    faults = {
        f"the balance is lost by {-100 * margin:.1f} cm": margin <= 0 and is_static,
        f"a contact slips by {1000 * slip:.1f} mm": slip >= MAX_SLIP,
        f"a joint is {violation:.2g} rad beyond its limit": violation > 0,
        f"{bump.what} by {1000 * bump.depth:.1f} mm": bump.depth >= MAX_PENETRATION,
    }
    problems = (
        *map(str, performance.shortfalls),
        *(text for text, is_so in faults.items() if is_so),
        *(moving.overlaps if is_static else moving.problems),
    )
    return Report(
        task=performance.task,
        body=performance.manikin.anthropometry.label,
        style=performance.style,
        com_margin=margin,
        cop_margin=moving.cop_margin if np.isfinite(moving.cop_margin) else None,
        zmp_outside=moving.zmp_outside,
        infeasible=moving.infeasible,
        acceleration_ratio=moving.acceleration_ratio,
        self_penetration=moving.self_penetration,
        foot_slip=slip,
        limit_violation=max(violation, 0.0),
        penetration=bump.depth,
        duration=performance.motion.duration,
        success=not problems,
        problems=problems,
        notes=survey_notes(performance.manikin.anthropometry),
    )


def com_margins(performance: Performance) -> list[Array]:
    """Return the distance of the projected CoM inside the support polygon, in m, span by span.

    The CoM includes loads in the hands; forces on the hands move it to where weight and forces
    together press on the floor. Negative values lie outside; see `support_margins`.
    """
    margins = []
    for span in performance.spans():
        rows = performance.motion.q[span.first : span.last + 1]
        start = Posture(performance.manikin.model, rows[0])
        model = performance.model_with(span.loads)
        com = mass_centre_batch(model, rows).com
        if performance.hand_forces:
            com = _pressed_at(performance, span, com, weight=model.mass * GRAVITY)
        polygon = support_polygon(contact_positions(start, span.contacts))
        margins.append(support_margins(polygon, com))
    return margins


def _pressed_at(performance: Performance, span: Span, com: Array, *, weight: float) -> Array:
    """Return where weight and hand forces press on the floor at rest, (n, 3), m."""
    rows = slice(span.first, span.last + 1)
    down, moment = np.full(len(com), weight), weight * com[:, :2]
    for each in performance.hand_forces:
        force = each.at(performance.motion.times[rows])
        hand, _ = forward_batch(
            performance.manikin.model, performance.motion.q[rows], point=f"{each.side}_hand"
        )
        down = down - force[:, 2]
        moment = moment + hand[:, 2:] * force[:, :2] - hand[:, :2] * force[:, 2:]
    return np.column_stack([moment / down[:, None], np.zeros(len(com))])


def _slip(performance: Performance, phase: ContactPhase) -> float:
    """Return the largest displacement of a contact while it is loaded, m; a seat may roll."""
    if phase.contact.name == "seat":
        return 0.0
    first, last = performance.row_at(phase.start), performance.row_at(phase.end)
    rows, model = performance.motion.q[first : last + 1], performance.manikin.model
    worst = 0.0
    for point in phase.contact.points:
        positions, _ = forward_batch(model, rows, point=point)
        worst = max(worst, float(np.linalg.norm(positions - positions[0], axis=1).max()))
    return worst
