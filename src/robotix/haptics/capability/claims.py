"""The published targets of ViSHARD10 [Ueberle2004], checked on the model over its cylinder.

The device turns about axis 1, so that one half-plane of the cylinder stands for all of it. At every
place of a grid it takes the most dexterous of some SCARA postures. What cannot be checked is said:
torques and rates of the joints are not published, so that force and speed are turned round into the
torques and rates that they need.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.geometry.rotation import exp_rotation
from robotix.haptics.capability.output import OutputCapability, output_capability, torques_for
from robotix.haptics.devices.vishard10 import height_joints, posture_above, vishard10
from robotix.haptics.loop.drives import vishard10_drives
from robotix.kinematics import Posture
from robotix.kinematics.obstacles.self_collision import SelfCollision, collision_pairs

__all__ = ["CapabilityMap", "DeviceClaim", "check_claims", "map_capability", "wrist_dexterity"]

RADIUS, HEIGHT, FORCE, SPEED = 0.85, 0.6, 170.0, 1.0  # m, m, N, m/s
TORQUES = {"pitch and yaw": 13.0, "roll": 4.8}  # N m
MASS = 23.0  # kg
BENDS = (-2.0, -1.5, -1.1, -0.8, -0.5, -0.25)  # rad, of θ2 and θ4
WRIST = (math.pi / 2, 0.0, -0.75 * math.pi, 0.0)
SINGULAR = 0.02  # of the largest singular value there is


@dataclass(frozen=True)
class DeviceClaim:
    """A target, and what the model says."""

    name: str
    published: str
    ours: str
    is_met: bool | None  # None: cannot be decided from what is published


@dataclass(frozen=True, eq=False)
class CapabilityMap:
    """Capability over radius and height; arrays are (heights, radii)."""

    radii: Array  # (n,), m
    heights: Array  # (m,), m
    postures: Array  # (m, n, 10)
    force: Array  # N
    torque: Array  # N m
    speed: Array  # m/s
    felt_light: Array  # kg
    felt_heavy: Array  # kg
    translational: Array  # smallest singular value of J_v, m
    overlaps: dict[tuple[str, str], int]  # postures in which two links overlap


def map_capability(
    *, radii: int = 12, heights: int = 5, advance: Callable[[], None] | None = None
) -> CapabilityMap:
    """Map the capability over the published cylinder; `advance` is called after each place."""
    model = vishard10()
    own = SelfCollision(model, collision_pairs(model, samples=0))
    overlaps: Counter[tuple[str, str]] = Counter()
    r = np.linspace(0.02, RADIUS, radii)
    z = np.linspace(-HEIGHT / 2, HEIGHT / 2, heights)
    postures = np.zeros((heights, radii, 10))
    rows = np.zeros((6, heights, radii))
    for j, height in enumerate(z):
        for i, radius in enumerate(r):
            q, found = _best_posture(float(radius), float(height))
            own_gaps = own.gaps(Posture(model, q), limit=0.0)
            overlaps.update({(gap.body, gap.obstacle) for gap in own_gaps})
            postures[j, i] = q
            rows[:, j, i] = (
                found.force, found.torque, found.speed, *found.felt_mass, found.translational,
            )  # fmt: skip
            if advance is not None:
                advance()
    return CapabilityMap(
        np.asarray(r, float), np.asarray(z, float), postures, rows[0], rows[1], rows[2], rows[3],
        rows[4], rows[5], dict(overlaps),
    )  # fmt: skip


def _best_posture(radius: float, height: float) -> tuple[Array, OutputCapability]:
    """Return the most dexterous of some postures at a place."""
    model, drives = vishard10(), vishard10_drives()
    best: tuple[Array, OutputCapability] | None = None
    for first in BENDS:
        for second in BENDS:
            try:
                q = posture_above(
                    radius, bends=(first, second), wrist=WRIST, height=height_joints(height)
                )
            except ValueError:
                continue  # out of reach of bars bent so
            found = output_capability(model, q, drives)
            if best is None or found.translational > best[1].translational:
                best = q, found
    if best is None:
        raise ValueError(f"no posture reaches {radius:g} m, {height:g} m")
    return best


def wrist_dexterity(rotation: Array, *, count: int = 48) -> float:
    """Return the best smallest singular value of the wrist at an orientation, over θ5*.

    Axes 5, 8, 9 and 10 meet in one point; for every θ5* the other three are Euler angles about x, z
    and x, which reach every orientation.
    """
    best = 0.0
    for theta5 in np.linspace(0, 2 * math.pi, count, endpoint=False):
        A = exp_rotation(np.array([0.0, 0.0, -theta5])) @ rotation
        tilt = math.acos(float(np.clip(A[0, 0], -1, 1)))  # θ9
        turn = math.atan2(float(A[2, 0]), float(A[1, 0])) if tilt > 1e-9 else 0.0  # θ8
        about_5 = np.array([0.0, 0.0, 1.0])
        first = exp_rotation(theta5 * about_5)
        about_8 = first @ np.array([1.0, 0.0, 0.0])
        second = first @ exp_rotation(np.array([turn, 0.0, 0.0]))
        about_9 = second @ np.array([0.0, 0.0, 1.0])
        about_10 = second @ exp_rotation(np.array([0.0, 0.0, tilt])) @ np.array([1.0, 0.0, 0.0])
        J = np.stack([about_5, about_8, about_9, about_10], axis=1)
        best = max(best, float(np.linalg.svd(J, compute_uv=False)[2]))
    return best


def check_claims(
    found: CapabilityMap, *, orientations: int = 60, seed: int = 0
) -> list[DeviceClaim]:
    """Check the published targets against a map of the cylinder."""
    model = vishard10()
    rng = np.random.default_rng(seed)
    worst = float(found.translational.min())
    wrist = min(
        wrist_dexterity(exp_rotation(rng.normal(size=3) * 1.5)) for _ in range(orientations)
    )
    flat = found.postures.reshape(-1, 10)
    needed = np.max([torques_for(model, q, FORCE) for q in flat], axis=0)
    rates = np.max([_rates_for(q) for q in flat], axis=0)
    pairs = ", ".join(f"{a} and {b} in {n}" for (a, b), n in sorted(found.overlaps.items()))
    i = np.unravel_index(int(found.translational.argmin()), found.translational.shape)
    lowest = f"r = {found.radii[i[1]]:.2f} m, z = {found.heights[i[0]]:.2f} m"
    return [
        DeviceClaim("workspace without singularity of translation", "∅1.7 m × 0.6 m",
                    f"smallest singular value {worst:.3f} m at {lowest}", worst > SINGULAR),
        DeviceClaim("every orientation, without singularity", "360° about every axis",
                    f"worst wrist of {orientations} orientations: {wrist:.2f} (1.15 is best)",
                    wrist > 0.3),
        DeviceClaim("no collision of its parts", "none",
                    f"of {len(flat)} postures: {pairs or 'none'}; the shapes are assumed, with all "
                    "links of the SCARA in one plane", not found.overlaps),
        DeviceClaim("peak force", "170 N",
                    "needs " + ", ".join(f"{t:.0f}" for t in needed) + " N m in every direction; "
                    "the motors' torques are not published", None),
        DeviceClaim("speed", "> 1 m/s",
                    f"needs up to {rates.max():.1f} rad/s (joint {int(rates.argmax()) + 1}); the "
                    "joints' rates are not published", None),
        DeviceClaim("peak torque", "13, 13, 4.8 N m",
                    "axes 5, 8 and 9 must carry 13 N m in the worst direction, axis 10 (roll) 4.8; "
                    "the motors' torques are not published", None),
        DeviceClaim("mass of moving parts", "≈ 23 kg", f"{model.mass:.1f} kg, as it was put in",
                    abs(model.mass - MASS) < 0.5),
        DeviceClaim("felt inertia", "not stated",
                    f"{found.felt_light.min():.1f} to {found.felt_heavy.max():.0f} kg with assumed "
                    "rotors", None),
    ]  # fmt: skip


def _rates_for(q: Array) -> Array:
    """Return the rates that 1 m/s in the worst direction needs, (10,), rad/s."""
    J = np.array(Posture(vishard10(), q).jacobian())
    return np.asarray(SPEED * np.linalg.norm(np.linalg.pinv(J, rcond=1e-6)[:, :3], axis=1))
