"""The loop of a haptic device in plain NumPy, as one would write it first: the same stages.

Joints turn about given axes; the hand is a mass on a grip; the display is an admittance with a
plane wall and a passivity observer; the servo computes torques; friction is an impulse per substep.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robotix.geometry.rotation import exp_rotation, log_rotation
from robotix.haptics.loop.drives import JointDrive
from robotix.model import Model


class NumpyDevice:
    """Kinematics and dynamics of a serial chain of turning joints."""

    def __init__(self, model: Model) -> None:
        moving, offset = [], None
        for body in model.bodies:
            if body.joint.kind == "revolute":
                moving.append(body)
            else:
                offset = body.placement  # the flange
        self.bodies, self.tip, self.gravity = moving, offset, np.array(model.gravity)

    def forward(self, q: np.ndarray):
        """Return axes, origins and rotations of all joints, and the pose of the tip."""
        R, p = np.eye(3), np.zeros(3)
        axes, origins, rotations = [], [], []
        for body, angle in zip(self.bodies, q, strict=True):
            p = p + R @ body.placement.translation
            R = R @ body.placement.rotation
            axes.append(R @ body.joint.axis)
            origins.append(p)
            R = R @ exp_rotation(angle * np.asarray(body.joint.axis))
            rotations.append(R)
        tip = p + R @ self.tip.translation
        return np.array(axes), np.array(origins), rotations, tip, R @ self.tip.rotation

    def jacobian(self, axes, origins, point):
        """Return the Jacobian of a point, (6, n)."""
        return np.vstack([np.cross(axes, point - origins).T, axes.T])

    def efforts(self, axes, origins, rotations, dq, ddq):
        """Return the efforts of a motion, by recursive Newton-Euler."""
        n = len(axes)
        w, dw, a = np.zeros(3), np.zeros(3), -self.gravity
        forces, torques, coms = [], [], []
        before = np.zeros(3)
        for i, body in enumerate(self.bodies):
            arm = origins[i] - before
            a = a + np.cross(dw, arm) + np.cross(w, np.cross(w, arm))
            dw = dw + axes[i] * ddq[i] + np.cross(w, axes[i] * dq[i])
            w = w + axes[i] * dq[i]
            before = origins[i]
            c = rotations[i] @ body.com
            ac = a + np.cross(dw, c) + np.cross(w, np.cross(w, c))
            inertia = rotations[i] @ body.inertia @ rotations[i].T
            forces.append(body.mass * ac)
            torques.append(inertia @ dw + np.cross(w, inertia @ w))
            coms.append(origins[i] + c)
        tau = np.zeros(n)
        f, m = np.zeros(3), np.zeros(3)  # about the world's origin
        for i in range(n - 1, -1, -1):
            f = f + forces[i]
            m = m + torques[i] + np.cross(coms[i], forces[i])
            tau[i] = axes[i] @ (m - np.cross(origins[i], f))
        return tau

    def mass_matrix(self, axes, origins, rotations):
        """Return the mass matrix, (n, n)."""
        n = len(axes)
        M = np.zeros((n, n))
        for i, body in enumerate(self.bodies):
            c = origins[i] + rotations[i] @ body.com
            Jv, Jw = np.zeros((3, n)), np.zeros((3, n))
            Jv[:, : i + 1] = np.cross(axes[: i + 1], c - origins[: i + 1]).T
            Jw[:, : i + 1] = axes[: i + 1].T
            inertia = rotations[i] @ body.inertia @ rotations[i].T
            M += body.mass * Jv.T @ Jv + Jw.T @ inertia @ Jw
        return M


@dataclass
class NumpyLoop:
    """One device, hand and wall."""

    device: NumpyDevice
    drives: tuple[JointDrive, ...]
    q: np.ndarray
    wall: float  # m, along x
    stiffness: float
    damping: float
    push: np.ndarray
    period: float = 1e-3
    substeps: int = 8
    mass: float = 8.0
    inertia: float = 0.2
    turn_damping: float = 0.5
    frequency: float = 100.0
    stored: float = 0.0
    hand: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.q)
        self.dq, self.seen, self.seen_rate = np.zeros(n), self.q.copy(), np.zeros(n)
        self.wanted, self.wanted_rate = self.q.copy(), np.zeros(n)
        _, _, _, self.x, self.R = self.device.forward(self.q)
        self.v, self.hand_x, self.hand_v = np.zeros(6), self.x.copy(), np.zeros(3)
        self.R0, self.grip, self.rendered = self.R.copy(), np.zeros(6), np.zeros(6)
        self.friction = np.zeros(n)
        self.rotor = np.array([each.reflected_inertia for each in self.drives])
        self.viscous = np.array([each.viscous for each in self.drives])
        self.coulomb = np.array([each.coulomb for each in self.drives])
        self.extra = np.array([each.static for each in self.drives]) - self.coulomb
        self.limits = np.array([each.max_torque for each in self.drives])
        self.steps = np.array([each.encoder_step for each in self.drives])

    def step(self) -> None:
        """Move all on by one sample."""
        T = self.period
        angle = np.floor(self.q / self.steps) * self.steps
        share = 1 - np.exp(-2 * np.pi * 150 * T)
        self.seen_rate += share * ((angle - self.seen) / T - self.seen_rate)
        self.seen = angle
        tau = self.control()
        self.move(np.clip(tau, -self.limits, self.limits))

    def control(self) -> np.ndarray:
        """Return the torques of one sample."""
        T = self.period
        self.stored += T * self.rendered @ self.v
        depth = self.x[0] - self.wall
        f = np.zeros(6)
        if depth > 0:
            f[0] = max(self.stiffness * depth + self.damping * max(self.v[0], 0), 0)
        if self.stored < 0 and self.v[:3] @ self.v[:3] > 0:
            extra = -self.stored / (T * self.v[:3] @ self.v[:3])
            f[:3] += min(extra, self.mass / (2 * T)) * self.v[:3]
        self.rendered = f
        self.v[:3] += T * (self.grip[:3] - f[:3]) / self.mass
        self.v[3:] += T * (self.grip[3:] - self.turn_damping * self.v[3:]) / self.inertia
        self.x = self.x + T * self.v[:3]
        self.R = exp_rotation(T * self.v[3:]) @ self.R
        axes, origins, _, tip, R = self.device.forward(self.wanted)
        J = self.device.jacobian(axes, origins, tip)
        turn = log_rotation(self.R @ R.T)
        twist = self.v + 20 * np.concatenate([self.x - tip, turn])
        S = J @ J.T
        rate = J.T @ np.linalg.solve(S + 1e-6 * np.trace(S) * np.eye(6), twist)
        ddq = (rate - self.wanted_rate) / T
        self.wanted_rate, self.wanted = rate, self.wanted + T * rate
        w = self.frequency
        ddq = ddq + w * w * (self.wanted - self.seen) + 2 * w * (rate - self.seen_rate)
        axes, origins, rotations, tip, _ = self.device.forward(self.seen)
        J = self.device.jacobian(axes, origins, tip)
        tau = self.device.efforts(axes, origins, rotations, self.seen_rate, ddq)
        tau += self.rotor * ddq + self.viscous * rate
        tau += 0.8 * self.coulomb * np.tanh(rate / 0.02)
        return tau - J.T @ self.grip

    def move(self, tau: np.ndarray) -> None:
        """Move device and hand on by one sample."""
        h, n = self.period / self.substeps, len(self.q)
        axes, origins, rotations, tip, R = self.device.forward(self.q)
        J = self.device.jacobian(axes, origins, tip)
        bias = self.device.efforts(axes, origins, rotations, self.dq, np.zeros(n))
        M = self.device.mass_matrix(axes, origins, rotations)
        inverse = np.linalg.inv(M + np.diag(self.rotor + h * self.viscous))
        turn = log_rotation(self.R0 @ R.T)
        for _ in range(self.substeps):
            v = J @ self.dq
            self.grip[:3] = 8000 * (self.hand_x - tip) + 20 * (self.hand_v - v[:3])
            self.grip[3:] = 5 * turn - 0.2 * v[3:]
            self.hand_v = (self.hand_v + h * (self.push - self.grip[:3]) / 1.5) / (1 + h * 20 / 1.5)
            self.hand_x = self.hand_x + h * self.hand_v
            force = h * (tau - bias - self.viscous * self.dq + J.T @ self.grip) + self.friction
            rate = self.dq + inverse @ force
            most = h * (self.coulomb + self.extra * np.exp(-((self.dq / 0.05) ** 2)))
            for _ in range(4):
                for i in range(n):
                    new = np.clip(self.friction[i] - rate[i] / inverse[i, i], -most[i], most[i])
                    rate = rate + inverse[:, i] * (new - self.friction[i])
                    self.friction[i] = new
            self.dq = rate
            self.q = self.q + h * rate
            tip = tip + h * (J @ rate)[:3]
