"""Strides as people make them: feet that roll from heel to toes, and the balance of motion.

A foot lands on its heel, rolls about its rear edge until it is flat, then about the toe joint until
the toes leave the floor. The centre of mass is that of a cart on a table whose zero-moment point
stays inside the support of every instant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.gait.footprints import (
    MIN_RISE,
    Footprint,
    FootTrajectory,
    Gait,
    TimedStep,
    current_footprints,
    toe_joint,
)
from robotix.human.motion.balance import ahead_of_ankle
from robotix.human.motion.contacts import contact_positions, heel, sole, toes
from robotix.human.motion.curves import (
    clamped_spline,
    lower_envelope,
    minimum_jerk,
    pitch_rotations,
    yaw_rotations,
)
from robotix.human.motion.mass_centre_plan import CartTable, PlanCosts, displaced
from robotix.human.motion.performer import Performer
from robotix.human.motion.support import support_polygon

__all__ = ["dynamic_com", "rolling_foot", "swing_in_joints"]

TOES_STRAIGHT = 0.95  # of the swing, after which the toes are straight
MAX_END_ACCELERATION = 20.0  # rad/s², of thigh and knee, that a swing takes over from the stance
MAX_KNEE = 1.0  # rad, by which the knee bends in the swing at least
HIP_SHARE = 0.4  # of the bend of the knee by which the hip flexes, so that the shank swings freely
PRESS_FROM, PRESS_TO = 0.0, 1.0  # from ankle to toe joint, at the ends of a single support
# Of the largest pitch of a foot: when half of its roll is over, at toe off, then in the swing.
PITCHES, PITCH_TIMES = (0.31, 0.75, 1.0, 0.25), (0.5, 0.32, 0.55)
SUPPORT_MARGIN = 0.02  # m, of the planned zero-moment point inside the support
COSTS = PlanCosts(displacement=1e-9, acceleration=1e-4, zmp=3e-3)


# -- feet ---------------------------------------------------------------------------------------


def rolling_foot(
    person: Performer, side: Side, steps: Sequence[TimedStep], times: Array, gait: Gait, yaw: Array
) -> FootTrajectory:
    """Return the trajectory of a foot that rolls from heel to toes in every stance."""
    ankle = np.array([0.0, 0.0, person.size("ankle_height")])
    ankles = np.tile(current_footprints(person)[side].apply(ankle), (len(times), 1))
    pitch, level, toe_out = (np.zeros(len(times)) for _ in range(3))
    for step in (step for step in steps if step.end.side == side):
        rolled = _Roll(person, step)
        during = (times > step.heel_off) & (times <= step.flat)
        pitch[during] = rolled.pitch(times[during])
        level[during] = rolled.toes(times[during])
        w = np.clip((times - step.lift_off) / (step.landing - step.lift_off), 0.0, 1.0)
        toe_out += SIDES[side] * gait.toe_out * 16 * (w * (1 - w)) ** 2
        ankles[times > step.heel_off] = rolled.ankles(times[times > step.heel_off])
    rotations = yaw_rotations(yaw + toe_out) @ pitch_rotations(pitch)
    return FootTrajectory(ankles - rotations @ ankle, rotations, level)


class _Roll:
    """One step of a rolling foot: pitch, toes and ankle as functions of time."""

    def __init__(self, person: Performer, step: TimedStep) -> None:
        self.step = step
        self._dt = person.dt
        ankle = np.array([0.0, 0.0, person.size("ankle_height")])
        self._toe = toe_joint(person)
        rear = np.array([-person.size("heel_to_ankle"), 0.0, 0.0])
        self._from_toe, self._from_heel = ankle - self._toe, ankle - rear
        self._heel, self._tip = rear, np.array([person.size("foot_length") + rear[0], 0.0, 0.0])
        self._ankle = ankle
        swing = step.landing - step.lift_off
        self._knots, self._pitches = _pitch_knots(step, swing)
        self._bounds = self._swing_bounds()

    def pitch(self, times: Array) -> Array:
        """Return the pitch of the foot, heel up, rad."""
        inside = np.clip(times, self._knots[0], self._knots[-1])
        return clamped_spline(self._knots, self._pitches[:, None], at=inside)[:, 0]

    def toes(self, times: Array) -> Array:
        """Return the extension of the toes: level on the floor, straight later in the swing."""
        lift, h = self.step.lift_off, self._dt
        level = self.pitch(times)
        before, here, after = self.pitch(np.array([lift - h, lift, lift + h]))
        rates = (after - before) / (2 * h), (after - 2 * here + before) / h**2
        bounds = np.array([here, *rates, 0.0, 0.0, 0.0])[:, None]
        duration = TOES_STRAIGHT * (self.step.landing - lift)
        w = np.clip((times - lift) / duration, 0.0, 1.0)
        return np.asarray(np.where(times <= lift, level, _quintic(bounds, w, duration)[:, 0]))

    def ankles(self, times: Array) -> Array:
        """Return the positions of the ankle, (n, 3)."""
        step = self.step
        on_toes, on_heel = times <= step.lift_off, times >= step.landing
        out = np.empty((len(times), 3))
        out[on_toes] = self._over_toes(times[on_toes])
        out[on_heel] = self._over_heel(times[on_heel])
        between = ~on_toes & ~on_heel
        out[between] = self._swinging(times[between])
        return out

    def _over_toes(self, times: Array) -> Array:
        local = self._toe + pitch_rotations(self.pitch(times)) @ self._from_toe
        return np.asarray(self.step.start.position + local @ yaw_rotations(self.step.start.yaw).T)

    def _over_heel(self, times: Array) -> Array:
        local = self._heel + pitch_rotations(self.pitch(times)) @ self._from_heel
        return np.asarray(self.step.end.position + local @ yaw_rotations(self.step.end.yaw).T)

    def _swing_bounds(self) -> Array:
        """Return position, velocity and acceleration at both ends of the swing, (6, 3)."""
        h = self._dt
        rows = []
        for path, time in (
            (self._over_toes, self.step.lift_off),
            (self._over_heel, self.step.landing),
        ):
            before, here, later = path(np.array([time - h, time, time + h]))
            rows += [here, (later - before) / (2 * h), (later - 2 * here + before) / h**2]
        found = np.array(rows)
        return found

    def _swinging(self, times: Array) -> Array:
        """Return a first guess of the swing, from which the hips are estimated."""
        swing = self.step.landing - self.step.lift_off
        return _quintic(self._bounds, np.clip((times - self.step.lift_off) / swing, 0, 1), swing)

    def below_ankle(self, times: Array) -> Array:
        """Return how far the lowest point of the foot is below the ankle, (n,), m."""
        pitch = self.pitch(times)
        foot, turned = pitch_rotations(pitch), pitch_rotations(pitch - self.toes(times))
        joint = foot @ -self._from_toe - (0.0, 0.0, self._toe[2])
        tips = foot @ -self._from_toe + turned @ (self._tip - self._toe)
        rear = foot @ -self._from_heel
        return np.asarray(-np.min([joint, tips, rear], axis=0)[:, 2])


def _pitch_knots(step: TimedStep, swing: float) -> tuple[Array, Array]:
    """Return times and pitches through which a foot rolls, from heel off to flat.

    The heel rises slowly until the other foot lands, and is fastest when the toes leave.
    """
    lift, land = step.lift_off, step.landing
    rows = [(step.heel_off, 0.0)]
    if step.rise > MIN_RISE:
        before = step.heel_off + PITCH_TIMES[0] * (lift - step.heel_off)
        times = (before, lift, lift + PITCH_TIMES[1] * swing, lift + PITCH_TIMES[2] * swing)
        rows += [(t, part * step.rise) for t, part in zip(times, PITCHES, strict=True)]
    else:
        rows += [(lift, 0.0)]
    rows += [(lift + 0.85 * swing, -step.pitch), (land, -0.9 * step.pitch)]
    rows += [(max(step.flat, land + 0.02), 0.0)]
    times, pitches = np.array(rows).T
    keep = np.concatenate([[True], np.diff(times) > 1e-6])
    return times[keep], pitches[keep]


def _quintic(bounds: Array, w: Array, duration: float) -> Array:
    """Return the quintic with given position, velocity and acceleration at both ends, (n, 3)."""
    p0, v0, a0, p1, v1, a1 = bounds
    v0, v1, a0, a1 = v0 * duration, v1 * duration, a0 * duration**2, a1 * duration**2
    c3 = 10 * (p1 - p0) - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1
    c4 = -15 * (p1 - p0) + 8 * v0 + 7 * v1 + 1.5 * a0 - a1
    c5 = 6 * (p1 - p0) - 3 * (v0 + v1) - 0.5 * (a0 - a1)
    u = w[:, None]
    return np.asarray(p0 + u * (v0 + u * (a0 / 2 + u * (c3 + u * (c4 + u * c5)))))


# -- swing --------------------------------------------------------------------------------------


def swing_in_joints(
    person: Performer,
    side: Side,
    steps: Sequence[TimedStep],
    gait: Gait,
    foot: FootTrajectory,
    hips: Array,
    yaw: Array,
) -> FootTrajectory:
    """Return the trajectory of a foot whose leg swings smoothly in hip and knee.

    From toe off to landing the angles of thigh and knee are quintics that continue those of the
    stance; the knee bends as much more as the foot needs to clear the floor.
    """
    rise = np.array([0.0, 0.0, person.size("ankle_height")])
    thigh, shank = person.size("thigh_length"), person.size("shank_length")
    level = yaw_rotations(yaw)
    ankles = foot.positions + foot.rotations @ rise
    legs = np.einsum("nji,nj->ni", level, ankles - hips)
    for step in (step for step in steps if step.end.side == side):
        first, last = (round(t / person.dt) - 1 for t in (step.lift_off, step.landing))
        roll = _Roll(person, step)
        inner = slice(first + 1, last)
        w = np.arange(1, last - first) / (last - first)
        before, after = (
            np.column_stack(_leg_angles(legs[rows], thigh, shank))
            for rows in (slice(first - 2, first + 1), slice(last, last + 3))
        )
        duration = step.landing - step.lift_off
        bounds = np.vstack([_ends(before[::-1], -person.dt), _ends(after, person.dt)])
        bounds[[2, 5]] = np.clip(bounds[[2, 5]], -MAX_END_ACCELERATION, MAX_END_ACCELERATION)
        angles = _quintic(bounds, w, duration)
        aside = legs[first, 1] + minimum_jerk(w) * (legs[last, 1] - legs[first, 1])
        floor = np.where(w < 0.5, step.start.position[2], step.end.position[2])
        times = np.asarray(person.dt * (np.arange(first + 1, last) + 1.0), dtype=float)
        need = floor + roll.below_ankle(times)
        need += gait.clearance * np.minimum(1.0, 16 * (w * (1 - w)) ** 2)
        bump = 16 * (w * (1 - w)) ** 2
        bend = max(MAX_KNEE * min(1.0, 0.6 + step.rise) - float((bump * angles[:, 1]).max()), 0.0)
        angles += bend * bump[:, None] * (HIP_SHARE, 1.0)
        legs[inner] = _leg_vectors(angles[:, 0], angles[:, 1], aside, thigh, shank)
        lack = np.maximum(need - hips[inner, 2] - legs[inner, 2], 0.0)
        legs[inner, 2] += -lower_envelope(-lack, width=round(0.05 / person.dt)) * _plateau(w)
    placed = hips + np.einsum("nij,nj->ni", level, legs)
    positions = np.where(_in_swing(steps, side, len(legs), person.dt)[:, None], placed, ankles)
    return FootTrajectory(positions - foot.rotations @ rise, foot.rotations, foot.toes)


def _plateau(w: Array) -> Array:
    """Return 1 with smooth ends over [0, 1]."""
    return minimum_jerk(w / 0.1) * minimum_jerk((1 - w) / 0.1)


def _in_swing(steps: Sequence[TimedStep], side: Side, count: int, dt: float) -> NDArray[np.bool_]:
    swings = np.zeros(count, dtype=bool)
    for step in (step for step in steps if step.end.side == side):
        swings[round(step.lift_off / dt) : round(step.landing / dt) - 1] = True
    return swings


def _ends(rows: Array, dt: float) -> Array:
    """Return value, rate and acceleration at the first of three rows, (3, k)."""
    a, b, c = rows
    return np.array([a, (-3 * a + 4 * b - c) / (2 * dt), (a - 2 * b + c) / dt**2])


def _leg_angles(legs: Array, thigh: float, shank: float) -> tuple[Array, Array]:
    """Return the angles of thigh (forward from the vertical) and knee of leg vectors, (n,)."""
    down = np.hypot(legs[:, 1], legs[:, 2])
    square = legs[:, 0] ** 2 + down**2
    bend = (square - thigh**2 - shank**2) / (2 * thigh * shank)
    knee = np.arccos(np.clip(bend, -1.0, 1.0))
    ahead = np.arctan2(shank * np.sin(knee), thigh + shank * np.cos(knee))
    return np.arctan2(legs[:, 0], down) + ahead, knee


def _leg_vectors(hip: Array, knee: Array, aside: Array, thigh: float, shank: float) -> Array:
    """Return the vectors from hip to ankle, (n, 3), from the angles of thigh and knee."""
    x = thigh * np.sin(hip) + shank * np.sin(hip - knee)
    down = thigh * np.cos(hip) + shank * np.cos(hip - knee)
    return np.column_stack([x, aside, -np.sqrt(np.maximum(down**2 - aside**2, 0.0))])


# -- balance ------------------------------------------------------------------------------------


def dynamic_com(person: Performer, steps: Sequence[TimedStep], times: Array) -> Array:
    """Return the centre of mass of a walk with its zero-moment point inside the support, (n, 3).

    It starts and ends at rest over the middle of the feet.
    """
    posture = person.posture()
    feet = current_footprints(person)
    start = person.goal("balance").position[:2].copy()
    last = dict(feet) | {step.end.side: step.end for step in steps}
    ahead = np.array([ahead_of_ankle(person), 0.0, 0.0])
    end = np.mean([print_.apply(ahead)[:2] for print_ in last.values()], axis=0)
    count, dt = len(times) + 1, person.dt
    every = np.concatenate([[0.0], times])
    fractions = minimum_jerk(every / every[-1])
    com = start + fractions[:, None] * (end - start)
    height = posture.com[2] - np.mean([print_.position[2] for print_ in feet.values()])
    lag = float(height / np.linalg.norm(person.model.gravity))
    speed = np.gradient(com, dt, axis=0)
    polygons, which = _supports(person, steps, every)
    aim = _pressing(person, steps, every, start=start, end=end)
    table = CartTable(
        dt=dt,
        com=com,
        zmp=com - lag * np.gradient(speed, dt, axis=0),
        lag=np.full(count, lag),
        share=np.ones(count),
        polygons=polygons,
        polygon=which,
    )
    plan, _ = displaced(table, margin=SUPPORT_MARGIN, zmp=aim, costs=COSTS)
    return np.pad(plan[1:], ((0, 0), (0, 1)))


def _supports(
    person: Performer, steps: Sequence[TimedStep], times: Array
) -> tuple[list[Array], NDArray[np.int64]]:
    """Return the support polygons, and which of them holds at every time."""
    phases = [phase for side in SIDES for phase in _contact_phases(person, side, steps)]
    keys = [
        tuple(k for k, (_, start, end) in enumerate(phases) if start <= time < end)
        for time in times
    ]
    distinct = list(dict.fromkeys(keys))
    hulls = [support_polygon(np.vstack([phases[k][0] for k in key])) for key in distinct]
    row_of = {key: row for row, key in enumerate(distinct)}
    return hulls, np.array([row_of[key] for key in keys], dtype=np.int64)


def _contact_phases(
    person: Performer, side: Side, steps: Sequence[TimedStep]
) -> list[tuple[Array, float, float]]:
    """Return the points of a foot that bear, (k, 3), with start and end of each contact, s."""
    here, posture = current_footprints(person)[side], person.posture()
    level = yaw_rotations(here.yaw)
    parts = [
        (contact_positions(posture, [make(person.manikin, side)]) - here.position) @ level
        for make in (heel, sole, toes)
    ]
    on_heel, flat, on_toes = ([*part] for part in parts)
    phases, since = [], -np.inf
    for step in (step for step in steps if step.end.side == side):
        phases.append((_placed(here, flat), since, step.heel_off))
        phases.append((_placed(here, on_toes), step.heel_off, step.lift_off))
        here, since = step.end, step.flat
        phases.append((_placed(here, on_heel), step.landing, step.flat))
    phases.append((_placed(here, flat), since, np.inf))
    return phases


def _placed(print_: Footprint, points: Sequence[Array]) -> Array:
    return np.array([print_.apply(point) for point in points])


def _pressing(
    person: Performer, steps: Sequence[TimedStep], times: Array, *, start: Array, end: Array
) -> Array:
    """Return where the feet should press, (n, 2): from ankle to toes of every stance foot."""
    ball = float(toe_joint(person)[0])
    knots, points = [0.0], [start]
    for step in steps:
        behind = np.array([PRESS_FROM * ball, 0.0, 0.0])
        knots += [step.lift_off, step.landing]
        reach = np.array([(0.8 if step.pitch < MIN_RISE else PRESS_TO) * ball, 0.0, 0.0])
        points += [step.stance.apply(behind)[:2], step.stance.apply(reach)[:2]]
    first = steps[0].lift_off
    knots[1:1], points[1:1] = [0.3 * first], [start]
    knots.append(steps[-1].landing + 0.4 * (times[-1] - steps[-1].landing))
    points.append(end)
    rows = np.array(points)
    return np.stack([np.interp(times, knots, rows[:, k]) for k in range(2)], axis=1)
