"""A performance as drawable objects: person, environment, loads, balance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from robotix.geometry import Halfspace
from robotix.human.body.head_and_hands import HeadAndHands
from robotix.human.motion.contacts import contact_positions
from robotix.human.motion.gestures import Gestures, make_gestures
from robotix.human.motion.performance import Performance, Span
from robotix.human.motion.support import level_support
from robotix.human.skin.skin import Skin
from robotix.kinematics import Posture
from robotix.view import Dots, Mesh3, Polyline, Rgb, Thing, solid_mesh

__all__ = ["Scenery", "body_meshes"]

WOOD: Rgb = (0.80, 0.66, 0.47)
STEEL: Rgb = (0.62, 0.66, 0.71)
STONE: Rgb = (0.78, 0.77, 0.74)
CARTON: Rgb = (0.74, 0.58, 0.38)
GREEN: Rgb = (0.10, 0.60, 0.35)
RED: Rgb = (0.85, 0.20, 0.15)
COLOURS = {"step": STONE, "rung": STEEL, "left": STEEL, "right": STEEL}


def body_meshes(skin: Skin, posture: Posture, extra: HeadAndHands | None = None) -> list[Mesh3]:
    """Return a body in a posture as meshes, one per colour; `extra`: neck and fingers."""
    surface = skin.at(posture, extra)
    return [
        Mesh3(surface.vertices, part.faces, surface.normals, part.colour, gloss=part.gloss)
        for part in skin.parts
    ]


@dataclass(frozen=True, eq=False)
class Scenery:
    """Drawable objects of a performance."""

    performance: Performance
    skin: Skin

    def posture(self, row: int) -> Posture:
        """Return the posture at a row of the motion."""
        return Posture(self.performance.manikin.model, self.performance.motion.q[row])

    def person(self, row: int) -> list[Mesh3]:
        """Return the body at a row of the motion."""
        time = float(self.performance.motion.times[row])
        return body_meshes(self.skin, self.posture(row), self.gestures.at(time))

    @cached_property
    def gestures(self) -> Gestures:
        """Neck and fingers at all times."""
        return make_gestures(self.performance)

    def _span(self, row: int) -> Span:
        spans = self.performance.spans()
        return next((s for s in spans if s.first <= row <= s.last), spans[-1])

    def room(self) -> Iterator[Mesh3]:
        """Yield the solids of the environment except the floor."""
        for name, solid in self.performance.environment.solids.items():
            if not isinstance(solid, Halfspace):
                yield solid_mesh(solid, colour=COLOURS.get(name.split("_")[0], WOOD))
        for hole in self.performance.environment.holes:
            yield _disk((hole.x, hole.y), hole.radius)

    def loads(self, row: int) -> Iterator[Mesh3]:
        """Yield the loads, carried or at rest."""
        for load in {phase.load.name: phase.load for phase in self.performance.loads}.values():
            pose = self.performance.load_pose(load.name, row)
            yield solid_mesh(load.box, pose=pose, colour=CARTON)

    def balance(self, row: int) -> Iterator[Thing]:
        """Yield the edge of the support polygon, and the projected centre of mass."""
        span, motion = self._span(row), self.performance.motion
        posture = Posture(self.performance.model_with(span.loads), motion.q[row])
        polygon, _ = level_support(contact_positions(posture, span.contacts), posture.com)
        if not len(polygon):
            return
        polygon[:, 2] = np.maximum(polygon[:, 2], 0.0) + 0.004
        yield Polyline(polygon, GREEN, 2.0, True)
        yield Dots(np.array([[*posture.com[:2], polygon[0, 2]]]), RED, 7.0)


def _disk(centre: tuple[float, float], radius: float) -> Mesh3:
    """Return a dark disk on the floor."""
    angle = np.linspace(0, 2 * np.pi, 65)[:-1]
    rim = np.column_stack([np.cos(angle), np.sin(angle)]) * radius + centre
    vertices = np.vstack([[*centre, 0.002], np.column_stack([rim, np.full(64, 0.002)])])
    k = np.arange(64)
    faces = np.column_stack([np.zeros(64, dtype=int), k + 1, (k + 1) % 64 + 1])
    colours = np.tile([0.05, 0.05, 0.06], (65, 1))
    colours[1:] = (0.16, 0.16, 0.17)
    return Mesh3(vertices, faces, np.tile([0.0, 0, 1], (65, 1)), colours, gloss=0.0, casts=False)
