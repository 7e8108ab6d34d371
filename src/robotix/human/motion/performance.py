"""A performance: the motion of a person with its contacts, loads and environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from robotix.errors import UnknownName
from robotix.geometry import Array, Pose, Shape
from robotix.human.body.manikin import Manikin
from robotix.human.motion.contacts import Contact, ContactPhase
from robotix.human.motion.furniture import Hole
from robotix.human.motion.loads import HandForce, Load, LoadPhase, model_with_loads
from robotix.human.motion.performer import Shortfall
from robotix.human.motion.recording_fit import RecordingFit
from robotix.kinematics.batch import forward_batch
from robotix.model import Model
from robotix.motion import Motion

__all__ = ["Environment", "Performance", "Span"]


@dataclass(frozen=True, eq=False)
class Environment:
    """Surrounding solids by name; hands may close around those in `graspable`."""

    solids: Mapping[str, Shape] = field(default_factory=dict)
    graspable: frozenset[str] = frozenset()
    holes: tuple[Hole, ...] = ()  # in the floor; no foot may stand there


@dataclass(frozen=True, eq=False)
class Span:
    """Rows of a motion, first and last included, in which neither contacts nor loads change."""

    first: int
    last: int
    contacts: tuple[Contact, ...]
    loads: tuple[Load, ...]


@dataclass(frozen=True, eq=False)
class Performance:
    """A task performed by a body, up to the end or to where it became infeasible.

    Examples:
        >>> man = rx.make_manikin(rx.make_anthropometry(sex="m"))
        >>> performance = rx.perform("reach", man, rehearsed=False)
        >>> performance.motion.duration > 0.5
        True
    """

    task: str
    manikin: Manikin
    motion: Motion
    contacts: tuple[ContactPhase, ...]
    loads: tuple[LoadPhase, ...]
    environment: Environment
    shortfalls: tuple[Shortfall, ...]
    style: str = "natural"
    tracking: RecordingFit | None = None  # of a recorded motion, where known
    hand_forces: tuple[HandForce, ...] = ()  # on the hands, besides the weight of loads
    parameters: Mapping[str, float] = field(default_factory=dict)  # of the task, as given
    _laden: dict[tuple[Load, ...], Model] = field(default_factory=dict, init=False, repr=False)

    def spans(self) -> tuple[Span, ...]:
        """Return the motion split at every change of contacts or loads."""
        times = self.motion.times
        moments = [(phase.start, phase.end) for phase in self.contacts]
        moments += [(phase.start, phase.end) for phase in self.loads]
        edges = {0, len(times) - 1, *(self.row_at(time) for ends in moments for time in ends)}
        cuts = sorted(edges)
        if len(cuts) == 1:
            cuts = [0, 0]
        spans = []
        for first, last in pairwise(cuts):
            middle = (times[first] + times[last]) / 2
            touching = [p.contact for p in self.contacts if p.start <= middle <= p.end]
            carried = [p.load for p in self.loads if p.start <= middle <= p.end]
            spans.append(Span(first, last, tuple(touching), tuple(carried)))
        return tuple(spans)

    def span_at(self, time: float) -> Span:
        """Return contacts and loads at a time; at a change, those after it."""
        touching = [p.contact for p in self.contacts if p.start <= time < p.end]
        carried = [p.load for p in self.loads if p.start <= time < p.end]
        if time >= self.motion.times[-1]:
            last = float(self.motion.times[-1])
            touching = [p.contact for p in self.contacts if p.end >= last]
            carried = [p.load for p in self.loads if p.end >= last]
        row = self.row_at(time)
        return Span(row, row, tuple(touching), tuple(carried))

    def row_at(self, time: float) -> int:
        """Return the row nearest to a time, s."""
        times = self.motion.times
        after = (
            int(np.clip(np.searchsorted(times, time), 1, len(times) - 1)) if len(times) > 1 else 0
        )
        return after - int(after > 0 and time - times[after - 1] < times[after] - time)

    def model_with(self, loads: tuple[Load, ...]) -> Model:
        """Return the model of the body with loads in its hands, made once."""
        if not loads:
            return self.manikin.model
        if loads not in self._laden:
            self._laden[loads] = model_with_loads(self.manikin.model, loads)
        return self._laden[loads]

    def load_poses(self, name: str) -> tuple[Array, Array]:
        """Return the poses of a load at every row: positions (k, 3), m, and rotations (k, 3, 3).

        It rests before the grasp and after the release; in between it moves with the hands.
        """
        phases = [phase for phase in self.loads if phase.load.name == name]
        if not phases:
            raise UnknownName("load", name, [phase.load.name for phase in self.loads])
        count = len(self.motion.times)
        positions, rotations = np.empty((count, 3)), np.empty((count, 3, 3))
        done = 0
        for phase in sorted(phases, key=lambda phase: phase.start):
            first, last = self.row_at(phase.start), self.row_at(phase.end)
            held = self._held(phase.load, first, last)
            positions[done:first], rotations[done:first] = held[0][0], held[1][0]
            positions[first : last + 1], rotations[first : last + 1] = held
            positions[last + 1 :], rotations[last + 1 :] = held[0][-1], held[1][-1]
            done = last + 1
        return positions, rotations

    def _held(self, load: Load, first: int, last: int) -> tuple[Array, Array]:
        """Return the poses of a load between the hands: upright, y from right to left hand."""
        rows = self.motion.q[first : last + 1]
        model = self.manikin.model
        hands = {side: forward_batch(model, rows, point=f"{side}_hand") for side in load.hands}
        centre = np.mean([positions for positions, _ in hands.values()], axis=0)
        if len(hands) == 2:
            across = (hands["left"][0] - hands["right"][0]) * (1, 1, 0)
        else:
            rotation = next(iter(hands.values()))[1]
            across = (rotation @ rotation[0].T)[:, :, 1] * (1, 1, 0)
        across /= np.linalg.norm(across, axis=1)[:, None]
        up = np.tile([0.0, 0.0, 1.0], (len(rows), 1))
        centre = centre - load.grip_height * up
        return centre, np.stack([np.cross(across, up), across, up], axis=2)

    def load_pose(self, name: str, row: int) -> Pose:
        """Return the pose of a load at a row of the motion."""
        positions, rotations = self.load_poses(name)
        return Pose(rotations[row], positions[row])
